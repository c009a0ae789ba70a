"""G, the learned value: what a seat may hope for where a round stands, by a small net; once for every game, compiled.

A net reads the game's own observation (`observe`) and answers in the unit of the game's `outlook`: what that will come
to at the round's end, on the average over all that the seat cannot know, if all play by the policy. It has one layer of
hidden units, which add the columns of the inputs that are not 0 and hold the sum between 0 and ONE. All its numbers are
whole, so that it says the same on every machine; `lab/train.py` fits it to playouts of positions that
`gather` collects.
"""

from __future__ import annotations

from typing import Any

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


def playout(states: Any, seat: int, w: Any, cards: Any, random: Any) -> int:
    """What becomes of a round in one world that a seat holds possible, all playing by the policy."""
    copy_row(states, PLAYOUT, states, POSITION)
    s = states[PLAYOUT]
    rules.imagine(s, seat, random)
    policy.believe(s, seat, random)
    finished = s.finished
    mover = round_seat(s, finished, cards, random)
    while mover >= 0:
        rules.play(s, mover, policy.tuned(s, mover, w, random))
        mover = round_seat(s, finished, cards, random)
    return policy.outlook(s, seat)


def take(states: Any, mover: int, w: Any, row: Any, worlds: int, room: Any, cards: Any, random: Any) -> int:
    """Write down the position behind a move, as any seat sees it, and what it comes to; 0 where it ends the round."""
    copy_row(states, POSITION, states, SOURCE)
    s = states[POSITION]
    finished = s.finished
    count = policy.shortlist(s, mover, w, room[UNITS], random)
    stray = below(random, count) if below(random, STRAY) == 0 else 0
    rules.play(s, mover, room[UNITS][stray])
    if round_seat(s, finished, cards, random) < 0:
        return 0
    seat = below(random, s.players)
    inputs = observation.observe(s, seat, room[SEEN])
    total = 0
    for _ in range(worlds):
        total += playout(states, seat, w, cards, random)
    for i in range(inputs):
        row[i] = min(max(room[SEEN][i], -MOST), MOST)
    row[inputs] = total
    return 1


def gather(
    states: Any, run: int, part: int, rows: Any, w: Any, worlds: int, room: Any, cards: Any, random: Any
) -> None:
    """Fill rows with observations, behind each the sum of what so many playouts came to; a part has its own deals."""
    seed(random, 1 << 60 | run << 40 | part)
    n = 0
    match = 0
    while n < len(rows):
        copy_row(states, SOURCE, states, STARTS + match % (len(states) - STARTS))
        match += 1
        s = states[SOURCE]
        seat = next_seat(s, cards, random)
        while seat >= 0 and n < len(rows):
            if below(random, SCARCE) == 0:
                n += take(states, seat, w, rows[n], worlds, room, cards, random)
            rules.play(s, seat, policy.tuned(s, seat, w, random))
            seat = next_seat(s, cards, random)
