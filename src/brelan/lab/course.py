"""The course of matches, written once for every game and compiled by `fast`: what a designer asks of a rule.

Each match leaves one row of whole numbers, its facts; their sums and sums of products are all that is kept of many, so
that every mean, ratio and difference has its interval. Deals and luck are those of `minds`: match n of a run has the
same cards whatever the options are, as far as these leave the deck alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from brelan.bots.minds import MATCH, START, Desk, Minds, deal_round, next_mover, think
from brelan.cards import popcount, seed
from brelan.fast.playouts import ENDLESS
from brelan.fast.twins import UNBOUND, copy_row
from brelan.game import Observation, Rules

rules: Rules = UNBOUND
observation: Observation = UNBOUND
better: int = UNBOUND  # 1 where points are good, -1 where few are

(
    ONE, DECISIONS, FREE, CHOICES, ROUNDS, SHARED, CHANGES, TURNED, EARLY, EARLY_WON, DEFICIT, BEST, SPREAD, MARGIN,
    TABLE,
) = range(15)  # fmt: skip
"""The facts of a match: 1; decisions; those with more than one legal move, and the legal moves of all; rounds; whether
the victory is shared; how often the sole lead went to another seat; whether no winner led before the last round;
whether one seat alone led after the first of several rounds, and what it won of the victory (in parts of WHOLE); by how
many points a winner lay behind at the worst round's end; the best score, what the worst and the second lie behind it.
From TABLE on, three for each place at the table: its share of the victory, its score, and the points of the rounds that
the seat so many places after a round's opener gained."""

WHOLE = 60
"""A victory, in parts that every number of winners can share."""

BEFORE, GAIN, BEHIND = 0, 1, 2
"""The rows of a desk of seats: scores at the last round's end, what the round added, the worst deficit so far."""

OPENED, OPENER, CLOSED, LEADERS, EARLIER, SOLE, FIRST, HAND, LARGEST, MEMORIES = range(10)
"""What is remembered within a match: the round that was opened last and who moved first in it, rounds closed, who leads
and who did one round earlier, the last seat that led alone, who led alone after one round (-1: nobody), where the
hand stands in an observation, and the largest number, of all matches, that a hand's cards were weighed by."""

HELD, WORTH, WORTH2 = 0, 1, 2
"""The rows of the worth of cards: hands that held one at a round's start, and their points more than the table's mean
times the seats, summed and squared."""


class Counter(NamedTuple):
    """What counting works on. Arrays where it is compiled, lists where it is interpreted."""

    memo: list[int]  # within a match (MEMORIES)
    seats: list[list[int]]  # BEFORE, GAIN and BEHIND of each seat
    seen: list[int]  # room for an observation
    held: list[list[int]]  # the cards of each seat as the round began
    worth: list[list[int]]  # HELD, WORTH and WORTH2 of each card
    ends: Any  # ends[i]: the state in which round i of the match ended


def begin(s: Any, to: Counter) -> None:
    """Nothing has happened yet."""
    to.memo[OPENED] = -1
    to.memo[OPENER] = 0
    to.memo[CLOSED] = 0
    to.memo[LEADERS] = (1 << s.players) - 1
    to.memo[EARLIER] = to.memo[LEADERS]
    to.memo[SOLE] = -1
    to.memo[FIRST] = -1
    for seat in range(s.players):
        to.seats[BEFORE][seat] = rules.score(s, seat)
        to.seats[BEHIND][seat] = 0


def open_round(s: Any, opener: int, to: Counter) -> None:
    """Remember who moves first, and which cards each hand holds."""
    to.memo[OPENED] = s.finished
    to.memo[OPENER] = opener
    for seat in range(s.players):
        observation.observe(s, seat, to.seen)
        for card in range(len(to.held[seat])):
            to.held[seat][card] = to.seen[to.memo[HAND] + card]


def weigh(held: Any, gain: int, worth: Any) -> None:
    """What a hand gained is told of each card in it."""
    for card in range(len(held)):
        if held[card] > 0:
            worth[HELD][card] += 1
            worth[WORTH][card] += gain
            worth[WORTH2][card] += gain * gain


def note_leaders(s: Any, facts: Any, memo: Any, seats: Any) -> None:
    """Who leads after a round, and how far the others lie behind."""
    best = better * seats[BEFORE][0]
    for seat in range(1, s.players):
        best = max(best, better * seats[BEFORE][seat])
    memo[EARLIER] = memo[LEADERS]
    memo[LEADERS] = 0
    sole = -1
    for seat in range(s.players):
        behind = best - better * seats[BEFORE][seat]
        seats[BEHIND][seat] = max(seats[BEHIND][seat], behind)
        if behind == 0:
            sole = -1 if memo[LEADERS] else seat
            memo[LEADERS] |= 1 << seat
    if sole >= 0:
        if memo[SOLE] >= 0 and memo[SOLE] != sole:
            facts[CHANGES] += 1
        memo[SOLE] = sole
    if s.finished == 1:
        memo[FIRST] = sole


def close_round(s: Any, facts: Any, to: Counter) -> None:
    """Count what a round that has ended brought to each seat."""
    n = s.players
    total = 0
    to.memo[CLOSED] = s.finished
    for seat in range(n):
        gain = rules.score(s, seat) - to.seats[BEFORE][seat]
        to.seats[GAIN][seat] = gain
        to.seats[BEFORE][seat] += gain
        total += gain
        facts[TABLE + 2 * n + (seat + n - to.memo[OPENER]) % n] += gain
    for seat in range(n):
        gain = better * (n * to.seats[GAIN][seat] - total)
        to.memo[LARGEST] = max(to.memo[LARGEST], gain, -gain)
        weigh(to.held[seat], gain, to.worth)
    note_leaders(s, facts, to.memo, to.seats)


def decide(desk: Desk, minds: Minds, seat: int, mind: int, facts: Any) -> None:
    """Let a seat's mind move, and count what it could do."""
    s = desk.states[MATCH]
    n = rules.legal(s, seat, desk.moves)
    facts[DECISIONS] += 1
    facts[CHOICES] += n
    facts[FREE] += min(n - 1, 1)
    rules.play(s, seat, think(desk, minds, seat, mind))


def follow(desk: Desk, minds: Minds, run: int, deal: int, at: Any, facts: Any, to: Counter) -> int:
    """Play states[MATCH] to its end, mind at[seat] in each seat, and count; -1, or who moves in a round without end."""
    s = desk.states[MATCH]
    seat = 0
    last = ENDLESS
    while seat >= 0 and facts[DECISIONS] < last:
        dealing = rules.asked(s) == 0
        if dealing:
            deal_round(desk, run, deal)
        if s.finished == to.memo[CLOSED]:  # else that shuffle has ended a round
            seat = next_mover(desk, run, deal)
            if seat >= 0:
                if dealing and s.finished != to.memo[OPENED]:
                    open_round(s, seat, to)
                decide(desk, minds, seat, at[seat], facts)
        if s.finished != to.memo[CLOSED]:
            if to.memo[CLOSED] < len(to.ends):
                copy_row(to.ends, to.memo[CLOSED], desk.states, MATCH)
            close_round(s, facts, to)
            last = facts[DECISIONS] + ENDLESS
    return seat


def score_it(s: Any, facts: Any) -> None:
    """The best score, the second and the worst, of a match that is over."""
    best = better * rules.score(s, 0)
    worst = best
    second = -1 << 40
    for seat in range(1, s.players):
        score = better * rules.score(s, seat)
        worst = min(worst, score)
        second = max(second, min(score, best))
        best = max(best, score)
    facts[BEST] = better * best
    facts[SPREAD] = best - worst
    facts[MARGIN] = best - second


def settle(s: Any, first: int, facts: Any, memo: Any, seats: Any) -> None:
    """What is known of a match only when it is over."""
    won = rules.wins(s)
    share = WHOLE // popcount(won)
    facts[ONE] = 1
    facts[ROUNDS] = s.finished
    facts[SHARED] = min(popcount(won) - 1, 1)
    if s.finished > 1:
        facts[TURNED] = 0 if won & memo[EARLIER] else 1
        if memo[FIRST] >= 0:
            facts[EARLY] = 1
            facts[EARLY_WON] = share * (won >> memo[FIRST] & 1)
    for seat in range(s.players):
        place = (seat + s.players - first) % s.players
        facts[TABLE + s.players + place] = rules.score(s, seat)
        if won >> seat & 1:
            facts[TABLE + place] = share
            facts[DEFICIT] = max(facts[DEFICIT], seats[BEHIND][seat])
    score_it(s, facts)


def play_courses(desk: Desk, minds: Minds, run: int, first: int, at: Any, rows: Any, to: Counter) -> int:
    """Play matches first, first + 1 … of a run, a row of facts for each; the first seat goes round the table.

    The answer is the match that does not end, if there is one, else -1.
    """
    for i in range(len(rows)):
        deal = first + i
        opens = deal % (len(desk.states) - START)
        seed(desk.random, 1 << 61 | run << 40 | deal)
        copy_row(desk.states, MATCH, desk.states, START + opens)
        begin(desk.states[MATCH], to)
        if follow(desk, minds, run, deal, at, rows[i], to) >= 0:
            return deal
        settle(desk.states[MATCH], opens, rows[i], to.memo, to.seats)
    return -1


def add_products(products: Any, a: Any, b: Any) -> None:
    """Add, over the matches, the product of each fact in `a` with each in `b`."""
    for i in range(len(a)):
        for j in range(len(products)):
            for k in range(len(products)):
                products[j][k] += a[i][j] * b[i][k]


def count_values(counts: Any, rows: Any, column: int) -> None:
    """Count how often a fact takes each value; those beyond the last place are counted there."""
    for i in range(len(rows)):
        counts[min(max(rows[i][column], 0), len(counts) - 1)] += 1
