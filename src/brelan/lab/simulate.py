"""Matches played by bots, with the provable shuffle: a seed repeats them to the letter."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

from brelan import __version__, bots, cards, games
from brelan.errors import at_least, integer
from brelan.lab.engines import check_engine, in_processes
from brelan.play.match import Match
from brelan.play.record import written
from brelan.play.shuffle import simulated

CHUNK = 10
"""Matches that a process plays between two reports."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated. `levels` names a bot per seat, repeated around the table."""

    game: str
    players: int
    seed: int = 0
    preset: str = "sheet"
    options: Mapping[str, Any] = field(default_factory=dict)
    levels: tuple[str, ...] = ("novice",)
    legal: bool = False  # list each move's alternatives in the record

    def check(self) -> None:
        """Refuse what cannot be played, before anything is."""
        games.find(self.game).settle(self.players, self.preset, self.options)
        at_least(1, self.players, bots=len(self.levels))
        at_least(1 - 2**53, 2**53 - 1, seed=self.seed)  # it stands in the header, under a chain
        for level in self.levels:
            bots.find(games.find(self.game), level, self.preset)

    def versions(self) -> list[str]:
        """The bots with their versions."""
        return [bots.find(games.find(self.game), level, self.preset).id for level in self.levels]

    def to_json(self) -> dict[str, Any]:
        """Which table it is, by which rules, and who plays there, the bots also by their versions."""
        return {
            "brelan": __version__,
            "game": self.game,
            "revision": games.find(self.game).revision,
            "preset": self.preset,
            "options": dict(self.options),
            "players": self.players,
            "bots": list(self.levels),
            "versions": self.versions(),
            "seed": self.seed,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """One simulated match."""

    number: int
    scores: list[int]
    winners: list[int]
    moves: int
    rounds: int
    record: str  # empty unless records were asked for


def play(plan: Plan, number: int, record: bool) -> Result:
    """Match `number` of a plan."""
    game = games.find(plan.game)
    match = Match(game, plan.players, number % plan.players, plan.preset, plan.options)
    chance = simulated(f"simulate-{plan.seed}-{number}", plan.players, plan.seed, number)
    random = [0]
    cards.seed(random, int.from_bytes(chance.secret[:7], "big"))
    match.deal(chance)
    while not match.over:
        seat = match.asked()[0]
        seen = game.view.redact(match.state, seat)
        listed = match.legal(seat) if plan.legal else []
        level = plan.levels[seat % len(plan.levels)]
        move = bots.searched(game, level, seen, seat, random, plan.preset)
        match.move(seat, game.notation.move_text(move))
        if plan.legal:
            match.lines[-1]["legal"] = listed
        match.deal(chance)
    text = written(match, chance, bots=seated(plan), seed=plan.seed) if record else ""
    return Result(number, match.scores, match.winners, len(match.lines) - match.shuffles, match.state.finished, text)


def seated(plan: Plan) -> list[str]:
    """The bot of each seat, with its version."""
    known = plan.versions()
    return [known[seat % len(known)] for seat in range(plan.players)]


def simulate(plan: Plan, matches: int, record: bool = False, engine: str = "cores") -> Iterator[Result]:
    """The matches of a plan in order, played in this process (`here`), on all cores (`cores`) or by `ray`."""
    plan.check()
    check_engine(engine)
    matches = integer("matches", matches)
    at_least(0, matches=matches)
    engine = "here" if matches <= CHUNK else engine
    yield from in_processes(engine, CHUNK, play, repeat(plan), range(matches), repeat(record))


@dataclass(slots=True)
class Summary:
    """What many matches came to."""

    matches: int = 0
    moves: int = 0
    rounds: int = 0
    # a shared victory counts as a part for each
    wins: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    points: Counter[int] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        self.matches += 1
        self.moves += result.moves
        self.rounds += result.rounds
        for seat in result.winners:
            self.wins[seat] += 1 / len(result.winners)
        for seat, score in enumerate(result.scores):
            self.points[seat] += score

    def to_json(self, players: int) -> dict[str, Any]:
        """Means over the matches, seats in order."""
        n = max(self.matches, 1)
        return {
            "matches": self.matches,
            "moves": round(self.moves / n, 2),
            "rounds": round(self.rounds / n, 2),
            "wins": [round(self.wins[seat] / n, 4) for seat in range(players)],
            "scores": [round(self.points[seat] / n, 2) for seat in range(players)],
        }
