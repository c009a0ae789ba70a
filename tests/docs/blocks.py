"""What the documents show as code: blocks of Python, and commands line by line, each with where it stands.

A comment before a block says why it is not run here: `<!-- not run: … -->`, or `<!-- run by tests/…: … -->`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NOTEBOOK = ROOT / "docs" / "examples" / "first-steps.ipynb"
FENCE = re.compile(
    r"(?:<!-- (?P<why>(?:(?!-->).)*) -->\n+)?^```(?P<language>python|sh)\n(?P<code>.*?)^```$", re.M | re.S
)


@dataclass(frozen=True)
class Code:
    """A block of Python, or one command of a shell."""

    place: str  # file:line
    language: str
    text: str
    why: str | None  # why it is not run here, if it is not


def shown() -> list[Code]:
    """All of it, in the order of the documents."""
    return [code for file in DOCUMENTS for code in shown_in(file.name, file.read_text("utf-8"))]


def shown_in(name: str, text: str) -> Iterator[Code]:
    for fence in FENCE.finditer(text):
        first = text.count("\n", 0, fence.start("code")) + 1
        if fence["language"] == "python":
            yield Code(f"{name}:{first}", "python", fence["code"], fence["why"])
        else:
            for number, command in commands(fence["code"]):
                yield Code(f"{name}:{first + number}", "sh", command, fence["why"])


def commands(block: str) -> Iterator[tuple[int, str]]:
    """The commands of a block with their lines, continued lines joined, comments left out."""
    begun, start = "", 0
    for number, line in enumerate(block.splitlines()):
        start = start if begun else number
        begun += re.sub(r"(^|\s+)#.*", "", line)
        if begun.endswith("\\"):
            begun = begun[:-1]
        elif begun.strip():
            yield start, begun.strip()
            begun = ""


def named() -> list[tuple[str, str]]:
    """Every line of code in the documents that begins with our own command, fenced or indented, and where it stands."""
    found = []
    for file in DOCUMENTS:
        text = re.sub(r" *\\\n *", " ", file.read_text("utf-8"))  # a continued line counts as one
        for number, line in enumerate(text.splitlines(), 1):
            if command := re.match(r"(?: {4})?(brelan [a-z-]+.*?)(?:\s+#.*|\s{2,}.*)?$", line):
                found.append((f"{file.name}:{number}", command[1]))
    return found


def cells() -> list[str]:
    """The code of the notebook, cell by cell."""
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
