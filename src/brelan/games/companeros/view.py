"""What each seat of Compañeros may know, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from brelan.cards import HIDDEN, SPECTATOR, popcount
from brelan.game import legal_moves
from brelan.games.companeros import notation, rules
from brelan.games.companeros.rules import (
    COLOUR,
    OVER,
    PLAYING,
    SHUFFLE,
    TAKE,
    TAKING,
    TRICKS,
    State,
    asked,
    cards_in_play,
    counts,
    hand_size,
    leaders,
    strength,
    ties,
    worth,
)
from brelan.scene import Card, Choice, Note, Outcome, Scene, Tally, Zone, keyed, leading, members, shared
from brelan.words import Said, Words

# ---------------------------------------------------------------- what a seat may know


def redact(s: State, seat: int) -> State:
    """The state as `seat` may know it: all but the hands of the others.

    What was captured was taken face up, so it stays; the scene shows a count only (C15).
    """
    v = s.copy()
    for other in range(6):
        if other != seat:
            v.hand[other] = 0
    return v


def heard(move: int, seat: int, viewer: int) -> str:
    """What `viewer` hears of a move of `seat`: nothing is done in secret here."""
    return notation.move_text(move)


def zones(s: State) -> dict[str, list[int]]:
    """Every zone's cards (records.md), HIDDEN where a redacted state does not know them."""
    if s.phase == SHUFFLE:
        return {name: [] for name in table(s)} | {"stock": list(members(cards_in_play(s)))}
    return table(s)


def table(s: State) -> dict[str, list[int]]:
    """The cards as they lie, also between two rounds, when the rules already count them to the stock (O-C3)."""
    found = {"stock": [], "pot": list(members(s.pot)), "trick": list(members(s.trick))}
    dealt = s.finished > 0 or s.phase != SHUFFLE
    for seat in range(s.players):
        hand = list(members(s.hand[seat]))
        found[f"hand:{seat}"] = hand + [HIDDEN] * (hand_size(s, seat) - len(hand) if dealt else 0)
    return found | {f"captured:{seat}": list(members(s.captured[seat])) for seat in range(s.players)}


def sound(s: State) -> bool:
    """Whether the trick is what was played from its leader on, somebody may take, and no hand holds too many cards."""
    laid = s.players if s.phase == TAKING else (s.turn - s.leader) % s.players
    lies = [s.trick >> s.played[(s.leader + i) % s.players] & 1 for i in range(s.players)]
    return (
        s.finished < s.rounds
        and s.tricks < TRICKS
        and lies == [1] * laid + [0] * (s.players - laid)
        and popcount(s.trick) == laid
        and s.waiting >> s.players == 0
        and (s.phase != TAKING or (s.waiting >> s.turn & 1 == 1 and s.pot > 0))
        and all(popcount(s.hand[seat]) <= hand_size(s, seat) for seat in range(s.players))
    )


# ---------------------------------------------------------------- why not


def why_not(s: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move which is not legal for `seat`."""
    if s.phase in (SHUFFLE, OVER):
        return "O-C3" if s.phase == SHUFFLE else "C14"
    if seat != s.turn:
        return "C16" if s.phase == PLAYING else "C2"
    colour = move - TAKE if move >= TAKE else move // 10
    if not s.colours >> colour & 1:
        return "C11"
    if s.phase == PLAYING:
        return "C2" if move >= TAKE else "C7"
    return "C3" if move >= TAKE and s.trick >> 10 * colour & COLOUR else "C6"


# ---------------------------------------------------------------- the scene


def tally(s: State) -> Tally:
    """How the last round ended: who leads, or who won."""
    best = list(members(leaders(s)))
    values = {"seats": best, "n": len(best), "points": s.total[best[0]], "round": s.finished}
    reason, rule = ("match", "C12") if s.phase == OVER else ("round", "O-C2")
    return Tally(s.gain[: s.players], reason, values, rule)


def told(was: State, move: int) -> dict[str, Said]:
    """A move's own words say all."""
    return {}


def outcomes(was: State, now: State) -> list[Outcome]:
    """Who takes once all have played, in their order, or that nobody does; who waited for a pot that is empty now."""
    if was.phase == TAKING:
        late = list(members(was.waiting & ~(1 << was.turn))) if now.phase != TAKING else []
        return [Outcome("late", "C4", values={"seats": late})] if late else []
    if was.phase != PLAYING or (was.turn + 1) % was.players != was.leader:
        return []
    if now.phase != TAKING:
        return [Outcome("nobody", "C9")]
    order = sorted(members(now.waiting), key=lambda seat: -strength(now.trick, now.played[seat]))
    return [Outcome("takers", "C2", values={"seats": order})]


def scene(s: State, seat: int, words: Words) -> Scene:
    """The table as `seat` sees it; `s` is redacted for it."""
    return Scene(
        game="companeros",
        seat=seat,
        turn=list(members(asked(s))),
        prompt=prompt(s, seat, words),
        zones=zones_shown(s, seat, words),
        choices=choices_of(s, seat, words),
        notes=notes(s, words),
        scores=s.total[: s.players],
        leaders=leading(leaders(s), s.players, s.phase == OVER),
        over=s.phase == OVER,
        rule=IN_FORCE[s.phase],
    )


IN_FORCE = {SHUFFLE: "O-C3", PLAYING: "C7", TAKING: "C6", OVER: "C12"}
"""The paragraph that says what may be done in each phase."""


def prompt(s: State, seat: int, words: Words) -> str:
    """What is asked of the viewer, or what the table waits for."""
    if s.phase in (SHUFFLE, OVER):
        return words("prompt.over" if s.phase == OVER else "prompt.shuffle")
    if seat != s.turn:
        return words("prompt.wait")
    if s.phase == TAKING:
        return words("prompt.take")
    return words("prompt.play" if s.trick else "prompt.lead")


def colour_words(colour: int, words: Words) -> str:
    return words(f"colour.{notation.COLOURS[colour]}")


@cache
def card_words(card: int, words: Words) -> str:
    """The words for a card: blue 7."""
    if card == HIDDEN:
        return words("card.hidden")
    return words("card.name", colour=colour_words(card // 10, words), value=card % 10 + 1)


def cards_of(zone: str, cards: Iterable[int], words: Words) -> list[Card]:
    return keyed(zone, cards, notation.card_text, lambda card: card_words(card, words))


# ---------------------------------------------------------------- zones


def zones_shown(s: State, seat: int, words: Words) -> list[Zone]:
    """The pot in a row for each colour, then for each seat its card of the trick, its hand and what it captured."""
    if s.phase == SHUFFLE and not s.finished:
        stock = zones(s)["stock"]
        return [Zone("stock", "pile", None, words("zone.stock"), len(stock), cards_of("stock", [HIDDEN], words))]
    tied, takes, is_open = ties(s.trick), s.phase == TAKING and s.turn == seat, s.phase in (SHUFFLE, OVER)
    shown = [pot_row(colour, s.pot & COLOUR << 10 * colour, takes, words) for colour in members(s.colours)]
    for owner in range(s.players):
        card, won = s.played[owner], s.captured[owner]
        laid = s.trick & 1 << card
        shown += [
            trick_card(owner, laid, bool(laid and counts(s.trick, card, tied)), words),
            fan(owner, s.hand[owner], hand_size(s, owner), s.phase if owner == seat == s.turn else SHUFFLE, words),
            captured_row(owner, won, words) if is_open else captured_pile(owner, popcount(won), words),
        ]
    return shown


@shared
def pot_row(colour: int, cards: int, takes: bool, words: Words) -> Zone:
    """The pot's cards of one colour; bright for who may take them."""
    name = f"pot:{notation.COLOURS[colour]}"
    row = cards_of(name, members(cards), words)
    for card in row:
        card.state = "bright" if takes else ""
    return Zone(name, "row", None, words("zone.pot", colour=colour_words(colour, words)), len(row), row)


@shared
def trick_card(owner: int, laid: int, takes: bool, words: Words) -> Zone:
    """The card that a seat has in the trick; marked if it takes, as the trick stands."""
    cards = cards_of(f"trick:{owner}", members(laid), words)
    for card in cards:
        card.state = "marked" if takes else ""
    return Zone(f"trick:{owner}", "trick", owner, words("zone.trick"), len(cards), cards)


@shared
def fan(owner: int, known: int, size: int, asked_in: int, words: Words) -> Zone:
    """A hand; the viewer's own is bright when in this phase a card is asked for, dim when a colour is."""
    cards = cards_of(f"hand:{owner}", [*members(known), *[HIDDEN] * (size - popcount(known))], words)
    for card in cards if asked_in in (PLAYING, TAKING) else []:
        card.state = "bright" if asked_in == PLAYING else "dim"
        if asked_in == TAKING:
            card.why, card.rule = words("why.C6"), "C6"
    return Zone(f"hand:{owner}", "fan", owner, words("zone.hand"), len(cards), cards)


@shared
def captured_pile(owner: int, count: int, words: Words) -> Zone:
    """A pile face down, of which only the number is shown until the round has ended (C15)."""
    name = f"captured:{owner}"
    return Zone(name, "pile", owner, words("zone.captured"), count, cards_of(name, [HIDDEN] * count, words)[-1:])


@shared
def captured_row(owner: int, cards: int, words: Words) -> Zone:
    """The same laid open."""
    name = f"captured:{owner}"
    return Zone(name, "row", owner, words("zone.captured"), popcount(cards), cards_of(name, members(cards), words))


# ---------------------------------------------------------------- choices and notes


def choices_of(s: State, seat: int, words: Words) -> list[Choice]:
    """The legal moves; a colour is taken by tapping its row of the pot."""
    if seat == SPECTATOR:
        return []
    moves = legal_moves(rules, s, seat)
    return [play(move, seat, words) if move < TAKE else take(move, s.pot, words) for move in moves]


@cache
def play(move: int, seat: int, words: Words) -> Choice:
    """A card as the table offers it."""
    text = notation.move_text(move)
    return Choice(text, words("move.play", card=card_words(move, words)), [text.split()[1]], f"trick:{seat}")


def take(move: int, pot: int, words: Words) -> Choice:
    """A row of the pot as the table offers it."""
    text, said = notation.move_text(move), sum_words(pot, move - TAKE, words)
    return Choice(text, words("move.take", sum=said), [], f"pot:{text[-1]}", brief=said)


@shared
def sum_words(cards: int, colour: int, words: Words) -> str:
    """What a set holds of a colour: red 5 + 6 = 11. A line may end before a plus only."""
    values = [card % 10 + 1 for card in members(cards & COLOUR << 10 * colour)]
    total = " +\xa0".join(map(str, values)) + (f"\xa0=\xa0{sum(values)}" if len(values) > 1 else "")
    return words("note.sum", colour=colour_words(colour, words), total=total)


def notes(s: State, words: Words) -> list[Note]:
    """The sums of the trick, strongest first, a warning of a tie, and who takes in which order (C2)."""
    if s.trick:
        return [*trick_notes(s.trick, words), *places(s, words)]
    if s.phase == PLAYING and s.tricks:
        trick = 0
        for seat in range(s.players):
            trick |= 1 << s.played[seat]
        return last_trick(trick, words)
    return []


@shared
def trick_notes(trick: int, words: Words) -> list[Note]:
    """The sums of a trick, and the warning."""
    sums = [Note(sum_words(trick, colour, words), "C1") for colour in strongest(trick)]
    return sums + tie_note(trick, words)


def strongest(trick: int) -> list[int]:
    """The colours of a trick, strongest first."""
    played = [colour for colour in range(6) if worth(trick, colour)]
    return sorted(played, key=lambda colour: -worth(trick, colour))


def tie_note(trick: int, words: Words) -> list[Note]:
    """The highest sum that two colours share, which ends the count; none if there is none."""
    tied = ties(trick)
    if not tied:
        return []
    total = tied.bit_length() - 1
    colours = [colour_words(colour, words) for colour in range(6) if worth(trick, colour) == total]
    return [Note(words("note.tie", colours=words.listed(colours), total=total), "C2")]


def places(s: State, words: Words) -> list[Note]:
    """Beside each seat that takes, as the trick stands, its place in the order."""
    laid = [seat for seat in range(s.players) if s.trick >> s.played[seat] & 1]
    tied = ties(s.trick)
    takers = [seat for seat in laid if counts(s.trick, s.played[seat], tied)]
    takers.sort(key=lambda seat: -strength(s.trick, s.played[seat]))
    key = "note.place" if s.phase == TAKING else "note.would"
    return [Note(words(key, place=place), "C2", seat) for place, seat in enumerate(takers, 1)]


@shared
def last_trick(trick: int, words: Words) -> list[Note]:
    """The sums of the trick that has just been counted: where nobody takes, its cards are gone at once."""
    sums = ", ".join(sum_words(trick, colour, words) for colour in strongest(trick))
    return [Note(words("note.last", sums=sums), "C3"), *tie_note(trick, words)]
