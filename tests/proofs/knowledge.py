"""Who may know which card: reckoned from where the cards lie, without what the games say of it themselves.

A viewer sees its own cards and what lies in open zones, and remembers both until the cards are shuffled again. Nothing
here calls `redact`, `imagine` or a scene: a fault in one of them cannot hide itself.
"""

from __future__ import annotations

from typing import Any

from brelan.cards import SPECTATOR
from brelan.errors import Unreadable
from brelan.game import Game
from brelan.games.hawaiki.state import HIDING
from brelan.play.seats import Event
from brelan.play.table import Table
from brelan.scene import members

OPEN: dict[str, tuple[str, ...]] = {
    "companeros": ("pot", "trick", "captured"),
    "elements": ("elements", "row", "points", "laid", "won"),
    "hawaiki": ("pile",),
    "gin": ("discards",),
    "mio": ("discards",),
}
"""The zones that lie open, or whose cards all came there face up."""

SECRET: dict[str, tuple[str, ...]] = {
    "companeros": (),
    "elements": ("place", "return"),
    "hawaiki": ("hide",),
    "gin": ("knock", "gin"),
    "mio": (),
}
"""The moves whose card goes face down: others hear that it goes, and where to."""

OWN = ("hand", "aside")
"""The zones of a seat that only its owner sees."""

Seen = dict[str, list[int]]
"""The cards of the zones that a viewer sees."""


def seen(table: Table, viewer: int) -> Seen:
    """The zones that a seat, or SPECTATOR, sees now, with their cards."""
    assert table.match
    found: Seen = {}
    zones = table.game.view.zones(table.match.state)
    for name, cards in zones.items():
        kind, _, owner = name.partition(":")
        if kind in OPEN[table.game.id] or (kind in OWN and owner == str(viewer)):
            found[name] = cards
        elif kind == "hand" and table.game.id == "hawaiki":
            found[name] = _openly_held(table.match.state, int(owner), cards)
    if table.game.id == "elements" and not zones["placed"]:
        found["turned"] = _turned_over(table)
    return found


def heard(game: Game, text: str, seat: int, viewer: int) -> str:
    """A move as the viewer hears it."""
    verb, *rest = text.split()
    if viewer == seat or verb not in SECRET[game.id]:
        return text
    return " ".join([verb, *("?" if is_card(game, part) else part for part in rest)])


def is_card(game: Game, text: str) -> bool:
    """Whether a word of a move names a card; the card that stands for a hidden one is none."""
    try:
        return game.notation.card_of(text) >= 0
    except Unreadable:
        return False


def _openly_held(s: Any, owner: int, cards: list[int]) -> list[int]:
    """Of a hand of Hawaiki with one hidden card, what lies open (H25): nothing before its owner has hidden one."""
    if not s.one_hidden or (s.phase == HIDING and s.hidden[owner] < 0):
        return []
    rest = cards[:]
    if s.hidden[owner] in rest:
        rest.remove(s.hidden[owner])
    return rest


def _turned_over(table: Table) -> list[int]:
    """The cards of Elements that were placed in this round and then turned over: zeros leave the table at once (E8)."""
    found: list[int] = []
    for event in reversed(table.events):
        if event.kind == "shuffle":
            break
        verb, *rest = str(event.data.get("move", "")).split() or [""]
        if verb == "place":
            found.append(table.game.notation.card_of(rest[0]))
    return found


def _drawn_last(table: Table, viewer: int) -> set[int]:
    """What a viewer sees of the hands in which a round of Hawaiki ended, its own and those that lie open (H25).

    The last move may have drawn for them, and the rules count all cards to the stock at once.
    """
    if table.game.id != "hawaiki" or not table.match:
        return set()
    hands = [list(members(hand[0])) for hand in table.match.state.hand]
    open_too = [_openly_held(table.match.state, seat, hands[seat]) for seat in range(table.match.players)]
    return {card for cards in [*open_too, hands[viewer] if viewer != SPECTATOR else []] for card in cards}


def ends_open(table: Table, event: Event) -> bool:
    """Whether this event, a round's last, lays the hands open: then nobody's cards are hidden until the next deal."""
    verb = str(event.data.get("move", "")).partition(" ")[0]
    if event.number not in table.tallied:
        return False
    return table.game.id == "mio" or (table.game.id == "gin" and verb in ("knock", "gin"))


class Memory:
    """The faces that a viewer has a right to know: of a face it does not know, no copy was ever shown to it."""

    def __init__(self, viewer: int) -> None:
        self.viewer = viewer
        self.known: set[int] = set()
        self.all = False  # whether everything is open
        self.place = 0  # how many events were heard

    def hear(self, table: Table) -> set[int]:
        """What it knew before the table's newest events, and knows after them; a shuffle makes it forget."""
        before = set(self.known)
        for event in table.events[self.place :]:
            if event.kind in ("header", "shuffle"):
                self.known, self.all = set(), False
            self.all = self.all or event.kind == "over" or ends_open(table, event)
            if event.kind == "move":  # what is played openly was seen by all, wherever it went at once
                said = heard(table.game, event.data["move"], event.data["seat"], self.viewer)
                self.known |= {table.game.notation.card_of(part) for part in said.split() if is_card(table.game, part)}
            if event.number in table.tallied:
                self.known |= _drawn_last(table, self.viewer)
        self.place = table.number
        if table.match:
            self.known |= {card for cards in seen(table, self.viewer).values() for card in cards}
        return before | self.known
