"""Newcomer's cards and moves as text."""

from __future__ import annotations

from brelan.cards import HIDDEN
from brelan.errors import Unreadable

from .rules import DECK, State

CARDS = [f"N{value}" for value in range(1, DECK + 1)]
MOVES = [f"play {card}" for card in CARDS]


def card_text(card: int) -> str:
    """`N7`; a hidden card is `?`."""
    return "?" if card == HIDDEN else CARDS[card]


def card_of(text: str) -> int:
    """The card that a text names, or Unreadable."""
    if text not in CARDS:
        raise Unreadable("card", given=text, example="N7")
    return CARDS.index(text)


def move_text(move: int) -> str:
    """The one canonical text of a move."""
    return MOVES[move]


def move_of(text: str) -> int:
    """The move that a text names, or Unreadable."""
    if text not in MOVES:
        raise Unreadable("move", given=text, example="play N7")
    return MOVES.index(text)


def meant(s: State, seat: int, move: int) -> int:
    """There is only one spelling."""
    return move
