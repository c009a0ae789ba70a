"""The API for people's and bots' programs: `/api/v1/…`, JSON in and out, described by its own declarations.

A program sees exactly what a page would be sent for the same person, and says the same messages; who it acts for tells
its token. Who asks, what is read and how it is refused stands in `door.py`, and so does what is counted, but of a
table's own routes: there a move that is due is not counted, nor who waits for what is new.
"""

from __future__ import annotations

import asyncio
from functools import cache
from hashlib import blake2b
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from sqlalchemy import Row
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.routing import Route as Address

from brelan import bots
from brelan.game import Game
from brelan.games import GAMES, find
from brelan.options import Option
from brelan.play.customs import BOUNDS, CHOICES, Customs
from brelan.play.messages import NO_KEY, Bot, Message, Sit, Start
from brelan.play.replay import Replay, record_of
from brelan.play.shown import View, Viewer
from brelan.server.api.door import Call, Denied, Door, Refused
from brelan.server.api.openapi import JSON, Lines, Problem, Routes, document
from brelan.server.api.shapes import (
    TABLE,
    TOKEN,
    Ack,
    AskShown,
    Code,
    CustomShown,
    Eyes,
    GameId,
    GameShown,
    HintShown,
    Log,
    Made,
    MatchId,
    Me,
    MyTable,
    Number,
    OpenTable,
    OptionShown,
    PresetShown,
    Rulebook,
    Said,
    Scenes,
    Seconds,
    TokenId,
    TokenMade,
    TokenWanted,
    Wanted,
)
from brelan.server.matches.results import is_counted
from brelan.server.matches.shown import STEPS, MatchShown, aside, eyes, finished_events, of_match
from brelan.server.pages.asked import known_of, page, words_of
from brelan.server.pages.rulebooks import rulebook
from brelan.server.pages.spoken import client_words
from brelan.server.people import tokens
from brelan.server.people.tokens import Token
from brelan.server.store import index
from brelan.server.tables import standing
from brelan.server.tables.room import Room
from brelan.server.tables.visits import LONG, WAIT, WAITING
from brelan.server.upkeep.beat import Beat
from brelan.server.web.limits import is_due, kind_of
from brelan.words import Words

TABLES = 100
"""Tables in one answer, at most."""

routes = Routes("/api/v1")


# ---------------------------------------------------------------- the house


@routes.get("/games")
async def games(call: Call) -> list[GameShown]:
    return [_game_shown(call, game) for game in GAMES]


@routes.get("/games/{game}")
async def game(call: Call, game: GameId) -> GameShown:
    return _game_shown(call, find(game))


@routes.get("/games/{game}/rulebook")
async def rules(call: Call, game: GameId) -> Rulebook:
    found, language = find(game).id, call.words.language
    book = await asyncio.to_thread(rulebook, found, language)
    return Rulebook(found, book.language, book.html) if book else Rulebook(found, language, None)


def _game_shown(call: Call, game: Game) -> GameShown:
    words = call.words_of(game.id)
    return GameShown(
        id=game.id,
        title=game.title,
        designer=game.by(words),
        publisher=game.publisher,
        year=game.year,
        revision=game.revision,
        seats=list(game.seats),
        lowest_wins=game.lowest_wins,
        presets=[PresetShown(name, words(f"preset.{name}"), dict(of)) for name, of in game.presets.items()],
        options=[_option_shown(option, game, words(f"option.{option.name}")) for option in game.options],
        manners=list(game.manners),
        customs=_customs(game),
        bots=bots.choices(game),
    )


def _option_shown(option: Option, game: Game, label: str) -> OptionShown:
    defaults = [option.default_for(players) for players in game.seats]
    return OptionShown(option.name, label, option.kind, list(option.choices), defaults, option.rule)


def _customs(game: Game) -> list[CustomShown]:
    choices = {name: list(known) for name, known in CHOICES.items()} | {"keeper": bots.choices(game)}
    return [
        CustomShown(name, usual, choices.get(name, []), *BOUNDS.get(name, (None, None)))
        for name, usual in Customs().to_json().items()
    ]


# ---------------------------------------------------------------- tables


@routes.get("/tables")
async def open_tables(call: Call) -> list[OpenTable]:
    rooms = call.house.rooms
    found = await asyncio.to_thread(standing.open_tables, call.house.store, rooms.beat, rooms.attended(), TABLES)
    return [OpenTable.of(table) for table in found]


@routes.post("/tables", scope="make", limit="make", status=201, headers=("Location",))
async def make(call: Call, body: Annotated[Wanted, Meta(examples=[TABLE])]) -> Made:
    find(body.game).settle(body.players, body.preset, body.options)  # before anything is made for each seat
    code = await call.house.rooms.make(
        _asked(body),
        body.game,
        body.players,
        call.person,
        preset=body.preset,
        options=body.options,
        manner=body.manner,
        customs=Customs.of(body.customs),
    )
    made = Made(code, f"/t/{code}", f"/api/v1/tables/{code}", f"/t/{code}/socket")
    call.headers["location"] = made.table
    return made


def _asked(wanted: Wanted) -> list[Message]:
    """What the host asks of the new table."""
    asked: list[Message] = [Sit(NO_KEY, 0, wanted.name)] if wanted.name else []
    if wanted.bots is not None:
        bots.find(find(wanted.game), wanted.bots, wanted.preset)
        asked += [Bot(NO_KEY, seat, wanted.bots) for seat in range(len(asked), wanted.players)]
        asked.append(Start(NO_KEY))
    return asked


@routes.get("/tables/{code}", scope="read", limit="", headers=("ETag",))
async def table(call: Call, code: Code, since: Number | None = None, wait: Seconds = int(WAIT)) -> View:
    room, viewer = await _at(call, code)
    visit = call.house.visits.at(room, viewer)
    waits = since is not None and since >= room.number and wait >= LONG and visit.waiting_now < WAITING
    is_new = room.number > visit.seen
    if room.unreadable or not (waits or is_new):  # who waits for long, or is shown what is new, cannot ask too often
        call.count("read")
    view = await call.house.visits.look(room, viewer, since, wait)
    call.headers["etag"] = tag = _tag(view, viewer)
    if tag in call.request.headers.get("if-none-match", ""):
        return Response(None, 304)  # type: ignore[return-value]  # the client has the view already
    return view


@routes.post("/tables/{code}/messages", scope="play", limit="")
async def say(call: Call, code: Code, body: Said) -> Ack | HintShown | AskShown:
    room, viewer = await _at(call, code)
    if not is_due(room.table, call.person, body, room.unreadable):
        call.count(kind_of(body))
    answer = await call.house.visits.say(room, viewer, body)
    if answer is None:
        return Ack("", None)
    if answer["type"] == "refused":
        raise Refused(Problem(answer["error"], answer["rule"], answer["words"]))
    return msgspec.convert(answer, Ack | HintShown | AskShown)


async def _at(call: Call, code: str) -> tuple[Room, Viewer]:
    """The room of a table, and who looks; whoever was not there yet is counted before it is known what is there."""
    is_new = not call.house.visits.is_here(code, call.person)
    if is_new:
        call.count("read")
    assert call.caller
    made = await asyncio.to_thread(call.house.store.first, code)
    if is_new:
        await call.house.tried(call.request, code, call.person, made is not None)
    if made is None:
        raise Denied(HTTPStatus.NOT_FOUND, "unknown")
    viewer = call.house.viewer(call.caller, code, call.words_of(made.data["game"]))
    return call.house.rooms.room(code), viewer


def _tag(view: View, viewer: Viewer) -> str:
    """What tells two views apart, but for the clocks that run: whose they are as well, for a cache knows only the
    address. A page is told a link that a program of the same person is not.
    """
    shown = [view.number, viewer.person, view.table.link, viewer.words.language, view.table.host, view.table.seats]
    return f'W/"{blake2b(msgspec.json.encode(shown), digest_size=9).hexdigest()}"'


# ---------------------------------------------------------------- finished matches


@routes.get("/matches/{match}", limit="replay")
async def match(call: Call, match: MatchId) -> MatchShown:
    def shown(replay: Replay) -> MatchShown:
        viewer = Viewer(call.person, call.words_of(replay.table.game.id))
        return MatchShown.of(match, replay, viewer, is_counted(call.house.store, match))

    return await of_match(call.house.store, match, shown)


@routes.get("/matches/{match}/scenes", limit="replay")
async def scenes(call: Call, match: MatchId, seat: Eyes = "spectator", from_: Number = 0) -> Scenes:
    def seen(replay: Replay) -> Scenes:
        words = call.words_of(replay.table.game.id)
        return Scenes(list(replay.scenes(eyes(replay, seat), words, from_, STEPS)))

    return await of_match(call.house.store, match, seen)


@routes.get("/matches/{match}/log", limit="replay")
async def log(call: Call, match: MatchId, seat: Eyes = "spectator") -> Log:
    def told(replay: Replay) -> Log:
        return Log(list(replay.told(eyes(replay, seat), call.words_of(replay.table.game.id))))

    return await of_match(call.house.store, match, told)


@routes.get("/matches/{match}/record", limit="replay")
async def record(call: Call, match: MatchId) -> Lines:
    return Lines(await aside(lambda: record_of(finished_events(call.house.store, match), match)))


# ---------------------------------------------------------------- oneself


@routes.get("/me", scope="read")
async def me(call: Call) -> Me:
    caller = call.caller
    assert caller

    def mine() -> list[MyTable]:
        with call.house.store.read() as connection:
            rows = index.of_person(connection, caller.person, TABLES)
            played = index.played(connection, [row.code for row in rows if row.host == caller.person])
        return [_my_table(row, call.house.rooms.beat, played.get(row.code, [])) for row in rows]

    return Me("" if caller.token else caller.name, caller.token, await asyncio.to_thread(mine))


def _my_table(row: Row[Any], beat: Beat, played: list[str]) -> MyTable:
    deadline = beat.put_off(row.deadline, row.changed_at)
    return MyTable(row.code, row.game, row.status, row.players, row.open_seats, deadline, row.match, played)


@routes.get("/tokens", scope="own")
async def my_tokens(call: Call) -> list[Token]:
    return await asyncio.to_thread(tokens.of, call.house.store, call.person)


@routes.post("/tokens", scope="own", limit="token", status=201)
async def make_token(call: Call, body: Annotated[TokenWanted, Meta(examples=[TOKEN])]) -> TokenMade:
    person = known_of(call.request).id
    return TokenMade(*await asyncio.to_thread(tokens.make, call.house.store, person, body.name, body.scopes))


@routes.delete("/tokens/{token}", scope="own", status=204)
async def revoke_token(call: Call, token: TokenId) -> None:
    await asyncio.to_thread(tokens.revoke, call.house.store, call.person, token)


# ---------------------------------------------------------------- the document and its page


async def schema(request: Request) -> Response:
    """The OpenAPI document, in the reader's language."""
    return Response(_schema(words_of(request).language), media_type=JSON)


@cache
def _schema(language: str) -> bytes:
    return msgspec.json.encode(_document(language))


@cache
def _document(language: str) -> dict[str, Any]:
    """It is long, and the same for all who read that language."""
    return document(routes, Words(language))


async def api_page(request: Request) -> Response:
    """The page that lists the routes, lets its reader try them, and makes tokens."""
    language = words_of(request).language
    told, spoken = _document(language), client_words(language, "api")
    return page(request, "api.html", client_words=spoken, document=told, scopes=tokens.SCOPES)


ROUTES: list[BaseRoute] = [
    Address("/api", api_page),
    Address("/api/openapi.json", schema),
    *(Address(path, Door(methods)) for path, methods in routes.paths().items()),
    Address("/api/{rest:path}", Door({})),
]
