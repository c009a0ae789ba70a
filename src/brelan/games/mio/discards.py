"""Mio's discards, and what they leave unseen, counted for whole sets of cards at once.

The state keeps the counts of the discards in binary, a set of cards for each digit: the cards whose count has a 1
there. `gone[0]` holds the ones and, WIDE bits higher, the twos; `gone[1]` the fours and eights. No deck holds more than
ten of a card (M1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brelan.cards import lowest, popcount
from brelan.games.mio.fits import CARDS, JOKER, JOKERS, KIND, KINDS

if TYPE_CHECKING:
    from brelan.games.mio.rules import State

WIDE = CARDS


def clear(s: State) -> None:
    """Nothing lies on the discards."""
    s.gone[0] = s.gone[1] = s.laid = 0


def lie(s: State, lying: int) -> None:
    """A card comes to lie on the discards."""
    s.discards[s.laid] = lying
    s.laid += 1
    one = 1 << min(lying, JOKER)
    carried = one & s.gone[0] & s.gone[0] >> WIDE
    s.gone[0] ^= one | (one & s.gone[0]) << WIDE
    s.gone[1] ^= carried | (carried & s.gone[1]) << WIDE


def laid_of(s: State, cards: int) -> int:
    """How many of these cards lie on the discards."""
    few = popcount(cards & s.gone[0]) + 2 * popcount(cards & s.gone[0] >> WIDE)
    return few + 4 * popcount(cards & s.gone[1]) + 8 * popcount(cards & s.gone[1] >> WIDE)


def deck_of(s: State, cards: int) -> int:
    """How many of these cards the deck holds."""
    found = JOKERS * (cards >> JOKER & 1)
    for kind in range(KINDS):
        found += s.deck[kind] * popcount(cards & KIND[kind])
    return found


def hand_of(s: State, seat: int, cards: int) -> int:
    """How many of these cards a hand holds."""
    found = 0
    rest = cards & s.held[seat]
    while rest:
        found += s.hand[seat][lowest(rest)]
        rest &= rest - 1
    return found


def unseen_of(s: State, seat: int, cards: int) -> int:
    """How many of these cards a seat sees neither on the discards nor in its hand."""
    return deck_of(s, cards) - laid_of(s, cards) - hand_of(s, seat, cards)
