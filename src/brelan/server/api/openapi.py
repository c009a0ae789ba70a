"""A route of the API is declared once, by its handler: the signature tells what comes in and what goes out.

    @routes.get("/tables/{code}", scope="read")
    async def table(call: Call, code: Code, since: Since | None = None) -> View: ...

A parameter whose name stands in the path is read from it, `body` is the JSON body, all others are the query's; `from_`
is called `from` there. From the same declaration comes the OpenAPI document, so the two cannot differ. What a route is
for says the catalogue: `api.route.<name of the handler>`.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from starlette.responses import Response

from brelan import __version__
from brelan.play.messages import END
from brelan.server.people.identity import GUEST
from brelan.words import LANGUAGES, Words

VERSION = "3.1.0"
JSON = "application/json"
LINES = "application/jsonl"

Handler = Callable[..., Awaitable[Any]]


class Problem(msgspec.Struct):
    """Why nothing was done, in one sentence of the asked language."""

    error: str
    rule: str | None
    words: str


class Lines(Response):
    """A record: one JSON object in each line."""

    media_type = LINES


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a route takes: its name, where it stands (path, query or body), its type, and its default."""

    name: str
    place: str
    type: Any
    default: Any = inspect.Parameter.empty

    @property
    def argument(self) -> str:
        """The name of the handler's argument."""
        return "from_" if self.name == "from" else self.name

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one path. Scope None is open to everybody, `own` to the house's own pages only."""

    method: str
    path: str
    handler: Handler
    parameters: tuple[Parameter, ...]
    answer: Any
    scope: str | None = None
    limit: str = "read"
    status: int = 200
    headers: tuple[str, ...] = ()  # that a good answer has

    @property
    def name(self) -> str:
        return self.handler.__name__

    def at(self, place: str) -> list[Parameter]:
        return [parameter for parameter in self.parameters if parameter.place == place]

    @property
    def refusals(self) -> list[int]:
        """The statuses of its refusals: what its declaration makes possible."""
        found = {405, 422, 429, 500, 503}
        found |= {401, 403} if self.scope else {401}
        found |= {404} if self.at("path") else set()
        found |= {403} if "{match}" in self.path else set()
        found |= {404, 409, 413, 415} if self.at("body") else set()
        return sorted(found)


@dataclass(slots=True)
class Routes:
    """The routes under one prefix, in the order in which they were declared."""

    prefix: str
    all: list[Route] = field(default_factory=list)

    def get(self, path: str, **choices: Any) -> Callable[[Handler], Handler]:
        return self._route("GET", path, **choices)

    def post(self, path: str, **choices: Any) -> Callable[[Handler], Handler]:
        return self._route("POST", path, **choices)

    def delete(self, path: str, **choices: Any) -> Callable[[Handler], Handler]:
        return self._route("DELETE", path, **choices)

    def paths(self) -> dict[str, dict[str, Route]]:
        """Each path with its routes by method."""
        found: dict[str, dict[str, Route]] = {}
        for route in self.all:
            found.setdefault(self.prefix + route.path, {})[route.method] = route
        return found

    def _route(self, method: str, path: str, **choices: Any) -> Callable[[Handler], Handler]:
        def declared(handler: Handler) -> Handler:
            hints = get_type_hints(handler, include_extras=True)
            parameters = tuple(_parameter(p, hints[p.name], path) for p in _own(handler))
            self.all.append(Route(method, path, handler, parameters, hints["return"], **choices))
            return handler

        return declared


def _own(handler: Handler) -> list[inspect.Parameter]:
    """The parameters of a handler behind the first, which is the call."""
    return list(inspect.signature(handler).parameters.values())[1:]


def _parameter(parameter: inspect.Parameter, kind: Any, path: str) -> Parameter:
    name = parameter.name.rstrip("_")
    place = "path" if f"{{{name}}}" in path else "body" if name == "body" else "query"
    return Parameter(name, place, _given(kind), parameter.default)


def _given(kind: Any) -> Any:
    """The type of what is there, if it is: an address cannot say null."""
    kinds = [one for one in get_args(kind) if one is not NoneType] if get_origin(kind) in (Union, UnionType) else []
    return kinds[0] if len(kinds) == 1 else kind


# ---------------------------------------------------------------- the document


def document(routes: Routes, words: Words) -> dict[str, Any]:
    """The OpenAPI 3.1 document of these routes, in the language of the words."""
    types = [Problem, *(kind for route in routes.all for kind in _types(route))]
    shapes, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(map(repr, types), shapes, strict=True))
    told = {
        "openapi": VERSION,
        "info": {"title": "Brelan", "version": __version__, "description": words("api.about")},
        "paths": {
            path: {method.lower(): _operation(route, schemas, words) for method, route in methods.items()}
            for path, methods in routes.paths().items()
        },
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": words("api.security.token")},
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": GUEST,
                    "description": words("api.security.cookie"),
                },
            },
        },
    }
    return cast("dict[str, Any]", _plain(told))


def _plain(part: Any) -> Any:
    """A part of the document whose patterns every language reads: many know no look-ahead, and JSON Schema's `$` is the
    end of a text by itself.
    """
    match part:
        case dict():
            return {key: _plain(value) for key, value in part.items()}
        case list():
            return [_plain(value) for value in part]
    return part.replace(END, "$") if isinstance(part, str) else part


def _types(route: Route) -> Iterable[Any]:
    yield from (parameter.type for parameter in route.parameters)
    if _is_json(route.answer):
        yield route.answer


def _is_json(answer: Any) -> bool:
    return answer is not NoneType and answer is not Lines


def _operation(route: Route, schemas: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """One route as the document tells it."""
    told = {
        "operationId": route.name,
        "summary": words(f"api.route.{route.name}"),
        "parameters": [_told(p, schemas, words) for p in (*route.at("path"), *route.at("query"))] + [_language(words)],
        "responses": _responses(route, schemas, words),
        "security": _security(route),
    }
    if body := route.at("body"):
        told["requestBody"] = {"required": True, "content": {JSON: {"schema": schemas[repr(body[0].type)]}}}
    return told


def _told(parameter: Parameter, schemas: Mapping[str, Any], words: Words) -> dict[str, Any]:
    schema = dict(schemas[repr(parameter.type)])
    if not parameter.required and parameter.default is not None:
        schema["default"] = parameter.default
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.required,
        "schema": schema,
        "description": words(f"api.parameter.{parameter.name}"),
    }


def _language(words: Words) -> dict[str, Any]:
    schema = {"type": "string", "enum": list(LANGUAGES)}
    return {"name": "lang", "in": "query", "schema": schema, "description": words("api.parameter.lang")}


def _responses(route: Route, schemas: Mapping[str, Any], words: Words) -> dict[str, Any]:
    good: dict[str, Any] = {"description": words(f"api.status.{route.status}")}
    if route.answer is Lines:
        good["content"] = {LINES: {"schema": {"type": "string"}}}
    elif _is_json(route.answer):
        good["content"] = {JSON: {"schema": schemas[repr(route.answer)]}}
    if route.headers:
        good["headers"] = {name: _header(name, words) for name in route.headers}
    found: dict[str, Any] = {str(route.status): good}
    if "ETag" in route.headers:
        found["304"] = {"description": words("api.status.304")}
    for status in route.refusals:
        found[str(status)] = {
            "description": words(f"api.status.{status}"),
            "content": {JSON: {"schema": schemas[repr(Problem)]}},
        }
    found["429"]["headers"] = {"Retry-After": _header("Retry-After", words)}
    found["405"]["headers"] = {"Allow": _header("Allow", words)}
    return found


def _header(name: str, words: Words) -> dict[str, Any]:
    kind = "integer" if name == "Retry-After" else "string"
    told = words(f"api.header.{name.lower().replace('-', '_')}")
    return {"schema": {"type": kind}, "required": True, "description": told}


def _security(route: Route) -> list[dict[str, list[str]]]:
    """Who may ask: nobody in particular, a token with that scope, or a page of the house with its cookie."""
    if route.scope == "own":
        return [{}, {"cookie": []}]  # somebody new is welcome
    return [{"token": [route.scope]}, {"cookie": []}] if route.scope else [{}, {"token": []}]
