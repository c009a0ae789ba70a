"""The pages: each handler answers one address with ordinary HTML that works without scripts where it can."""

from __future__ import annotations

import asyncio
import io
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from brelan import __version__
from brelan.errors import Refusal
from brelan.games import GAMES, find
from brelan.play.messages import Bot, Message, Sit, Start
from brelan.play.record import written
from brelan.play.seats import clean_name
from brelan.play.table import Table
from brelan.server.forms import Form, blank, filled
from brelan.server.house import House
from brelan.server.identity import LANGUAGE, YEAR, Guest, is_own, language_of
from brelan.words import LANGUAGES, Words, catalogue

FORM_BYTES = 65536
BOT = "novice"

_templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "pages"), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


# ---------------------------------------------------------------- pages


async def lobby(request: Request) -> Response:
    """The games, each to be played at once or at a table of one's own."""
    return _lobby(request, {})


async def make(request: Request) -> Response:
    """A table as the form asks for it; a wrong value comes back on the form, with everything else still there."""
    if not is_own(request):
        raise HTTPException(403, "page.foreign")
    data = await _form(request)
    game = find(data.get("game", ""))
    form = filled(game, data)
    guest = _house(request).identity.guest(request) or _house(request).identity.new()
    named = Guest(guest.id, clean_name(form.nickname))
    try:
        code = await _house(request).rooms.make(
            _asked(named, form, request),
            game.id,
            form.whole_players(),
            guest.id,
            preset=form.preset,
            options=form.given(),
            manner=form.manner,
        )
    except Refusal as refusal:
        form.error = _words(request).refusal(refusal)
        return _lobby(request, {game.id: form}, status=422)
    response = RedirectResponse(f"/t/{code}", 303)
    _house(request).identity.remember(response, named, request)
    return response


def _asked(guest: Guest, form: Form, request: Request) -> list[Message]:
    """What the host asks of the new table: a seat; against bots also the others' seats and the start."""
    asked: list[Message] = [Sit("sit", 0, guest.name or _words(request)("page.guest"))]
    if form.bots:
        asked += [Bot(f"bot {seat}", seat, BOT) for seat in range(1, form.whole_players())]
        asked.append(Start("start"))
    return asked


async def table(request: Request) -> Response:
    """The shell of a table; all that lies on it comes over the table's socket."""
    code = request.path_params["code"]
    house = _house(request)
    made = await asyncio.to_thread(house.store.first, code)
    if made is None:
        raise HTTPException(404, "page.no_table")
    known = house.identity.guest(request, code)
    guest = known or house.identity.new()
    language = language_of(request)
    response = _page(
        request,
        "table.html",
        code=code,
        game=find(made.data["game"]),
        name=guest.name,
        client_words=client_words(language),
    )
    if known is None:
        house.identity.remember(response, guest, request)
    return response


async def bring_seat(request: Request) -> Response:
    """The link of a seat, opened on another device of its owner."""
    code = request.path_params["code"]
    response = RedirectResponse(f"/t/{code}", 303)
    try:
        _house(request).identity.bring(response, code, request.path_params["token"], request)
    except Refusal as refusal:
        raise HTTPException(403, refusal.key) from refusal
    return response


async def record(request: Request) -> Response:
    """The record of the table's last match; before its end it would show what is hidden."""
    house, code = _house(request), request.path_params["code"]
    events = await asyncio.to_thread(house.store.events, code)
    if not events:
        raise HTTPException(404, "page.no_table")
    shown = Table.rebuilt(house.rooms.draw, events)
    if shown.status != "over" or shown.match is None:
        raise HTTPException(403, "page.record_before")
    headers = {"content-disposition": f'attachment; filename="{code}.jsonl"', "cache-control": "no-store"}
    return Response(written(shown.match, shown.chance), media_type="application/jsonl", headers=headers)


async def qr(request: Request) -> Response:
    """The table's address as a QR code."""
    import segno  # only who invites waits for it

    out = io.BytesIO()
    address = str(request.url_for("table", code=request.path_params["code"]))
    code = segno.make(address, micro=False)
    code.save(out, kind="svg", scale=8, border=2, light="#fff", svgclass=None, lineclass=None)
    return Response(out.getvalue(), media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


async def rules(request: Request) -> Response:
    """The rulebook of a game; every rule id is an anchor in it."""
    game = find(request.path_params["game"])
    return _page(request, "rules.html", game=game, rulebook=rulebook(game.id, language_of(request)))


async def health(request: Request) -> Response:
    """Whether the house can read its database."""
    await asyncio.to_thread(_house(request).store.first, "")
    return JSONResponse({"status": "ok", "version": __version__})


# ---------------------------------------------------------------- what went wrong


async def failed(request: Request, error: Exception) -> Response:
    """An answer that is a refusal by its number."""
    assert isinstance(error, HTTPException)
    words, known = _words(request), error.detail
    sentence = words(known, **request.path_params) if known in words else words("page.not_found")
    return _page(request, "error.html", status=error.status_code, sentence=sentence, headers=error.headers)


async def refused(request: Request, error: Exception) -> Response:
    """A refusal that no handler had another use for: what was asked for is not here, or the store does not work."""
    assert isinstance(error, Refusal)
    status = 503 if error.key.startswith("storage.") else 404
    return _page(request, "error.html", status=status, sentence=_words(request).refusal(error))


async def broken(request: Request, error: Exception) -> Response:
    """A fault of ours."""
    return PlainTextResponse(_words(request)("page.failed"), 500)


# ---------------------------------------------------------------- help


def client_words(language: str) -> dict[str, str]:
    """The sentences of the table's page, by the name that follows `client.`"""
    return {key[7:]: sentence for key, sentence in catalogue(language).items() if key.startswith("client.")}


def rulebook(game: str, language: str) -> str | None:
    """The rulebook as HTML; None if it is not written yet. The only HTML in our files are the rules' anchors."""
    from markdown_it import MarkdownIt

    file = resources.files(f"brelan.games.{game}").joinpath(f"rulebook.{language}.md")
    if not file.is_file():
        return None
    return str(MarkdownIt("commonmark", {"html": True}).enable("table").render(file.read_text("utf-8")))


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


def _words(request: Request, game: str | None = None) -> Words:
    return Words(language_of(request), game)


def _lobby(request: Request, forms: dict[str, Form], status: int = 200) -> Response:
    guest = _house(request).identity.guest(request)
    name = guest.name if guest else ""
    words = {game.id: _words(request, game.id) for game in GAMES}
    shown = {game.id: forms.get(game.id) or blank(game, name) for game in GAMES}
    return _page(request, "lobby.html", status=status, games=GAMES, forms=shown, words_of=words)


def _page(
    request: Request,
    template: str,
    status: int = 200,
    headers: Any = None,
    **values: Any,
) -> Response:
    """A page in the reader's language, which is remembered if it was asked for."""
    words = _words(request)
    page = _templates.get_template(template).render(
        words=words, language=words.language, languages=LANGUAGES, path=request.url.path, **values
    )
    response = HTMLResponse(page, status, {"cache-control": "no-store", **(headers or {})})
    if request.query_params.get("lang") == words.language:
        response.set_cookie(LANGUAGE, words.language, max_age=YEAR, httponly=True, samesite="lax")
    return response


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form that is not too long."""
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > FORM_BYTES:
        raise HTTPException(413, "page.bad_request")
    return {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
