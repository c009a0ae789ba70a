"""Tables to test at: every game, number of seats, preset and option, and the walk along a match for most laws."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from brelan import bots, cards
from brelan.errors import Refusal
from brelan.game import Game
from brelan.games import GAMES, find
from brelan.play.match import Match
from brelan.play.shuffle import Chance, simulated
from tests.variants import variants


@dataclass(frozen=True)
class Table:
    """A game with its seats and options."""

    game: Game
    players: int
    preset: str = "sheet"
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        plain = self.game.settle(self.players, self.preset)
        changed = [f"{name}={value}".replace(" ", "") for name, value in self.options.items() if value != plain[name]]
        return "-".join([self.game.id, str(self.players), ",".join(changed) or self.preset])

    def match(self, first: int = 0) -> Match:
        return Match(self.game, self.players, first, self.preset, self.options)


TABLES = [Table(game, players, preset) for game in GAMES for players in game.seats for preset in game.presets]
"""Each game at each number of seats in each preset."""

VARIANTS = [
    Table(game, players, "sheet", options)
    for game in GAMES
    for players, options in variants(game)
    if options not in [game.settle(players, preset) for preset in game.presets]
]
"""Each game with every two values of its options together; what is a preset already stands above."""

at_every_table = pytest.mark.parametrize("table", TABLES + VARIANTS, ids=str)
at_every_preset = pytest.mark.parametrize("table", TABLES, ids=str)
for_every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


OF_THE_SHEETS = {"companeros", "elements", "hawaiki", "gin", "mio"}
"""Of these some tests ask more than of a game that has just begun."""


def chosen(names: list[str]) -> Sequence[Game]:
    """The games that a command names, or all of them; it ends with a sentence where there is none of that name."""
    try:
        return [find(name) for name in names] or GAMES
    except Refusal as refusal:
        sys.exit(str(refusal))


def tables_of(game: Game) -> list[Table]:
    """Every table of a game."""
    return [table for table in TABLES + VARIANTS if table.game is game]


def chance_of(seed: int, players: int) -> Chance:
    return simulated(f"test-{seed}", players, seed)


def generator(seed: int) -> list[int]:
    random = [0]
    cards.seed(random, seed)
    return random


def walk(
    table: Table, seed: int, most: int, levels: tuple[str, ...] = ("random", "novice"), undealt: bool = False
) -> Iterator[Match]:
    """The match before each of its first `most` moves, and at the end; bots of the given levels take turns.

    Of several seats asked any one moves, as at a live table. With `undealt`, also the match while a shuffle is due.
    """
    match, chance, random = table.match(seed % table.players), chance_of(seed, table.players), generator(seed)
    if undealt:
        yield match
    match.deal(chance)
    for ply in range(most):
        if match.over:
            break
        yield match
        act(match, levels[(ply // 7) % len(levels)], random)
        if undealt and match.due():
            yield match
        match.deal(chance)
    yield match


def act(match: Match, level: str, random: list[int]) -> None:
    """One move of any seat that is asked, as a bot of that level makes it."""
    asked = match.asked()
    seat = asked[cards.below(random, len(asked))]
    move = bots.at_once(match.game, level, match.game.view.redact(match.state, seat), seat, random, match.preset)
    match.move(seat, match.game.notation.move_text(move))


def viewers(match: Match) -> list[int]:
    """Every seat, and a spectator."""
    return [*range(match.players), cards.SPECTATOR]


def bare(record: str) -> list[dict[str, Any]]:
    """The lines of a record without their chains."""
    return [{key: value for key, value in json.loads(row).items() if key != "chain"} for row in record.splitlines()]
