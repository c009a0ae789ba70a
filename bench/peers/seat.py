"""A seat at our tables for somebody else's player: the line protocol of docs/bot-protocol.md, and nothing of ours."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

Choose = Callable[[dict[str, Any]], str]
"""From an `ask` to one of its legal moves."""


def sit(name: str, version: str, games: list[str], choose: Choose) -> None:
    """Answer line after line until bye. Where there is no choice nobody is asked."""
    for line in sys.stdin:
        said = json.loads(line)
        if said["type"] == "hello":
            tell({"type": "hello", "name": name, "version": version, "games": games})
        elif said["type"] == "ask":
            legal = said["legal"]
            tell({"type": "move", "id": said["id"], "move": legal[0] if len(legal) == 1 else choose(said)})
        elif said["type"] == "bye":
            return


def tell(said: dict[str, Any]) -> None:
    print(json.dumps(said), flush=True)
