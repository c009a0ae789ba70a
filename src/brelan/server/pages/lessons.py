"""First lessons: a page for each game that has one, with all its steps; what is done only the device knows."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from brelan.games import find
from brelan.play.lesson import has_lesson, lesson_shown
from brelan.server.pages.asked import house_of, page, words_of
from brelan.server.pages.spoken import client_words, sayings
from brelan.server.web.origin import language_of
from brelan.words import Words


async def lesson(request: Request) -> Response:
    """The lesson of a game, its learner called as the house knows them."""
    game = find(request.path_params["game"])
    if not has_lesson(game):
        raise HTTPException(404, "lesson.none")
    guest, language = house_of(request).identity.guest(request), language_of(request)
    parts = await asyncio.to_thread(written, game.id, language, guest.name if guest else "")
    spoken = client_words(language, "lesson", game=game.id) | sayings(language)
    return page(request, "lesson.html", game=game, words=words_of(request, game.id), parts=parts, client_words=spoken)


@lru_cache(maxsize=64)
def written(game: str, language: str, learner: str) -> Any:
    """The parts of a lesson as plain data, kept for the 64 that were asked for last."""
    return msgspec.to_builtins(lesson_shown(find(game), Words(language, game), learner))


ROUTES = [Route("/learn/{game}", lesson, middleware=[Middleware(GZipMiddleware)])]
