"""Melds and deadwood, exactly, by one table of 2^14 entries a suit (G2, G3, G10-G12, O-G5).

The cards of one suit are a row of 14 bits. The ace stands at both ends of it, bits 0 and 13, as one card that may do
either (bit 0 only where `ace_high_runs` is off); four rows are a board. Within a suit, whatever lies in a group of
three or more neighbours is melded; only the sets, three or four of a rank, leave something to choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brelan.cards import popcount

if TYPE_CHECKING:
    from brelan.games.gin.rules import State

SUIT = (1 << 13) - 1
ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39  # ACES << r: the four cards of rank r
ALL_CARDS = (1 << 52) - 1

ROW = (1 << 14) - 1
LOW = 1 | 1 << 14 | 1 << 28 | 1 << 42
"""The low end of each row of a board."""
HIGH = LOW << 13

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


def board(s: State, cards: int) -> int:
    """Cards as a board: the rows of the four suits beside each other, the ace at both ends where it may do either."""
    rows = cards & SUIT | (cards & SUIT << 13) << 1 | (cards & SUIT << 26) << 2 | (cards & SUIT << 39) << 3
    return rows | (rows & LOW * s.ace_high_runs) << 13


def runs_on(rows: int) -> int:
    """What lies in runs on a board."""
    return RUNS[rows & ROW] | RUNS[rows >> 14 & ROW] << 14 | RUNS[rows >> 28 & ROW] << 28 | RUNS[rows >> 42 & ROW] << 42


def points_on(s: State, rows: int) -> int:
    """The points that runs leave on a board."""
    left = LOOSE[rows & ROW] + LOOSE[rows >> 14 & ROW] + LOOSE[rows >> 28 & ROW] + LOOSE[rows >> 42 & ROW]
    return (left & (ACE - 1)) + s.ace_value * (left >> 10)


def loose(s: State, hand: int, table: int) -> int:
    """Points left if `hand` makes runs only, lengthening the runs on the table (a board) too."""
    return points_on(s, board(s, hand) | table)


def runs_of(s: State, hand: int) -> int:
    """The cards of `hand` that lie in runs, as a board."""
    return runs_on(board(s, hand))


def triples(hand: int) -> int:
    """The ranks held three or four times, as a set of 13."""
    a = hand & SUIT
    b = hand >> 13 & SUIT
    c = hand >> 26 & SUIT
    d = hand >> 39
    return a & b & (c | d) | c & d & (a | b)


def next_sets(hand: int, sets: int) -> int:
    """The next way to put cards of a hand into sets, from none to all and back: 0 behind the last one."""
    ranks = triples(hand)
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        same = hand & ACES * rank
        way = next_set(same, sets & same, rank)
        sets = sets & ~same | way
        if way:
            return sets
    return 0


def next_set(same: int, way: int, rank: int) -> int:
    """The same with three or four cards of one rank (its bit): none, all, and of four all but each one."""
    if way == 0:
        return same
    out = (same ^ way) << 13 if way != same else rank
    return same ^ out if same == ACES * rank and out & same else 0


def least_loose(s: State, hand: int, table: int) -> int:
    """The points left by the best split into sets and runs, where runs on the table may be lengthened too."""
    least = loose(s, hand, table)
    sets = next_sets(hand, 0)
    while sets:
        least = min(least, loose(s, hand ^ sets, table))
        sets = next_sets(hand, sets)
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
    answer = sets = 0
    while True:
        if loose(s, knocker ^ sets, 0) == mine:
            answer = max(answer, least_after_layoffs(s, defender, sets, runs_of(s, knocker ^ sets)))
        sets = next_sets(knocker, sets)
        if sets == 0:
            return answer
