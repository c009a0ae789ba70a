"""The same with two workers on a real PostgreSQL: `python -m tests.proofs.workers --kills 50`.

One worker is killed, or both, or the process that looks after them, or all at once. Whoever was connected comes back to
another worker; the books are judged as in `chaos.py`. `tests/server/test_workers.py` stops PostgreSQL itself.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from brelan.server.settings import Settings
from tests.proofs.chaos import PATIENCE, World, told
from tests.proofs.houses import HASTY, Running
from tests.proofs.players import Player
from tests.proofs.program import Counts, Progress, asked_for

WORKERS = 2


@contextmanager
def postgres() -> Iterator[Any]:
    """A PostgreSQL of one's own."""
    from tests.server.postgres import Server, programs

    if programs() is None:
        raise SystemExit("no PostgreSQL here: tests/get-postgres installs Debian's package")
    server = Server()
    try:
        yield server
    finally:
        server.stop()


class Shared(World):
    """A world whose house has several workers; some of them can be killed while the others go on."""

    async def strike(self, house: Running, kill: Callable[[Running, Random], None]) -> None:
        """Kill a part of the house, and see that everybody plays on."""
        before = {player: len(player.acknowledged) for player in self.players}
        self.killed = time.monotonic()
        await asyncio.to_thread(kill, house, self.random)
        end = time.monotonic() + PATIENCE
        while not self._went_on(before):
            if time.monotonic() > end:
                stuck = [p.code for p in self.players if len(p.acknowledged) == before[p]]
                raise AssertionError(f"play does not go on at {stuck}")
            await asyncio.sleep(0.01)
        self.tally.back.append(time.monotonic() - self.killed)
        self.tally.kills += 1

    def _went_on(self, before: dict[Player, int]) -> bool:
        """Whether something new was acknowledged at every table."""
        went = {player.code for player in self.players if len(player.acknowledged) > before[player]}
        return went == {player.code for player in self.players}

    async def evening(self, kills: list[Callable[[Running, Random], None]]) -> None:
        """One house; parts of it die one after the other, at last all of it."""
        await asyncio.to_thread(self.furnish)
        house = await asyncio.to_thread(Running, self.settings)
        self.tally.starts.append(house.started)
        tasks = [asyncio.create_task(self._play(player, house)) for player in self.players]
        try:
            for kill in kills:
                await self.strike(house, kill)
                await asyncio.sleep(self.random.uniform(0.2, 1.0))
        finally:
            house.kill()
            await asyncio.gather(*tasks)
        self.judge()


def awake(house: Running) -> list[int]:
    """The workers, once all of them have been started."""
    end = time.monotonic() + PATIENCE
    while len(found := house.workers()) < WORKERS:
        if time.monotonic() > end:
            raise AssertionError("a worker that died was not started again")
        time.sleep(0.02)
    return found


def one_worker(house: Running, random: Random) -> None:
    house.kill([random.choice(awake(house))])


def all_workers(house: Running, _: Random) -> None:
    house.kill(awake(house))


def parent_dies(house: Running) -> None:
    """The workers notice that nobody looks after them, and end; then the house can be opened again."""
    workers = house.workers()
    house.kill([house.process.pid])
    house.wait()
    end = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        if time.monotonic() > end:
            raise AssertionError("workers without a house go on")
        time.sleep(0.02)


def parts_die(server: Any, seed: int, kills: int) -> Counts:
    """Workers die, one or all at a time, while the house stands."""
    with tempfile.TemporaryDirectory() as folder:
        world = Shared(Settings(data=Path(folder), database=server.fresh(), workers=WORKERS), seed)
        left = kills
        while left:
            some = [world.random.choice((one_worker, one_worker, all_workers)) for _ in range(min(4, left))]
            asyncio.run(world.evening(some))
            left -= len(some)
        return world.found() | {"point": "workers"}


def whole_dies(server: Any, seed: int, kills: int, point: str, kill: Callable[[Running], None] | None = None) -> Counts:
    """The process that looks after them dies, or all at once; the next house finds everything."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Settings(data=Path(folder), database=server.fresh(), workers=WORKERS), seed)
        for _ in range(kills):
            asyncio.run(world.cycle(kill=kill))
        return world.found() | {"point": point}


def caught(server: Any, kills: int = 3) -> int | None:
    """After how many kills a house on PostgreSQL is found out that tells before it writes."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Settings(data=Path(folder), database=server.fresh()), 0)
        for kill in range(1, kills + 1):
            asyncio.run(world.cycle(fault=HASTY))
            if world.tally.verdict.lost or world.tally.wrong:
                return kill
    return None


def main() -> int:
    asked = asked_for(__doc__, kills=(60, "kills of workers; a third as many of the parent, and of all at once"))
    third = max(1, asked.kills // 3)
    progress, parts = Progress("kills", asked.kills + 2 * third), list[Counts]()
    with postgres() as server:
        for done in (
            parts_die(server, asked.seed, asked.kills),
            whole_dies(server, asked.seed + 1, third, "parent", parent_dies),
            whole_dies(server, asked.seed + 2, third, "all at once"),
        ):
            parts.append(done)
            progress.add(done["kills"])
        progress.close()
        return told("workers", asked.began, parts, caught(server))


if __name__ == "__main__":
    raise SystemExit(main())
