"""Which cards of Elements go together."""

from __future__ import annotations

from brelan.cards import popcount
from brelan.games.elements.combinations import COLOUR, NUMBER, VALUES

SAME_NUMBER = 1 | 1 << 11 | 1 << 22 | 1 << 33 | 1 << 44  # SAME_NUMBER << v: the five cards of value v


def numbers(cards: int, card: int) -> int:
    """How many of these cards share the card's number."""
    return popcount(cards & SAME_NUMBER << NUMBER[card])


def colours(cards: int, card: int) -> int:
    """How many of these cards share the card's colour."""
    return popcount(cards >> 11 * COLOUR[card] & VALUES)


def company(cards: int, card: int) -> int:
    """What a card, one of these, is worth to the others: mates of its number count double."""
    return max(2 * min(numbers(cards, card) - 1, 3), min(colours(cards, card) - 1, 3))
