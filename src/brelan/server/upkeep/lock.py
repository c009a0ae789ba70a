"""One house for one data folder and one database file: locks that end with their process, however that ends."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

from brelan.errors import Refusal


def locked(folder: Path) -> IO[bytes]:
    """The folder's lock, held until it is closed; refuses a folder that another house uses."""
    return _locked(folder / "lock", "storage.house", folder)


def file_locked(database: Path) -> IO[bytes]:
    """The same for a database's file, wherever it lies. The lock is a file beside it: closing the database's own file
    would let go of SQLite's locks.
    """
    return _locked(database.with_name(f"{database.name}.lock"), "storage.shared", database)


def _locked(path: Path, refusal: str, of: Path) -> IO[bytes]:
    try:
        lock = path.open("ab")
    except OSError as error:
        raise Refusal("storage.data", path=of, why=error.strerror) from error
    try:
        _take(lock)
    except OSError as error:
        lock.close()
        raise Refusal(refusal, path=of) from error
    return lock


if sys.platform == "win32":
    import msvcrt

    def _take(lock: IO[bytes]) -> None:
        lock.seek(0)
        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(lock: IO[bytes]) -> None:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
