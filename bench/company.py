"""What people feel of bots that think beside them: `python -m bench.company`.

Twenty tables, each with one person among bots of the strongest level, the games by turns at their fullest. The house
and its bots share the first core, the clients have the last one: no bot's thought may make a person's move wait.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from pathlib import Path
from statistics import median

import httpx

from bench.server import CORES, House, Player, percentile
from brelan.bots.levels import NAMES
from brelan.game import Game
from brelan.games import GAMES
from brelan.server.people.identity import GUEST, Guest

TABLES = 20
WARM, SECONDS = 40.0, 60.0
"""Until every game is compiled and played, and for how long acknowledgements are timed."""


def made(open_house: House, guest: str, game: Game, players: int, level: str) -> str:
    """A new table of that guest with bots; its code."""
    others = {f"seat.{seat}": level for seat in range(1, players)}
    data = {"game": game.id, "nickname": "Bench", "players": str(players), "against": "bots", **others}
    cookie = {GUEST: open_house.identity.cookie(Guest(guest, "Bench"))}
    url, headers = f"{open_house.address}/tables", {"origin": open_house.address}
    answer = httpx.post(url, data=data, headers=headers, cookies=cookie, timeout=30)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].rpartition("/")[2]


async def company() -> dict[str, float]:
    """Every person moves about half a second after being asked."""
    waits: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        open_house = House(Path(folder))
        try:
            players = [await sat_down(open_house, place, waits) for place in range(TABLES)]
            await asyncio.sleep(WARM)
            waits.clear()
            views = sum(player.views for player in players)
            await asyncio.sleep(SECONDS)
            views = sum(player.views for player in players) - views
        finally:
            open_house.end()
    return {
        "moves of people/s": len(waits) / SECONDS,
        "views/s": views / SECONDS,
        "median ms": 1000 * median(waits),
        "p99 ms": 1000 * percentile(waits, 0.99),
        "refused": sum(len(player.refused) for player in players),
    }


async def sat_down(open_house: House, place: int, waits: list[float]) -> Player:
    """A person at a table of their own."""
    guest, game = f"{place:032x}", GAMES[place % len(GAMES)]
    code = await asyncio.to_thread(made, open_house, guest, game, game.seats[-1], NAMES[-1])
    player = Player(waits, lambda: 0.5)
    line = await open_house.line(f"/t/{code}/socket", guest, player.heard)
    line.say(b'{"type":"hello","since":null}')
    return player


def main() -> None:
    os.sched_setaffinity(0, CORES[-1:])
    load = os.getloadavg()[0]
    print(json.dumps({"name": "company", "load before": round(load, 2), **asyncio.run(company())}))


if __name__ == "__main__":
    main()
