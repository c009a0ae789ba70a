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
from ctypes import c_double
from dataclasses import asdict, fields
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from brelan import __version__
from brelan.build import build_id
from brelan.errors import Refusal
from brelan.server.house import House
from brelan.server.ledger import logs, metrics
from brelan.server.settings import Settings
from brelan.server.store.engine import Place

MOST = 64
"""Workers; each holds a handful of connections to the database."""

DEATHS = 10
"""Workers that may die within a minute, until the house gives up."""

MINUTE = 60.0
LOOK = 0.5  # seconds in which the end of the house is noticed
UP_WAIT = 60.0  # seconds that a new worker has to come up, on a machine that is busy
END_WAIT = 8.0  # seconds that workers have to end: their own grace for open requests, and a little more

_spawn = multiprocessing.get_context("spawn")


class Workers:
    """The workers of a house, and the process that looks after them."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        if settings.workers not in range(1, MOST + 1):
            raise Refusal("serve.no_workers", given=settings.workers, most=MOST)
        if Place.of(settings.place()).file:
            raise Refusal("serve.workers", given=settings.workers)
        self.settings, self.listener = settings, listener
        self.house = House.opened(settings)  # what can be refused is refused here, and upgraded once
        self.processes: list[SpawnProcess] = []
        self.deaths: list[float] = []
        self.base = _spawn.RawValue(c_double, time.time() - time.monotonic())  # of their time: one for all, however old
        self.ending = self.renewing = False
        self.at_terminal = at_terminal()
        self.shared: Path | None = None

    def run(self, shared: Path | None = None) -> None:
        """Until told to end, or until workers die too often. In the shared folder they count together."""
        self.shared = shared
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._told)
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # workers inherit it
            signal.signal(signal.SIGHUP, self._told_to_renew)
        try:
            self.processes = [self._started() for _ in range(self.settings.workers)]
            while not self.ending:
                self._look()
                if self.renewing:
                    self._renew()
        finally:
            self._end(self.processes)
            self.house.held.close()

    def _told(self, *_: object) -> None:
        self.ending = True

    def _told_to_renew(self, *_: object) -> None:
        """By whoever keeps the house, or by a terminal that is closed, which ends it, as it ends its workers."""
        if self.at_terminal and not at_terminal():
            self.ending = True
        else:
            self.renewing = True

    def _renew(self) -> None:
        """One worker after the other gives way to a new one that answers already: of the sources as they are now."""
        self.renewing = False
        for place in range(len(self.processes)):
            try:
                up = _spawn.Event()
                new = self._started(up)
            except OSError as error:
                logs.tell("worker_not_started", logging.ERROR, why=logs.why(error))
                return
            if not self._comes_up(new, up):
                self._end([new])
                return
            old, self.processes[place] = self.processes[place], new
            self._end([old])
            logs.tell("worker_ended", worker=old.pid)

    def _comes_up(self, new: SpawnProcess, up: Event) -> bool:
        """Whether a new worker answers in time, and the house does not end before. The others are looked after."""
        end = time.monotonic() + UP_WAIT
        while new.is_alive() and not up.is_set() and not self.ending and time.monotonic() < end:
            self._look()
        if not up.is_set() and not self.ending:
            logs.tell("worker_not_up", logging.ERROR, worker=new.pid)
        return up.is_set() and not self.ending

    def _look(self) -> None:
        """Wait a moment; whoever died in it is replaced."""
        wait([process.sentinel for process in self.processes], LOOK)
        # Of a terminal that has long gone no hangup comes: it is a wish again.
        self.at_terminal = self.at_terminal and (self.ending or at_terminal())
        self.processes = [self._living(process) for process in self.processes]

    def _started(self, up: Event | None = None) -> SpawnProcess:
        os.environ["PYTHONSAFEPATH"] = "1"  # it begins as `python -c`, and would run what lies where we happen to be
        given = asdict(self.settings), self.listener, up, self.base
        process = _spawn.Process(target=work, args=given, daemon=True)
        process.start()
        logs.tell("worker_started", worker=process.pid)
        return process

    def _living(self, process: SpawnProcess) -> SpawnProcess:
        """The process, or another in its place."""
        if process.is_alive() or self.ending:
            return process
        now = time.monotonic()
        self.deaths = [at for at in self.deaths if at > now - MINUTE] + [now]
        if len(self.deaths) > DEATHS:
            raise Refusal("serve.dying", n=len(self.deaths))
        logs.tell("worker_died", logging.WARNING, worker=process.pid, code=process.exitcode)
        self._buried(process)
        return self._follower(process)

    def _follower(self, dead: SpawnProcess) -> SpawnProcess:
        """Another in its place, as soon as the machine has room for one; none if the house ends before."""
        tries = 0
        while not self.ending:
            try:
                return self._started()
            except OSError as error:
                if tries % (MINUTE // LOOK) == 0:  # told at once, then once a minute
                    logs.tell("worker_not_started", logging.ERROR, why=logs.why(error))
            tries += 1
            time.sleep(LOOK)
        return dead

    def _end(self, processes: list[SpawnProcess]) -> None:
        """Ask them to end, and make those that do not."""
        end = time.monotonic() + END_WAIT
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(max(0.0, end - time.monotonic()))
            process.kill()
            process.join()
            self._buried(process)

    def _buried(self, process: SpawnProcess) -> None:
        """What a worker held open is open no longer, in the figures either."""
        if self.shared:
            metrics.gone(process.pid, self.shared)


def at_terminal() -> bool:
    """Whether there is a terminal, which may be closed."""
    with suppress(OSError):
        os.close(os.open("/dev/tty", os.O_RDWR))
        return True
    return False


def work(chosen: dict[str, Any], listener: socket.socket, up: Event | None, base: c_double | None) -> None:
    """One worker, until it is told to end or who started it is gone. `up` is set once it answers. The settings come by
    their names: whoever started it may be of an older version, which knows others.
    """
    from brelan.server.app import config, create_app
    from brelan.server.life import Server, politely

    settings = Settings(**{field.name: chosen[field.name] for field in fields(Settings) if field.name in chosen})
    build_id()  # now, and not with the first answer: by then the files may be those of another
    threading.Thread(target=_orphaned, daemon=True).start()
    with politely(), logs.written(settings.log):
        try:
            app = create_app(settings, House.joined(settings, base))
        except Refusal as refusal:
            logs.trouble("storage", refusal)
            raise SystemExit(2) from None
        logs.tell("worker_opened", version=__version__, build=build_id())
        Server(config(app), app.state.house, up).run([listener])


def _orphaned() -> None:
    """Nobody would start another, and the next house could not listen: end as well."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
