"""How the house bears many: `make bench-server`, or `python -m bench.server saturated` for one of the figures.

A real `brelan serve` on the first core, its clients on the last, over loopback, synced to disk at every commit. The
tables are made before: four persons each, a match begun, the games by turns. Each figure is printed with the load of
the machine beside it; every run is bounded and ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import secrets
import signal
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import msgspec
from tqdm import tqdm

from bench.lines import Line, handshake
from bench.past import SEATS, person, prepared
from brelan.served import Served, resident
from brelan.server.people.identity import GUEST, Guest, Identity, signing_key

TABLES = 500
SECONDS = 20.0
SPECTATORS = 1_000
CONNECTIONS = 5_000
KILLS = 10
EVENTS = 1_000_000
CORES = sorted(os.sched_getaffinity(0))


# ---------------------------------------------------------------- what a client must read of a view


class Choice(msgspec.Struct):
    move: str
    why: object = None


class Scene(msgspec.Struct):
    seat: int | None
    turn: list[int]
    choices: list[Choice]


class TableSeen(msgspec.Struct):
    seat: int | None
    waits_for: list[int]
    status: str


class Frame(msgspec.Struct):
    type: str
    number: int = 0
    key: str = ""
    table: TableSeen | None = None
    scene: Scene | None = None
    error: str = ""


_frame = msgspec.json.Decoder(Frame)


# ---------------------------------------------------------------- the house and its guests


class House(Served):
    """A house in a process of its own, on the first core."""

    def __init__(self, data: Path) -> None:
        super().__init__(data, preexec_fn=lambda: os.sched_setaffinity(0, CORES[:1]))
        where = urlsplit(self.address)
        self.host, self.port = where.hostname or "", where.port or 0
        self.identity = Identity(signing_key(data))

    def resident(self) -> float:
        """Kibibytes of memory that the process holds."""
        return resident(self.process.pid)

    def spent(self) -> float:
        """Seconds of a processor that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def line(self, path: str, guest: str, heard: Callable[[Line, bytes], None]) -> Line:
        cookie = f"{GUEST}={self.identity.cookie(Guest(guest, 'Bench'))}"
        loop = asyncio.get_running_loop()
        made = lambda: Line(handshake(self.host, self.port, path, cookie), heard)  # noqa: E731
        _, line = await loop.create_connection(made, self.host, self.port)
        await line.open
        return line


class Player:
    """One seat's client: it moves by chance, `pause` seconds after it is asked, on the newest view; never does it say
    something before the last was answered. Where several seats are asked, another may be faster: that is `late`.
    """

    def __init__(self, waits: list[float], pause: Callable[[], float]) -> None:
        self.waits, self.pause = waits, pause
        self.sent: dict[str, float] = {}
        self.moved: dict[int, float] = {}  # when it answered the view of that number
        self.refused: list[str] = []
        self.late = 0
        self.newest = Frame("view")
        self.is_busy = False  # whether it thinks, or waits for an answer
        self.views = 0

    def heard(self, line: Line, text: bytes) -> None:
        frame = _frame.decode(text)
        if frame.type == "view":
            self.views += 1
            self.newest = frame
        elif frame.key in self.sent:
            self._answered(frame)
        if not self.is_busy:
            self._look(line)

    def _answered(self, frame: Frame) -> None:
        waited = time.perf_counter() - self.sent.pop(frame.key)
        if frame.type == "ack":
            self.waits.append(waited)
            self.newest = Frame("view")  # the one that follows
        elif frame.error == "late":
            self.late += 1
        else:
            self.refused.append(frame.error)
        self.is_busy = False

    def _look(self, line: Line) -> None:
        table = self.newest.table
        if table and table.seat in table.waits_for:
            self._say(line, type="next")
        elif self._moves():
            self.is_busy = True
            asyncio.get_running_loop().call_later(self.pause(), self._move, line)

    def _moves(self) -> list[str]:
        scene = self.newest.scene
        asked = scene and scene.seat in scene.turn
        return [choice.move for choice in scene.choices if not choice.why] if scene and asked else []

    def _move(self, line: Line) -> None:
        self.is_busy, moves, seen = False, self._moves(), self.newest.number
        if moves and not line.transport.is_closing():
            self.moved[seen] = time.perf_counter()
            self._say(line, type="move", seen=seen, move=moves[secrets.randbelow(len(moves))])

    def _say(self, line: Line, **message: object) -> None:
        key = secrets.token_hex(8)
        self.sent[key], self.is_busy = time.perf_counter(), True
        line.say(msgspec.json.encode({**message, "key": key}))


@contextmanager
def house(tables: int, events: int = 0) -> Iterator[tuple[House, list[str]]]:
    """A house with so many running tables, and so many events of older ones; their codes."""
    with tempfile.TemporaryDirectory() as folder:
        codes = prepared(Path(folder), tables, events)
        open_house = House(Path(folder))
        try:
            yield open_house, codes
        finally:
            open_house.end()


async def seated(open_house: House, codes: list[str], pause: Callable[[], float], waits: list[float]) -> list[Player]:
    """A client on every seat of every table."""
    players = []
    for place, code in enumerate(codes):
        for seat in range(SEATS):
            player = Player(waits, pause)
            line = await open_house.line(f"/t/{code}/socket", person(place, seat), player.heard)
            line.say(b'{"type":"hello","since":null}')
            players.append(player)
    return players


# ---------------------------------------------------------------- the figures


async def paced() -> dict[str, float]:
    """Every table plays a move a second."""
    waits: list[float] = []
    with house(TABLES) as (open_house, codes):
        before = open_house.resident()
        players = await seated(open_house, codes, lambda: 0.5 + secrets.randbelow(1000) / 1000, waits)
        await asyncio.sleep(3)
        waits.clear()
        spent = open_house.spent()
        await asyncio.sleep(SECONDS)
        spent = open_house.spent() - spent
        memory = (open_house.resident() - before) / len(players)
    return {
        "moves/s": len(waits) / SECONDS,
        "median ms": 1000 * median(waits),
        "p99 ms": 1000 * percentile(waits, 0.99),
        "ms of a processor a move": 1000 * spent / len(waits),
        "late": sum(player.late for player in players),
        "refused": sum(len(player.refused) for player in players),
        "KB a seat, table included": memory,
    }


async def saturated() -> dict[str, float]:
    """Every table plays as fast as it is answered."""
    waits: list[float] = []
    with house(100) as (open_house, codes):
        await seated(open_house, codes, lambda: 0.0, waits)
        await asyncio.sleep(1)
        waits.clear()
        spent = open_house.spent()
        await asyncio.sleep(SECONDS / 2)
        spent = open_house.spent() - spent
    return {
        "moves/s": len(waits) / (SECONDS / 2),
        "p99 ms": 1000 * percentile(waits, 0.99),
        "ms of a processor a move": 1000 * spent / len(waits),
    }


async def watched() -> dict[str, float]:
    """One table under many eyes: from the move to the last of the eyes."""
    seen: dict[int, list[float]] = {}

    def look(_: Line, text: bytes) -> None:
        frame = _frame.decode(text)
        if frame.type == "view":
            seen.setdefault(frame.number, []).append(time.perf_counter())

    waits: list[float] = []
    with house(1) as (open_house, codes):
        before = open_house.resident()
        for _ in range(SPECTATORS):
            line = await open_house.line(f"/t/{codes[0]}/socket", secrets.token_hex(16), look)
            line.say(b'{"type":"hello","since":null}')
        await asyncio.sleep(1)
        memory = (open_house.resident() - before) / SPECTATORS
        seen.clear()
        players = await seated(open_house, codes, lambda: 1.0, waits)
        await asyncio.sleep(SECONDS)
    sent = {number: at for player in players for number, at in player.moved.items()}
    late = [at - sent[number - 1] for number, times in seen.items() if number - 1 in sent for at in times]
    return {"views": len(late), "p99 ms": 1000 * percentile(late, 0.99), "KB a socket": memory}


async def stormed() -> dict[str, float]:
    """Many come at once."""
    failed = 0
    with house(TABLES) as (open_house, codes):
        first: list[float] = []

        async def come(number: int, code: str) -> None:
            nonlocal failed
            await asyncio.sleep(10 * number / CONNECTIONS)
            began, seen = time.perf_counter(), asyncio.get_running_loop().create_future()
            try:
                heard = lambda _, __: None if seen.done() else seen.set_result(None)  # noqa: E731
                line = await open_house.line(f"/t/{code}/socket", secrets.token_hex(16), heard)
                line.say(b'{"type":"hello","since":null}')
                async with asyncio.timeout(20):
                    await seen
                first.append(time.perf_counter() - began)
            except (OSError, TimeoutError):
                failed += 1

        await asyncio.gather(*(come(*job) for job in zip(range(CONNECTIONS), cycle(codes), strict=False)))
    return {"connections": len(first), "failed": failed, "first view p99 ms": 1000 * percentile(first, 0.99)}


async def back() -> dict[str, float]:
    """From `kill -9` to the first acknowledged move of each table, everybody reconnecting at once."""
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        codes = prepared(Path(folder), TABLES, EVENTS)
        for _ in tqdm(range(KILLS), unit=" kills"):
            open_house = House(Path(folder))
            found += await returned(open_house, codes)
            open_house.end(signal.SIGKILL)
    return {"tables": len(found), "median s": median(found), "max s": max(found)}


async def returned(open_house: House, codes: list[str]) -> list[float]:
    """Seconds from the house's start until each table's first acknowledgement."""
    first: dict[int, float] = {}

    async def table(place: int, code: str) -> None:
        waits: list[float] = []
        for seat in range(SEATS):
            player = Player(waits, lambda: 0.0 if not waits else 60.0)
            line = await open_house.line(f"/t/{code}/socket", person(place, seat), player.heard)
            line.say(b'{"type":"hello","since":null}')
        while not waits:
            await asyncio.sleep(0.005)
        first[place] = time.perf_counter() - open_house.began

    async with asyncio.timeout(60):
        await asyncio.gather(*(table(place, code) for place, code in enumerate(codes)))
    return list(first.values())


# ---------------------------------------------------------------- help


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[int(len(values) * part)] if values else float("nan")


FIGURES: dict[str, Callable[[], Awaitable[dict[str, float]]]] = {
    "paced": paced,
    "saturated": saturated,
    "watched": watched,
    "stormed": stormed,
    "back": back,
}


def main() -> None:
    import uvloop

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", nargs="*", help=f"of {', '.join(FIGURES)}; all of them where none is named")
    names = parser.parse_args().figures
    if unknown := sorted({*names} - {*FIGURES}):
        parser.error(f"no figure is called {', '.join(unknown)}; there are {', '.join(FIGURES)}")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.sched_setaffinity(0, CORES[-1:])
    for name in names or FIGURES:
        load = os.getloadavg()[0]
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            figures = runner.run(FIGURES[name]())  # type: ignore[arg-type]
        rounded = {key: round(value, 2) for key, value in figures.items()}
        print(json.dumps({"name": name, "load before": round(load, 2), **rounded}), flush=True)


if __name__ == "__main__":
    main()
