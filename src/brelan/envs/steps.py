"""Steps of many matches at once, written once for every game; `fast` makes twins of them.

A row is a match. Seats that are not the learner's are played here, until one of the learner's is asked: of several
seats asked the one in `turn`, as everywhere that matches are played fast.
"""

from __future__ import annotations

from typing import Any

from brelan.cards import below, popcount
from brelan.fast.playouts import chosen, next_seat
from brelan.fast.twins import UNBOUND, copy_row
from brelan.game import Observation, Rules

rules: Rules = UNBOUND
observation: Observation = UNBOUND
better: int = UNBOUND  # 1 where points are good, -1 where few are

LEARNER = -1
"""Who plays a seat, beside RANDOM and NOVICE: its moves come from outside."""

POINTS, WIN = 0, 1
"""What is paid: what a step changes in the rules' own score, or one for the victory at the end."""

NOBODY = -1
"""In place of the seat asked: the match is over."""

TRIES = 10_000
"""Matches that begin until the learner is asked in one: by some options the others end every one before."""


def begin(
    states: Any, i: int, starts: Any, first: int, scores: Any, gains: Any, who: Any, moves: Any, cards: Any, random: Any
) -> int:
    """One row becomes a match about to begin, of `starts` which holds one for each first seat; who is asked in it.

    A match that the others end before the learner is asked is followed by another one, TRIES times at most. What
    happened before the learner is first asked is paid with its first step.
    """
    seat, tries = NOBODY, 0
    while seat < 0 and tries < TRIES:
        tries += 1
        copy_row(states, i, starts, first if first >= 0 else below(random, len(starts)))
        for other in range(len(scores)):
            scores[other] = better * rules.score(states[i], other)
            gains[other] = 0
        seat = advance(states[i], who, moves, cards, random)
    return seat


def advance(s: Any, who: Any, moves: Any, cards: Any, random: Any) -> int:
    """Shuffle and play until a seat of the learner's is asked; which, or NOBODY."""
    seat = next_seat(s, cards, random)
    while seat >= 0 and who[seat] != LEARNER:
        rules.play(s, seat, chosen(s, seat, who[seat], moves, random))
        seat = next_seat(s, cards, random)
    return seat


def pay(s: Any, scores: Any, gains: Any, reward: int) -> None:
    """What each seat gains by what has happened since `scores`, which are brought up to date."""
    ended = rules.over(s)
    for seat in range(s.players):
        score = better * rules.score(s, seat)
        if reward == POINTS:
            gains[seat] = score - scores[seat]
        else:
            gains[seat] = share(rules.wins(s), seat, s.players) if ended else 0
        scores[seat] = score


def share(winners: int, seat: int, players: int) -> float:
    """A part of a victory of 1, or of its loss: together the seats get nothing."""
    n = popcount(winners)
    if n == players:
        return 0.0
    return 1.0 / n if winners >> seat & 1 else -1.0 / (players - n)


def may(s: Any, seat: int, move: int, moves: Any) -> bool:
    """Whether a move is legal."""
    found = False
    for i in range(rules.legal(s, seat, moves)):
        found |= moves[i] == move
    return found


def illegal_row(states: Any, seats: Any, actions: Any, illegal: Any, moves: Any) -> int:
    """The first row whose action is not legal, -1 if there is none; `illegal` marks them all."""
    found = -1
    for i in range(len(seats)):
        illegal[i] = seats[i] >= 0 and not may(states[i], int(seats[i]), int(actions[i]), moves)
        if illegal[i] and found < 0:
            found = i
    return found


def step_rows(
    states: Any,
    starts: Any,
    first: int,
    seats: Any,
    scores: Any,
    gains: Any,
    who: Any,
    reward: int,
    actions: Any,
    illegal: Any,
    penalty: float,
    moves: Any,
    cards: Any,
    random: Any,
) -> None:
    """Play an action in each row, and begin a new match where the last one is over; its action is not looked at.

    An illegal one ends its match: its seat gains the penalty, and the others nothing. Where nobody can be asked no
    further row is looked at, for it would take as long once more.
    """
    for i in range(len(seats)):
        seat = int(seats[i])
        if seat < 0:
            seats[i] = begin(states, i, starts, first, scores[i], gains[i], who, moves, cards, random[i])
            if seats[i] < 0:
                return
        elif illegal[i]:
            seats[i] = NOBODY
            for other in range(len(who)):
                gains[i][other] = penalty if other == seat else 0
        else:
            rules.play(states[i], seat, int(actions[i]))
            seats[i] = advance(states[i], who, moves, cards, random[i])
            pay(states[i], scores[i], gains[i], reward)


def look_rows(states: Any, seats: Any, viewers: Any, observations: Any, masks: Any, moves: Any) -> None:
    """Write what each row's viewer observes, and its legal moves where it is the one asked."""
    for i in range(len(seats)):
        look(states[i], int(seats[i]), int(viewers[i]), observations[i], masks[i], moves)


def look(s: Any, seat: int, viewer: int, observed: Any, mask: Any, moves: Any) -> None:
    """One row's; of a viewer who is not asked the mask is empty, for in some games it would name the mover's cards."""
    observation.observe(s, viewer, observed)
    for move in range(len(mask)):
        mask[move] = 0
    if seat >= 0 and seat == viewer:
        for i in range(rules.legal(s, seat, moves)):
            mask[moves[i]] = 1
