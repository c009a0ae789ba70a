"""Whether a program speaks the line protocol: what `brelan bot-check` looks at, one line for each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from brelan import bots, cards, games
from brelan.bots.program import Program
from brelan.bots.protocol import Ask, Hello, written
from brelan.errors import Refusal
from brelan.game import Game
from brelan.lab.players import Asks
from brelan.options import as_given
from brelan.play.match import Match
from brelan.play.shuffle import simulated
from brelan.words import Words, shown

MOST = (1 << 62) - 1
"""The largest `seed`."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: a key of the words, whether it is as it should be, what it came to, and what is wrong; where
    it was an answer, what was asked.
    """

    name: str
    good: bool
    says: str = ""
    why: Refusal | None = None
    ask: Ask | None = None

    def told(self, words: Words) -> str:
        """What there is to say, on one line."""
        where = words("cli.check_ask", id=self.ask.id, match=self.ask.match, seat=self.ask.seat) if self.ask else ""
        why = words.refusal(self.why) if self.why else ""
        return shown(" ".join(part for part in (self.says, where, why) if part))

    def line(self, words: Words) -> str:
        """The same behind what was looked at."""
        sign, label = ("✓", f"cli.check_{self.name}") if self.good else ("✗", f"cli.check_not_{self.name}")
        said = self.told(words)
        return f"{sign} {words('terminal.labelled', label=words(label), text=said) if said else words(label)}"


@dataclass(frozen=True, slots=True)
class Seating:
    """At which table a program is looked at, and by which rules: options that are not named are those of the preset."""

    game: Game
    players: int
    preset: str
    options: Mapping[str, Any]

    @property
    def name(self) -> str:
        chosen = [] if self.preset == "sheet" else [self.preset]
        chosen += [f"{name}={as_given(value)}" for name, value in self.options.items()]
        return f"{self.game.id} {self.players}" + (f" ({', '.join(chosen)})" if chosen else "")


def checks(
    command: str,
    game_ids: Sequence[str] = (),
    matches: int = 3,
    seconds: float = 10.0,
    preset: str = "sheet",
    options: Mapping[str, Any] | None = None,
) -> Iterator[Check]:
    """Look at everything, as far as the program goes; behind a fault it is started anew, so that none hides another."""
    asked = [games.find(name) for name in dict.fromkeys(game_ids)]
    seatings = [seating for game in asked or games.GAMES for seating in _seatings(game, preset, options or {})]
    try:
        program = Program(command, seconds)
    except Refusal as refusal:
        yield Check("hello", False, why=refusal)
        return
    try:
        yield _greets(program.hello, asked)
        played = [seating for seating in seatings if program.hello.plays(seating.game.id)]
        for look in _looks(played, matches):
            yield (check := look(program))
            if not check.good:
                program.kill()
                program = Program(command, seconds)
        yield Check("bye", program.close())
    except Refusal as refusal:
        yield Check("hello", False, why=refusal)
    finally:
        program.kill()


def _seatings(game: Game, preset: str, options: Mapping[str, Any]) -> Iterator[Seating]:
    """The smallest and the largest table of a game; a Refusal if it has no such rules there."""
    for players in sorted({game.seats[0], game.seats[-1]}):
        game.settle(players, preset, options)
        yield Seating(game, players, preset, options)


def _looks(played: Sequence[Seating], matches: int) -> Iterator[Callable[[Program], Check]]:
    """What is looked at while a program runs; the asks are numbered through, whichever program hears them."""
    asks = Asks()
    yield _ignores
    for seating in played:
        yield partial(_plays, asks=asks, seating=seating, matches=matches)


def _greets(hello: Hello, asked: Sequence[Game]) -> Check:
    """It says who it is, names a game of the house, spelled as here, and plays those that are asked for."""
    known = {game.id for game in games.GAMES}
    try:
        for name in hello.games:
            if name.lower() in known or known.isdisjoint(hello.games):  # beside ours it may play others
                games.find(name)
        for game in asked:
            hello.check(game.id)
    except Refusal as refusal:
        return Check("hello", False, f"{hello.name}:", refusal)
    return Check("hello", True, f"{hello.name} {hello.version}".strip())


def _ignores(program: Program) -> Check:
    """A line of a kind that it does not know is passed over: later versions of the protocol may say more."""
    try:
        program.say({"type": "weather", "is": "fine"})
        given = program.answer(0.3)
    except Refusal as refusal:
        silent = refusal.key == "bot_late"
        return Check("unknown", silent, why=None if silent else refusal)
    return Check("unknown", False, written(given)[:60])


def _plays(program: Program, asks: Asks, seating: Seating, matches: int) -> Check:
    """Several matches at the same time, against novices: every answer is a legal move, in time, to what was asked."""
    try:
        took = list(_moves(program, asks, seating, matches))
    except Refusal as refusal:
        return Check("match", False, f"{seating.name}:", refusal, asks.last)
    slow = f"{1000 * median(took):.1f} ms, {1000 * max(took):.1f} ms" if took else "–"
    return Check("match", True, f"{seating.name}: {len(took)} ({slow})")


def _moves(program: Program, asks: Asks, seating: Seating, matches: int) -> Iterator[float]:
    """Seconds for each move; the matches take turns, so that nothing of one may be kept for another."""
    game, players, preset = seating.game, seating.players, seating.preset
    running = {}
    for number in range(matches):
        chance = simulated(f"check-{number}", players, number)
        running[number] = Match(game, players, number % players, preset, dict(seating.options)), chance
    random = [1]
    while running:
        for number, (match, chance) in list(running.items()):
            match.deal(chance)
            if match.over:
                del running[number]
                continue
            seat = match.asked()[0]
            if seat == number % players:
                name = f"{game.id}-{players}-{number}"
                seed = MOST - cards.below(random, 1 << 30)  # large: few languages hold such numbers by themselves
                ask = asks.next(match, seat, seed, name, program.seconds)
                began = time.perf_counter()
                match.move(seat, program.move(ask))
                yield time.perf_counter() - began
            else:
                seen = game.view.redact(match.state, seat)
                match.move(seat, game.notation.move_text(bots.at_once(game, "novice", seen, seat, random, preset)))
