"""What the bots of Compañeros know. The novice: play for the dearest colour within reach, take what is worth most."""

from __future__ import annotations

from brelan.cards import below, lowest, popcount
from brelan.games.companeros.rules import COLOUR, TAKE, TAKING, State, counts, score, strength, ties, worth

START = [0, 0]
"""Blur and carelessness (`game.Policy`)."""


def novice(s: State, seat: int, random: list[int]) -> int:
    """A cheap sensible move; equal cards are chosen among at random."""
    if s.phase == TAKING:
        return TAKE + dearest(s.pot)
    best = -1
    most = -1
    rest = s.hand[seat]
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        # a point of the pot outweighs some of the card's own value, which would serve in a later trick
        hope = (3 * promise(s, card) + 20 - card % 10) * 64 + below(random, 64)
        if hope > most:
            most = hope
            best = card
    return best


def dearest(pot: int) -> int:
    """The colour of the pot that is worth most."""
    best = 0
    for colour in range(1, 6):
        if worth(pot, colour) > worth(pot, best):
            best = colour
    return best


def promise(s: State, card: int) -> int:
    """Points that a card may bring: the trick is counted as if it ended here, less who may still come before."""
    trick = s.trick | 1 << card
    if not counts(trick, card, ties(trick)):
        return 0
    before = 0
    others = s.trick
    while others:
        before += strength(trick, lowest(others)) > strength(trick, card)
        others &= others - 1
    to_come = s.players - popcount(trick)
    before += to_come * max(0, 12 - worth(trick, card // 10)) // 12
    return prize(s.pot, before)


def prize(pot: int, before: int) -> int:
    """What the dearest colour is worth to who takes after `before` others have taken as well as they can."""
    rest = pot
    for _ in range(before):
        rest &= ~(COLOUR << 10 * dearest(rest))
    return worth(rest, dearest(rest))


def tuned(s: State, seat: int, w: list[int], random: list[int]) -> int:
    """The move that the weights call best."""
    return novice(s, seat, random)


def shortlist(s: State, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
    """The moves worth a thought, the tuned one first; how many."""
    out[0] = tuned(s, seat, w, random)
    return 1


def outlook(s: State, seat: int) -> int:
    """How good the end of a round is for a seat: the points it has more than the others, on the mean."""
    total = 0
    for other in range(s.players):
        total += score(s, other)
    return s.players * score(s, seat) - total
