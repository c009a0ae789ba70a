"""What cards of Elements are worth to who keeps them: in later auctions, in the next round, beside an element."""

from __future__ import annotations

from brelan.cards import popcount
from brelan.games.elements.combinations import COLOUR, NUMBER, VALUES
from brelan.games.elements.company import colours, numbers
from brelan.games.elements.state import State
from brelan.games.elements.weights import (
    COLOUR_MATES,
    DEAR,
    HELD,
    HIGH,
    LATER,
    LIFT,
    NUMBER_MATES,
    PRIZE,
    SPARE,
    STRONG,
)


def place_of(s: State, card: int) -> int:
    """The place of a card's colour in the row, 0 nearest the box; no loop, whose end no processor would foresee."""
    colour = COLOUR[card]
    return (s.row[1] == colour) + 2 * (s.row[2] == colour) + 3 * (s.row[3] == colour) + 4 * (s.row[4] == colour)


def future(s: State, hand: int, card: int, w: list[int]) -> int:
    """What one card of a hand may bring later, in 1/64 points."""
    mates = min(colours(hand, card), 4)
    colour = w[COLOUR_MATES + mates - 1] + w[STRONG] * (2 - place_of(s, card)) * mates // 4
    return max(colour, w[NUMBER_MATES + min(numbers(hand, card), 4) - 1]) + w[HIGH] * (NUMBER[card] - 5) // 4


def urgency(s: State, w: list[int]) -> int:
    """How much of that counts now, in 1/64: by the auctions to come; nothing in the last one of the match."""
    if s.auction == 0:
        return 0 if s.finished == s.players - 1 else w[LATER]
    dear = w[DEAR] * (s.beside[0] % 11 - 8)
    return w[LATER + s.auction] * max(64 + dear, 0) // 64


def place_worth(s: State, seat: int, card: int, at: int, w: list[int]) -> int:
    """What laying a card beside an element brings to who then plays for it with the other cards, in 1/64 points."""
    hand = s.hand[seat]
    held = popcount((hand ^ 1 << card) >> 11 * s.row[at] & VALUES)
    value = card % 11
    return w[PRIZE] * value + w[LIFT] * value * held // 8 + w[HELD] * held - future(s, hand, card, w) * w[SPARE] // 64
