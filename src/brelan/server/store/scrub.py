"""Let nothing that was deleted or changed stay readable in the database's files."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
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
    store.scrubbed = False
    for _ in range(TRIES):
        store.between(partial(_try, store)).result()
        if store.scrubbed:
            return
        time.sleep(PAUSE)
    logs.tell("wal_in_use", logging.WARNING)


async def scrub_on(store: Store) -> None:
    """Empty a log that could not be: whoever read then, as a backup does for long, may have finished."""
    if not store.scrubbed:
        await asyncio.wrap_future(store.between(partial(_try, store)))


def _try(store: Store, connection: Any) -> None:
    """Without waiting for whoever reads: meanwhile nobody could write."""
    cursor = connection.cursor()
    try:
        cursor.execute("PRAGMA busy_timeout=0")
        store.scrubbed = not cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        cursor.execute(WAIT)
        cursor.close()
