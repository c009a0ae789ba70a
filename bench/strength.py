"""How strong the levels are: every cross table of docs/bots.md, with its deals and seed written down before it is run.

    python -m bench.strength [--game gin] [--minutes 30]

A run goes on where the last one stopped, on whatever machine that was (`sums`); a table stands in docs/bots/ as it is
after so many deals. Times are the processor's.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from bench.sums import go_on, in_shares
from brelan.bots.levels import NAMES
from brelan.lab.arena import Plan, Table, pace
from brelan.lab.arena_report import as_data, as_text
from brelan.words import Words

SEED = 9001
QUICK = ("random", "novice", *NAMES[:3])
"""Those that do not search: their matches cost next to nothing."""

STRONG = (("novice", "strong"), ("skilled", "strong"))
MASTER = (("novice", "master"), ("strong", "master"))
"""The steps that those that search must show."""

FAR = tuple((a, b) for b in NAMES[3:] for a in (*QUICK, "strong") if (a, b) not in STRONG + MASTER and a != b)
"""Whom else they meet: what comes of that is plain after few deals."""

FEW = 6
"""A pair that has played fewer deals is not published."""

ENOUGH = 200
"""People are told the strength of a level that has played so many deals against the novice."""

RUNS = Path(__file__).parent / "runs"
REPORTS = RUNS.parents[1] / "docs/bots"
GAMES = RUNS.parents[1] / "src/brelan/games"


@dataclass(frozen=True, slots=True)
class Setting:
    """Who sits down to what: a table of docs/bots.md is about one setting, and bears its name."""

    game: str
    players: int
    preset: str

    @property
    def name(self) -> str:
        return f"{self.game}-{self.preset}-{self.players}"


@dataclass(frozen=True, slots=True)
class Size(Setting):
    """How many deals each pair plays, by who is in it."""

    quick: int
    strong: int
    master: int
    far: int = 30


SIZES = (
    Size("gin", 2, "classic", 20_000, 2_000, 2_000),
    Size("gin", 2, "sheet", 20_000, 2_000, 2_000),
    Size("mio", 2, "sheet", 20_000, 20_000, 2_000),
    Size("mio", 4, "sheet", 20_000, 2_000, 2_000),
    Size("hawaiki", 2, "sheet", 20_000, 20_000, 2_000),
    Size("hawaiki", 4, "sheet", 20_000, 2_000, 500, 10),
    Size("companeros", 3, "sheet", 20_000, 20_000, 2_000),
    Size("companeros", 6, "sheet", 20_000, 2_000, 500, 10),
    Size("elements", 3, "sheet", 20_000, 20_000, 1_000),
    Size("elements", 5, "sheet", 20_000, 2_000, 500, 10),
)


def plans(size: Size) -> list[Plan]:
    """The pairs that do not search, the far ones, the steps."""
    plan = Plan(size.game, (*QUICK, *NAMES[3:]), size.players, size.preset, seed=SEED, block=2)
    quick = replace(plan, pairs=tuple(combinations(QUICK, 2)), deals=size.quick, block=1000)
    strong = replace(plan, pairs=STRONG, deals=size.strong, block=10)
    return [quick, replace(plan, pairs=FAR, deals=size.far), strong, replace(plan, pairs=MASTER, deals=size.master)]


def measure(size: Size, until: float) -> bool:
    """Play one table as far as the time goes, and write down what it is by then; whether it is whole."""
    table = Table(plans(size)[-1])
    whole = go_on(table, plans(size), RUNS / f"{size.name}.jsonl", until)
    report(size, table)
    return whole


def report(size: Size, table: Table) -> None:
    """Write the table for people and for programs, without the pairs of which hardly anything is known yet."""
    REPORTS.mkdir(exist_ok=True)
    table = Table(table.plan, {block: came for block, came in table.came.items() if came.deals >= FEW})
    words = Words("en")
    data = as_data(table, {bot: pace(table.plan, bot, clock=time.thread_time) for bot in table.plan.bots}, words)
    (REPORTS / f"{size.name}.json").write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    order = list(data["plan"]["bots"])
    pairs = {(share["alone"], share["among"]): share["deals"] for share in data["shares"]}
    few = [f"{a}–{b} {n:,}" for (a, b), n in pairs.items() if n < size.quick and order.index(a) < order.index(b)]
    text = f"{as_text(data, words)}\n\n{size.quick:,} deals a pair{', but ' + ', '.join(few) if few else ''}.\n"
    (REPORTS / f"{size.name}.md").write_text(text, "utf-8")
    publish(GAMES / size.game / "strengths.json", data)
    print(f"\n## {size.name}\n\n{text}", flush=True)


def publish(file: Path, data: dict[str, Any]) -> None:
    """Tell people how strong the levels are: the ladder of each table, to the next ten."""
    plan = data["plan"]
    ids = dict(zip(plan["bots"], plan["versions"], strict=True))
    deals = {share["alone"]: share["deals"] for share in data["shares"] if share["among"] == "novice"}
    known = {ids[bot]: 10 * round(data["ratings"][bot] / 10) for bot in NAMES if deals.get(bot, 0) >= ENOUGH}
    told = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    sizes, size = told.setdefault(plan["preset"], {}), str(plan["players"])
    sizes[size] = sizes.get(size, {}) | known  # what older versions came to stays
    file.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def in_turn(name: str, sizes: Sequence[Any], measure: Callable[[Any, float], bool]) -> int:
    """Measure each table that the command line asks for until its time is up; what is whole leaves it to the others."""
    parser = argparse.ArgumentParser(f"python -m bench.{name}")
    games = dict.fromkeys(size.game for size in sizes)
    parser.add_argument("--game", choices=[*games], help="whose tables alone are measured")
    parser.add_argument("--minutes", type=float, default=600, help="after so many no more is begun (%(default)s)")
    asked = parser.parse_args()
    wanted = [size for size in sizes if asked.game in (None, size.game)]
    until = time.monotonic() + 60 * asked.minutes
    while True:
        whole = sum(measure(size, share) for size, share in in_shares(wanted, until))
        if whole == len(wanted) or time.monotonic() > until:
            print(f"{whole} of {len(wanted)} tables are whole")
            return 0


if __name__ == "__main__":
    sys.exit(in_turn("strength", SIZES, measure))
