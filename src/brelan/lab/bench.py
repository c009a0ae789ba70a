"""How fast everything is on this machine: one row a figure, under names that stay (see bench/README.md).

A figure is the best of a few short runs: other work on the machine only ever makes one slower. The two sides of a
ratio are measured in turn, so that both meet the same other work.
"""

from __future__ import annotations

import json as json_format
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from brelan import cards, games
from brelan.bots.thinker import Thinker
from brelan.child import running
from brelan.cores import all_cores
from brelan.fast import NOVICE, RANDOM, Engine
from brelan.game import Game, due_cards
from brelan.lab.machine import machine

RUN = 1
"""The run whose matches are played; the programs in bench/c play the same."""

SECONDS = 0.25
"""How long one timed run lasts, about."""

TIMES = 3
"""How many of them."""

C_SOURCES = Path(__file__).parents[3] / "bench" / "c"

IN_C = ("gin", "companeros")
"""The games that are written there by hand."""

PREPARE = """
import time
from brelan import games
from {module} import {what}
start = time.perf_counter()
{what}(games.find(sys.argv[1])).prepare()
print(time.perf_counter() - start)
"""


class Skipped(Exception):
    """A figure that cannot be taken on this machine, and why."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: its lasting name, its unit, and what measures it."""

    name: str
    unit: str
    measure: Callable[[], float]


def rows() -> Iterator[Row]:
    """The figures of the games and the lab; what stands above the lab has its own (`served`, `envs.figures`)."""
    for game in games.GAMES:
        yield from rows_of(game)
    for game_id in IN_C:
        yield Row(f"c.{game_id}.random", "decisions/s", partial(c_figure, game_id, 0))
        yield Row(f"c.{game_id}.random.ratio", "x", partial(c_figure, game_id, 1))
    yield Row("simulate.gin.500", "s", simulate_500)


def rows_of(game: Game) -> Iterator[Row]:
    """A game's figures."""
    speed = partial(Row, unit="decisions/s")
    yield speed(f"playouts.{game.id}.random.1core", measure=lambda: playouts(game, RANDOM))
    yield speed(f"playouts.{game.id}.random.2cores", measure=lambda: two_cores(game.id)[0])
    yield Row(f"playouts.{game.id}.random.2cores.ratio", "x", lambda: two_cores(game.id)[1])
    yield speed(f"playouts.{game.id}.novice.1core", measure=lambda: playouts(game, NOVICE))
    yield speed(f"interpreted.{game.id}.random", measure=lambda: playouts(game, RANDOM, compiled=False))
    yield Row(f"search.{game.id}.1core", "simulations/s", lambda: searches(game))
    for name, what in ((game.id, Engine), (f"{game.id}.bots", Thinker)):
        yield Row(f"compile.{name}.cold", "s", partial(compile_figure, game.id, what, 0))
        yield Row(f"compile.{name}.cached", "s", partial(compile_figure, game.id, what, 1))


# ---------------------------------------------------------------- the figures


@cache
def engine(game_id: str, compiled: bool = True) -> Engine:
    return Engine(games.find(game_id), compiled=compiled)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and what came of it."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def rate(game: Game, who: int, cores: int, matches: int, compiled: bool = True) -> float:
    """Decisions a second over so many matches."""
    seconds, batch = timed(lambda: engine(game.id, compiled).matches(RUN, matches, who=(who,), cores=cores))
    return float(batch.decisions.sum() / seconds)


@cache
def enough(game_id: str, who: int, compiled: bool = True) -> int:
    """How many matches on one core take about SECONDS."""
    play = partial(engine(game_id, compiled).matches, RUN, who=(who,))
    matches = 1
    play(matches)  # compiles
    while (seconds := timed(partial(play, matches))[0]) < SECONDS / 5:
        matches *= 2
    return max(1, round(matches * SECONDS / seconds))


def playouts(game: Game, who: int, compiled: bool = True) -> float:
    """Decisions a second of whole matches on one core, two seats where two may play."""
    matches = enough(game.id, who, compiled)
    return max(rate(game, who, 1, matches, compiled) for _ in range(TIMES))


@cache
def two_cores(game_id: str) -> tuple[float, float]:
    """Decisions a second of random matches on two cores; and how many times those on one."""
    if all_cores() < 2:
        raise Skipped("this process may use one core only")
    game, matches = games.find(game_id), 2 * enough(game_id, RANDOM)
    pairs = [(rate(game, RANDOM, 1, matches), rate(game, RANDOM, 2, matches)) for _ in range(TIMES)]
    one, two = (max(side) for side in zip(*pairs, strict=True))
    return two, two / one


def searches(game: Game) -> float:
    """Simulations a second of searches at the first decision of a match, rounds played out at random."""
    state: Any = game.new(game.seats[0])
    random = [0]
    cards.seed(random, RUN)
    while due := due_cards(game.rules, state):
        cards.shuffle(due, 0, len(due), random)
        game.rules.deal(state, due)
    simulations = 10_000
    find = partial(engine(game.id).search, state, state.turn, who=RANDOM)
    find(10, RUN)  # compiles
    return simulations / min(timed(lambda: find(simulations, RUN))[0] for _ in range(TIMES))


@cache
def compiling(game_id: str, what: type) -> tuple[float, float]:
    """Seconds to compile all of an `Engine` or `Thinker` in a fresh process with an empty cache, and once more."""
    prepare = PREPARE.format(module=what.__module__, what=what.__name__)
    with tempfile.TemporaryDirectory() as folder:
        command = running(prepare, game_id)
        environment = os.environ | {"BRELAN_CACHE": folder}
        cold, cached = (
            float(subprocess.run(command, env=environment, check=True, capture_output=True, encoding="utf-8").stdout)  # noqa: S603
            for _ in range(2)
        )
    return cold, cached


def compile_figure(game_id: str, what: type, which: int) -> float:
    return compiling(game_id, what)[which]


@cache
def against_c(game_id: str) -> tuple[float, float]:
    """Decisions a second of a game written by hand in C; and those of the twins as a part of them.

    Both are counted in seconds that their process worked, so that the ratio holds on a busy machine too.
    """
    compiler, source = shutil.which("gcc"), C_SOURCES / f"{game_id}.c"
    if not compiler or not source.exists():
        raise Skipped("there is no gcc" if source.exists() else "bench/c stands in the source tree only")
    with tempfile.TemporaryDirectory() as folder:
        program, matches = Path(folder) / game_id, enough(game_id, RANDOM)
        build = [compiler, "-O3", "-march=native", "-o", str(program), str(source)]
        if subprocess.run(build, capture_output=True).returncode:  # noqa: S603
            raise Skipped("gcc cannot build it")
        pairs = [(c_rate(program, matches), twins_rate(game_id, matches)) for _ in range(2 * TIMES)]
    c, twins = (max(side) for side in zip(*pairs, strict=True))
    return c, twins / c


def c_figure(game_id: str, which: int) -> float:
    return against_c(game_id)[which]


def c_rate(program: Path, matches: int) -> float:
    """Decisions a second of a C program, which must have made the decisions that the twins make."""
    said = subprocess.run([str(program), str(matches)], check=True, capture_output=True, encoding="utf-8").stdout  # noqa: S603
    decisions, seconds = said.split()
    if int(decisions) != engine(program.name).matches(RUN, matches).decisions.sum():
        raise RuntimeError(f"bench/c/{program.name}.c plays other rules than brelan.games.{program.name}")
    return int(decisions) / float(seconds)


def twins_rate(game_id: str, matches: int) -> float:
    """Decisions a second of the compiled twins on the same matches."""
    start = time.process_time()
    batch = engine(game_id).matches(RUN, matches)
    return float(batch.decisions.sum() / (time.process_time() - start))


def simulate_500() -> float:
    """Seconds for 500 matches of gin between novices on all cores, with their records."""
    from brelan.lab.simulate import Plan, simulate

    return timed(lambda: sum(1 for _ in simulate(Plan("gin", 2), 500, record=True)))[0]


# ---------------------------------------------------------------- the report


def main(json: bool, others: Iterable[Row] = ()) -> int:
    """Measure every row, and the others, with a progress line; print the figures."""
    results, skipped = [], []
    for row in (progress := tqdm([*rows(), *others], unit="row", file=sys.stderr, disable=None)):
        progress.set_description(row.name)
        try:
            results.append({"name": row.name, "value": row.measure(), "unit": row.unit})
        except Skipped as reason:
            skipped.append({"name": row.name, "reason": str(reason)})
    report = {"machine": machine(), "results": results, "skipped": skipped}
    sys.stdout.write(json_format.dumps(report) + "\n" if json else table(report))
    return 0


def table(report: dict[str, Any]) -> str:
    """The report for a person to read."""
    lines = [f"{name:32} {value}" for name, value in report["machine"].items()]
    lines += [""] + [f"{row['name']:36} {figure(row['value']):>14} {row['unit']}" for row in report["results"]]
    lines += [f"{row['name']:36} {'–':>14} {row['reason']}" for row in report["skipped"]]
    return "\n".join(lines) + "\n"


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"
