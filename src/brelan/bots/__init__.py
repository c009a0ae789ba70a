"""Bots: by level, from the uniform player upwards. Each gets what its seat may know, and nothing else."""

from __future__ import annotations

from functools import cache
from typing import Any

from brelan.bots.levels import BASELINES, NAMES, Mind, choices, find, known, strengths, usual
from brelan.cards import below
from brelan.game import NOVICE, RANDOM, Game, legal_moves

__all__ = [
    "BASELINES",
    "NAMES",
    "at_once",
    "choices",
    "find",
    "known",
    "searched",
    "searched_of",
    "strengths",
    "thinker_of",
    "usual",
]


def at_once(game: Game, level: str, state: Any, seat: int, random: list[int], preset: str) -> int:
    """A legal move of that level without its search, interpreted; the state is redacted for the seat."""
    return at_once_of(game, find(game, level, preset).mind, state, seat, random)


def at_once_of(game: Game, mind: Mind, state: Any, seat: int, random: list[int]) -> int:
    """The same of a mind."""
    if mind.kind == RANDOM:
        moves = legal_moves(game.rules, state, seat)
        return moves[below(random, len(moves))]
    if mind.kind == NOVICE:
        return game.policy.novice(state, seat, random)
    return game.policy.tuned(state, seat, list(mind.weights), random)


@cache
def thinker_of(game: Game) -> Any:
    """The `Thinker` of a game, one for each process: compiled once, and only where somebody needs it."""
    from brelan.bots.thinker import Thinker

    return Thinker(game)


def searched(game: Game, level: str, state: Any, seat: int, random: list[int], preset: str) -> int:
    """The move of that level, searched for where it searches: the first such move waits until the game is compiled."""
    return searched_of(game, find(game, level, preset).mind, state, seat, random)


def searched_of(game: Game, mind: Mind, state: Any, seat: int, random: list[int]) -> int:
    """The same of a mind."""
    if not mind.worlds:
        return at_once_of(game, mind, state, seat, random)
    return int(thinker_of(game).move(state, seat, mind, below(random, 1 << 30)))
