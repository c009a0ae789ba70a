"""Pages made of what the code says of itself: the library from its docstrings, the commands from their help."""

from __future__ import annotations

import argparse
import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

from brelan import library
from brelan.cli import parser
from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat
from brelan.words import Words

MATCH = ("turn", "legal", "play", "bot", "observation", "pieces", "record", "text", "html")
BATCH = ("scores", "winners", "wins")


def library_page() -> str:
    """What `import brelan` gives, in the words of the source; the examples run with the tests."""
    from brelan.fast import Batch

    head, _, rest = inspect.cleandoc(library.__doc__ or "").partition("\n")
    parts = ["# The library", head.removeprefix("Brelan as a library: ").capitalize(), fenced(rest.strip())]
    parts += ["More of it, with environments: [for designers and researchers](environments.md)."]
    parts += entry("brelan.match", library.match)
    parts += ["## Match", fenced(inspect.getdoc(library.Match) or "")]
    for name in MATCH:
        parts += entry(name, inspect.getattr_static(library.Match, name), "###")
    parts += entry("brelan.matches", library.matches)
    for kind in (Batch, Refusal, Illegal, WrongSeat, Unreadable):
        parts += [f"## {kind.__name__}", fenced(inspect.getdoc(kind) or "")]
    return "\n\n".join(parts) + "\n"


def entry(name: str, thing: Any, rank: str = "##") -> list[str]:
    """A function or property: how it is called, what it says."""
    if isinstance(thing, property):
        return [f"{rank} {name}", fenced(inspect.getdoc(thing) or "")]
    return [f"{rank} {name}", f"```python\n{name}{signature(thing)}\n```", fenced(inspect.getdoc(thing) or "")]


def signature(thing: Callable[..., Any]) -> str:
    """Its parameters as the source writes them, without `self`."""
    source = inspect.cleandoc(inspect.getsource(thing))
    return source[source.index("(") : source.index(":\n")].replace("self, ", "").replace("self", "")


def fenced(text: str) -> str:
    """A docstring with its `>>>` examples as code."""
    paragraphs = []
    for paragraph in text.split("\n\n"):
        lines = inspect.cleandoc(paragraph)
        code = lines.startswith(">>>") or paragraph.startswith("    ")
        paragraphs.append(f"```pycon\n{lines}\n```" if code else paragraph)
    return "\n\n".join(paragraphs)


def commands_page() -> str:
    """Every command's own help, as it prints it in English at 100 columns."""
    os.environ["COLUMNS"] = "100"
    top = parser(Words("en"))
    parts = ["# All commands", f"```text\n{top.format_help()}```"]
    for name, sub in commands(top):
        parts += [f"## brelan {name}", f"```text\n{sub.format_help()}```"]
    return "\n\n".join(parts) + "\n"


def commands(top: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Each command's name and parser."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()
