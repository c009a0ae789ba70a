"""Whether a house grows with the hours: `python -m bench.soak --hours 2`; other work beside it does not matter.

Visitors come and go all the time. Each makes a table with bots, the games and sizes by turns, and plays some minutes at
the pace of a person; a friend looks on, the line is cut and comes back, pages are read, and the visitor is gone,
mostly before the match is over: houses are full of tables that were left. What the house holds is looked at every
minute. Told is how it grows by the hour once it is warm, with a 95 % interval.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import sys
import tempfile
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import fmean, linear_regression, pvariance

import httpx
from tqdm import tqdm

from bench.company import made
from bench.server import House, Player
from brelan.games import GAMES
from brelan.served import resident

chance = secrets.SystemRandom()
VISITORS = 30  # at a time
STAY = 60.0, 300.0  # seconds
LEVELS = "beginner", "casual", "skilled"
WARM = 20  # minutes until every game is compiled, every room has been left, and what is kept for a while is kept
STRETCHES, STUDENT = 10, 2.306
"""The growth is that of so many means, since minutes hang together; and Student's t for two fewer, at 95 %."""


@dataclass
class Seen:
    """The house, minute by minute."""

    hours: list[float] = field(default_factory=list)
    house: list[float] = field(default_factory=list)  # megabytes of the process that keeps the tables
    helpers: list[float] = field(default_factory=list)  # of the processes that think for bots
    files: list[float] = field(default_factory=list)  # open ones, lines included

    def look(self, pid: int, began: float) -> None:
        self.hours.append((time.monotonic() - began) / 3600)
        self.house.append(resident(pid) / 1024)
        self.helpers.append(sum(map(resident, descendants(pid))) / 1024)
        self.files.append(len([*Path(f"/proc/{pid}/fd").iterdir()]))

    def told(self) -> dict[str, float]:
        """The last of each figure, and its growth since the house was warm."""
        figures: dict[str, float] = {}
        for name, values in (("house MB", self.house), ("helpers MB", self.helpers), ("open files", self.files)):
            figures[name] = values[-1]
            if len(self.hours) >= WARM + 2 * STRETCHES:
                slope, half = growth(self.hours[WARM:], values[WARM:])
                figures |= {f"{name} an hour": slope, f"{name} an hour, ±": half}
        return figures


def growth(hours: list[float], values: list[float]) -> tuple[float, float]:
    """How much more by the hour, by least squares over the means of stretches, and half of its 95 % interval."""
    times, means = means_of(hours), means_of(values)
    slope, start = linear_regression(times, means)
    left = sum((mean - slope * at - start) ** 2 for at, mean in zip(times, means, strict=True))
    return slope, STUDENT * (left / (STRETCHES - 2) / (pvariance(times) * STRETCHES)) ** 0.5


def means_of(values: list[float]) -> list[float]:
    size = len(values) // STRETCHES
    return [fmean(values[size * part : size * (part + 1)]) for part in range(STRETCHES)]


def descendants(pid: int) -> list[int]:
    """The processes that a process has begun, and theirs."""
    try:
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [*children, *(deeper for child in children for deeper in descendants(child))]


# ---------------------------------------------------------------- visitors


async def visit(open_house: House, number: int, waits: list[float]) -> None:
    """A table of one's own, for some minutes."""
    guest, friend = secrets.token_hex(16), secrets.token_hex(16)
    game = GAMES[number % len(GAMES)]
    players = game.seats[number // len(GAMES) % len(game.seats)]
    code = await asyncio.to_thread(made, open_house, guest, game, players, LEVELS[number % len(LEVELS)])
    player = Player(waits, lambda: chance.uniform(0.2, 1.5))
    until = time.monotonic() + chance.uniform(*STAY)
    looks_on = await open_house.line(f"/t/{code}/socket", friend, lambda _, __: None)
    looks_on.say(b'{"type":"hello","since":null}')
    while time.monotonic() < until and not (player.newest.table and player.newest.table.status == "over"):
        await connected(open_house, code, guest, player)
        await asyncio.to_thread(read, open_house, code)
    looks_on.transport.close()


async def connected(open_house: House, code: str, guest: str, player: Player) -> None:
    """Play on for a while, until the line is cut."""
    player.is_busy, player.sent = False, {}
    line = await open_house.line(f"/t/{code}/socket", guest, player.heard)
    line.say(b'{"type":"hello","since":null}')
    await asyncio.sleep(chance.uniform(10, 60))
    line.transport.abort()
    await asyncio.sleep(chance.uniform(0, 2))


def read(open_house: House, code: str) -> None:
    """What a browser asks for besides."""
    with httpx.Client(base_url=open_house.address, timeout=30) as browser:
        for path in ("/", f"/t/{code}", f"/t/{code}/record", "/fair", "/static/table.js"):
            browser.get(path)


async def visited(open_house: House, numbers: count[int], waits: list[float], failed: list[str]) -> None:
    """One visitor after the other, as long as the house is looked at."""
    while True:
        try:
            await visit(open_house, next(numbers), waits)
        except (OSError, httpx.HTTPError, AssertionError) as error:
            failed.append(repr(error))
            await asyncio.sleep(1)


async def soak(open_house: House, hours: float, seen: Seen) -> dict[str, float | str]:
    """Look at the house every minute while visitors come and go."""
    waits: list[float] = []
    failed: list[str] = []
    numbers, began = count(), time.monotonic()
    async with asyncio.TaskGroup() as tasks:
        busy = [tasks.create_task(visited(open_house, numbers, waits, failed)) for _ in range(VISITORS)]
        with tqdm(total=round(hours * 60), unit=" minutes", file=sys.stderr, disable=None) as bar:
            for _ in range(round(hours * 60)):
                await asyncio.sleep(60)
                seen.look(open_house.process.pid, began)
                bar.update()
        for visitor in busy:
            visitor.cancel()
    return {"visits": next(numbers), "moves of people": len(waits), "failed": len(failed), "first": "".join(failed[:1])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=2.0, help="for so long; %(default)s unless told otherwise")
    asked, seen, tally = parser.parse_args(), Seen(), {}
    with tempfile.TemporaryDirectory() as folder:
        open_house = House(Path(folder))
        try:
            tally = asyncio.run(soak(open_house, asked.hours, seen))
        except KeyboardInterrupt:
            print("stopped before the end; told is what was seen until now", file=sys.stderr)
        finally:
            open_house.end()
    if seen.hours:
        rounded = {key: round(value, 2) for key, value in seen.told().items()}
        print(json.dumps({"name": "soak", "hours": round(seen.hours[-1], 2), **tally, **rounded}))


if __name__ == "__main__":
    main()
