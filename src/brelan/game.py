"""Game: the handle by which everything else holds a game without asking which one it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from brelan.errors import Refusal
from brelan.pieces import Piece
from brelan.scene import Outcome, Scene, Tally
from brelan.schema import Plain
from brelan.words import Words

Value = bool | int | str | list[int]
"""What an option may be set to, as the header of a record holds it."""


class Rules(Protocol):
    """`rules.py`: the whole contract between a game and everything else (the dialect is checked, see CONTRIBUTING)."""

    State: type[Any]
    ACTIONS: int  # moves are numbers from 0 to ACTIONS - 1
    DECK: int  # the most cards that one shuffle can hold

    def start(self, s: Any) -> None: ...
    def due(self, s: Any, out: list[int]) -> int: ...
    def deal(self, s: Any, cards: list[int]) -> None: ...
    def asked(self, s: Any) -> int: ...
    def legal(self, s: Any, seat: int, out: list[int]) -> int: ...
    def play(self, s: Any, seat: int, move: int) -> None: ...
    def over(self, s: Any) -> int: ...
    def score(self, s: Any, seat: int) -> int: ...
    def wins(self, s: Any) -> int: ...
    def imagine(self, s: Any, seat: int, random: list[int]) -> None: ...


class Policy(Protocol):
    """`policy.py`, in the same dialect: what the game's bots know.

    `START` holds the first weights, set by hand; those that bots play by are tuned from there (`bots.weights`). Weight
    BLUR is how much chance enters each judgement, weight CARELESS how often of a thousand times something is forgotten.
    """

    START: list[int]

    def novice(self, s: Any, seat: int, random: list[int]) -> int: ...
    def tuned(self, s: Any, seat: int, w: list[int], random: list[int]) -> int:
        """The move that the weights call best; also the policy of playouts."""

    def shortlist(self, s: Any, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
        """The legal moves worth a thought, at most SHORT, the tuned one first; how many."""

    def believe(self, s: Any, seat: int, random: list[int]) -> None:
        """Change a world that the seat imagines so that the other hands are such as their moves tell."""

    def outlook(self, s: Any, seat: int) -> int:
        """How good a state at the end of a round is for a seat, as hopes of the match; any unit, larger is better."""


RANDOM, NOVICE, TUNED = 0, 1, 2
"""Who plays a seat: chance, or one of the policies."""

BLUR, CARELESS = 0, 1
"""The weights that every game has in common."""

SHORT = 16
"""The most moves that a shortlist may hold."""


class Notation(Protocol):
    """`notation.py`: cards and moves as text, to the letter of the record format."""

    def card_text(self, card: int, /) -> str: ...
    def card_of(self, text: str, /) -> int: ...
    def move_text(self, move: int, /) -> str: ...
    def move_of(self, text: str, /) -> int: ...
    def meant(self, s: Any, seat: int, move: int) -> int: ...


class View(Protocol):
    """`view.py`: what each seat may know, and how it is shown."""

    def redact(self, s: Any, seat: int) -> Any: ...
    def heard(self, move: int, seat: int, viewer: int) -> str: ...
    def card_words(self, card: int, words: Words) -> str: ...
    def zones(self, s: Any) -> dict[str, list[int]]: ...
    def why_not(self, s: Any, seat: int, move: int) -> str: ...
    def tally(self, s: Any) -> Tally: ...
    def outcomes(self, was: Any, now: Any) -> list[Outcome]: ...
    def scene(self, s: Any, seat: int, words: Words) -> Scene: ...


class Observation(Protocol):
    """`observation.py`, in the dialect of the rules: what a seat knows, as numbers (pieces.py)."""

    PIECES: tuple[Piece, ...]

    def observe(self, s: Any, seat: int, out: list[int]) -> int: ...


class Courtesy(Protocol):
    """`courtesy.py`, of a game where people must say things aloud: a table may say them for its people (`MANNERS`)."""

    def said(self, s: Any, seat: int, move: int) -> int:
        """What a courteous seat plays in place of a legal move: the same, with all said that is due."""

    def owed(self, s: Any, seat: int) -> int:
        """What a courteous seat that is asked says without being told to; -1 where it has something to decide."""

    def silence(self, s: Any, seat: int) -> int:
        """The move of a seat that is asked and says nothing until its time is up; -1 where it is waited for."""


MANNERS = ("friendly", "claim", "turns")
"""The ways of saying things aloud: the table does it for everybody; everybody does, and the first to speak wins; the
table does it, in a match by turns over days. The first is what a table has unless it chooses."""


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
    kind: str = "whole"  # how a form asks for it: whole, switch, choice, several (letters of choices), numbers
    choices: tuple[str, ...] = ()

    def default_for(self, players: int) -> Value:
        return self.default(players) if callable(self.default) else self.default


def switch(name: str, default: bool, rule: str) -> Option:
    """An option that is on or off."""
    return Option(name, default, rule, lambda v, _: None if isinstance(v, bool) else "true | false", kind="switch")


ENDLESS = 10**9
"""More than any table will choose, and far from the numbers that compiled rules cannot count."""


def whole(name: str, default: int, rule: str, least: int, most: int = ENDLESS) -> Option:
    """An option that is a whole number from `least` to `most`."""
    allowed = f"{least} … {'10⁹' if most == ENDLESS else most}"

    def check(value: Any, _: int) -> str | None:
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return None if fits else allowed

    return Option(name, default, rule, check)


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


@dataclass(frozen=True, slots=True)
class Game:
    """A game: who made it, who may sit down, what may be chosen, and the modules that know the rest."""

    id: str
    title: str
    designer: str
    publisher: str
    year: int | None
    seats: range
    revision: int  # of the rules: rises with any change of a legal set or a score
    options: tuple[Option, ...]
    rules: Rules
    notation: Notation
    view: View
    policy: Policy
    observation: Observation
    presets: Mapping[str, Mapping[str, Value]]  # what each preset changes from the options' defaults
    lowest_wins: bool = False  # whether few points are good
    courtesy: Courtesy | None = None  # what is said aloud, if anything is

    @property
    def manners(self) -> tuple[str, ...]:
        """The ways of saying things aloud that a table may choose from; none where nothing is."""
        return MANNERS if self.courtesy else ()

    def manner(self, given: str | None) -> str | None:
        """The way that a table has: the first unless one is asked for, or the refusal that names those there are."""
        if given is not None and given not in self.manners:
            raise Refusal("option_value", name="manner", given=given, allowed=" | ".join(self.manners) or "–")
        return given or next(iter(self.manners), None)

    def settle(self, players: int, preset: str = "sheet", given: Mapping[str, Any] | None = None) -> dict[str, Value]:
        """Every option with its value, or a refusal that names what is wrong (O-A6)."""
        given = given or {}
        if isinstance(players, bool) or players not in self.seats:
            raise Refusal("players", given=players, least=self.seats[0], most=self.seats[-1], game=self.title)
        if preset not in self.presets:
            raise Refusal("preset", given=preset, known=", ".join(self.presets), game=self.title)
        unknown = [name for name in given if name not in {o.name for o in self.options}]
        if unknown:
            raise Refusal("option", given=unknown[0], known=", ".join(o.name for o in self.options) or "–")
        settled = {o.name: o.default_for(players) for o in self.options} | dict(self.presets[preset]) | dict(given)
        for option in self.options:
            allowed = option.check(settled[option.name], players)
            if allowed:
                raise Refusal("option_value", name=option.name, given=settled[option.name], allowed=allowed)
        return settled

    def new(self, players: int, first: int = 0, preset: str = "sheet", given: Mapping[str, Any] | None = None) -> Plain:
        """A match about to begin: options and seats are set, and it waits for its first shuffle."""
        options = self.settle(players, preset, given)
        if isinstance(first, bool) or first not in range(players):
            raise Refusal("first", given=first, most=players - 1)
        state: Any = self.rules.State()
        state.players, state.first = players, first
        for option in self.options:
            setattr(state, option.name, option.to_state(options[option.name]))
        self.rules.start(state)
        return state  # type: ignore[no-any-return]
