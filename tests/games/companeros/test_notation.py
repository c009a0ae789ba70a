"""Cards and moves as text: every one there and back, nothing else read."""

from __future__ import annotations

import pytest

from brelan.errors import Unreadable
from brelan.games.companeros import notation
from brelan.games.companeros.rules import ACTIONS, DECK, State


def test_every_card_and_move_returns_from_its_text() -> None:
    cards = [notation.card_text(card) for card in range(DECK)]
    moves = [notation.move_text(move) for move in range(ACTIONS)]
    assert [notation.card_of(text) for text in cards] == list(range(DECK))
    assert [notation.move_of(text) for text in moves] == list(range(ACTIONS))
    assert set(cards) == {f"{colour}{value}" for colour in "RYGBPO" for value in range(1, 11)}
    assert set(moves) == {f"play {card}" for card in cards} | {f"take {colour}" for colour in "RYGBPO"}


def test_o_a3_a_move_has_one_spelling() -> None:
    assert [notation.meant(State(), 0, move) for move in range(ACTIONS)] == list(range(ACTIONS))


@pytest.mark.parametrize(
    "text",
    ["", "play", "play B11", "play B0", "play b7", "play  B7", " play B7", "play B7 ", "take", "take S", "B7", "pass"],
)
def test_other_moves_are_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        notation.move_of(text)


@pytest.mark.parametrize("text", ["", "?", "B", "7", "B07", "S1", "b7", "R11"])
def test_other_cards_are_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        notation.card_of(text)
