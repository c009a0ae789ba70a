"""The pages of the ladders: for each game who has shown to be how strong, and what its matches were like."""

from __future__ import annotations

import asyncio
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from brelan.game import Game
from brelan.games import GAMES, find
from brelan.server.matches import statistics
from brelan.server.matches.ratings import SURE
from brelan.server.pages.asked import house_of, page, words_of
from brelan.server.pages.covers import faces


async def overview(request: Request) -> Response:
    """Every game with its ladders."""

    def ask() -> dict[str, int]:
        with house_of(request).store.read() as connection:
            return statistics.counts(connection)

    return page(request, "ratings.html", games=GAMES, counts=await asyncio.to_thread(ask))


async def ladder(request: Request) -> Response:
    """The ladder of a game in one of its presets, and the game's statistics."""
    game = find(request.path_params["game"])
    asked = request.query_params.get("preset", "")
    preset = asked if asked in game.presets else next(iter(game.presets))
    guest = house_of(request).identity.guest(request)
    rungs = await asyncio.to_thread(_ladder, request, game, preset, guest.id if guest else "")
    played, chairs = await house_of(request).figures.of(game.id)
    words = words_of(request, game.id)
    return page(
        request,
        "ladder.html",
        words=words,
        game=game,
        faces=faces(game.id),
        preset=preset,
        filled=urlencode({"preset": preset}),
        me=guest.id if guest else "",
        sure=SURE,
        ladder=rungs,
        played=played,
        chairs=chairs,
    )


def _ladder(request: Request, game: Game, preset: str, reader: str) -> statistics.Ladder:
    with house_of(request).store.read() as connection:
        return statistics.ladder(connection, game.id, preset, reader)


ROUTES = [Route("/ratings", overview), Route("/ratings/{game}", ladder)]
