"""Who is at a table: over which lines here, and over which other workers."""

from __future__ import annotations

import asyncio
from collections.abc import Container
from typing import TYPE_CHECKING

from brelan.play.table import Table
from brelan.server.tables.connection import Connection

if TYPE_CHECKING:
    from brelan.server.tables.rooms import Rooms

TOGETHER = 0.5
"""Seconds in which whoever comes or goes is told of together; a full house that comes back is not shown one by one."""

NEWS = 0.05
"""Seconds by which a round trip has changed when the other workers are told of it again."""


class Presence:
    """Those who are at one table, and what viewers and other workers know of them."""

    def __init__(self, code: str, rooms: Rooms) -> None:
        self.code, self.rooms = code, rooms
        self.connections: set[Connection] = set()
        self.persons: dict[str, set[Connection]] = {}  # who is here -> over which lines
        self.away: dict[str, float] | None = None  # the table's, as it was heard here last; None before that
        self.left_at = 0.0  # when the last viewer went, by the loop's clock
        self.shown: set[str] = set()  # who is online, as the viewers know it
        self.show_at: float | None = None  # when they are shown others, by the loop's clock
        self.told: dict[str, float] = {}  # who is here over this worker, as the others know it

    def enter(self, connection: Connection) -> None:
        self.connections.add(connection)
        if connection.viewer.is_here:
            self.persons.setdefault(connection.viewer.person, set()).add(connection)

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        lines = self.persons.get(connection.viewer.person, set())
        lines.discard(connection)
        if not lines:
            self.persons.pop(connection.viewer.person, None)
        self.left_at = asyncio.get_running_loop().time()

    def online(self, table: Table) -> set[str]:
        """The host and the seated persons who are here, over whichever worker."""
        return _awaited(table, self.persons) | _awaited(table, self.rooms.others.people(self.code))

    def absent(self, table: Table) -> dict[str, float]:
        """Who is away, since when; before anybody was heard here, a host who never sat may have looked on: over another
        worker that holds the table, until now, or until this one began, if the table is older.
        """
        if self.away is not None:
            return self.away
        until = self.rooms.beat.now() if self.rooms.others.holds(self.code) else self.rooms.began
        return dict.fromkeys(table.away, until) if table.events[0].at < until else table.away

    def recalls(self, table: Table) -> bool:
        """Whether a host who never sat is still waited for: no event says that they were here."""
        since = (self.away or {}).get(table.host)
        waits = since is not None and self.rooms.beat.now() < since + table.customs.grace
        return waits and table.host not in table.who

    def trip(self, person: str) -> float | None:
        """The round trip to a person over the fastest line they have, in seconds; None if they are away."""
        lines = self.persons.get(person, ())
        elsewhere = self.rooms.others.people(self.code).get(person)
        return min((connection.trip for connection in lines), default=elsewhere)

    def notice(self, table: Table) -> bool:
        """Notice who has come or gone, and say whether it is time to show it: a moment after the first of them. Who is
        here twice is no news to viewers, but to the other workers: each knows only over which of them somebody is.
        """
        now = asyncio.get_running_loop().time()
        if self.online(table) == self.shown and _awaited(table, self.persons) == self.told.keys():
            self.show_at = None
            return False
        self.show_at = now + TOGETHER if self.show_at is None else self.show_at
        return now >= self.show_at

    def tell(self, table: Table) -> None:
        """Viewers are shown who is here from now on, other workers are told who is here over this one."""
        self.shown, self.show_at = self.online(table), None
        here, told = {person: self.trip(person) or 0.0 for person in _awaited(table, self.persons)}, self.told
        if here.keys() != told.keys() or any(abs(here[person] - told[person]) > NEWS for person in here):
            self.told = here
            self.rooms.tell(self.code, here)


def _awaited(table: Table, among: Container[str]) -> set[str]:
    """Those of these for whom the table waits: its host, and who has a seat there."""
    return {person for person in (table.host, *(seat.person for seat in table.seats)) if person in among}
