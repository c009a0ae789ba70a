"""The tops of Hawaiki's three piles as one number, six bits each: what fits there, what combines, what covers them.

A place is a card on a pile: place = 35 * pile + card.
"""

from __future__ import annotations

from brelan.cards import lowest
from brelan.games.hawaiki.bags import KINDS
from brelan.games.hawaiki.combinations import FITS, RUN_WITH, combination
from brelan.games.hawaiki.state import State, top_of

PLACES = 3 * KINDS
"""No place: the first one behind the last pile's."""

BESIDE = [6, 12, 0]
BEYOND = [12, 0, 6]
"""For each pile, where in the tops' bits the two others stand."""

SEVEN = 127
"""The values of the first colour, as cards."""

COLUMN = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28
"""The first value in all colours."""

COLOUR_OF = [SEVEN << card // 7 * 7 for card in range(KINDS)]
VALUE_OF = [COLUMN << card % 7 for card in range(KINDS)]
"""For each card: all cards of its colour, of its value."""

BY_COLOUR = [
    sum(COLUMN << v for v in range(7) if RUN_WITH[a % 7 * 7 + b % 7] >> v & 1) | (VALUE_OF[a] if a % 7 == b % 7 else 0)
    for a in range(KINDS)
    for b in range(KINDS)
]
"""At 35 * a + b, two tops: all cards that make a run or a three with them where they cover one of their own colour."""

BY_VALUE = [COLOUR_OF[a] if a // 7 == b // 7 else 0 for a in range(KINDS) for b in range(KINDS)]
"""At 35 * a + b, two tops: all cards that make a colour with them where they cover one of their own value."""


def tops_of(s: State) -> int:
    """The three tops as one number."""
    return top_of(s, 0) | top_of(s, 1) << 6 | top_of(s, 2) << 12


def fitting(tops: int) -> int:
    """The set of cards that may be laid."""
    return FITS[tops & 63] | FITS[tops >> 6 & 63] | FITS[tops >> 12]


def combining(tops: int) -> int:
    """The set of cards that make a combination on some pile."""
    a = tops & 63
    b = tops >> 6 & 63
    c = tops >> 12
    return combining_on(a, b, c) | combining_on(b, a, c) | combining_on(c, a, b)


def combining_on(top: int, left: int, right: int) -> int:
    """The set of cards that make a combination when they cover `top`."""
    beside = KINDS * left + right
    return 1 << top | COLOUR_OF[top] & BY_COLOUR[beside] | VALUE_OF[top] & BY_VALUE[beside]


def next_place(held: int, tops: int, place: int) -> int:
    """The first place from this one on where a held card fits; PLACES if there is none."""
    pile = place // KINDS
    while pile < 3:
        fits = (held & FITS[tops >> 6 * pile & 63]) >> place - KINDS * pile
        if fits:
            return place + lowest(fits)
        pile += 1
        place = KINDS * pile
    return PLACES


def made_at(tops: int, place: int) -> int:
    """The combination that the card of a place makes there."""
    pile = place // KINDS
    return combination(place % KINDS, tops >> 6 * pile & 63, tops >> BESIDE[pile] & 63, tops >> BEYOND[pile] & 63)


def covered(tops: int, place: int) -> int:
    """The tops once the card of a place lies there."""
    shift = 6 * (place // KINDS)
    return tops ^ (tops >> shift & 63 ^ place % KINDS) << shift
