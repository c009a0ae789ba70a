"""How the lobby bears many: `python -m bench.lobby`.

Five thousand lines open in ten seconds while tables are played, then new tables are made that everybody must see. As
in `bench.server` the house has the first core and its guests the last; every step is bounded and ends by itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import secrets
import time
from dataclasses import dataclass, field
from itertools import pairwise

import httpx
import uvloop

from bench.lines import Line
from bench.server import CORES, House, house, percentile, seated

TABLES = 100  # each with four persons and a move a second
CONNECTIONS, STORM = 5_000, 10.0
NEW_TABLES = 5


@dataclass
class Crowd:
    """Those who look at the lobby."""

    opened: list[float] = field(default_factory=list)  # seconds until the house answered
    failed: int = 0
    at_once: int = 0  # frames that came before anything had changed
    heard: dict[str, list[float]] = field(default_factory=dict)  # by the list's digest: when each line was told

    def hear(self, _: Line, text: bytes) -> None:
        frame = json.loads(text)
        self.heard.setdefault(frame.get("seen", "yours"), []).append(time.perf_counter())
        self.at_once += 1

    async def come(self, open_house: House, path: str, number: int) -> None:
        await asyncio.sleep(STORM * number / CONNECTIONS)
        began = time.perf_counter()
        try:
            async with asyncio.timeout(20):
                await open_house.line(path, secrets.token_hex(16), self.hear)
            self.opened.append(time.perf_counter() - began)
        except (OSError, TimeoutError):
            self.failed += 1


def shown(open_house: House) -> str:
    """What a page knows of the list when it opens its line."""
    page = httpx.get(f"{open_house.address}/", timeout=30).text
    return re.findall('data-seen="([^"]*)"', page)[0]


def listed(open_house: House) -> None:
    """One more table for everybody to see."""
    address = open_house.address
    data = {"game": "mio", "nickname": "Bench", "players": "4", "listed": "true"}
    made = httpx.post(f"{address}/tables", data=data, headers={"origin": address}, timeout=30)
    assert made.status_code == 303


async def told(open_house: House, crowd: Crowd) -> float:
    """Seconds from a new table until the last of the crowd has heard of it."""
    crowd.heard.clear()
    began = time.perf_counter()
    await asyncio.to_thread(listed, open_house)
    async with asyncio.timeout(30):
        while max(map(len, crowd.heard.values()), default=0) < len(crowd.opened):
            await asyncio.sleep(0.01)
    return max(max(times) for times in crowd.heard.values()) - began


async def lobby() -> dict[str, float]:
    """A storm on the lobby, and what the tables feel of it."""
    waits: list[float] = []
    crowd = Crowd()
    with house(TABLES) as (open_house, codes):
        players = await seated(open_house, codes, lambda: 0.5 + secrets.randbelow(1000) / 1000, waits)
        await asyncio.sleep(3)
        figures = {"tables p99 ms, before": await p99(waits)}
        memory = open_house.resident()
        path = f"/lobby/socket?lang=en&seen={await asyncio.to_thread(shown, open_house)}"
        came = [asyncio.create_task(crowd.come(open_house, path, number)) for number in range(CONNECTIONS)]
        figures["tables p99 ms, in the storm"] = await p99(waits)
        await asyncio.gather(*came)
        figures |= {
            "lines": len(crowd.opened),
            "failed": crowd.failed,
            "told without need": crowd.at_once,
            "open p99 ms": 1000 * percentile(crowd.opened, 0.99),
            "KB a line": (open_house.resident() - memory) / max(1, len(crowd.opened)),
        }
        waits.clear()
        seconds = [await told(open_house, crowd) for _ in range(NEW_TABLES)]
        figures |= {"all told s, slowest": max(seconds), "tables p99 ms, while told": 1000 * percentile(waits, 0.99)}
        figures["moves refused"] = sum(len(player.refused) for player in players)
    return figures


async def costs() -> dict[str, float]:
    """What a crowd alone costs the house in time of its processor, however busy the machine is."""
    crowd = Crowd()
    with house(1) as (open_house, _):
        path = f"/lobby/socket?lang=en&seen={await asyncio.to_thread(shown, open_house)}"
        marks = [open_house.spent()]
        await asyncio.gather(*(crowd.come(open_house, path, number) for number in range(CONNECTIONS)))
        marks.append(open_house.spent())
        await asyncio.sleep(STORM)
        marks.append(open_house.spent())
        for _ in range(NEW_TABLES):
            await told(open_house, crowd)
        marks.append(open_house.spent())
    opened, idle, telling = (after - before for before, after in pairwise(marks))
    lines = len(crowd.opened)
    return {
        "lines": lines,
        "ms to open a line": 1000 * opened / lines,
        "part of a core while nothing happens": idle / STORM,
        "s to tell all of a new table": telling / NEW_TABLES,
    }


async def p99(waits: list[float]) -> float:
    """Of the moves of the next seconds, in milliseconds."""
    waits.clear()
    await asyncio.sleep(STORM)
    return 1000 * percentile(waits, 0.99)


def main() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.sched_setaffinity(0, CORES[-1:])
    for figure in (lobby, costs):
        load = os.getloadavg()[0]
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            figures = runner.run(figure())
        rounded = {key: round(value, 3) for key, value in figures.items()}
        print(json.dumps({"name": figure.__name__, "load before": round(load, 2), **rounded}), flush=True)


if __name__ == "__main__":
    main()
