"""What is said aloud in Hawaiki: announcements and thanks, and what silence means (H8, H14, O-H2, O-H4)."""

from __future__ import annotations

from brelan.games.hawaiki.combinations import combination
from brelan.games.hawaiki.policy import thanks
from brelan.games.hawaiki.state import ANSWERING, DRAW, LET, SILENT, WINDOW, State, top_of


def said(s: State, seat: int, move: int) -> int:
    """A lay with the combination it makes announced; anything else as it is."""
    if move >= DRAW or move % 5:
        return move
    pile = move // 5 % 3
    return move + combination(move // 15, top_of(s, pile), top_of(s, (pile + 1) % 3), top_of(s, (pile + 2) % 3))


def owed(s: State, seat: int) -> int:
    """Thanks, where they are asked of that seat; -1 where a courteous seat has something to decide."""
    return thanks(s, seat) if s.phase == ANSWERING else -1


def silence(s: State, seat: int) -> int:
    """Who keeps silent lets a combination be, or does not thank; -1 where a seat is waited for."""
    if s.phase == WINDOW:
        return LET
    return SILENT if s.phase == ANSWERING else -1
