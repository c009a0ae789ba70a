"""Bring a database to what this version knows: every migration that it lacks, all of them or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert, inspect, text

from brelan.server.store.engine import Place, Storage, writing
from brelan.server.store.points import crash_point
from brelan.server.store.relations import house

FOLDER = Path(__file__).with_name("migrations")

HEAD = max(file.stem[1:5] for file in FOLDER.glob("versions/r[0-9]*.py"))
"""The revision that this version knows, the number of the newest migration."""

TRIED = 60_000
"""Letters with which a database is tried: 17 of SQLite's pages, as a table's first commit has. Where one page fits, a
move may not.
"""

LOCK = 0x6272656C  # of PostgreSQL: two houses never upgrade one database at the same time


def prepare(engine: Engine, place: Place) -> None:
    """Make or upgrade the relations; refuse a database of a newer version, or one that cannot be written."""
    with writing(engine) as connection:
        check_letters(connection, place)
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        found = revision(connection)
        if found > HEAD:
            raise Storage("storage.newer", path=place.shown, given=found, known=HEAD)
        if found < HEAD:
            upgrade(connection)
        try_to_write(connection)  # so that a refusal comes now


def try_to_write(connection: Connection) -> None:
    """Write a row that nobody else ever sees, and remove it: of a value that stays as it was SQLite writes nothing."""
    connection.execute(insert(house).values(format=0, key=" " * TRIED))
    connection.execute(delete(house).where(house.c.format == 0))


def check_letters(connection: Connection, place: Place) -> None:
    """Refuse a server's database that has no place for every letter; which it has is settled when it is made."""
    if connection.dialect.name == "postgresql" and (kept := connection.scalar(text("SHOW server_encoding"))) != "UTF8":
        raise Storage("storage.encoding", path=place.shown, given=kept)


def revision(connection: Connection) -> str:
    """How far a database has come: "" for a new one, "0001" for one of the first version, which did not say it."""
    known = inspect(connection)
    if known.has_table("alembic_version"):
        return connection.scalar(text("SELECT version_num FROM alembic_version")) or ""
    return "0001" if known.has_table("house") else ""


def upgrade(connection: Connection, to: str = "head") -> None:
    """Every migration up to that one, in the transaction that is under way."""
    from alembic.config import Config  # a third of a second, and needed once
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    scripts, found = ScriptDirectory(str(FOLDER)), revision(connection)

    def steps(at: Any, _: Any) -> Any:
        return scripts._upgrade_revs(to, at)

    def applied(*_: Any, **__: Any) -> None:
        crash_point("in_migration")

    with EnvironmentContext(Config(), scripts, fn=steps) as environment:
        environment.configure(connection, transactional_ddl=True, on_version_apply=applied)
        if found and not inspect(connection).has_table("alembic_version"):
            environment.get_context().stamp(scripts, found)
        environment.run_migrations()
