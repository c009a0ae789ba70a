"""The store: append-only events, each table numbered without gaps, on disk before anybody is told.

One thread writes (`writer.py`), whoever asks reads. SQLite in WAL mode, synced in full at every commit; PostgreSQL as
its server is set up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Row, Select, delete, select, update

from brelan.play.seats import Event
from brelan.server.ledger import metrics
from brelan.server.store import index
from brelan.server.store.engine import Place, Storage, let_go, opened, reading, writing
from brelan.server.store.notices import Notice, Notices
from brelan.server.store.relations import events, house, people, tokens
from brelan.server.store.upgrade import prepare
from brelan.server.store.writer import Append, Between, Work, Writer

T = TypeVar("T")

BEGUN, OVER = '"kind":"started"', '"kind":"over"'
"""What the events with which a match begins and ends have in them as they are stored, and no other: in what people
write quotes are escaped.
"""


class Store:
    """What the house remembers, in a SQLite file or behind a database URL."""

    def __init__(self, database: Path | str) -> None:
        self.place = Place.of(database)
        self.engine = opened(self.place)
        try:
            with self.place.clearly():
                prepare(self.engine, self.place)
        except BaseException:
            self.engine.dispose()
            raise
        self._file = self._found()
        self.scrubbed = not self.place.file  # whether SQLite's log was emptied; a house that was killed leaves its own
        self.notices: Notices | None = None
        self.watchers: list[Callable[[dict[str, int] | None], None]] = []
        self.readers: list[Callable[[list[Event], index.Summary], None]] = []  # of what this process has written
        self._writer = Writer(self.place, self._check, self._told)

    def append(
        self,
        code: str,
        new: Iterable[Event],
        summary: index.Summary | None = None,
        before: Callable[[Connection], None] | None = None,
    ) -> Future[None]:
        """Write a table's next events and how they leave it, and first what `before` writes, all or none; the future
        ends once they are on disk.
        """
        given = list(new)
        rows = [{"code": code, "number": e.number, "body": msgspec.json.encode(e).decode()} for e in given]
        job = Append(rows, summary, all(event.kind in index.QUIET for event in given), before)
        job.done.add_done_callback(lambda done: self._read_out(done, given, summary))
        self._writer.put(job)
        return job.done

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        """Let the writing thread do something else in a transaction of its own: all of it or nothing."""
        job = Work(work)
        self._writer.put(job)
        return job.done

    def between(self, work: Callable[[Any], T]) -> Future[T]:
        """Let the writing thread do between two transactions what can be in none, over the driver's own connection."""
        job = Between(work)
        self._writer.put(job)
        return job.done

    def silence(self) -> float:
        """Seconds for which the database has not answered what was to be written, 0 if it has."""
        return self._writer.silence()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for questions."""
        with self.place.clearly(), reading(self.engine) as connection:
            yield connection

    def mark(self) -> str | None:
        """By what the key of this database's house is known, None before its first start."""
        with self.read() as connection:
            return connection.scalar(select(house.c.key))

    def claim(self, mark: str) -> None:
        """From now on this database belongs to the house of that key. What opened seats under another opens none any
        more: else whoever stole it could go on by a token, and nobody could end that.
        """
        with self.place.clearly(), writing(self.engine) as connection:
            if connection.scalar(select(house.c.key)) not in (None, mark):
                connection.execute(delete(tokens))
                connection.execute(update(people).values(phrase=None))
            connection.execute(update(house).values(key=mark))

    def events(self, code: str, after: int = 0) -> list[Event]:
        """A table's events in order, all or those after a number; none if there is no such table."""
        with self.read() as connection:
            return [index.decoded(body) for body in connection.scalars(_bodies(code, after))]

    def events_of(self, code: str, match: str) -> list[Event]:
        """All that a replay of one of the table's matches asks for: its events, and those between the matches before
        it. Other matches are passed over as they lie: fifty of them took half a second to decode.
        """
        found: list[Event] = []
        playing = own = False
        with self.read() as connection:
            for body in connection.scalars(_bodies(code)):
                if BEGUN in body:
                    playing, own = True, f'"match":"{match}"' in body
                if own or not playing:
                    found.append(index.decoded(body))
                if OVER in body:
                    if own:
                        break
                    playing = False
        return found

    def first(self, code: str) -> Event | None:
        """The event that made a table, None if there is no such table."""
        with self.read() as connection:
            return index.made(connection, [code]).get(code)

    def table(self, code: str) -> Row[Any] | None:
        """How a table stands, None if there is no such table."""
        with self.read() as connection:
            return index.table(connection, code)

    def persons(self, code: str) -> dict[str, str]:
        """Who made a table and who sits there, by the names that they have there."""
        with self.read() as connection:
            made, seated = index.table(connection, code), index.seated(connection, [code])[code]
        return ({made.host: ""} if made else {}) | {sitting.person: sitting.name for sitting in seated}

    def listen(self, heard: Callable[[Notice | None], None]) -> None:
        """Hear what the other workers on this database tell, in a thread of its own; on SQLite there are none."""
        if self.engine.dialect.name == "postgresql":
            self.notices = Notices(self.engine, self.place, heard)

    def changed(self, went: dict[str, int] | None) -> None:
        """Tables went on, here or over another worker, or nobody knows which: whoever watches them all is told, in the
        thread that knows.
        """
        for watcher in self.watchers:
            watcher(went)

    def close(self) -> None:
        """Write what is waiting, and let go of the database."""
        self._writer.close()
        if self.notices:
            self.notices.close()
        let_go(self.engine)

    # ------------------------------------------------------------ help

    def _found(self) -> tuple[int, int] | None:
        """Which file it is, by device and number; None if there is none, or it is no file's business."""
        try:
            found = self.place.file.stat() if self.place.file else None
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found else None

    def _check(self) -> None:
        """Refuse to write into a file that was moved away or replaced: nobody would find it again."""
        if self._found() != self._file:
            metrics.TROUBLES.labels("moved").inc()
            raise Storage("storage.moved", path=self.place.shown)

    def _read_out(self, done: Future[None], given: list[Event], summary: index.Summary | None) -> None:
        """Let those who count or tell look at what is on disk now."""
        if summary and not done.cancelled() and not done.exception():
            for reader in self.readers:
                reader(given, summary)

    def _told(self, went: dict[str, int]) -> None:
        if self.notices:
            self.notices.tell(went=went)
        self.changed(went)


def _bodies(code: str, after: int = 0) -> Select[Any]:
    """A table's events as they are stored, in order."""
    return select(events.c.body).where(events.c.code == code, events.c.number > after).order_by(events.c.number)
