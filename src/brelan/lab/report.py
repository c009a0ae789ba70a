"""What an arena found: the cross table as text, as JSON and as a page with plots."""

from __future__ import annotations

import os
import platform
from importlib import resources
from importlib.metadata import version
from typing import Any

from jinja2 import Template
from markupsafe import Markup

from brelan import __version__
from brelan.lab import figures
from brelan.lab.arena import Pace, Table


def as_data(table: Table, paces: dict[str, Pace]) -> dict[str, Any]:
    """Everything that the report says, for programs."""
    plan = table.plan
    pairs = [(a, b) for a in plan.bots for b in plan.bots if a != b and table.alone(a, b)]
    return {
        "plan": {
            "game": plan.game,
            "preset": plan.preset,
            "options": dict(plan.options),
            "players": plan.players,
            "bots": list(plan.bots),
            "deals": plan.deals,
            "seed": plan.seed,
        },
        "machine": machine(),
        "chance": 1 / plan.players,
        "shares": [_share(table, a, b) for a, b in pairs],
        "ratings": table.ratings(),
        "milliseconds": {bot: {"median": p.median, "p99": p.p99, "max": p.most} for bot, p in paces.items()},
    }


def machine() -> dict[str, Any]:
    """Where it ran."""
    return {
        "brelan": __version__,
        "python": platform.python_version(),
        "numba": version("numba"),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }


def _share(table: Table, a: str, b: str) -> dict[str, Any]:
    share, reach, deals = table.alone(a, b) or (0.0, 0.0, 0)
    return {"alone": a, "among": b, "share": round(share, 4), "reach": round(reach, 4), "deals": deals}


def as_text(data: dict[str, Any]) -> str:
    """The cross table in Markdown, for terminals and docs: a row's share of wins alone among the column's."""
    bots = data["plan"]["bots"]
    cells = {(s["alone"], s["among"]): f"{100 * s['share']:.1f} ± {100 * s['reach']:.1f}" for s in data["shares"]}
    rows = [["alone \\ among", *bots, "ladder", "ms (p99)"]]
    for a in bots:
        pace = data["milliseconds"].get(a)
        took = f"{pace['median']:.2g} ({pace['p99']:.2g})" if pace else "–"
        rows.append([a, *(cells.get((a, b), "·") for b in bots), str(data["ratings"].get(a, "–")), took])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def as_page(data: dict[str, Any]) -> str:
    """The same as one HTML file that needs no other."""
    drawn = [Markup(figures.shares(data)), Markup(figures.ladder(data))]  # noqa: S704  (drawn here, of numbers)
    said: str = PAGE.render(plan=data["plan"], machine=data["machine"], data=data, plots=drawn, heading=heading(data))
    return said


def heading(data: dict[str, Any]) -> str:
    plan = data["plan"]
    return f"{plan['game']} ({plan['preset']}), {plan['players']} seats"


PAGE = Template(resources.files("brelan.lab").joinpath("arena.html").read_text("utf-8"), autoescape=True)
