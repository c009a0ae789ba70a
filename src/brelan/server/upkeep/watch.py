"""Looks after an open house: whether its database takes what is written, or answers at all, how late its event loop is,
whether it may open more files, what is told by the minute.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial

from sqlalchemy import Connection

from brelan.errors import Refusal
from brelan.server.ledger import logs, metrics
from brelan.server.store import Storage, Store
from brelan.server.store.upgrade import HEAD, revision, try_to_write
from brelan.server.upkeep import files
from brelan.server.upkeep.beat import EVERY, Beat
from brelan.server.upkeep.chores import Chore, again

LOOK = 0.25  # seconds between two looks at the event loop's own clock
MINUTE = 60.0
FRESH = 1.0  # seconds for which an answer about readiness is good
WAIT = 2.0  # seconds in which a house that is ready writes


class Watch:
    """One house's."""

    def __init__(self, store: Store, beat: Beat, clock: Callable[[], float] = time.monotonic) -> None:
        self.store, self.beat, self.clock = store, beat, clock
        self._tasks: list[asyncio.Task[None]] = []
        self._asking = asyncio.Lock()
        self._asked_at = -FRESH
        self._trouble: str | None = None

    def begin(self, *chores: Chore) -> None:
        """Look after the house from now on; the chores are done once a minute."""
        look: Chore = partial(asyncio.to_thread, files.look)  # there may be tens of thousands
        minutely = [again(MINUTE, chore) for chore in (logs.minute, look, *chores)]
        self._tasks = [asyncio.create_task(task) for task in (self._lag(), again(EVERY, self._goes_on), *minutely)]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def trouble(self) -> str | None:
        """Why the house cannot work now; None if it can: its database is of this version, and takes what is written."""
        async with self._asking:
            if self.clock() >= self._asked_at + FRESH:
                self._trouble = await self._tried()
                self._asked_at = self.clock()
        return self._trouble

    async def _goes_on(self) -> None:
        """See whether the database is silent, and whether one that took nothing does so again, though nobody plays."""
        if (silence := self.store.silence()) > WAIT:
            logs.often("storage", "storage.slow", seconds=round(silence, 1))
            metrics.TROUBLES.labels("slow").inc()
            self.beat.halts(self.beat.now() - silence)
        elif self.beat.halted and not await self.trouble():
            self.beat.goes_on(self.beat.now())

    async def _tried(self) -> str | None:
        try:
            async with asyncio.timeout(WAIT):
                await asyncio.wrap_future(self.store.submit(self._write))
        except TimeoutError:
            return "storage.slow"
        except Refusal as refusal:
            return refusal.key
        return None

    def _write(self, connection: Connection) -> None:
        """What every start writes, too: nothing is changed by it."""
        found = revision(connection)
        if found != HEAD:
            raise Storage("storage.newer", path=self.store.place.shown, given=found, known=HEAD)
        try_to_write(connection)

    async def _lag(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOK
            await asyncio.sleep(LOOK)
            for lag in lags(loop.time() - due):
                metrics.LAG.observe(lag)


def lags(late: float) -> list[float]:
    """By how much a look was late, and each that there should have been meanwhile: what stands still for long would
    else be seen no oftener than what does not. Of whole minutes one is told.
    """
    late = min(max(0.0, late), MINUTE)
    return [late - missed * LOOK for missed in range(int(late / LOOK) + 1)]
