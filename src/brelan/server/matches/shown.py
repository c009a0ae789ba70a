"""Matches that are over, shown again: to whose eyes, and how much at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import msgspec

from brelan.cards import SPECTATOR
from brelan.errors import Refusal, digits
from brelan.play.replay import OPEN, NotOver, Replay, Round
from brelan.play.seats import Event
from brelan.play.shown import TableShown, Viewer, table_shown
from brelan.server.store import Store, index

STEPS = 50
"""Steps that come with one answer: a few kilobytes, packed."""

VIEWERS = {"spectator": SPECTATOR, "open": OPEN}
"""Who may look besides the seats, who are named by their numbers."""

READER = ThreadPoolExecutor(1, "match")
"""Reads and plays whole matches again: half a second each where they are long. Those who wait for it wait for each
other, and nobody else waits with them. Two at a time would be no faster, and keep every table's next commit waiting.
"""

PROVER = ThreadPoolExecutor(1, "proofs")
"""Proves what was dealt at a table: its players' pages wait ten seconds for it, and must not wait for replays."""

T = TypeVar("T")


class MatchShown(msgspec.Struct):
    """A match that is over: its table at the end, its steps for `scenes`, whether a ladder has counted it, and when it
    was begun and over, in seconds since 1970.
    """

    match: str
    table: TableShown
    steps: int
    rounds: list[Round]
    rated: bool
    began_at: float
    over_at: float

    @classmethod
    def of(cls, match: str, replay: Replay, viewer: Viewer, rated: bool) -> MatchShown:
        everybody = {seat.person for seat in replay.table.seats}
        table, times = table_shown(replay.table, viewer, everybody), (replay.events[0].at, replay.end.at)
        return cls(match, table, len(replay.steps), replay.rounds(), rated, *times)


async def of_match(store: Store, match: str, ask: Callable[[Replay], T]) -> T:
    """What a match answers; a Refusal if there is no such match, or it is not over."""
    return await aside(lambda: ask(Replay(finished_events(store, match), match)))


async def aside(work: Callable[[], T], by: ThreadPoolExecutor = READER) -> T:
    """The work on a match, away from the tables' loop and from all that else is read."""
    return await asyncio.get_running_loop().run_in_executor(by, work)


def eyes(replay: Replay, given: str) -> int:
    """Whose eyes are asked for."""
    viewer = VIEWERS[given] if given in VIEWERS else digits(given)
    if viewer is None or viewer >= len(replay.table.seats):
        raise Refusal("replay.no_view")
    return viewer


def finished_events(store: Store, match: str) -> list[Event]:
    """What a finished match was made of, other matches of its table left out; one that is not over, or none at all, is
    refused unread.
    """
    with store.read() as connection:
        row = index.match(connection, match)
    if row is None:
        raise Refusal("replay.unknown", match=match)
    if row.over_at is None:
        raise NotOver("replay.before")
    return store.events_of(row.code, match)
