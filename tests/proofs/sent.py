"""All that a viewer is sent about a table: the frames of its line, refusals, and what the house's addresses answer."""

from __future__ import annotations

import asyncio
import copy
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import msgspec
from sqlalchemy import Connection as SqlConnection
from starlette.applications import Starlette
from starlette.routing import Route

from brelan.cards import SPECTATOR
from brelan.errors import Refusal
from brelan.play.messages import Move
from brelan.play.shown import Viewer
from brelan.play.table import Table
from brelan.server.app import Settings, create_app
from brelan.server.people.identity import GUEST, Guest
from brelan.server.store import relations
from brelan.server.tables.connection import Connection
from brelan.server.tables.summary import summary_of
from brelan.words import LANGUAGES, Words
from tests.proofs.worlds import viewer_person

HERE = "http://house"

_encoder = msgspec.json.Encoder()

ASKED = ("seat=open&from=0", "seat=1&from=0")
"""What is asked of each address besides its path."""

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
    """The same line once more: what is sent on one is not sent on the other, and each shows the table as it is now."""
    other = copy.copy(connection)
    other.answers, other.told = [], None
    return other


def frames(connection: Connection) -> list[bytes]:
    """What goes out now, encoded as the socket does."""
    return [_encoder.encode(frame) for frame in connection.outgoing()]


def shown(table: Table, connection: Connection, online: set[str]) -> list[bytes]:
    """The frames that follow on a line with the table as it is now, and what a bot in the viewer's seat is given."""
    connection.show(table, online, now=table.events[-1].at)
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
    """The whole web application in a folder of its own: every address that names a table or a match."""

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
        clock = patch.object(self.house.rooms.beat, "now", lambda: table.events[-1].at)
        with self._holding(table), clock:
            transport = httpx.ASGITransport(self.app)
            guest = Guest(viewer_person(viewer), "")
            cookie = {GUEST: self.house.identity._guests.dumps([guest.id, guest.name])}
            own = {"origin": HERE}
            async with httpx.AsyncClient(transport=transport, base_url=HERE, cookies=cookie, headers=own) as http:
                return [whole(await http.get(path)) for path in self.paths(table)]

    @contextmanager
    def _holding(self, table: Table) -> Iterator[None]:
        """This table in the database, alone; no room that knows another one, and nobody who has asked too often."""
        self.house.limits.__init__()
        self.house.store.submit(_wipe).result()
        self.house.store.append(table.code, table.events, summary_of(table)).result()
        try:
            yield
        finally:
            for room in list(self.house.rooms._rooms.values()):
                room.task.cancel()
            self.house.rooms._rooms.clear()

    def paths(self, table: Table) -> list[str]:
        """Every address of the application with its parts filled in, for each seat where it asks for one."""
        match = table.sealed.match if table.sealed else "none"
        known = {"code": table.code, "match": match, "game": table.game.id}
        found = []
        for route in self.app.routes:
            if not isinstance(route, Route) or "GET" not in (route.methods or ("GET",)):
                continue
            if set(route.param_convertors) <= set(known) and set(route.param_convertors) & {"code", "match"}:
                path = route.path.format(**known)
                found += [path, *(f"{path}?{asked}" for asked in ASKED)]
        return found


def _wipe(connection: SqlConnection) -> None:
    for relation in (relations.events, relations.tables, relations.sittings, relations.matches):
        connection.execute(relation.delete())


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
