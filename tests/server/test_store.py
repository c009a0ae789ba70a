"""The store: append-only, numbered, on disk before anybody is told; and one clear sentence for every trouble."""

import sqlite3
import threading

import pytest

from brelan.cards import below, seed
from brelan.play.seats import Event
from brelan.server.store import Conflict, Storage, Store, engine
from brelan.server.store.writer import Writer


def event(number, **data):
    return Event(number, 1.5, "sat", "anna", f"key {number}", {"seat": 0, **data})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "brelan.db"


@pytest.fixture
def store(path):
    opened = Store(path)
    yield opened
    opened.close()


def test_events_come_back_in_order_and_whole(store):
    store.append("abc", [event(1), event(2, name="Zoë")]).result()
    store.append("abc", [event(3)]).result()
    assert store.events("abc") == [event(1), event(2, name="Zoë"), event(3)]
    assert store.first("abc") == event(1)
    assert (store.events("xyz"), store.first("xyz")) == ([], None)


def test_a_number_is_written_once_and_all_or_nothing(store):
    store.append("abc", [event(1), event(2)]).result()
    with pytest.raises(Conflict):
        store.append("abc", [event(3), event(2)]).result()
    assert store.events("abc") == [event(1), event(2)]


def test_what_is_committed_is_in_the_file_while_the_house_is_open(store, path):
    store.append("abc", [event(1)]).result()
    other = sqlite3.connect(path)
    assert other.execute("SELECT count(*) FROM events").fetchone() == (1,)
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


def test_every_connection_syncs_in_full(store):
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_what_arrives_together_is_committed_together(store, monkeypatch):
    """While the disk is busy with one commit, the others gather; one bad table among them spoils only itself."""
    batches, gate, real = [], threading.Event(), Writer._insert

    def slow(self, connection, jobs):
        gate.wait(5)
        batches.append(len(jobs))
        real(self, connection, jobs)

    monkeypatch.setattr(Writer, "_insert", slow)
    futures = [store.append(f"table {i}", [event(1)]) for i in range(50)]
    bad = store.append("table 7", [event(1)])
    gate.set()
    for future in futures:
        future.result(5)
    with pytest.raises(Conflict):
        bad.result(5)
    assert max(batches) >= 49
    assert [len(store.events(f"table {i}")) for i in range(50)] == [1] * 50


def test_a_newer_format_is_refused_in_one_sentence(path):
    Store(path).close()
    with sqlite3.connect(path) as other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    other.close()
    with pytest.raises(Storage, match="newer version") as refusal:
        Store(path)
    assert "\n" not in str(refusal.value)


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
    with store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout=50")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Storage, match="locked"):
        store.append("abc", [event(1)]).result()
    monkeypatch.setattr(engine, "LOCK_WAIT", 0.05)
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
    with store.engine.connect() as connection:
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
