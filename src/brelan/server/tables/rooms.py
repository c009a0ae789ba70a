"""The rooms that are in use; a table nobody watches lies in the store only, and is woken when its time comes."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import replace
from itertools import islice
from typing import Any

from brelan import bots, games
from brelan.play.messages import Message
from brelan.play.table import Table
from brelan.server.ledger import metrics
from brelan.server.matches.clerk import Clerk
from brelan.server.settings import Settings
from brelan.server.store import Conflict, Storage, Store, index
from brelan.server.store.notices import Notice
from brelan.server.tables.others import ALIVE, Others
from brelan.server.tables.room import Room
from brelan.server.tables.shows import Shows
from brelan.server.tables.summary import summary_of
from brelan.server.tables.thinking import Thinking, settled
from brelan.server.upkeep.beat import EVERY, Beat
from brelan.server.upkeep.chores import again

CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another
CODE_LENGTH = 6

DUE_EVERY = 2.0  # seconds between two looks for tables whose time comes
AT_ONCE = 100  # tables, at most, that one look opens

LAG = 0.7  # seconds by which one of two workers that hold a table lets the other go first


class Rooms:
    """The rooms that are in use; a table nobody watches lies in the store only."""

    def __init__(self, settings: Settings, store: Store, beat: Beat) -> None:
        self.settings, self.store, self.beat = settings, store, beat
        self.began = self.beat.now()
        self.clerk = Clerk(store)
        self.others, self.thinking, self.shows = Others(), Thinking(), Shows()
        self._rooms: dict[str, Room] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def begin(self) -> None:
        """From now on tables are woken in time, and other workers are heard."""
        loop = asyncio.get_running_loop()

        def heard(told: Notice | None) -> None:
            loop.call_soon_threadsafe(self._hear, told)

        self.store.listen(heard)
        chores = [again(EVERY, self._sign), again(DUE_EVERY, self._wake_due)]
        self.clerk.begin()
        if self.store.notices:
            self.others = Others(self.store.notices.worker)
            chores.append(again(ALIVE, self._live))
        self._tasks = [asyncio.create_task(chore) for chore in chores]

    def _sign(self) -> None:
        self.beat.sign(idle=not self._rooms)

    async def make(self, asked: list[Message], game: str, players: int, host: str, **choices: Any) -> str:
        """A new table with what its host asked for at once; its code."""
        if customs := choices.get("customs"):  # a later house may have a newer version
            choices["customs"] = replace(customs, keeper=bots.find(games.find(game), customs.keeper).id)
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            now = self.beat.now()
            table = await asyncio.to_thread(self._made, asked, code, game, players, host, now, **choices)
            try:
                await asyncio.wrap_future(self.store.append(code, table.events, summary_of(table)))
            except Conflict:
                continue  # the code is in use
            return code

    def _made(
        self, asked: list[Message], code: str, game: str, players: int, host: str, now: float, **choices: Any
    ) -> Table:
        """Away from the tables' loop: a table that asks what if plays all that came before again."""
        table = Table.made(secrets.token_bytes, code, game, players, host, now, **choices)
        for message in asked:
            table.receive(host, settled(table, message), now)
        return table

    def room(self, code: str) -> Room:
        """The room of a table, opened if need be."""
        room = self._rooms.get(code)
        if room is None:
            room = self._rooms[code] = Room(code, self)
            room.task = asyncio.create_task(room.run(), name=f"table {code}")
            metrics.TABLES.inc()
            self.tell(code, {})
        return room

    def held(self, code: str, number: int) -> Table | None:
        """The table as it lies here, if that event is the last it knows: nothing is missing, nothing unwritten."""
        room = self._rooms.get(code)
        return room.table if room and room.number == number else None

    def game(self, code: str) -> str | None:
        """The game of a table that lies here, None if nobody here has asked for it."""
        room = self._rooms.get(code)
        return room.table.game.id if room and room.table else None

    def attended(self) -> set[str]:
        """The tables at which somebody is who sits there or made it, over whichever worker."""
        return {code for code, room in self._rooms.items() if room.presence.told} | self.others.attended()

    def forget(self, room: Room) -> None:
        """A room that closes: the next who asks for its table opens another."""
        if self._rooms.get(room.code) is room:
            del self._rooms[room.code]
            metrics.TABLES.dec()
            self.tell(room.code, None)

    async def close(self) -> None:
        """End every room's task; nothing is lost, all is in the store."""
        tasks = self._tasks + [room.task for room in self._rooms.values() if room.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.thinking.close()
        await self.clerk.close()
        self.beat.sign()

    def dismiss(self, person: str) -> None:
        """End every line of a person, here and over the other workers."""
        self._dismiss(person)
        if self.store.notices:
            self.store.notices.tell(forgot=person)

    def _dismiss(self, person: str) -> None:
        for connection in (c for room in self._rooms.values() for c in room.presence.connections):
            if connection.viewer.person == person:
                connection.dismiss()

    def reread(self, code: str) -> None:
        """The past of a table has changed: who holds it here reads it again."""
        if room := self._rooms.get(code):
            room.fall_behind()

    def wake(self, code: str) -> None:
        """Let a room look around, if it is open."""
        if room := self._rooms.get(code):
            room.wake()

    # ------------------------------------------------------------ tables that nobody watches

    async def _wake_due(self) -> None:
        """Open the tables that go on by themselves soon, unless another worker has done so."""
        began = self.beat.now()
        try:
            codes = await asyncio.to_thread(self._due, began + DUE_EVERY)
        except Storage:
            self.beat.halts(began)
            raise
        waiting = (code for code in codes if code not in self._rooms and not self.others.holds(code))
        for code in list(islice(waiting, AT_ONCE)):
            self.room(code).wake()

    def _due(self, until: float) -> list[str]:
        with self.store.read() as connection:
            return list(index.due(connection, until))

    def unreadable(self, code: str) -> None:
        """A table that this version cannot read is not woken again; its events stay as they are. One that another
        worker holds is perhaps played there, by a version that can.
        """
        if not self.others.holds(code):
            self.store.submit(lambda connection: index.unreadable(connection, code))

    # ------------------------------------------------------------ other workers

    def lag(self, code: str, race: bool = False) -> float:
        """Seconds that this worker waits before a table does something by itself: another may be first, or hold what
        was said in the last moment of a race.
        """
        return LAG * (self.others.rank(code) + (race and self.others.holds(code)))

    def tell(self, code: str, here: dict[str, float] | None) -> None:
        """Tell the other workers who is at a table over this one; None once it is not held here."""
        if self.store.notices:
            self.store.notices.tell(here={code: here})

    def _hear(self, told: Notice | None) -> None:
        """What another worker tells; None if something may have been missed."""
        if told is None:
            self._look_again()
            self._tell_all(asks=True)
            return
        if told.asks:
            self._tell_all()
        if told.forgot:
            self._dismiss(told.forgot)
        if self.store.notices and not told.whole and told.worker not in self.others.known:
            self.store.notices.tell(asks=True)  # it was taken for dead, and what it had told was forgotten
        for code in self.others.hear(told, time.monotonic()):
            self.wake(code)
        for code, number in told.went.items():
            self._fall_behind(code, number)
        self.store.changed(told.went)

    def _tell_all(self, asks: bool = False) -> None:
        if self.store.notices:
            here = {code: room.presence.told for code, room in self._rooms.items()}
            self.store.notices.tell(here=here, whole=True, asks=asks)

    def _live(self) -> None:
        """Tell the others that this worker is there, and forget those that no longer are. One that died may have
        committed what it never told: at any table, for not all that it wrote was held by it.
        """
        if self.store.notices:
            self.store.notices.tell()
        if self.others.bury(time.monotonic()):
            self._look_again()

    def _look_again(self) -> None:
        """Any table may have gone on unheard."""
        for room in self._rooms.values():
            room.fall_behind()
        self.store.changed(None)

    def _fall_behind(self, code: str, number: int) -> None:
        """Let a room read its table again, if it is open and has not come so far."""
        if (room := self._rooms.get(code)) and room.number < number:
            room.fall_behind()
