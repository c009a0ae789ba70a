"""The house's own figures: how soon it answers, what it holds, and how fast it acknowledges with a hundred tables.

Each is taken on a real `brelan serve` in a process of its own, over loopback; the clients share this machine's cores.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import ClientConnection, connect

Frame = dict[str, Any]

TABLES = 100
SECONDS = 12.0
"""How long the tables play."""


def figures() -> Iterator[tuple[str, str, Callable[[], float]]]:
    """Name, unit and measure of each."""
    yield "serve.first_page", "s", first_page
    yield "serve.memory", "MB", memory
    yield "serve.ack.median", "ms", lambda: acknowledged()[0]
    yield "serve.ack.p99", "ms", lambda: acknowledged()[1]


class Open:
    """A house that answers, and how long it took until it did."""

    def __init__(self, process: subprocess.Popen[str], began: float) -> None:
        assert process.stdout
        line = process.stdout.readline()
        self.process = process
        self.address = next(word for word in line.split() if word.startswith("http"))
        self.get("/")
        self.seconds = time.perf_counter() - began

    def get(self, path: str) -> None:
        where = urlsplit(self.address)
        connection = HTTPConnection(where.hostname or "", where.port)
        connection.request("GET", path)
        connection.getresponse().read()
        connection.close()

    def make(self) -> tuple[str, str]:
        """A table of gin against a bot, by the lobby's form: the path of its page and the guest's cookie."""
        where = urlsplit(self.address)
        connection = HTTPConnection(where.hostname or "", where.port)
        form = urlencode({"game": "gin", "against": "bots", "nickname": "Bench", "players": "2"})
        origin = f"http://{where.netloc}"
        connection.request(
            "POST", "/tables", form, {"origin": origin, "content-type": "application/x-www-form-urlencoded"}
        )
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.getheader("location", ""), (answer.getheader("set-cookie") or "").partition(";")[0]


@contextmanager
def house() -> Iterator[Open]:
    """A house on a free port and an empty folder, ended afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        command = [sys.executable, "-m", "brelan", "serve", "--port", "0", "--data", folder]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
        try:
            yield Open(process, began)
        finally:
            process.terminate()
            process.wait(10)
            assert process.stdout
            process.stdout.close()


def first_page() -> float:
    """Seconds from the command to the first page, the best of three."""

    def once() -> float:
        with house() as open_house:
            return open_house.seconds

    return min(once() for _ in range(3))


def memory() -> float:
    """Megabytes that a house holds after its first page."""
    with house() as open_house:
        status = Path(f"/proc/{open_house.process.pid}/status")
        lines = status.read_text("utf-8").splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("VmRSS")), 0.0)


@cache
def acknowledged() -> tuple[float, float]:
    """Milliseconds until a move is acknowledged while a hundred tables play: median and 99th percentile."""
    with house() as open_house:
        waits = sorted(asyncio.run(play(open_house)))
    return 1000 * median(waits), 1000 * waits[int(len(waits) * 0.99)]


async def play(open_house: Open) -> list[float]:
    """What each acknowledged move of a hundred guests had to wait, in seconds; they think as long as the bots do."""
    tables = [open_house.make() for _ in range(TABLES)]
    end = time.monotonic() + SECONDS
    waits = await asyncio.gather(*(guest(open_house.address, *table, end) for table in tables))
    return [wait for some in waits for wait in some]


async def guest(address: str, path: str, cookie: str, end: float) -> list[float]:
    """One guest at one table, until the time is over."""
    origin = address.rstrip("/")
    url = origin.replace("http", "ws", 1) + path + "/socket"
    waits: list[float] = []
    async with connect(url, additional_headers={"Cookie": cookie, "Origin": origin}) as socket:
        await socket.send(json.dumps({"type": "hello", "since": None}))
        sent: dict[str, float] = {}
        while time.monotonic() < end:
            frame = await said(socket, end)
            if frame.get("type") == "ack" and frame["key"] in sent:
                waits.append(time.perf_counter() - sent[frame["key"]])
            elif frame.get("type") == "view":
                await answer(socket, frame, sent)
    return waits


async def said(socket: ClientConnection, end: float) -> Frame:
    """The next frame, or an empty one when the time is over."""
    try:
        async with asyncio.timeout(max(0.0, end - time.monotonic())):
            frame: Frame = json.loads(await socket.recv())
            return frame
    except TimeoutError:
        return {}


async def answer(socket: ClientConnection, view: Frame, sent: dict[str, float]) -> None:
    """Do what the view asks for: a nonce, going on, or the last open move after a moment's thought."""
    table, scene = view["table"], view["scene"]
    key = secrets.token_hex(8)
    if table["wants_nonce"]:
        await socket.send(json.dumps({"type": "nonce", "nonce": secrets.token_hex(16)}))
    elif table["seat"] in table["waits_for"]:
        await socket.send(json.dumps({"type": "next", "key": key}))
    elif scene and scene["seat"] in scene["turn"]:
        await asyncio.sleep(0.5 + secrets.randbelow(500) / 1000)
        moves = [choice["move"] for choice in scene["choices"] if not choice["why"]]
        sent[key] = time.perf_counter()
        await socket.send(json.dumps({"type": "move", "key": key, "seen": view["number"], "move": moves[-1]}))
