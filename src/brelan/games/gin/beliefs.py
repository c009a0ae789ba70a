"""What the other probably holds: not any ten cards, but such as one who threw and left what lies there would keep."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from brelan.cards import below, popcount
from brelan.games.gin.melds import HIGH, board, points_on, runs_on
from brelan.games.gin.promise import best_sets, ends, longer_outs, near, run_outs, set_outs

if TYPE_CHECKING:
    from brelan.games.gin.rules import State

STEPS = 48
"""How often a card of an imagined hand is tried against another one."""

PER_POINT, PER_TURN, CAN_KNOCK, WANTED, BESIDE, PER_OUT = 3, 5, 39, 104, 75, 11
"""How unlikely a hand is, in 1/64 of a nat: for each point left over, and so for each ten discards; for having so few
that it could knock; for each discard that it would have melded, or that stands beside its loose cards; less for each
out. Set so that hands imagined in 260 positions of the policy's matches against itself (preset `classic`) have as much
of each, on the mean, as the hands that were held. Of one who knocks at once they expect too much patience; a search
that knows better was no stronger (docs/bots.md)."""

ODDS = [round(65536 * exp(-k / 64)) for k in range(512)]
"""The chance, of 65536, to accept a hand that is so much less likely than the one before."""


def unlikely(s: State, hand: int, thrown: int) -> int:
    """How little a hand agrees with the discards (a board without high aces), in 1/64 of a nat.

    So a thrown ace is never wanted beside Q and K, and outs count places behind the aces that are no card: published
    versions play by this, and hands that are nearer the truth were worth nothing (docs/bots.md).
    """
    sets = best_sets(s, hand)
    rows = board(s, hand ^ sets)
    runs = runs_on(rows)
    loose = rows & ~ends(runs)
    points = points_on(s, rows)
    outs = set_outs(loose) | run_outs(loose, runs)
    wanted = popcount((outs | longer_outs(runs, sets)) & thrown)
    cost = points * (PER_POINT * 10 + PER_TURN * s.turns) // 10 + CAN_KNOCK * (points <= s.knock_limit)
    return cost + WANTED * wanted + BESIDE * popcount(near(loose) & thrown) - PER_OUT * popcount(outs & ~thrown)


def settle(s: State, other: int, discards: int, random: list[int]) -> None:
    """Swap unknown cards of the other's hand, the last ones that left the stock, for others until the hand is likely.

    The walk is that of Metropolis (1953): it stays where the chance of a hand is in proportion to its likelihood.
    """
    first = s.next - popcount(s.hand[other] ^ s.known[other])
    if s.turns == 0 or first == s.next or s.next == 52:
        return
    thrown = board(s, discards) & ~HIGH
    now = unlikely(s, s.hand[other], thrown)
    for _ in range(STEPS):
        i = first + below(random, s.next - first)
        j = s.next + below(random, 52 - s.next)
        hand = s.hand[other] ^ (1 << s.stock[i] | 1 << s.stock[j])
        then = unlikely(s, hand, thrown)
        if then <= now or below(random, 65536) < ODDS[min(then - now, 511)]:
            now = then
            s.hand[other] = hand
            card = s.stock[i]
            s.stock[i] = s.stock[j]
            s.stock[j] = card
