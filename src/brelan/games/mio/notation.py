"""Mio's cards and moves as text (records.md)."""

from __future__ import annotations

from brelan.cards import HIDDEN
from brelan.errors import Unreadable
from brelan.games.mio.fits import JOKER, NAMED
from brelan.games.mio.rules import ACTIONS, DRAW, MIO, PASS, State, owned

COLOURS = "RYBGS"
CARDS = [colour + kind for colour in COLOURS for kind in "12345*"] + ["J"]

PLAYS = [f"play {card}" for card in CARDS] + [f"play J {colour}" for colour in COLOURS]
MOVES = [*PLAYS, *(f"{play} mio" for play in PLAYS), "draw", "pass"]
assert (MOVES[JOKER], MOVES[NAMED], MOVES[MIO]) == ("play J", "play J R", "play R1 mio")
assert (MOVES[DRAW], MOVES[PASS], len(MOVES)) == ("draw", "pass", ACTIONS)

_CARD_OF = {text: card for card, text in enumerate(CARDS)}
_MOVE_OF = {text: move for move, text in enumerate(MOVES)}


def card_text(card: int) -> str:
    """`R3`, `R*`, `J`; a hidden card is `?`."""
    return "?" if card == HIDDEN else CARDS[card]


def card_of(text: str) -> int:
    """The card that a text names, or Unreadable."""
    if text not in _CARD_OF:
        raise Unreadable("card", given=text, example="R3")
    return _CARD_OF[text]


def move_text(move: int) -> str:
    """The one text of a move."""
    return MOVES[move]


def move_of(text: str) -> int:
    """The move that a text names, or Unreadable."""
    if text not in _MOVE_OF:
        raise Unreadable("move", given=text, example="play R3 mio")
    return _MOVE_OF[text]


def meant(s: State, seat: int, move: int) -> int:
    """The move as the list of legal moves spells it: without a MIO that is not due (O-M2), and without a colour named
    with the last joker (O-A3).
    """
    if move >= DRAW:
        return move
    left = owned(s, seat) - 1
    lying = JOKER if left == 0 and move % MIO > JOKER else move % MIO
    return lying + MIO if move >= MIO and left == 1 else lying
