"""The way to a table: the home page with its lists, the form of a new table, and the code that a friend reads aloud."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any
from unicodedata import normalize
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from brelan import bots
from brelan.errors import Refusal
from brelan.game import Game
from brelan.games import GAMES, find
from brelan.play.customs import BOUNDS, CHOICES, Customs
from brelan.play.seats import clean_name
from brelan.server.house import House
from brelan.server.ledger import metrics
from brelan.server.lines import POLICY, bounded, first_done
from brelan.server.pages.asked import guest_of, house_of, known_of, own_form, page, words_of
from brelan.server.pages.covers import faces, made_by
from brelan.server.pages.forms import Form, choices, usually
from brelan.server.people import people
from brelan.server.people.identity import Guest
from brelan.server.store import Storage
from brelan.server.tables import board
from brelan.server.tables.board import Line
from brelan.server.tables.rooms import CODE_LENGTH, CODE_LETTERS
from brelan.server.tables.standing import tables_of
from brelan.server.web.limits import TooMany, address_of
from brelan.server.web.origin import is_own, language_of
from brelan.server.web.templates import level_words
from brelan.words import Words

ASK_PAUSE = 1.0  # seconds, at least, between two answers about somebody's own tables


# ---------------------------------------------------------------- the home page


async def home(request: Request) -> Response:
    """The games, each to be played at once or at a table of one's own; the own tables, and those that are open."""
    return await _home(request)


async def join(request: Request) -> Response:
    """To the table of a code as people read, hear and type it; where there is none, a sentence beside the field."""
    typed = request.query_params.get("code", "")
    code, words = code_meant(typed), words_of(request)
    if not code:
        said = words("lobby.no_code", code=typed[:20]) if typed.strip() else words("lobby.no_code_given")
        return await _home(request, typed, said, 422)
    house = house_of(request)
    guest, made = house.identity.guest(request, code), await asyncio.to_thread(house.store.first, code)
    await house.tried(request, code, guest.id if guest else "", made is not None)
    if made is None:
        return await _home(request, typed, words("lobby.no_code", code=typed[:20]), 404)
    return RedirectResponse(f"/t/{code}", 303)


async def name(request: Request) -> Response:
    """Remember a nickname, so that no table asks for it again."""
    typed = await own_form(request)
    return await _called(request, "/", Guest(known_of(request).id, clean_name(typed.get("nickname", ""))))


async def _called(request: Request, to: str, guest: Guest) -> Response:
    """On to an address, from now on by that name wherever the house remembers one."""
    house, response = house_of(request), RedirectResponse(to, 303)
    await asyncio.to_thread(people.rename, house.store, guest.id, guest.name)
    house.identity.remember(response, guest, request)
    return response


async def _home(request: Request, code: str = "", error: str = "", status: int = 200) -> Response:
    house, language = house_of(request), language_of(request)
    guest = house.identity.guest(request)
    brought = house.identity.all_brought(request)
    tables = await asyncio.to_thread(tables_of, house.store, house.rooms.beat, guest.id if guest else "", brought)
    return page(
        request,
        "home.html",
        status=status,
        games=GAMES,
        words_of={game.id: words_of(request, game.id) for game in GAMES},
        by={game.id: made_by(game, words_of(request)) for game in GAMES},
        faces={game.id: faces(game.id) for game in GAMES},
        nickname=guest.name if guest else "",
        yours=Markup(board.own(tables, language)),  # noqa: S704  (from our own template, which escapes)
        sheet=await house.board.sheet(language),
        code=code,
        filled=urlencode({"code": code}) if code else "",
        error=error,
    )


def code_meant(typed: str) -> str:
    """The code that somebody means: capitals, wide letters, spaces and strokes do not matter, a whole address does
    neither.
    """
    plain = normalize("NFKC", typed).strip().lower()
    last = plain.partition("/t/")[2] or plain
    code = "".join(letter for letter in re.split("[/?#]", last)[0] if letter.isalnum())
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else ""


# ---------------------------------------------------------------- a new table


async def new(request: Request) -> Response:
    """The form of a new table, filled in as the address says."""
    return _new(request, _form(request, find(request.path_params["game"]), request.query_params))


async def make(request: Request) -> Response:
    """A table as the form asks for it; a wrong value comes back on the form, with everything else still there."""
    form, house = await _asked(request), house_of(request)
    known = guest_of(request)
    guest = Guest(known.id, form.nickname or known.name)
    try:
        form.game.settle(form.players, form.preset, form.options())  # before anything is made for each seat
        code = await house.rooms.make(
            form.asked(guest.name or words_of(request)("page.guest")),
            form.game.id,
            form.players,
            guest.id,
            preset=form.preset,
            options=form.options(),
            manner=form.manner,
            customs=form.customs(),
        )
    except Storage:  # no choice was wrong
        raise
    except Refusal as refusal:
        form.refuse(refusal, words_of(request, form.game.id))
        return _new(request, form, 422)
    return await _called(request, f"/t/{code}", guest)


async def _asked(request: Request) -> Form:
    """The form as it came; on the home page each game has a number of players of its own."""
    typed = await own_form(request, "make")
    game = find(typed.get("game", ""))
    return _form(request, game, {"players": typed.get(f"players.{game.id}", "")} | typed)


def _form(request: Request, game: Game, typed: Mapping[str, str]) -> Form:
    """The form of a new table in this house."""
    return Form(game, typed, bots.usual(game, house_of(request).settings.bots))


def _new(request: Request, form: Form, status: int = 200) -> Response:
    guest = house_of(request).identity.guest(request)
    known, words = guest.name if guest else "", words_of(request, form.game.id)
    return page(
        request,
        "make.html",
        status=status,
        here=f"/new/{form.game.id}",  # also where a form was sent to: nobody asks there for a page in another language
        filled=urlencode({name: value for name, value in form.typed.items() if value and name != "lang"}),
        words=words,
        game=form.game,
        form=form,
        known=known,
        beside=_beside(words, form.game, form.preset, form.players),
        told={f"{p}-{n}": _beside(words, form.game, p, n) for p in form.game.presets for n in form.game.seats},
        ways=CHOICES,
        bounds=BOUNDS,
        usual=Customs(),
        usually=usually,
        choices=choices,
    )


def _beside(words: Words, game: Game, preset: str, players: int) -> dict[str, Any]:
    """What is said of each bot at such a table, its strength beside it, and what that means."""
    size, points = bots.strengths(game, preset, players)
    said = {bot: words("lobby.seat_bot", level=level_words(words, bot)) for bot in bots.choices(game)}
    strong = {bot: f"{said[bot]} ({words.signed(points[bot])})" for bot in points}
    return {"bots": said | strong, "hint": words("client.bot_strength", n=size)}


# ---------------------------------------------------------------- the line


@bounded
async def lobby_socket(socket: WebSocket) -> None:
    """Tell somebody in the lobby what changes: the open tables, and their own."""
    house: House = socket.app.state.house
    if not is_own(socket):
        await socket.close(POLICY)  # before it was accepted: the handshake is answered with 403
        return
    await socket.accept()
    guest = house.identity.guest(socket)
    seen, brought = socket.query_params.get("seen", "")[:64], house.identity.all_brought(socket)
    line = Line(guest.id if guest else "", language_of(socket), seen, brought)
    house.board.enter(line)
    try:
        with metrics.line("lobby"):
            await first_done(_read(socket, house, line), _write(socket, house, line))
    finally:
        house.board.leave(line)


async def _read(socket: WebSocket, house: House, line: Line) -> None:
    """Whatever is said here asks for one's own tables, at a pace that nobody can drive, by many lines neither; the
    answer also shows that the line still works.
    """
    address = address_of(socket)
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            house.limits.take("frame", line.person, address)
            line.wake(asks=True)
            await asyncio.sleep(ASK_PAUSE)
    except TooMany:
        await socket.close(POLICY)


async def _write(socket: WebSocket, house: House, line: Line) -> None:
    """Whatever there is to tell."""
    try:
        while True:
            for frame in await house.board.frames(line):
                await socket.send_text(frame)
    except (WebSocketDisconnect, Refusal):  # the last of the store: the page asks again later
        return


ROUTES = [
    Route("/", home),
    Route("/join", join),
    Route("/name", name, methods=["POST"]),
    Route("/new/{game}", new),
    Route("/tables", make, methods=["POST"]),
    WebSocketRoute("/lobby/socket", lobby_socket),
]
