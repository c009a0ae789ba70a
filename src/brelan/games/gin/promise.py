"""What ten cards are worth: the points left over now, and what one more card may bring.

The cards lie on a board (`melds`). A card that would complete a meld is an out; it counts only while the seat does not
know where it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brelan.cards import popcount
from brelan.games.gin.melds import HIGH, LOW, SUIT, board, loose, next_sets, points_on, runs_on

if TYPE_CHECKING:
    from brelan.games.gin.rules import State

DEAR = (SUIT & ~63) * LOW
"""The seven and all above it."""

SET_OUT, RUN_OUT, LONGER_OUT, DEAR_OUT, BESIDE, LATER = 2, 3, 4, 5, 6, 7
"""Weights, in 1/16 of a point for each card that may still come: one that makes a set of a pair; one that makes a run;
one that lengthens a meld; what an out of the seven or above is worth more; one that would stand beside a loose card.
And by how many 1/64 all this changes with every discard."""

LATEST = 20
"""Weight: beyond so many discards no more of them change what hands, throws and the upcard are worth; 0: they always
do."""

LOOSE_CARD = 19
"""Weight, in 1/16 of a point: what a card outside the melds costs beside its points, as gin wants them all melded."""


def late(s: State, w: list[int]) -> int:
    """The discards that count, of all in this hand: hands of some ten were what the weights were fitted to."""
    return min(s.turns, w[LATEST]) if w[LATEST] else s.turns


def ends(rows: int) -> int:
    """The same with an ace that stands at one end standing at both."""
    return rows | (rows & LOW) << 13 | (rows & HIGH) >> 13


def best_sets(s: State, hand: int) -> int:
    """The cards that the best melds of a hand put into sets."""
    best = 0
    sets = next_sets(hand, 0)
    if sets:
        least = loose(s, hand, 0)
        while sets:
            left = loose(s, hand ^ sets, 0)
            if left < least:
                least = left
                best = sets
            sets = next_sets(hand, sets)
    return best


def set_outs(rows: int) -> int:
    """The ranks of which a board holds two, all four cards of each."""
    a = rows & SUIT
    b = rows >> 14 & SUIT
    c = rows >> 28 & SUIT
    d = rows >> 42 & SUIT
    return (a & b | c & d | (a | b) & (c | d)) * LOW


def run_outs(loose: int, runs: int) -> int:
    """What would make a run with at least one loose card, whatever lies there already."""
    up = loose << 1 & ~LOW
    down = loose >> 1 & ~HIGH
    pairs = up & up << 1 & ~LOW | down & down >> 1 & ~HIGH | up & down
    return pairs | up & runs >> 1 & ~HIGH | down & runs << 1 & ~LOW


def longer_outs(runs: int, sets: int) -> int:
    """What would lengthen a run or fill up a set."""
    ranks = (sets | sets >> 13 | sets >> 26 | sets >> 39) & SUIT
    return runs << 1 & ~LOW | runs >> 1 & ~HIGH | ranks * LOW


def near(loose: int) -> int:
    """What would stand beside a loose card, or be of its rank."""
    ranks = (loose | loose >> 14 | loose >> 28 | loose >> 42) & SUIT
    beside = loose << 1 & ~LOW | loose >> 1 & ~HIGH
    return beside | beside << 1 & ~LOW | beside >> 1 & ~HIGH | ranks * LOW


def promise(s: State, hand: int, live: int, w: list[int]) -> int:
    """What ten cards are worth, in 1/16 of a point; `live` is the board of the cards that may still come."""
    sets = best_sets(s, hand)
    rows = board(s, hand ^ sets)
    runs = runs_on(rows)
    loose = rows & ~ends(runs)
    by_set = set_outs(loose) & live
    by_run = run_outs(loose, runs) & live
    outs = w[SET_OUT] * popcount(by_set) + w[RUN_OUT] * popcount(by_run) + w[BESIDE] * popcount(near(loose) & live)
    outs += w[LONGER_OUT] * popcount(longer_outs(runs, sets) & live & ~(by_set | by_run))
    outs += w[DEAR_OUT] * popcount((by_set | by_run) & DEAR)
    cost = 16 * points_on(s, rows) + w[LOOSE_CARD] * popcount(loose & ~HIGH)
    return outs * (64 + w[LATER] * late(s, w)) // 64 - cost
