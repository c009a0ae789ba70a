"""One house for one data folder: a lock that ends with its process, however that ends."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

from brelan.errors import Refusal


def locked(folder: Path) -> IO[bytes]:
    """The folder's lock, held until it is closed; refuses a folder that another house uses."""
    try:
        lock = (folder / "lock").open("ab")
    except OSError as error:
        raise Refusal("storage.data", path=folder, why=error.strerror) from error
    try:
        _take(lock)
    except OSError as error:
        lock.close()
        raise Refusal("storage.house", path=folder) from error
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
