"""What each part of the bots is worth, and what time buys: the plots of docs/bots.md, with sizes and seed written down.

    python -m bench.ablations [--game hawaiki] [--minutes 30]

Every variant is the level `skilled` with other numbers: P as it is; P+G, the net asked right behind each move; P+R, the
search; P+G+R, the search that asks the net on its way. They sit alone among P, and among novices. Then the search with
ever more worlds, with and without the net. Times are the processor's. A run goes on where the last one stopped
(`sums`); a table that rests on more deals than its sums hold stands.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from typing import Any

from bench.strength import REPORTS, RUNS, Setting, in_turn
from bench.sums import go_on
from brelan import games
from brelan.bots.levels import net_of
from brelan.lab import markdown, plots
from brelan.lab.arena import Plan, Table, pace
from brelan.lab.arena_report import percent, took
from brelan.lab.machine import loaded
from brelan.words import Words

SEED = 9101

WORLDS = (8, 32, 128, 512, 2048)
USUAL = 64
"""The worlds of the ablation."""

GATE = 100
"""A gate that costs many worlds little and makes few mistakes, in hundredths of a standard error."""

FOES = ("skilled", "novice")

LINES = ((plots.FELT, "o", (-4, 4), "right"), (plots.GOLD, "s", (4, -10), "left"))
"""Of each line, of which there are two at most: colour, sign, and on which side of its points their names stand."""


@dataclass(frozen=True, slots=True)
class Case(Setting):
    """A table: its deals without search and with, its net, and when that is asked."""

    quick: int
    slow: int
    values: str = "g1"
    depth: int = 6

    def searching(self, worlds: int, net: bool, depth: int | None = None) -> str:
        """The search with so many worlds, as the lab names it."""
        asks = f"+values={self.values}+depth={self.depth if depth is None else depth}" if net else ""
        return f"skilled+worlds={worlds}+gate={GATE}{asks}"

    @property
    def has_net(self) -> bool:
        return net_of(games.find(self.game), self.values, self.players) is not None

    @property
    def variants(self) -> dict[str, str]:
        """The parts by their usual names; G where a net was learnt for the table."""
        known = {"P": "skilled", "P+R": self.searching(USUAL, False)}
        asking = {"P+G": self.searching(USUAL, True, 0), "P+G+R": self.searching(USUAL, True)}
        return known | asking if self.has_net else known

    @property
    def curves(self) -> dict[str, dict[int, str]]:
        """The lines of the plot: the search by its worlds, with the net where there is one."""
        asking = {"P+R": False, "P+G+R": True} if self.has_net else {"P+R": False}
        return {name: {n: self.searching(n, asks) for n in WORLDS} for name, asks in asking.items()}


CASES = (
    Case("gin", 2, "classic", 20_000, 2_000),
    Case("mio", 4, "sheet", 20_000, 2_000),
    Case("hawaiki", 2, "sheet", 20_000, 2_000),
    Case("companeros", 3, "sheet", 20_000, 2_000),
    Case("elements", 3, "sheet", 20_000, 2_000),
)


def plans(case: Case) -> list[Plan]:
    """P among novices, the other variants among both, then the search with ever more worlds, by turns."""
    variants = list(case.variants.values())
    parts = [(bot, foe) for bot in variants[1:] for foe in FOES]
    curves = [(line[worlds], FOES[0]) for worlds in WORLDS for line in case.curves.values()]
    quick = Plan(case.game, FOES, case.players, case.preset, deals=case.quick, seed=SEED, block=1000)
    rest = tuple(dict.fromkeys([*parts, *curves]))
    bots = tuple(dict.fromkeys([*FOES, *(bot for bot, _ in rest)]))
    return [quick, Plan(case.game, bots, case.players, case.preset, deals=case.slow, seed=SEED, pairs=rest, block=10)]


def measure(case: Case, until: float) -> bool:
    """Play one table as far as the time goes, and write down what it is by then; whether it is whole."""
    table = Table(plans(case)[-1])
    whole = go_on(table, plans(case), RUNS / f"ablations-{case.name}.jsonl", until)
    write(case, as_data(case, table))
    return whole


def as_data(case: Case, table: Table) -> dict[str, Any]:
    """What was found, for programs."""
    taken = {bot: pace(table.plan, bot, clock=time.thread_time) for bot in table.plan.bots}

    def found(bot: str, foe: str) -> dict[str, Any] | None:
        share = table.alone(bot, foe)
        if not share:
            return None
        took = {"median": taken[bot].median, "p99": taken[bot].p99}
        return {"share": round(share[0], 4), "reach": round(share[1], 4), "deals": share[2], "milliseconds": took}

    lines = {name: [(n, found(bot, FOES[0])) for n, bot in line.items()] for name, line in case.curves.items()}
    return {
        "plan": {"game": case.game, "players": case.players, "preset": case.preset, "deals": case.slow, "seed": SEED},
        "machine": loaded(),
        "chance": 1 / case.players,
        "versions": {bot: table.plan.named(bot) for bot in (*FOES, *case.variants.values())},
        "variants": {n: {foe: found(bot, foe) for foe in FOES} for n, bot in case.variants.items()},
        "names": case.variants,
        "curves": {name: {str(n): at for n, at in line if at} for name, line in lines.items()},
    }


def write(case: Case, data: dict[str, Any]) -> None:
    """The figures for people and for programs, and the plot, unless those that stand there rest on more."""
    place = REPORTS / f"ablations-{case.name}"
    file, own = place.with_suffix(".json"), deals(data)
    published = deals(json.loads(file.read_text("utf-8"))) if file.is_file() else 0
    if own < published:
        print(f"{case.name}: the table of {published:,} deals stands until this run, now at {own:,}, has as many")
        return
    file.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    text = as_text(data)
    place.with_suffix(".md").write_text(f"{text}\n\n![{described(data)}]({place.name}.svg)\n", "utf-8")
    place.with_suffix(".svg").write_text(drawn(data), "utf-8")
    print(f"\n## {case.name}\n\n{text}", flush=True)


def drawn(data: dict[str, Any]) -> str:
    """The plot: what the worlds bring, each point with their number, by the time that they take."""
    lines = {name: {worlds: point(at) for worlds, at in line.items()} for name, line in data["curves"].items()}
    x, y = "milliseconds a move (median)", f"share of wins among {FOES[0]}, %"
    return curves(lines, 100 * data["chance"], x, y)


def curves(lines: dict[str, dict[str, tuple[float, float, float]]], nothing: float, x: str, y: str) -> str:
    """Named lines of named points with their intervals over a logarithmic scale, and where nothing would be gained."""
    figure, axes = plots.canvas(6, 3.5)
    axes.axhline(nothing, color=plots.INK, linewidth=0.8, linestyle=":")
    told = {name: points for name, points in lines.items() if points}
    for (name, points), (colour, sign, aside, side) in zip(told.items(), LINES, strict=False):
        at, heights, reaches = zip(*points.values(), strict=True)
        axes.errorbar(at, heights, yerr=reaches, fmt=f"{sign}-", color=colour, markersize=4, label=name)
        for said, (here, height, _) in points.items():
            axes.annotate(said, (here, height), textcoords="offset points", xytext=aside, ha=side, fontsize=7)
    plots.in_decades(axes, [at for points in lines.values() for at, *_ in points.values()])
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return plots.svg(figure)


def described(data: dict[str, Any]) -> str:
    """What the plot shows, for who does not see it: of each line its ends."""
    plan = data["plan"]
    table = f"{games.find(plan['game']).title}, {plan['players']} seats, {plan['preset']}"
    lines = [f"{name} from {' to '.join(ends(line))}" for name, line in data["curves"].items() if line]
    return f"{table}: share of wins among {FOES[0]}, %, by the time of a move; {'; '.join(lines)}"


def ends(line: dict[str, Any]) -> list[str]:
    """The fewest worlds of a line and the most, with what they bring."""
    few, *_, many = line if len(line) > 1 else [*line, *line]
    return [f"{cell(line[worlds])} with {worlds} worlds" for worlds in (few, many)]


def deals(data: dict[str, Any]) -> int:
    """All that the figures rest on."""
    rows = [*data["variants"].values(), *data["curves"].values()]
    return sum(at["deals"] for row in rows for at in row.values() if at)


def point(at: dict[str, Any]) -> tuple[float, float, float]:
    return at["milliseconds"]["median"], 100 * at["share"], 100 * at["reach"]


def as_text(data: dict[str, Any]) -> str:
    """Two tables in Markdown: the parts, and what the worlds bring."""
    heads = ["", *(f"alone among {foe}" for foe in FOES), "deals", "ms (p99)"]
    rows = [[name, *(cell(at[foe]) for foe in FOES), *rest(list(at.values()))] for name, at in data["variants"].items()]
    lines = data["curves"]
    worlds = [
        [worlds, *(cell(line.get(worlds)) for line in lines.values())]
        + [text for line in lines.values() for text in rest([line.get(worlds)])]
        for worlds in map(str, WORLDS)
    ]
    more = ["worlds", *lines, *(f"{name}: {what}" for name in lines for what in ("deals", "ms (p99)"))]
    return "\n".join([*markdown.table([heads, *rows]), "", *markdown.table([more, *worlds])])


def cell(at: dict[str, Any] | None) -> str:
    return percent(at, Words("en")) if at else "·"


def rest(found: list[dict[str, Any] | None]) -> list[str]:
    """Over how many deals, and how long it thought."""
    some = [at for at in found if at]
    if not some:
        return ["·", "·"]
    return [" / ".join(f"{at['deals']:,}" for at in some), took(some[0]["milliseconds"], Words("en"))]


if __name__ == "__main__":
    sys.exit(in_turn("ablations", CASES, measure))
