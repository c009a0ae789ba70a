"""The house's own figures: how soon it answers, what it holds, and how fast it acknowledges with a hundred tables.

Each is taken on a real `brelan serve` in a process of its own, over loopback; the clients share this machine's cores.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import ClientConnection, connect

from brelan.child import running
from brelan.lab.bench import Row, Skipped

Frame = dict[str, Any]

SERVE = "from brelan.cli import main; sys.exit(main())"

TABLES = 100
SECONDS = 12.0
"""How long the tables play."""


def figures() -> Iterator[Row]:
    yield Row("serve.first_page", "s", first_page)
    yield Row("serve.memory", "MB", memory)
    yield Row("serve.ack.median", "ms", lambda: acknowledged()[0])
    yield Row("serve.ack.p99", "ms", lambda: acknowledged()[1])


class Served:
    """A real `brelan serve` in a process of its own, on a free port of this machine; Skipped if it does not start.

    `choices` are more of its options, `process` more of what `Popen` may be told.
    """

    def __init__(self, data: Path, *choices: str, **process: Any) -> None:
        command = running(SERVE, "serve", "--port", "0", "--data", str(data), *choices)
        self.began = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", **process)  # noqa: S603
        assert self.process.stdout
        if not (found := re.search(r"http://[^\s/]+", self.process.stdout.readline())):
            self.end(signal.SIGKILL)
            raise Skipped("the house did not start")  # why, it has said itself
        self.address = found[0]

    def end(self, how: int = signal.SIGTERM) -> None:
        """Tell it to end, and wait until it has."""
        self.process.send_signal(how)
        self.process.wait(20)
        assert self.process.stdout
        self.process.stdout.close()

    def get(self, path: str) -> None:
        self._answer("GET", path)

    def make(self) -> tuple[str, str]:
        """A table of gin against a bot, by the lobby's form: the path of its page and the guest's cookie."""
        form = urlencode({"game": "gin", "against": "bots", "nickname": "Bench", "players": "2"})
        headers = {"origin": self.address, "content-type": "application/x-www-form-urlencoded"}
        answer = self._answer("POST", "/tables", form, headers)
        return answer.getheader("location", ""), (answer.getheader("set-cookie") or "").partition(";")[0]

    def _answer(self, *request: Any) -> HTTPResponse:
        """The answer to one request, read to its end."""
        connection = HTTPConnection(urlsplit(self.address).netloc)
        connection.request(*request)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer


def resident(pid: int) -> float:
    """Kibibytes of memory that a process holds, as Linux says; nothing if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    except OSError:
        return 0.0
    return next((float(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0.0)


@contextmanager
def house() -> Iterator[Served]:
    """A house in an empty folder, ended afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        served = Served(Path(folder))
        try:
            yield served
        finally:
            served.end()


# ---------------------------------------------------------------- the figures


def first_page() -> float:
    """Seconds from the command to the first page, the best of three."""

    def once() -> float:
        with house() as served:
            served.get("/")
            return time.perf_counter() - served.began

    return min(once() for _ in range(3))


def memory() -> float:
    """Megabytes that a house holds after its first page."""
    with house() as served:
        served.get("/")
        held = resident(served.process.pid)
    if not held:
        raise Skipped("this system does not say what a process holds")
    return held * 1024 / 1e6


@cache
def acknowledged() -> tuple[float, float]:
    """Milliseconds until a move is acknowledged while a hundred tables play: median and 99th percentile."""
    with house() as served:
        waits = sorted(asyncio.run(play(served)))
    if not waits:
        raise Skipped("no move was acknowledged in time")
    return 1000 * median(waits), 1000 * waits[int(len(waits) * 0.99)]


async def play(served: Served) -> list[float]:
    """What each acknowledged move of a hundred guests had to wait, in seconds; they think as long as the bots do."""
    tables = [served.make() for _ in range(TABLES)]
    end = time.monotonic() + SECONDS
    waits = await asyncio.gather(*(guest(served.address, *table, end) for table in tables))
    return [wait for some in waits for wait in some]


async def guest(address: str, path: str, cookie: str, end: float) -> list[float]:
    """One guest at one table, until the time is over."""
    url = address.replace("http", "ws", 1) + path + "/socket"
    waits: list[float] = []
    async with connect(url, additional_headers={"Cookie": cookie, "Origin": address}) as socket:
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
