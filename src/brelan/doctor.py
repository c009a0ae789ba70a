"""What a person whose house does not run wants to know: each thing it needs, and whether it is there."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from brelan.cores import all_cores
from brelan.errors import Refusal
from brelan.folders import cache_folder, make_folder
from brelan.words import Words

WAL_SAFE = (3, 51, 3)
"""SQLite versions before this one can, rarely, corrupt a database when its write-ahead log is reset over two
connections at once, of one process or of two; the house writes, and empties its log, over one only."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at."""

    name: str
    good: bool
    says: str

    def called(self, words: Words) -> str:
        """Its name for a person; what is called the same everywhere, as a library is, stands in no catalogue."""
        key = f"doctor.{self.name}"
        return words(key) if key in words else self.name


def checks(words: Words, data: Path | None = None, database: str | None = None) -> list[Check]:
    """All of them; of the house in that data folder, else in the user's own, which may be missing yet. What is made of
    libraries, as games are, is not asked for where one is missing, nor the house where anything is.
    """
    found = [*_python(), *_libraries(words)]
    if all(check.good for check in found):
        found += [*_folders(words, data), _games()]
    if all(check.good for check in found):
        found += [_sqlite(words, database), _house(words, data, database)]
    return found


def _python() -> Iterator[Check]:
    yield Check("python", sys.version_info >= (3, 11), f"{platform.python_version()} ({platform.machine()})")
    yield Check("cores", True, str(all_cores()))


def _libraries(words: Words) -> Iterator[Check]:
    try:
        needed = [*_needed()]
    except importlib.metadata.PackageNotFoundError:  # sources that nobody has installed
        needed = [("brelan", "")]
    for name, bounds in needed:
        try:
            found = importlib.metadata.version(name)
            good = _fits(found, bounds)
            yield Check(name, good, found if good else f"{found} ({bounds})")
        except importlib.metadata.PackageNotFoundError:
            yield Check(name, False, words("doctor.missing"))


def _needed() -> Iterator[tuple[str, str]]:
    """What the house was to be installed with, and in which versions, without its extras and what this system does
    without.
    """
    for line in importlib.metadata.requires("brelan") or []:
        named, _, where = line.partition(";")
        if "extra ==" not in where and sys.platform not in where:
            name = re.split("[^A-Za-z0-9._-]", named, maxsplit=1)[0]
            yield name, named.removeprefix(name).strip()


def _fits(version: str, bounds: str) -> bool:
    """Whether that is within bounds, which are written as `>=a.b` and `<c` only."""

    def numbers(text: str) -> list[int]:
        return [int(part) for part in re.findall(r"\d+", text)]

    asked = filter(None, bounds.split(","))
    return all((numbers(version) < numbers(bound)) == bound.startswith("<") for bound in asked)


def _folders(words: Words, data: Path | None) -> Iterator[Check]:
    from brelan.server.settings import Settings

    for name, find in (("data folder", Settings(data=data).data_folder), ("cache folder", cache_folder)):
        try:
            folder = find()
        except Refusal as refusal:
            yield Check(name, False, words.refusal(refusal))
            continue
        try:
            if folder != data:
                make_folder(folder, 0o700)  # it may become a house's: its owner's only
            with tempfile.TemporaryFile(dir=folder):
                yield Check(name, True, str(folder))
        except OSError as error:
            yield Check(name, False, f"{folder}: {words.reason(error)}")


def _sqlite(words: Words, database: str | None) -> Check:
    """Whoever named a database elsewhere may have an older one."""
    from brelan.server.store.engine import check_sqlite  # the web's libraries are there: they were looked for

    try:
        check_sqlite()
    except Refusal as refusal:
        return Check("sqlite", database is not None, words.refusal(refusal))
    version, safe = sqlite3.sqlite_version, sqlite3.sqlite_version_info >= WAL_SAFE
    return Check("sqlite", True, version if safe else words("doctor.one_writer", version=version))


def _games() -> Check:
    from brelan.games import GAMES

    return Check("games", bool(GAMES), ", ".join(game.id for game in GAMES))


def _house(words: Words, data: Path | None, database: str | None) -> Check:
    """The house itself: its key and its database, of one another and to be read. A new one has neither."""
    from brelan.server.settings import Settings
    from brelan.server.store.engine import Place
    from brelan.server.upkeep.backup import look

    settings = Settings(data=data, database=database)
    folder = settings.data_folder()
    if database is None and not (folder / "brelan.db").exists() and not (folder / "key").exists():
        return Check("house", True, words("doctor.no_house"))
    try:
        look(settings)
    except Refusal as refusal:
        return Check("house", False, words.refusal(refusal))
    return Check("house", True, Place.of(settings.place()).shown)
