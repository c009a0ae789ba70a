"""Game: the handle by which everything else holds a game without asking which one it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from brelan.errors import Refusal, WrongSeat, integer, plain
from brelan.options import Option, Value
from brelan.pieces import Piece
from brelan.scene import Outcome, Scene, Tally, members
from brelan.schema import Plain
from brelan.words import Said, Words


class Rules(Protocol):
    """`rules.py`: the whole contract between a game and everything else (the dialect is checked, see CONTRIBUTING).

    A state is a `State`, changed in place; a set of seats or cards is an int, bit i for number i. Nothing is checked
    here: callers offer a move only after `legal` has named it (`play.match` is the boundary for people).
    """

    __name__: str  # the module's
    State: type[Any]
    """What a match is, whole. Of its fields everything else knows four, besides those named like options: `players`
    and `first` are set before `start`; the rules keep `turn`, the seat asked first, and `finished`, the rounds ended:
    where it has risen, `View.tally` tells how the round ended. A match of one round ends with `finished` at 1. Cards
    that are thrown in and dealt anew, as when all have passed, end a round too, in which nobody counted anything: in
    the arena each round has one luck, and would deal the same hands for ever."""
    ACTIONS: int  # moves are numbers from 0 to ACTIONS - 1
    DECK: int  # the most cards that one shuffle can hold

    def start(self, s: Any) -> None:
        """Begin a match: the options, `players` and `first` are set. It now waits for its first shuffle."""

    def due(self, s: Any, out: list[int]) -> int:
        """Write the cards that must be shuffled now to `out` (room for DECK); how many, 0 where none must be."""

    def deal(self, s: Any, cards: list[int]) -> None:
        """Go on with the cards that were due, shuffled, the top one first, until somebody must act, more must be
        shuffled, or a round has ended, as it may where cards are still drawn behind the move that ended it.
        """

    def asked(self, s: Any) -> int:
        """The set of the seats that may act now; `s.turn` is always one of them, and comes first. It is empty while a
        shuffle is due and at the end.
        """

    def legal(self, s: Any, seat: int, out: list[int]) -> int:
        """Write the legal moves of a seat to `out` (room for ACTIONS is enough); how many, 0 unless it is asked."""

    def play(self, s: Any, seat: int, move: int) -> None:
        """Play a legal move, and all that follows from it until somebody must act or a shuffle is due."""

    def over(self, s: Any) -> int:
        """1 when the match is over, else 0."""

    def score(self, s: Any, seat: int) -> int:
        """The points of a seat by the game's own count; few are good where the game says `lowest_wins`."""

    def wins(self, s: Any) -> int:
        """The set of the seats that have won, at the end of the match."""

    def imagine(self, s: Any, seat: int, random: list[int]) -> None:
        """Deal anew, at random, all that the seat cannot know, in agreement with all that it does know."""


class Policy(Protocol):
    """`policy.py`, in the same dialect: what the game's bots know.

    `START` holds the first weights, set by hand; those that bots play by are tuned from there (`bots.levels.weights`).
    Weight BLUR is how much chance enters each judgement, weight CARELESS how often of a thousand times something is
    forgotten.
    """

    START: list[int]

    def novice(self, s: Any, seat: int, random: list[int]) -> int:
        """A cheap, sensible move; never tuned, for matches depend on it."""

    def tuned(self, s: Any, seat: int, w: list[int], random: list[int]) -> int:
        """The move that the weights call best; also the policy of playouts."""

    def shortlist(self, s: Any, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
        """The legal moves worth a thought, at most SHORT, first the best by weights (of equal ones any); how many."""

    def believe(self, s: Any, seat: int, random: list[int]) -> None:
        """Change a world that the seat imagines so that the other hands are such as their moves tell."""

    def outlook(self, s: Any, seat: int) -> int:
        """How good a state at the end of a round is for a seat, as hopes of the match; any unit, larger is better."""


def due_cards(rules: Rules, s: Any) -> list[int]:
    """The cards that must be shuffled now, in the order of the rules; none where none must be."""
    out = [0] * rules.DECK
    return out[: rules.due(s, out)]


def legal_moves(rules: Rules, s: Any, seat: int) -> list[int]:
    """The legal moves of a seat, in the order of the rules; none unless it is asked."""
    out = [0] * rules.ACTIONS
    return out[: rules.legal(s, seat, out)]


def asked_seats(rules: Rules, s: Any) -> list[int]:
    """The seats that may act now, the one asked first before the others."""
    return sorted(members(rules.asked(s)), key=lambda seat: (seat - s.turn) % s.players)


def not_asked(rules: Rules, s: Any, seat: int) -> WrongSeat:
    """The refusal of a seat that is not asked, which names those that are."""
    return WrongSeat("wrong_seat", seat=seat, asked=", ".join(map(str, asked_seats(rules, s))) or "–")


RANDOM, NOVICE, TUNED = 0, 1, 2
"""Who plays a seat: chance, or one of the policies."""

BLUR, CARELESS = 0, 1
"""The weights that every game has in common."""

SHORT = 16
"""The most moves that a shortlist may hold."""


class Notation(Protocol):
    """`notation.py`: cards and moves as text, to the letter of the record format.

    A text that is none raises `Unreadable`.
    """

    def card_text(self, card: int, /) -> str:
        """The text of a card; `?` for HIDDEN."""

    def card_of(self, text: str, /) -> int:
        """The card of a text."""

    def move_text(self, move: int, /) -> str:
        """The one canonical text of a move: a verb, then what it is about, with single spaces between."""

    def move_of(self, text: str, /) -> int:
        """The move of a text, legal now or not."""

    def meant(self, s: Any, seat: int, move: int) -> int:
        """The move as `legal` lists it, where people may say the same in several ways."""


class View(Protocol):
    """`view.py`: what each seat may know, and how it is shown. SPECTATOR is a seat here too."""

    def redact(self, s: Any, seat: int) -> Any:
        """Another state: what the seat may know of this one, HIDDEN or empty for the rest."""

    def heard(self, move: int, seat: int, viewer: int) -> str:
        """The text of a move of `seat` as `viewer` hears it, `?` for a card that goes face down."""

    def card_words(self, card: int, words: Words) -> str:
        """The words for a card, also for HIDDEN."""

    def zones(self, s: Any) -> dict[str, list[int]]:
        """The cards of every zone by its id in the record format; all cards lie in exactly one."""

    def sound(self, s: Any) -> bool:
        """Whether the numbers of a state in which a seat is asked go together, as far as the rules rely on it, and no
        hand holds more cards than it counts; what each may be its declaration says.
        """

    def why_not(self, s: Any, seat: int, move: int) -> str:
        """The id of the rule that forbids a move which is not legal for that seat."""

    def tally(self, s: Any) -> Tally:
        """How the round ended that has just been finished."""

    def told(self, was: Any, move: int) -> dict[str, Said]:
        """What the sentence of a move says besides the words of its text, of what everybody saw: the state before it
        is redacted for a spectator.
        """

    def outcomes(self, was: Any, now: Any) -> list[Outcome]:
        """What one move led to that its own sentence does not say; both states are redacted for a spectator."""

    def scene(self, s: Any, seat: int, words: Words) -> Scene:
        """The table as a seat sees it; the state is redacted for it."""


class Observation(Protocol):
    """`observation.py`, in the dialect of the rules: what a seat knows, as numbers (pieces.py)."""

    PIECES: tuple[Piece, ...]

    def observe(self, s: Any, seat: int, out: list[int]) -> int:
        """Write the pieces to `out`, in their order, the viewer's seat first; how many numbers they are."""


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


@dataclass(frozen=True, slots=True, eq=False)  # one is itself, also as a key
class Game:
    """A game: who made it, who may sit down, what may be chosen, and the modules that know the rest."""

    id: str
    title: str
    designer: str
    publisher: str
    year: int | None
    seats: range  # of numbers of players, six at most: pages and lessons have room for no more
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

    def __repr__(self) -> str:
        seats = " to ".join(map(str, sorted({self.seats[0], self.seats[-1]})))
        return f"<Game {self.id}: {self.title}, {seats} players, presets {', '.join(self.presets)}>"

    def __deepcopy__(self, _: Any) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Written down, a game is the name of its room: what a module's functions do cannot be written."""
        room = self.rules.__name__.rpartition(".")[0]
        if game_in(room) is not self:
            raise TypeError(f"{self.title} cannot be written down: it is not the GAME of {room}")
        return game_in, (room,)

    def by(self, words: Words) -> str:
        """Who made it, in a language: a name, or the sentence of one that is nobody's."""
        key = f"designer.{self.designer}"
        return words(key) if key in words else self.designer

    @property
    def better(self) -> int:
        """By what a score is multiplied so that more of it is better: 1, or -1 where few points are good."""
        return -1 if self.lowest_wins else 1

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
        players = integer("players", players)
        self._check_table(players, preset)
        named = self._named({} if given is None else given)
        settled = {o.name: o.default_for(players) for o in self.options} | dict(self.presets[preset]) | named
        for option in self.options:
            allowed = option.check(settled[option.name], players)
            if allowed:
                given = option.told(settled[option.name])
                raise Refusal("option_value", name=option.name, given=given, allowed=allowed)
        return settled

    def check_length(self, settled: Mapping[str, Value]) -> None:
        """Refuse what no table may choose: each view tells of every round, and a match would go on for ever."""
        for option in self.options:
            if (bound := option.at_table) and (given := settled[option.name]) not in bound:
                allowed = f"{bound[0]} … {bound[-1]}"
                raise Refusal("option_value", name=option.name, given=given, allowed=allowed)

    def preset_of(self, players: int, preset: str, given: Mapping[str, Any] | None) -> str:
        """The preset that a table plays by: the one named, unless the options are just another's, however chosen."""
        settled = self.settle(players, preset, given)
        return next((name for name in (preset, *self.presets) if self.settle(players, name) == settled), preset)

    def _check_table(self, players: int, preset: str) -> None:
        if players not in self.seats:
            least, most = self.seats[0], self.seats[-1]
            raise Refusal("players", n=len(self.seats), given=players, least=least, most=most, game=self.title)
        if preset not in tuple(self.presets):  # whatever it is: a list cannot be asked for in a mapping
            raise Refusal("preset", given=preset, known=", ".join(self.presets), game=self.title)

    def _named(self, given: Mapping[str, Any]) -> dict[str, Value]:
        """What options are given, as plain values."""
        if not isinstance(given, Mapping):
            raise Refusal("record_options")
        unknown = [name for name in given if name not in {o.name for o in self.options}]
        if unknown:
            raise Refusal("option", given=unknown[0], known=", ".join(o.name for o in self.options) or "–")
        try:
            return {name: plain(value) for name, value in given.items()}
        except RecursionError:  # nested deeper than any value is
            raise Refusal("record_options") from None

    def changes(self, players: int, preset: str, given: Mapping[str, Any]) -> dict[str, Value]:
        """The options that are not as the preset has them: however they were named, a table is told in one way."""
        usual = self.settle(players, preset)
        return {name: value for name, value in self.settle(players, preset, given).items() if value != usual[name]}

    def starts(self, players: int, preset: str, given: Mapping[str, Any] | None = None) -> list[Plain]:
        """The match about to begin, for each first seat; a table that cannot be is refused, one of nobody too."""
        self.settle(players, preset, given)
        return [self.new(players, first, preset, given) for first in range(players)]

    def new(self, players: int, first: int = 0, preset: str = "sheet", given: Mapping[str, Any] | None = None) -> Plain:
        """A match about to begin: options and seats are set, and it waits for its first shuffle."""
        options = self.settle(players, preset, given)
        players, first = integer("players", players), integer("first", first)
        if first not in range(players):
            raise Refusal("first", given=first, most=players - 1)
        state: Any = self.rules.State()
        state.players, state.first = players, first
        for option in self.options:
            setattr(state, option.name, option.to_state(options[option.name]))
        self.rules.start(state)
        return state  # type: ignore[no-any-return]


def game_in(room: str) -> Game:
    """The game of a room, a package like those in brelan.games."""
    found: Game = import_module(room).GAME
    return found
