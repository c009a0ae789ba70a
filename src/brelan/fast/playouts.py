"""Whole matches, written once for every game: by uniformly random moves, or by a policy for each seat.

Plain Python over a plain state or a record alike; `rules` and `policy` are bound to a game by `twins`. Nothing here is
the table's chance: shuffles and choices come from the quick generator of `cards`, match n of run r from its own seed.
"""

from __future__ import annotations

from typing import Any

from brelan.cards import below, seed, shuffle
from brelan.fast.twins import UNBOUND, copy_row
from brelan.game import NOVICE, Policy, Rules

rules: Rules = UNBOUND
policy: Policy = UNBOUND

DECISIONS, ROUNDS, WINNERS, SCORES = 0, 1, 2, 3
"""The columns of a match's results; the scores of the seats are the last ones."""


ENDLESS = 100_000
"""Decisions of a round after which a match is taken for one that never ends, as options may let it."""


def deal_due(s: Any, cards: Any, random: Any) -> bool:
    """Shuffle and deal as long as the rules ask for it, or until a round has ended: what is due then is another's.

    Whether anything was due.
    """
    finished = s.finished
    n = rules.due(s, cards)
    found = n > 0
    while n > 0 and s.finished == finished:
        shuffle(cards, 0, n, random)
        rules.deal(s, cards)
        n = rules.due(s, cards)
    return found


def stand_still() -> None:
    """Tell of rules that go on neither by a move nor by a shuffle: whoever waited for them would wait for ever."""
    raise ValueError("nobody is asked and no shuffle is due, but the match is not over")


def next_seat(s: Any, cards: Any, random: Any) -> int:
    """The seat that moves next, after any shuffle; of several asked the one in `turn`. -1: the match is over."""
    while rules.asked(s) == 0:
        if rules.over(s):
            return -1
        if not deal_due(s, cards, random):
            stand_still()
    return s.turn  # type: ignore[no-any-return]


def chosen(s: Any, seat: int, who: int, moves: Any, random: Any) -> int:
    """A legal move of the seat, as RANDOM or NOVICE chooses it."""
    if who == NOVICE:
        return policy.novice(s, seat, random)
    n = rules.legal(s, seat, moves)
    return moves[below(random, n)]  # type: ignore[no-any-return]


def play_out(s: Any, who: Any, moves: Any, cards: Any, random: Any) -> int:
    """Play to the end of the match; how many decisions that took, -1: no end."""
    n = finished = 0
    last = ENDLESS
    seat = next_seat(s, cards, random)
    while seat >= 0 and n < last:
        rules.play(s, seat, chosen(s, seat, who[seat], moves, random))
        n += 1
        if s.finished != finished:
            finished = s.finished
            last = n + ENDLESS
        seat = next_seat(s, cards, random)
    return n if seat < 0 else -1


def begin(states: Any, run: int, match: int, random: Any) -> None:
    """Set states[0] to the start of a match; states[1:] hold it for each first seat, which goes round the table."""
    seed(random, run << 32 | match)
    copy_row(states, 0, states, 1 + match % (len(states) - 1))


def write_result(s: Any, row: Any, decisions: int) -> None:
    """What became of a match that took so many decisions."""
    row[DECISIONS] = decisions
    row[ROUNDS] = s.finished
    row[WINNERS] = rules.wins(s)
    for seat in range(s.players):
        row[SCORES + seat] = rules.score(s, seat)


def play_matches(states: Any, run: int, first: int, results: Any, who: Any, moves: Any, cards: Any, random: Any) -> int:
    """Play matches first, first + 1 … of a run, one for each row of results; the one that does not end, or -1."""
    for i in range(len(results)):
        begin(states, run, first + i, random)
        s = states[0]
        decisions = play_out(s, who, moves, cards, random)
        if decisions < 0:
            return first + i
        write_result(s, results[i], decisions)
    return -1
