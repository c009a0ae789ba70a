"""Finished matches at addresses that stay: the page that shows them again, its data, the record, and what if."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from brelan import bots
from brelan.errors import Refusal, digits
from brelan.play.messages import NO_KEY, Bot, Message, Sit, Start
from brelan.play.replay import Replay, origin_at, record_of
from brelan.play.shown import Viewer
from brelan.play.whatif import Origin
from brelan.server.matches.results import is_counted
from brelan.server.matches.shown import STEPS, MatchShown, aside, eyes, finished_events, of_match
from brelan.server.pages.asked import count, guest_of, house_of, own_form, page, words_of
from brelan.server.pages.spoken import client_words
from brelan.server.web.addresses import is_match
from brelan.server.web.origin import language_of

T = TypeVar("T")


async def replay(request: Request) -> Response:
    """The page of a match that is over; its steps follow by themselves."""
    house, known = house_of(request), _match(request)
    guest = house.identity.guest(request, _code(request))

    def shown(match: Replay) -> MatchShown:
        viewer = Viewer(guest.id if guest else "", words_of(request, match.table.game.id))
        return MatchShown.of(known, match, viewer, is_counted(house.store, known))

    data = msgspec.to_builtins(await _of_match(request, shown)) | {"page": STEPS}
    spoken = client_words(language_of(request), "replay", game=data["table"]["game"])
    players = words_of(request).listed([seat["player"] for seat in data["table"]["seats"]])
    return page(request, "replay.html", match=known, data=data, players=players, client_words=spoken)


async def scenes(request: Request) -> Response:
    """Some steps as one viewer sees them: `?seat=0&from=50`."""

    def seen(match: Replay) -> dict[str, Any]:
        words = words_of(request, match.table.game.id)
        return {"steps": list(match.scenes(_viewer(request, match), words, _whole(request, "from"), STEPS))}

    return _json(await _of_match(request, seen))


async def log(request: Request) -> Response:
    """All that happened in the match, as one viewer heard it."""

    def told(match: Replay) -> dict[str, Any]:
        words = words_of(request, match.table.game.id)
        return {"log": list(match.told(_viewer(request, match), words))}

    return _json(await _of_match(request, told))


async def record(request: Request) -> Response:
    """The record of the match."""
    return await record_file(request, _match(request))


async def record_file(request: Request, match: str) -> Response:
    """The record of one match as a file to save, or the refusal of one that is not over; read and sealed aside. A file
    is named after its match: that of a table's next one takes its place nowhere.
    """
    count(request, "replay")
    store = house_of(request).store
    text = await aside(lambda: record_of(finished_events(store, match), match))
    headers = {"content-disposition": f'attachment; filename="{match}.jsonl"', "cache-control": "no-store"}
    return Response(text, media_type="application/jsonl", headers=headers)


async def what_if(request: Request) -> Response:
    """A table that plays on after a step of the match: against bots at once, or with friends around it first."""
    typed, house, words = await own_form(request, "make"), house_of(request), words_of(request)
    guest = guest_of(request)
    step, seat = (_number(typed.get(name, "")) for name in ("step", "seat"))

    def begun(match: Replay) -> tuple[Origin, list[Message], dict[str, Any]]:
        origin, seats = origin_at(match, step), match.table.seats
        if seat >= len(seats):
            raise Refusal("replay.no_view")
        asked: list[Message] = [Sit(NO_KEY, seat, guest.name or words("page.guest"))]
        if typed.get("against") == "bots":
            usual = bots.usual(match.table.game, house.settings.bots)
            others = [(i, other.level or usual) for i, other in enumerate(seats) if i != seat]
            asked += [*(Bot(NO_KEY, i, level) for i, level in others), Start(NO_KEY)]
        table = match.table
        return origin, asked, {"preset": table.preset, "options": table.options, "manner": table.manner}

    origin, asked, choices = await of_match(house.store, _match(request), begun)
    header = origin.header
    code = await house.rooms.make(asked, header["game"], header["players"], guest.id, origin=origin, **choices)
    response = RedirectResponse(f"/t/{code}", 303)
    house.identity.remember(response, guest, request)
    return response


packed = [Middleware(GZipMiddleware)]
ROUTES = [
    Route("/m/{match}", replay, middleware=packed),
    Route("/m/{match}/scenes", scenes, middleware=packed),
    Route("/m/{match}/log", log, middleware=packed),
    Route("/m/{match}/record", record, middleware=packed),
    Route("/m/{match}/whatif", what_if, methods=["POST"]),
]


# ---------------------------------------------------------------- help


def _match(request: Request) -> str:
    """The id of the match in the address."""
    match = str(request.path_params["match"])
    if not is_match(match):
        raise Refusal("replay.unknown", match=match)
    return match


def _code(request: Request) -> str:
    """The table of a match: its code stands before the last hyphen of the match's id."""
    return _match(request).rpartition("-")[0]


async def _of_match(request: Request, ask: Callable[[Replay], T]) -> T:
    """What a match answers a page; it counts as it does over the API."""
    count(request, "replay")
    return await of_match(house_of(request).store, _match(request), ask)


def _viewer(request: Request, match: Replay) -> int:
    return eyes(match, request.query_params.get("seat", ""))


def _whole(request: Request, name: str) -> int:
    return _number(request.query_params.get(name, ""))


def _number(given: str) -> int:
    if (number := digits(given)) is None:
        raise Refusal("replay.no_view")
    return number


def _json(data: Any) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json")
