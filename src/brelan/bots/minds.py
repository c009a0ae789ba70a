"""How bots think, written once for every game and compiled by `fast`: by the game's policy, then by search.

The search looks into worlds that the seat holds possible: in each it plays every move of the policy's shortlist, lets
the policy play the round out for all, and asks the game how good the end is; or it asks a net after some decisions
(`values`), which sees no more than the seat does. All moves of a world meet the same luck, so that what is compared is
the moves (common random numbers). A move other than the policy's own is made only where its mean gain exceeds some
standard errors, the gate: without it the noise of few worlds plays worse than no search at all.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from brelan.bots.values import ROOM, hope
from brelan.cards import below, seed
from brelan.fast.playouts import deal_due, next_seat, write_result
from brelan.fast.search import round_seat
from brelan.fast.twins import UNBOUND, copy_row
from brelan.game import NOVICE, RANDOM, Policy, Rules

rules: Rules = UNBOUND
policy: Policy = UNBOUND

KIND, WORLDS, GATE, OTHERS, DEPTH, READS, PATIENCE, HOPES, SIMPLE = range(9)
"""A mind's numbers: RANDOM, NOVICE or TUNED; the most worlds it looks into; the gate, in hundredths of a standard
error; the mind by whose weights it takes the others to play; the decisions after which it asks its net how good a trial
is, -1: it plays the round out; 1 if in its worlds the others hold what their moves tell, 0 if any cards; the worlds
after which moves that are clearly worse are dropped, and again whenever they have doubled; 1 if the end of a trial is
worth what it lets hope for in the match, 0 if its points count however the match stands; of EIGHT worlds those in which
the others play as the novice does, not by weights. Its weights stand in a row of their own, and so does its net."""

EIGHT = 8
"""After so many worlds their kinds begin anew."""

MATCH, WORLD, TRIAL, START = 0, 1, 2, 3
"""The rows of states: the one that is played, a world, a trial in it; then the starts, for each first seat."""

SHORTLIST, SUMS, SQUARES, LEFT, DESK = ROOM, ROOM + 1, ROOM + 2, ROOM + 3, ROOM + 4
"""The rows of the desk, behind the room of a net: the moves compared, their gains over the first one summed over the
worlds, and squared; and how many of them are left behind a search, after how many worlds."""

FAR = 1 << 24
"""Points that no lead exceeds, for a search sums their squares in 64 bits; no table of the sheets comes near."""

LONGEST = 1200
"""Decisions after which a trial is judged as it stands: options may let a round go on for ever, and policies too."""

SURE = 2.0
"""Standard errors by which a move must lie behind the best one to be dropped."""


def trial(
    s: Any, seat: int, move: int, simple: bool, how: Any, own: Any, others: Any, net: Any, desk: Any, cards: Any,
    random: Any,
) -> int:  # fmt: skip
    """How good the round's end is after this move, all playing on; or what the net says on the way there."""
    finished = s.finished
    rules.play(s, seat, move)
    mover = round_seat(s, finished, cards, random)
    depth = how[DEPTH]
    while mover >= 0 and depth > -LONGEST:
        if depth == 0:
            return hope(s, seat, net, desk)
        depth -= 1
        if simple and mover != seat:
            rules.play(s, mover, policy.novice(s, mover, random))
        else:
            rules.play(s, mover, policy.tuned(s, mover, own if mover == seat else others, random))
        mover = round_seat(s, finished, cards, random)
    return policy.outlook(s, seat) if how[HOPES] else lead(s, seat)


def lead(s: Any, seat: int) -> int:
    """The points that a seat is ahead of the best of the others, or behind; for games in which many are good."""
    most = -(1 << 60)
    for other in range(s.players):
        if other != seat:
            most = max(most, rules.score(s, other))
    return max(-FAR, min(FAR, rules.score(s, seat) - most))


def look(
    states: Any, seat: int, count: int, how: Any, own: Any, others: Any, net: Any, desk: Any, cards: Any, random: Any
) -> None:
    """Play every move of the shortlist in one world, with the same luck; `how`: the numbers of the mind."""
    copy_row(states, WORLD, states, MATCH)
    rules.imagine(states[WORLD], seat, random)
    if how[READS]:
        policy.believe(states[WORLD], seat, random)
    simple = desk[LEFT][1] % EIGHT < how[SIMPLE]
    desk[LEFT][1] += 1
    luck = random[0]
    first = 0
    for i in range(count):
        copy_row(states, TRIAL, states, WORLD)
        random[0] = luck
        worth = trial(states[TRIAL], seat, desk[SHORTLIST][i], simple, how, own, others, net, desk, cards, random)
        if i == 0:
            first = worth
        desk[SUMS][i] += worth - first
        desk[SQUARES][i] += (worth - first) ** 2


def error(desk: Any, i: int, worlds: int) -> float:
    """The standard error of a move's summed gain."""
    mean = desk[SUMS][i] / worlds
    return sqrt(max(desk[SQUARES][i] / worlds - mean * mean, 0.0) * worlds) + 1e-9


def best_of(desk: Any, count: int) -> int:
    """The place of the move with the highest gain."""
    best = 0
    for i in range(1, count):
        if desk[SUMS][i] > desk[SUMS][best]:
            best = i
    return best


def drop(desk: Any, count: int, worlds: int) -> int:
    """Strike out what lies clearly behind the best, but never the policy's own move; how many are left."""
    most = desk[SUMS][best_of(desk, count)]
    kept = 1
    for i in range(1, count):
        if desk[SUMS][i] + SURE * error(desk, i, worlds) >= most:
            desk[SHORTLIST][kept] = desk[SHORTLIST][i]
            desk[SUMS][kept] = desk[SUMS][i]
            desk[SQUARES][kept] = desk[SQUARES][i]
            kept += 1
    return kept


def search(
    states: Any, seat: int, mind: int, minds: Any, weights: Any, nets: Any, desk: Any, cards: Any, random: Any
) -> int:
    """The policy's move in states[MATCH], or one of its shortlist that is better beyond the gate."""
    own = weights[mind]
    others = weights[minds[mind][OTHERS]]
    count = policy.shortlist(states[MATCH], seat, own, desk[SHORTLIST], random)
    for i in range(count):
        desk[SUMS][i] = 0
        desk[SQUARES][i] = 0
    desk[LEFT][1] = 0
    check = minds[mind][PATIENCE]
    while count > 1 and desk[LEFT][1] < minds[mind][WORLDS]:
        look(states, seat, count, minds[mind], own, others, nets[mind], desk, cards, random)
        if desk[LEFT][1] == check:
            count = drop(desk, count, desk[LEFT][1])
            check *= 2
    desk[LEFT][0] = count
    best = best_of(desk, count)
    if best and desk[SUMS][best] * 100 > minds[mind][GATE] * error(desk, best, desk[LEFT][1]):
        return desk[SHORTLIST][best]  # type: ignore[no-any-return]
    return desk[SHORTLIST][0]  # type: ignore[no-any-return]


def think(
    states: Any, seat: int, mind: int, minds: Any, weights: Any, nets: Any, desk: Any, moves: Any, cards: Any,
    random: Any,
) -> int:  # fmt: skip
    """A mind's move for a seat that is asked in states[MATCH]; the state may be redacted or whole."""
    kind = minds[mind][KIND]
    if kind == RANDOM:
        n = rules.legal(states[MATCH], seat, moves)
        return moves[below(random, n)]  # type: ignore[no-any-return]
    if kind == NOVICE:
        return policy.novice(states[MATCH], seat, random)
    if minds[mind][WORLDS]:
        return search(states, seat, mind, minds, weights, nets, desk, cards, random)
    return policy.tuned(states[MATCH], seat, weights[mind], random)


def next_mover(s: Any, run: int, deal: int, cards: Any, chance: Any) -> int:
    """As `next_seat`; each round has a luck of its own, so that it does not depend on how the last one was played.

    Every shuffle of a round begins that luck anew: a stock rebuilt in Hawaiki is shuffled by the very numbers of the
    round's first shuffle. All published figures were measured so.
    """
    if rules.asked(s) == 0:
        seed(chance, run << 48 | (s.finished & 0xFFFF) << 32 | deal)
        deal_due(s, cards, chance)
    return next_seat(s, cards, chance)


def play_duel(
    states: Any, run: int, deal: int, at: Any, minds: Any, weights: Any, nets: Any, desk: Any, moves: Any,
    cards: Any, chance: Any, random: Any,
) -> int:  # fmt: skip
    """Play a deal to the end of the match, mind at[seat] in each seat; how many decisions that took."""
    copy_row(states, MATCH, states, START + deal % (len(states) - START))
    s = states[MATCH]
    n = 0
    seat = next_mover(s, run, deal, cards, chance)
    while seat >= 0:
        rules.play(s, seat, think(states, seat, at[seat], minds, weights, nets, desk, moves, cards, random))
        n += 1
        seat = next_mover(s, run, deal, cards, chance)
    return n


def play_duels(
    states: Any, run: int, first: int, results: Any, order: Any, minds: Any, weights: Any, nets: Any,
    desk: Any, moves: Any, cards: Any, chance: Any, random: Any,
) -> None:  # fmt: skip
    """Play each deal once for each row of `order`, which says who sits where; a row of results for each match.

    Match i is deal i // len(order). Equal deals have equal cards, whoever plays them.
    """
    for i in range(len(results)):
        deal = (first + i) // len(order)
        seed(random, 1 << 61 | run << 40 | first + i)
        at = order[(first + i) % len(order)]
        decisions = play_duel(states, run, deal, at, minds, weights, nets, desk, moves, cards, chance, random)
        write_result(states[MATCH], results[i], decisions)
