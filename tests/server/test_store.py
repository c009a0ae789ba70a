"""The store: append-only, numbered, on disk before anybody is told; and one clear sentence for every trouble."""

import os
import secrets
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import replace

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg import OperationalError
from sqlalchemy import insert, text

from brelan.cards import below, seed
from brelan.play.messages import Bot, Sit, Start
from brelan.play.seats import Event
from brelan.play.table import Table
from brelan.server.store import Conflict, Storage, Store, engine, index, writer
from brelan.server.store.index import Sitting, Summary
from brelan.server.store.relations import meta, sittings
from brelan.server.store.scrub import scrub
from brelan.server.store.upgrade import FOLDER, HEAD, revision
from brelan.server.store.writer import Writer
from brelan.server.tables.summary import read_unknown

SITTING = {"code": "abc", "seat": 0, "person": "anna", "name": "Anna"}

# What the first version made: no word of its revision, no index.
FIRST = """
PRAGMA journal_mode=WAL;
CREATE TABLE house (format INTEGER NOT NULL);
INSERT INTO house VALUES (1);
CREATE TABLE events (code VARCHAR NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (code, number));
"""


def old(path):
    """A database as the first version left it, with a match under way; the table."""
    table = Table.made(secrets.token_bytes, "abc", "gin", 2, "anna", 1.0)
    for message in (Sit("s", 0, "Anna"), Bot("b", 1, "novice"), Start("go")):
        table.receive("anna", message, 2.0)
    table.tick(60.0)
    with sqlite3.connect(path) as database:
        database.executescript(FIRST)
        rows = [("abc", event.number, msgspec.json.encode(event).decode()) for event in table.events]
        database.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
    database.close()
    return table


NEW = Summary("abc", "gin", "sheet", "open", True, 1, 2, "anna", 1.0, 1.0, None, None, None, None, ())


def summary(code, **choices):
    return replace(NEW, code=code, **choices)


def event(number, **data):
    return Event(number, 1.5, "sat", "anna", f"key {number}", {"seat": 0, **data})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "brelan.db"


@pytest.fixture
def store(path):
    """On SQLite: its own troubles."""
    opened = Store(path)
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request, path):
    return path if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.fixture
def either(place):
    """What both databases do alike."""
    opened = Store(place)
    yield opened
    opened.close()


def test_events_come_back_in_order_and_whole(either):
    either.append("abc", [event(1), event(2, name="Zoë")]).result()
    either.append("abc", [event(3)]).result()
    assert either.events("abc") == [event(1), event(2, name="Zoë"), event(3)]
    assert either.first("abc") == event(1)
    assert (either.events("xyz"), either.first("xyz")) == ([], None)


def test_a_number_is_written_once_and_all_or_nothing(either):
    either.append("abc", [event(1), event(2)]).result()
    with pytest.raises(Conflict):
        either.append("abc", [event(3), event(2)]).result()
    assert either.events("abc") == [event(1), event(2)]


def test_what_is_committed_is_in_the_file_while_the_house_is_open(store, path):
    store.append("abc", [event(1)]).result()
    other = sqlite3.connect(path)
    assert other.execute("SELECT count(*) FROM events").fetchone() == (1,)
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


def test_every_connection_syncs_in_full(store):
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_what_arrives_together_is_committed_together(either, monkeypatch):
    """While the disk is busy with one commit, the others gather; one bad table among them spoils only itself."""
    batches, gate, real = [], threading.Event(), Writer._insert

    def slow(self, connection, jobs):
        gate.wait(5)
        batches.append(len(jobs))
        real(self, connection, jobs)

    monkeypatch.setattr(Writer, "_insert", slow)
    futures = [either.append(f"table {i}", [event(1)]) for i in range(50)]
    bad = either.append("table 7", [event(1)])
    gate.set()
    for future in futures:
        future.result(5)
    with pytest.raises(Conflict):
        bad.result(5)
    assert max(batches) > 25  # what came before the gate was reached, or all that came behind it
    assert [len(either.events(f"table {i}")) for i in range(50)] == [1] * 50


def test_everything_is_written_in_the_order_in_which_it_came(either, monkeypatch):
    monkeypatch.setattr(writer, "BATCH", 3)
    gate, done = threading.Event(), []
    either.submit(lambda _: gate.wait(5))
    futures = [either.submit(lambda _, i=i: done.append(i)) for i in range(10)]
    gate.set()
    for future in futures:
        future.result(5)
    assert done == list(range(10))


def test_who_writes_waits_for_none_of_those_who_read(either):
    with ExitStack() as reading:
        for _ in range(6):
            reading.enter_context(either.read()).scalar(text("SELECT count(*) FROM events"))
        either.append("abc", [event(1)]).result(5)


def test_who_still_reads_at_the_end_is_waited_for(either):
    """A connection that came back to a pool that is gone would stay open."""
    reads, done = threading.Event(), []

    def read():
        with either.read() as connection:
            reads.set()
            time.sleep(0.2)
            done.append(connection.connection.dbapi_connection)

    reader = threading.Thread(target=read)
    reader.start()
    assert reads.wait(10)
    either.close()
    assert len(done) == 1
    with pytest.raises((sqlite3.ProgrammingError, OperationalError), match="closed"):
        done[0].execute("SELECT 1")
    reader.join()


def test_emptying_the_log_keeps_nobody_from_writing(store):
    """While somebody reads what is in it, it cannot be emptied; moves are written all the same."""
    store.append("abc", [event(1)]).result()
    with store.read() as connection:
        connection.scalar(text("SELECT count(*) FROM events"))
        store.append("abc", [event(2)]).result()
        emptied = threading.Thread(target=scrub, args=(store.engine,))
        emptied.start()
        began = time.monotonic()
        for number in range(3, 8):
            store.append("abc", [event(number)]).result(5)
        assert time.monotonic() - began < 1.5
    emptied.join(10)
    assert store.place.file.with_name("brelan.db-wal").stat().st_size == 0


def test_how_a_table_stands_is_written_with_its_events(either):
    """All of it or nothing, and asked without reading any event."""
    either.append("abc", [event(1)], summary("abc", sittings=(Sitting(0, "anna", "Anna"),))).result()
    either.append("xyz", [event(1)], summary("xyz", host="ben", listed=False, deadline=7.0)).result()
    started = summary("abc", status="playing", match="abc-1", begun_at=2.0, deadline=9.0, asked=2)
    with pytest.raises(Conflict):
        either.append("abc", [event(1)], started).result()
    with either.read() as connection:
        assert [row.code for row in index.listed(connection)] == ["abc"]
        assert index.match(connection, "abc-1") is None
        assert {code: len(at) for code, at in index.seated(connection, ["abc", "xyz"]).items()} == {"abc": 1, "xyz": 0}
    either.append("abc", [event(2)], started).result()
    with either.read() as connection:
        assert index.listed(connection) == []
        assert index.table(connection, "abc").asked == 2
        assert (index.match(connection, "abc-1").begun_at, index.match(connection, "abc-1").over_at) == (2.0, None)
        assert list(index.due(connection, 8.0)) == ["xyz"]
        assert list(index.due(connection, 9.0)) == ["xyz", "abc"]
        assert index.seated(connection, ["abc"]) == {"abc": []}
        assert [row.code for row in index.of_person(connection, "ben")] == ["xyz"]
        assert index.number(connection, "abc") == 2
    over = summary("abc", status="over", match="abc-1", begun_at=2.0, over_at=5.0)
    either.append("abc", [event(3)], over).result()
    with either.read() as connection:
        assert index.match(connection, "abc-1").over_at == 5.0


def test_a_move_leaves_seats_and_matches_as_they_are(either):
    anna = (Sitting(0, "anna", "Anna"),)
    either.append("abc", [event(1)], summary("abc", sittings=anna)).result()
    moved = Event(2, 2.0, "move", "anna", "k", {"seat": 0, "move": "draw"})
    either.append("abc", [moved], summary("abc", changed_at=2.0)).result()
    with either.read() as connection:
        assert index.table(connection, "abc").changed_at == 2.0
        assert index.seated(connection, ["abc"]) == {"abc": list(anna)}
        assert [row.code for row in index.of_person(connection, "anna")] == ["abc"]


def test_other_work_is_done_whole_or_not_at_all(either):
    def half(connection):
        connection.execute(insert(sittings), {"code": "abc", "seat": 0, "person": "anna", "name": "Anna"})
        raise KeyError("half")

    with pytest.raises(Storage, match="half"):
        either.submit(half).result(5)
    assert either.submit(lambda connection: len(index.of_person(connection, "anna"))).result(5) == 0
    with pytest.raises(Conflict):
        either.submit(lambda connection: connection.execute(insert(sittings), 2 * [SITTING])).result(5)
    either.append("abc", [event(1)]).result(5)


def test_who_asks_cannot_write(place):
    """On SQLite what was written so is undone at the end."""
    store = Store(place)
    try:
        with suppress(Storage), store.read() as connection:
            connection.execute(insert(sittings), SITTING)
        with store.read() as connection:
            assert index.seated(connection, ["abc"]) == {"abc": []}
    finally:
        store.close()


def test_a_job_whose_asker_has_gone_is_not_done(either, monkeypatch):
    gate = threading.Event()
    slow = either.submit(lambda _: gate.wait(5))
    gone, wanted = either.append("abc", [event(1)]), either.append("xyz", [event(1)])
    assert gone.cancel()
    gate.set()
    assert (slow.result(5), wanted.result(5)) == (True, None)
    assert (either.events("abc"), either.events("xyz")) == ([], [event(1)])


def test_every_migration_together_makes_what_stands_in_the_code(either):
    with either.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), meta) == []


def test_the_migrations_stand_in_one_row():
    numbers = sorted(file.stem[1:5] for file in FOLDER.glob("versions/r[0-9]*.py"))
    assert numbers == [f"{n:04}" for n in range(1, len(numbers) + 1)]
    assert ScriptDirectory(str(FOLDER)).get_heads() == [HEAD]


def test_a_database_of_the_first_version_is_upgraded_without_loss(path):
    table = old(path)
    store = Store(path)
    try:
        with store.read() as connection:
            assert list(index.unknown(connection)) == ["abc"]
        read_unknown(store)
        assert store.events("abc") == table.events
        with store.read() as connection:
            assert (revision(connection), index.unknown(connection)) == (HEAD, [])
            row = index.table(connection, "abc")
            assert (row.game, row.status, row.host, row.match) == ("gin", "playing", "anna", table.sealed.match)
    finally:
        store.close()


def test_a_table_that_this_version_cannot_read_stays_as_it_is(path):
    with sqlite3.connect(path) as database:
        database.executescript(FIRST)
        body = msgspec.json.encode(Event(1, 1.0, "made", "anna", "", {"game": "bridge"})).decode()
        database.execute("INSERT INTO events VALUES ('abc', 1, ?)", [body])
    database.close()
    store = Store(path)
    try:
        read_unknown(store)
        with store.read() as connection:
            assert index.table(connection, "abc").status == "unreadable"
        assert len(store.events("abc")) == 1
    finally:
        store.close()


@pytest.mark.parametrize("step", [1, 2])
def test_a_kill_in_the_middle_of_a_migration_leaves_a_database_that_opens(path, step):
    table = old(path)
    script = "import sys; from pathlib import Path; from brelan.server.store import Store; Store(Path(sys.argv[1]))"
    environment = os.environ | {"BRELAN_CRASH": f"in_migration:{step}", "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run([sys.executable, "-c", script, str(path)], env=environment, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    store = Store(path)
    assert store.events("abc") == table.events
    store.close()
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_a_newer_format_is_refused_in_one_sentence(either, place):
    either.submit(
        lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    ).result()
    with pytest.raises(Storage, match="newer version") as refusal:
        Store(place)
    assert "\n" not in str(refusal.value)


def test_a_file_that_was_moved_away_or_replaced_is_noticed(store, path):
    store.append("abc", [event(1)]).result()
    aside = path.rename(path.with_name("aside.db"))
    for _ in range(2):
        with pytest.raises(Storage, match="moved away or replaced"):
            store.append("abc", [event(2)]).result()
        path.write_bytes(b"")
    path.unlink()
    aside.rename(path)
    store.append("abc", [event(2)]).result()
    assert len(store.events("abc")) == 2


def test_a_database_in_memory_is_refused():
    with pytest.raises(Storage, match="names no file"):
        Store("sqlite://")


def test_a_database_that_may_not_be_written_is_refused(path):
    Store(path).close()
    with pytest.raises(Storage, match="may not be written"):
        Store(f"sqlite:///file:{path}?mode=ro&uri=true")
    with pytest.raises(Storage, match="may not be written"):
        Store(path.parent / "missing" / "brelan.db")


def test_a_file_that_is_no_database_is_refused(path):
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(Storage, match="cannot be used"):
        Store(path)


def test_a_locked_database_is_refused_and_then_works_again(store, path, monkeypatch):
    with store._writer.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout=50")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Storage, match="locked"):
        store.append("abc", [event(1)]).result()
    monkeypatch.setattr(engine, "WAIT", "PRAGMA busy_timeout=50")
    with pytest.raises(Storage, match="locked"):
        Store(path)
    other.execute("ROLLBACK")
    other.close()
    store.append("abc", [event(1)]).result()


def test_whatever_goes_wrong_the_writer_goes_on(store, monkeypatch):
    monkeypatch.setattr(store._writer, "_insert", None)
    with pytest.raises(Storage, match="cannot be used"):
        store.append("abc", [event(1)]).result(5)
    monkeypatch.undo()
    store.append("abc", [event(1)]).result(5)


def test_a_full_disk_is_refused_and_nothing_is_half_written(store):
    with store._writer.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    store.append("abc", [event(1)]).result()
    with pytest.raises(Storage, match="full"):
        store.append("abc", [event(2, name="x" * 100_000)]).result()
    assert store.events("abc") == [event(1)]
    store.append("abc", [event(2)]).result()


def test_a_power_cut_loses_no_synced_event_and_corrupts_nothing(tmp_path):
    """The files as they were at every commit, the log cut at random behind it: whatever was told is there."""
    path = tmp_path / "live.db"
    store, synced, random = Store(path), [], [0]
    seed(random, 7)
    wal = path.with_name("live.db-wal")
    for number in range(1, 31):
        store.append("abc", [event(number, name="x" * 40 * (number % 7))]).result()
        synced.append(wal.stat().st_size)
    data, log = path.read_bytes(), wal.read_bytes()
    store.close()
    for cut in range(60):
        told = below(random, 30)
        size = synced[told] + below(random, len(log) - synced[told] + 1)
        copy = tmp_path / f"{cut}.db"
        copy.write_bytes(data)
        copy.with_name(f"{cut}.db-wal").write_bytes(log[:size])
        database = sqlite3.connect(copy)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        numbers = [n for (n,) in database.execute("SELECT number FROM events ORDER BY number")]
        database.close()
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) > told
