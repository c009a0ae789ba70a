"""Search over what a seat cannot know: IS-MCTS (Cowling, Powley, Whitehouse 2012), written once for every game.

Each simulation imagines the hidden cards anew, walks down one tree shared by all the worlds imagined, adds one node,
and plays the round out. The round is the horizon. What a seat hopes for is the points it gains in the round over the
mean of the others. The search has a generator of its own and works on copies: it changes nothing that it is given.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

from brelan.cards import below
from brelan.fast.playouts import chosen, deal_due
from brelan.fast.twins import UNBOUND, copy_row
from brelan.game import Rules
from brelan.schema import Plain

rules: Rules = UNBOUND
better: int = UNBOUND  # 1 where points are good, -1 where few are

EXPLORING = 0.7
"""Weight of the unknown in the choice of a child; gains are counted in units of the largest one seen."""


class Node(Plain):
    """A move in the tree. Node 0 is the root and no move; a link of 0 leads nowhere."""

    move: int
    seat: int  # who made it
    visits: int
    seen: int  # how often it was legal when its parent was visited
    gain: int  # of its seat, summed over the visits
    child: int  # the first one
    sibling: int  # the next child of the same parent


class Walk(NamedTuple):
    """What a search works on. Arrays where it is compiled, lists where it is interpreted."""

    states: Any  # the one that is asked about, and one to play in
    tree: Any  # rows of Node
    path: list[int]  # the nodes of a simulation
    gains: list[int]  # of each seat in it
    where: list[int]  # the child of each legal move
    moves: list[int]
    cards: list[int]
    random: list[int]


def round_seat(s: Any, finished: int, cards: Any, random: Any) -> int:
    """The seat that moves next in this round; -1 once the round is over, by a move or a shuffle behind it."""
    if s.finished == finished and rules.asked(s) == 0:
        deal_due(s, cards, random)
    return -1 if s.finished != finished else s.turn


def untried_first(walk: Walk, node: int, seat: int, count: int) -> int:
    """Find the child of each legal move, which it was once more; bring the moves that have none to the front, count
    them.
    """
    tree, moves, where = walk.tree, walk.moves, walk.where
    for i in range(count):
        where[moves[i]] = 0
    child = tree[node].child
    while child:
        if tree[child].seat == seat:
            where[tree[child].move] = child
        child = tree[child].sibling
    untried = 0
    for i in range(count):
        move = moves[i]
        if where[move] == 0:
            moves[i] = moves[untried]
            moves[untried] = move
            untried += 1
        else:
            tree[where[move]].seen += 1
    return untried


def add_child(tree: Any, node: int, new: int, seat: int, move: int) -> None:
    """Hang a new node under a node."""
    tree[new].move = move
    tree[new].seat = seat
    tree[new].seen = 1
    tree[new].sibling = tree[node].child
    tree[node].child = new


def best_child(walk: Walk, count: int, unit: int) -> int:
    """The child of highest upper confidence bound among the legal moves, all of which have one."""
    tree = walk.tree
    best = -1e30
    found = 0
    for i in range(count):
        child = walk.where[walk.moves[i]]
        visits = tree[child].visits
        bound = tree[child].gain / (visits * unit) + EXPLORING * sqrt(log(tree[child].seen) / visits)
        if bound > best:
            best = bound
            found = child
    return found


def descend(walk: Walk, new: int, first: int, unit: int) -> int:
    """Walk down the tree until node `new` is added or the round is over; how many nodes lie on the path."""
    s = walk.states[1]
    node = depth = 0
    finished = s.finished
    seat = first
    while seat >= 0 and node != new:
        count = rules.legal(s, seat, walk.moves)
        untried = untried_first(walk, node, seat, count)
        if untried:
            add_child(walk.tree, node, new, seat, walk.moves[below(walk.random, untried)])
            node = new
        else:
            node = best_child(walk, count, unit)
        walk.path[depth] = node
        depth += 1
        rules.play(s, seat, walk.tree[node].move)
        seat = round_seat(s, finished, walk.cards, walk.random)
    return depth


def play_round(walk: Walk, finished: int, who: int) -> None:
    """Play to the end of the round that began when so many rounds had ended."""
    s = walk.states[1]
    seat = round_seat(s, finished, walk.cards, walk.random)
    while seat >= 0:
        rules.play(s, seat, chosen(s, seat, who, walk.moves, walk.random))
        seat = round_seat(s, finished, walk.cards, walk.random)


def add_scores(s: Any, gains: Any, sign: int) -> None:
    """Add every seat's score to its gain, or take it away."""
    for seat in range(s.players):
        gains[seat] += sign * better * rules.score(s, seat)


def back_up(walk: Walk, depth: int) -> int:
    """Count a simulation along its path; the largest gain in it. Gains over the others' mean, times players - 1."""
    tree, gains = walk.tree, walk.gains
    players = len(gains)
    total = 0
    for seat in range(players):
        total += gains[seat]
    largest = 0
    for i in range(depth):
        node = walk.path[i]
        gain = players * gains[tree[node].seat] - total
        tree[node].visits += 1
        tree[node].gain += gain
        largest = max(largest, abs(gain))
    return largest


def most_visited(tree: Any) -> int:
    """The move at the root that was tried most."""
    best = child = tree[0].child
    while child:
        if tree[child].visits > tree[best].visits:
            best = child
        child = tree[child].sibling
    return tree[best].move  # type: ignore[no-any-return]


def search(walk: Walk, seat: int, who: int) -> int:
    """The best move of `seat` in states[0] after as many simulations as the tree has room for; `who` plays on."""
    unit = 1
    for new in range(1, len(walk.tree)):
        copy_row(walk.states, 1, walk.states, 0)
        s = walk.states[1]
        rules.imagine(s, seat, walk.random)
        for i in range(len(walk.gains)):
            walk.gains[i] = 0
        finished = s.finished
        add_scores(s, walk.gains, -1)
        depth = descend(walk, new, seat, unit)
        play_round(walk, finished, who)
        add_scores(s, walk.gains, 1)
        unit = max(unit, back_up(walk, depth))
    return most_visited(walk.tree)
