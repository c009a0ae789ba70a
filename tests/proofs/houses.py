"""Houses in processes of their own that can be killed, and the tables that stand in them."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from brelan.games import find
from brelan.play.messages import Bot, Sit, Start
from brelan.play.table import Table
from brelan.server.house import House
from brelan.server.people.identity import GUEST
from brelan.server.settings import Settings
from brelan.server.tables.summary import summary_of
from tests.proofs.live import NAMES

START_WAIT = 60.0
"""Seconds in which a house must be open, on a machine that has much else to do."""

SCRIPT = """
import sys
from pathlib import Path

from brelan.server.app import Settings, serve
{fault}
if __name__ == "__main__":
    folder, database, workers = sys.argv[1:]
    settings = Settings(
        port=0,
        data=Path(folder),
        database=database or None,
        workers=int(workers),
        bots="novice",
        bot_pause=(0.0, 0.02),
    )
    serve(settings, lambda address: print(address, flush=True))
"""
"""`brelan serve` with bots that do not think long."""

HASTY = """
import threading
from concurrent.futures import Future
from brelan.server.store import Store
append = Store.append

def hasty(self, *what):
    done = Future()
    done.set_result(None)
    threading.Timer(0.5, append, (self, *what)).start()
    return done

Store.append = hasty
"""
"""The fault of a house that tells its guests before the disk has it."""

KINDS = (("gin", 2, 2), ("companeros", 3, 3), ("elements", 3, 2), ("hawaiki", 3, 3), ("mio", 4, 2), ("gin", 2, 1))
"""The tables of a house: game, seats, and how many of them are persons'; bots sit in the others."""


@dataclass(frozen=True)
class Sitting:
    """A table and its guests: for each, who they are and the cookie that says so."""

    code: str
    game: str
    guests: tuple[tuple[str, str], ...]  # person, cookie


def furnished(settings: Settings, kinds: tuple[tuple[str, int, int], ...]) -> list[Sitting]:
    """New tables in the house's database, seated and started; nobody else may use it meanwhile."""
    house = House.opened(settings)
    try:
        return [_table(house, *kind) for kind in kinds]
    finally:
        asyncio.run(house.close())


def _table(house: House, game: str, seats: int, persons: int) -> Sitting:
    now, code = time.time(), secrets.token_hex(4)
    people = [secrets.token_hex(16) for _ in range(persons)]
    table = Table.made(secrets.token_bytes, code, game, seats, people[0], now, options=shortest(game))
    for seat, who in enumerate(people):
        table.receive(who, Sit(f"sit {seat}", seat, NAMES[seat]), now)
    for seat in range(persons, seats):
        table.receive(people[0], Bot(f"bot {seat}", seat, "novice"), now)
    table.receive(people[0], Start("start"), now)
    house.store.append(code, table.events, summary_of(table)).result()
    names = zip(people, NAMES, strict=False)
    return Sitting(code, game, tuple((who, _cookie(house, who, name)) for who, name in names))


def _cookie(house: House, person: str, name: str) -> str:
    return f"{GUEST}={house.identity._guests.dumps([person, name])}"


def shortest(game: str) -> dict[str, int]:
    """Options with which a match is neither over at once nor hardly ever."""
    return {"target": 200} if "target" in {option.name for option in find(game).options} else {}


class Running:
    """A house in a process of its own; `crash` names the point where it dies by itself, and the passage."""

    def __init__(self, settings: Settings, crash: str = "", fault: str = "") -> None:
        environment = os.environ | {"BRELAN_CRASH": crash, "PYTHONPATH": os.pathsep.join(sys.path)}
        asked = [str(settings.data), settings.database or "", str(settings.workers)]
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT.format(fault=fault), *asked],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip().rstrip("/")
        self.started = time.monotonic() - self.began
        if not self.address:
            raise RuntimeError(f"the house did not open: {self.process.stderr and self.process.stderr.read()}")

    def alive(self) -> bool:
        return self.process.poll() is None

    def workers(self) -> list[int]:
        """The processes that answer: its workers, or itself."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        pids = [int(pid) for pid in children.read_text().split()] if children.exists() else []
        return [pid for pid in pids if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]

    def kill(self, pids: list[int] | None = None) -> None:
        """End processes as a power cut would: the house with all its workers, or some of them."""
        for pid in [self.process.pid, *self.workers()] if pids is None else pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if pids is None:
            self.wait()

    def wait(self) -> None:
        self.process.wait(START_WAIT)
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
