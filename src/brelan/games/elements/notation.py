"""The cards and moves of Elements as text (records.md)."""

from __future__ import annotations

from brelan.games.elements.state import ACTIONS, LAY, LAY_TWO, NUMBERED, PAIR, PASS, READY, RETURN, State
from brelan.texts import both_ways

COLOURS = "RYGBP"
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

card_text, card_of = both_ways("card", CARDS, example="G7")
move_text, move_of = both_ways("move", MOVES, example="lay G7")


def meant(s: State, seat: int, move: int) -> int:
    """Two cards named in the other order are the same move (O-A3)."""
    return PAIR[move - LAY_TWO] if move >= LAY_TWO else move
