"""The form of a new table: one field for each option, made from what the game says of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brelan.game import Game, Option

SWITCH = {"true": True, "false": False}


@dataclass(slots=True)
class Form:
    """What was asked for, as it was typed; an empty field leaves an option as the preset has it."""

    game: Game
    nickname: str
    players: str
    preset: str
    manner: str | None = None
    bots: bool = False
    options: dict[str, str] = field(default_factory=dict)
    error: str | None = None  # why no table was made

    def whole_players(self) -> int:
        """The number of seats; one that cannot be read is refused like one that is out of range."""
        return _whole(self.players) if isinstance(_whole(self.players), int) else 0

    def given(self) -> dict[str, Any]:
        """The options that were filled in, as their values."""
        typed = {option: self.options.get(option.name, "").strip() for option in self.game.options}
        return {option.name: value_of(option, text) for option, text in typed.items() if text}


def blank(game: Game, nickname: str) -> Form:
    """A form nobody has filled in yet."""
    return Form(game, nickname, str(game.seats[0]), next(iter(game.presets)))


def filled(game: Game, data: Mapping[str, str]) -> Form:
    """The form as it came back."""
    options = {o.name: data[f"option.{o.name}"] for o in game.options if f"option.{o.name}" in data}
    usual = blank(game, "")
    return Form(
        game,
        data.get("nickname", ""),
        data.get("players", usual.players),
        data.get("preset", usual.preset),
        data.get("manner"),
        data.get("against") == "bots",
        options,
    )


def value_of(option: Option, text: str) -> Any:
    """The value that a field's text stands for; what cannot be read stays a text, for the option itself to refuse."""
    if option.kind == "switch":
        return SWITCH.get(text, text)
    if option.kind == "whole":
        return _whole(text)
    if option.kind == "text" and text.startswith("["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def _whole(text: str) -> Any:
    """A number written in a few digits."""
    text = text.strip()
    return int(text) if text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 10 else text
