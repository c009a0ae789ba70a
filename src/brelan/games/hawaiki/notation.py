"""Hawaiki's cards and moves as text (records.md)."""

from __future__ import annotations

from brelan.cards import HIDDEN
from brelan.errors import Unreadable
from brelan.games.hawaiki.state import ACTIONS, AGAIN, CONTRE, DRAW, HIDE, NAME, SACRIFICE, SHOW, THANKS, State

COLOURS = "PGOYB"
CARDS = [f"{colour}{value}" for colour in COLOURS for value in range(1, 8)]
COMBINATIONS = ["", "pair", "run", "colour", "three"]

MOVES = (
    [f"play {card} {pile} {said}".rstrip() for card in CARDS for pile in (1, 2, 3) for said in COMBINATIONS]
    + ["draw"]
    + [f"name {seat}" for seat in range(6)]
    + ["contre", "let", "announce", "thanks", "thanks much", "silent"]
    + [f"sacrifice {pile}" for pile in (1, 2, 3)]
    + ["again", "end"]
    + [f"hide {card}" for card in CARDS]
    + ["show"]
)
assert (MOVES[DRAW], MOVES[NAME], MOVES[CONTRE], MOVES[THANKS]) == ("draw", "name 0", "contre", "thanks")
assert (MOVES[SACRIFICE], MOVES[AGAIN], MOVES[HIDE], MOVES[SHOW]) == ("sacrifice 1", "again", "hide P1", "show")
assert len(MOVES) == ACTIONS

_CARD_OF = {text: card for card, text in enumerate(CARDS)}
_MOVE_OF = {text: move for move, text in enumerate(MOVES)}


def card_text(card: int) -> str:
    """`P3`; a hidden card is `?`."""
    return "?" if card == HIDDEN else CARDS[card]


def card_of(text: str) -> int:
    """The card that a text names, or Unreadable."""
    if text not in _CARD_OF:
        raise Unreadable("card", given=text, example="P3")
    return _CARD_OF[text]


def move_text(move: int) -> str:
    """The one canonical text of a move."""
    return MOVES[move]


def move_of(text: str) -> int:
    """The move that a text names, or Unreadable."""
    if text not in _MOVE_OF:
        raise Unreadable("move", given=text, example="play P3 2 pair")
    return _MOVE_OF[text]


def meant(s: State, seat: int, move: int) -> int:
    """The move as the list of legal moves spells it: in Hawaiki there is only one spelling (O-A3)."""
    return move
