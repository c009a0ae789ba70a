"""Many WebSocket lines in one process, as light as they can be: the load must not come from the client.

What a browser does is done (masked frames, packed messages, answers to pings), and nothing else.
"""

from __future__ import annotations

import asyncio
import base64
import os
import zlib
from collections.abc import Callable
from typing import cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
SHORT, LONG = 126, 127
TAIL = b"\x00\x00\xff\xff"


class Line(asyncio.Protocol):
    """One line to a house: `heard` is given every message."""

    def __init__(self, request: bytes, heard: Callable[[Line, bytes], None]) -> None:
        self.request, self.heard = request, heard
        self.transport: asyncio.Transport
        self.open = asyncio.get_running_loop().create_future()
        self.waiting = bytearray()
        self.unpack = zlib.decompressobj(wbits=-15)
        self.parts: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self.request)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(error or ConnectionError("the house closed before it answered"))

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        if not self.open.done():
            head, found, rest = self.waiting.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.open.set_exception(ConnectionError(head.split(b"\r\n")[0].decode()))
                self.transport.close()
                return
            self.waiting = bytearray(rest)
            self.open.set_result(None)
        while self._frame():
            pass

    def _frame(self) -> bool:
        """Take the next whole frame, if it is here."""
        waiting = self.waiting
        if len(waiting) < 2:
            return False
        length, start = waiting[1], 2
        if length >= SHORT:
            start += 2 if length == SHORT else 8
            length = int.from_bytes(waiting[2:start], "big")
        if len(waiting) < start + length:
            return False
        body = bytes(waiting[start : start + length])
        first = waiting[0]
        del waiting[: start + length]
        self._take(first, body)
        return True

    def _take(self, first: int, body: bytes) -> None:
        code = first & 15
        if code == PING:
            self._write(PONG, body)
        elif code == CLOSE:
            self.transport.close()
        elif code in (0, TEXT):
            self.parts.append(self.unpack.decompress(body + TAIL) if first & 64 else body)
            if first & 128:
                self.heard(self, b"".join(self.parts))
                self.parts.clear()

    def say(self, text: bytes) -> None:
        self._write(TEXT, text)

    def _write(self, code: int, body: bytes) -> None:
        """A frame whose mask is zero: allowed, and it costs nothing."""
        size = len(body)
        length = bytes([128 | size]) if size < SHORT else bytes([128 | SHORT]) + size.to_bytes(2, "big")
        self.transport.write(bytes([128 | code]) + length + b"\0\0\0\0" + body)


def handshake(host: str, port: int, path: str, cookie: str) -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}:{port}",
        f"Origin: http://{host}:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
        f"Cookie: {cookie}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
