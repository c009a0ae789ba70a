"""Links between files of the repository become links between pages of the site."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

FENCE = re.compile(r"^( *)(```+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
NAMED = re.compile(r"(?<!\[)`([\w./-]+)`(?!\])")


def linked(text: str, source: str, target: str, pages: dict[str, str]) -> str:
    """The text of a file as that of the page `target`; `pages` names what became of each file of the repository.

    A file that the site does not show stays named, without a link; a page's path in backticks becomes a link to it.
    """
    return "".join(part if fenced else _linked(part, source, target, pages) for part, fenced in parts(text))


def parts(text: str) -> Iterator[tuple[str, bool]]:
    """What stands outside and inside of fences, by turns."""
    at = 0
    for fence in FENCE.finditer(text):
        yield text[at : fence.start()], False
        yield fence[0], True
        at = fence.end()
    yield text[at:], False


def _linked(text: str, source: str, target: str, pages: dict[str, str]) -> str:
    here, folder = PurePosixPath(source).parent, PurePosixPath(target).parent

    def link(found: re.Match[str]) -> str:
        picture, words, address = found.groups()
        if address.startswith(("#", "http:", "https:")):
            return found[0]
        path, _, anchor = address.partition("#")
        page = pages.get(os.path.normpath(here / path))
        return f"{picture}[{words}]({os.path.relpath(page, folder)}{'#' * bool(anchor)}{anchor})" if page else words

    def named(found: re.Match[str]) -> str:
        page = pages.get(found[1], target)
        return f"[{found[0]}]({os.path.relpath(page, folder)})" if page.endswith(".md") and page != target else found[0]

    return NAMED.sub(named, LINK.sub(link, text))
