"""Plots of the lab's reports, as SVG that stands in a page by itself. Only here is matplotlib known (extra `lab`)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from brelan.errors import Refusal
from brelan.words import Words

INK, FELT, GOLD, RED = "#1d2b26", "#1f6f54", "#b9862b", "#b03a3a"


def plotter() -> Any:
    """Matplotlib's figure; who does long work for a plot looks for it first."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise Refusal("plots_missing") from None
    return Figure


def canvas(width: float, height: float) -> tuple[Any, Any]:
    """A figure of so many inches, and its axes."""
    figure = plotter()(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def svg(figure: Any) -> str:
    """The drawing itself, without the file's first lines; equal figures give equal text."""
    from matplotlib import rc_context

    out = io.StringIO()
    with rc_context({"svg.hashsalt": "brelan", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def shares(data: dict[str, Any], words: Words) -> str:
    """For each bot, its shares among every other with their intervals, and what chance would give."""
    bots = data["plan"]["bots"]
    figure, axes = canvas(8, 0.6 + 0.22 * len(data["shares"]))
    names = [words("arena.pair", alone=s["alone"], among=s["among"]) for s in data["shares"]]
    places = range(len(names) - 1, -1, -1)
    axes.axvline(100 * data["chance"], color=INK, linewidth=0.8, linestyle=":")
    colours = [FELT if bots.index(s["alone"]) > bots.index(s["among"]) else GOLD for s in data["shares"]]
    for place, share, colour in zip(places, data["shares"], colours, strict=True):
        axes.errorbar(100 * share["share"], place, xerr=100 * share["reach"], fmt="o", color=colour, markersize=3)
    axes.set_yticks(list(places), names, fontsize=8)
    axes.set_xlabel(words("arena.share"))
    return svg(figure)


def ladder(data: dict[str, Any], words: Words) -> str:
    """Strength against time a move, where it was taken."""
    bots = [bot for bot in data["plan"]["bots"] if bot in data["milliseconds"] and bot in data["ratings"]]
    points = [(max(data["milliseconds"][bot]["median"], 0.01), data["ratings"][bot]) for bot in bots]
    return scatter(points, bots, words("arena.pace"), words("arena.points"))


def scatter(points: Sequence[tuple[float, float]], names: Sequence[str], x: str, y: str) -> str:
    """Named points over a logarithmic scale."""
    figure, axes = canvas(6, 3.5)
    for (at, height), name in zip(points, names, strict=True):
        axes.plot(at, height, "o", color=FELT)
        axes.annotate(name, (at, height), textcoords="offset points", xytext=(6, 4), fontsize=9)
    axes.set_xscale("log")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return svg(figure)


def curves(lines: dict[str, list[tuple[float, float, float]]], nothing: float, x: str, y: str) -> str:
    """Named lines of points with their intervals over a logarithmic scale, and where nothing would be gained."""
    figure, axes = canvas(6, 3.5)
    axes.axhline(nothing, color=INK, linewidth=0.8, linestyle=":")
    for (name, points), colour in zip(lines.items(), (FELT, GOLD, RED), strict=False):
        if points:
            at, heights, reaches = zip(*points, strict=True)
            axes.errorbar(at, heights, yerr=reaches, fmt="o-", color=colour, markersize=3, label=name)
    axes.set_xscale("log")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend(frameon=False)
    return svg(figure)


def histogram(sides: Sequence[dict[str, int]], x: str) -> str:
    """How often each value came, by its text, in percent; of two sides one over the other."""
    figure, axes = canvas(6, 2.6)
    most = max(int(value) for counts in sides for value in counts)
    wide = max(1, -(-most // 60))
    for counts, colour in zip(sides, (FELT, GOLD), strict=False):
        shares = [0.0] * (most // wide + 1)
        for value, n in counts.items():
            shares[int(value) // wide] += 100 * n / sum(counts.values())
        axes.stairs(shares, [wide * i for i in range(len(shares) + 1)], color=colour, fill=True, alpha=0.6)
    axes.set_xlabel(x)
    axes.set_ylabel("%")
    return svg(figure)


def intervals(names: Sequence[str], values: Sequence[float], reaches: Sequence[float], nothing: float, x: str) -> str:
    """Values with their intervals, one below the other, and where they would stand if there were nothing to see."""
    figure, axes = canvas(8, 0.8 + 0.22 * len(names))
    places = list(range(len(names) - 1, -1, -1))
    axes.axvline(nothing, color=INK, linewidth=0.8, linestyle=":")
    axes.errorbar(values, places, xerr=reaches, fmt="o", color=FELT, markersize=3)
    axes.set_yticks(places, names, fontsize=8)
    axes.set_xlabel(x)
    return svg(figure)
