"""How bots think, written once for every game and compiled by `fast`: by the game's policy, then by search.

The search looks into worlds that the seat holds possible: in each it plays every move of the policy's shortlist, lets
the policy play the round out for all, and asks the game how good the end is; or it asks a net after some decisions
(`values`), which sees no more than the seat does. All moves of a world meet the same luck, so that what is compared is
the moves (common random numbers). A move other than the policy's own is made only where its mean gain exceeds some
standard errors, the gate: without it the noise of few worlds plays worse than no search at all.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from brelan.bots.values import hope
from brelan.cards import below, seed
from brelan.fast.playouts import ENDLESS, deal_due, stand_still, write_result
from brelan.fast.search import round_seat
from brelan.fast.twins import UNBOUND, copy_row
from brelan.game import NOVICE, RANDOM, Policy, Rules
from brelan.schema import Plain

rules: Rules = UNBOUND
policy: Policy = UNBOUND

EIGHT = 8
"""Of so many worlds the others play in some as novices, and in as many of the next ones."""

MATCH, WORLD, TRIAL, START = 0, 1, 2, 3
"""The rows of states: the one that is played, a world, a trial in it; then the starts, for each first seat."""

COUNT, LOOKS = 0, 1
"""What a search leaves: the number of moves that it did not drop, and of the worlds that it looked into."""


class How(Plain):
    """The numbers that a mind thinks by."""

    kind: int  # RANDOM, NOVICE or TUNED
    worlds: int  # the most that it looks into; 0: it does not search
    gate: int  # hundredths of a standard error
    others: int  # the mind by whose weights it takes the others to play
    depth: int  # the decisions of a trial after which it asks its net how good it is; -1: it plays the round out
    reads: int  # 1: in its worlds the others hold what their moves tell; 0: any cards
    patience: int  # the worlds after which moves that are clearly worse are dropped, and again whenever they doubled
    hopes: int  # 1: the end of a trial is worth what it lets hope for in the match; 0: its points, however that stands
    simple: int  # of EIGHT worlds those in which the others play as the novice does, not by weights


class Minds(NamedTuple):
    """Those that sit at a table, a row each."""

    how: Any  # rows of How
    weights: Any
    nets: Any


class Scales(NamedTuple):
    """The moves that a search compares, the policy's own first."""

    moves: list[int]
    gains: list[int]  # over the first one, summed over the worlds
    squares: list[int]  # the same, squared


class Desk(NamedTuple):
    """What thinking works on. Arrays where it is compiled, lists where it is interpreted."""

    states: Any
    scales: Scales
    left: list[int]  # COUNT and LOOKS
    net: Any  # the room of a net (`values.ROOM`)
    moves: list[int]
    cards: list[int]
    chance: list[int]  # the generator of the shuffles of a match
    random: list[int]  # that of what minds think


FAR = 1 << 24
"""Points that no lead exceeds, for a search sums their squares in 64 bits; no table of the sheets comes near."""

LONGEST = 1200
"""Decisions after which a trial is judged as it stands: options may let a round go on for ever, and policies too."""

SURE = 2.0
"""Standard errors by which a move must lie behind the best one to be dropped."""


def trial(desk: Desk, minds: Minds, seat: int, mind: int, move: int, simple: bool) -> int:
    """How good the round's end is after this move, all playing on; or what the net says on the way there."""
    s = desk.states[TRIAL]
    how = minds.how[mind]
    own = minds.weights[mind]
    others = minds.weights[how.others]
    finished = s.finished
    rules.play(s, seat, move)
    mover = round_seat(s, finished, desk.cards, desk.random)
    depth = how.depth
    while mover >= 0 and depth > -LONGEST:
        if depth == 0:
            return hope(s, seat, minds.nets[mind], desk.net)
        depth -= 1
        if simple and mover != seat:
            rules.play(s, mover, policy.novice(s, mover, desk.random))
        else:
            rules.play(s, mover, policy.tuned(s, mover, own if mover == seat else others, desk.random))
        mover = round_seat(s, finished, desk.cards, desk.random)
    return policy.outlook(s, seat) if how.hopes else lead(s, seat)


def lead(s: Any, seat: int) -> int:
    """The points that a seat is ahead of the best of the others, or behind; for games in which many are good."""
    most = -(1 << 60)
    for other in range(s.players):
        if other != seat:
            most = max(most, rules.score(s, other))
    return max(-FAR, min(FAR, rules.score(s, seat) - most))


def look(desk: Desk, minds: Minds, seat: int, mind: int, count: int) -> None:
    """Play every move of the shortlist in one world, with the same luck."""
    how = minds.how[mind]
    copy_row(desk.states, WORLD, desk.states, MATCH)
    rules.imagine(desk.states[WORLD], seat, desk.random)
    if how.reads:
        policy.believe(desk.states[WORLD], seat, desk.random)
    simple = desk.left[LOOKS] % EIGHT < how.simple
    desk.left[LOOKS] += 1
    scales = desk.scales
    luck = desk.random[0]
    first = 0
    for i in range(count):
        copy_row(desk.states, TRIAL, desk.states, WORLD)
        desk.random[0] = luck
        worth = trial(desk, minds, seat, mind, scales.moves[i], simple)
        if i == 0:
            first = worth
        scales.gains[i] += worth - first
        scales.squares[i] += (worth - first) ** 2


def error(scales: Scales, i: int, worlds: int) -> float:
    """The standard error of a move's summed gain."""
    mean = scales.gains[i] / worlds
    return sqrt(max(scales.squares[i] / worlds - mean * mean, 0.0) * worlds) + 1e-9


def best_of(scales: Scales, count: int) -> int:
    """The place of the move with the highest gain."""
    best = 0
    for i in range(1, count):
        if scales.gains[i] > scales.gains[best]:
            best = i
    return best


def drop(scales: Scales, count: int, worlds: int) -> int:
    """Strike out what lies clearly behind the best, but never the policy's own move; how many are left."""
    most = scales.gains[best_of(scales, count)]
    kept = 1
    for i in range(1, count):
        if scales.gains[i] + SURE * error(scales, i, worlds) >= most:
            scales.moves[kept] = scales.moves[i]
            scales.gains[kept] = scales.gains[i]
            scales.squares[kept] = scales.squares[i]
            kept += 1
    return kept


def search(desk: Desk, minds: Minds, seat: int, mind: int) -> int:
    """The policy's move in states[MATCH], or one of its shortlist that is better beyond the gate."""
    how = minds.how[mind]
    scales = desk.scales
    count = policy.shortlist(desk.states[MATCH], seat, minds.weights[mind], scales.moves, desk.random)
    for i in range(count):
        scales.gains[i] = 0
        scales.squares[i] = 0
    desk.left[LOOKS] = 0
    check = how.patience
    while count > 1 and desk.left[LOOKS] < how.worlds:
        look(desk, minds, seat, mind, count)
        if desk.left[LOOKS] == check:
            count = drop(scales, count, check)
            check *= 2
    desk.left[COUNT] = count = drop(scales, count, desk.left[LOOKS])  # more worlds than at the last time
    best = best_of(scales, count)
    if best and scales.gains[best] * 100 > how.gate * error(scales, best, desk.left[LOOKS]):
        return scales.moves[best]
    return scales.moves[0]


def think(desk: Desk, minds: Minds, seat: int, mind: int) -> int:
    """A mind's move for a seat that is asked in states[MATCH]; the state may be redacted or whole."""
    s = desk.states[MATCH]
    kind = minds.how[mind].kind
    if kind == RANDOM:
        return desk.moves[below(desk.random, rules.legal(s, seat, desk.moves))]
    if kind == NOVICE:
        return policy.novice(s, seat, desk.random)
    if minds.how[mind].worlds:
        return search(desk, minds, seat, mind)
    return policy.tuned(s, seat, minds.weights[mind], desk.random)


def next_mover(desk: Desk, run: int, deal: int) -> int:
    """As `next_seat`; each round has a luck of its own, so that it does not depend on how the last one was played.

    Every shuffle of a round begins that luck anew: a stock rebuilt in Hawaiki is shuffled by the very numbers of the
    round's first shuffle. All published figures were measured so.
    """
    s = desk.states[MATCH]
    while rules.asked(s) == 0:
        if rules.over(s):
            return -1
        if not deal_round(desk, run, deal):
            stand_still()
    return s.turn  # type: ignore[no-any-return]


def deal_round(desk: Desk, run: int, deal: int) -> bool:
    """Deal what is due by the round's own luck; whether anything was."""
    s = desk.states[MATCH]
    seed(desk.chance, run << 48 | (s.finished & 0xFFFF) << 32 | deal)
    return deal_due(s, desk.cards, desk.chance)


def play_duel(desk: Desk, minds: Minds, run: int, deal: int, at: Any) -> int:
    """Play a deal to the end of the match, mind at[seat] in each seat; how many decisions that took, -1: no end."""
    copy_row(desk.states, MATCH, desk.states, START + deal % (len(desk.states) - START))
    n = finished = 0
    last = ENDLESS
    seat = next_mover(desk, run, deal)
    while seat >= 0 and n < last:
        rules.play(desk.states[MATCH], seat, think(desk, minds, seat, at[seat]))
        n += 1
        if desk.states[MATCH].finished != finished:
            finished = desk.states[MATCH].finished
            last = n + ENDLESS
        seat = next_mover(desk, run, deal)
    return n if seat < 0 else -1


def play_duels(desk: Desk, minds: Minds, run: int, first: int, order: Any, results: Any) -> int:
    """Play each deal once for each row of `order`, which says who sits where; a row of results for each match.

    Match i is deal i // len(order). Equal deals have equal cards, whoever plays them. The answer is the match that does
    not end, if there is one, else -1.
    """
    for i in range(len(results)):
        seed(desk.random, 1 << 61 | run << 40 | first + i)
        decisions = play_duel(desk, minds, run, (first + i) // len(order), order[(first + i) % len(order)])
        if decisions < 0:
            return first + i
        write_result(desk.states[MATCH], results[i], decisions)
    return -1
