"""Compañeros' cards, moves and colours as text (records.md)."""

from __future__ import annotations

from typing import Any

from brelan.games.companeros.rules import ACTIONS, DECK, TAKE, State
from brelan.texts import both_ways

COLOURS = "RYGBPO"
"""Red, yellow, green, blue, purple, orange; a colour's number is its place here."""

CARDS = [f"{colour}{value}" for colour in COLOURS for value in range(1, 11)]

MOVES = [f"play {card}" for card in CARDS] + [f"take {colour}" for colour in COLOURS]
assert (len(CARDS), MOVES[TAKE], len(MOVES)) == (DECK, "take R", ACTIONS)

card_text, card_of = both_ways("card", CARDS, example="B7")
move_text, move_of = both_ways("move", MOVES, example="play B7")


def meant(s: State, seat: int, move: int) -> int:
    """The move as the list of legal moves spells it: there is only one spelling here (O-A3)."""
    return move


def check_colours(value: Any, players: int) -> str | None:
    """The option `colours`: as many different letters as there are players, in any order (C11)."""
    fits = isinstance(value, str) and len(value) == len(set(value)) == players and set(value) <= set(COLOURS)
    return None if fits else f"{COLOURS[:players]} … {COLOURS[: -players - 1 : -1]}"


def colour_set(value: str) -> int:
    """Those colours as a set; their order has no meaning in play."""
    return sum(1 << COLOURS.index(colour) for colour in value)
