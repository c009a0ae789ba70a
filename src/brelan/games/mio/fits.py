"""Mio's cards as numbers, and what may be laid on what (M1, M3-M7).

A card is 6 * colour + value - 1, colours R Y B G S, the star standing as value 6; the joker is 30. Equal cards share a
number. On the discards a joker lies with the colour that was named, so that the top alone says what fits:

    0 … 29    R1 R2 R3 R4 R5 R*  Y1 … S*
    30        a joker without a colour: turned up by the deal (M3), or the last card of a hand (M24)
    31 … 35   a joker and the colour named with it
"""

from __future__ import annotations

COLOURS, KINDS, STAR = 5, 6, 5
JOKER, CARDS, JOKERS = 30, 31, 5
NAMED, LYING = 31, 36

POINTS = [card % KINDS + 1 if card % KINDS != STAR else 10 for card in range(JOKER)] + [10]
"""What each card costs who still holds it (M23)."""

ALIKE = [0b111111 << KINDS * colour for colour in range(COLOURS)]
"""The cards of each colour, its star among them, as sets."""

_JOKERS = 1 << JOKER
_STARS = sum(1 << KINDS * colour + STAR for colour in range(COLOURS))
_ALL = (1 << CARDS) - 1


def _of_value(kind: int) -> int:
    return sum(1 << KINDS * colour + kind for colour in range(COLOURS))


def _from_hand(top: int) -> int:
    """On a number its colour, its value and jokers (M4); on a joker the colour named (M5); on a star stars (M6, M7)."""
    if top >= JOKER:
        return _ALL if top == JOKER else ALIKE[top - NAMED] | _JOKERS
    if top % KINDS == STAR:
        return _STARS
    return ALIKE[top // KINDS] | _of_value(top % KINDS) | _JOKERS


def _when_drawn(top: int) -> int:
    """The same, but a star gives way to its own colour and to jokers as well (M7)."""
    star = top < JOKER and top % KINDS == STAR
    return _STARS | ALIKE[top // KINDS] | _JOKERS if star else _from_hand(top)


FROM_HAND = [_from_hand(top) for top in range(LYING)]
"""For each card that lies on top: the set of cards that fit, laid from the hand."""

WHEN_DRAWN = [_when_drawn(top) for top in range(LYING)]
"""The same for a card just drawn."""

KIND = [_of_value(kind) for kind in range(KINDS)]
"""The cards of each value, the stars last, as sets."""
