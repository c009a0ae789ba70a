"""What a game looks like from outside, as on the lid of its box."""

from __future__ import annotations

from functools import cache

from brelan.game import Game
from brelan.games import find
from brelan.play.match import Match
from brelan.words import Words


@cache
def faces(name: str) -> list[str]:
    """Three different cards of a game's deck, to show what it is played with."""
    game = find(name)
    deck = list(dict.fromkeys(Match(game, game.seats[-1]).due()))
    return [deck[len(deck) * part // 7] for part in (1, 4, 6)]


def made_by(game: Game, words: Words) -> str:
    """Who made a game."""
    said = [game.by(words), game.publisher, str(game.year or "")]
    return " · ".join(part for part in said if part)
