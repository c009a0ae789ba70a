"""Frames as the house writes them itself: to the letter those of a library that knows the protocol."""

import asyncio
import random
import socket
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace

import msgspec
import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode

from brelan.games import GAMES
from brelan.server.tables import wire
from brelan.server.tables.wire import SHORT, STEP, Wire, framed
from tests.play.scripts import begun, play_on, viewed

HANDSHAKE = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + (
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
CLOSE = b"\x88\x80\0\0\0\0"
EMPTY = {"text": b"\x81", "part": b"\x00", "ping": b"\x89", "pong": b"\x8a"}


@pytest.mark.parametrize("size", [0, 125, 126, SHORT, 65535, 65536])
def test_a_frame_has_the_length_that_it_says(size):
    text = b"x" * size
    assert framed(text, False) == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_the_same_text_is_packed_for_those_who_unpack_and_for_nobody_else():
    """One after the other, as lines are served."""
    text = random.Random(1).randbytes(3000).hex().encode()
    plain, packed = framed(text, False), framed(text, True)
    assert plain == Frame(Opcode.TEXT, text).serialize(mask=False)
    assert len(packed) < len(plain)
    assert packed[0] == 0xC1
    assert not packed.endswith(b"\0\0\xff\xff"), "RFC 7692, section 7.2.1: that end goes without saying"
    assert framed(text[: SHORT - 1], True)[0] == 0x81
    unpacking = PerMessageDeflate(True, True, 15, 15)
    assert unpacking.decode(Frame(Opcode.TEXT, packed[4:], rsv1=True)).data.rstrip(b" ") == text
    assert framed(text, False) == plain


def test_the_length_of_a_message_tells_nothing_of_what_it_says():
    """A view is packed to 1.3 to 1.7 KB, by how many cards may be played."""
    unpacking, lengths = PerMessageDeflate(True, True, 15, 15), set()
    for size in (200, 777, 1300, 1301, 1700):
        text = random.Random(size).randbytes(size // 2).hex().encode()
        packed = framed(text, True)
        lengths.add(len(packed))
        assert unpacking.decode(Frame(Opcode.TEXT, packed[4:], rsv1=True)).data.rstrip(b" ") == text
    assert lengths == {STEP + 4}


def test_short_messages_are_of_one_length():
    """A hint names a move, and an acknowledgement a number."""
    assert {len(framed(text, True)) for text in (b"{}", b"x" * 88, b"x" * 101, b"x" * (SHORT - 1))} == {SHORT + 4}
    assert framed(b"{}", True)[4:].rstrip(b" ") == b"{}"


def test_no_length_of_what_others_say_moves_the_cards_over_a_step():
    """Packed they take up to 3,600 bytes, behind 600 to 900 of cards."""
    noise, unpacking = random.Random(1).randbytes(6000).hex().encode(), PerMessageDeflate(True, True, 15, 15)
    cards = [b'{"scene":"' + noise[:size] + b'"' for size in (1200, 1300, 1301, 1800)]
    for size in range(1, 7200, 100):
        news = b',"news":["' + noise[2000:][:size] + b'"]}'
        packed = [framed(scene + news, True) for scene in cards]
        assert len({len(frame) for frame in packed}) == 1
        assert packed[0].endswith(b"\0")
    text = unpacking.decode(Frame(Opcode.TEXT, packed[0][4:], rsv1=True)).data
    assert msgspec.json.decode(text) == msgspec.json.decode(cards[0] + news)
    same = b',"news":["' + noise[:1200] + b'"]}'
    parts = [b'{"scene":"' + part + b'"' for part in (noise[:1200], noise[:1200][::-1])]
    assert len({len(framed(part + same, True)) for part in parts}) == 1, "news refer to nothing before them"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_all_views_of_a_match_are_of_one_length(game):
    """However many cards fit or moves are open, at a table that is full."""
    views = [None]

    def seen(table):
        views.append(viewed(table, "anna", "fr", views[-1], views[-1].number if views[-1] else 0))
        return table.status == "over"

    play_on(begun(game.id, game.seats[-1]), until=seen)
    assert {len(framed(msgspec.json.encode(view), True)) for view in views[1:]} == {STEP + 4}


def test_who_makes_room_in_time_is_told_more_and_who_does_not_is_let_go(monkeypatch):
    done = []

    async def happen():
        line = Wire.__new__(Wire)
        line.loop, line.writable, line.patience = asyncio.get_running_loop(), asyncio.Event(), None
        line.transport, line.free = SimpleNamespace(abort=lambda: done.append("abort")), lambda: done.append("free")
        for makes_room in (True, False):
            line.pause_writing()
            assert not line.is_free
            if makes_room:
                line.resume_writing()
            await asyncio.sleep(0.2)

    monkeypatch.setattr(wire, "SEND_WAIT", 0.05)
    asyncio.run(happen())
    assert done == ["free", "abort"]


@asynccontextmanager
async def open_line(app):
    """A line to an application on which the handshake has been said: the client's end of it, and the house's."""
    loop = asyncio.get_running_loop()
    config = uvicorn.Config(app, ws=Wire, log_config=None)
    config.load()
    client, here = socket.socketpair()
    with client:
        client.setblocking(False)
        _, line = await loop.connect_accepted_socket(lambda: Wire(config, ServerState(), {}), here)
        await loop.sock_sendall(client, HANDSHAKE)
        yield client, line
        line.transport.abort()


@pytest.mark.parametrize("kind", EMPTY)
def test_who_sends_empty_frames_without_end_is_let_go(kind):
    async def app(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        await asyncio.Event().wait()

    async def happen():
        loop = asyncio.get_running_loop()
        async with open_line(app) as (client, line):
            await loop.sock_recv(client, 4096)
            with suppress(ConnectionError):
                await loop.sock_sendall(client, b"\x01\x80\0\0\0\0" * (kind == "part"))
                await loop.sock_sendall(client, (EMPTY[kind] + b"\x80\0\0\0\0") * 10_000)
            async with asyncio.timeout(20):
                while not line.transport.is_closing():
                    await asyncio.sleep(0.02)

    asyncio.run(happen())


def test_a_message_in_parts_comes_whole_and_is_kept_as_one():
    heard, kept = asyncio.Event(), []

    async def app(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        kept.append((await receive())["bytes"])
        heard.set()

    async def happen():
        loop = asyncio.get_running_loop()
        async with open_line(app) as (client, line):
            await loop.sock_recv(client, 4096)
            parts = [Frame(Opcode.TEXT, b"he", fin=False), *[Frame(Opcode.CONT, b"", fin=False)] * 50]
            await loop.sock_sendall(client, b"".join(part.serialize(mask=True) for part in parts))
            await asyncio.sleep(0.1)
            kept.append(len(line.frames))
            await loop.sock_sendall(client, Frame(Opcode.CONT, b"llo").serialize(mask=True))
            await asyncio.wait_for(heard.wait(), 20)

    asyncio.run(happen())
    assert kept == [2, b"hello"]


def test_a_house_that_ends_lets_go_who_has_closed_and_does_not_read():
    told, closed = asyncio.Event(), asyncio.Event()

    async def app(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        scope["extensions"]["wire"].tell("x" * 10_000_000)
        told.set()
        await receive()
        closed.set()

    async def happen():
        async with open_line(app) as (client, line):
            await asyncio.wait_for(told.wait(), 20)
            await asyncio.get_running_loop().sock_sendall(client, CLOSE)
            await asyncio.wait_for(closed.wait(), 20)
            assert line.connections == {line}
            line.shutdown()
            await asyncio.sleep(0.1)
            assert not line.connections

    asyncio.run(happen())
