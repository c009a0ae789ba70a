"""The five games read a second time: their rules as plainly as they can be said, slowly and in texts.

Who wrote these had the rule sheets before them and what was decided where a sheet is silent (its ids are cited here, as
in the rulebooks), and had not opened `brelan.games`. So a reading imports nothing of `brelan` and shares no code with
it, or it would share its faults; nor is it made shorter by what the house does better. `tests/test_readings.py` plays
both side by side. A change of a rule is made here too, from the sheet, by whoever did not write the rule.

One module a game, by the game's id, with a class `Reading` of the shape below. A game without one is not compared.
"""

from __future__ import annotations

from typing import Any, Protocol


class Shape(Protocol):
    """What every `Reading` can be asked; cards and moves are texts in the house's notation."""

    options: dict[str, Any]
    scores: list[int]
    over: bool

    def __init__(self, players: int, first: int, preset: str, options: dict[str, Any]) -> None:
        """A match before its first shuffle; what `options` leaves out is as the preset has it."""

    def due(self) -> list[str]:
        """The cards that are to be shuffled now, sorted; none while somebody is to move, and none at the end."""

    def shuffle(self, cards: list[str]) -> None:
        """These cards lie in this order."""

    def asked(self) -> list[int]:
        """The seats that may move, whose turn it is to speak first before the others."""

    def legal(self, seat: int) -> list[str]:
        """All that this seat may do now, in any order."""

    def move(self, seat: int, text: str) -> None:
        """A move of those that are legal."""

    @property
    def winners(self) -> list[int]:
        """The seats that have won, once it is over."""
