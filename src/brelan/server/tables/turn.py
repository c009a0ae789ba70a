"""A bot's turn at one table: what it thinks of, and when it says so."""

from __future__ import annotations

import asyncio
import secrets
from functools import partial
from typing import TYPE_CHECKING

from brelan.play.messages import Move
from brelan.play.seats import bot_name
from brelan.play.table import Table
from brelan.server.tables.thinking import Thought, pause

if TYPE_CHECKING:
    from brelan.server.tables.rooms import Rooms


class Turn:
    """The next move of a bot at one table, as long as one is asked."""

    def __init__(self, code: str, rooms: Rooms) -> None:
        self.code, self.rooms = code, rooms
        self.at: float | None = None  # when it answers, by the loop's clock
        self.thought: Thought | None = None  # what it thinks of until then

    def begin(self, table: Table) -> None:
        """Let a bot answer after a pause that says nothing about its cards, but leaves time to read what has come of
        the move before it.
        """
        asked = table.bots_asked()
        if not asked:
            self.end()
            return
        if not self.thought or not self.thought.fits(table):
            self.thought = self.rooms.thinking.begin(table, asked[0], partial(self.rooms.wake, self.code))
            if not table.window:  # it is another's turn; in a race a bot speaks when it would have
                self.at = None
        if self.at is None:
            wait = pause(table, asked[0], self.rooms.settings) + self.rooms.lag(self.code)
            self.at = asyncio.get_running_loop().time() + wait

    def end(self) -> None:
        """No bot is asked, or nobody knows which."""
        self.at = self.thought = None

    def let_go(self, table: Table) -> None:
        """Let the bot move that waited to be told; over other workers it still waits, until they hear of its move."""
        soon = asyncio.get_running_loop().time() + pause(table, table.bots_asked()[0], self.rooms.settings, told=True)
        self.at = min(self.at or soon, soon)

    def wait(self) -> float | None:
        """Seconds until something is to be done; None where no bot is asked, or it will say when it has thought."""
        if self.at is None or (self.thought and not self.thought.answer.done()):
            return None
        return self.at - asyncio.get_running_loop().time()

    def answer(self, table: Table) -> tuple[str, Move] | None:
        """Who moves and how, once its time has come and it has thought: it was given what its seat may know, and
        answers as any seat does.
        """
        if self.at is None or asyncio.get_running_loop().time() < self.at:
            return None
        if not self.thought or not self.thought.fits(table):
            self.begin(table)
            return None
        if not self.thought.answer.done():
            return None
        thought = self.thought
        self.end()
        return bot_name(thought.seat), Move(secrets.token_hex(8), table.number, thought.answer.result().move)
