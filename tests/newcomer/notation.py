"""Newcomer's cards and moves as text."""

from __future__ import annotations

from brelan.texts import both_ways

from .rules import DECK, State

CARDS = [f"R{value}" for value in range(1, DECK + 1)]
MOVES = [f"play {card}" for card in CARDS]

card_text, card_of = both_ways("card", CARDS, example="R7")
move_text, move_of = both_ways("move", MOVES, example="play R7")


def meant(s: State, seat: int, move: int) -> int:
    """There is only one spelling."""
    return move
