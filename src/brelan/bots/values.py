"""G, the learned value: what a seat may hope for where a round stands, by a small net; once for every game, compiled.

A net reads the game's own observation (`observe`) and answers in the unit of the game's `outlook`: what that will come
to at the round's end, on the average over all that the seat cannot know, if all play by the policy. It has one layer of
hidden units, which add the columns of the inputs that are not 0 and hold the sum between 0 and ONE. All its numbers are
whole, so that it says the same on every machine; `lab/train.py` fits it to playouts of positions that
`gather` collects.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from brelan.cards import below, seed
from brelan.fast.playouts import next_seat
from brelan.fast.search import round_seat
from brelan.fast.twins import UNBOUND, copy_row
from brelan.game import Observation, Policy, Rules

rules: Rules = UNBOUND
policy: Policy = UNBOUND
observation: Observation = UNBOUND

ONE = 4096
"""A hidden unit that is fully awake; also the 1 of a column's numbers."""

MOST = 127
"""An input beyond this, up or down, counts as this."""

BIASES, OUTPUT, LAST, LAYERS = 0, 1, 2, 3
"""A net's rows behind those of its inputs: what the hidden units begin with, what each adds to the answer, and in the
last one what the answer begins with and its unit."""

SEEN, UNITS, ROOM = 0, 1, 2
"""The rows of the room that a net works in: an observation, and the sums of the hidden units."""


def hope(s: Any, seat: int, net: Any, room: Any) -> int:
    """What a seat may hope for, by what it sees."""
    inputs = observation.observe(s, seat, room[SEEN])
    hidden = room[UNITS]
    units = len(net[0])
    for j in range(units):
        hidden[j] = net[inputs + BIASES][j]
    for i in range(inputs):
        value = room[SEEN][i]
        if value:
            add(hidden, min(max(value, -MOST), MOST), net[i], units)
    total = ONE * net[inputs + LAST][0]
    for j in range(units):
        total += min(max(hidden[j], 0), ONE) * net[inputs + OUTPUT][j]
    return total * net[inputs + LAST][1] // ONE  # type: ignore[no-any-return]


def add(hidden: Any, value: int, column: Any, units: int) -> None:
    """Add an input's column so many times."""
    for j in range(units):
        hidden[j] += value * column[j]


# ---------------------------------------------------------------- what a net learns from

POSITION, PLAYOUT, SOURCE, STARTS = 0, 1, 2, 3
"""The rows of states: a position, a playout of it, the match that it was taken from; the starts for each first seat."""

SCARCE = 2
"""One of so many positions of a match is taken."""

STRAY = 2
"""Before one of so many of them the seat plays any move of its shortlist, the best one not left out."""


class Gatherer(NamedTuple):
    """What gathering works on. Arrays where it is compiled, lists where it is interpreted."""

    states: Any
    weights: Any  # those that all play by
    room: Any  # an observation, and a shortlist in the row of a net's units
    cards: list[int]
    random: list[int]


def playout(by: Gatherer, seat: int) -> int:
    """What becomes of a round in one world that a seat holds possible, all playing by the policy."""
    copy_row(by.states, PLAYOUT, by.states, POSITION)
    s = by.states[PLAYOUT]
    rules.imagine(s, seat, by.random)
    policy.believe(s, seat, by.random)
    finished = s.finished
    mover = round_seat(s, finished, by.cards, by.random)
    while mover >= 0:
        rules.play(s, mover, policy.tuned(s, mover, by.weights, by.random))
        mover = round_seat(s, finished, by.cards, by.random)
    return policy.outlook(s, seat)


def take(by: Gatherer, mover: int, row: Any, worlds: int) -> int:
    """Write down the position behind a move, as any seat sees it, and what it comes to; 0 where it ends the round."""
    copy_row(by.states, POSITION, by.states, SOURCE)
    s = by.states[POSITION]
    seen, moves = by.room[SEEN], by.room[UNITS]
    finished = s.finished
    count = policy.shortlist(s, mover, by.weights, moves, by.random)
    stray = below(by.random, count) if below(by.random, STRAY) == 0 else 0
    rules.play(s, mover, moves[stray])
    if round_seat(s, finished, by.cards, by.random) < 0:
        return 0
    seat = below(by.random, s.players)
    inputs = observation.observe(s, seat, seen)
    total = 0
    for _ in range(worlds):
        total += playout(by, seat)
    for i in range(inputs):
        row[i] = min(max(seen[i], -MOST), MOST)
    row[inputs] = total
    return 1


def gather(by: Gatherer, run: int, part: int, rows: Any, worlds: int) -> None:
    """Fill rows with observations, behind each the sum of what so many playouts came to; a part has its own deals."""
    seed(by.random, 1 << 60 | run << 40 | part)
    n = 0
    match = 0
    while n < len(rows):
        copy_row(by.states, SOURCE, by.states, STARTS + match % (len(by.states) - STARTS))
        match += 1
        s = by.states[SOURCE]
        seat = next_seat(s, by.cards, by.random)
        while seat >= 0 and n < len(rows):
            if below(by.random, SCARCE) == 0:
                n += take(by, seat, rows[n], worlds)
            rules.play(s, seat, policy.tuned(s, seat, by.weights, by.random))
            seat = next_seat(s, by.cards, by.random)
