"""How fast they and we are, in one run and by turns: A B C, A B C … so that all meet the same other work.

Time is that of this process on the processor, of one thread; what is not a part of play (making an environment,
compiling) is done before. What each row plays is said with it, since no two of them have quite the same rules.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from statistics import median
from typing import Any

from bench.peers import ours, theirs
from bench.peers.turns import Turn
from brelan import __version__
from brelan.cores import all_cores
from brelan.lab.bench import IN_C, against_c
from brelan.lab.machine import load, processor

PACKAGES = ("numba", "numpy", "gymnasium", "open-spiel", "pettingzoo", "rlcard")


@dataclass(frozen=True, slots=True)
class Row:
    """Somebody's way to play, and what is played."""

    name: str
    plays: str
    make: Callable[[], Turn]


CONTESTS: dict[str, tuple[Row, ...]] = {
    "random moves, a call from Python for each": (
        Row("brelan: the rules, interpreted", "classic match", ours.rules_by_hand),
        Row("brelan.match: texts, record, provable shuffle", "classic match", ours.library),
        Row("OpenSpiel gin_rummy", "hand, cards dealt one by one", theirs.openspiel),
        Row("OpenSpiel gin_rummy, dealt hands cloned", "hand from its first decision", theirs.openspiel_cloned),
        Row("OpenSpiel python_brelan_gin (our adapter)", "classic match", ours.adapter),
        Row("RLCard gin-rummy", "hand, observations included", theirs.rlcard),
    ),
    "random moves, PettingZoo's loop": (
        Row("brelan.envs.pettingzoo", "classic match", ours.pettingzoo),
        Row("PettingZoo gin_rummy_v4", "hand", theirs.pettingzoo),
    ),
    "random moves with an observation and a mask for each": (
        Row("brelan.envs.gym, 1,024 matches at once", "classic match", ours.gym),
        Row("OpenSpiel gin_rummy", "hand", theirs.openspiel_observed),
        Row("RLCard gin-rummy", "hand", theirs.rlcard),
    ),
    "random moves, whole hands inside compiled code": (
        Row("brelan.fast", "classic match", ours.compiled_random),
        Row("OpenSpiel evaluate_bots", "hand, cards dealt in C++", theirs.evaluate_random),
    ),
    "simple players": (
        Row("brelan.fast, novice", "classic match", ours.compiled_novice),
        Row("brelan novice, interpreted", "classic match", ours.novice_by_hand),
        Row("OpenSpiel evaluate_bots, simple bots", "hand, cards dealt in C++", theirs.evaluate_simple),
        Row("RLCard rule agent", "hand", theirs.rlcard_rules),
    ),
}
"""The first row of each is what the others are compared with."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What a turn came to."""

    decisions: float  # a second
    hands: float
    length: float  # decisions in a hand


def measure(rounds: int, seconds: float) -> dict[str, Any]:
    """All contests, and our compiled games beside hand-written C."""
    began = around()
    contests = {name: list(contest(rows, rounds, seconds)) for name, rows in CONTESTS.items()}
    limits = [limit(game_id) for game_id in IN_C]
    return {**began, "load_after": load(), "contests": contests, "c": limits}


def contest(rows: tuple[Row, ...], rounds: int, seconds: float) -> Iterator[dict[str, Any]]:
    """The rows by turns, and for each its speeds and how many times it the first one is."""
    turns = [row.make() for row in rows]
    for turn in turns:
        turn(seconds / 10)
    came = [[speed(turn(seconds)) for turn in turns] for _ in range(rounds)]
    for i, row in enumerate(rows):
        mine = [found[i] for found in came]
        yield {
            "name": row.name,
            "plays": row.plays,
            "decisions": median(one.decisions for one in mine),
            "decisions_best": max(one.decisions for one in mine),
            "hands": median(one.hands for one in mine),
            "length": median(one.length for one in mine),
            "first_is_times_decisions": median(found[0].decisions / found[i].decisions for found in came),
            "first_is_times_hands": median(found[0].hands / found[i].hands for found in came),
        }


def speed(turn: tuple[int, int, float]) -> Speed:
    decisions, hands, seconds = turn
    return Speed(decisions / seconds, hands / seconds, decisions / max(hands, 1))


def limit(game_id: str) -> dict[str, Any]:
    """Our compiled matches of a game beside the same ones in C: equally many decisions, or it stops."""
    c, part = against_c(game_id)
    return {"game": game_id, "c": c, "brelan": c * part, "part": part}


# ---------------------------------------------------------------- where it was taken


def around() -> dict[str, Any]:
    """Machine, load, date and versions."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": processor(),
        "cores": all_cores(),
        "python": platform.python_version(),
        "load": load(),
        "versions": {"brelan": __version__} | {package: version(package) for package in PACKAGES},
    }


HEAD = "| | plays | decisions/s | hands/s | decisions a hand | the first is, in decisions | in hands |"


def as_text(report: dict[str, Any]) -> str:
    """The report in Markdown."""
    versions = ", ".join(f"{name} {said}" for name, said in report["versions"].items())
    loads = f"load {report['load']} to {report['load_after']}"
    lines = [f"{report['date']}, {report['processor']}, {report['cores']} cores, {loads}", versions]
    for name, rows in report["contests"].items():
        lines += ["", f"**{name}**", "", HEAD, "|---|---|---:|---:|---:|---:|---:|", *map(line, rows)]
    lines += ["", "**our compiled matches beside hand-written C** (`sheet`, random moves, one core)", ""]
    lines += ["| | C, decisions/s | brelan | part |", "|---|---:|---:|---:|"]
    lines += [f"| {one['game']} | {one['c']:,.0f} | {one['brelan']:,.0f} | {one['part']:.2f} |" for one in report["c"]]
    return "\n".join(lines)


def line(row: dict[str, Any]) -> str:
    """A row of a contest."""
    speeds = f"{row['decisions']:,.0f} | {row['hands']:,.1f} | {row['length']:.1f}"
    times = f"{times_of(row['first_is_times_decisions'])} | {times_of(row['first_is_times_hands'])}"
    return f"| {row['name']} | {row['plays']} | {speeds} | {times} |"


def times_of(value: float) -> str:
    return f"{value:,.0f}×" if value >= 100 else f"{value:.2g}×"
