"""The clerk: enters every match that ends, and at the start of the house those that an earlier run could not."""

from __future__ import annotations

import asyncio
from typing import Any

from brelan.play.present import Present
from brelan.server.ledger import logs
from brelan.server.matches import results
from brelan.server.matches.results import Finished
from brelan.server.store import Store


class Clerk:
    """Works beside the tables, which wait for nothing here."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.closing = False
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        """Take up what was left."""
        self._start(self._catch_up())

    def enter(self, table: Present) -> None:
        """Enter the match that has just ended; if that fails, the next start does it, and the table goes on."""
        try:
            done = Finished.of(table)
        except Exception as error:
            logs.trouble("not_entered", error, match=table.sealed and table.sealed.match)
        else:
            self._start(self._enter(done))

    async def close(self) -> None:
        """Finish what is begun."""
        self.closing = True
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _enter(self, done: Finished) -> None:
        try:
            if not await asyncio.to_thread(results.enter, self.store, done):  # then as its events tell it now
                await asyncio.to_thread(results.enter_past, self.store, done.code, done.match)
        except Exception as error:
            logs.trouble("not_entered", error, match=done.match)

    async def _catch_up(self) -> None:
        try:
            for code, match in await asyncio.to_thread(results.missing, self.store):
                if self.closing:
                    return
                await asyncio.to_thread(results.enter_past, self.store, code, match)
        except Exception as error:
            logs.trouble("not_entered", error)
