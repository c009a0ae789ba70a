"""Their players at our tables, on equal deals: sizes and seeds written down before anything is run.

A run goes on where the last one stopped, on whatever machine that was, as long as nobody's version has changed
(`sums`). Nothing of ours is tuned by what comes out here.
"""

from __future__ import annotations

import json
import shlex
import time
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from importlib import import_module
from math import nan
from statistics import median, quantiles
from typing import Any

from bench.strength import RUNS
from bench.sums import go_on, in_shares
from brelan.bots.levels import COMMAND
from brelan.bots.program import SECONDS
from brelan.bots.protocol import Ask, line
from brelan.lab.arena import Block, Plan, Table, by_moves, pace
from brelan.lab.duels import Shares
from brelan.lab.machine import loaded
from brelan.lab.players import OfProgram, Player, player

SEED = 9101

PEERS = {
    "openspiel": "OpenSpiel's simple bot",
    "rlcard": "RLCard's rule agent",
    "ismcts": "OpenSpiel's IS-MCTS",
}


@dataclass(frozen=True, slots=True)
class Size:
    """A table: which of them meets whom of ours there, over how many deals, and by what rules."""

    game: str
    players: int
    preset: str
    peer: str
    ours: Mapping[str, int]
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: str = ""  # of the peer's

    @property
    def program(self) -> str:
        return f"{COMMAND}python -m bench.peers.{self.peer}_bot{self.settings}"

    @property
    def plans(self) -> list[Plan]:
        """One for each of ours: who thinks longest comes last, and has the time that the others leave."""
        plan = Plan(self.game, (self.program, *self.ours), self.players, self.preset, self.options, seed=SEED, block=10)
        return [replace(plan, deals=deals, pairs=((self.program, level),)) for level, deals in self.ours.items()]


IN_GIN = {"novice": 400, "casual": 400, "skilled": 2_000, "strong": 400, "master": 400}
SIMULATIONS = " --simulations 30"

SIZES = (
    Size("gin", 2, "classic", "openspiel", IN_GIN),
    Size("gin", 2, "classic", "rlcard", dict.fromkeys(IN_GIN, 200)),
    Size("gin", 2, "classic", "ismcts", {"novice": 50}, {"target": 1}, SIMULATIONS),
    Size("mio", 2, "sheet", "ismcts", {"novice": 100, "skilled": 100}, {"target": 1}, SIMULATIONS),
    Size("hawaiki", 2, "sheet", "ismcts", {"novice": 100, "skilled": 100}, {"tokens": 1}, SIMULATIONS),
    Size("companeros", 3, "sheet", "ismcts", {"novice": 100, "skilled": 100}, {}, SIMULATIONS),
    Size("elements", 3, "sheet", "ismcts", {"novice": 50, "skilled": 50}, {}, SIMULATIONS),
)
"""One round is the match where IS-MCTS plays, since its rollouts see no further."""


class Within:
    """A peer within this process, asked in the lines of the protocol as its program is, but over no pipe.

    Two processes that wait for each other on a busy machine do little else: so a run is many times as quick.
    """

    def __init__(self, command: str) -> None:
        module, *settings = shlex.split(command.partition(" -m ")[2])
        self.choose, self.seconds, self.taken = import_module(module).chooser(settings), SECONDS, array("d")

    def move(self, ask: Ask) -> str:
        """Its move; the time of those that leave a choice is kept."""
        said = json.loads(line(ask.to_json()))
        if len(said["legal"]) == 1:
            return str(said["legal"][0])
        began = time.perf_counter()
        move = self.choose(said)
        self.taken.append(1000 * (time.perf_counter() - began))
        return move

    def close(self) -> None:
        """Nothing is open."""


@cache
def peer(name: str) -> Within:
    return Within(name)


def seated(name: str, seconds: float) -> Player:
    """Who plays by that name; a peer is loaded once."""
    return OfProgram(partial(peer, name)) if name.startswith(COMMAND) else player(name, seconds)


def play(plan: Plan, block: Block) -> Shares:
    """Play a block; a move that is not legal loses the match."""
    return by_moves(plan, block, seated)


def rows(size: Size, until: float) -> Iterator[dict[str, Any]]:
    """Play one table as far as the time goes; for each pair how their player did."""
    table = Table(size.plans[0])
    go_on(table, size.plans, RUNS / f"peers-{size.game}-{size.peer}.jsonl", until, play, "here")
    yield from (row(size, table, level) for level in size.ours if table.alone(size.program, level))


def row(size: Size, table: Table, level: str) -> dict[str, Any]:
    """What a pair came to: the share of matches that one of theirs wins alone among ours."""
    share, reach, deals = table.alone(size.program, level) or (0.0, 0.0, 0)
    found = table.of(size.program, level)
    return {
        "game": size.game,
        "preset": size.preset,
        "options": dict(size.options),
        "players": size.players,
        "peer": PEERS[size.peer] + size.settings,
        "against": table.plan.named(level),
        "deals": deals,
        "planned": size.ours[level],
        "share": share,
        "reach": reach,
        "points": found.mean("points"),
        "points_reach": found.reach("points"),
        "faults": found.faults,
        "faults_ours": found.faults_b,
        "milliseconds": {"theirs": quick(peer(size.program).taken), "ours": asdict(pace(table.plan, level))},
    }


def quick(taken: Sequence[float]) -> dict[str, float]:
    """Milliseconds of the moves of this run; none where all its blocks had been played before."""
    if len(taken) < 2:
        return {"median": nan, "p99": nan, "most": nan}
    return {"median": median(taken), "p99": quantiles(taken, n=100, method="inclusive")[98], "most": max(taken)}


def measure(minutes: float, only: tuple[str, ...]) -> dict[str, Any]:
    """Every table of those peers and games (none named: all), sharing the time."""
    sizes = [size for size in SIZES if not only or {size.game, size.peer} & set(only)]
    end, found = time.monotonic() + 60 * minutes, []
    for size, until in in_shares(sizes, end):
        found += rows(size, until)
    return {"machine": loaded(), "seed": SEED, "rows": found}


COLUMNS = (
    "table",
    "their player",
    "against",
    "its share of wins, %",
    "points, its less ours",
    "deals",
    "faults, theirs; ours",
    "ms a move (p99), theirs; ours",
)


def as_text(report: dict[str, Any]) -> str:
    """The report in Markdown."""
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    for one in report["rows"]:
        table = " ".join([one["game"], one["preset"], *(f"{name}={value}" for name, value in one["options"].items())])
        share = f"{100 * one['share']:.1f} ± {100 * one['reach']:.1f}"
        gain = f"{one['points']:+.1f} ± {one['points_reach']:.1f}"
        deals = f"{one['deals']:,}" + (f" of {one['planned']:,}" if one["deals"] < one["planned"] else "")
        took = "; ".join(f"{p['median']:.2g} ({p['p99']:.2g})" for p in one["milliseconds"].values())
        faults = f"{one['faults']}; {one['faults_ours']}"
        cells = [f"{table}, {one['players']} seats", one["peer"], one["against"], share, gain, deals, faults, took]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
