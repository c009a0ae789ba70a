"""What may be laid where, and which of the four combinations it makes (H2-H5, H23).

A card is 7 * colour + value - 1, colours P G O Y B. A combination counts if it was not there just before the card was
laid. A card of equal value changes no value, one of equal colour no colour, and an equal card nothing at all: so at
most one combination is new, a colour only by equal value, a run or a three only by equal colour.
"""

from __future__ import annotations

from brelan.games.hawaiki.bags import KINDS

NOTHING, PAIR, RUN, COLOUR, THREE = 0, 1, 2, 3, 4
"""The combinations, as a move announces them."""

FITS = [sum(1 << card for card in range(KINDS) if card % 7 == top % 7 or card // 7 == top // 7) for top in range(KINDS)]
"""For each top: the set of cards that may be laid on it (H23)."""

RUN_WITH = [
    sum(1 << v for v in range(7) if sorted((a, b, v)) == list(range(min(a, b, v), min(a, b, v) + 3)))
    for a in range(7)
    for b in range(7)
]
"""At 7 * a + b, two values counted from 0: the set of values that make a run with them; 7 and 1 are no neighbours."""


def combination(card: int, top: int, left: int, right: int) -> int:
    """What a fitting card makes when it covers `top` beside the two other tops: a new combination, or NOTHING."""
    if card == top:
        return PAIR
    if card % 7 == top % 7:
        return COLOUR if card // 7 == left // 7 and card // 7 == right // 7 else NOTHING
    value = card % 7
    if value == left % 7 and value == right % 7:
        return THREE
    return RUN if RUN_WITH[left % 7 * 7 + right % 7] >> value & 1 else NOTHING
