"""Compañeros' cards, moves and colours as text (records.md)."""

from __future__ import annotations

from typing import Any

from brelan.cards import HIDDEN
from brelan.errors import Unreadable
from brelan.games.companeros.rules import ACTIONS, DECK, TAKE, State

COLOURS = "RYGBPO"
"""Red, yellow, green, blue, purple, orange; a colour's number is its place here."""

CARDS = [f"{colour}{value}" for colour in COLOURS for value in range(1, 11)]

MOVES = [f"play {card}" for card in CARDS] + [f"take {colour}" for colour in COLOURS]
assert (len(CARDS), MOVES[TAKE], len(MOVES)) == (DECK, "take R", ACTIONS)

_CARD_OF = {text: card for card, text in enumerate(CARDS)}
_MOVE_OF = {text: move for move, text in enumerate(MOVES)}


def card_text(card: int) -> str:
    """`B7`; a hidden card is `?`."""
    return "?" if card == HIDDEN else CARDS[card]


def card_of(text: str) -> int:
    """The card that a text names, or Unreadable."""
    if text not in _CARD_OF:
        raise Unreadable("card", given=text, example="B7")
    return _CARD_OF[text]


def move_text(move: int) -> str:
    """The one canonical text of a move."""
    return MOVES[move]


def move_of(text: str) -> int:
    """The move that a text names, or Unreadable."""
    if text not in _MOVE_OF:
        raise Unreadable("move", given=text, example="play B7")
    return _MOVE_OF[text]


def meant(s: State, seat: int, move: int) -> int:
    """The move as the list of legal moves spells it: there is only one spelling here (O-A3)."""
    return move


def check_colours(value: Any, players: int) -> str | None:
    """The option `colours`: as many different letters as there are players, in any order (C11)."""
    fits = isinstance(value, str) and len(value) == len(set(value)) == players and set(value) <= set(COLOURS)
    return None if fits else f"{COLOURS[:players]} … {COLOURS[-players:]}"


def colour_set(value: str) -> int:
    """Those colours as a set; their order has no meaning in play."""
    return sum(1 << COLOURS.index(colour) for colour in value)
