"""Melds and deadwood, exactly, by one table of 2^14 entries a suit (G2, G3, G10-G12, O-G5).

The cards of one suit are a row of bits. The ace stands at both ends of it, bits 0 and 13, as one card that may do
either (bit 0 only where `ace_high_runs` is off). Within a suit, whatever lies in a group of three or more neighbours is
melded; only the sets, three or four of a rank, leave something to choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brelan.cards import popcount

if TYPE_CHECKING:
    from brelan.games.gin.rules import State

SUIT = (1 << 13) - 1
ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39  # ACES << r: the four cards of rank r
ALL_CARDS = (1 << 52) - 1

ACE = 1024  # in LOOSE an ace left over counts this much: what it is worth is an option

LOOSE = [0] * 2**14  # for each row: the points left outside runs, aces counted apart
RUNS = [0] * 2**14  # for each row: the cards inside runs


def _group(row: int) -> int:
    """The lowest group of neighbours in a row."""
    return row & ~(row + (row & -row))


def _fill() -> None:
    for row in range(1, 2**14):
        if row & 1 and row >> 13:  # one ace, twice: give up the end that saves less
            best = min(row ^ 1 << 13, row ^ 1, key=LOOSE.__getitem__)
            LOOSE[row], RUNS[row] = LOOSE[best], RUNS[best]
            continue
        group = _group(row)
        ranks = [rank % 13 for rank in range(14) if group >> rank & 1]
        points = sum(min(rank + 1, 10) if rank else ACE for rank in ranks)
        LOOSE[row] = LOOSE[row ^ group] + (0 if len(ranks) >= 3 else points)
        RUNS[row] = RUNS[row ^ group] | (group if len(ranks) >= 3 else 0)


_fill()


def row_of(s: State, hand: int, suit: int) -> int:
    """The cards of one suit as a row."""
    row = hand >> 13 * suit & SUIT
    return row | (row & s.ace_high_runs) << 13


def points_of(s: State, loose: int) -> int:
    """What a sum of LOOSE is worth."""
    return (loose & (ACE - 1)) + s.ace_value * (loose >> 10)


def loose(s: State, hand: int, table: int) -> int:
    """Points left if `hand` makes runs only, lengthening the runs on the table (14 bits a suit) too."""
    left = 0
    for suit in range(4):
        left += LOOSE[row_of(s, hand, suit) | table >> 14 * suit & 0x3FFF]
    return points_of(s, left)


def runs_of(s: State, hand: int) -> int:
    """The cards of `hand` that lie in runs, 14 bits a suit."""
    table = 0
    for suit in range(4):
        table |= RUNS[row_of(s, hand, suit)] << 14 * suit
    return table


def triples(hand: int) -> int:
    """The ranks held three or four times, as a set of 13."""
    a = hand & SUIT
    b = hand >> 13 & SUIT
    c = hand >> 26 & SUIT
    d = hand >> 39
    return a & b & (c | d) | c & d & (a | b)


def ways(same: int) -> int:
    """In how many ways the cards of one rank may make a set: none; all; or all but one of four."""
    n = popcount(same)
    return 6 if n == 4 else 2 if n == 3 else 1


def way(same: int, rank: int, k: int) -> int:
    """The k-th of those ways: the cards that go into the set (`rank` is the rank's bit)."""
    if k == 0:
        return 0
    return same if k == 1 else same & ~(rank << 13 * (k - 2))


def splits(hand: int) -> int:
    """How many ways there are to choose the sets of a hand."""
    ranks = triples(hand)
    n = 1
    while ranks:
        n *= ways(hand & ACES * (ranks & -ranks))
        ranks &= ranks - 1
    return n


def sets_of(hand: int, split: int) -> int:
    """The cards that go into sets in the given way (0 <= split < splits(hand))."""
    ranks = triples(hand)
    sets = 0
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        same = hand & ACES * rank
        sets |= way(same, rank, split % ways(same))
        split //= ways(same)
    return sets


def least_loose(s: State, hand: int, table: int) -> int:
    """The points left by the best split into sets and runs, where runs on the table may be lengthened too."""
    least = loose(s, hand, table)
    if triples(hand):
        for split in range(1, splits(hand)):
            least = min(least, loose(s, hand ^ sets_of(hand, split), table))
    return least


def deadwood(s: State, hand: int) -> int:
    """The points of what is left outside the best melds of a hand."""
    return least_loose(s, hand, 0)


def least_after_layoffs(s: State, hand: int, sets: int, runs: int) -> int:
    """The least deadwood of a defender who may lay cards off on these melds; own melds are weighed against that."""
    fits = 0  # fourth cards of the knocker's sets
    for rank in range(13):
        same = ACES << rank
        if popcount(sets & same) == 3:
            fits |= hand & same
    least = 1 << 40
    off = fits
    while True:  # lay off these and keep the others, for every choice of them
        least = min(least, least_loose(s, hand ^ off, runs))
        if off == 0:
            return least
        off = (off - 1) & fits


def least_answer(s: State, knocker: int, defender: int) -> int:
    """The defender's deadwood once the knocker has melded best and, among such ways, hardest for him (G11, O-G5)."""
    mine = deadwood(s, knocker)
    answer = 0
    for split in range(splits(knocker)):
        sets = sets_of(knocker, split)
        if loose(s, knocker ^ sets, 0) == mine:
            answer = max(answer, least_after_layoffs(s, defender, sets, runs_of(s, knocker ^ sets)))
    return answer
