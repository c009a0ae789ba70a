"""Mio's cards and moves as text (records.md)."""

from __future__ import annotations

from brelan.games.mio.fits import JOKER, NAMED
from brelan.games.mio.rules import ACTIONS, DRAW, MIO, PASS, State, owned
from brelan.texts import both_ways

COLOURS = "RYBGS"
CARDS = [colour + kind for colour in COLOURS for kind in "12345*"] + ["J"]

PLAYS = [f"play {card}" for card in CARDS] + [f"play J {colour}" for colour in COLOURS]
MOVES = [*PLAYS, *(f"{play} mio" for play in PLAYS), "draw", "pass"]
assert (MOVES[JOKER], MOVES[NAMED], MOVES[MIO]) == ("play J", "play J R", "play R1 mio")
assert (MOVES[DRAW], MOVES[PASS], len(MOVES)) == ("draw", "pass", ACTIONS)

card_text, card_of = both_ways("card", CARDS, example="R3")
move_text, move_of = both_ways("move", MOVES, example="play R3 mio")


def meant(s: State, seat: int, move: int) -> int:
    """The move as the list of legal moves spells it: without a MIO that is not due (O-M2), and without a colour named
    with the last joker (O-A3).
    """
    if move >= DRAW:
        return move
    left = owned(s, seat) - 1
    lying = JOKER if left == 0 and move % MIO > JOKER else move % MIO
    return lying + MIO if move >= MIO and left == 1 else lying
