"""Gin's cards and moves as text (records.md)."""

from __future__ import annotations

from brelan.cards import HIDDEN
from brelan.errors import Unreadable
from brelan.games.gin.rules import ACTIONS, DRAW, GIN, GIN_ON, KNOCK, PASS, TAKE, State

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

_CARD_OF = {text: card for card, text in enumerate(CARDS)}
_MOVE_OF = {text: move for move, text in enumerate(MOVES)}


def card_text(card: int) -> str:
    """`7h`; a hidden card is `?`."""
    return "?" if card == HIDDEN else CARDS[card]


def card_of(text: str) -> int:
    """The card that a text names, or Unreadable."""
    if text not in _CARD_OF:
        raise Unreadable("card", given=text, example="7h")
    return _CARD_OF[text]


def move_text(move: int) -> str:
    """The one canonical text of a move."""
    return MOVES[move]


def move_of(text: str) -> int:
    """The move that a text names, or Unreadable."""
    if text not in _MOVE_OF:
        raise Unreadable("move", given=text, example="discard 7h")
    return _MOVE_OF[text]


def meant(s: State, seat: int, move: int) -> int:
    """The move as the list of legal moves spells it: in gin there is only one spelling (O-A3)."""
    return move
