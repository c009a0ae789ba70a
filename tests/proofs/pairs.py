"""Pairs of worlds in which a viewer must be sent the same, byte for byte: made at every moment of matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random

from brelan.cards import SPECTATOR
from brelan.play.table import Table
from brelan.server.tables.connection import Connection
from tests.proofs import sent
from tests.proofs.live import Live
from tests.proofs.worlds import Diverged, Past, imagined, veiled
from tests.tables import generator

TWINS = 2
"""Other worlds for each viewer at each moment."""

PASTS = 2
"""Other pasts for each viewer from each shuffle on."""

REFUSED, ASKED = 30, 60
"""Every so many pairs some moves are tried, and every so many of another past the house's addresses are asked."""

ANEW = 8
"""After so many moments a viewer's line begins anew, without a view before."""

MOVES = 8
"""So many moves are tried then; every so often all there are."""


class Leak(AssertionError):
    """A viewer was sent something else in another world."""


@dataclass(slots=True)
class Tally:
    """How many pairs were compared, by what made them and by the phase of the match."""

    pairs: Counter[str] = field(default_factory=Counter)
    phases: Counter[int] = field(default_factory=Counter)
    refusals: int = 0
    answers: int = 0
    bytes: int = 0

    @property
    def total(self) -> int:
        return sum(self.pairs.values())


def same(here: list[bytes], there: list[bytes], what: str, viewer: int, table: Table) -> None:
    """Refuse two lists of frames that differ, in number, length or any byte."""
    if here == there:
        return
    for mine, others in zip_longest(here, there, fillvalue=b""):
        place = next((i for i, (a, b) in enumerate(zip(mine, others, strict=False)) if a != b), None)
        if mine != others:
            at = max(0, (min(len(mine), len(others)) if place is None else place) - 60)
            shown = mine[at : at + 120].decode(errors="replace"), others[at : at + 120].decode(errors="replace")
            raise Leak(f"{table.game.id}, {what}, viewer {viewer}, event {table.number}: {shown[0]!r} – {shown[1]!r}")


class Pairs:
    """Compares what viewers are sent along one match; go on with `imagined` or `pasts`, which yield after each pair."""

    def __init__(self, live: Live, tally: Tally, web: sent.Addresses | None = None) -> None:
        self.live, self.tally, self.web = live, tally, web
        self.random, self.chance = generator(live.random.getrandbits(30)), Random(live.random.random())
        self.lines: dict[int, Connection] = {}

    # ------------------------------------------------------------ imagined

    def imagined(self, most: int) -> Iterator[None]:
        """At every moment, other worlds that the rules imagine for each viewer."""
        for number, table in enumerate(self.live.positions(most)):
            if table.match and not table.match.over:
                yield from self._imagined(table, number)

    def _imagined(self, table: Table, number: int) -> Iterator[None]:
        assert table.match
        language, online = sent.language_for(number // ANEW), self.live.online
        for viewer in sent.viewers(table):
            if number % ANEW == 0:
                self.lines.pop(viewer, None)
            line = self.lines.get(viewer) or sent.line(table, viewer, language)
            here = sent.shown(table, after := sent.again(line), online)
            for _ in range(TWINS):
                other = imagined(table, viewer, self.random, self.chance)
                if other.match.state == table.match.state:
                    continue
                same(here, sent.shown(other, sent.again(line), self._here(other)), "view", viewer, table)
                self._refusals(table, other, viewer, language)
                self._count("imagined", table, here)
                yield
            self.lines[viewer] = after

    def _here(self, table: Table) -> set[str]:
        return {seat.person for seat in table.seats if seat.kind == "person"}

    def _refusals(self, table: Table, other: Table, viewer: int, language: str) -> None:
        """Moves that may be played may be in both worlds, and the others are refused alike."""
        if viewer == SPECTATOR or self.tally.total % REFUSED:
            return
        assert table.match
        every, text = range(table.game.rules.ACTIONS), table.game.notation.move_text
        few = self.tally.total % (20 * REFUSED)
        moves = table.match.legal(viewer) + [
            text(move) for move in (self.chance.sample(every, MOVES) if few else every)
        ]
        here, there = (sent.refusals(world, viewer, language, moves, self.live.now) for world in (table, other))
        same(here, there, "refusal", viewer, table)
        self.tally.refusals += len(moves)

    def _count(self, kind: str, table: Table, here: list[bytes]) -> None:
        assert table.match
        self.tally.pairs[kind] += 1
        self.tally.phases[table.match.state.phase] += 1
        self.tally.bytes += sum(map(len, here))

    # ------------------------------------------------------------ another past

    def pasts(self, most: int) -> Iterator[None]:
        """The match again, beside others that began with other shuffles, as long as a viewer knows the same."""
        for _ in self.live.positions(most):
            pass
        events = self.live.table.events
        table, pasts = Table.rebuilt(bytes, events[:1]), list[Past]()
        for event in events[1:]:
            fresh = self._pasts(table, event) if event.kind == "shuffle" else []
            table._add(event)
            pasts = [past for past in pasts if followed(past, table, event)]
            pasts += [past for past in fresh if past.changed and same_for(past, table)]
            if table.match and not table.match.over:
                for past in pasts:
                    yield from self._compare(table, past)

    def _pasts(self, table: Table, event: object) -> list[Past]:
        swaps = self.chance.choice((1, 1, 2, 6))
        return [Past(table, event, viewer, swaps, self.chance) for viewer in sent.viewers(table) for _ in range(PASTS)]

    def _compare(self, table: Table, past: Past) -> Iterator[None]:
        assert table.match
        assert past.table.match
        if past.table.match.state == table.match.state:
            return
        viewer, language, online = past.viewer, sent.language_for(table.number), self._here(table)
        line = sent.line(table, viewer, language)
        here, there = (sent.shown(world, sent.again(line), online) for world in (table, past.table))
        same(here, there, "view after another past", viewer, table)
        self._refusals(table, past.table, viewer, language)
        if self.web and self.tally.pairs["past"] % ASKED == 0:
            other = veiled(past.table, viewer, self.chance)
            answers = [self.web.answers(world, viewer) for world in (table, other)]
            same(*answers, "address", viewer, table)
            self.tally.answers += len(answers[0])
        self._count("past", table, here)
        yield


def followed(past: Past, table: Table, event: object) -> bool:
    try:
        past.follow(table, event)
    except Diverged:
        return False
    return True


def same_for(past: Past, table: Table) -> bool:
    try:
        past.check(table)
    except Diverged:
        return False
    return True
