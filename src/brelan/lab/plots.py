"""Plots of the lab's reports, as SVG that stands in a page by itself. Only here is matplotlib known (extra `lab`)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from math import floor, log10
from typing import Any

from brelan.errors import Refusal

INK, FELT, GOLD = "#1d2b26", "#1f6f54", "#b9862b"

SIDES = ({"color": FELT, "fill": True, "alpha": 0.6}, {"color": GOLD, "fill": False, "lw": 1.5, "ls": "--"})
"""How the first side is drawn, and the second over it: an outline, since of two areas none would stay what it is."""


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


def scatter(points: Sequence[tuple[float, float]], names: Sequence[str], x: str, y: str) -> str:
    """Named points over a logarithmic scale."""
    figure, axes = canvas(6, 3.5)
    for (at, height), name in zip(points, names, strict=True):
        axes.plot(at, height, "o", color=FELT)
        axes.annotate(name, (at, height), textcoords="offset points", xytext=(6, 4), fontsize=9)
    in_decades(axes, [at for at, _ in points])
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return svg(figure)


def in_decades(axes: Any, values: Sequence[float]) -> None:
    """A logarithmic scale of whole powers of ten, which alone are labelled: between them labels lie over each other."""
    from matplotlib.ticker import NullFormatter

    axes.set_xscale("log")
    axes.xaxis.set_minor_formatter(NullFormatter())
    if values:
        axes.set_xlim(10 ** floor(log10(min(values))), 10 ** (floor(log10(max(values))) + 1))


def histogram(sides: dict[str, dict[str, int]], x: str, y: str) -> str:
    """How often each value came on each named side, by its text, in percent; of two, one over the other."""
    figure, axes = canvas(6, 2.6)
    most = max(int(value) for counts in sides.values() for value in counts)
    wide = max(1, -(-most // 60))
    for (name, counts), look in zip(sides.items(), SIDES, strict=False):
        shares = [0.0] * (most // wide + 1)
        for value, n in counts.items():
            shares[int(value) // wide] += 100 * n / sum(counts.values())
        axes.stairs(shares, [wide * i for i in range(len(shares) + 1)], label=name, **look)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if len(sides) > 1:
        axes.legend(frameon=False)
    return svg(figure)


def intervals(names: Sequence[str], values: Sequence[float], reaches: Sequence[Any], nothing: float, x: str) -> str:
    """Values with their intervals, one below the other, and where they would stand if there were nothing to see.

    The intervals reach as far to both sides, or are given as two rows: what lies below the values, what above.
    """
    figure, axes = canvas(8, 0.8 + 0.22 * len(names))
    places = list(range(len(names) - 1, -1, -1))
    axes.axvline(nothing, color=INK, linewidth=0.8, linestyle=":")
    axes.errorbar(values, places, xerr=reaches, fmt="o", color=FELT, markersize=3)
    axes.set_yticks(places, names, fontsize=8)
    axes.set_xlabel(x)
    return svg(figure)
