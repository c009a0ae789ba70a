"""The form of a new table: who sits there, how the table is kept, and one field for each option of the game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brelan import bots
from brelan.errors import Refusal, digits
from brelan.game import Game
from brelan.options import Option
from brelan.play.customs import BOUNDS, Customs
from brelan.play.messages import NO_KEY, Bot, Message, Sit, Start
from brelan.play.seats import clean_name
from brelan.play.told import choice_words, value_words
from brelan.words import LONG, Words

ME, FREE = "me", "free"
"""What a seat's field says of the seat that its maker takes, and of one that is left to a friend; else it is a bot's
level."""

SWITCH = {"true": True, "false": False}
MINUTE = 60  # the form asks for a bank of time in minutes


@dataclass(slots=True)
class Form:
    """What was asked for, as it was typed; an empty field leaves everything as it usually is."""

    game: Game
    typed: Mapping[str, str]
    bot: str  # the level of bots where none is chosen
    error: str | None = None  # why no table was made
    wrong: str = ""  # the field that is the reason

    def text(self, name: str, usual: str = "") -> str:
        return self.typed.get(name, "").strip()[:LONG] or usual

    @property
    def nickname(self) -> str:
        return clean_name(self.typed.get("nickname", ""))

    @property
    def players(self) -> int:
        """The number of seats; one that cannot be read is refused like one that is out of range."""
        number = _whole(self.text("players", str(self.game.seats[0])))
        return number if isinstance(number, int) else 0

    @property
    def preset(self) -> str:
        return self.text("preset", next(iter(self.game.presets)))

    @property
    def manner(self) -> str | None:
        return self.text("manner") or None

    def options(self) -> dict[str, Any]:
        """The options that were filled in, as their values."""
        texts = {option: self.text(f"option.{option.name}") for option in self.game.options}
        return {option.name: value_of(option, text) for option, text in texts.items() if text}

    def customs(self) -> Customs:
        """How the table is to be kept, or the refusal that names what cannot be."""
        texts = {name: self.text(name) for name in Customs.__dataclass_fields__}
        return Customs.of({name: _custom(name, text) for name, text in texts.items() if text})

    def sitter(self, seat: int) -> str:
        """Who is to sit there: `ME`, a bot's level, or `FREE` for a friend who is still to come."""
        usual = ME if seat == 0 else self.bot if self.text("against") == "bots" else FREE
        return self.text(f"seat.{seat}", usual)

    def asked(self, name: str) -> list[Message]:
        """What the host asks of the new table: the seats as they were chosen, and the start if nobody is awaited."""
        sitters = [self.sitter(seat) for seat in range(self.players)]
        asked: list[Message] = []
        for seat, sitter in enumerate(sitters):
            if sitter == ME:
                asked = [one for one in asked if not isinstance(one, Sit)] + [Sit(NO_KEY, seat, name)]
            elif sitter != FREE:
                bots.find(self.game, sitter)
                asked.append(Bot(NO_KEY, seat, sitter))
        return [*asked, Start(NO_KEY)] if len(asked) == self.players else asked

    def refuse(self, refusal: Refusal, words: Words) -> None:
        """Keep why no table was made, in the words of the form, and which field it is about."""
        values, name = dict(refusal.values), str(refusal.values.get("name", ""))
        if refusal.key not in ("option_value", "customs"):
            self.wrong = refusal.key if refusal.key in ("players", "preset") else self._asks_for(values.get("given"))
            self.error = words.refusal(refusal)
            return
        bounds = {option.name: option.at_table for option in self.game.options}
        self.wrong = f"option.{name}" if name in bounds else name
        if bound := bounds.get(name):
            values["allowed"] = words("lobby.between", least=bound[0], most=bound[-1])
        if name in BOUNDS:
            least, most = (bound // _unit(name) for bound in BOUNDS[name])
            values |= {"given": self.text(name), "allowed": words("lobby.between", least=least, most=most)}
        label = self.wrong if self.wrong in words else f"lobby.{name}"
        self.error = words.refusal(Refusal("lobby.wrong", **values | {"name": words(label)}))

    def _asks_for(self, level: Any) -> str:
        """The field where that level of a bot was chosen, if one was."""
        fields = [*(f"seat.{seat}" for seat in range(self.players)), "keeper"]
        return next((field for field in fields if self.text(field) == level), "")


def usually(form: Form, option: Option, words: Words) -> str:
    """What an option is unless it is chosen, in words: on the sheet, and in each preset that has it otherwise; and
    what it may be, where a table has bounds of its own.
    """
    players = form.players if form.players in form.game.seats else form.game.seats[0]
    said: list[str] = []
    for preset, changed in form.game.presets.items():
        value = value_words(option, changed.get(option.name, option.default_for(players)), words)
        if not said:
            said.append(words("lobby.usual", value=value))
        elif option.name in changed:
            said.append(words("table.differs", option=words(f"preset.{preset}"), value=value))
    if option.at_table:
        said.append(words("lobby.between", least=option.at_table[0], most=option.at_table[-1]))
    return words("table.apart").join(said)


def choices(option: Option, words: Words) -> list[tuple[str, str]]:
    """What an option may be, as a field's values with their words."""
    if option.kind == "switch":
        return [("true", words("table.yes")), ("false", words("table.no"))]
    return [(choice, choice_words(choice, words)) for choice in option.choices]


def value_of(option: Option, text: str) -> Any:
    """The value that a field's text stands for; what cannot be read stays a text, for the option itself to refuse."""
    if option.kind == "switch":
        return SWITCH.get(text, text)
    if option.kind == "whole":
        return _whole(text)
    if option.kind == "numbers":
        return [_whole(part) for part in re.split(r"[\s,;]+", text.strip("[] "))]
    return text


def _custom(name: str, text: str) -> Any:
    if name in BOUNDS:
        number = _whole(text)
        return number * _unit(name) if isinstance(number, int) else number
    return SWITCH.get(text, text)


def _unit(name: str) -> int:
    """What one of a custom is in the form, in its own measure."""
    return MINUTE if name == "bank" else 1


def _whole(text: str) -> Any:
    """A number, perhaps with a minus; what is none stays a text."""
    text = text.strip()
    number = digits(text.removeprefix("-"))
    return text if number is None else -number if text.startswith("-") else number
