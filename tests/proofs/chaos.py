"""Kill the house again and again: what was acknowledged is there when it comes back. `python -m tests.proofs.chaos`.

Several tables of several games are played at once by quick guests. The house dies by SIGKILL, at random moments and at
each of its crash points. The database is compared with what the guests were told before the house is started again,
and each first view with the database before anything is sent again; later a guest's own repetition would hide a loss.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from brelan.server.settings import Settings
from brelan.server.store.points import CRASH_POINTS
from tests.proofs.books import Verdict, events_of, judge
from tests.proofs.houses import HASTY, KINDS, Running, furnished
from tests.proofs.players import LOST, Player, Wrong
from tests.proofs.program import Counts, Progress, asked_for, report, shared

LEAST = 6
"""So many acknowledgements come between two kills at least: play goes on."""

MOMENT = 0.25
"""Seconds at most until the kill after those."""

PATIENCE = 60.0
"""Seconds in which they must have come."""

LONG = 600
"""Events after which a table makes room for a new one."""

PIECE = 10
"""So many kills are one piece of work."""

OFTEN = 30
"""A crash point is passed at most so often before the house dies there."""

OWN_CHECKS = ("in_migration", "mid_backup", "after_notify")
"""Crash points that are not passed while a single house plays; `troubles.py` and `workers.py` see to them."""

POINTS = tuple(point for point in CRASH_POINTS if point not in OWN_CHECKS)


@dataclass
class Tally:
    """What happened in a piece of work."""

    kills: int = 0
    moves: int = 0
    resent: int = 0
    starts: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)  # seconds from the kill to the first new acknowledgement
    verdict: Verdict = field(default_factory=Verdict)
    wrong: list[str] = field(default_factory=list)


class World:
    """A house's data, its tables, and the guests who play there."""

    def __init__(self, settings: Settings, seed: int, kinds: tuple[tuple[str, int, int], ...] = KINDS) -> None:
        self.settings, self.kinds, self.random = settings, kinds, Random(seed)
        self.players: list[Player] = []
        self.tally = Tally()
        self.killed: float | None = None

    def furnish(self) -> None:
        """New tables in the place of those that are missing or have become long."""
        long = {player.code for player in self.players if player.number > LONG}
        self.players = [player for player in self.players if player.code not in long]
        there = {player.code for player in self.players}
        wanted = (
            list(self.kinds[len(there) :])
            if not there
            else self.random.sample(self.kinds, len(self.kinds) - len(there))
        )
        for sitting in furnished(self.settings, tuple(wanted)) if wanted else []:
            self.players += [Player(sitting.code, *guest, self.random) for guest in sitting.guests]

    def acknowledged(self) -> int:
        return sum(len(player.acknowledged) for player in self.players)

    async def cycle(self, crash: str = "", fault: str = "", kill: Callable[[Running], None] | None = None) -> None:
        """Start the house, play, kill it, and judge."""
        await asyncio.to_thread(self.furnish)
        house = await asyncio.to_thread(Running, self.settings, crash, fault)
        self.tally.starts.append(house.started)
        self.tally.resent += sum(player.asked is not None for player in self.players)
        tasks = [asyncio.create_task(self._play(player, house)) for player in self.players]
        try:
            await self._until(house, crash)
        finally:
            (kill or Running.kill)(house)
            self.killed = time.monotonic()
            await asyncio.gather(*tasks)
        self.tally.kills += 1
        self.judge()

    async def _until(self, house: Running, crash: str) -> None:
        """Until enough was acknowledged and a random moment has passed, or the house has died by itself."""
        before, end = self.acknowledged(), time.monotonic() + PATIENCE
        while house.alive() and (crash or self.acknowledged() < before + LEAST):
            if self.killed and self.acknowledged() > before:
                self.tally.back.append(time.monotonic() - self.killed)
                self.killed = None
            if time.monotonic() > end:
                raise AssertionError(f"play does not go on: {[(p.view, p.asked) for p in self.players][:2]}")
            await asyncio.sleep(0.002)
        if not crash:
            await asyncio.sleep(self.random.uniform(0.0, MOMENT))

    async def _play(self, player: Player, house: Running) -> None:
        """Play as long as the house stands; whoever loses the line comes again."""
        while house.alive():
            try:
                await player.play(house.address)
            except LOST:
                await asyncio.sleep(0.01)
            except Wrong as wrong:
                self.tally.wrong.append(str(wrong))
                return

    def judge(self) -> None:
        """Compare the database with what the guests were told, while nobody can write to it."""
        before = sum(player.moves for player in self.players)
        past = events_of(self.settings, {player.code for player in self.players})
        self.tally.verdict.add(judge(past, self.players))
        self.tally.moves = max(self.tally.moves, before)

    def found(self) -> Counts:
        tally, verdict = self.tally, self.tally.verdict
        return {
            "kills": tally.kills,
            "acknowledged": verdict.acknowledged,
            "views": verdict.views,
            "resent": tally.resent,
            "lost": verdict.lost + tally.wrong,
            "twice": verdict.twice,
            "differing": verdict.differing,
            "starts": tally.starts,
            "back": tally.back,
        }


def piece(asked: tuple[int, int, str]) -> Counts:
    """Some kills in a world of their own: at random moments, or at a crash point."""
    seed, kills, point = asked
    with tempfile.TemporaryDirectory() as folder:
        world = World(Settings(data=Path(folder)), seed)
        for _ in range(kills):
            asyncio.run(world.cycle(f"{point}:{world.random.randint(1, OFTEN)}" if point else ""))
        return world.found() | {"point": point or "any moment"}


def caught(kills: int = 3) -> int | None:
    """After how many kills a house is found out that tells before it writes; None if it is not."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Settings(data=Path(folder)), 0)
        for kill in range(1, kills + 1):
            asyncio.run(world.cycle(fault=HASTY))
            if world.tally.verdict.lost or world.tally.wrong:
                return kill
    return None


def summed(parts: list[Counts]) -> Counts:
    """The pieces together: numbers added, lists joined."""
    total: Counts = {}
    for part in parts:
        for name, value in part.items():
            if name != "point":
                total[name] = total[name] + value if name in total else value
    return total


def percentile(values: list[float], share: float) -> float:
    return round(sorted(values)[min(len(values) - 1, int(len(values) * share))], 2) if values else 0.0


def main() -> int:
    asked = asked_for(__doc__, kills=(500, "kills at random moments"), each=(100, "kills at each crash point"))
    work = [
        (asked.seed + 1000 * place + n, min(PIECE, kills - n), point)
        for place, (point, kills) in enumerate([("", asked.kills), *((point, asked.each) for point in POINTS)])
        for n in range(0, kills, PIECE)
    ]
    work.sort(key=lambda part: part[0] % 1000)  # a run that is cut short has tried some of each
    progress, parts = Progress("kills", sum(kills for _, kills, _ in work)), list[Counts]()
    for done in shared(work, piece, asked):
        parts.append(done)
        progress.add(done["kills"])
    progress.close()
    return told("chaos", asked.began, parts, caught())


def told(name: str, began: float, parts: list[Counts], mutant: int | None) -> int:
    """The line of figures."""
    total, points = summed(parts), {part["point"]: 0 for part in parts}
    for part in parts:
        points[part["point"]] += part["kills"]
    starts, back = total.pop("starts"), total.pop("back")
    bad = {name: total.pop(name) for name in ("lost", "twice", "differing")}
    return report(
        name,
        began,
        not any(bad.values()) and mutant is not None,
        **total,
        **{name: len(found) for name, found in bad.items()},
        first=[found[:2] for found in bad.values() if found],
        points=points,
        start={"p50": percentile(starts, 0.5), "max": percentile(starts, 1.0)},
        back={"p50": percentile(back, 0.5), "max": percentile(back, 1.0)},
        mutant_caught_after=mutant,
    )


if __name__ == "__main__":
    raise SystemExit(main())
