"""The line between a client and a table: frames in, frames out."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from brelan.play.messages import Echo, Hello, Malformed, Ping, key_of, read
from brelan.play.shown import View, Viewer
from brelan.server.connection import Connection
from brelan.server.house import House
from brelan.server.identity import is_own, language_of
from brelan.server.room import Room
from brelan.server.store import crash_point
from brelan.words import Words

SEND_WAIT = 10.0  # seconds in which a client must take a frame
BACKLOG = 32  # answers that a client may leave unread
PATIENCE = 20  # malformed frames until the line is closed

POLICY, TOO_SLOW = 1008, 1013
"""Codes of closing: the client does what none of ours would; it does not read."""

_encoder = msgspec.json.Encoder()
_last: tuple[object, str] = None, ""


async def table_socket(socket: WebSocket) -> None:
    """Let a guest watch a table, and play there if it holds a seat."""
    house: House = socket.app.state.house
    code = socket.path_params["code"]
    guest = house.identity.guest(socket, code)
    made = await asyncio.to_thread(house.store.first, code)
    if not is_own(socket) or guest is None or made is None:
        await socket.close(POLICY)  # before it was accepted: the handshake is answered with 403
        return
    await socket.accept()
    words = Words(language_of(socket), made.data["game"])
    link = f"/t/{code}/seat/{house.identity.seat_token(code, guest)}"
    connection = Connection(Viewer(guest.id, words, link))
    room = house.rooms.room(code)
    room.enter(connection)
    try:
        await first_done(_read(socket, room, connection), _write(socket, connection))
    finally:
        room.leave(connection)


async def first_done(*lines: object) -> None:
    """Both directions, until one of them ends."""
    tasks = [asyncio.ensure_future(line) for line in lines]  # type: ignore[call-overload]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read(socket: WebSocket, room: Room, connection: Connection) -> None:
    """One frame after the other; the next is read once this one is answered."""
    malformed = 0
    while (frame := await _frame(socket)) is not None:
        try:
            message = read(frame)
            if not connection.greeted and not isinstance(message, Hello | Ping | Echo):
                raise Malformed("table.malformed")
        except Malformed as refusal:
            malformed += 1
            connection.refuse(key_of(frame), refusal, connection.since)
        else:
            if isinstance(message, Ping):
                connection.answer(type="pong")
            elif isinstance(message, Echo):
                connection.echo(message.at)
            else:
                await room.ask(connection, message)
        if malformed > PATIENCE or len(connection.answers) > BACKLOG:
            await socket.close(POLICY)
            return


async def _frame(socket: WebSocket) -> str | bytes | None:
    """The next frame, None when the client has gone."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        return None
    text: str | None = message.get("text")
    return message.get("bytes") or b"" if text is None else text


async def _write(socket: WebSocket, connection: Connection) -> None:
    """Answers and views as they come; a client that does not take them is let go."""
    try:
        while True:
            for frame in await connection.outgoing():
                async with asyncio.timeout(SEND_WAIT):
                    await socket.send_text(_encoded(frame))
                if not isinstance(frame, View) and frame["type"] == "ack":
                    crash_point("after_ack")
    except (WebSocketDisconnect, TimeoutError):
        return


def _encoded(frame: object) -> str:
    """A frame as text; lines that share a view are served one after the other, and share its text too."""
    global _last
    if frame is not _last[0]:
        _last = frame, _encoder.encode(frame).decode()
    return _last[1]
