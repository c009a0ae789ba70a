"""A table's addresses: its shell, the link of a seat, its record, its QR codes."""

from __future__ import annotations

import asyncio
import io
import json

from starlette.datastructures import URL
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from brelan import bots
from brelan.errors import Refusal
from brelan.games import find
from brelan.server.pages.asked import at_table, code_of, count, house_of, own_form, page, words_of
from brelan.server.pages.lobby import code_meant
from brelan.server.pages.replays import record_file
from brelan.server.pages.spoken import client_words, sayings
from brelan.server.web.addresses import is_code
from brelan.server.web.origin import language_of

HOST = 253
"""Letters that the name of a host has at most (RFC 1035, section 2.3.4)."""


async def table(request: Request) -> Response:
    """The shell of a table; all that lies on it comes over the table's socket."""
    if written := _as_written(request):
        return written
    house, code = house_of(request), code_of(request)
    made = await at_table(request, house.store.first)
    left, own = await _has_left(request), house.identity.guest(request)
    game, known = find(made.data["game"]), own if left else house.identity.guest(request, code)
    size, strengths = bots.strengths(game, made.data["preset"], made.data["players"])
    guest, language = known or house.identity.new(), language_of(request)
    response = page(
        request,
        "table.html",
        code=code,
        game=game,
        words=words_of(request, game.id),
        name=guest.name,
        levels=" ".join(bots.choices(game)),
        strengths=json.dumps(strengths),
        measured=size,
        bot=bots.usual(game, house.settings.bots),
        screen=request.query_params.get("screen"),
        brought=known != own,
        client_words=client_words(language, game=game.id) | sayings(language),
    )
    if own or known is None:  # anew each time: who only follows links would be a stranger a year after the first
        house.identity.remember(response, own or guest, request)
    if left:
        house.identity.part(response, code)
    else:
        house.identity.renew(response, code, request)
    return response


def _as_written(request: Request) -> Response | None:
    """On to the address of the table that somebody means, who typed or pasted it with capitals or a stop behind it."""
    given = request.path_params["code"]
    code = "" if is_code(given) else code_meant(given)
    address = URL(f"/t/{code}").replace(query=request.url.query)
    return RedirectResponse(address, 303) if code else None


async def _has_left(request: Request) -> bool:
    """Whether the guest whose seat was brought to this device is nobody at the table any more: whoever comes next
    would sit down as them, and show them the cards.
    """
    house, code = house_of(request), code_of(request)
    brought = house.identity.all_brought(request).get(code)
    return brought is not None and brought not in await asyncio.to_thread(house.store.persons, code)


async def bring_seat(request: Request) -> Response:
    """The link of a seat, opened on another device of its owner, or by whom they gave it: so it is asked first."""
    house, words, code = house_of(request), words_of(request), code_of(request)
    here, brought = house.identity.guest(request, code), house.identity.brought(code, request.path_params["token"])
    people = await asyncio.to_thread(house.store.persons, code)
    if not brought or (here and here.id == brought.id):
        return _brought(request)
    if brought.id not in people:  # nobody's seat: whoever took it would play under the eyes of who made the link
        return RedirectResponse(f"/t/{code}", 303)
    other = people[brought.id] or brought.name or words("page.guest")
    own = people[here.id] or here.name or words("page.guest") if here and here.id in people else ""
    return page(request, "seat.html", code=code, own=own, other=other)


async def take_seat(request: Request) -> Response:
    """The seat of a link in place of one's own, as its page has asked."""
    await own_form(request)
    return _brought(request)


def _brought(request: Request) -> Response:
    """To the table, from now on as the guest of the link."""
    code = code_of(request)
    response = RedirectResponse(f"/t/{code}", 303)
    try:
        house_of(request).identity.bring(response, code, request.path_params["token"], request)
    except Refusal as refusal:
        raise HTTPException(403, refusal.key) from refusal
    return response


async def record(request: Request) -> Response:
    """The record of the table's last match; before its end it would show what is hidden."""
    known = await at_table(request, house_of(request).store.table)
    if known.status != "over":
        raise HTTPException(403, "page.record_before")
    return await record_file(request, known.match)


async def qr(request: Request) -> Response:
    """The table's address as a QR code."""
    await at_table(request, house_of(request).store.first)
    return await _qr(request, "max-age=3600", "table", code=code_of(request))


async def seat_qr(request: Request) -> Response:
    """The address of the reader's own seat as a QR code, for a second device of theirs."""
    code, identity = code_of(request), house_of(request).identity
    guest = identity.guest(request, code)
    if guest is None:
        raise HTTPException(403, "page.seat_link")
    return await _qr(request, "no-store", "bring_seat", code=code, token=identity.seat_token(code, guest))


async def _qr(request: Request, kept: str, name: str, **path: str) -> Response:
    """An address of this house as a QR code, which takes some milliseconds to draw: counted, and aside."""
    if len(request.base_url.hostname or "") > HOST:  # thousands of letters took a fifth of a second to draw
        raise HTTPException(400, "page.bad_request")
    count(request, "draw")
    drawn = await asyncio.to_thread(_drawn, str(request.url_for(name, **path)))
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": kept})


def _drawn(address: str) -> bytes:
    import segno  # only who invites waits for it

    out = io.BytesIO()
    code = segno.make(address, micro=False)
    code.save(out, kind="svg", scale=8, border=2, light="#fff", svgclass=None, lineclass=None)
    return out.getvalue()


ROUTES = [
    Route("/t/{code}", table),
    Route("/t/{code}/seat/{token}", bring_seat),
    Route("/t/{code}/seat/{token}", take_seat, methods=["POST"]),
    Route("/t/{code}/record", record),
    Route("/t/{code}/qr.svg", qr),
    Route("/t/{code}/seat.svg", seat_qr),
]
