"""Gin's cards and moves as text (records.md)."""

from __future__ import annotations

from brelan.games.gin.rules import ACTIONS, DRAW, GIN, GIN_ON, KNOCK, PASS, TAKE, State
from brelan.texts import both_ways

CARDS = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]

MOVES = (
    [f"discard {card}" for card in CARDS]
    + [f"knock {card}" for card in CARDS]
    + ["draw", "take", "gin"]
    + [f"gin {card}" for card in CARDS]
    + ["pass"]
)
assert (MOVES[KNOCK], MOVES[DRAW], MOVES[TAKE], MOVES[GIN]) == ("knock As", "draw", "take", "gin")
assert (MOVES[GIN_ON], MOVES[PASS], len(MOVES)) == ("gin As", "pass", ACTIONS)

card_text, card_of = both_ways("card", CARDS, example="7h")
move_text, move_of = both_ways("move", MOVES, example="discard 7h")


def meant(s: State, seat: int, move: int) -> int:
    """The move as the list of legal moves spells it: in gin there is only one spelling (O-A3)."""
    return move
