"""What may be chosen in a game: its options, as its room declares them and forms, records and commands take them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Value = bool | int | str | list[int]
"""What an option may be set to, as the header of a record holds it."""

OptionKind = Literal["whole", "switch", "choice", "several", "numbers"]
"""How a form asks for an option; several are letters of choices."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of the rule sheet: its name, its default and what it may be.

    `check` answers None or the values allowed, as a sentence's part; `to_state` gives what the state's field of the
    same name holds. `rule` is the decision that the option stems from.
    """

    name: str
    default: Value | Callable[[int], Value]
    rule: str
    check: Callable[[Any, int], str | None]
    to_state: Callable[[Any], int | list[int]] = int
    kind: OptionKind = "whole"
    choices: tuple[str, ...] = ()
    at_table: range | None = None  # what people may choose, where a match that has no end would only grow

    def default_for(self, players: int) -> Value:
        return self.default(players) if callable(self.default) else self.default

    def told(self, given: Any) -> Any:
        """A value as a refusal names it: a text in quotes of its own where none is wanted, as JSON writes it."""
        wanted = self.kind in ("choice", "several")
        return given if wanted or not isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def as_given(value: Any) -> str:
    """An option's value as a command takes it and a document shows it: a word as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def switch(name: str, default: bool, rule: str) -> Option:
    """An option that is on or off."""
    return Option(name, default, rule, lambda v, _: None if isinstance(v, bool) else "true | false", kind="switch")


LARGEST = 10**9
"""More than any table will choose, and far from the numbers that compiled rules cannot count."""


def whole(name: str, default: int, rule: str, least: int, most: int = LARGEST, at_table: int | None = None) -> Option:
    """An option that is a whole number from `least` to `most`; `at_table` is the most that people may choose of what
    makes a match longer.
    """
    allowed = f"{least} … {'10⁹' if most == LARGEST else most}"

    def check(value: Any, _: int) -> str | None:
        fits = type(value) is int and least <= value <= most
        return None if fits else allowed

    return Option(name, default, rule, check, at_table=range(least, at_table + 1) if at_table else None)


def choice(name: str, default: str, rule: str, *choices: str) -> Option:
    """An option that is one of a few words; the state holds the word's place among them."""
    return Option(
        name,
        default,
        rule,
        lambda v, _: None if isinstance(v, str) and v in choices else " | ".join(choices),
        choices.index,
        kind="choice",
        choices=choices,
    )
