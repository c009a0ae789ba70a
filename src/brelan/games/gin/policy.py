"""What gin's bots know. The novice: keep the least deadwood, end the hand as soon as it may be ended."""

from __future__ import annotations

from brelan.cards import below, lowest
from brelan.games.gin.melds import deadwood
from brelan.games.gin.rules import DRAW, DRAWING, GIN, LAST_OFFER, OFFER, PASS, TAKE, THROWING, State, ending, score

START = [0, 0]
"""Blur and carelessness (`game.Policy`)."""


def novice(s: State, seat: int, random: list[int]) -> int:
    """A cheap sensible move; equal discards are chosen among at random."""
    if s.phase == OFFER or s.phase == LAST_OFFER:
        return TAKE if upcard_helps(s, seat, random) else PASS
    if s.phase == DRAWING:
        return TAKE if upcard_helps(s, seat, random) else DRAW
    if s.phase != THROWING:
        return DRAW
    hand = s.hand[seat]
    if deadwood(s, hand) == 0 and (s.big_gin_bonus or not s.gin_on_ten):
        return GIN
    card = best_throw(s, hand, s.taken, random)
    move = ending(s, hand ^ 1 << card, card)
    return move if move >= 0 else card


def upcard_helps(s: State, seat: int, random: list[int]) -> bool:
    """Whether the top discard, taken, leaves less deadwood than the hand has now."""
    up = s.discards[s.thrown - 1]
    hand = s.hand[seat] | 1 << up
    card = best_throw(s, hand, up, random)
    return deadwood(s, hand ^ 1 << card) < deadwood(s, s.hand[seat])


def best_throw(s: State, hand: int, taken: int, random: list[int]) -> int:
    """The card whose going leaves least deadwood; a dear one rather than a cheap one, then at random."""
    best = -1
    least = 1 << 60
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if card != taken:
            cost = (deadwood(s, hand ^ 1 << card) * 16 - card % 13) * 64 + below(random, 64)
            if cost < least:
                least = cost
                best = card
    return best


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
