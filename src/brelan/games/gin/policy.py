"""What gin's bots know. The novice: keep the least deadwood, end the hand as soon as it may be ended.

The tuned policy weighs what ten cards promise against what a throw gives away, in 1/16 of a point, and learns from its
weights when a hand that may be ended is played on.
"""

from __future__ import annotations

from brelan.cards import below, happens, insert, lowest, popcount, put_first
from brelan.game import BLUR, CARELESS
from brelan.games.gin.beliefs import settle
from brelan.games.gin.danger import danger
from brelan.games.gin.hopes import hopes
from brelan.games.gin.melds import ALL_CARDS, board, deadwood
from brelan.games.gin.promise import late, promise
from brelan.games.gin.rules import (
    DRAW,
    DRAWING,
    GIN,
    GIN_ON,
    KNOCK,
    LAST_OFFER,
    MUST_DRAW,
    OFFER,
    PASS,
    TAKE,
    THROWING,
    State,
    ending,
    is_gin,
    near_end,
    seen_discards,
)

TAKING, TAKING_LATER = 13, 14
"""Weights, in 1/16 of a point: by how much the upcard must better the hand to be worth a draw, and how that changes
with every discard."""

KNOCKS, PER_POINT, PER_TURN, PER_KNOWN = 15, 16, 17, 18
"""Weights: one knocks while KNOCKS + PER_POINT * deadwood + PER_TURN * discards + PER_KNOWN * cards of the other that
were seen is more than 0."""

SEES_GIN = 21
"""Weight: unless 0, the upcard that makes gin is taken; what ten cards promise says nothing of an end."""

START = [0, 0, 16, 18, 13, 12, -4, -2, 3, 36, 21, -8, 0, 90, -4, 174, 1, -9, -5, 16, 16, 1]
"""The first weights: those set by hand, once tuned (`game.Policy`)."""

FEW, NEAR = 5, 100
"""A search looks at so many throws, none of them worse than the best by more 1/16 of a point than that."""


def novice(s: State, seat: int, random: list[int]) -> int:
    """A cheap sensible move; equal discards are chosen among at random."""
    if s.phase == OFFER or s.phase == LAST_OFFER:
        return TAKE if upcard_helps(s, seat, random) else PASS
    if s.phase == DRAWING:
        return TAKE if upcard_helps(s, seat, random) else DRAW
    if s.phase != THROWING:
        return DRAW
    hand = s.hand[seat]
    if is_gin(s, deadwood(s, hand)):
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
    if s.phase == MUST_DRAW:
        return DRAW
    move = ending_move(s, seat, w, random) if s.phase == THROWING else -1
    if move >= 0:
        return move
    if s.phase == THROWING:
        return best_of_eleven(s, seat, w, random)
    leaves = not upcard_wanted(s, seat, w, random) or happens(random, w[CARELESS])
    return (DRAW if s.phase == DRAWING else PASS) if leaves else TAKE


def upcard_wanted(s: State, seat: int, w: list[int], random: list[int]) -> bool:
    """Whether the upcard is worth more than a draw, or makes gin."""
    if w[SEES_GIN] and makes_gin(s, eleven(s, seat), random):
        return True
    return best_of_eleven(s, seat, w, random) != s.discards[s.thrown - 1]


def makes_gin(s: State, hand: int, random: list[int]) -> bool:
    """Whether ten cards and the upcard end the hand with gin, on eleven or on ten."""
    now = deadwood(s, hand)
    if is_gin(s, now):
        return True
    if now > max(10, s.ace_value):
        return False
    return best_ending(s, hand, s.discards[s.thrown - 1], random) >= GIN_ON


def ending_move(s: State, seat: int, w: list[int], random: list[int]) -> int:
    """The move that ends the hand, if that is wanted; -1 if not, or if it may not be ended."""
    hand = s.hand[seat]
    now = deadwood(s, hand)
    if not near_end(s, now):
        return -1
    if is_gin(s, now):
        return GIN
    move = best_ending(s, hand, s.taken, random)
    if move < 0 or happens(random, w[CARELESS]):
        return -1
    left = deadwood(s, hand ^ 1 << thrown_by(move))
    wish = w[KNOCKS] + w[PER_POINT] * left + w[PER_TURN] * s.turns + w[PER_KNOWN] * popcount(s.known[1 - seat])
    return move if move >= GIN_ON or wish + below(random, w[BLUR] + 1) > 0 else -1


def best_ending(s: State, hand: int, taken: int, random: list[int]) -> int:
    """The move that ends a hand of eleven, of which one was just taken, with least deadwood; -1 if it may not end."""
    card = best_throw(s, hand, taken, random)
    return ending(s, hand ^ 1 << card, card)


def thrown_by(move: int) -> int:
    """The card that a knock, or gin on ten, throws."""
    return move - GIN_ON if move >= GIN_ON else move - KNOCK


def eleven(s: State, seat: int) -> int:
    """The hand, with the top discard in it where that might be taken."""
    return s.hand[seat] if s.phase == THROWING else s.hand[seat] | 1 << s.discards[s.thrown - 1]


def best_of_eleven(s: State, seat: int, w: list[int], random: list[int]) -> int:
    """The card to throw; before a draw the upcard, taken and thrown again, stands for leaving it."""
    hand = eleven(s, seat)
    known, pile = s.known[1 - seat], seen_discards(s)
    live, known, pile = board(s, ALL_CARDS & ~(hand | known | pile)), board(s, known), board(s, pile)
    best = -1
    most = -(1 << 60)
    rest = hand & ~(1 << s.taken) if s.taken >= 0 else hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        worth = worth_of_throw(s, hand, card, live, known, pile, w) * 8 + below(random, w[BLUR] * 8 + 8)
        if worth > most:
            most = worth
            best = card
    return best


def worth_of_throw(s: State, hand: int, card: int, live: int, known: int, pile: int, w: list[int]) -> int:
    """What the rest of eleven cards is worth without this one, less its danger; for the upcard, what a draw is.

    The boards hold what is unseen, what the other is known to hold, and the discards.
    """
    kept = promise(s, hand ^ 1 << card, live, w)
    if s.phase != THROWING and card == s.discards[s.thrown - 1]:
        return kept + w[TAKING] + w[TAKING_LATER] * late(s, w)
    return kept - danger(s, card, live, known, pile, w)


def shortlist(s: State, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
    """The moves worth a thought, the tuned one first; how many."""
    first = tuned(s, seat, w, random)
    if s.phase == MUST_DRAW or first == GIN or (s.phase == THROWING and first >= GIN_ON):
        out[0] = first
        return 1
    if s.phase != THROWING:
        out[0] = first
        out[1] = TAKE if first != TAKE else DRAW if s.phase == DRAWING else PASS
        return 2
    n = best_throws(s, seat, w, out)
    out[n] = best_ending(s, s.hand[seat], s.taken, random)
    n += out[n] >= 0
    return put_first(out, n, first)


def best_throws(s: State, seat: int, w: list[int], out: list[int]) -> int:
    """The throws that come near the best one, it first, into `out`; how many."""
    hand = s.hand[seat]
    known, pile = s.known[1 - seat], seen_discards(s)
    live, known, pile = board(s, ALL_CARDS & ~(hand | known | pile)), board(s, known), board(s, pile)
    n = 0
    rest = hand & ~(1 << s.taken) if s.taken >= 0 else hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        n = insert(out, n, FEW, worth_of_throw(s, hand, card, live, known, pile, w) << 8 | card)
    least = (out[0] >> 8) - NEAR
    kept = 0
    while kept < n and out[kept] >> 8 >= least:
        out[kept] &= 255
        kept += 1
    return kept


def outlook(s: State, seat: int) -> int:
    """How good the end of a hand is for a seat: its hopes of winning the match."""
    return hopes(s, seat)


def believe(s: State, seat: int, random: list[int]) -> None:
    """Change the other's hand in an imagined world so that it agrees with what he threw and left."""
    settle(s, 1 - seat, seen_discards(s), random)
