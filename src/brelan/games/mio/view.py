"""What each seat of Mio may know, and how it is shown."""

from __future__ import annotations

from functools import cache

from brelan.cards import HIDDEN, SPECTATOR
from brelan.game import legal_moves
from brelan.games.mio import notation, rules
from brelan.games.mio.discards import laid_of
from brelan.games.mio.fits import CARDS, JOKER, KINDS, NAMED, STAR
from brelan.games.mio.rules import (
    BLOCKED,
    DECK,
    DRAW,
    DRAWING,
    MIO,
    OVER,
    PASS,
    SHUFFLE,
    State,
    asked,
    copies,
    fewest,
    layable,
    owned,
    points,
    top,
)
from brelan.scene import (
    Call,
    Card,
    Choice,
    Note,
    Outcome,
    Scene,
    Tally,
    Zone,
    ZoneKind,
    distinct,
    keyed,
    leading,
    members,
    shared,
)
from brelan.words import Said, Words

ENDINGS = (
    ("", ""),  # none has ended yet
    ("out", "M23"),
    ("doubled", "M17"),
    ("blocked", "M15"),
)
"""How a round ended, in the order of the rules' numbers: the sentence's name, and the rule that says what it costs."""

# ---------------------------------------------------------------- what a seat may know


def redact(s: State, seat: int) -> State:
    """The state as `seat` may know it: own cards, the discards, how many the others hold; all at the end."""
    v = s.copy()
    if s.phase == OVER:
        return v
    v.stock = [HIDDEN] * DECK
    for other in range(s.players):
        if not knows(s, seat, other):
            v.hand[other] = [0] * CARDS
            v.held[other] = 0
            v.aside[other] = HIDDEN
    if s.turn != seat:
        v.drawn = HIDDEN
    return v


def knows(s: State, seat: int, other: int) -> bool:
    """Whether `seat` sees the cards of `other`: its own, and everybody's once they have been counted."""
    return other == seat or s.phase == SHUFFLE or s.phase == OVER


def heard(move: int, seat: int, viewer: int) -> str:
    """What `viewer` hears of a move of `seat`: all of it, for a drawn card is not named."""
    return notation.move_text(move)


def zones(s: State) -> dict[str, list[int]]:
    """Every zone's cards (records.md), HIDDEN where a redacted state does not know them."""
    if s.phase != SHUFFLE:
        return table(s)
    return {name: [] for name in zone_names(s)} | {"stock": [c for c in range(CARDS) for _ in range(copies(s, c))]}


def zone_names(s: State) -> list[str]:
    hands = [f"hand:{seat}" for seat in range(s.players)]
    return ["stock", "discards", *hands, *(f"aside:{seat}" for seat in range(s.players))]


def table(s: State) -> dict[str, list[int]]:
    """The cards as they lie, also between two rounds, when the rules already count them to the stock."""
    if s.phase == SHUFFLE and not s.finished:
        return zones(s)
    found = {"stock": s.stock[s.next :], "discards": [min(lying, JOKER) for lying in s.discards[: s.laid]]}
    for seat in range(s.players):
        found[f"hand:{seat}"] = hand_of(s, seat)
        found[f"aside:{seat}"] = [s.aside[seat]] if s.penalty >> seat & 1 else []
    return found


def hand_of(s: State, seat: int) -> list[int]:
    """A hand, the known cards first."""
    held = s.hand[seat]
    hand = [card for card in range(CARDS) for _ in range(held[card])] if any(held) else []
    return hand + [HIDDEN] * (s.size[seat] - len(hand))


def sound(s: State) -> bool:
    """Whether what is counted twice is counted alike, the card just drawn is in its hand, and none holds too many."""
    lies = [min(lying, JOKER) for lying in s.discards[: s.laid]]
    return (
        s.laid > 0
        and sum(s.deck) == 10
        and all(laid_of(s, 1 << card) == lies.count(card) for card in range(CARDS))
        and all(s.held[seat] == sum(1 << card for card in range(CARDS) if s.hand[seat][card]) for seat in range(6))
        and all(sum(s.hand[seat]) <= s.size[seat] for seat in range(s.players))
        and (s.phase != DRAWING or (s.drawn >= 0 and s.hand[s.turn][s.drawn] > 0))
    )


# ---------------------------------------------------------------- why not


def why_not(s: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move which is not legal for `seat`."""
    if s.phase == OVER:
        return "M23"
    if s.phase == SHUFFLE:
        return "O-A5"
    if seat != s.turn:
        return "O-A1"
    if move == DRAW:
        return "M13"
    if move == PASS:
        return "O-M4" if s.next < DECK else "O-M5" if s.phase == DRAWING else "M14"
    return why_not_play(s, seat, move % MIO)


def why_not_play(s: State, seat: int, lying: int) -> str:
    """The same for a card, and then for how it is played, with MIO or without."""
    card = min(lying, JOKER)
    left = owned(s, seat) - 1
    if layable(s, seat) >> card & 1:
        if lying == JOKER and left:
            return "O-M6"
        return "M24" if lying > JOKER and not left else "O-M2"
    return why_not_card(s, seat, card)


def why_not_card(s: State, seat: int, card: int) -> str:
    """Why `seat`, whose turn it is, may not lay a card."""
    if s.penalty >> seat & 1 and s.phase != DRAWING:
        return penalty_rule(s)
    if not s.hand[seat][card]:
        return aside_rule(s, seat) if card == s.aside[seat] else "M1"
    if s.phase == DRAWING and card != s.drawn:
        return "M10"
    return fit_rule(top(s))


def fit_rule(lying: int) -> str:
    """The rule of what may be laid on a card."""
    if lying >= JOKER:
        return "M3" if lying == JOKER else "M5"
    return "M7" if lying % KINDS == STAR else "M4"


# ---------------------------------------------------------------- the scene


def tally(s: State) -> Tally:
    """How the last round ended."""
    reason, rule = ENDINGS[s.ended]
    return Tally(s.gain[: s.players], reason, {} if s.ended == BLOCKED else {"ender": s.ender}, rule)


def told(was: State, move: int) -> dict[str, Said]:
    """A move's own words say all."""
    return {}


def outcomes(was: State, now: State) -> list[Outcome]:
    """Who forgot MIO, or forgot it again, and who has the card back that was set aside for it."""
    forgot = [Outcome("forgot", "M18", seat) for seat in members(now.penalty & ~was.penalty)]
    stayed = [seat for seat in members(was.penalty & now.penalty) if was.turn == seat != now.turn]
    again = [Outcome("again", "M19", seat) for seat in stayed]
    rule = "M20" if now.passes > was.passes else "M19"
    return forgot + again + [Outcome("back", rule, seat) for seat in members(was.penalty & ~now.penalty)]


def scene(s: State, seat: int, words: Words) -> Scene:
    """The table as `seat` sees it; `s` is redacted for it."""
    mine = seat != SPECTATOR and bool(asked(s) >> seat & 1)
    zones = zones_of(s, words)
    choices = choices_of(s, seat, zones, words) if mine else []
    if mine:
        mark(s, seat, zones, choices, words)
    return Scene(
        game="mio",
        seat=seat,
        turn=[s.turn] if asked(s) else [],
        prompt=words(f"prompt.{prompt(s, seat)}"),
        zones=zones,
        choices=choices,
        notes=notes(s, seat, words),
        scores=s.total[: s.players],
        leaders=leading(fewest(s), s.players, s.phase == OVER),
        over=s.phase == OVER,
        call=Call("mio", words("move.mio")),
        rule=in_force(s),
    )


def in_force(s: State) -> str:
    """The paragraph that says what may be done now."""
    if s.phase in (SHUFFLE, OVER):
        return "M23" if s.phase == OVER else "M22"
    if s.phase == DRAWING:
        return "M10"
    return penalty_rule(s) if s.penalty >> s.turn & 1 else fit_rule(top(s))


def aside_rule(s: State, seat: int) -> str:
    """What keeps a card where it was set aside: to the last card of the stock, which may still be laid, it is M19."""
    return "M19" if layable(s, seat) else penalty_rule(s)


def penalty_rule(s: State) -> str:
    """What whoever forgot MIO must do: draw until a card is laid, or pass where nothing is left to draw."""
    return "M19" if s.next < DECK else "M20"


def prompt(s: State, seat: int) -> str:
    """Which sentence says what is asked of the viewer, or what the table waits for."""
    if s.phase == OVER:
        return "over"
    if s.phase == SHUFFLE:
        return "shuffle"
    if seat != s.turn:
        return "wait"
    if s.next == DECK:
        return "stuck" if not layable(s, seat) else "drawn_last" if s.phase == DRAWING else "play"
    if s.phase == DRAWING:
        return "drawn" if layable(s, seat) else "draw_on"
    return "penalty" if s.penalty >> seat & 1 else "play_or_draw" if layable(s, seat) else "draw"


def zones_of(s: State, words: Words) -> list[Zone]:
    """The two piles, then seat by seat what is set aside, what was just drawn, and the hand."""
    is_new = s.phase == SHUFFLE and not s.finished
    piles = [stock(DECK if is_new else DECK - s.next, words), discards(s, words)]
    seats = []
    for owner in range(s.players):
        hand = hand_of(s, owner)
        if s.penalty >> owner & 1:
            seats.append(place("aside", "row", owner, [s.aside[owner]], words))
        if s.phase == DRAWING and owner == s.turn:
            hand.remove(s.drawn)
            seats.append(place("drawn", "row", owner, [s.drawn], words))
        seats.append(place("hand", "fan", owner, hand, words))
    distinct(seats + piles)  # hands first: the copy that is laid keeps its key on the discards
    return piles + seats


@shared
def stock(count: int, words: Words) -> Zone:
    """The stock lies face down for everybody, even when all is known."""
    return Zone("stock", "pile", None, words("zone.stock"), count, cards_of("stock", [HIDDEN] * min(count, 1), words))


def discards(s: State, words: Words) -> Zone:
    """The discards show their top only; a joker counts as one, whatever colour was named."""
    top = [min(s.discards[s.laid - 1], JOKER)] if s.laid else []
    return Zone("discards", "pile", None, words("zone.discards"), s.laid, cards_of("discards", top, words))


def place(name: str, kind: ZoneKind, owner: int, cards: list[int], words: Words) -> Zone:
    """A place of one seat."""
    zone = f"{name}:{owner}"
    return Zone(zone, kind, owner, words(f"zone.{name}"), len(cards), cards_of(zone, cards, words))


def cards_of(zone: str, cards: list[int], words: Words) -> list[Card]:
    return keyed(zone, cards, notation.card_text, lambda card: card_words(card, words))


@cache
def card_words(card: int, words: Words) -> str:
    """The words for a card: blue 3, blue star, joker."""
    if card == HIDDEN:
        return words("card.hidden")
    if card == JOKER:
        return words("card.joker")
    colour = notation.COLOURS[card // KINDS]
    if card % KINDS == STAR:
        return words(f"star.{colour}")
    return words("card.name", colour=words(f"colour.{colour}"), value=card % KINDS + 1)


def choices_of(s: State, seat: int, zones: list[Zone], words: Words) -> list[Choice]:
    """What may be done now. Every card may be played with MIO and without, whether it is due or not: a table that
    offered MIO only when it is due would say it for the player (M18, O-M2).
    """
    moves = legal_moves(rules, s, seat)
    source = f"drawn:{seat}" if s.phase == DRAWING else f"hand:{seat}"
    found = []
    for lying in sorted({move % MIO for move in moves if move < DRAW}):
        face = notation.card_text(min(lying, JOKER))
        keys = [card.key for zone in zones if zone.id == source for card in zone.cards if card.face == face]
        found += [choice for key in keys for choice in plays(lying, key, words)]
    found.sort(key=lambda c: c.move.endswith(" mio"))  # a joker's colours in one row, and with MIO in the next
    if DRAW in moves:
        found.append(Choice("draw", words("move.draw"), target="stock"))
    if PASS in moves:
        found.append(Choice("pass", words("move.pass")))
    return found


@cache
def plays(lying: int, key: str, words: Words) -> list[Choice]:
    """One card, and one colour of a joker, played without MIO and with it."""
    name, brief = card_words(min(lying, JOKER), words), ""
    if lying >= NAMED:
        brief = words(f"colour.{notation.COLOURS[lying - NAMED]}")
        name = words("card.named", colour=brief)
    target = None if lying >= NAMED else "discards"
    silent = Choice(notation.move_text(lying), words("move.play", card=name), [key], target, brief=brief)
    return [silent, Choice(notation.move_text(lying + MIO), words("move.play_mio", card=name), [key])]


def mark(s: State, seat: int, zones: list[Zone], choices: list[Choice], words: Words) -> None:
    """The cards of `seat`, whose turn it is: bright if one may be played, else dim with the reason."""
    bright = {key for choice in choices for key in choice.cards}
    own = [(zone.id, card, card.face) for zone in zones if zone.owner == seat for card in zone.cards if card.face]
    shut_by = {f"hand:{seat}": "M10", f"aside:{seat}": aside_rule(s, seat)}  # also where the card drawn looks alike
    for zone, card, face in own:
        if card.key in bright:
            card.state = "bright"
        else:
            shut = shut_by.get(zone) if s.phase == DRAWING else None
            rule = shut or why_not_card(s, seat, notation.card_of(face))
            card.state, card.rule, card.why = "dim", rule, words(f"why.{rule}")


def notes(s: State, seat: int, words: Words) -> list[Note]:
    """What fits on the top, whether the stock is out, who forgot MIO, and the points of the hands that are seen.

    A card that lies aside when the round ends is counted, and nobody must draw for it any more (M21).
    """
    found = []
    if asked(s):
        found.append(top_note(top(s), s.next == DECK and s.phase != DRAWING, words))
        if s.next == DECK:
            found.append(Note(words("note.no_stock"), "M13", zone="discards"))  # beside what fits: both are read
    for other in range(s.players):
        if asked(s) and s.penalty >> other & 1:
            found.append(forgot_note(s, other, words))
        if owned(s, other) and knows(s, seat, other):
            found.append(Note(words("note.points", n=points(s, other)), "M23", other, f"hand:{other}"))
    return found


def forgot_note(s: State, other: int, words: Words) -> Note:
    """What whoever forgot MIO must do; once the last card is drawn, that depends on a card that others do not see."""
    if s.phase == DRAWING and other == s.turn and s.next == DECK:
        return Note(words("note.forgot"), "M19", other, f"aside:{other}")
    rule = penalty_rule(s)
    return Note(words(f"note.{rule}"), rule, other, f"aside:{other}")


@shared
def top_note(lying: int, dry: bool, words: Words) -> Note:
    """What may be laid on the top card; `dry`: nothing is drawn any more."""
    if lying == JOKER:
        return Note(words("note.any"), "M3", zone="discards")
    colour = words(f"colour.{notation.COLOURS[lying - NAMED if lying >= NAMED else lying // KINDS]}")
    if lying >= NAMED:
        return Note(words("note.named", colour=colour), "M5", zone="discards")
    if lying % KINDS == STAR:
        return Note(words("note.star_dry" if dry else "note.star", colour=colour), "M7", zone="discards")
    return Note(words("note.number", colour=colour, value=lying % KINDS + 1), "M4", zone="discards")
