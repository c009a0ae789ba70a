"""A report of the lab as one HTML file that needs no other: sentences, tables and plots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any

from jinja2 import Template
from markupsafe import Markup

from brelan.words import Words

LONG = 40
"""A cell of more letters is a sentence, and breaks; one of fewer stands on one line."""

PAGE = Template(resources.files("brelan.lab").joinpath("report.html").read_text("utf-8"), autoescape=True)


def page(
    name: str,
    heading: str,
    intro: Iterable[str],
    tables: Iterable[tuple[str, list[list[str]]]],
    plots: Iterable[tuple[str, str]],
    machine: Mapping[str, Any],
    words: Words,
    notes: Iterable[str] = (),
) -> str:
    """The report that a command of that name writes; its plots have titles, its tables too, or "" if there is one."""
    drawn = [(title, Markup(plot)) for title, plot in plots]  # noqa: S704  (drawn in the lab, of its own numbers and names)
    written = PAGE.render(
        name=name, heading=heading, intro=intro, tables=tables, plots=drawn, machine=machine, words=words, notes=notes,
        long=LONG,
    )  # fmt: skip
    return str(written)
