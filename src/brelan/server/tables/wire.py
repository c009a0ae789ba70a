"""How a socket sends: each message packed by itself, once for all who are told the same; a deaf client is let go.

A packer that remembers the messages before packs better, but holds 32 KB and more for every line, and at that size of
window packs a view (7 KB to 1.6 KB) no better, in twice the time. So nothing is kept between two messages, and a frame
is the same for every line. ISA-L packs such a view in 11 µs (8 more with its news apart), zlib in 29, and no shorter.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Any

from isal import isal_zlib
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.protocol import OPEN

SEND_WAIT = 10.0  # seconds in which a client must make room for what waits in our memory

SLICE = 4096  # bytes that are read at a time: of 256 KB that come at once, 43,000 empty frames
SMALL = 200  # pings, pongs and parts of messages in a second
UNHEARD = 1000  # messages that may wait to be taken: nothing is read while one does, so they came all at once

LEVEL, WINDOW = 1, 15
PACKED = ServerPerMessageDeflateFactory(
    server_no_context_takeover=True, client_no_context_takeover=True, compress_settings={"level": LEVEL}
)

STEP = 4096
"""Bytes to which a packed message is filled up. Encryption hides what is said and not how long it is: by the length
of a view a neighbour in the same network told nearly always whether a hand of Mio has a card that fits. What stands
before the news has room for STEP - NEWS_STEP in the first step: the most is 3,058 bytes (Elements with five), 3,336
with the longest names and a clock.
"""

SHORT = 200  # bytes: a message of fewer is hardly shorter when packed, and is filled up to them

NEWS = b',"news":'
"""What parts a view from its news, which are packed by themselves: however much others say, the length of the cards is
not moved by it. In a text within either its quotes would be escaped.
"""

NEWS_STEP = 512  # bytes to which news are filled up, of a step; whatever stands before them to the rest

_last: tuple[object, bool, bytes] = None, False, b""  # what was told last, whether packed, as a frame


class Wire(WebSocketsSansIOProtocol):
    """uvicorn's own protocol, sending so. An application finds it in its scope's extensions, as "wire"."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn.available_extensions = [PACKED]
        self.packs = False
        self.free: Callable[[], None] | None = None  # called when there is room again
        self.patience: asyncio.TimerHandle | None = None
        self.small, self.second = 0, 0.0  # frames that say nothing by themselves, and since when they are counted

    def data_received(self, data: bytes) -> None:
        """Read a little at a time, and nothing more of who is let go for what came before."""
        for at in range(0, len(data), SLICE):
            if self.queue.qsize() > UNHEARD:
                self.transport.abort()
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + SLICE])

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.packs = any(_is_wide(extension) for extension in self.conn.extensions)
            self.scope["extensions"]["wire"] = self  # type: ignore[assignment]

    async def run_asgi(self) -> None:
        try:
            await super().run_asgi()
        finally:
            self.scope["extensions"].pop("wire", None)  # a reference cycle would keep every line that ever was

    @property
    def is_free(self) -> bool:
        """Whether the client has made room for what it was sent."""
        return self.writable.is_set()

    def tell(self, message: str | bytes) -> None:
        """Send a text now, if the line is open."""
        if self.conn.state is OPEN and not self.transport.is_closing():
            self.transport.write(framed(message, self.packs))

    def handle_text(self, event: Any) -> None:
        """Hand a text on as the bytes that came: one that is no UTF-8 is refused where frames are read, and is no fault
        of ours for the log.
        """
        self.handle_bytes(event)

    def handle_cont(self, event: Any) -> None:
        """A part is joined to those before it: of empty ones a message may have any number."""
        if self._is_borne():
            self.frames = [b"".join(self.frames)]
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._is_borne():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._is_borne():
            super().handle_pong(event)

    def _is_borne(self) -> bool:
        """Count a frame that says nothing by itself; whoever sends too many of them is let go."""
        if self.loop.time() >= self.second + 1:
            self.small, self.second = 0, self.loop.time()
        self.small += 1
        if self.small > SMALL:
            self.transport.abort()
        return self.small <= SMALL

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send" and message.get("text") is not None:
            await self.writable.wait()
            if self.disconnected:
                raise ClientDisconnected
            self.tell(message["text"])
            return
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # refused is answered too, and no fault for the log

    def pause_writing(self) -> None:
        super().pause_writing()
        self.patience = self.loop.call_later(SEND_WAIT, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_waiting()
        if self.free:
            self.free()

    def shutdown(self) -> None:
        """The house ends. Who has closed already, and leaves unread what they were told, is let go: to close once more
        is a fault, and nobody behind them would be told.
        """
        if self.handshake_complete and not self.close_sent and self.conn.state is not OPEN:
            self.transport.abort()
        else:
            super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.free = None
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self.patience:
            self.patience.cancel()
            self.patience = None


def framed(message: str | bytes, packs: bool) -> bytes:
    """A text as a frame; lines that are told the same are told one after the other, and share it."""
    global _last
    if message is not _last[0] or packs is not _last[1]:
        _last = message, packs, _framed(message.encode() if isinstance(message, str) else message, packs)
    return _last[2]


def _framed(text: bytes, packs: bool) -> bytes:
    """By RFC 6455, section 5.2: a final frame of text, by RFC 7692 with its first reserved bit set where packed."""
    first, body = 0x81, text
    if packs:
        first, body = (0xC1, _packed(text)) if len(text) >= SHORT else (first, text.ljust(SHORT))
    size = len(body)
    if size < 126:
        return struct.pack("!BB", first, size) + body
    return (struct.pack("!BBH", first, 126, size) if size < 65536 else struct.pack("!BBQ", first, 127, size)) + body


def _packed(text: bytes) -> bytes:
    """By RFC 7692. News refer to nothing before them, or their length would tell of it."""
    packer = isal_zlib.compressobj(LEVEL, wbits=-WINDOW)
    before, mark, news = text.partition(NEWS)
    if not mark:
        return _filled(packer.compress(text) + packer.flush(isal_zlib.Z_SYNC_FLUSH), STEP - 1) + b"\0"
    first = _filled(packer.compress(before) + packer.flush(isal_zlib.Z_FULL_FLUSH), STEP - NEWS_STEP)
    then = packer.compress(mark + news) + packer.flush(isal_zlib.Z_SYNC_FLUSH)
    return first + _filled(then, NEWS_STEP - 1) + b"\0"


def _filled(body: bytes, step: int) -> bytes:
    """With spaces behind it up to the next step, in a block that is not packed (RFC 1951, 3.2.4)."""
    spaces = -(len(body) + 5) % step
    return body + struct.pack("<BHH", 0, spaces, spaces ^ 0xFFFF) + b" " * spaces


def _is_wide(extension: object) -> bool:
    """Whether a client agreed to unpack whatever we pack."""
    return isinstance(extension, PerMessageDeflate) and extension.local_max_window_bits == WINDOW
