"""Let nothing that was deleted or changed stay readable in the database's files."""

from __future__ import annotations

import logging
import time
from typing import Any

from sqlalchemy import text

from brelan.server.ledger import logs
from brelan.server.store.engine import WAIT
from brelan.server.store.store import Store

TRIES = 50
PAUSE = 0.1  # seconds, until those who read an older state have finished


def scrub(store: Store) -> None:
    """Empty SQLite's log, whose pages still hold what was; in the file itself every connection overwrites what it
    frees (`secure_delete`). PostgreSQL is asked to free dead rows; when it uses their space again, and how long it
    keeps its log, is its own business and its administrator's.
    """
    if store.engine.dialect.name == "postgresql":
        choices = {"isolation_level": "AUTOCOMMIT"}
        with store.place.clearly(), store.engine.connect().execution_options(**choices) as connection:
            connection.execute(text("VACUUM"))
    else:
        _empty_log(store)


def _empty_log(store: Store) -> None:
    """Between two commits, over the connection that writes: over another beside it, an older SQLite can spoil the
    database (`doctor.WAL_SAFE`).
    """
    for _ in range(TRIES):
        if store.between(_emptied).result():
            return
        time.sleep(PAUSE)
    logs.tell("wal_in_use", logging.WARNING)


def _emptied(connection: Any) -> bool:
    """Without waiting for whoever reads: meanwhile nobody could write."""
    cursor = connection.cursor()
    try:
        cursor.execute("PRAGMA busy_timeout=0")
        return not cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        cursor.execute(WAIT)
        cursor.close()
