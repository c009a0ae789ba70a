"""A bad line: a proxy that knows WebSocket's frames, says some twice, keeps some back, and cuts lines."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from random import Random

MASKED, LENGTH = 0x80, 0x7F
"""In a frame's second byte (RFC 6455, 5.2): whether a mask follows; the length, or how it is written."""


@dataclass
class Faults:
    """How often a frame meets what, and how long it is kept back at most, in seconds."""

    twice: float = 0.05
    late: float = 0.1
    delay: float = 0.03
    cut: float = 0.008


class Proxy:
    """Between guests and a house. What is late comes behind what other guests say meanwhile."""

    def __init__(self, address: str, random: Random, faults: Faults) -> None:
        host, _, port = address.removeprefix("http://").rpartition(":")
        self.house, self.random, self.faults = (host, int(port)), random, faults
        self.doubled = self.delayed = self.cuts = 0

    async def __aenter__(self) -> Proxy:
        self.server = await asyncio.start_server(self._line, "127.0.0.1", 0)
        self.address = "http://127.0.0.1:{1}".format(*self.server.sockets[0].getsockname())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()

    async def _line(self, guest: asyncio.StreamReader, to_guest: asyncio.StreamWriter) -> None:
        house, to_house = await asyncio.open_connection(*self.house)
        ways = [self._pass(guest, to_house, doubles=True), self._pass(house, to_guest, doubles=False)]
        tasks = [asyncio.create_task(way) for way in ways]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in (to_guest, to_house):
            with suppress(OSError):
                writer.close()

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, doubles: bool) -> None:
        """One way of a line: the handshake as it is, then frame by frame, until it ends or is cut."""
        with suppress(OSError, asyncio.IncompleteReadError):
            target.write(await source.readuntil(b"\r\n\r\n"))
            while True:
                frame = await read_frame(source)
                if self._meets(self.faults.late):
                    self.delayed += 1
                    await asyncio.sleep(self.random.uniform(0.0, self.faults.delay))
                if self._meets(self.faults.cut):
                    self.cuts += 1
                    target.write(frame[: self.random.randrange(len(frame))])
                    return
                target.write(frame)
                if doubles and self._meets(self.faults.twice):
                    self.doubled += 1
                    target.write(frame)
                await target.drain()

    def _meets(self, share: float) -> bool:
        return self.random.random() < share


async def read_frame(source: asyncio.StreamReader) -> bytes:
    """One whole frame, as it came."""
    head = await source.readexactly(2)
    size, more = head[1] & LENGTH, b""
    if size > 125:
        more = await source.readexactly(2 if size == 126 else 8)
        size = int.from_bytes(more, "big")
    return head + more + await source.readexactly(size + (4 if head[1] & MASKED else 0))
