"""The scene: one description of a table for every face it has, and the tally of a round.

Browser, terminal, screen reader, replay and API draw the same plain data. It is made from a redacted state only, so
that nothing in it can say more than its viewer may know; no face of it knows a rule. A full house makes thousands a
second: so they are msgspec's structs, which are made and encoded fast and, as none holds itself, need no garbage
collector (`gc=False`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from brelan.cards import HIDDEN, SPECTATOR

shared = lru_cache(maxsize=500)
"""For a piece of a scene that hangs on few numbers only: it is made once, and is the same for all who look at it so.
Nobody changes one afterwards.
"""

LAID_OFF = -1
"""The group of cards that go with the melds of another hand."""

ZoneKind = Literal["fan", "pile", "heap", "row", "trick"]
"""Of a zone: a hand, what shows its top, what was won, what shows every card, what each has played."""


class Card(Struct, gc=False):
    """A card in a zone. `key` follows a known card from zone to zone; a hidden one's key only counts places."""

    key: str
    face: str | None  # its text (records.md), None while it lies face down
    alt: str  # the words for it: "blue 7"
    state: Literal["", "bright", "dim", "marked"] = ""  # may be played; may not; helps to see (a meld, the last play)
    why: str | None = None  # of a dim card: why it may not be played, in words
    rule: str | None = None  # and the id of the rule
    # Cards of one group (a meld) stand together, with a gap before the next; or LAID_OFF.
    group: Annotated[int, Meta(ge=LAID_OFF)] = 0


class Zone(Struct, gc=False):
    """A place on the table. Of a pile or a heap before a seat small screens show the count alone: what is to be seen
    lies in a row.
    """

    id: str  # as records.md names it
    kind: ZoneKind
    owner: int | None  # a seat
    caption: str
    count: int
    cards: list[Card]  # of a pile: only those worth showing, top last
    badge: str = ""  # what tells more at a glance than its count: an element's strength, the points of a heap


class Choice(Struct, gc=False):
    """A move that may be made or, with `why`, one that the table shows as shut.

    `cards` are the keys to pick for it, `target` the zone to tap for it; with neither it is a button.
    """

    move: str
    words: str
    cards: list[str] = []
    target: str | None = None
    confirm: bool = False  # cannot be taken back: small screens ask once more
    why: str | None = None
    rule: str | None = None
    brief: str = ""  # words that are enough once its cards are picked, or beside the name of whose zone is its target
    blind: bool = False  # looks as if it were open: to see that it is not is left to its player
    together: str = ""  # what it is called to make several such moves at once: they are made one after the other


class Call(Struct, gc=False):
    """A word that people say with a move, due or not: its button is there at every moment, and is no move itself."""

    word: str  # what it adds to the text of a move, after a space
    words: str


class Note(Struct, gc=False):
    """Something that helps and that its viewer may know: a running sum, a deadwood count."""

    words: str
    rule: str | None = None
    seat: int | None = None  # stands beside that seat
    zone: str | None = None  # stands beside that zone


@dataclass(slots=True)
class Tally:
    """How a round ended: the points each seat won in it, and why, as a sentence of the game's catalogue; all public."""

    points: list[int]
    reason: str
    values: dict[str, Any] = field(default_factory=dict)
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a move led to, as everybody saw: the sentence `outcome.<reason>` of the game's catalogue.

    Its values are public too: whole numbers, lists of seats, or a function of the Words that says them.
    """

    reason: str
    rule: str
    seat: int | None = None  # whom it speaks of
    values: dict[str, int | list[int] | Callable[[Any], str]] = field(default_factory=dict)


class Scene(Struct, gc=False):
    """What one viewer sees of a table, in the viewer's language."""

    game: str
    seat: Annotated[int, Meta(ge=SPECTATOR)]  # the viewer's, SPECTATOR for none
    turn: list[int]  # the seats that may act now
    prompt: str  # what is asked of the viewer, or what the table waits for
    zones: list[Zone]
    choices: list[Choice]
    notes: list[Note]
    scores: list[int]
    leaders: list[int]  # the seats that lead, or that won
    over: bool
    between: bool = False  # a round has ended, and its result is looked at: set by whoever holds the table
    call: Call | None = None
    rule: str | None = None  # the id of the paragraph in force


class Moved(Struct, gc=False):
    """A card that went from one zone to another: for animation, known or face down."""

    key: str  # its key in the scene after the move
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Places:
    """What is kept of a scene, to see in the next one what has moved: small, for every line keeps one."""

    known: dict[str, str]  # the keys of the cards whose faces are shown -> their zones
    counts: dict[str, int]  # of each zone


def members(cards: int) -> Iterator[int]:
    """The members of a set of cards or seats, ascending."""
    while cards:
        first = cards & -cards
        yield first.bit_length() - 1
        cards ^= first


def leading(best: int, players: int, over: bool) -> list[int]:
    """The seats that are best, or that won; nobody leads while all are level."""
    return list(members(best)) if over or best != (1 << players) - 1 else []


def keyed(zone: str, cards: Iterable[int], face: Any, alt: Any) -> list[Card]:
    """The cards of a zone with their keys; `face` and `alt` give a known card's text and words, `alt(HIDDEN)` the
    words for one that lies face down. Where a deck holds a card twice, `distinct` tells its copies apart afterwards.
    """
    lying = list(cards)
    if lying.count(HIDDEN) == len(lying):
        return covered(zone, len(lying), alt(HIDDEN))
    found = []
    for place, card in enumerate(lying):
        text = None if card == HIDDEN else face(card)
        found.append(Card(text or f"{zone}~{place}", text, alt(card)))
    return found


@shared
def covered(zone: str, count: int, alt: str) -> list[Card]:
    """So many cards face down."""
    return [Card(f"{zone}~{place}", None, alt) for place in range(count)]


def distinct(zones: list[Zone]) -> list[Zone]:
    """Number the copies of equal cards, in the order of the zones, so that every key stands once."""
    seen: dict[str, int] = {}
    for card in (c for z in zones for c in z.cards if c.face is not None):
        copy = seen[card.key] = seen.get(card.key, 0) + 1
        if copy > 1:
            card.key = f"{card.face}#{copy}"
    return zones


def laid(scene: Scene) -> list[Zone]:
    """The zones in which there is something to see, from the far side of the table to the viewer's own."""
    own = [zone for zone in scene.zones if zone.owner == scene.seat]
    others = [zone for zone in scene.zones if zone.owner != scene.seat]
    return [zone for zone in others + own if zone.count or zone.kind == "fan"]


def places(zones: list[Zone]) -> Places:
    """Where everything lies in a scene."""
    known = {card.key: zone.id for zone in zones for card in zone.cards if card.face}
    return Places(known, {zone.id: zone.count for zone in zones})


def moved(before: Places, after: Places) -> list[Moved]:
    """What went where between two scenes of one viewer, made from nothing but those two scenes.

    Known cards are followed by key; the others that left one zone are paired with those that came to another.
    """
    was, now = before.known, after.known
    moves = [Moved(key, was[key], zone) for key, zone in now.items() if was.get(key, zone) != zone]
    left, came = dict(before.counts), dict(after.counts)
    for move in moves:
        left[move.source] -= 1
        came[move.target] -= 1
    if left == came:
        return moves
    gone = [z for z, n in left.items() if n > (stay := came.get(z, 0)) for _ in range(n - stay)]
    for zone, n in came.items() if gone else ():
        if n > (had := left.get(zone, 0)):
            moves += _come(zone, n - had, gone, before, after)
    return moves


def _come(zone: str, cards: int, gone: list[str], before: Places, after: Places) -> Iterator[Moved]:
    """So many more cards in a zone, each out of the next zone of `gone`: those whose faces are new there come first."""
    fresh = [key for key, at in after.known.items() if at == zone and key not in before.known]
    for place in range(min(cards, len(gone))):
        hidden = f"{zone}~{after.counts[zone] - 1 - place}"
        yield Moved(fresh.pop(0) if fresh else hidden, gone.pop(0), zone)


def still(scene: Scene) -> Scene:
    """A scene to look at: no choices, and no card that offers itself or says why it may not be played."""
    zones = [replace(zone, cards=[at_rest(card) for card in zone.cards]) for zone in scene.zones]
    return replace(scene, zones=zones, choices=[], call=None)


def at_rest(card: Card) -> Card:
    """A card of such a scene: another one, since scenes share their pieces."""
    return replace(card, state="marked" if card.state == "marked" else "", why=None, rule=None)


def paused(scene: Scene, prompt: str) -> Scene:
    """A scene after a round's end, while its result is looked at: nobody is asked, even where they will be next."""
    return replace(still(scene), between=True, turn=[], prompt=prompt)
