"""The cards and moves of Elements as text (records.md)."""

from __future__ import annotations

from brelan.cards import HIDDEN
from brelan.errors import Unreadable
from brelan.games.elements.rules import ACTIONS, LAY, LAY_TWO, PAIR, PASS, READY, RETURN, State

COLOURS = "RYGBP"
NUMBERED = [f"{colour}{value}" for colour in COLOURS for value in range(11)]
CARDS = NUMBERED + list(COLOURS)

MOVES = (
    [f"place {card} {place}" for card in NUMBERED for place in range(1, 6)]
    + [f"lay {card}" for card in NUMBERED]
    + [f"return {card}" for card in NUMBERED]
    + ["pass", "ready"]
    + [f"lay {a} {b}" for a in NUMBERED for b in NUMBERED]
)
assert (MOVES[LAY], MOVES[RETURN], MOVES[PASS], MOVES[READY]) == ("lay R0", "return R0", "pass", "ready")
assert (MOVES[LAY_TWO], len(MOVES)) == ("lay R0 R0", ACTIONS)

_CARD_OF = {text: card for card, text in enumerate(CARDS)}
_MOVE_OF = {text: move for move, text in enumerate(MOVES)}


def card_text(card: int) -> str:
    """`G7`, an element card `G`; a hidden card is `?`."""
    return "?" if card == HIDDEN else CARDS[card]


def card_of(text: str) -> int:
    """The card that a text names, or Unreadable."""
    if text not in _CARD_OF:
        raise Unreadable("card", given=text, example="G7")
    return _CARD_OF[text]


def move_text(move: int) -> str:
    """The text of a move; of the two that lay the same two cards only the sorted one is canonical."""
    return MOVES[move]


def move_of(text: str) -> int:
    """The move that a text names, or Unreadable."""
    if text not in _MOVE_OF:
        raise Unreadable("move", given=text, example="lay G7")
    return _MOVE_OF[text]


def meant(s: State, seat: int, move: int) -> int:
    """Two cards named in the other order are the same move (O-A3)."""
    return PAIR[move - LAY_TWO] if move >= LAY_TWO else move
