"""Ink for a terminal: cards and rulebooks as lines of text, in colour where the terminal has some.

Nothing is told by colour alone: a card keeps its letter or its suit's sign, so that it reads the same without.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TextIO

WIDTH = 80
"""Columns that every terminal has."""

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

GROUNDS = {
    "R": "97;41",
    "Y": "30;43",
    "G": "30;42",
    "B": "97;44",
    "P": "97;45",
    "O": "30;48;5;208",
    "S": "30;47",
    "J": "30;46",
    "s": "30;107",
    "c": "30;107",
    "h": "31;107",
    "d": "31;107",
}
"""How a card looks, by the letter of its colour or suit: ink and ground, both, to be read on any terminal's own."""

PLAIN = "30;107"
"""How one looks whose letter no card of the house has."""

BOLD, ITALIC, FAINT = "1", "3", "2"

SHOWN = re.compile(r"\x1b\[[0-9;]*m")
"""What takes no room on a line."""


@dataclass(frozen=True, slots=True)
class Ink:
    """What a terminal is written with."""

    colours: bool = False
    signs: bool = True  # those of suits, and the star

    def paint(self, text: str, style: str) -> str:
        """A text in a style, or as it is where there are no colours."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.colours and text else text

    def card(self, face: str) -> str:
        """A card by its text: "7h" as 7♥, "R*" as R★, "G9" as it stands; all as they stand where there are no signs."""
        ground, signed = read(face)
        said = signed if self.signs else face
        return self.paint(f" {said} ", ground) if self.colours else said


def ink_for(stream: TextIO, environment: Mapping[str, str] = os.environ) -> Ink:
    """Colours if somebody looks, unless NO_COLOR asks for none; signs if the terminal has them."""
    wanted = not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
    return Ink(wanted and stream.isatty(), has(stream, "♠♥♦♣★"))


def has(stream: TextIO, signs: str) -> bool:
    """Whether what is written there can be these signs."""
    try:
        signs.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def read(face: str) -> tuple[str, str]:
    """The look of a card, and how it is written."""
    if face[-1] in SUITS:
        return GROUNDS[face[-1]], face[:-1].replace("T", "10") + SUITS[face[-1]]
    return GROUNDS.get(face[0], PLAIN), face.replace("*", "★")


def width(text: str) -> int:
    """The columns that a text takes."""
    return len(SHOWN.sub("", text))


def wrapped(begin: str, parts: Iterable[str]) -> Iterator[str]:
    """Parts side by side after a beginning, in as many lines as they need, each under the first part."""
    line, indent = begin, " " * min(width(begin), WIDTH // 3)
    empty = True
    for part in parts:
        if not empty and width(line) + 1 + width(part) > WIDTH:
            yield line
            line, empty = indent, True
        line += part if empty else f" {part}"
        empty = False
    yield line


def columns(texts: list[str]) -> Iterator[str]:
    """Texts in as many columns as fit, downwards."""
    wide = max(map(width, texts)) + 2
    rows = -(-len(texts) // max(1, WIDTH // wide))
    for row in range(rows):
        yield "".join(text + " " * (wide - width(text)) for text in texts[row::rows]).rstrip()


# ---------------------------------------------------------------- rulebooks

MARKS = {"\x01": BOLD, "\x02": ITALIC}
"""Signs that stand for a style while lines are broken: they take hardly any room."""


def book(markdown: str, ink: Ink) -> Iterator[str]:
    """The lines of a rulebook: anchors are for pages, emphasis is for who sees it, and spaces that are held stay so."""
    text = re.sub(r'<a id=".+?"></a>', "", markdown)
    for block in re.split(r"\n\n+", text.strip()):
        for lines in re.split(r"\n(?=\d+\. |- )", block):
            yield from _paragraph(re.sub(r"[ \n]+", " ", lines).strip(" "), ink)
        yield ""


def _paragraph(text: str, ink: Ink) -> Iterator[str]:
    if heading := re.match(r"#+ (.*)", text):
        yield ink.paint(heading[1], BOLD)
        yield "=" * len(heading[1]) if text.startswith("# ") else "-" * len(heading[1])
        return
    marked = re.sub(r"\*\*(.+?)\*\*", "\x01\\1\x03", text)
    marked = re.sub(r"\*(.+?)\*", "\x02\\1\x03", marked)
    number = re.match(r"\d+\. |- ", marked)
    indent = " " * len(number[0]) if number else ""
    for line in textwrap.wrap(marked, WIDTH - 1, subsequent_indent=indent, break_on_hyphens=False):
        yield _styled(line, ink)


def _styled(line: str, ink: Ink) -> str:
    for mark, style in MARKS.items():
        line = line.replace(mark, f"\x1b[{style}m" if ink.colours else "")
    return line.replace("\x03", "\x1b[0m" if ink.colours else "")
