"""What each seat of Elements may know, and how the table is shown; why a move is shut is in `refusals`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from msgspec.structs import replace

from brelan.cards import HIDDEN, SPECTATOR, popcount
from brelan.game import legal_moves
from brelan.games.elements import notation, rules
from brelan.games.elements.combinations import worth
from brelan.games.elements.memory import hand_size, seen
from brelan.games.elements.refusals import why_not
from brelan.games.elements.row import NONE, strength
from brelan.games.elements.rules import ahead, asked, leaders, points
from brelan.games.elements.state import (
    AUCTION,
    ELEMENT,
    ELEMENTS,
    LAY,
    OVER,
    PASS,
    PLACING,
    RETURN,
    RETURNING,
    SHUFFLE,
    State,
    starter,
)
from brelan.scene import Card, Choice, Note, Outcome, Scene, Tally, Zone, ZoneKind, keyed, leading, members, shared
from brelan.words import Said, Words

__all__ = ["card_words", "heard", "outcomes", "redact", "scene", "sound", "tally", "told", "why_not", "zones"]

KINDS = ("single", "pair_colour", "pair", "three_colour", "three", "four_colour", "four")
"""The kinds of combinations, weakest first (E17); their worth counts 0, 2, 3, 4, 5, 6, 7."""

# ---------------------------------------------------------------- what a seat may know


def redact(s: State, seat: int) -> State:
    """The state as `seat` may know it: own hand and own face-down cards, and all that lies open; all at the end."""
    v = s.copy()
    if s.phase == OVER or undealt(s):
        return v
    for other in range(5):
        if other != seat:
            v.hand[other] = v.returned[other] = 0
    for place in range(5):
        if v.placer[place] not in (-1, seat):
            v.beside[place] = HIDDEN
    v.stock = [HIDDEN] * 55
    return v


def undealt(s: State) -> bool:
    """Whether the first cards are still to be dealt."""
    return s.phase <= SHUFFLE and s.finished == 0


def heard(move: int, seat: int, viewer: int) -> str:
    """What `viewer` hears of a move of `seat`: a card that goes face down is not named (`place ? 3`)."""
    verb, *rest = notation.move_text(move).split()
    if viewer != seat and (move < LAY or RETURN <= move < PASS):
        rest[0] = notation.card_text(HIDDEN)
    return " ".join([verb, *rest])


def zones(s: State) -> dict[str, list[int]]:
    """Every zone's cards (records.md), HIDDEN where a redacted state does not know them."""
    found = table(s)
    if s.phase == SHUFFLE:
        for name in [n for n in found if n.startswith(("points", "laid", "won"))]:
            found["stock"] += found[name]
            found[name] = []
    return found


def table(s: State) -> dict[str, list[int]]:
    """The cards as they lie, also between two rounds, when the won ones already count to the stock."""
    beside = [card for card in s.beside if card != NONE]
    elements = [ELEMENT + colour for colour in (range(5) if s.phase == ELEMENTS else s.row)]
    found: dict[str, list[int]] = {
        "elements": elements if s.phase == ELEMENTS else [],
        "row": [] if s.phase == ELEMENTS else elements,
        "placed": beside if s.phase == PLACING else [],
        "points": [] if s.phase == PLACING else beside,
    }
    for seat in range(s.players):
        hand = list(members(s.hand[seat]))
        found[f"hand:{seat}"] = hand + [HIDDEN] * (hand_size(s, seat) - len(hand))
        found[f"laid:{seat}"] = list(members(s.laid[seat]))
        found[f"won:{seat}"] = list(members(s.won[seat]))
    stock = s.stock[s.next :] + put_away(s)
    rest = 60 - len(stock) - sum(map(len, found.values()))
    return found | {"stock": stock + [HIDDEN] * rest}


def put_away(s: State) -> list[int]:
    """The known cards that went to the stock in this round: zeros, cards played, unsold ones, cards given back."""
    away = seen(s) | (0 if s.phase in (PLACING, AUCTION) else sum(s.returned))
    for seat in range(s.players):
        away &= ~(s.laid[seat] | s.won[seat])
    return [card for card in members(away) if card not in s.beside]


def sound(s: State) -> bool:
    """Whether the round goes on, with a card to place or to play for, and nobody holds or has laid too many cards."""
    return (
        s.finished < s.players
        and s.ready >> s.players == 0
        and all(popcount(laid) <= 4 for laid in s.laid)
        and all(popcount(s.hand[seat]) <= hand_size(s, seat) for seat in range(s.players))
        and (s.phase != PLACING or placed_in_turn(s))
        and (s.phase != AUCTION or (s.auction >= 0 and s.beside[s.auction] >= 0))
    )


def placed_in_turn(s: State) -> bool:
    """Whether the seats before this one have placed a card each, and nothing else was done in the round."""
    placers = [(starter(s) + i) % s.players for i in range((s.turn - starter(s)) % s.players)]
    untouched = not any(s.shown) and not any(s.back)
    return untouched and sorted(placer for placer in s.placer if placer >= 0) == sorted(placers)


# ---------------------------------------------------------------- the scene


def tally(s: State) -> Tally:
    """How the last round ended."""
    if not any(s.gain):
        return Tally(s.gain[: s.players], "nothing", {}, "E18" if points(seen(s)) else "E24")
    best = [seat for seat in range(s.players) if s.gain[seat] == max(s.gain)]
    return Tally(s.gain[: s.players], "scored", {"seats": best, "points": max(s.gain)}, "E19")


def told(was: State, move: int) -> dict[str, Said]:
    """The element beside which a card was placed."""
    return {"element": partial(colour_words, was.row[move % 5])} if move < LAY else {}


def outcomes(was: State, now: State) -> list[Outcome]:
    """The order of the row once all is turned up, and why; then who won each auction that ended with the move."""
    if was.phase == PLACING and now.phase != PLACING:
        return [Outcome("turned", "E7", values={"row": partial(row_words, tuple(now.row), turned_up(now))})]
    if was.phase != AUCTION:
        return []
    settled = [place for place in range(was.auction, now.auction, -1) if was.beside[place] != NONE]
    return [outcome(was, now, was.beside[place]) for place in settled]


def outcome(was: State, now: State, card: int) -> Outcome:
    """Who won a point card, and with what."""
    said: dict[str, Any] = {"card": partial(card_words, card)}
    for seat in range(was.players):
        if now.won[seat] >> card & 1:
            laid = was.laid[seat] | now.shown[seat] & ~was.shown[seat]
            kind, number, colour, rule = combined(was, laid)
            return Outcome("won", rule, seat, said | {"combination": partial(combination_words, kind, number, colour)})
    return Outcome("unsold", "E18", None, said)


def turned_up(s: State) -> list[int]:
    """The values of the cards that have just been turned up, strongest first; of a zero only the gap is left (E8)."""
    return [max(strength(card), 0) for card in s.beside[: 5 if s.unpaired else s.players]]


def row_words(row: Sequence[int], values: Sequence[int], words: Words) -> str:
    """The elements as they lie, with the values that put them there; the last ones may have got no card."""
    colours = [colour_words(colour, words) for colour in row]
    valued = [words("card.beside", colour=c, value=v) for c, v in zip(colours, values, strict=False)]
    return ", ".join(valued + colours[len(values) :])


def scene(s: State, seat: int, words: Words) -> Scene:
    """The table as `seat` sees it; `s` is redacted for it."""
    return Scene(
        game="elements",
        seat=seat,
        turn=list(members(asked(s))),
        prompt=prompt(s, seat, words),
        zones=row(s, words)
        + [stock(stock_size(s), words)]
        + [zone for owner in range(s.players) for zone in seat_zones(s, owner, seat, words)],
        choices=choices(s, seat, words) if seat != SPECTATOR else [],
        notes=notes(s, words),
        scores=s.total[: s.players],
        leaders=leading(leaders(s), s.players, s.phase == OVER),
        over=s.phase == OVER,
        rule=IN_FORCE[s.phase],
    )


IN_FORCE = {ELEMENTS: "E4", SHUFFLE: "O-A5", PLACING: "E6", AUCTION: "E10", RETURNING: "E20", OVER: "E23"}
"""The paragraph that says what may be done in each phase."""


def prompt(s: State, seat: int, words: Words) -> str:
    """What is asked of the viewer, or what the table waits for."""
    if s.phase in (OVER, ELEMENTS, SHUFFLE):
        return words("prompt.over" if s.phase == OVER else "prompt.shuffle")
    if seat == SPECTATOR or not asked(s) >> seat & 1:
        return words("prompt.wait")
    if s.phase == AUCTION:
        step = ("lay_first", "lay_second", "lay_two")[popcount(s.laid[seat])]
        return words(f"prompt.{step}", card=card_words(s.beside[s.auction], words))
    return words("prompt.place" if s.phase == PLACING else "prompt.return")


@cache
def card_words(card: int, words: Words) -> str:
    """The words for a card: blue 7."""
    if card == HIDDEN:
        return words("card.hidden")
    if card >= ELEMENT:
        return words("card.element", colour=colour_words(card - ELEMENT, words))
    return words("card.name", colour=colour_words(card // 11, words), value=card % 11)


@cache
def colour_words(colour: int, words: Words) -> str:
    return words(f"colour.{notation.COLOURS[colour]}")


def cards_of(zone: str, cards: list[int], words: Words) -> list[Card]:
    return keyed(zone, cards, notation.card_text, lambda card: card_words(card, words))


def row(s: State, words: Words) -> list[Zone]:
    """Five zones, nearest the box first."""
    colours = range(5) if s.phase == ELEMENTS else s.row
    return [element(place, c, s.beside[place], place == s.auction, words) for place, c in enumerate(colours)]


@shared
def element(place: int, colour: int, beside: int, is_at_stake: bool, words: Words) -> Zone:
    """An element, its strength, and the card beside it."""
    name = f"element:{place + 1}"
    cards = cards_of(name, [ELEMENT + colour, *([] if beside == NONE else [beside])], words)
    if is_at_stake:
        cards[1] = replace(cards[1], state="marked")
    caption = words("zone.element", colour=colour_words(colour, words), strength=5 - place)
    return Zone(name, "row", None, caption, len(cards), cards, badge=str(5 - place))


def stock_size(s: State) -> int:
    """The stock holds what lies nowhere else."""
    elsewhere = 5 + sum(card != NONE for card in s.beside)
    for seat in range(s.players):
        elsewhere += hand_size(s, seat) + popcount(s.laid[seat]) + popcount(s.won[seat])
    return 60 - elsewhere


@shared
def stock(count: int, words: Words) -> Zone:
    """The stock lies face down; only its size is shown."""
    return Zone("stock", "pile", None, words("zone.stock"), count, cards_of("stock", [HIDDEN] * bool(count), words))


def seat_zones(s: State, owner: int, seat: int, words: Words) -> list[Zone]:
    """What lies before a seat: its hand, the cards laid in this auction, the point cards won in this round."""
    laid, won = s.laid[owner], s.won[owner]
    is_asked = owner == seat and bool(asked(s) >> seat & 1)
    return [
        fan(owner, s.hand[owner], hand_size(s, owner), is_asked, words),
        open_cards("laid", "row", owner, laid, "", words),
        open_cards("won", "heap", owner, won, str(points(won)) if won else "", words),
    ]


@shared
def fan(owner: int, known: int, size: int, is_asked: bool, words: Words) -> Zone:
    """A hand; a seat that is asked may use any card of it."""
    name = f"hand:{owner}"
    cards = cards_of(name, [*members(known), *[HIDDEN] * (size - popcount(known))], words)
    for card in cards if is_asked else []:
        card.state = "bright"
    return Zone(name, "fan", owner, words("zone.hand"), len(cards), cards)


@shared
def open_cards(name: str, kind: ZoneKind, owner: int, known: int, badge: str, words: Words) -> Zone:
    """What lies open before a seat."""
    zone = f"{name}:{owner}"
    cards = cards_of(zone, list(members(known)), words)
    return Zone(zone, kind, owner, words(f"zone.{name}"), len(cards), cards, badge)


def choices(s: State, seat: int, words: Words) -> list[Choice]:
    """The legal moves."""
    return [choice(s, move, seat, words) for move in legal_moves(rules, s, seat)]


def choice(s: State, move: int, seat: int, words: Words) -> Choice:
    """A move as the table offers it: cards to pick and where they go, or a button."""
    text = notation.move_text(move)
    verb, *keys = text.split()
    if verb == "place":
        card, place = keys
        element = colour_words(s.row[int(place) - 1], words)
        said = words("move.place", card=named(card, words), element=element)
        brief = words("zone.element", colour=element, strength=6 - int(place))
        return Choice(text, said, [card], f"element:{place}", confirm=True, brief=brief)
    if verb == "lay":
        would = s.laid[seat] | sum(1 << notation.card_of(key) for key in keys)
        makes = popcount(would) > 1 and worth(s, would) > worth(s, s.laid[seat])  # else it would name other cards
        brief = combination(s, would, words)[0] if makes else ""
        return Choice(text, lay_words(text, words), keys, f"laid:{seat}", brief=brief)
    if verb == "return":
        said = words("move.return", card=named(keys[0], words))
        return Choice(text, said, keys, "stock", together=words("move.return_several"))
    return Choice(text, words(f"move.{verb}"), confirm=verb == "ready")


@cache
def lay_words(text: str, words: Words) -> str:
    """The words for laying a card, or two."""
    names = [named(key, words) for key in text.split()[1:]]
    return words("move.lay", card=words("move.both", a=names[0], b=names[1]) if len(names) == 2 else names[0])


def named(text: str, words: Words) -> str:
    return card_words(notation.card_of(text), words)


def notes(s: State, words: Words) -> list[Note]:
    """What everybody can see: the auction, the laid combinations, who leads, who is out, what was won or given back."""
    found = auction_notes(s, words) if s.phase == AUCTION else []
    if s.phase == PLACING:
        found.append(Note(words("note.starts"), "E22" if s.finished else "E5", starter(s)))
    for seat in range(s.players):
        if s.won[seat]:
            found.append(Note(words("note.won", n=points(s.won[seat])), "E19", seat, f"won:{seat}"))
        if s.phase == RETURNING and s.back[seat]:
            found.append(Note(words("note.back", n=s.back[seat]), "E20", seat, f"hand:{seat}"))
    return found


def auction_notes(s: State, words: Words) -> list[Note]:
    """The card that is played for, and how each seat stands in the auction."""
    place = s.auction
    found = [Note(words("note.auction", card=card_words(s.beside[place], words)), "E9", zone=f"element:{place + 1}")]
    leader = ahead(s)
    for seat in range(s.players):
        if s.laid[seat]:
            said, rule = combination(s, s.laid[seat], words)
            found.append(Note(said, rule, seat, f"laid:{seat}"))
        if seat == leader:
            found.append(Note(words("note.leads"), "E17", seat))
        if s.passed >> seat & 1:
            found.append(Note(words("note.passed"), "E11", seat))
    return found


def combination(s: State, cards: int, words: Words) -> tuple[str, str]:
    """What laid cards make, in words, and the rule that ranks it."""
    kind, number, colour, rule = combined(s, cards)
    return combination_words(kind, number, colour, words), rule


def combined(s: State, cards: int) -> tuple[str, int, int, str]:
    """What laid cards make: the kind of combination, its number, its colour, and the rule that ranks it."""
    value = worth(s, cards)
    kind, first, second = value >> 8, value >> 4 & 15, value & 15
    if kind & 1:  # of one number; the strength names the strongest colour in it
        number, colour, rule = first, s.row[5 - second], "E14"
    else:
        number, colour, rule = second, s.row[5 - first], "E15" if kind else "E16"
    return KINDS[max(kind - 1, 0)], number, colour, rule


@shared
def combination_words(kind: str, number: int, colour: int, words: Words) -> str:
    return words(f"combination.{kind}", number=number, colour=colour_words(colour, words))
