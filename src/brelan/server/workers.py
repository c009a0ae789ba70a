"""Several workers on one PostgreSQL: one process listens, starts them, replaces those that die, and ends them all.

Each worker is a house of its own on the same socket, the same database and the same signing key; whoever is connected
to one that dies comes back to another.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess

from brelan.errors import Refusal
from brelan.server.house import House
from brelan.server.settings import Settings

MOST = 64
"""Workers; each holds a handful of connections to the database."""

DEATHS = 10
"""Workers that may die within a minute, until the house gives up."""

MINUTE = 60.0
LOOK = 0.5  # seconds in which the end of the house is noticed
PATIENCE = 8.0  # seconds that workers have to end: their own grace for open requests, and a little more

log = logging.getLogger("brelan")

_spawn = multiprocessing.get_context("spawn")


class Workers:
    """The workers of a house, and the process that looks after them."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        if settings.workers not in range(1, MOST + 1):
            raise Refusal("serve.no_workers", given=settings.workers, most=MOST)
        if settings.file():
            raise Refusal("serve.workers", given=settings.workers)
        self.settings, self.listener = settings, listener
        self.house = House.opened(settings)  # what can be refused is refused here, and upgraded once
        self.processes: list[SpawnProcess] = []
        self.deaths: list[float] = []
        self.ending = False

    def run(self) -> None:
        """Until told to end, or until workers die too often."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._told)
        try:
            self.processes = [self._started() for _ in range(self.settings.workers)]
            while not self.ending:
                wait([process.sentinel for process in self.processes], LOOK)
                self.processes = [self._living(process) for process in self.processes]
        finally:
            self._end()
            self.house.locks.close()

    def _told(self, *_: object) -> None:
        self.ending = True

    def _started(self) -> SpawnProcess:
        process = _spawn.Process(target=work, args=(self.settings, self.listener), daemon=True)
        process.start()
        return process

    def _living(self, process: SpawnProcess) -> SpawnProcess:
        """The process, or another in its place."""
        if process.is_alive() or self.ending:
            return process
        now = time.monotonic()
        self.deaths = [at for at in self.deaths if at > now - MINUTE] + [now]
        if len(self.deaths) > DEATHS:
            raise Refusal("serve.dying", n=len(self.deaths))
        log.warning("worker %s ended (%s); another is started", process.pid, process.exitcode)
        return self._started()

    def _end(self) -> None:
        """Ask all to end, and make those that do not."""
        end = time.monotonic() + PATIENCE
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join(max(0.0, end - time.monotonic()))
            process.kill()
            process.join()


def work(settings: Settings, listener: socket.socket) -> None:
    """One worker, until it is told to end or who started it is gone."""
    import uvicorn

    from brelan.server.app import config, create_app

    threading.Thread(target=_orphaned, daemon=True).start()
    app = create_app(settings, House.joined(settings))
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config(app)).run([listener])


def _orphaned() -> None:
    """Nobody would start another, and the next house could not listen: end as well."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
