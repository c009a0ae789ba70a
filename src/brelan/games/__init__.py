"""The games of the house, each a folder of identical rooms. A new game adds its folder and one line here."""

from __future__ import annotations

from brelan.errors import Refusal
from brelan.game import Game
from brelan.games import companeros, elements, gin, hawaiki, mio

GAMES: tuple[Game, ...] = (companeros.GAME, elements.GAME, hawaiki.GAME, gin.GAME, mio.GAME)


def find(game_id: str) -> Game:
    """The game of that id, or a refusal that names those there are."""
    for game in GAMES:
        if game.id == game_id:
            return game
    raise Refusal("game", given=game_id, known=", ".join(g.id for g in GAMES))
