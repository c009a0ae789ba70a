"""Prove that a bot's pause tells nothing: `python -m tests.proofs.timing --delays 5000`.

At many moments of many matches a house is asked when its bot will answer, and how long the bot itself takes is added;
all bots are novices, which search nothing.
The delays are parted by what only the bot knows: whether it holds more or less than usual of what its game asks for,
that is, whether few or many moves are open to it. Kolmogorov and Smirnov's test must not tell the two parts apart, in
none of the cases that everybody sees and in which pauses differ: a move led to something, the bot's own turn goes on.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from brelan import bots
from brelan.server.settings import Settings
from brelan.server.tables.rooms import Rooms
from brelan.server.tables.turn import Turn
from brelan.server.upkeep.beat import Beat
from tests.proofs.live import GAME_IDS, lives
from tests.proofs.program import Progress, asked_for, report

LENGTH = 60
"""So many moments of a match are looked at."""

CASES = 4
"""Into so many cases, at most, everybody can part the delays of a game."""

LEAST = 0.01 / (CASES * len(GAME_IDS))
"""The probability below which two samples count as different: chance alone takes one of all cases of all games there in
one run of a hundred (Bonferroni)."""

Sample = tuple[float, int, tuple[bool, bool]]
"""A delay in seconds, how many moves were open to the bot, and what everybody saw: an outcome, a turn that goes on."""


NOWHERE = Path("nowhere", "beat")
"""A pulse of which nothing is written down."""


class Kept:
    """A store that takes whatever it is given."""

    def append(self, *_: Any) -> Any:
        raise AssertionError("nothing is written here")


async def delay(table: Any) -> float:
    """After how many seconds the bot that is asked would answer."""
    rooms = Rooms(Settings(), Kept(), Beat(NOWHERE))  # type: ignore[arg-type]
    turn, now = Turn(table.code, rooms), asyncio.get_running_loop().time()
    turn.begin(table)
    assert turn.at is not None
    return turn.at - now


def delays(game: str, seed: int) -> Iterator[Sample]:
    """Delays of bots without end, with how many moves were open to each."""
    loop = asyncio.new_event_loop()
    try:
        for live in lives(game, seed):
            for table in live.positions(LENGTH):
                races = table.window and table.window.race  # a pause of its own there, as everybody may know
                if table.match and not table.match.over and not races and (seats := table.bots_asked()):
                    pause = loop.run_until_complete(delay(table))
                    case = table.stage in table.outcomes, table.match.lines[-1].get("seat") == seats[0]
                    yield pause + thought(table, seats[0]), len(table.match.legal(seats[0])), case
    finally:
        loop.close()


def thought(table: Any, seat: int) -> float:
    """How long the bot itself takes, in seconds."""
    sitting = table.seats[seat]
    began = time.perf_counter()
    bots.at_once(table.game, sitting.by or "", table.seen_by(seat), seat, [1], table.preset)
    return time.perf_counter() - began


def parted(found: list[Sample]) -> tuple[list[float], list[float]]:
    """The delays of bots that had few moves, and of those that had many."""
    middle = median(moves for _, moves, _ in found)
    few, many = [d for d, moves, _ in found if moves <= middle], [d for d, moves, _ in found if moves > middle]
    return few, many


def probability(some: list[float], others: list[float]) -> float:
    """How probable a distance as theirs is if both samples are of the same kind (Kolmogorov and Smirnov)."""
    marked = sorted([(value, 1 / len(some)) for value in some] + [(value, -1 / len(others)) for value in others])
    distance = height = 0.0
    for _, step in marked:
        height += step
        distance = max(distance, abs(height))
    n = len(some) * len(others) / (len(some) + len(others))
    x = distance * (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n))
    return min(1.0, 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 101))) if x > 0.2 else 1.0


def hesitant() -> Any:
    """A house whose bots wait longer, by a little, the more they could do: it must be found out."""
    real = Turn.begin

    def begin(turn: Turn, table: Any) -> None:
        real(turn, table)
        if turn.at:
            turn.at += 0.04 * len(table.match.legal(table.bots_asked()[0]))

    return patch.object(Turn, "begin", begin)


def measure(game: str, seed: int, wanted: int) -> float:
    """The probability that bots of a game which can do little and bots which can do much wait alike."""
    found = list(islice(delays(game, seed), wanted))
    cases = [parted([sample for sample in found if sample[2] == case]) for case in {case for *_, case in found}]
    return min(probability(few, many) for few, many in cases if many)


def main() -> int:
    asked = asked_for(__doc__, delays=(5000, "delays for each game"))
    found, missed, progress = dict[str, float](), list[str](), Progress("games", len(asked.games))
    for game in asked.games:
        found[game] = measure(game, asked.seed, asked.delays)
        with hesitant():
            if measure(game, asked.seed, asked.delays) > LEAST:
                missed.append(game)
        progress.add()
    progress.close()
    passed = min(found.values()) > LEAST and not missed
    shown = {game: float(f"{p:.2g}") for game, p in found.items()}
    return report("timing", asked.began, passed, delays=asked.delays, p=shown, mutants=len(found), missed=missed)


if __name__ == "__main__":
    raise SystemExit(main())
