"""What may be done now in Elements: who is asked, and the legal moves (E6, E10, E20, O-E3)."""

from __future__ import annotations

from brelan.cards import lowest, popcount
from brelan.games.elements.state import (
    AUCTION,
    LAY,
    PAIR,
    PASS,
    PLACING,
    READY,
    RETURN,
    RETURNING,
    State,
)


def asked(s: State) -> int:
    """The seat to play; before the refill every seat that is not ready (O-E3)."""
    if s.phase == PLACING or s.phase == AUCTION:
        return 1 << s.turn
    if s.phase == RETURNING:
        return (1 << s.players) - 1 & ~s.ready
    return 0


def legal(s: State, seat: int, out: list[int]) -> int:
    """What `seat` may do now, written to out; how many there are, at most 55."""
    if not asked(s) >> seat & 1:
        return 0
    if s.phase == PLACING:
        return legal_places(s, s.hand[seat], out)
    if s.phase == RETURNING:
        out[0] = READY
        return singles(s.hand[seat], RETURN, out)
    out[0] = PASS
    if popcount(s.laid[seat]) == 2:
        return pairs(s.hand[seat], out)
    return singles(s.hand[seat], LAY, out)


def legal_places(s: State, hand: int, out: list[int]) -> int:
    """Any card of the hand beside any vacant element (E6)."""
    n = 0
    for place in range(5):
        if s.placer[place] < 0:
            rest = hand
            while rest:
                out[n] = 5 * lowest(rest) + place
                rest &= rest - 1
                n += 1
    return n


def singles(hand: int, base: int, out: list[int]) -> int:
    """One move for each card, after the one already written."""
    n = 1
    while hand:
        out[n] = base + lowest(hand)
        hand &= hand - 1
        n += 1
    return n


def pairs(hand: int, out: list[int]) -> int:
    """One move for each two cards, after the one already written (E10)."""
    n = 1
    while hand:
        a = 55 * lowest(hand)
        hand &= hand - 1
        rest = hand
        while rest:
            out[n] = PAIR[a + lowest(rest)]
            rest &= rest - 1
            n += 1
    return n
