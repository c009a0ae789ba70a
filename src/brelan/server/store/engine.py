"""The way to the database: a SQLite file or a PostgreSQL server, and what either says as one clear sentence."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from brelan.errors import Refusal
from brelan.server.ledger import logs, metrics

SQLITE = (3, 35)
"""The oldest SQLite that says what it has written (RETURNING)."""

WAIT = "PRAGMA busy_timeout=3000"  # milliseconds that another program may hold the database
LOG = 4 * 1024 * 1024  # bytes that SQLite's log keeps once it begins anew, as many as it has then by itself
READ_WAIT = 5  # seconds in which who still reads has done when the house lets go of its database

LINE = {
    "client_encoding": "utf8",  # else the server's own, or the environment's
    "connect_timeout": 5,
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""Seconds in which a server must answer, and a line that is dead is noticed; the last, in milliseconds, while something
is under way: nobody probes it then, and the system alone would wait for a quarter of an hour.
"""

SIGNS = {
    "readonly": "read_only",
    "unable to open": "read_only",
    "full": "full",
    "locked": "locked",
    "busy": "locked",
}
"""Words of SQLite, and what they mean."""

STATES = {"25006": "read_only", "53100": "full", "55P03": "locked", "40001": "locked", "40P01": "locked"}
"""The same of PostgreSQL's codes."""

for _kind in ("broken", "moved", "slow", "fault", *SIGNS.values()):
    metrics.TROUBLES.labels(_kind)  # there at nought: of a figure that begins with the first, no rate shows the first


class Conflict(Refusal):
    """Somebody else has written an event of that number: the table must be read again."""


class Storage(Refusal):
    """The database does not take or give what is asked."""


def to_visitors(refusal: Refusal, said: str = "page.storage") -> Refusal:
    """What visitors are told. Where the database lies and what it says is the host's business only: it is logged."""
    if not refusal.key.startswith("storage."):
        return refusal
    logs.trouble("storage", refusal)
    return Storage(said)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a database lies: its URL, how it is shown to people (without a password), its file if it is one."""

    url: URL
    shown: str
    file: Path | None

    @classmethod
    def of(cls, database: Path | str) -> Place:
        """The place of a file's path or of a URL."""
        if isinstance(database, Path):
            return cls(_file_url(database), str(database), database)
        try:
            url = make_url(database)
        except (ArgumentError, ValueError) as error:
            raise Storage("storage.url", path=_hidden(database)) from error
        if url.get_backend_name() == "sqlite":
            return cls._sqlite(url, database)
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        if url.drivername != "postgresql+psycopg":
            raise Storage("storage.url", path=_hidden(database))
        return cls(url, _hidden(database), None)

    @classmethod
    def _sqlite(cls, url: URL, shown: str) -> Place:
        if url.database in (None, "", ":memory:"):
            raise Storage("storage.memory", path=shown)
        path = Path(str(url.database).removeprefix("file:"))
        return cls(url if url.query else _file_url(path), shown, path)

    @contextmanager
    def clearly(self) -> Iterator[None]:
        """What a database says, as one clear sentence."""
        try:
            yield
        except IntegrityError as error:
            raise Conflict("table.late") from error
        except (SQLAlchemyError, sqlite3.Error) as error:
            said = error.orig if isinstance(error, DBAPIError) and error.orig else error
            raise self.refusal(said) from error

    def refusal(self, said: BaseException) -> Storage:
        """What went wrong at this place, without any password."""
        why = " ".join(str(said).split())
        if self.url.password:
            why = why.replace(str(self.url.password), "***")
        state = getattr(said, "sqlstate", None)
        key = STATES.get(state or "", "broken")
        if isinstance(said, sqlite3.Error):
            key = next((key for sign, key in SIGNS.items() if sign in why), "broken")
        metrics.TROUBLES.labels(key).inc()
        return Storage(f"storage.{key}", path=self.shown, why=why)


def _file_url(path: Path) -> URL:
    """A file that must be there: it is made once, privately, and never by a connection that misses it."""
    return URL.create("sqlite", database=f"file:{quote(str(path))}", query={"mode": "rw", "uri": "true"})


def _hidden(database: str) -> str:
    """A URL without what is secret in it, even if it cannot be read."""
    return re.sub(r"(password=)[^&]*", r"\1***", re.sub(r"//.*@", "//***@", database))


def opened(place: Place) -> Engine:
    """An engine whose transactions begin where we say so."""
    if place.file:
        check_sqlite()
        _make_private(place.file)
    try:
        if place.url.get_backend_name() == "sqlite":
            return _sqlite_engine(place.url)
        choices: dict[str, Any] = {"pool_pre_ping": True, "connect_args": LINE}
        return create_engine(place.url, pool_size=4, hide_parameters=True, **choices)
    except ModuleNotFoundError as error:
        if error.name == "psycopg":
            raise Storage("storage.postgres") from error
        raise place.refusal(error) from error
    except (SQLAlchemyError, ImportError, ValueError, TypeError) as error:  # no such kind of database
        raise place.refusal(error) from error


def check_sqlite() -> None:
    """Refuse a SQLite with which a house would open, and no table could be made."""
    if sqlite3.sqlite_version_info < SQLITE:
        raise Storage("storage.sqlite", given=sqlite3.sqlite_version, known=".".join(map(str, SQLITE)))


def _make_private(path: Path) -> None:
    """A new file for its owner only, and so the log beside it; what forbids it, the database says itself."""
    with suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _sqlite_engine(url: URL) -> Engine:
    """As many connections as there are threads that ask: the one that writes never waits until readers have done."""
    engine = create_engine(url, poolclass=QueuePool, pool_size=2, max_overflow=-1, hide_parameters=True)
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself
    connection.execute(WAIT)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA journal_size_limit={LOG}")  # else it keeps what it grew to while somebody read
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA fullfsync=ON")  # of macOS, where a sync alone leaves it to the disk when it writes
    connection.execute("PRAGMA secure_delete=ON")  # what is taken out of the database is nowhere in its file


def _on_begin(connection: Connection) -> None:
    """A writer takes its lock at once: two that began as readers could never both go on."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def let_go(engine: Engine) -> None:
    """Close all connections. Who still reads in a thread is waited for: no pool closes what comes back to it later."""
    end = time.monotonic() + READ_WAIT
    while engine.pool.checkedout() and time.monotonic() < end:  # type: ignore[attr-defined]  # every pool here counts
        time.sleep(0.005)
    engine.dispose()


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads; SQLite undoes at its end what was written in spite of that."""
    with engine.connect().execution_options(postgresql_readonly=True) as connection:
        yield connection
