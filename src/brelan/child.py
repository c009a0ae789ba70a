"""Processes of our own: each finds what this one finds. Nothing is compiled by importing this."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def running(code: str, *given: str) -> tuple[str, ...]:
    """The command of a process that runs our code, `given` in its `sys.argv`.

    `python -m` would put the folder where we happen to be first: whatever lies there would run under a library's name.
    """
    return sys.executable, "-P", "-c", f"import sys\nsys.path[:] = {own_path()!a}\n{code}", *given


def own_path() -> list[str]:
    """Where this process finds its modules, but for the current folder, where it was begun by `python -m` itself; if we
    lie there, nothing else that does comes before the libraries.
    """
    path = sys.path[1:] if is_here(Path(sys.path[0])) else sys.path
    ours = str(Path(__file__).parents[1])
    return [*path] if ours in path else [*path, ours]


def is_here(folder: Path) -> bool:
    """Whether it is the current folder; some that Python looks in do not exist."""
    return folder.exists() and folder.samefile(os.curdir)
