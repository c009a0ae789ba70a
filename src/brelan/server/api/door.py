"""The API's door: who asks, whether they may, what they ask in the handler's own types, and how the answer is said."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from brelan.errors import Refusal
from brelan.play.record import each_once
from brelan.play.replay import NotOver
from brelan.server.api.openapi import JSON, Problem, Route
from brelan.server.house import House
from brelan.server.ledger import logs, metrics
from brelan.server.pages.asked import AGAIN, Unknown, introduced
from brelan.server.people.tokens import BadToken, Caller, NoScope
from brelan.server.store import to_visitors
from brelan.server.tables.connection import ERRORS, OTHER
from brelan.server.web.limits import address_of
from brelan.server.web.origin import is_own, language_of
from brelan.words import LANGUAGES, Words
from brelan.words.tongues import tongue_of

BODY_BYTES = 65536

STATUS = {
    "unreadable": 422,
    "illegal": 422,
    "malformed": 422,
    OTHER: 422,
    "wrong_seat": 403,
    "kept": 409,
    "not_host": 403,
    "scope": 403,
    "late": 409,
    "full": 409,
    "open": 409,
    "limits": 429,
    "storage": 503,
}
"""Of the errors that a socket knows too, by their names there."""

UNKNOWN = ("game", "replay.unknown", "token.unknown")
"""Refusals of what is asked for by a name that nothing has."""

VARY = "authorization, cookie, accept-language"
"""What an answer depends on besides its address."""


class Denied(Refusal):
    """Turned away at the door: a status, and the name of the error, which is also that of its sentence."""

    def __init__(self, status: HTTPStatus, error: str, **values: Any) -> None:
        self.status, self.error = status, error
        super().__init__(f"api.denied.{error}", **values)


class Refused(Refusal):
    """What a table refused, as the table says it."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__("table.refused")


@dataclass(slots=True)
class Call:
    """One request: who asks what, in which language. `headers` go out with a good answer."""

    request: Request
    route: Route
    words: Words
    caller: Caller | None = None
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def house(self) -> House:
        house: House = self.request.app.state.house
        return house

    @property
    def person(self) -> str:
        return self.caller.person if self.caller else ""

    def count(self, kind: str) -> None:
        """Count one more of that kind for who asks, or refuse."""
        self.house.limits.take(kind, self.person, address_of(self.request))

    def words_of(self, game: str) -> Words:
        return Words(self.words.language, game)


class Door:
    """All methods of one path; without any, of a path that there is not."""

    def __init__(self, routes: Mapping[str, Route]) -> None:
        self.routes = routes

    @property
    def allowed(self) -> str:
        """Its methods by name; what may be had by GET may be asked for by HEAD."""
        return ", ".join(self.routes).replace("GET", "GET, HEAD")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self.answer(Request(scope, receive))
        await response(scope, receive, send)

    async def answer(self, request: Request) -> Response:
        """The answer to any request whatever; nothing that a client sends is a fault of ours."""
        words = Words(language_of(request))
        try:
            if not self.routes:
                raise Denied(HTTPStatus.NOT_FOUND, "unknown")
            route = self.routes.get("GET" if request.method == "HEAD" else request.method)
            if route is None:
                raise Denied(HTTPStatus.METHOD_NOT_ALLOWED, "method", known=self.allowed)
            return await _answered(Call(request, route, words))
        except Unknown as refusal:
            return introduced(request) or problem(refusal, words, self.allowed)
        except Refusal as refusal:
            return problem(refusal, words, self.allowed)
        except ClientDisconnect:
            raise
        except Exception as error:
            found = logs.fault(error, route=metrics.template(request.scope))
            told = Problem("fault", None, f"{words('page.failed')} {words('ops.fault', id=found)}")
            return _json(told, HTTPStatus.INTERNAL_SERVER_ERROR)


async def _answered(call: Call) -> Response:
    """Whoever may is given what they ask for."""
    await _let_in(call)
    result = await call.route.handler(call, **await _arguments(call))
    response = result if isinstance(result, Response) else _response(result, call.route.status)
    response.headers.update({"vary": VARY, **call.headers})
    if "etag" in call.headers:
        response.headers["cache-control"] = "private, no-cache"
    return response


def _response(result: Any, status: int) -> Response:
    return Response(None, status) if result is None else _json(result, status)


async def _let_in(call: Call) -> None:
    """Who asks, and whether they may: a cookie must come from a page of this house wherever it changes something."""
    request, scope = call.request, call.route.scope
    try:
        call.caller = await call.house.caller(request)
    except BadToken:
        call.count("read")
        raise
    if call.route.limit:
        call.count(call.route.limit)
    by_token = bool(call.caller and call.caller.token)
    if call.route.method != "GET" and not by_token and not is_own(request):
        raise Denied(HTTPStatus.FORBIDDEN, "foreign") if call.caller else BadToken("token.none")
    if scope == "own":
        if by_token:
            raise Denied(HTTPStatus.FORBIDDEN, "own")
    elif scope:
        if not call.caller:
            raise BadToken("token.none")
        if not call.caller.may(scope):
            raise NoScope("token.scope", scope=scope)


async def _arguments(call: Call) -> dict[str, Any]:
    """What the handler takes, read and checked."""
    route, request = call.route, call.request
    given: dict[str, Any] = {}
    for parameter in route.at("path"):
        try:
            given[parameter.argument] = _read(request.path_params[parameter.name], parameter.type)
        except msgspec.ValidationError as error:
            raise Denied(HTTPStatus.NOT_FOUND, "unknown") from error
    given |= _query(route, request)
    for parameter in route.at("body"):
        given[parameter.argument] = await _body(request, parameter.type)
    return given


def _query(route: Route, request: Request) -> dict[str, Any]:
    """The query's parameters: each once, each known."""
    known = {parameter.name: parameter for parameter in route.at("query")}
    given: dict[str, Any] = {}
    for name, text in request.query_params.multi_items():
        if name == AGAIN or (name == "lang" and tongue_of(text)):  # read with what else the request shows of itself
            continue
        if name == "lang":
            raise _malformed(Refusal("language", given=text, known=", ".join(LANGUAGES)))
        if not (parameter := known.get(name)):
            raise _malformed(Refusal("api.denied.parameter", given=name, known=", ".join(known) or "–"))
        if parameter.argument in given:
            raise _malformed(Refusal("named_twice", given=name))
        try:
            given[parameter.argument] = _read(text, parameter.type)
        except msgspec.ValidationError as error:
            raise _malformed(f"{name}: {error}") from error
    missing = [parameter.name for parameter in known.values() if parameter.required and parameter.argument not in given]
    if missing:
        raise _malformed(", ".join(missing))
    return given


def _read(text: str, kind: Any) -> Any:
    return msgspec.convert(text, kind, strict=False)


async def _body(request: Request, kind: Any) -> Any:
    """The JSON body, of that type; neither too long nor of another kind."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
        raise Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "media", known=JSON)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise Denied(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "long", most=BODY_BYTES)
    try:
        said = msgspec.json.decode(bytes(body), type=kind)
        json.loads(body, object_pairs_hook=each_once)  # the other takes the last of two values
        return said
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise _malformed(error) from error


def _malformed(why: object) -> Denied:
    """That a request cannot be read, and why: a sentence of ours, or what was said to programs only."""
    return Denied(HTTPStatus.UNPROCESSABLE_ENTITY, "malformed", why=why if isinstance(why, Refusal) else f"{why}.")


# ---------------------------------------------------------------- refusals


def problem(refusal: Refusal, words: Words, allowed: str) -> Response:
    """A refusal as the API says it; of a method that there is not, with those that are allowed."""
    status, told = _told(to_visitors(refusal), words)
    more = {
        HTTPStatus.UNAUTHORIZED: {"www-authenticate": "Bearer"},
        HTTPStatus.METHOD_NOT_ALLOWED: {"allow": allowed},
        HTTPStatus.TOO_MANY_REQUESTS: {"retry-after": str(getattr(refusal, "wait", 1))},
    }
    return _json(told, status, more.get(HTTPStatus(status), {}))


def _told(refusal: Refusal, words: Words) -> tuple[int, Problem]:
    """Status and body of a refusal."""
    if isinstance(refusal, Refused):
        return STATUS[refusal.problem.error], refusal.problem
    status, error = _named(refusal)
    return status, Problem(error, refusal.rule, words.refusal(refusal))


def _named(refusal: Refusal) -> tuple[int, str]:
    """Status and error of a refusal."""
    match refusal:
        case Denied():
            return refusal.status, refusal.error
        case BadToken():
            return HTTPStatus.UNAUTHORIZED, "token"
        case NotOver():
            return HTTPStatus.FORBIDDEN, "before"
    if type(refusal) in ERRORS:
        return STATUS[ERRORS[type(refusal)]], ERRORS[type(refusal)]
    if refusal.key in UNKNOWN:
        return HTTPStatus.NOT_FOUND, "unknown"
    return STATUS[OTHER], OTHER


def _json(data: Any, status: int, headers: Mapping[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(data), status, {"cache-control": "no-store", **(headers or {})}, JSON)
