"""What Newcomer's bots know."""

from __future__ import annotations

from brelan.cards import below, popcount

from .rules import State, nth_of


def novice(s: State, seat: int, random: list[int]) -> int:
    """Any card."""
    return nth_of(s.hand[seat], below(random, popcount(s.hand[seat])))
