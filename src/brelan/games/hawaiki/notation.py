"""Hawaiki's cards and moves as text (records.md)."""

from __future__ import annotations

from brelan.games.hawaiki.state import ACTIONS, AGAIN, CONTRE, DRAW, HIDE, NAME, SACRIFICE, SHOW, THANKS, State
from brelan.texts import both_ways

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

card_text, card_of = both_ways("card", CARDS, example="P3")
move_text, move_of = both_ways("move", MOVES, example="play P3 2 pair")


def meant(s: State, seat: int, move: int) -> int:
    """The move as the list of legal moves spells it: in Hawaiki there is only one spelling (O-A3)."""
    return move
