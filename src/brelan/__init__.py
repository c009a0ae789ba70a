"""Brelan: card games with hidden hands, their rules written once, played at a table and at the speed of C.

    m = brelan.match("gin", seed=1)     # a match by hand: it shows itself in a terminal and in a notebook
    brelan.matches("gin", 10_000)       # many at full speed, as arrays
    brelan.read(m.record())             # those of records, to learn from them

All stand in `brelan.library`, which is loaded when one of them is first asked for, as are the modules `games`, whose
`GAMES` are those there are, and `pieces`.
"""

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat

if TYPE_CHECKING:
    from brelan import games, pieces
    from brelan.library import Match, Seen, match, matches, read

__version__ = "0.1.0"

STARTED = time.time()
"""Since then sources may be in memory: what changed later on the disk is not what runs here (`fast.shelf`)."""

__all__ = [
    "Illegal", "Match", "Refusal", "Seen", "Unreadable", "WrongSeat", "games", "match", "matches", "pieces", "read",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:  # a checker would take any name for one of ours

    def __getattr__(name: str) -> Any:
        if name in ("games", "pieces"):
            return import_module(f"brelan.{name}")
        if name in __all__:
            return getattr(import_module("brelan.library"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
