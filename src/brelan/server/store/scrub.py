"""Let nothing that was deleted or changed stay readable in the database's files."""

from __future__ import annotations

import logging
import time

from sqlalchemy import Engine, text

from brelan.server.ledger import logs
from brelan.server.store.engine import WAIT

TRIES = 50
PAUSE = 0.1  # seconds, until those who read an older state have finished


def scrub(engine: Engine) -> None:
    """Empty SQLite's log, whose pages still hold what was; in the file itself every connection overwrites what it
    frees (`secure_delete`). PostgreSQL is asked to free dead rows; when it uses their space again, and how long it
    keeps its log, is its own business and its administrator's.
    """
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM"))
    else:
        _empty_log(engine)


def _empty_log(engine: Engine) -> None:
    """Without waiting for whoever reads: while a checkpoint waits, nobody can write."""
    connection = engine.raw_connection()  # a checkpoint cannot be in a transaction
    cursor = connection.cursor()
    try:
        cursor.execute("PRAGMA busy_timeout=0")
        for _ in range(TRIES):
            busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if not busy:
                return
            time.sleep(PAUSE)
        logs.tell("wal_in_use", logging.WARNING)
    finally:
        cursor.execute(WAIT)
        cursor.close()
        connection.close()
