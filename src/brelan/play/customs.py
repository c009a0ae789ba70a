"""The customs of a table: how it is kept, besides the rules of its game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from brelan.errors import Refusal

CHOICES = {"pace": ("none", "live", "days"), "tempo": ("fast", "usual", "slow", "step")}
"""What each custom that is a choice may be."""

BOUNDS = {"bank": (60, 7200), "increment": (0, 120), "days": (1, 14), "grace": (10, 600)}
"""The least and the most of each custom that is a number."""


@dataclass(frozen=True, slots=True)
class Customs:
    """How a table is kept; the defaults are what a table has unless it chooses."""

    pace: str = "none"  # no clock; live: a bank of time and an increment; days: so many days a move
    bank: int = 600  # seconds that a seat has for a match, at a live pace
    increment: int = 15  # seconds that each of its moves adds
    days: int = 3  # that a move may take, in a match by turns
    watch: bool = True  # whether who holds no seat sees the match while it is played
    listed: bool = False  # whether the house names the table to everybody while it has open seats
    talk: bool = False  # whether people may write in their own words
    hints: bool = False  # whether people may ask for a hint where they play against each other
    keeper: str = "novice"  # the level of the bot that keeps the seat of who is away
    grace: int = 60  # seconds after which somebody counts as away
    tempo: str = "usual"  # how fast bots answer; step: each waits until somebody says "next"

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """The customs that are asked for, the others as usual; a Refusal names the one that cannot be, but for a
        keeper: which there are differs from game to game.
        """
        known = {field.name: field.default for field in fields(cls)}
        for name, value in given.items():
            if name not in known:
                raise Refusal("custom", given=name, known=", ".join(known))
            if allowed := _not_allowed(name, value):
                raise Refusal("customs", name=name, given=value, allowed=allowed)
        return cls(**given)

    @classmethod
    def kept(cls, made: Mapping[str, Any]) -> Self:
        """The customs with which a table was made; those that only another version knows are left out."""
        return cls(**{field.name: made[field.name] for field in fields(cls) if field.name in made})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def _not_allowed(name: str, value: Any) -> str:
    """What a custom may be, if this value is not that; else nothing."""
    if known := CHOICES.get(name):
        return "" if value in known else " | ".join(known)
    if name == "keeper":  # a table's house asks its game: `bots.find`
        return ""
    if name in BOUNDS:
        least, most = BOUNDS[name]
        return "" if type(value) is int and least <= value <= most else f"{least} … {most}"
    return "" if isinstance(value, bool) else "true | false"
