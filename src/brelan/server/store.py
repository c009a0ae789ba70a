"""Where the tables' events lie: append-only, each table numbered without gaps, on disk before anybody is told.

One thread writes, and commits together all that arrived while it was writing; so a busy house pays for one sync what
an idle one pays for one move. SQLite in WAL mode, synced in full at every commit.
"""

from __future__ import annotations

import os
import queue
import signal
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Integer,
    MetaData,
    String,
    Text,
    create_engine,
    event,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy import Table as Relation
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from brelan.errors import Refusal
from brelan.play.seats import Event

FORMAT = 1
"""Of the database; rises with any change of its relations."""

BATCH = 1000
"""At most so many tables' events go into one commit."""

LOCK_WAIT = 3.0  # seconds that another program may hold the database

_meta = MetaData()
_house = Relation("house", _meta, Column("format", Integer, nullable=False))
_events = Relation(
    "events",
    _meta,
    Column("code", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
)

_decoder = msgspec.json.Decoder(Event)


class Conflict(Refusal):
    """Somebody else has written an event of that number: the table must be read again."""


class Storage(Refusal):
    """The database does not take or give what is asked."""


class Store:
    """The events of all tables, in a SQLite file or behind a database URL."""

    def __init__(self, database: Path | str) -> None:
        self.path = str(database)
        is_file = isinstance(database, Path) or "://" not in database
        if is_file:
            _make_private(Path(database))
        self._engine = self._opened(f"sqlite:///{database}" if is_file else self.path)
        self._jobs: queue.Queue[tuple[list[dict[str, Any]], Future[None]] | None] = queue.Queue()
        with self._clearly():
            _prepare(self._engine, self.path)
        self._writer = threading.Thread(target=self._write, name="brelan-store", daemon=True)
        self._writer.start()

    def _opened(self, url: str) -> Engine:
        try:
            return _engine(url)
        except (SQLAlchemyError, ImportError, ValueError, TypeError) as error:  # no such URL, or its driver is missing
            raise Storage("storage.broken", path=self.path, why=error) from error

    def append(self, code: str, events: Iterable[Event]) -> Future[None]:
        """Write a table's next events, all or none; the future ends once they are on disk."""
        rows = [{"code": code, "number": e.number, "body": msgspec.json.encode(e).decode()} for e in events]
        done: Future[None] = Future()
        self._jobs.put((rows, done))
        return done

    def events(self, code: str) -> list[Event]:
        """All events of a table in order, none if there is no such table."""
        chosen = select(_events.c.body).where(_events.c.code == code).order_by(_events.c.number)
        with self._clearly(), self._engine.connect() as connection:
            return [_decoder.decode(body) for body in connection.scalars(chosen)]

    def first(self, code: str) -> Event | None:
        """The event that made a table, None if there is no such table."""
        chosen = select(_events.c.body).where(_events.c.code == code, _events.c.number == 1)
        with self._clearly(), self._engine.connect() as connection:
            body = connection.scalar(chosen)
        return _decoder.decode(body) if body else None

    def last(self, code: str, kind: str) -> Event | None:
        """The table's last event of a kind, None if there is none; the others are not read."""
        chosen = select(_events.c.body).where(_events.c.code == code, _events.c.body.contains(f'"kind":"{kind}"'))
        with self._clearly(), self._engine.connect() as connection:
            body = connection.scalar(chosen.order_by(_events.c.number.desc()).limit(1))
        return _decoder.decode(body) if body else None

    def close(self) -> None:
        """Write what is waiting, and let go of the database."""
        self._jobs.put(None)
        self._writer.join()
        self._engine.dispose()

    # ------------------------------------------------------------ the writing thread

    def _write(self) -> None:
        while job := self._jobs.get():
            jobs = [job]
            while len(jobs) < BATCH and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    self._jobs.put(None)
                    break
                jobs.append(job)
            self._commit(jobs)

    def _commit(self, jobs: list[tuple[list[dict[str, Any]], Future[None]]]) -> None:
        """All jobs in one transaction; if that fails, each in its own, so that one cannot spoil the others."""
        try:
            with self._clearly():
                self._insert([row for rows, _ in jobs for row in rows])
        except Exception as error:  # whatever it was, this thread must go on
            if len(jobs) == 1:
                known = isinstance(error, Refusal)
                jobs[0][1].set_exception(error if known else Storage("storage.broken", path=self.path, why=error))
            else:
                for job in jobs:
                    self._commit([job])
            return
        for _, done in jobs:
            done.set_result(None)

    def _insert(self, rows: list[dict[str, Any]]) -> None:
        with _writing(self._engine) as connection:
            connection.execute(insert(_events), rows)
            crash_point("before_commit")
        crash_point("after_commit")

    @contextmanager
    def _clearly(self) -> Iterator[None]:
        """What a database says, as one clear sentence."""
        try:
            yield
        except IntegrityError as error:
            raise Conflict("table.late") from error
        except (DBAPIError, sqlite3.Error) as error:
            said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
            known = (
                ("readonly", "read_only"),
                ("unable to open", "read_only"),
                ("full", "full"),
                ("locked", "locked"),
                ("busy", "locked"),
            )
            key = next((key for sign, key in known if sign in said), "broken")
            raise Storage(f"storage.{key}", path=self.path, why=said) from error


def _make_private(path: Path) -> None:
    """A new file for its owner only, and so the log beside it; what forbids it, the database says itself."""
    with suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def _engine(url: str) -> Engine:
    """An engine whose transactions begin where we say so."""
    engine = create_engine(url, poolclass=QueuePool, pool_size=2, max_overflow=2)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _on_connect)
        event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself
    connection.execute(f"PRAGMA busy_timeout={int(LOCK_WAIT * 1000)}")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def _on_begin(connection: Connection) -> None:
    """A writer takes its lock at once: two that began as readers could never both go on."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


@contextmanager
def _writing(engine: Engine) -> Iterator[Connection]:
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


def _prepare(engine: Engine, path: str) -> None:
    """Make the relations of a new database; refuse one of a newer format, or one that cannot be written."""
    with _writing(engine) as connection:
        if not inspect(connection).has_table("house"):
            _meta.create_all(connection)
            connection.execute(insert(_house).values(format=FORMAT))
        found = connection.scalar(select(_house.c.format)) or FORMAT
        if found > FORMAT:
            raise Storage("storage.newer", path=path, given=found, known=FORMAT)
        connection.execute(text("UPDATE house SET format = format"))  # a write, so that a refusal comes now


def crash_point(name: str) -> None:
    """Die here as by `kill -9`, if the environment asks for it: tests show that nothing acknowledged is lost.

    BRELAN_CRASH=after_commit:7 dies at the seventh passage.
    """
    wanted, _, count = os.environ.get("BRELAN_CRASH", "").partition(":")
    if wanted == name:
        _passages[name] = _passages.get(name, 0) + 1
        if _passages[name] >= int(count or 1):
            os.kill(os.getpid(), signal.SIGKILL)


_passages: dict[str, int] = {}
