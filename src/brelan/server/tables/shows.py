"""In which order a busy house shows its tables: who waits for an answer is served first, then a few tables at a time.

To show a table to four costs as much as a move and its acknowledgement. So between tables the event loop answers
whatever has come meanwhile. The more tables wait, the more are shown at once: a look around costs something, too. A
table that went on while it waited is shown once, as it is then.
"""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brelan.server.tables.room import Room

PART = 8
"""One table is shown at once, and one more for so many that wait."""


class Shows:
    """The rooms that are to be shown, the longest waiting first."""

    def __init__(self) -> None:
        self._waiting: dict[Room, None] = {}

    def soon(self, room: Room) -> None:
        """Show a room after all that is to be answered now."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
        self._waiting[room] = None

    def _next(self) -> None:
        """Some rooms; the loop looks around before the next."""
        for room in list(islice(self._waiting, 1 + len(self._waiting) // PART)):
            del self._waiting[room]
            room.show()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
