"""The rooms that are in use; a table nobody watches lies in the store only."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any

from brelan.play.messages import Message
from brelan.play.table import Table
from brelan.server.room import Room
from brelan.server.settings import Settings
from brelan.server.store import Conflict, Store

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another
CODE_LENGTH = 6


class Rooms:
    """The rooms that are in use; a table nobody watches lies in the store only."""

    def __init__(self, settings: Settings, store: Store, draw: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self.settings, self.store, self.draw = settings, store, draw
        self._rooms: dict[str, Room] = {}

    async def make(self, asked: list[Message], game: str, players: int, host: str, **choices: Any) -> str:
        """A new table with what its host asked for at once; its code."""
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            now = time.time()
            table = Table.made(self.draw, code, game, players, host, now, **choices)
            for message in asked:
                table.receive(host, message, now)
            try:
                await asyncio.wrap_future(self.store.append(code, table.events))
            except Conflict:
                continue  # the code is in use
            return code

    def room(self, code: str) -> Room:
        """The room of a table, opened if need be."""
        room = self._rooms.get(code)
        if room is None:
            room = self._rooms[code] = Room(code, self)
            room.task = asyncio.create_task(room.run(), name=f"table {code}")
        return room

    def forget(self, room: Room) -> None:
        """A room that closes: the next who asks for its table opens another."""
        if self._rooms.get(room.code) is room:
            del self._rooms[room.code]

    async def close(self) -> None:
        """End every room's task; nothing is lost, all is in the store."""
        tasks = [room.task for room in self._rooms.values() if room.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
