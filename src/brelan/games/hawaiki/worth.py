"""How good it is for a seat of Hawaiki to stop with a hand and leave the tops as they are."""

from __future__ import annotations

from brelan.cards import popcount
from brelan.games.hawaiki.bags import ALL_KINDS
from brelan.games.hawaiki.combinations import COLOUR, PAIR, THREE
from brelan.games.hawaiki.memory import unknown
from brelan.games.hawaiki.state import State, left_of
from brelan.games.hawaiki.tops import COLUMN, SEVEN, combining, fitting
from brelan.games.hawaiki.weights import (
    COLOURS,
    GIFT,
    GIFT_FEW,
    GIFT_NEXT,
    GIFT_RICH,
    LAST,
    LAST_TWO,
    READY,
    SOME,
    THEIR_COMBINATIONS,
    THEIR_END,
    THEIR_FITS,
    VALUES,
)

CARD = 100
"""What a card held less is worth."""

# ---------------------------------------------------------------- what others may hold


def closed_once(s: State, seat: int) -> int:
    """The cards of a seat's hand that the others do not know of, one copy or two."""
    return s.hand[seat][0] & ~s.known[seat][1] & (s.hand[seat][1] | ~s.known[seat][0])


def unseen_once(s: State, seat: int) -> int:
    """The cards of which `seat` does not see one copy or two."""
    both = s.hand[seat][1] & ~s.known[seat][0] | s.seen[0] & closed_once(s, seat)
    return ALL_KINDS & ~(s.seen[1] | both)


def unseen_twice(s: State, seat: int) -> int:
    """The cards of which `seat` sees no copy."""
    return ALL_KINDS & ~(s.seen[0] | closed_once(s, seat))


def share(s: State, seat: int, once: int, twice: int) -> int:
    """The chance that an unseen card is in the next hand, in 1024ths."""
    return (unknown(s, left_of(s, seat)) << 10) // max(popcount(once) + popcount(twice), 1)


def expected(s: State, other: int, cards: int, once: int, twice: int, part: int) -> int:
    """How many of these cards the next hand may hold, in 1024ths: those known, and a share of the rest."""
    known = popcount(cards & s.known[other][0]) + popcount(cards & s.known[other][1])
    return (known << 10) + part * (popcount(cards & once) + popcount(cards & twice))


# ---------------------------------------------------------------- the end of a turn


def standing(
    s: State, seat: int, w: list[int], held: int, double: int, tops: int, once: int, twice: int, part: int
) -> int:
    """What it is worth to end the turn with this hand and these tops."""
    other = left_of(s, seat)
    fits = fitting(tops)
    makes = combining(tops)
    count = popcount(held) + popcount(double)
    can = expected(s, other, fits, once, twice, part)
    danger = w[THEIR_FITS] * can + w[THEIR_COMBINATIONS] * expected(s, other, makes, once, twice, part)
    if s.count[other] == 1:
        danger += w[THEIR_END] * can * count
    return own_worth(w, held, count, fits, makes) - (danger >> 10)


def own_worth(w: list[int], held: int, count: int, fits: int, makes: int) -> int:
    """The cards held, and what they promise for one's next turn."""
    worth = w[READY] * popcount(held & makes) - CARD * count
    if held & fits:
        worth += w[SOME]
    if count < 3:
        worth += w[LAST] if count == 1 else w[LAST_TWO]
    return worth + w[COLOURS] * colours(held) + w[VALUES] * values(held)


def colours(held: int) -> int:
    """How many colours a hand holds."""
    held |= held >> 1
    held |= held >> 2
    return popcount((held | held >> 3) & COLUMN)  # each first card of a colour stands for its seven


def values(held: int) -> int:
    """How many values a hand holds."""
    return popcount((held | held >> 7 | held >> 14 | held >> 21 | held >> 28) & SEVEN)


# ---------------------------------------------------------------- what others must draw


def gift(s: State, seat: int, w: list[int], other: int) -> int:
    """What it is worth that another seat draws a card."""
    worth = w[GIFT] + w[GIFT_FEW] // (s.count[other] + s.owing[other])
    worth += w[GIFT_RICH] * (s.purse[other] - s.purse[seat])
    return worth + (w[GIFT_NEXT] if other == left_of(s, seat) else 0)


def best_gift(s: State, seat: int, w: list[int]) -> int:
    """The most that one card drawn by another seat is worth."""
    best = -(1 << 60)
    for other in range(s.players):
        if other != seat:
            best = max(best, gift(s, seat, w, other))
    return best


def effect(s: State, seat: int, w: list[int], made: int) -> int:
    """What a combination is worth by what the others must draw."""
    if made <= PAIR:
        return 0
    if made != THREE:
        return best_gift(s, seat, w) * (2 if made == COLOUR else 1)
    worth = 0
    for other in range(s.players):
        if other != seat:
            worth += gift(s, seat, w, other)
    return worth
