"""A whole house in one file, and a house out of such a file: portable between databases, and between versions upwards.

The file is gzip over JSON lines: a header, then every row as its relation's name and its values. It holds all that the
house knows, its signing key too: it is written for its owner only.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, MetaData, Table, delete, func, insert, inspect, select
from sqlalchemy.exc import IntegrityError
from tqdm import tqdm

from brelan import __version__
from brelan.errors import Refusal
from brelan.folders import private
from brelan.server.people.identity import KEY_BYTES, mark, signing_key, write_key
from brelan.server.settings import Settings
from brelan.server.store import crash_point
from brelan.server.store.engine import Place, Storage, opened, writing
from brelan.server.store.relations import meta
from brelan.server.store.upgrade import HEAD, check_letters, revision, upgrade
from brelan.server.upkeep.beat import Away, aways_until, last_seen
from brelan.server.upkeep.lock import database_locked, locked

FORMAT = 1
STEP = 1000  # rows that are written at once
LEVEL = 6  # of packing

REVISION = re.compile(r"(?!0000)[0-9]{4}")
"""What the number of a migration looks like, of this version or of a newer one."""

SPOILT = (gzip.BadGzipFile, EOFError, zlib.error, ValueError, TypeError, LookupError, OverflowError, RecursionError)
"""What reading a file comes to that is no backup, or no whole one: no gzip, no JSON, no row, no relation of ours, a
number that is none of ours, or a row as deep as none of ours.
"""

VERSION = "alembic_version"


class Relation(msgspec.Struct):
    """What the rows of a relation hold, in their order, and how many there are."""

    columns: list[str]
    rows: int


class Header(msgspec.Struct):
    """The first line."""

    brelan: str  # the version that wrote it
    backup: int  # the format of the file
    revision: str  # of the database
    at: float  # seconds since 1970
    key: str  # the house's signing key, in hex; "" for none
    relations: dict[str, Relation]
    aways: list[Away] | None = None  # when the house was away; older backups do not say

    @property
    def rows(self) -> int:
        return sum(relation.rows for relation in self.relations.values())


# ---------------------------------------------------------------- out


def backup(settings: Settings, file: Path) -> int:
    """Write down the house as it is at one moment, while it runs or not; how many rows there were. Refuses to write
    over anything but a backup: it may be the house itself.
    """
    _free(file)
    with _opened(settings) as (connection, relations, header):
        header.relations = {str(relation.name): _counted(connection, relation) for relation in relations}
        _write(file, header, relations, connection)
    return header.rows


def look(settings: Settings) -> None:
    """Refuse a house that would not open, or of which no backup can be made; nothing is written."""
    with _opened(settings):
        pass


@contextmanager
def _opened(settings: Settings) -> Iterator[tuple[Connection, list[Table], Header]]:
    """A house as it is at one moment, what there is in it, and what a backup says of it first, but for its rows: many
    take long to count.
    """
    folder = settings.data_folder()
    place = Place.of(settings.place())
    if place.file and not place.file.exists():
        raise Storage("storage.absent", path=place.shown)
    if not (folder / "key").exists():
        raise Storage("storage.no_key", path=folder)
    key = signing_key(folder)
    with place.clearly(), _snapshot(opened(place)) as connection:
        at = time.time()  # what happens after the first question is not in it
        relations = _relations(connection)
        aways = aways_until(folder / "beat", at)
        header = Header(__version__, FORMAT, _known(connection, place), at, key.hex(), {}, aways)
        if _mark(connection, relations) not in (None, mark(key)):  # restored, it would not open
            raise Storage("storage.other_key", path=place.shown, given=folder)
        yield connection, relations, header


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    """Everything as at the first question, whatever is written meanwhile."""
    choices: dict[str, Any] = {"yield_per": STEP}
    if engine.dialect.name == "postgresql":
        choices |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    try:
        with engine.connect().execution_options(**choices) as connection:
            yield connection
    finally:
        engine.dispose()


def _free(file: Path) -> None:
    """Refuse what is there already, unless it is an older backup; out of a pipe, to look, nothing might ever come."""
    try:
        if file.is_file():
            with gzip.open(file, "rb") as lines:
                _read_header(lines)
        elif file.exists():
            raise FileExistsError
    except (OSError, *SPOILT) as error:
        raise Storage("storage.overwrite", path=file) from error


def _known(connection: Connection, place: Place) -> str:
    """The revision of a database that this version can read."""
    found = revision(connection)
    if not "" < found <= HEAD:
        raise Storage("storage.newer" if found else "storage.absent", path=place.shown, given=found, known=HEAD)
    return found


def _relations(connection: Connection) -> list[Table]:
    """What there is of ours, as this database has it now."""
    ours = [name for name in inspect(connection).get_table_names() if name in meta.tables]
    found = MetaData()
    found.reflect(connection, only=ours)
    return found.sorted_tables


def _mark(connection: Connection, relations: list[Table]) -> str | None:
    """By what the key of this house is known: None before its first start, and of a version that kept no mark."""
    kept = [relation.c.key for relation in relations if relation.name == "house" and "key" in relation.c]
    return connection.scalar(select(*kept)) if kept else None


def _counted(connection: Connection, relation: Table) -> Relation:
    return Relation([str(column.name) for column in relation.columns], _count(connection, relation))


def _count(connection: Connection, relation: Table) -> int:
    return connection.scalar(select(func.count()).select_from(relation)) or 0


def _write(file: Path, header: Header, relations: list[Table], connection: Connection) -> None:
    """A file that is there as a whole or not at all, for its owner only."""
    try:
        with private(file) as out, gzip.GzipFile(file.name, "wb", LEVEL, out) as packed:
            packed.write(_line(header))
            for row in _rows(header, relations, connection):
                packed.write(_line(row))
    except BlockingIOError as error:
        raise Storage("storage.backing_up", path=file) from error
    except OSError as error:
        raise Storage("storage.unwritten", path=file, why=error) from error


def _rows(header: Header, relations: list[Table], connection: Connection) -> Iterator[list[Any]]:
    with _progress(header) as bar:
        for relation in relations:
            for some in connection.execute(select(relation)).partitions(STEP):
                yield from ([str(relation.name), *row] for row in some)
                bar.update(len(some))
                crash_point("mid_backup")


def _line(content: Any) -> bytes:
    return msgspec.json.encode(content) + b"\n"


def _progress(header: Header) -> tqdm[Any]:
    return tqdm(total=header.rows, unit=" rows", unit_scale=True, file=sys.stderr, disable=None)


# ---------------------------------------------------------------- in


def restore(settings: Settings, file: Path) -> int:
    """Make a house of a backup, all of it or nothing; refuses a database where there is something already."""
    folder, place = settings.made_folder(), Place.of(settings.place())
    with ExitStack() as held, _reading(file):
        held.callback(_hand_over, folder, place)
        held.enter_context(locked(folder))
        held.enter_context(database_locked(place))
        lines = held.enter_context(gzip.open(file, "rb"))
        header = _read_header(lines)
        _check_known(header, file)
        engine = opened(place)
        held.callback(engine.dispose)
        with place.clearly(), writing(engine) as connection:
            check_letters(connection, place)
            _clear(connection, place)
            upgrade(connection, header.revision)
            _fill(connection, header, lines)
            upgrade(connection)
            last_seen(folder / "beat", header.at, header.aways)  # else clocks would count that time
            if header.key:  # before the rows stand: a house that has them and not its key knows none of its guests
                _keep_key(folder, bytes.fromhex(header.key))
    return header.rows


@contextmanager
def _reading(file: Path) -> Iterator[None]:
    """What is wrong with a file, as one sentence."""
    try:
        yield
    except Refusal:
        raise
    except gzip.BadGzipFile as error:
        raise Refusal("storage.no_backup", path=file, why=Refusal("reason.unpacked")) from error
    except SPOILT as error:
        raise Refusal("storage.no_backup", path=file, why=error) from error


def _read_header(lines: gzip.GzipFile) -> Header:
    header = msgspec.json.decode(lines.readline(), type=Header)
    if len(bytes.fromhex(header.key)) not in (0, KEY_BYTES):
        raise ValueError(f"a key of {len(header.key) // 2} bytes")
    if header.backup < 1 or not REVISION.fullmatch(header.revision):
        raise ValueError(f"there never was a format {header.backup} with the revision “{header.revision}”")
    return header


def _check_known(header: Header, file: Path) -> None:
    """Refuse what a newer version wrote."""
    if header.backup > FORMAT:
        raise Storage("storage.newer_backup", path=file, given=header.backup, known=FORMAT)
    if header.revision > HEAD:
        raise Storage("storage.newer_within", path=file, given=header.revision, known=HEAD)


def _clear(connection: Connection, place: Place) -> None:
    """Make way for the backup's own revision; refuse if anybody ever played here."""
    if any(_count(connection, relation) for relation in _relations(connection) if relation.name != "house"):
        raise Storage("storage.not_empty", path=place.shown)
    known = MetaData()
    known.reflect(connection, only=lambda name, _: name in (*meta.tables, VERSION))
    known.drop_all(connection)


def _fill(connection: Connection, header: Header, lines: Iterable[bytes]) -> None:
    """Every row into its relation."""
    relations, count = {relation.name: relation for relation in _relations(connection)}, 0
    for relation in relations.values():
        connection.execute(delete(relation))
    with _progress(header) as bar:
        for name, rows in groupby(map(msgspec.json.decode, lines), itemgetter(0)):
            columns = header.relations[name].columns
            while some := [dict(zip(columns, row[1:], strict=True)) for row in islice(rows, STEP)]:
                _insert(connection, relations[name], some)
                count += len(some)
                bar.update(len(some))
    if count != header.rows:
        raise EOFError(f"{count} rows instead of {header.rows}")


def _insert(connection: Connection, relation: Table, rows: list[dict[str, Any]]) -> None:
    """Rows that may stand there; at a table such a conflict means something else."""
    try:
        connection.execute(insert(relation), rows)
    except IntegrityError as error:
        raise ValueError(f"rows of “{relation.name}” do not fit each other") from error


def _hand_over(folder: Path, place: Place) -> None:
    """Whoever restores as root does so for whom the house runs as: what they made belongs to its folder's owner."""
    made = [folder / name for name in ("lock", "key", "beat")]
    if place.file:
        made += [place.file, place.file.with_name(f"{place.file.name}.lock")]
    for path in made if os.geteuid() == 0 else ():
        owner = path.parent.stat()
        with suppress(FileNotFoundError):
            if owner.st_uid != 0:
                os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _keep_key(folder: Path, key: bytes) -> None:
    """The house's own key, so that its guests are known again; another that lies there is put aside."""
    path = folder / "key"
    if path.exists():
        if path.read_bytes() == key:
            return  # whoever restores need not be whom the house runs as
        path.replace(folder / "key.old")
    write_key(path, key)
