"""Who comes to a table by single requests: there until a while after the last one, and shown what a socket shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from brelan.play.messages import Asking, Hello, Message
from brelan.play.shown import View, Viewer
from brelan.play.table import Table
from brelan.play.told import Made
from brelan.server.store import Storage
from brelan.server.tables.connection import Connection
from brelan.server.tables.room import Room
from brelan.server.web.limits import TooMany

LINGER = 30.0  # seconds after its last request in which somebody counts as being there
WAIT = 25.0  # seconds that a request may wait for news; proxies give up after thirty or sixty
LONG = 20.0  # seconds: who waits for so long cannot ask often; a second's wait is asked again and again
WAITING = 8
"""Requests of one person that may wait at a table at a time."""


class Visit(Connection):
    """Somebody's presence at a table between two requests."""

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        self.seen = 0  # the newest number that was shown
        self.waiting_now = 0
        self.ends: asyncio.TimerHandle | None = None

    def show(self, table: Table, online: set[str], made: Made | None = None, now: float | None = None) -> None:
        """Whoever is between two requests looks by the next."""


class Question(Connection):
    """A single request that waits until it is answered."""

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(viewer)
        self.something = asyncio.Event()

    def stir(self) -> None:
        self.something.set()

    async def stirred(self) -> None:
        await self.something.wait()
        self.something.clear()


class Visits:
    """The visits of one house."""

    def __init__(self) -> None:
        self._here: dict[tuple[str, str, bool], Visit] = {}
        self._patient: set[asyncio.Timeout] = set()  # requests that wait for news
        self._ending = False

    def hurry(self) -> None:
        """The house ends: whoever waits for news, or is about to, is answered with what there is."""
        self._ending = True
        for patience in self._patient:
            if not patience.expired():
                patience.reschedule(0)

    def is_here(self, code: str, person: str) -> bool:
        """Whether somebody visits that table now, if only to look."""
        return any((code, person, is_here) in self._here for is_here in (True, False))

    def at(self, room: Room, viewer: Viewer) -> Visit:
        """The visit of that person at that table; from now on it lasts a while."""
        key = room.code, viewer.person, viewer.is_here
        visit = self._here.get(key)
        if visit is None or visit not in room.presence.connections:
            visit = self._here[key] = Visit(viewer)
            room.enter(visit)
        if visit.ends:
            visit.ends.cancel()
        visit.ends = asyncio.get_running_loop().call_later(LINGER, self._end, room, visit)
        return visit

    def _end(self, room: Room, visit: Visit) -> None:
        key = room.code, visit.viewer.person, visit.viewer.is_here
        if self._here.get(key) is visit:
            del self._here[key]
        room.leave(visit)

    async def look(self, room: Room, viewer: Viewer, since: int | None, wait: float) -> View:
        """The view of a table; with `since`, the first that is newer, or after `wait` seconds the one there is."""
        visit = self.at(room, viewer)
        if visit.waiting_now >= WAITING:
            raise TooMany(1)
        visit.waiting_now += 1
        line = Question(viewer)
        room.enter(line)
        try:
            await room.ask(line, Hello(since))
            view = await _next_view(line)
            with suppress(TimeoutError):
                async with self._patience(wait):
                    while since is not None and view.number <= since:
                        view = await _next_view(line)
        finally:
            visit.waiting_now -= 1
            room.leave(line)
        visit.seen = max(visit.seen, view.number)
        return view

    @asynccontextmanager
    async def _patience(self, wait: float) -> AsyncIterator[None]:
        """So long somebody waits; not at all once the house ends."""
        async with asyncio.timeout(0 if self._ending else wait) as patience:
            self._patient.add(patience)
            try:
                yield
            finally:
                self._patient.discard(patience)

    async def say(self, room: Room, viewer: Viewer, message: Message) -> dict[str, Any] | None:
        """What the table answers; None where it says nothing, as to a nonce."""
        self.at(room, viewer)
        line = Question(viewer)
        await room.ask(line, message)
        while not line.answers and isinstance(message, Asking):  # a claim is answered once it is decided
            await line.stirred()
        return line.answers[0] if line.answers else None


async def _next_view(line: Question) -> View:
    """The next view on a line; the table answers nothing else to who only looks, unless it cannot be read."""
    while True:
        await line.stirred()
        for frame in line.outgoing():
            if isinstance(frame, View):
                return frame
            if frame["type"] == "refused":
                raise Storage("table.unread")
