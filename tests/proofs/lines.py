"""Spoil what is said on its way: `python -m tests.proofs.lines --moves 100000`.

Guests play through a proxy that says frames twice, keeps some back so that others come before, and cuts lines in the
middle of a frame. No move may be done twice, and when the lines are good again every seat must see what the database
says of its table.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from random import Random

from brelan.server.settings import Settings
from tests.proofs.books import Verdict, differing, events_of, judge
from tests.proofs.houses import KINDS, Running, furnished
from tests.proofs.players import LOST, Player, Wrong
from tests.proofs.program import Counts, Progress, asked_for, has_time, report
from tests.proofs.proxy import Faults, Proxy

PIECE = 2500
"""Moves in one house; then another is opened, for a table's past becomes long."""

MUTANT_MOVES = 500
"""A house that forgets its keys must be found out within so many."""

PATIENCE = 30.0
"""Seconds without any new move, after which play does not go on."""

TALK = 0.05
"""The share of what guests do that is talk: done twice, a move is mostly illegal the second time, a word never."""

CALM = 20.0
"""Seconds in which every seat must see the table as it is, once lines are good again."""

FORGETFUL = """
from brelan.play.table import Table
receive = Table.receive

def again(self, person, message, now):
    self._acks.pop((person, getattr(message, "key", "")), None)
    if hasattr(message, "seen"):
        message.seen = self.number
    return receive(self, person, message, now)

Table.receive = again
"""
"""The fault of a house that knows no key again, nor sees that a move answers an older table."""


class Evening:
    """One house, its guests, and the bad lines between them."""

    def __init__(self, folder: Path, seed: int, fault: str = "") -> None:
        self.settings, self.random, self.fault = Settings(data=folder), Random(seed), fault
        self.faults = Faults(twice=0.5) if fault else Faults()
        tables = [sitting for _ in range(2) for sitting in furnished(self.settings, KINDS)]
        self.players = [Player(table.code, *guest, self.random) for table in tables for guest in table.guests]
        for player in self.players:
            player.talk = TALK
        self.wrong: list[str] = []
        self.unequal: list[str] = []
        self.counts: Counts = {"doubled": 0, "delayed": 0, "cuts": 0}

    def moves(self) -> int:
        return sum(player.moves for player in self.players)

    async def play(self, wanted: int) -> Verdict:
        """Play so many moves on bad lines, then compare what everybody sees on good ones."""
        house = await asyncio.to_thread(Running, self.settings, "", self.fault)
        try:
            async with Proxy(house.address, self.random, self.faults) as proxy:
                await self._until(proxy.address, wanted)
                self.counts = {"doubled": proxy.doubled, "delayed": proxy.delayed, "cuts": proxy.cuts}
            await self._compare(house)
        finally:
            house.kill()
        return judge(events_of(self.settings, {player.code for player in self.players}), self.players)

    async def _until(self, address: str, wanted: int) -> None:
        tasks = [asyncio.create_task(self._come_again(player, address)) for player in self.players]
        last, since = 0, time.monotonic()
        while self.moves() < wanted and not self.wrong:
            await asyncio.sleep(0.05)
            if self.moves() > last:
                last, since = self.moves(), time.monotonic()
            if time.monotonic() > since + PATIENCE:
                self.wrong.append(f"play does not go on after {last} moves")
        await ended(tasks)

    async def _come_again(self, player: Player, address: str) -> None:
        while True:
            try:
                await player.play(address)
            except LOST:
                await asyncio.sleep(0.01)
            except Wrong as wrong:
                self.wrong.append(str(wrong))
                return

    async def _compare(self, house: Running) -> None:
        """Everybody looks once more; what each sees is what the events make of the table."""
        for player in self.players:
            player.quiet, player.asked, player.first = True, None, None
        tasks = [asyncio.create_task(self._come_again(player, house.address)) for player in self.players]
        end, unequal = time.monotonic() + CALM, ["nobody has looked"]
        while unequal and time.monotonic() < end:
            await asyncio.sleep(0.3)
            past = await asyncio.to_thread(events_of, self.settings, {player.code for player in self.players})
            unequal = [
                player.code
                for player in self.players
                if player.number != len(past[player.code]) or differing(past[player.code], player.view, player.person)
            ]
        self.unequal = unequal
        await ended(tasks)


async def ended(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def evening(seed: int, moves: int, fault: str = "") -> tuple[Evening, Verdict]:
    with tempfile.TemporaryDirectory() as folder:
        one = Evening(Path(folder), seed, fault)
        return one, asyncio.run(one.play(moves))


def main() -> int:
    asked = asked_for(__doc__, moves=(100_000, "moves"))
    progress, total = Progress("moves", asked.moves), Verdict()
    done, wrong, unequal, seats = 0, list[str](), 0, 0
    counts: Counts = {"doubled": 0, "delayed": 0, "cuts": 0}
    while done < asked.moves and not wrong and has_time(asked):
        one, verdict = evening(asked.seed + done, min(PIECE, asked.moves - done))
        total.add(verdict)
        counts = {name: n + one.counts[name] for name, n in counts.items()}
        done, wrong, unequal = done + one.moves(), wrong + one.wrong, unequal + len(one.unequal)
        seats += len(one.players)
        progress.add(one.moves())
    progress.close()
    caught = len(evening(asked.seed, MUTANT_MOVES, FORGETFUL)[1].twice)
    return report(
        "lines",
        asked.began,
        total.clean and not wrong and not unequal and caught > 0,
        moves=done,
        **counts,
        acknowledged=total.acknowledged,
        twice=len(total.twice),
        lost=len(total.lost),
        wrong=wrong[:3],
        seats=seats,
        seats_that_see_otherwise=unequal,
        mutant_doubles=caught,
    )


if __name__ == "__main__":
    raise SystemExit(main())
