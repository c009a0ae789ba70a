"""Why a move of Elements may not be played: the id of the rule that forbids it."""

from __future__ import annotations

from brelan.cards import popcount
from brelan.games.elements.memory import seen
from brelan.games.elements.rules import asked, can_lay
from brelan.games.elements.state import (
    AUCTION,
    ELEMENTS,
    LAY,
    LAY_TWO,
    OVER,
    PASS,
    PLACING,
    READY,
    RETURN,
    RETURNING,
    SHUFFLE,
    State,
)


def why_not(s: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move which is not legal for `seat`."""
    if s.phase == OVER:
        return "E22"
    if s.phase in (ELEMENTS, SHUFFLE):
        return "O-A5"
    if not asked(s) >> seat & 1:
        return why_not_asked(s, seat)
    if move < LAY:
        return why_not_place(s, seat, move)
    if RETURN <= move < PASS or move == READY:
        return lacking(s, seat, 1 << move - RETURN) if s.phase == RETURNING else "E20"
    if s.phase != AUCTION:
        return "E25" if s.phase == PLACING else "E9"
    return why_not_lay(s, seat, move)


def why_not_asked(s: State, seat: int) -> str:
    """The same for a seat that is not asked."""
    if s.phase == RETURNING:
        return "O-E4"
    if s.phase == PLACING or can_lay(s, seat):
        return "O-A1"
    if s.passed >> seat & 1:
        return "E11"
    return "O-E2" if popcount(s.laid[seat]) == 4 else "O-E1"


def why_not_place(s: State, seat: int, move: int) -> str:
    """The same for placing a card."""
    if s.phase != PLACING:
        return "E7"
    return "E6" if s.placer[move % 5] >= 0 else lacking(s, seat, 1 << move // 5)


def why_not_lay(s: State, seat: int, move: int) -> str:
    """The same for laying a card, or two, in an auction."""
    if move < LAY_TWO:
        cards, count = 1 << move - LAY, 1
    else:
        pair = move - LAY_TWO
        cards, count = 1 << pair // 55 | 1 << pair % 55, 2
    if count != (2 if popcount(s.laid[seat]) == 2 else 1) or popcount(cards) < count:
        return "E10"
    return lacking(s, seat, cards) if cards & ~s.hand[seat] else "O-A3"


def lacking(s: State, seat: int, cards: int) -> str:
    """The rule by which a seat does not hold one of these cards: it is out of play, or was never dealt to it."""
    return "E21" if cards & ~s.hand[seat] & seen(s) else "O-E6"
