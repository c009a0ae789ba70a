"""Who plays a match outside compiled code: a level of ours, or anybody's program (`cmd:…`)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from brelan import bots, cards
from brelan.bots.levels import COMMAND, SEARCH, Level, nets_of, weighed
from brelan.bots.program import SECONDS, Program
from brelan.bots.protocol import Ask
from brelan.errors import Refusal, whole
from brelan.game import TUNED, Game
from brelan.play.match import Match
from brelan.play.shuffle import Chance

ASKING = "+values="
"""Before the net that a level is to ask."""

FAULTY: set[str] = set()
"""Programs that have lost a match here by what was no move: what they wrote to standard error then has been seen, and
who fails in each match would write the same in each.
"""

MOST = 100_000
"""Moves of a match after which it is taken for one that never ends. Those of a round (`playouts.ENDLESS`) would not do:
in gin, where no program ever knocks, rounds end for ever in which nobody counts anything.
"""


class Player(Protocol):
    """Somebody who moves when asked; whatever goes wrong is a Refusal."""

    def move(self, match: Match, seat: int, seed: int) -> str: ...

    def close(self) -> None:
        """End what is running; who is asked again begins anew."""
        ...


def level_of(game: Game, named: str, preset: str) -> Level:
    """A level by its name, or with numbers of its search or its net changed, as `skilled+worlds=64+gate=100`: for
    measuring, at no table.
    """
    name, *changes = named.split("+")
    level = bots.find(game, name, preset)
    if changes and level.mind.kind != TUNED:
        raise Refusal("level", given=named, known=", ".join(weighed(game)))
    values: dict[str, Any] = {}
    for change in changes:
        key, value = _changed(game, change)
        if key in values:  # the first would be named in the report, and not played by
            raise Refusal("named_twice", given=key)
        values[key] = value
    mind = replace(level.mind, **values)
    if not mind.worlds and values.keys() - {"worlds"}:
        raise Refusal("level_unsearched", given=named)  # all its other numbers are a search's
    if "depth" in values and not mind.values:
        raise Refusal("level_depth", given=named)
    return replace(level, changes=tuple(changes), mind=mind)


def _changed(game: Game, change: str) -> tuple[str, Any]:
    """A number of a mind, and what it is to be."""
    key, _, value = change.partition("=")
    if key in SEARCH:
        return key, whole(key, value)
    if key != "values":
        raise Refusal("level_number", given=key, known=", ".join([*SEARCH, "values"]))
    if value not in (nets := nets_of(game)):
        raise Refusal("net", given=value, known=", ".join(nets) or "–")
    return key, value


class OfLevel:
    """A level of ours."""

    def __init__(self, level: str) -> None:
        self.level = level

    def move(self, match: Match, seat: int, seed: int) -> str:
        game, random = match.game, [0]
        cards.seed(random, seed)
        seen, mind = game.view.redact(match.state, seat), level_of(game, self.level, match.preset).mind
        return game.notation.move_text(bots.searched_of(game, mind, seen, seat, random))

    def close(self) -> None:
        """Nothing is open."""


class Answering(Protocol):
    """What answers the lines of the protocol; whatever goes wrong is a Refusal."""

    seconds: float

    def move(self, ask: Ask) -> str: ...
    def close(self) -> object: ...


class Asks:
    """What a program is asked: numbered through, and each seat is told what was played since it was asked last."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self._told: dict[tuple[str, int], int] = {}  # match and seat -> lines it has heard
        self.last: Ask | None = None

    def next(self, match: Match, seat: int, seed: int, name: str, seconds: float) -> Ask:
        """What it is asked in a match of this name."""
        begin = self._told.get((name, seat), 0)
        self._told[name, seat] = len(match.lines)
        seen, legal = match.game.view.redact(match.state, seat), match.legal(seat)
        told = match.heard(seat, begin)
        self.last = Ask(
            next(self._ids), match.game, match.preset, match.options, seat, seen, legal, name, told, seconds, seed
        )  # fmt: skip
        return self.last

    def forget(self) -> None:
        """Nobody asks about these matches any more."""
        self._told.clear()


class OfProgram:
    """Anybody's program, at one seat: it is started when it is asked, and anew where it was ended."""

    def __init__(self, start: Callable[[], Answering]) -> None:
        self._start = start
        self._program: Answering | None = None
        self._asks, self._names = Asks(), itertools.count(1)
        self._match: tuple[Match | None, str] = None, ""  # the one that is played, and its name

    def move(self, match: Match, seat: int, seed: int) -> str:
        """Its move in a match; the matches come one after another, each under a name of its own."""
        if self._match[0] is not match:
            self._match = match, f"match-{next(self._names)}"
            self._asks.forget()
        self._program = self._program or self._start()
        return self._program.move(self._asks.next(match, seat, seed, self._match[1], self._program.seconds))

    def close(self) -> None:
        if self._program:
            self._program.close()
            self._program = None


def player(name: str, seconds: float = SECONDS) -> Player:
    """A level of ours, or the program behind `cmd:`, which has so many seconds for a move."""
    if name.startswith(COMMAND):
        return OfProgram(lambda: Program(name.removeprefix(COMMAND), seconds, aloud=name not in FAULTY))
    return OfLevel(name)


def check_player(name: str, game: Game, seconds: float) -> None:
    """Refuse a program that does not start, or does not play the game."""
    if name.startswith(COMMAND):
        try:
            with closing(Program(name.removeprefix(COMMAND), seconds)) as program:
                program.hello.check(game.id)
        except Refusal as refusal:
            raise Refusal("bot_named", name=name, why=refusal) from None


class Fault(NamedTuple):
    """Who lost a match by what was no move, and what that was."""

    seat: int
    why: Refusal


def luck(chance: Chance, match: Match) -> int:
    """Where who is asked now takes chance from: it hangs on the deal, and nothing of the deal can be read out of it."""
    return int.from_bytes(chance.key("brelan-luck", len(match.lines))[:8], "big") >> 2  # below 2^62


def duel(
    game: Game, players: Sequence[Player], first: int, preset: str, options: Mapping[str, Any], chance: Chance
) -> tuple[Match, Fault | None]:
    """A match between them, of MOST moves at most, and the fault by which somebody lost it, if anybody."""
    match = Match(game, len(players), first, preset, dict(options))
    match.deal(chance)
    while not match.over and len(match.lines) - match.shuffles < MOST:
        seat = match.asked()[0]
        try:
            match.move(seat, players[seat].move(match, seat, luck(chance, match)))
        except Refusal as refusal:
            return match, Fault(seat, refusal)
        match.deal(chance)
    return match, None
