"""Cut the power between any two writes: `python -m tests.proofs.power --cuts 1000`.

A store writes tables' events as the house does, over a disk that writes down what is done to it (`disk.py`). Then the
power fails at random places of that journal, most of them between a write and its sync. In each copy `integrity_check`
must be content, every event whose commit was told must be there, and no table may have gaps.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import event

from brelan.play.seats import Event
from brelan.server.store import Store
from tests.proofs.disk import Disk, Journal, written_down
from tests.proofs.live import lives
from tests.proofs.program import Progress, asked_for, report

NAME = "brelan.db"
COMMITS = 1200
"""So many are written; the log is copied into the file now and then (a checkpoint) meanwhile."""

CHECKPOINT = 60
"""Pages of the log after which that is done, often, for this proof's sake."""

MUTANT_CUTS = 60
"""A house that does not sync must be found out within so many cuts."""


@dataclass
class Written:
    """What was done to the disk, and what was told when: the journal's length, the table, its last number."""

    before: dict[str, bytes]
    journal: Journal
    told: list[tuple[int, str, int]] = field(default_factory=list)


@contextmanager
def settings_of(store: Store, **pragmas: Any) -> Iterator[None]:
    """Settings of SQLite for the connections that the store writes with."""

    def set_them(connection: Any, *_: Any) -> None:
        for name, value in pragmas.items():
            connection.execute(f"PRAGMA {name}={value}")

    event.listen(store._writer.engine, "checkout", set_them)
    try:
        yield
    finally:
        event.remove(store._writer.engine, "checkout", set_them)


def parts(events: list[Event], random: Random) -> Iterator[list[Event]]:
    """A table's events, a few at a time, as moves and what follows them come."""
    place = 0
    while place < len(events):
        size = random.choice((1, 1, 1, 2, 3))
        yield events[place : place + size]
        place += size


def write(folder: Path, seed: int, commits: int, **pragmas: Any) -> Written:
    """Write real tables' events, one commit after the other."""
    random = Random(seed)
    Store(folder / NAME).close()
    before = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith("-shm")}
    with written_down(folder) as journal:
        store, written = Store(folder / NAME), Written(before, journal)
        try:
            with settings_of(store, wal_autocheckpoint=CHECKPOINT, **pragmas):
                for code, some in _mixed(random, seed, commits):
                    store.append(code, some).result()
                    written.told.append((len(journal.ops), code, some[-1].number))
        finally:
            store.close()
    return written


def _mixed(random: Random, seed: int, commits: int) -> Iterator[tuple[str, list[Event]]]:
    """Commits of several tables by turns."""
    games, number = [lives(game, seed) for game in ("gin", "mio", "elements")], 0
    tables: list[tuple[str, Iterator[list[Event]]]] = []
    while commits:
        while len(tables) < 4:
            live = next(random.choice(games))
            for _ in live.positions(150):
                pass
            tables.append((f"t{number}", parts(live.table.events, random)))
            number += 1
        code, rest = random.choice(tables)
        if some := next(rest, None):
            yield code, some
            commits -= 1
        else:
            tables.remove((code, rest))


def cuts(written: Written, seed: int, wanted: int) -> Iterator[tuple[dict[str, bytes], dict[str, int]]]:
    """The files after each power cut, and of each table the last number that had been told before it."""
    random, disk, told, place = Random(seed), Disk(written.before), dict[str, int](), 0
    chosen = sorted(random.randrange(len(written.journal.ops) + 1) for _ in range(wanted))
    waiting = iter(written.told)
    coming = next(waiting, None)
    for cut in chosen:
        while place < cut:
            disk.go_on(written.journal.ops[place])
            place += 1
        while coming and coming[0] <= cut:
            told[coming[1]] = coming[2]
            coming = next(waiting, None)
        yield disk.cut(random), dict(told)


def judged(folder: Path, files: dict[str, bytes], told: dict[str, int]) -> str:
    """What is wrong with the files after a cut; "" if nothing is."""
    for old in folder.iterdir():
        old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    try:
        with closing(sqlite3.connect(folder / NAME)) as database:
            if (found := database.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
                return f"integrity: {found[0]}"
            rows = database.execute("SELECT code, count(*), max(number) FROM events GROUP BY code").fetchall()
    except sqlite3.DatabaseError as error:
        return f"cannot be read: {error}"
    there = {code: last for code, count, last in rows if count == last}
    if len(there) < len(rows):
        return "a table has gaps"
    lost = [
        f"{code}: {number} was told, {there.get(code, 0)} is there"
        for code, number in told.items()
        if there.get(code, 0) < number
    ]
    return lost[0] if lost else ""


def tried(
    seed: int, commits: int, wanted: int, progress: Progress | None = None, **pragmas: Any
) -> tuple[list[str], Written]:
    """What was wrong after so many cuts."""
    wrong = []
    with tempfile.TemporaryDirectory() as live, tempfile.TemporaryDirectory() as copy:
        written = write(Path(live), seed, commits, **pragmas)
        for files, told in cuts(written, seed, wanted):
            if found := judged(Path(copy), files, told):
                wrong.append(found)
            if progress:
                progress.add()
    return wrong, written


def main() -> int:
    asked = asked_for(__doc__, cuts=(1000, "power cuts"), commits=(COMMITS, "commits before them"))
    progress = Progress("power cuts", asked.cuts)
    wrong, written = tried(asked.seed, asked.commits, asked.cuts, progress)
    progress.close()
    unsynced, _ = tried(asked.seed, 200, MUTANT_CUTS, synchronous="NORMAL")
    ops = written.journal.ops
    return report(
        "power",
        asked.began,
        not wrong and bool(unsynced),
        cuts=asked.cuts,
        commits=len(written.told),
        writes=sum(op.data is not None for op in ops),
        syncs=sum(op.offset < 0 for op in ops),
        checkpoints=sum(op.offset < 0 and op.file == NAME for op in ops),
        wrong=len(wrong),
        first=wrong[:3],
        mutant_losses=f"{len(unsynced)} of {MUTANT_CUTS}",
    )


if __name__ == "__main__":
    raise SystemExit(main())
