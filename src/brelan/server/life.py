"""A house's process from its start to its end: what is told of it, its figures, and how it goes without harm."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import platform
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import product
from multiprocessing.synchronize import Event
from pathlib import Path

import uvicorn

from brelan import __version__
from brelan.build import build_id
from brelan.games import GAMES
from brelan.play.lesson import has_lesson, lesson
from brelan.server.house import House
from brelan.server.ledger import logs, metrics
from brelan.server.matches.statistics import promises
from brelan.server.store import Store
from brelan.words import LANGUAGES, spoken

COLLECTING = 5_000, 20, 20
"""When Python's garbage collector looks at the young objects, the older, and all (`gc.set_threshold`): seldom. Next to
nothing here is part of a reference cycle, and with many tables open a look at all stops the house for some tenths of a
second.
"""

SAY = 0.05
"""Seconds in which who was let in a moment before the end still says what it wants."""


LAST = 16.0
"""Seconds after which a house ends that was told to, whatever it still waits for: nothing of that was acknowledged, and
systemd would end it soon after without a word.
"""


class Server(uvicorn.Server):
    """Ends in order: nothing new is taken, requests that wait for news are answered with what there is, the others are
    finished, sockets are closed with 1012 (the house starts again), what was said is on disk. Clients come back by
    themselves.
    """

    def __init__(self, config: uvicorn.Config, house: House, up: Event | None = None) -> None:
        super().__init__(config)
        self.house, self.up = house, up

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for language, game in product(LANGUAGES, (None, *(game.id for game in GAMES))):
            spoken(language, game)  # later the catalogues may be those of another version, and the lessons
        for taught in filter(has_lesson, GAMES):
            lesson(taught.id)
        gc.freeze()  # what the start has made stays, and is not looked at again
        gc.set_threshold(*COLLECTING)
        metrics.INFO.labels(__version__, build_id()).set(1)
        if self.up:
            self.up.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        last = threading.Timer(LAST, _leave, [time.monotonic()])
        last.daemon = True
        last.start()
        self.house.visits.hurry()
        for server in self.servers:
            server.close()
        await asyncio.sleep(SAY)  # uvicorn would close a line on which nothing was said yet
        await super().shutdown(sockets)


def _leave(told: float) -> None:
    """End though something hangs: no thread that waits for a database that is silent can be ended otherwise."""
    logs.minute()
    logs.tell("stop", logging.WARNING, seconds=round(time.monotonic() - told, 1), hung=True)
    os._exit(1)


@contextmanager
def politely() -> Iterator[None]:
    """SIGTERM ends what runs here as Ctrl-C does, and is no fault; so does a terminal that is closed, unless it is to
    be outlived (nohup).
    """
    if threading.current_thread() is not threading.main_thread():  # no other gets signals
        yield
        return
    before = {signal.SIGTERM: signal.signal(signal.SIGTERM, signal.default_int_handler)}
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def looked_after(store: Store, form: str | None, port: int | None, shared: Path | None = None) -> Iterator[None]:
    """Tell of start and end; answer with the figures, if there is a port for them."""
    began = time.monotonic()
    with ExitStack() as ends:
        ends.enter_context(logs.written(form))
        if port is not None:
            port = ends.enter_context(metrics.answered(port, metrics.Inquiry(partial(unopened, store)), shared))
        logs.tell(
            "start",
            version=__version__,
            build=build_id(),
            python=platform.python_version(),
            database=store.engine.dialect.name,
            metrics=port,
        )
        try:
            yield
        finally:
            logs.tell("stop", seconds=round(time.monotonic() - began, 1))


def unopened(store: Store) -> dict[str, int]:
    """The matches whose secrets are not open: those that are played; those that have stood still for a day, and apart
    such of one person alone, of which anybody can begin as many as they like.
    """
    counted = promises(store, time.time())
    return {"live": counted.playing, "alone": counted.alone, "old": counted.unopened}
