"""Whether the house may open more files. Each connection is one, and a house that may open no more sends people away
without a word: those that listen for it close what they cannot keep.
"""

from __future__ import annotations

import errno
from contextlib import suppress
from pathlib import Path

from brelan.server.ledger import logs

OPEN = Path("/dev/fd")
"""Names what the process that looks holds open: on Linux, and on macOS."""

NEAR = 0.9


def look() -> None:
    """Tell it when nearly all the files are open that may be; nothing where the system names none, or sets no limit."""
    with suppress(ImportError):
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit  # none on Windows

        most = getrlimit(RLIMIT_NOFILE)[0]
        held = _held(most)
        if most != RLIM_INFINITY and held > NEAR * most:
            logs.often("files", "near", open=held, most=most)


def _held(most: int) -> int:
    """How many are open, without the one to look: if there is no room for that one, the most that may be."""
    try:
        return sum(1 for _ in OPEN.iterdir()) - 1
    except FileNotFoundError:
        return 0
    except OSError as error:
        if error.errno != errno.EMFILE:
            raise
        return most
