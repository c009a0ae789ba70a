"""Worlds that a viewer must not be able to tell apart.

*Imagined*: the table as it stands, with all that the viewer may not know drawn anew: the hidden cards as the rules
re-deal them, the parts of moves that it did not hear, every shuffle, the secret, the others' nonces, keys and names
in the house.

*Another past*: the same match after a shuffle in which some cards lay elsewhere. Every seat says the same aloud; as
long as the viewer has seen the same cards in the same places (`knowledge.py`) it knows the same.
"""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from hashlib import sha512
from random import Random
from typing import Any
from unittest.mock import patch

from brelan.cards import SPECTATOR
from brelan.errors import Refusal
from brelan.games import find
from brelan.play.seats import Event
from brelan.play.table import Table
from tests.proofs.knowledge import ends_open, heard, seen
from tests.proofs.live import person


@contextmanager
def sealed_alike() -> Iterator[None]:
    """Commitments, salts and leaves are made of what they hide, and tell nothing about it: here they are all alike."""
    with (
        patch("brelan.play.seats.commitment", lambda _secret, match: f"commitment of {match}"),
        patch("brelan.play.leaves.keyed", lambda _key: lambda place: sha512(bytes([place])).digest()),
        patch("brelan.play.leaves.leaf", lambda _salt, number, place, _card: sha512(bytes([number, place])).digest()),
    ):
        yield


def fork(table: Table) -> Table:
    """A table of its own, that has the same past."""
    shared = {id(thing): thing for thing in (table.game, table.draw, *table.events)}
    return copy.deepcopy(table, shared)


# ---------------------------------------------------------------- imagined

RECENT = 16
"""So many events back, at least, everything unheard is drawn anew: more than a view tells of."""


def imagined(table: Table, viewer: int, random: list[int], chance: Random) -> Table:
    """The same table for `viewer`, a seat or SPECTATOR, in another world."""
    assert table.match
    other, match = copy.copy(table), copy.copy(table.match)
    state = match.state.copy()
    for seat in range(match.players) if viewer == SPECTATOR else (viewer,):
        table.game.rules.imagine(state, seat, random)
    other.match, match.state = match, state
    other.events = table.events[:-RECENT] + [_unheard(e, table, viewer, chance) for e in table.events[-RECENT:]]
    other.claims = [claim for claim in table.claims if claim.seat == viewer]
    return veiled(other, viewer, chance)


def _unheard(event: Event, table: Table, viewer: int, chance: Random) -> Event:
    """An event with the cards that the viewer did not hear of it drawn anew."""
    data = dict(event.data)
    if event.kind == "shuffle":
        data["shuffle"] = chance.sample(data["shuffle"], len(data["shuffle"]))
    elif event.kind == "move":
        said = heard(table.game, data["move"], data["seat"], viewer)
        data["move"] = chance.choice(alike(table.game.id, data["seat"], viewer)[said])
    else:
        return event
    return replace(event, data=data)


@cache
def alike(game_id: str, seat: int, viewer: int) -> dict[str, list[str]]:
    """Which moves of a seat sound the same to the viewer."""
    game, found = find(game_id), dict[str, list[str]]()
    for text in map(game.notation.move_text, range(game.rules.ACTIONS)):
        found.setdefault(heard(game, text, seat, viewer), []).append(text)
    return found


def veiled(table: Table, viewer: int, chance: Random) -> Table:
    """The table with another secret, other nonces, and other names of the others in the house's books."""
    other, mine = copy.copy(table), table.seats[viewer].person if viewer != SPECTATOR else ""
    salt = chance.getrandbits(64)

    @cache
    def rename(name: str) -> str:
        return name if name in ("", mine) or ":" in name else f"{Random(f'{name} {salt}').getrandbits(128):032x}"

    def veil(event: Event) -> Event:
        data = event.data
        if event.kind == "started":
            data = data | {"secret": chance.randbytes(64).hex()}
        elif event.kind == "nonce" and data["seat"] != viewer:
            data = data | {"nonce": chance.randbytes(16).hex()}
        return replace(event, person=rename(event.person), key=event.key if event.person == mine else "", data=data)

    other.events = [veil(event) for event in table.events]
    other.seats = [replace(seat, person=rename(seat.person)) for seat in table.seats]
    other.who = {rename(person): number for person, number in table.who.items()}
    other.host = rename(table.host)
    other.sealed = table.sealed and replace(table.sealed, secret=chance.randbytes(64))
    return other


# ---------------------------------------------------------------- another past


class Diverged(Exception):
    """The viewer can tell the two pasts apart, by right."""


class Past:
    """A table whose last shuffle had some cards in other places, and which went the same way since."""

    def __init__(self, table: Table, shuffle: Event, viewer: int, swaps: int, chance: Random) -> None:
        """`table` is as it was before that shuffle."""
        self.viewer, self.chance = viewer, chance
        self.table = fork(table)
        order = list(shuffle.data["shuffle"])
        for _ in range(swaps):
            i, j = chance.randrange(len(order)), chance.randrange(len(order))
            order[i], order[j] = order[j], order[i]
        self.moved = [(old, new) for old, new in zip(shuffle.data["shuffle"], order, strict=True) if old != new]
        self.changed = bool(self.moved)
        self.table._add(replace(shuffle, data=shuffle.data | {"shuffle": order}))

    def follow(self, table: Table, event: Event) -> None:
        """Let happen what has just happened at the true table; Diverged if the viewer sees a difference by right."""
        assert self.table.match
        try:
            self.table._add(replace(event, data=self._data(event)))
        except Refusal as refusal:
            raise Diverged from refusal
        if event.kind == "over" or ends_open(table, event) or self._seen(self.table) != self._seen(table):
            raise Diverged

    def check(self, table: Table) -> None:
        """Diverged if the viewer sees what differs already now, its own cards' places among it: they are proven."""
        if self._seen(self.table) != self._seen(table):
            raise Diverged
        zones = zones_of(table)
        if any(zones[old] & zones[new] - {"stock"} for old, new in self.moved):
            raise Diverged

    def _data(self, event: Event) -> dict[str, Any]:
        match = self.table.match
        assert match
        if event.kind == "shuffle":
            return event.data | {"shuffle": _again(event.data["shuffle"], match.due())}
        if event.kind != "move":
            return event.data
        game, seat, text = self.table.game, event.data["seat"], event.data["move"]
        said = heard(game, text, seat, self.viewer)
        may = [move for move in match.legal(seat) if heard(game, move, seat, self.viewer) == said]
        if not may:
            raise Diverged
        return event.data | {"move": text if text in may else self.chance.choice(may)}

    def _seen(self, table: Table) -> tuple[Any, ...]:
        match = table.match
        assert match
        return seen(table, self.viewer), match.asked(), match.scores, match.tallies, match.over


def zones_of(table: Table) -> dict[str, set[str]]:
    """In which zones the copies of each card lie."""
    assert table.match
    text, found = table.game.notation.card_text, defaultdict[str, set[str]](set)
    for zone, cards in table.game.view.zones(table.match.state).items():
        for card in cards:
            found[text(card)].add(zone)
    return found


def _again(order: list[str], due: list[str]) -> list[str]:
    """A shuffle of the true table with the cards that are due in the other."""
    missing = list((Counter(due) - Counter(order)).elements())
    surplus = Counter(order) - Counter(due)
    found = []
    for card in order:
        if surplus[card] > 0:
            surplus[card] -= 1
            card = missing.pop()
        found.append(card)
    if sorted(found) != due:
        raise Diverged
    return found


def viewer_person(viewer: int) -> str:
    """Who looks from that seat; a guest without one for SPECTATOR."""
    return person(99) if viewer == SPECTATOR else person(viewer)
