"""What a card thrown may give to the other: melds with cards that he may hold, or is known to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brelan.cards import popcount
from brelan.games.gin.melds import HIGH, LOW, board
from brelan.games.gin.promise import late, near

if TYPE_CHECKING:
    from brelan.games.gin.rules import State

UNSEEN_PAIR, KNOWN_CARD, KNOWN_PAIR, REFUSED, GROWS = 8, 9, 10, 11, 12
"""Weights, in 1/16 of a point: two unseen cards that would meld with the one thrown; two of which the other is known
to hold one; two that he is known to hold; a card beside it, or of its rank, that lies on the discards; and by how many
1/64 all this changes with every discard."""


def run_pairs(place: int, there: int) -> int:
    """How many pairs of a board would make a run with the card at `place` (its bit, or bits if an ace)."""
    up = (place & ~HIGH) << 1
    down = (place & ~LOW) >> 1
    above = there & up != 0
    below = there & down != 0
    pairs = above * (there & (up & ~HIGH) << 1 != 0) + below * (there & (down & ~LOW) >> 1 != 0)
    return pairs + above * below * (place & LOW == 0)


def pairs(place: int, rank: int, there: int) -> int:
    """How many pairs of a board would make a meld with the card at `place`."""
    same = popcount(there & LOW << rank)
    return run_pairs(place, there) + same * (same - 1) // 2


def danger(s: State, card: int, unseen: int, known: int, thrown: int, w: list[int]) -> int:
    """What throwing a card costs, in 1/16 of a point; the boards say what is unseen, known as his, and thrown."""
    place = board(s, 1 << card)
    rank = card % 13
    of_unseen = pairs(place, rank, unseen)
    of_known = pairs(place, rank, known) if known else 0
    mixed = pairs(place, rank, unseen | known) - of_unseen - of_known if known else 0
    cost = w[UNSEEN_PAIR] * of_unseen + w[KNOWN_CARD] * mixed + w[KNOWN_PAIR] * of_known
    cost += w[REFUSED] * popcount(near(place) & thrown & ~HIGH)
    return cost * (64 + w[GROWS] * late(s, w)) // 64
