"""What a card laid, or a draw, is worth in Mio, in 1/16 of a point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brelan.cards import popcount
from brelan.games.mio.discards import unseen_of
from brelan.games.mio.fits import ALIKE, COLOURS, FROM_HAND, JOKER, KIND, KINDS, POINTS, STAR
from brelan.games.mio.rules import DECK, left_of, owned

if TYPE_CHECKING:
    from brelan.games.mio.rules import State

POINT, POINT_NEAR, COVER, FOLLOW, BLOCK, BLOCK_NEXT = 2, 3, 4, 5, 6, 7
"""Weights: a point laid, and so for each card by which the others' smallest hand lacks of five; one of the 25 numbers
on which the rest of the hand could go on; a card that fits on this one; 1/64 of the unseen cards that do not fit, and
so for each card by which the next hand lacks of four."""

STAR_NOW, STAR_NEXT, JOKER_NOW, JOKER_NEAR, JOKER_LAST = 8, 9, 10, 11, 12
"""Weights: to lay a star, and so for each card by which the next hand lacks of four; to lay a joker, and so for each
card by which the smallest hand lacks of five; to keep a joker as the last card, which counts double (M17)."""

DRAWING, DRAWING_NEAR, DRAWING_OWN = 13, 14, 15
"""Weights: to draw where one could lay; so for what the smallest hand lacks of five; so for each own card."""

STAR_DRY = 16
"""Weight, for each card that stays in the hand: to lay a star when nothing is left to draw, as it may come back."""

BLOCK_TOLD = 17
"""Weight, for 1/64 of the unseen cards: those that fit, but that the next hand's draws tell it lacks."""

SIGHT = 18
"""So many 64ths of all blur do not touch the colour that a joker names: nobody who plays names one he does not hold."""

FOLLOW_LAST = 19
"""Weight, at two seats: that the last card fits on the one laid, as the other may have to lay what it fits on again."""

GOING_OUT = 1 << 20
"""More than anything else can be worth."""


def lacking(s: State, seat: int) -> int:
    """By how many cards the smallest hand of the others lacks of five; 0 if it does not."""
    least = 5
    for other in range(s.players):
        if other != seat:
            least = min(least, owned(s, other))
    return 5 - least


def worth_of_draw(s: State, seat: int, w: list[int]) -> int:
    """What drawing is worth where one could lay."""
    return w[DRAWING] + w[DRAWING_NEAR] * lacking(s, seat) + w[DRAWING_OWN] * owned(s, seat)


def cover(held: int) -> int:
    """On how many of the 25 numbers a set of cards could go on."""
    if held >> JOKER & 1:
        return 25
    colours = 0
    values = 0
    for i in range(COLOURS):
        colours += held & ALIKE[i] != 0
        values += held & KIND[i] != 0
    return 25 - (5 - colours) * (5 - values)


def share(s: State, seat: int, cards: int) -> int:
    """How many 1/64 of the cards that the seat does not see are among these."""
    return 64 * max(unseen_of(s, seat, cards), 0) // max(DECK - s.laid - s.size[seat], 1)


def worth_of_lying(s: State, seat: int, lying: int, w: list[int]) -> int:
    """What it is worth to lay a card."""
    card = min(lying, JOKER)
    left = owned(s, seat) - 1
    if left == 0:
        return GOING_OUT
    held = s.held[seat] if s.hand[seat][card] > 1 else s.held[seat] & ~(1 << card)
    near = lacking(s, seat)
    hurry = max(0, 4 - owned(s, left_of(s, seat)))
    worth = POINTS[card] * (w[POINT] + w[POINT_NEAR] * near)
    fits = FROM_HAND[lying]
    worth += w[COVER] * cover(held) + w[FOLLOW] * popcount(held & fits)
    if left == 1 and s.players == 2 and held & fits:
        worth += w[FOLLOW_LAST]
    worth += (w[BLOCK] + w[BLOCK_NEXT] * hurry) * (64 - share(s, seat, fits))
    if w[BLOCK_TOLD]:
        worth += w[BLOCK_TOLD] * share(s, seat, fits & s.lacks[left_of(s, seat)])
    if card == JOKER:
        return worth + w[JOKER_NOW] + w[JOKER_NEAR] * near
    if card % KINDS == STAR:
        worth += w[STAR_NOW] + w[STAR_NEXT] * hurry + w[STAR_DRY] * left * (s.next == DECK)
    return worth + w[JOKER_LAST] * (left == 1 and held == 1 << JOKER)
