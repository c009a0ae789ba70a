"""What an arena found: the cross table as text, as JSON and as a page with plots."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

from jinja2 import Template
from markupsafe import Markup

from brelan.lab import markdown, plots
from brelan.lab.arena import Pace, Plan, Table
from brelan.lab.machine import loaded


def as_data(table: Table, paces: Mapping[str, Pace | None]) -> dict[str, Any]:
    """Everything that the report says, for programs; a bot that has no pace failed while it was timed."""
    return {
        "plan": planned(table.plan),
        "machine": loaded(),
        "chance": 1 / table.plan.players,
        "shares": [
            {"alone": a, "among": b, "share": round(share, 4), "reach": round(reach, 4), "deals": deals}
            for (a, b), (share, reach, deals) in table.met.items()
        ],
        "ratings": table.ratings(),
        "faults": table.faults(),
        "whys": table.whys(),
        "milliseconds": {bot: {"median": p.median, "p99": p.p99, "max": p.most} for bot, p in paces.items() if p},
    }


def planned(plan: Plan) -> dict[str, Any]:
    """What was to be played, as the report says it."""
    return {
        "game": plan.game,
        "preset": plan.preset,
        "options": dict(plan.options),
        "players": plan.players,
        "bots": list(plan.bots),
        "versions": [plan.named(bot) for bot in plan.bots],
        "deals": plan.deals,
        "seed": plan.seed,
    }


def as_text(data: dict[str, Any]) -> str:
    """The cross table in Markdown, for terminals and docs: a row's share of wins alone among the column's.

    Rows name the versions; a bot that lost matches by what was no move says how many.
    """
    bots = data["plan"]["bots"]
    cells = {(s["alone"], s["among"]): percent(s) for s in data["shares"]}
    rows = [["alone \\ among", *bots, "ladder", "ms (p99)"]]
    for a, named in zip(bots, data["plan"]["versions"], strict=True):
        rows.append([named, *(cells.get((a, b), "·") for b in bots), str(data["ratings"].get(a, "–")), took(data, a)])
    lost = [f"{bot} {n:,}" for bot, n in data["faults"].items()]
    whys = [f"The first of {bot}: {why}" for bot, why in data["whys"].items()]
    return "\n".join([*markdown.table(rows), *([f"\nLost by faults: {', '.join(lost)}."] if lost else []), *whys])


def percent(share: dict[str, Any]) -> str:
    """A share with half the width of its interval; one that rounds to nothing has no sign."""
    return f"{100 * share['share']:z.1f} ± {100 * share['reach']:.1f}"


def took(data: dict[str, Any], bot: str) -> str:
    """A bot's milliseconds to two digits, however short."""
    pace = data["milliseconds"].get(bot)
    return f"{pace['median']:.2g} ({pace['p99']:.2g})" if pace else "–"


def as_page(data: dict[str, Any]) -> str:
    """The same as one HTML file that needs no other."""
    drawn = [Markup(plots.shares(data)), Markup(plots.ladder(data))]  # noqa: S704  (drawn here, of numbers)
    known = {"plan": data["plan"], "machine": data["machine"], "heading": heading(data)}
    said: str = PAGE.render(known, data=data, plots=drawn, percent=percent, took=took)
    return said


def heading(data: dict[str, Any]) -> str:
    plan = data["plan"]
    return f"{plan['game']} ({plan['preset']}), {plan['players']} seats"


PAGE = Template(resources.files("brelan.lab").joinpath("arena.html").read_text("utf-8"), autoescape=True)
