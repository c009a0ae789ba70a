"""A page's script bound with all that it imports, and its style sheet with all that it takes in: each goes as one file.

They are written apart, to be read; but forty answers cost a slow device more than reading what is in them. A module
becomes a function that gives what it exports, and stands behind all that it imports: so none may, by way of others,
import itself. The file that was asked for stands last, as it is; what it needs comes without its comments, which are
a third of it, and is read at its own address.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

IMPORT = re.compile(r'(?:^|(?<=;))import ?(?:\{([^}]*)\} ?from ?)?"(\.[^"]+)";', re.M)
AWAITED = re.compile(r'await import\("(\.[^"]+)"\)')
EXPORT = re.compile(r"^export ((?:async )?(?:const|class|function) ([\w$]+))", re.M)
EXPORTS = re.compile(r"\bexport ?\{([^}]*)\};")
"""At the end of a module that was made small."""

RENAMED = re.compile(r"([\w$]+) as ([\w$]+)")
MAP = re.compile(r"^//# sourceMappingURL=.*\n?", re.M)
SAID = re.compile(r"/\*\*(?!\s*\* @license).*?\*/ ?|(?<!\S)// [^\n]*", re.S)
"""The comments of a module, as they are written here: no string and no template looks so (`test_bound.py`)."""

REMARK = re.compile(r"/\*.*?\*/", re.S)
"""The same of a style sheet."""

TAKEN = re.compile(r'^@import url\("([^"]+)"\);', re.M)


@cache
def bound(path: Path) -> str:
    """The text of a file of the pages, with all that it needs of the others; of most kinds, just its text."""
    return {".js": script, ".css": sheet}.get(path.suffix, read)(path)


def read(path: Path) -> str:
    return path.read_text("utf-8")


def sheet(path: Path) -> str:
    """A style sheet; what it takes in stands where it was named."""
    return TAKEN.sub(lambda found: REMARK.sub("", sheet(path.parent / found[1])), read(path))


def script(path: Path) -> str:
    """A module behind all that it imports, however deep."""
    texts: dict[Path, str] = {}
    gather(path.resolve(), texts)
    *needed, last = texts
    names = {module: f"module{i}" for i, module in enumerate(needed)}
    parts = [
        f"const {name} = (() => {{\n{closed(module, texts[module], names)}}})();\n" for module, name in names.items()
    ]
    return "".join(parts) + linked(last, texts[last], names)


def gather(path: Path, texts: dict[Path, str]) -> None:
    """Add a module's text behind those of all that it imports, each once: what is bound is what was read here, whatever
    becomes of the files.
    """
    text = read(path)
    for near in [near for _, near in IMPORT.findall(text)] + AWAITED.findall(text):
        if (other := (path.parent / near).resolve()) not in texts:
            gather(other, texts)
    texts[path] = text


def linked(path: Path, text: str, names: dict[Path, str]) -> str:
    """A module's text; what it imports it takes from the modules before it."""

    def of(near: str) -> str:
        return names[(path.parent / near).resolve()]

    def taken(found: re.Match[str]) -> str:
        what = RENAMED.sub(r"\1: \2", found[1] or "")
        return f"const {{{what}}} = {of(found[2])};"

    return MAP.sub("", AWAITED.sub(lambda found: of(found[1]), IMPORT.sub(taken, text)))


def closed(path: Path, written: str, names: dict[Path, str]) -> str:
    """The body of a function that gives what the module exports."""
    text = SAID.sub("", linked(path, written, names))
    given = [name for _, name in EXPORT.findall(text)]
    given += [RENAMED.sub(r"\2: \1", some) for some in EXPORTS.findall(text)]
    body = EXPORTS.sub("", EXPORT.sub(r"\1", text))
    return f"{body}\nreturn {{ {', '.join(given)} }};\n"
