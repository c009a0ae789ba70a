"""Bots: by level, from the uniform player upwards. Each gets what its seat may know, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from brelan.cards import below
from brelan.errors import Refusal
from brelan.game import Game

Bot = Callable[[Game, Any, int, list[int]], int]
"""Game, state redacted for the seat, seat, generator -> a legal move."""


def uniform(game: Game, state: Any, seat: int, random: list[int]) -> int:
    """Any legal move, each as likely."""
    out = [0] * game.rules.ACTIONS
    return out[below(random, game.rules.legal(state, seat, out))]


def novice(game: Game, state: Any, seat: int, random: list[int]) -> int:
    """The game's own cheap sensible player."""
    return game.policy.novice(state, seat, random)


LEVELS: dict[str, Bot] = {"random": uniform, "novice": novice}


def find(level: str) -> Bot:
    """The bot of that level, or a refusal that names those there are."""
    if level not in LEVELS:
        raise Refusal("level", given=level, known=", ".join(LEVELS))
    return LEVELS[level]
