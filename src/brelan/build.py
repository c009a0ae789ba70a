"""Which sources run: one short name for exactly these bytes, the same from a wheel and from a checkout."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

LENGTH = 12
"""Hex digits: enough to compare two builds by eye, and for no two to have the same by chance."""


@cache
def build_id() -> str:
    """The digest of the package's own files. Ask early: later the files may be those of another build."""
    return digest(Path(__file__).parent)


def digest(folder: Path) -> str:
    """The first digits of the SHA-256 over every source's path, length and bytes, in the order of the paths."""
    total = hashlib.sha256()
    for path, file in sorted((file.relative_to(folder).as_posix(), file) for file in sources(folder)):
        content = file.read_bytes()
        total.update(f"{path}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()[:LENGTH]


def sources(folder: Path) -> Iterator[Path]:
    """Every file of a package, but for what is made from them, and what tools hide beside them."""
    for path in folder.iterdir():
        if path.name == "__pycache__" or path.name.startswith("."):
            continue
        if path.is_dir():
            yield from sources(path)
        else:
            yield path
