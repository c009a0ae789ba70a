"""What weighing a game found: as text, as JSON, as CSV and as a page with plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from brelan import games
from brelan.lab import arena, markdown, plots
from brelan.lab.balance import (
    SURVEY,
    Measure,
    Plan,
    Sums,
    alike,
    difference,
    endings,
    felt,
    figure,
    measures,
    worths,
)
from brelan.lab.courses import VALUES
from brelan.lab.machine import REPORT, loaded
from brelan.lab.page import page
from brelan.options import as_given
from brelan.words import Words

QUANTILES = (1, 10, 50, 90, 99)
"""In percent."""

Cells = list[list[str]]


def as_data(
    plan: Plan,
    sums: Sums,
    seconds: float,
    swept: Sequence[tuple[str, Any, Sums]] = (),
    skill: arena.Table | None = None,
) -> dict[str, Any]:
    """Everything that the report says, for programs. `seconds` is what a move is taken to last."""
    sides = range(len(plan.sides))
    return {
        "report": REPORT,
        "plan": {**asdict(plan), "matches": sums.matches},
        "machine": loaded(),
        "seconds": seconds,
        "reweighted": len(sides) == 2 and plan.minds()[0] != plan.minds()[1],  # players change along with the rules
        "same": len(sides) == 2 and alike(sums),
        "versions": [level.id for level in plan.levels(0)],
        "figures": [
            told for measure in measures(plan.players, seconds) if (told := _figure(sums, measure, len(sides)))
        ],
        "counts": [sums.counts[side] for side in sides],
        "quantiles": [{name: quantiles(found) for name, found in sums.counts[side].items()} for side in sides],
        "endings": [_endings(plan, side) for side in sides],
        "cards": [_cards(plan, sums, side) for side in sides],
        "options": [_option(plan, *one) for one in swept],
        "skill": [_pair(skill, *pair) for pair in skill.plan.pairs] if skill else [],
    }


def _figure(sums: Sums, measure: Measure, sides: int) -> dict[str, Any] | None:
    found = [figure(sums, measure, side) for side in range(sides)]
    if None in found:
        return None
    told = {"name": measure.name, "place": measure.place, "sides": [asdict(one) for one in found if one]}
    by = difference(sums, measure) if sides == 2 else None
    return told | ({"difference": asdict(by)} if by else {})


def quantiles(counts: dict[str, int]) -> dict[str, int]:
    """The least value that so many percent of the matches do not exceed."""
    values, n, found, seen = sorted(map(int, counts)), sum(counts.values()), {}, 0
    wanted = list(QUANTILES)
    for value in values:
        seen += counts[str(value)]
        while wanted and seen * 100 >= wanted[0] * n:
            found[str(wanted.pop(0))] = value
    return found


def spanned(value: int) -> str:
    """A quantile, which from the last place on only says that it is not less."""
    return f"≥ {value}" if value == VALUES - 1 else str(value)


def _endings(plan: Plan, side: int) -> list[dict[str, Any]]:
    return [{"reason": reason, "rule": rule, **asdict(share)} for reason, rule, share in endings(plan, side)]


def _cards(plan: Plan, sums: Sums, side: int) -> list[dict[str, Any]]:
    """The cards by what hands with them gained, the best first."""
    text = games.find(plan.game).notation.card_text
    told = [{"card": text(card), "hands": n, **asdict(worth)} for card, worth, n in worths(sums, side, plan.players)]
    return sorted(told, key=lambda one: -one["value"])


def _option(plan: Plan, name: str, value: Any, sums: Sums) -> dict[str, Any]:
    """What a change of an option does: `same` not a match differs, `unfelt` no figure does beyond chance, `felt`."""
    moved = felt(sums, plan.players)
    what = "same" if alike(sums) else "felt" if moved else "unfelt"
    told = [{"name": measure.name, "place": measure.place, **asdict(by)} for measure, by in moved]
    return {"option": name, "value": value, "matches": sums.matches, "verdict": what, "moves": told}


def _pair(table: arena.Table, better: str, worse: str) -> dict[str, Any]:
    share, reach, deals = table.alone(better, worse) or (0.0, 0.0, 0)
    return {"alone": better, "among": worse, "value": 100 * share, "reach": 100 * reach, "deals": deals}


# ---------------------------------------------------------------- as text


def said(figure: dict[str, Any], words: Words, sign: str = "") -> str:
    """A figure with half the width of its interval, both to the digit that the latter makes worth saying; what rounds
    to nothing has no minus.
    """
    digits = 3 if figure["reach"] < 0.05 else 2 if figure["reach"] < 0.5 else 1
    return words.written(f"{figure['value']:{sign}z.{digits}f} ± {figure['reach']:.{digits}f}")


def label(told: dict[str, Any], words: Words) -> str:
    """The name of a figure; `place` counts seats from the one that opens."""
    return words(f"balance.{told['name']}", place=told["place"] + 1)


def tables(data: dict[str, Any], words: Words) -> Iterator[tuple[str, Cells]]:
    """The report as titled tables, each with its head: what all its forms say."""
    plan, two, spoken = data["plan"], len(data["endings"]) == 2, Words(words.language, data["plan"]["game"])
    sides = ["A", "B"] if two else [words("balance.value")]
    rows = [
        [
            label(one, words),
            *(said(side, words) for side in one["sides"]),
            *([said(one["difference"], words, "+")] if two else []),
        ]
        for one in data["figures"]
    ]
    yield words("balance.figures"), [["", *sides, *(["B − A"] if two else [])], *rows]
    percent = [words.percent(q / 100) for q in QUANTILES]
    for name, found in zip(sides, data["quantiles"], strict=True):
        rows = [[words(f"balance.{what}"), *(spanned(q[str(p)]) for p in QUANTILES)] for what, q in found.items()]
        yield words("balance.spans", side=f"({name})" if two else ""), [["", *percent], *rows]
    looked = min(plan["matches"], SURVEY)
    for name, ends in zip(sides, data["endings"], strict=True):
        rows = [[spoken(f"ending.{one['reason']}"), one["rule"], said(one, words)] for one in ends]
        yield words("balance.endings", n=looked, side=f"({name})" if two else ""), [["", "", "%"], *rows]
    if not two:
        yield from lone_tables(data, words, spoken)


def lone_tables(data: dict[str, Any], words: Words, spoken: Words) -> Iterator[tuple[str, Cells]]:
    """What is said of one set of rules only: its cards, options and levels."""
    cards = data["cards"][0]
    rows = [[one["card"], said(one, words, "+")] for one in (*cards[:5], *cards[5:][-5:])]
    yield words("balance.cards"), [["", words("balance.value")], *rows]
    rows = [
        [f"{spoken('option.' + one['option'])} ({one['option']})", as_given(one["value"]), verdict(one, words)]
        for one in data["options"]
    ]
    yield words("balance.options"), [["", "", ""], *rows]
    rows = [[words("arena.pair", alone=one["alone"], among=one["among"]), said(one, words)] for one in data["skill"]]
    chance = words.percent(1 / data["plan"]["players"], 1)
    yield words("balance.skill", chance=chance), [["", "%"], *rows]


def verdict(one: dict[str, Any], words: Words) -> str:
    """What a change of an option does, in words."""
    if one["verdict"] != "felt":
        return words(f"balance.{one['verdict']}")
    return words("table.apart").join(f"{label(move, words)} {said(move, words, '+')}" for move in one["moves"][:3])


def heading(data: dict[str, Any], words: Words) -> str:
    """Which rules, and how many matches by whom."""
    plan = data["plan"]
    sides = [rules_of(plan["preset"], plan["options"])]
    sides += [rules_of(plan["against"], plan["changed"])] if plan["against"] else []
    names = " / ".join(f"{name} = {side}" for name, side in zip("AB", sides, strict=False))
    bots = ", ".join(data["versions"])
    return words(
        "balance.heading",
        game=games.find(plan["game"]).title,
        players=plan["players"],
        rules=names.removeprefix("A = ") if len(sides) == 1 else names,
        matches=words.count(plan["matches"]),
        bots=words("balance.reweighted", bots=bots) if data["reweighted"] else bots,
        seconds=words.written(f"{data['seconds']:g}"),
    )


def rules_of(preset: str, options: dict[str, Any]) -> str:
    return ", ".join([preset, *(f"{name}={as_given(value)}" for name, value in options.items())])


def intro(data: dict[str, Any], words: Words) -> list[str]:
    """What stands under the heading: whether anything differs at all, and how figures are read."""
    same = words("terminal.labelled", label="B − A", text=words("balance.same"))
    return [*([same] if data["same"] else []), words("balance.how")]


def as_text(data: dict[str, Any], words: Words) -> str:
    """The report in Markdown, for terminals and docs."""
    parts = [heading(data, words), *intro(data, words)]
    for title, rows in tables(data, words):
        parts.append(f"{title.strip()}\n\n" + "\n".join(markdown.table(rows)))
    return "\n\n".join(parts)


# ---------------------------------------------------------------- as CSV, and as a page


def as_csv(data: dict[str, Any]) -> str:
    """One figure a row: what it tells, of which place if it is one's, counted from 1 as in the text, and of which side;
    its value and half the width of its interval.
    """
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    write.writerow(["part", "name", "place", "side", "value", "reach"])
    for one in data["figures"]:
        told = [*zip("AB", one["sides"], strict=False), ("B-A", one.get("difference"))]
        write.writerows(["figure", one["name"], numbered(one["place"]), side, *f.values()] for side, f in told if f)
    for side, ends, cards in zip("AB", data["endings"], data["cards"], strict=False):
        write.writerows(["ending", f"{e['reason']} {e['rule']}", "", side, e["value"], e["reach"]] for e in ends)
        write.writerows(["card", c["card"], "", side, c["value"], c["reach"]] for c in cards)
    for one in data["options"]:
        name = f"{one['option']}={as_given(one['value'])}: {one['verdict']}"
        write.writerow(["option", name, "", "B-A", "", ""])
        write.writerows(
            ["option", f"{name} {m['name']}", numbered(m["place"]), "B-A", m["value"], m["reach"]] for m in one["moves"]
        )
    write.writerows(
        ["skill", f"{s['alone']} among {s['among']}", "", "A", s["value"], s["reach"]] for s in data["skill"]
    )
    return out.getvalue()


def numbered(place: int) -> str:
    """A place as people count; nothing where a figure is of the whole table."""
    return str(place + 1) if place >= 0 else ""


def as_page(data: dict[str, Any], words: Words) -> str:
    """The same as one HTML file that needs no other."""
    parts = intro(data, words), tables(data, words), drawn(data, words)
    return page("balance", heading(data, words), *parts, data["machine"], words)


def drawn(data: dict[str, Any], words: Words) -> Iterator[tuple[str, str]]:
    """Titled: lengths and margins, and of two sides what differs; of one, the seats' shares."""
    for name in ("decisions", "rounds", "margin"):
        sides, what = dict(zip("AB", (side[name] for side in data["counts"]), strict=False)), words(f"balance.{name}")
        yield words("balance.often", what=what), plots.histogram(sides, what, words("balance.often_of"))
    yield differences(data, words) if len(data["endings"]) == 2 else victories(data, words)


def differences(data: dict[str, Any], words: Words) -> tuple[str, str]:
    """What the second side has more of each figure, measured by the half width of its interval."""
    moved = [one for one in data["figures"] if one["difference"]["reach"]]
    parts = [one["difference"]["value"] / one["difference"]["reach"] for one in moved]
    names, title = [label(one, words) for one in moved], words("balance.in_reaches")
    return title, plots.intervals(names, parts, [1.0] * len(parts), 0, title)


def victories(data: dict[str, Any], words: Words) -> tuple[str, str]:
    """What each place wins."""
    shares = [one for one in data["figures"] if one["name"] == "won"]
    values, reaches = zip(*(one["sides"][0].values() for one in shares), strict=True)
    names, title, chance = [label(one, words) for one in shares], words("balance.victories"), data["plan"]["players"]
    return title, plots.intervals(names, values, reaches, 100 / chance, "%")
