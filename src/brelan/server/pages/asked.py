"""What every page asks of a request, and how it answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from brelan.errors import Refusal, digits
from brelan.server.house import House
from brelan.server.people.identity import YEAR, Guest
from brelan.server.web.addresses import is_code
from brelan.server.web.limits import address_of
from brelan.server.web.origin import LANGUAGE, is_own, language_of
from brelan.server.web.templates import render
from brelan.words import Words
from brelan.words.tongues import tongue_of

FORM_BYTES = 65536

AGAIN = "again"
"""In the address to which a form is sent once more."""

T = TypeVar("T")


def code_of(request: Request) -> str:
    """The code of the table in the address."""
    code = str(request.path_params["code"])
    if not is_code(code):
        raise HTTPException(404, "page.no_table")
    return code


async def at_table(request: Request, look: Callable[[str], T | None]) -> T:
    """What the store says of the table in the address, or 404 where there is none."""
    house, code = house_of(request), code_of(request)
    guest, found = house.identity.guest(request, code), await asyncio.to_thread(look, code)
    await house.tried(request, code, guest.id if guest else "", bool(found))
    if not found:
        raise HTTPException(404, "page.no_table")
    return found


def house_of(request: Request) -> House:
    house: House = request.app.state.house
    return house


def guest_of(request: Request) -> Guest:
    """The guest who asks, or a new one."""
    identity = house_of(request).identity
    return identity.guest(request) or identity.new()


class Unknown(Refusal):
    """Whoever asks shows no cookie; what would be written down for them would be nobody's."""

    def __init__(self) -> None:
        super().__init__("page.no_cookies")


def known_of(request: Request) -> Guest:
    """The guest who asks, of whom the house is to remember something; refuses who shows no cookie."""
    guest = house_of(request).identity.guest(request)
    if guest is None:
        raise Unknown
    return guest


def introduced(request: Request) -> Response | None:
    """A cookie for a browser that shows none, which then sends its form once more; None if it has done so already, and
    keeps none.
    """
    if AGAIN in request.query_params:
        return None
    identity = house_of(request).identity
    response = RedirectResponse(f"{request.url.path}?{request.url.query}&{AGAIN}", 307)
    identity.remember(response, identity.new(), request)
    return response


def words_of(request: Request, game: str | None = None) -> Words:
    return Words(language_of(request), game)


def page(
    request: Request,
    template: str,
    status: int = 200,
    headers: Any = None,
    words: Words | None = None,
    **values: Any,
) -> Response:
    """A page in the reader's language, which is remembered if it was asked for; `words` may be those of a game."""
    words = words or words_of(request)
    asked = tongue_of(request.query_params.get("lang", "")) == words.language
    values |= {"base": request.base_url, "address": request.url.replace(query=""), "asked": asked}
    values["notice"] = house_of(request).settings.notice
    response = HTMLResponse(render(template, words, **values), status, {"cache-control": "no-store", **(headers or {})})
    if asked:
        response.set_cookie(LANGUAGE, words.language, max_age=YEAR, httponly=True, samesite="lax")
    return response


async def own_form(request: Request, kind: str = "form") -> dict[str, str]:
    """The fields of a form of this house, counted as one more of that kind; nobody else's page may send one."""
    if not is_own(request):
        raise HTTPException(403, "page.foreign")
    count(request, kind)
    return await form_of(request)


def count(request: Request, kind: str) -> None:
    """Count one more of that kind for who asks, or refuse."""
    guest = house_of(request).identity.guest(request)
    house_of(request).limits.take(kind, guest.id if guest else "", address_of(request))


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form that is not too long; of a field that came several times, all that was ticked."""
    length = digits(request.headers.get("content-length", ""))
    if length is None or length > FORM_BYTES:
        raise HTTPException(413, "page.bad_request")
    typed: dict[str, str] = {}
    for name, value in (await request.form()).multi_items():
        if isinstance(value, str):
            typed[name] = typed.get(name, "") + value
    return typed
