"""What an arena found: the cross table as text, as JSON and as a page with plots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brelan.lab import markdown, plots
from brelan.lab.arena import Pace, Plan, Table
from brelan.lab.machine import REPORT, loaded
from brelan.lab.page import page
from brelan.lab.players import MOST
from brelan.options import as_given
from brelan.words import Words


def as_data(table: Table, paces: Mapping[str, Pace | None], words: Words) -> dict[str, Any]:
    """Everything that the report says, for programs, what faults were in the reader's words; a bot that has no pace
    failed while it was timed, or has not been timed yet.
    """
    return {
        "report": REPORT,
        "plan": planned(table.plan),
        "machine": loaded(),
        "chance": 1 / table.plan.players,
        "shares": [
            {"alone": a, "among": b, "share": round(share, 4), "reach": round(reach, 4), "deals": deals}
            for (a, b), (share, reach, deals) in table.met.items()
        ],
        "ratings": table.ratings(),
        "faults": table.faults(),
        "endless": table.endless(),
        "whys": {bot: words.refusal(why) for bot, why in table.whys().items()},
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
        **({"salt": plan.salt} if plan.salt else {}),
    }


def as_text(data: dict[str, Any], words: Words) -> str:
    """The cross table in Markdown, for terminals and docs, what was lost by faults and what did not end."""
    lost = faults(data, words)
    return "\n".join([*markdown.table(cells(data, words)), *(["", *lost] if lost else [])])


def cells(data: dict[str, Any], words: Words) -> list[list[str]]:
    """A row's share of wins alone among the column's; rows name the versions."""
    bots = data["plan"]["bots"]
    shares = {(s["alone"], s["among"]): percent(s, words) for s in data["shares"]}
    rows = [[words("arena.corner"), *bots, words("arena.ladder"), "ms (p99)"]]
    for a, named in zip(bots, data["plan"]["versions"], strict=True):
        pace = data["milliseconds"].get(a)
        points = words.written(str(data["ratings"].get(a, "–")))
        rows.append([named, *(shares.get((a, b), "·") for b in bots), points, took(pace, words) if pace else "–"])
    return rows


def took(pace: Mapping[str, float], words: Words) -> str:
    """The median of a move's milliseconds, and their 99th percentile: whole from ten on, else of two digits."""
    median, p99 = (f"{ms:,.0f}" if ms >= 9.95 else f"{ms:#.2g}" for ms in (pace["median"], pace["p99"]))
    return words.written(f"{median} ({p99})")


def percent(share: dict[str, Any], words: Words) -> str:
    """A share with half the width of its interval; one that rounds to nothing has no sign."""
    return words.written(f"{100 * share['share']:z.1f} ± {100 * share['reach']:.1f}")


def faults(data: dict[str, Any], words: Words) -> list[str]:
    """Which bots lost how many matches by what was no move, what the first of each was, and whose did not end."""
    lost, endless = counts(data["faults"], words), counts(data["endless"], words)
    first = [words("arena.first", bot=bot, why=why) for bot, why in data["whys"].items()]
    shared = [words("arena.endless", most=words.count(MOST), bots=endless)] if endless else []
    return [*([words("arena.lost", lost=lost)] if lost else []), *first, *shared]


def counts(of: Mapping[str, int], words: Words) -> str:
    """Of each bot how many."""
    return ", ".join(f"{bot} {words.count(n)}" for bot, n in of.items())


def opening(data: dict[str, Any], words: Words) -> list[str]:
    """What is to be known before the table is read: the game, the deals and what the figures are, the options."""
    plan = data["plan"]
    heading = words("arena.heading", game=plan["game"], preset=plan["preset"], players=plan["players"])
    n = plan["deals"]
    played = words("arena.played", n=n, deals=words.count(n), seed=plan["seed"])
    how = words("arena.how", chance=words.number(100 * data["chance"]))
    options = ", ".join(f"{name}={as_given(value)}" for name, value in plan["options"].items())
    salted = [words("arena.salted", salt=plan["salt"])] if "salt" in plan else []
    return [heading, f"{played} {how}", *salted, *([words("arena.options", options=options)] if options else [])]


def as_page(data: dict[str, Any], words: Words) -> str:
    """All of it as one HTML file that needs no other."""
    heading, *intro = opening(data, words)
    drawn = (words("arena.shares"), shares_plot(data, words)), (words("arena.strength"), ladder_plot(data, words))
    return page("arena", heading, intro, [("", cells(data, words))], drawn, data["machine"], words, faults(data, words))


def shares_plot(data: dict[str, Any], words: Words) -> str:
    """For each bot, its shares among every other with their intervals, and what chance would give."""
    names = [words("arena.pair", alone=s["alone"], among=s["among"]) for s in data["shares"]]
    values = [100 * s["share"] for s in data["shares"]]
    reaches = [100 * s["reach"] for s in data["shares"]]
    # no share lies below nothing or above all, nor does its interval
    sides = [[min(r, max(v, 0)) for v, r in zip(values, reaches, strict=True)]]
    sides += [[min(r, max(100 - v, 0)) for v, r in zip(values, reaches, strict=True)]]
    return plots.intervals(names, values, sides, 100 * data["chance"], words("arena.share"))


def ladder_plot(data: dict[str, Any], words: Words) -> str:
    """Strength against time a move, where it was taken."""
    bots = [bot for bot in data["plan"]["bots"] if bot in data["milliseconds"] and bot in data["ratings"]]
    points = [(max(data["milliseconds"][bot]["median"], 0.01), data["ratings"][bot]) for bot in bots]
    return plots.scatter(points, bots, words("arena.pace"), words("arena.points"))
