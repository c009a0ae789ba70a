"""The line between a client and a table: frames in, frames out."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from brelan.errors import Refusal
from brelan.play.messages import Echo, Hello, Malformed, Message, Ping, key_of, read
from brelan.play.shown import View, Viewer
from brelan.server.house import House
from brelan.server.ledger import metrics
from brelan.server.lines import POLICY, bounded, first_done
from brelan.server.people.tokens import BadToken, Caller, NoScope
from brelan.server.store import Storage, crash_point
from brelan.server.tables.connection import Connection
from brelan.server.tables.room import Room
from brelan.server.tables.wire import Wire
from brelan.server.web.addresses import is_code
from brelan.server.web.limits import Limits, TooMany, address_of, is_due, kind_of
from brelan.server.web.origin import is_own, language_of
from brelan.words import Words

BACKLOG = 32  # answers that a client may leave unread
MALFORMED = 20  # frames that cannot be read, until the line is closed
HELLO_WAIT = 10.0  # seconds in which a new line must say hello
TOKEN_LOOK = 5.0  # seconds between two looks whether a program's token still opens

_encoder = msgspec.json.Encoder()
_last: tuple[object, bytes] = None, b""


class Line(Connection):
    """A connection over a socket: whatever there is goes out at once, or when its client has made room."""

    def __init__(self, viewer: Viewer, wire: Wire) -> None:
        super().__init__(viewer)
        self.wire = wire
        wire.free = self.stir

    def stir(self) -> None:
        if self.wire.is_free:
            for frame in self.outgoing():
                self.wire.tell(_encoded(frame))
                if not isinstance(frame, View) and frame["type"] == "ack":
                    crash_point("after_ack")
        if self.dismissed:
            self.wire.transport.close()


def _encoded(frame: object) -> bytes:
    """A frame as text; lines that share a view are served one after the other, and share its text too."""
    global _last
    if frame is not _last[0]:
        _last = frame, _encoder.encode(frame)
    return _last[1]


@bounded
async def table_socket(socket: WebSocket) -> None:
    """Let a guest watch a table, and play there if it holds a seat; or a program that shows a token of theirs."""
    house: House = socket.app.state.house
    code, address = socket.path_params["code"], address_of(socket)
    asking = await _let_in(house, socket, code)
    game = house.rooms.game(code) or await asyncio.to_thread(_game, house, code)
    if asking is not None:
        await house.tried(socket, code, asking.person, game is not None)
    if asking is None or game is None:
        await socket.close(POLICY)  # before it was accepted: the handshake is answered with 403
        return
    await socket.accept()
    words = Words(language_of(socket), game)
    line = Line(house.viewer(asking, code, words), socket.scope["extensions"]["wire"])
    room = house.rooms.room(code)
    room.enter(line)
    reading = _read(socket, Gate(house.limits, asking, address, room), line)
    try:
        with metrics.line("table"):
            await (first_done(reading, _revoked(socket, house)) if asking.token else reading)
    finally:
        room.leave(line)


def _game(house: House, code: str) -> str | None:
    made = house.store.first(code) if is_code(code) else None
    return str(made.data["game"]) if made else None


async def _let_in(house: House, socket: WebSocket, code: str) -> Caller | None:
    """Who may open a line: a guest at a page of this house, or a program whose token may read."""
    try:
        asking = await house.caller(socket, code)
    except BadToken:
        return None
    may = asking is not None and asking.may("read") and (asking.token is not None or is_own(socket))
    return replace(asking, is_screen="screen" in socket.query_params) if asking and may else None


@dataclass(frozen=True, slots=True)
class Gate:
    """What one line may say, and how often."""

    limits: Limits
    caller: Caller
    address: str
    room: Room

    def count(self, kind: str) -> None:
        self.limits.take(kind, self.caller.person, self.address)

    def check(self, message: Message) -> None:
        """Refuse what this line may not say, or not now."""
        if not isinstance(message, Hello | Ping | Echo) and not self.caller.may("play"):
            raise NoScope("token.scope", scope="play")
        if not is_due(self.room.table, self.caller.person, message, self.room.unreadable):
            self.count(kind_of(message))


async def _read(socket: WebSocket, gate: Gate, line: Line) -> None:
    """One frame after the other; the next is read once this one is answered."""
    malformed, hello_by = 0, asyncio.get_running_loop().time() + HELLO_WAIT
    try:
        while malformed <= MALFORMED and len(line.answers) <= BACKLOG:
            frame = await (_frame(socket) if line.greeted else _frame_by(hello_by, socket))
            if frame is None:
                return
            malformed += await _answered(frame, gate, line)
    except (TimeoutError, TooMany):
        pass
    with suppress(WebSocketDisconnect, WebSocketDisconnected):
        await socket.close(POLICY)


async def _answered(frame: str | bytes, gate: Gate, line: Line) -> bool:
    """Answer a frame, and say whether it was malformed; TooMany of those that no client of ours would send so often."""
    message: Message | None = None
    try:
        message = read(frame)
        if not line.greeted and not isinstance(message, Hello | Ping | Echo):
            raise Malformed("table.no_hello")
        gate.check(message)
    except Refusal as refusal:
        if isinstance(refusal, Malformed):
            gate.count("malformed")
        elif isinstance(refusal, TooMany) and isinstance(message, Hello | Ping | Echo):
            raise
        line.refuse(key_of(frame), refusal, line.since)
        return isinstance(refusal, Malformed)
    if isinstance(message, Ping):
        line.answer(type="pong")
    elif isinstance(message, Echo):
        line.echo(message.at)
    else:
        if isinstance(message, Hello) and message.since is not None and not line.greeted:
            metrics.RECONNECTS.inc()
        await gate.room.ask(line, message)
    return False


async def _revoked(socket: WebSocket, house: House) -> None:
    """Wait until the program's token opens no longer, and close its line."""
    with suppress(BadToken):
        while True:
            await asyncio.sleep(TOKEN_LOOK)
            with suppress(Storage):  # nobody can say now
                await house.caller(socket)
    await socket.close(POLICY)


async def _frame_by(at: float, socket: WebSocket) -> str | bytes | None:
    async with asyncio.timeout_at(at):
        return await _frame(socket)


async def _frame(socket: WebSocket) -> str | bytes | None:
    """The next frame, None when the client has gone."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        return None
    text: str | None = message.get("text")
    return message.get("bytes") or b"" if text is None else text
