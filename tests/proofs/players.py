"""Quick guests: they play on as soon as the table asks them, and write down what they were told."""

from __future__ import annotations

import json
import secrets
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.clients import moves_of

Frame = dict[str, Any]

LOST = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)
"""What a guest meets whose house has gone."""


class Wrong(AssertionError):
    """The house told something that contradicts what it told before."""


class Player:
    """One guest at one table. It remembers what was acknowledged, and what it asked without an answer."""

    def __init__(self, code: str, person: str, cookie: str, random: Random) -> None:
        self.code, self.person, self.cookie, self.random = code, person, cookie, random
        self.acknowledged: dict[str, int] = {}  # each key with its number
        self.fresh: dict[str, int] = {}  # those that nobody has looked for in the database yet
        self.asked: Frame | None = None  # not answered yet
        self.number = 0  # of the last view
        self.first: Frame | None = None  # the first view after coming back, if nobody has looked at it yet
        self.view: Frame = {}
        self.refused: dict[str, int] = {}  # by error
        self.moves = self.lines = 0
        self.sentence = ""  # by which the storage refused something
        self.socket: ClientConnection | None = None
        self.quiet = False  # whether it only looks on
        self.talk = 0.0  # the share of its doings that are words

    async def play(self, address: str) -> None:
        """Come back, see that nothing acknowledged is missing, and play on until the line is cut."""
        url = f"{address.replace('http', 'ws', 1)}/t/{self.code}/socket"
        headers = {"Cookie": self.cookie, "Origin": address}
        async with connect(url, additional_headers=headers, compression=None, open_timeout=20) as socket:
            self.lines, self.socket = self.lines + 1, socket
            await socket.send(json.dumps({"type": "hello", "since": self.number}))
            async for text in socket:
                await self._hear(socket, json.loads(text))

    async def _hear(self, socket: ClientConnection, frame: Frame) -> None:
        match frame["type"]:
            case "view":
                await self._see(socket, frame)
            case "ack":
                self._acknowledge(frame)
                await self._act(socket)
            case "refused":
                await self._refuse(socket, frame)
            case "probe":
                await socket.send(json.dumps({"type": "echo", "at": frame["at"]}))

    async def _see(self, socket: ClientConnection, view: Frame) -> None:
        came_back = self.view.get("line") != self.lines
        if came_back:
            self._compare(view)
            self.first = view
        self.view, self.number = view | {"line": self.lines}, view["number"]
        if came_back and self.asked:  # perhaps it never arrived: the key says that it is the same
            await socket.send(json.dumps(self.asked))
        elif view["table"]["wants_nonce"]:
            await socket.send(json.dumps({"type": "nonce", "nonce": secrets.token_hex(16)}))
        else:
            await self._act(socket)

    def _compare(self, view: Frame) -> None:
        """At reconnect, before anything is sent again."""
        newest = max(self.acknowledged.values(), default=0)
        if view["number"] < newest:
            raise Wrong(f"{self.code}: {newest} was acknowledged, the table stands at {view['number']}")

    def _acknowledge(self, frame: Frame) -> None:
        key, number = frame["key"], frame["number"]
        if self.acknowledged.get(key, number) != number:
            raise Wrong(f"{self.code}: {key} was acknowledged as {self.acknowledged[key]} and as {number}")
        if key not in self.acknowledged:
            self.acknowledged[key] = self.fresh[key] = number
            self.moves += bool(self.asked and self.asked["type"] == "move")
        if self.asked and self.asked["key"] == key:
            self.asked = None

    async def _refuse(self, socket: ClientConnection, frame: Frame) -> None:
        self.refused[frame["error"]] = self.refused.get(frame["error"], 0) + 1
        if frame["error"] == "storage":
            self.sentence = frame["words"]
        if self.asked and self.asked["key"] == frame["key"]:
            self.asked = None
            if frame["error"] in ("full", "limits"):  # enough was said; the move is still due, and no view will tell
                await self._act(socket)

    async def _act(self, socket: ClientConnection) -> None:
        """Do what the newest view asks for, unless an answer is awaited."""
        if self.asked is None and not self.quiet and (wanted := self._wanted()):
            self.asked = wanted | {"key": secrets.token_hex(8)}
            await socket.send(json.dumps(self.asked))

    def _wanted(self) -> Frame | None:
        view = self.view
        if not view or view["number"] < max(self.acknowledged.values(), default=0):
            return None  # a newer one is on its way
        table, scene = view["table"], view["scene"]
        if table["status"] == "over":
            return {"type": "again"} if table["seat"] not in table["wishes"] else None
        if table["seat"] in table["waits_for"]:
            return {"type": "next"}
        if not scene or scene["seat"] not in scene["turn"]:
            return None
        if self.random.random() < self.talk:
            return {"type": "say", "preset": "hello"}
        moves = moves_of(view)
        ending = [move for move in moves if move.startswith(("knock", "gin"))]
        if not moves:
            return None
        return {"type": "move", "seen": view["number"], "move": self.random.choice(ending or moves)}
