"""What if: a finished match, played on from any of its steps by whoever likes.

The new match has the header of the old one, with its chance: the opened secret, the old match's id, the seats' nonces.
Its first lines are the old ones, and every later shuffle follows from the same secret; so its record verifies to the
letter, as the old one does. It goes by an id of its own, which its record bears beside the old one. Whoever has read
the opened secret knows every card that will ever be dealt in it: it is for learning, and never rated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from brelan.play.match import Line


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a match plays on from."""

    match: str  # the id of the match that was played
    line: int  # so many of its lines, without the header, are the same
    header: Line  # of that match's record
    lines: list[Line]  # those lines
    secret: str  # in hex, opened at that match's end

    def mark(self, match: str) -> dict[str, Any]:
        """What the record of the new match, of that id, says in its header besides what the old one said."""
        return {"whatif": {"match": match, "of": self.match, "line": self.line}}
