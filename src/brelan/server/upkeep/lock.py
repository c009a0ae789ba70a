"""One house for one data folder and one database file: locks that end with their process, however that ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, text

from brelan.errors import Refusal
from brelan.server.store.engine import Place, opened

LOCK = 0x6272656D  # of PostgreSQL, as it is upgraded by (`store/upgrade.py`) plus one
WAIT = 2.0  # seconds
KEEPALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
"""How a server finds out that nobody is there any more."""


def locked(folder: Path) -> IO[bytes]:
    """The folder's lock, held until it is closed; refuses a folder that another house uses."""
    return _locked(folder / "lock", "storage.house", folder)


@contextmanager
def database_locked(place: Place) -> Iterator[None]:
    """The same for a database, wherever it lies. Of a file the lock is a file beside it: closing the database's own
    would let go of SQLite's locks. Of a server it is one of the server's, which ends with our connection.
    """
    if place.file:
        with _locked(place.file.with_name(f"{place.file.name}.lock"), "storage.shared", place.file):
            yield
        return
    engine = opened(place)
    try:
        with place.clearly():
            connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        with connection:
            with place.clearly():
                _take_from_server(connection, place)
            yield
    finally:
        engine.dispose()


def _take_from_server(connection: Connection, place: Place) -> None:
    """Wait a moment for a house that is ending; if its machine has gone, the server lets go within half a minute."""
    for name, value in KEEPALIVE.items():
        connection.execute(text(f"SET tcp_{name} = {value}"))
    end = time.monotonic() + WAIT
    while not connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": LOCK}):
        if time.monotonic() > end:
            raise Refusal("storage.shared", path=place.shown)
        time.sleep(0.05)


def _locked(path: Path, refusal: str, of: Path) -> IO[bytes]:
    try:
        import fcntl  # none on Windows
    except ImportError as error:
        raise Refusal("storage.no_locks") from error
    try:
        lock = path.open("ab")
    except OSError as error:
        raise Refusal("storage.data", path=path.parent, why=error) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.close()
        raise Refusal(refusal, path=of) from error
    except OSError as error:  # as on shares of a network that have no locks
        lock.close()
        raise Refusal("storage.data", path=path.parent, why=error) from error
    return lock
