"""A table in memory: one task and one short queue.

A message goes through one door: the table answers it, the store commits its events, the sender is acknowledged, every
viewer gets a view (`shows.py` says when). Until the commit nobody sees anything of it; if it fails, the table is read
again from the store, so that memory never runs ahead of the disk.
"""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from brelan.errors import Refusal, WrongSeat
from brelan.play.claims import Claim
from brelan.play.messages import Ask, Asking, Hello, Hint, Message, last_seen
from brelan.play.seats import Late
from brelan.play.table import Table
from brelan.play.told import Made
from brelan.server.ledger import logs, metrics
from brelan.server.store import Conflict, Storage
from brelan.server.tables.connection import Connection
from brelan.server.tables.presence import Presence
from brelan.server.tables.summary import summary_of
from brelan.server.tables.thinking import Answer, ask_of_person, settled
from brelan.server.tables.turn import Turn

if TYPE_CHECKING:
    from brelan.server.tables.rooms import Rooms

QUEUE = 64
"""Messages that may wait at one table; who speaks next waits with it."""

TRIES = 5
"""A message is answered again, on the table as it is then, so often as another worker was faster."""

RETRY = 1.0
"""Seconds before a table that could not be written tries by itself again."""

READERS = ThreadPoolExecutor(2, "table")
"""Read tables anew, two at a time: one that is long keeps no other waiting. More are hardly sooner done, and commits
wait for them.
"""

Job = tuple[Connection, Message, float, asyncio.Future[None]] | None
"""Who says what, when it arrived, and what ends once it is answered; None to look around without a message."""


class Room:
    """A table and those who watch it."""

    def __init__(self, code: str, rooms: Rooms) -> None:
        self.code, self.rooms = code, rooms
        self.presence = Presence(code, rooms)
        self.jobs: asyncio.Queue[Job] = asyncio.Queue(QUEUE)
        self.table: Table | None = None
        self.unanswered: set[tuple[Connection, str]] = set()  # claims: who waits, several where one came again
        self.claims: list[Claim] = []  # the table's, as they were after the last message
        self.turn = Turn(code, rooms)
        self.behind = False  # whether another worker went on
        self.writes = False  # whether the table knows what is not on disk yet
        self.unreadable = False  # whether it is marked so
        self.task: asyncio.Task[None] | None = None

    async def ask(self, connection: Connection, message: Message) -> None:
        """Bring a message to the table, and wait until it is answered; a room that has ended refuses it."""
        if self.task and self.task.done():
            _nothing_came(connection, message)
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self.jobs.put((connection, message, self.rooms.beat.now(), done))
        await done

    def enter(self, connection: Connection) -> None:
        self.presence.enter(connection)

    def leave(self, connection: Connection) -> None:
        self.presence.leave(connection)
        self.wake()

    def wake(self) -> None:
        """Look around: somebody has gone, something is due, another worker went on."""
        with suppress(asyncio.QueueFull):  # then others are served soon, and the room looks around after each
            self.jobs.put_nowait(None)

    def fall_behind(self) -> None:
        """Another worker went on with the table: it is to be read again."""
        self.behind = True
        self.wake()

    @property
    def number(self) -> int:
        """Of the last event known here."""
        return self.table.number if self.table else 0

    # ------------------------------------------------------------ the task

    async def run(self) -> None:
        """Serve the table until nobody has watched it for a while."""
        self.presence.left_at = asyncio.get_running_loop().time()
        try:
            while self._is_in_use():
                await self._step()
                self._answer_claims()
        except Exception as error:
            logs.fault(error, code=self.code)
        finally:
            self.rooms.forget(self)
            self.table = None
            await self._dismiss()

    async def _dismiss(self) -> None:
        """Only if something broke here: what waits is refused, and whoever is here comes back to another room."""
        while not self.jobs.empty():
            if job := self.jobs.get_nowait():
                connection, message, _, done = job
                _nothing_came(connection, message)
                if not done.done():
                    done.set_result(None)
            await asyncio.sleep(0)  # the queue was full: who waited to be let in comes in now, and is refused too
        self._answer_claims()
        for connection in self.presence.connections:
            connection.dismiss()

    def _is_in_use(self) -> bool:
        """Whether somebody watches the table, did a while ago, or wants something of it; or its host is waited for."""
        if self.presence.connections or not self.jobs.empty() or (self.table and self.presence.recalls(self.table)):
            return True
        return asyncio.get_running_loop().time() < self.presence.left_at + self.rooms.settings.idle

    async def _step(self) -> None:
        try:
            async with asyncio.timeout(self._wait()):
                job = await self.jobs.get()
        except TimeoutError:
            job = None
        if job is None:
            await self._by_itself()
            return
        connection, message, arrived, done = job
        try:
            await self._serve(connection, message, arrived)
        except Exception as error:
            logs.fault(error, code=self.code)
            self.table = None  # whatever broke it is not in the store
            _nothing_came(connection, message)
        finally:
            if self.table is None:
                self.wake()  # to read it again, and show what is on disk: its turn may have come meanwhile
            if not done.done():
                done.set_result(None)

    def _wait(self) -> float:
        """Seconds until something is to be done without a message; short enough to notice a clock that was set."""
        waits = [self.rooms.settings.idle, 10.0]
        if self.presence.show_at is not None:
            waits.append(self.presence.show_at - asyncio.get_running_loop().time())
        if self.table and (due_at := self._due_at(self.table)) is not None:
            waits.append(due_at - self.rooms.beat.now())
        if (wait := self.turn.wait()) is not None:
            waits.append(wait)
        return max(0.0, min(waits))

    def _due_at(self, table: Table) -> float | None:
        """When the table goes on by itself over this worker; what only this worker knows of waits for no other."""
        if table.deadline is None or table.claims:
            return table.deadline
        return table.deadline + self.rooms.lag(self.code, bool(table.window and table.window.race))

    async def _serve(self, connection: Connection, message: Message, arrived: float) -> None:
        """Answer a message; then everybody sees what it changed, and who has come or gone."""
        if self.table and last_seen(message) > self.number:
            self.behind = True  # another worker went on
        before = self.number
        try:
            table = await self._met()
        except Refusal:  # it cannot be written now; it can still be looked at
            table = await self._ready()
        if isinstance(message, Hello):
            connection.greet(message.since or 0)
            if table is None:
                connection.refuse("", Storage("table.unread"), 0)
        else:
            await self._answer(table, connection, message, arrived)
        self._show_changes(before)
        if self.table and isinstance(message, Hello):
            connection.show(self.table, self.presence.online(self.table), now=self.rooms.beat.now())

    async def _answer(self, table: Table | None, connection: Connection, message: Message, arrived: float) -> None:
        """Acknowledge a message once its events are on disk, or say why nothing was done."""
        key = _key(message)
        try:
            if table is None:
                raise Storage("table.unread")
            number = await self._play(table, connection.viewer.person, message, arrived)
        except Refusal as refusal:
            connection.refuse(key, refusal, self.number, self.table)
            return
        if isinstance(message, Hint):
            self._think_for(connection, key)
        elif isinstance(message, Ask):
            self._ask(connection, key)
        elif key and number is None:
            self.unanswered.add((connection, key))
        elif key:
            connection.answer(type="ack", key=key, number=number)
            metrics.ACKNOWLEDGED.observe(self.rooms.beat.now() - arrived)
        if self.table and self.table.lets_go(message):
            self.turn.let_go(self.table)

    def _think_for(self, connection: Connection, key: str) -> None:
        """Let the strongest level think for the seat of whoever asks; the answer is the move."""
        assert self.table
        seat = self.table.seat_of(connection.viewer.person)
        self.rooms.thinking.hint(self.table, seat, partial(_hint, connection, key))

    def _ask(self, connection: Connection, key: str) -> None:
        """Say what the seat of whoever asks is asked, as programs understand it."""
        assert self.table
        seat = self.table.seat_of(connection.viewer.person)
        connection.answer(key=key, **ask_of_person(self.table, seat, self.rooms.beat.now()).to_json())

    def _answer_claims(self) -> None:
        """Tell those whose claims are decided now; a table that was not written has forgotten them."""
        for connection, key in list(self.unanswered):
            try:
                if self.table is None:
                    raise Storage("table.storage")
                number = self.table.decided(connection.viewer.person, key)
            except Refusal as refusal:
                connection.refuse(key, refusal, self.number, self.table)
            else:
                if number is None:
                    continue
                connection.answer(type="ack", key=key, number=number)
            self.unanswered.remove((connection, key))
        self.claims = list(self.table.claims) if self.table else []

    async def _play(self, table: Table, person: str, message: Message, now: float) -> int | None:
        message = settled(table, message)
        for left in reversed(range(TRIES)):
            outcome = table.receive(person, message, now)
            try:
                await self._commit(outcome.events)
                return outcome.number
            except Conflict:
                if not left or not (read := await self._ready()):
                    raise
                table = read
        raise AssertionError

    async def _met(self) -> Table | None:
        """The table as it is, once it has heard who is here and whether the house was away."""
        if not (table := await self._ready()):
            return None
        aways, now = self.rooms.beat.aways(), self.rooms.beat.now()
        events = table.resumed(aways, now) + table.here(self.presence.online(table), now)
        self.presence.away = table.away
        try:
            await self._commit(events)
        except Conflict:  # another worker has told it
            return await self._ready()
        return table

    async def _commit(self, events: list[Any]) -> None:
        if not events:
            return
        assert self.table  # whose events they are
        self.writes, began = True, self.rooms.beat.now()
        try:
            await asyncio.wrap_future(self.rooms.store.append(self.code, events, summary_of(self.table)))
        except Refusal as refusal:
            self.table = None  # it knows more than the disk: read it again
            if isinstance(refusal, Storage):
                self.rooms.beat.halts(began)
            raise
        finally:
            self.writes = False
        self.rooms.beat.goes_on(events[-1].at)
        self.rooms.beat.waited(began)
        if any(event.kind == "over" for event in events):
            self.rooms.clerk.enter(self.table)

    async def _ready(self) -> Table | None:
        """The table as the store has it; None while the store cannot be read, and where this version cannot read the
        table: that is tried again once another worker went on with it, or its past has changed.
        """
        if self.unreadable and not self.behind:
            return None
        if self.table is None or self.behind:
            known, self.behind, self.table, self.unreadable = self.table, False, None, False
            try:
                self.table = await self._read(known)
            except Refusal as refusal:
                logs.trouble("unread", refusal, code=self.code)
                self.turn.end()  # nothing is due at a table that is not there
                self.presence.show_at = None
                if not isinstance(refusal, Storage):
                    self.unreadable = True
                    self.rooms.unreadable(self.code)
                return None
            self._show_all(self.table)
        return self.table

    async def _read(self, known: Table | None) -> Table:
        """What is known of the table and what another worker added; all of it anew where the past has changed, or the
        database came back without its last commits.
        """
        if known:
            last_and_new = await asyncio.to_thread(self.rooms.store.events, self.code, known.number - 1)
            new = last_and_new[1:]
            if last_and_new[:1] == known.events[-1:] and all(event.kind != "forgotten" for event in new):
                known.follow(new)
                return known
        return await asyncio.get_running_loop().run_in_executor(READERS, self._rebuilt)

    def _rebuilt(self) -> Table:
        """The table anew, in a thread: a long match would keep the whole house waiting."""
        table = Table.rebuilt(secrets.token_bytes, self.rooms.store.events(self.code), self.presence.trip)
        # What was seen and heard outlives a table that is read again.
        table.recall(self.presence.absent(table), self.rooms.beat.aways(), self.claims)
        return table

    # ------------------------------------------------------------ what happens without a message

    async def _by_itself(self) -> None:
        """Read the table if need be, do what is due, a pause's end or a bot's move, and show who is here."""
        try:
            before = self.number
            if not (table := await self._met()):
                return
            now = self.rooms.beat.now()
            if (due_at := self._due_at(table)) is not None and now >= due_at:
                await self._commit(table.tick(now))
            if said := self.turn.answer(table):
                await self._play(table, *said, self.rooms.beat.now())
            self._show_changes(before)
        except Exception as error:
            self.table = None
            self.turn.end()
            if isinstance(error, Conflict | Late | WrongSeat):  # another worker was faster: look at once what it did
                await self._by_itself()
                return
            logs.trouble("stuck", error, code=self.code)
            await asyncio.sleep(RETRY)
            if self.presence.connections:  # else the room may close: the table's time opens it again
                self.wake()

    def _show_changes(self, before: int) -> None:
        """Show what has happened at once, and who has come or gone after a moment."""
        if not self.table:
            return
        if self.table.number != before or self.presence.notice(self.table):
            self._show_all(self.table)

    def _show_all(self, table: Table) -> None:
        self.turn.begin(table)
        self.presence.tell(table)
        self.rooms.shows.soon(self)

    def show(self) -> None:
        """Give every viewer a view; what is not on disk yet is shown once it is. A view that breaks keeps nobody else
        from theirs, and is tried again when the room looks around next.
        """
        if self.writes:
            return
        if self.table is None:
            self.wake()
            return
        table = self.table
        made: Made = {}
        for connection in self.presence.connections:
            try:
                connection.show(table, self.presence.shown, made, self.rooms.beat.now())
            except Exception as error:
                logs.fault(error, code=self.code)
                self.table = None  # whatever broke it is not in the store


def _key(message: Message) -> str:
    """By what its sender knows the answer, "" for a message that has none."""
    return message.key if isinstance(message, Asking) else ""


def _nothing_came(connection: Connection, message: Message) -> None:
    """Say of a message that nothing was done."""
    connection.refuse(_key(message), Storage("table.storage"), 0)


def _hint(connection: Connection, key: str, answer: Answer | Refusal) -> None:
    """Hand a hint to who has asked for it, or say why there is none."""
    if isinstance(answer, Refusal):
        connection.refuse(key, answer, connection.since)
        return
    connection.answer(type="hint", key=key, move=answer.move, why=asdict(answer.why) if answer.why else None)
