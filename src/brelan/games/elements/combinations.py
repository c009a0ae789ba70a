"""What laid cards are worth, as one number that orders every two tableaux (E13-E17).

A card is 11 * colour + value, so the cards of one colour are a row of eleven bits. A single card is a colour
combination of one. The worth is, from the high bits to the low ones:

    kind     2n - 2 for n cards of one colour, 2n - 1 for n (two or more) of one number
    first    the strength of the colour, 5 to 1 | the number
    second   its highest value                  | the strength of the strongest colour in it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brelan.games.elements.state import State

VALUES = (1 << 11) - 1

COLOUR = [card // 11 for card in range(55)]
NUMBER = [card % 11 for card in range(55)]
"""Of each card: where cards are judged by the million, looking it up is quicker than dividing."""

HIGHEST = [row.bit_length() - 1 for row in range(2**11)]
"""For each row: the highest value in it, -1 for an empty one."""

ALONE = [2 * row.bit_count() - 2 << 8 | HIGHEST[row] for row in range(2**11)]
"""For each row: what it is worth but for the strength of its colour; -1 for an empty one."""


def worth(s: State, laid: int) -> int:
    """The worth of the best combination among laid cards; -1 for none laid."""
    best = -1  # as the worth of an empty row
    once = twice = thrice = fourfold = 0  # the numbers found so often
    for place in range(5):
        row = laid >> 11 * s.row[place] & VALUES
        best = max(best, ALONE[row] | (5 - place) << 4)
        fourfold |= thrice & row
        thrice |= twice & row
        twice |= once & row
        once |= row
    if fourfold:
        return max(best, alike(s, laid, 7, HIGHEST[fourfold]))
    if thrice:
        return max(best, alike(s, laid, 5, HIGHEST[thrice]))
    if twice:
        return max(best, alike(s, laid, 3, HIGHEST[twice]))
    return best


def alike(s: State, laid: int, kind: int, number: int) -> int:
    """The worth of a number combination: only two pairs can share a number, and then the colour tells (E14)."""
    place = 0
    while not laid >> 11 * s.row[place] + number & 1:
        place += 1
    return kind << 8 | number << 4 | 5 - place
