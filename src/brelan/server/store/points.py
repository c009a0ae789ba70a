"""Where a test may kill the house as by `kill -9`, to show that nothing acknowledged is lost."""

from __future__ import annotations

import os
import signal

CRASH_POINTS = ("before_commit", "after_commit", "after_notify", "after_ack", "in_migration", "mid_backup")
"""All there are; after_notify only where workers tell each other."""

_passages: dict[str, int] = {}


def crash_point(name: str) -> None:
    """Die here if the environment asks for it: BRELAN_CRASH=after_commit:7 dies at the seventh passage."""
    wanted, _, count = os.environ.get("BRELAN_CRASH", "").partition(":")
    if wanted == name:
        _passages[name] = _passages.get(name, 0) + 1
        if _passages[name] >= int(count or 1):
            os.kill(os.getpid(), signal.SIGKILL)
