"""All that a viewer is sent about a table: the frames of its line, refusals, and what the house's addresses answer."""

from __future__ import annotations

import asyncio
import copy
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from starlette.applications import Starlette
from starlette.routing import Route

from brelan.cards import SPECTATOR
from brelan.errors import Refusal
from brelan.play.messages import Move
from brelan.play.shown import Viewer
from brelan.play.table import Table
from brelan.server.app import Settings, create_app
from brelan.server.connection import Connection
from brelan.server.identity import GUEST, Guest
from brelan.words import LANGUAGES, Words
from tests.proofs.worlds import viewer_person

_encoder = msgspec.json.Encoder()

SINCE = 12
"""So many events back a viewer was here last."""


def line(table: Table, viewer: int, language: str, since: int | None = None) -> Connection:
    """A greeted line of that viewer, as the house holds one; nothing was sent on it yet."""
    connection = Connection(Viewer(viewer_person(viewer), Words(language, table.game.id)))
    connection.greeted = True
    connection.since = max(0, table.number - SINCE) if since is None else since
    connection.probe = {"type": "probe", "at": 0.0}  # one is on its way, so that none is sent: it tells the time
    return connection


def again(connection: Connection) -> Connection:
    """The same line once more: what is sent on one is not sent on the other."""
    other = copy.copy(connection)
    other.answers, other.something = [], asyncio.Event()
    return other


def frames(connection: Connection) -> list[bytes]:
    """What goes out now, encoded as the socket does."""
    if not connection.something.is_set():
        return []
    try:
        connection.outgoing().send(None)
    except StopIteration as done:
        return [_encoder.encode(frame) for frame in done.value]
    raise AssertionError("a line that has something to say waited")


def shown(table: Table, connection: Connection, online: set[str]) -> list[bytes]:
    """The frames that follow on a line with the table as it is now, and what a bot in the viewer's seat is given."""
    connection.show(table, online)
    assert table.match
    return [*frames(connection), repr(table.seen_by(table.seat_of(connection.viewer.person)).key()).encode()]


def refusals(table: Table, viewer: int, language: str, moves: list[str], now: float) -> list[bytes]:
    """What is answered to each of these moves; for one that may be played, only that it may."""
    assert table.match
    connection, told = line(table, viewer, language), []
    for text in moves:
        try:
            table.match.read(viewer, text)
        except Refusal:
            pass
        else:
            told.append(b"may be played")
            continue
        try:
            table.receive(viewer_person(viewer), Move("k", table.number, text), now)
        except Refusal as refusal:
            connection.refuse("k", refusal, table.number, table)
            told += frames(connection)
    return told


# ---------------------------------------------------------------- addresses


class Addresses:
    """The whole web application over tables that need not be stored: every address that names a table or a match."""

    def __init__(self, folder: Path) -> None:
        self.app: Starlette = create_app(Settings(data=folder))
        self.house: Any = self.app.state.house
        self.loop = asyncio.new_event_loop()

    def close(self) -> None:
        self.loop.run_until_complete(self.house.close())
        self.loop.close()

    def answers(self, table: Table, viewer: int) -> list[bytes]:
        """What each address answers the viewer about the table, all of it: status, headers, body."""
        return self.loop.run_until_complete(self._answers(table, viewer))

    async def _answers(self, table: Table, viewer: int) -> list[bytes]:
        with self._holding(table):
            transport = httpx.ASGITransport(self.app)
            guest = Guest(viewer_person(viewer), "")
            cookie = self.house.identity._guests.dumps([guest.id, guest.name])
            async with httpx.AsyncClient(transport=transport, base_url="http://house", cookies={GUEST: cookie}) as http:
                return [whole(await http.get(path)) for path in self.paths(table)]

    @contextmanager
    def _holding(self, table: Table) -> Iterator[None]:
        """The store as if it held this table."""
        store, own = self.house.store, {"events": lambda _: table.events, "first": lambda _: table.events[0]}
        own["last"] = lambda _, kind: next((e for e in reversed(table.events) if e.kind == kind), None)
        for name, method in own.items():
            setattr(store, name, method)
        try:
            yield
        finally:
            for name in own:
                delattr(store, name)

    def paths(self, table: Table) -> list[str]:
        """Every address of the application with its parts filled in, for each seat where it asks for one."""
        match = table.sealed.match if table.sealed else "none"
        known = {"code": table.code, "match": match, "game": table.game.id}
        found = []
        for route in self.app.routes:
            if not isinstance(route, Route) or "GET" not in (route.methods or ()):
                continue
            if set(route.param_convertors) <= set(known) and set(route.param_convertors) & {"code", "match"}:
                path = route.path.format(**known)
                found += [path, *(f"{path}?seat={seat}&from=0" for seat in ("open", "spectator", 0, 1))]
        return found


def whole(answer: httpx.Response) -> bytes:
    """An answer, to its last byte."""
    return f"{answer.status_code} {sorted(answer.headers.items())} ".encode() + answer.content


@contextmanager
def addresses() -> Iterator[Addresses]:
    """The application in a folder of its own, ended afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        open_addresses = Addresses(Path(folder))
        try:
            yield open_addresses
        finally:
            open_addresses.close()


def language_for(number: int) -> str:
    return LANGUAGES[number % len(LANGUAGES)]


def viewers(table: Table) -> list[int]:
    """Every seat in which a person sits, and a spectator."""
    return [seat for seat, it in enumerate(table.seats) if it.kind == "person"] + [SPECTATOR]
