"""One clear sentence for every trouble, without a password; and nothing that was told is lost."""

import sqlite3
import threading

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from brelan.cards import below, seed
from brelan.server.ledger import logs, metrics
from brelan.server.store import Storage, Store, engine
from brelan.server.store.engine import Place
from tests.server.postgres import PASSWORD
from tests.server.store.conftest import event


def counted(kind):
    return metrics.FIGURES.get_sample_value("brelan_database_errors_total", {"kind": kind})


def test_a_newer_format_is_refused_in_one_sentence(either, place):
    either.submit(
        lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    ).result()
    with pytest.raises(Storage, match="newer version") as refusal:
        Store(place)
    assert "\n" not in str(refusal.value)


def test_a_file_that_was_moved_away_or_replaced_is_noticed(store, path):
    store.append("abc", [event(1)]).result()
    aside, before = path.rename(path.with_name("aside.db")), counted("moved")
    for _ in range(2):
        with pytest.raises(Storage, match="moved away or replaced"):
            store.append("abc", [event(2)]).result()
        path.write_bytes(b"")
    assert counted("moved") == before + 2
    path.unlink()
    aside.rename(path)
    store.append("abc", [event(2)]).result()
    assert len(store.events("abc")) == 2


def test_a_database_in_memory_is_refused():
    with pytest.raises(Storage, match="names no file"):
        Store("sqlite://")


def test_a_sqlite_that_makes_no_table_is_refused_before_there_is_a_file(path, monkeypatch):
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 34, 1))
    with pytest.raises(Storage, match=r"too old for a house, which needs 3\.35"):
        Store(path)
    assert not path.exists()


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


def test_a_database_that_is_silent_is_tried_once_for_all_that_wait(store, monkeypatch):
    """Each attempt may last for seconds."""
    tried, gate = [], threading.Event()

    def silent(_, jobs):
        tried.append(len(jobs))
        raise OperationalError("", {}, TimeoutError())

    monkeypatch.setattr(store._writer, "_insert", silent)
    store.submit(lambda _: gate.wait(5))
    waiting = [store.append(f"table {i}", [event(1)]) for i in range(50)]
    gate.set()
    for done in waiting:
        with pytest.raises(Storage):
            done.result(5)
    assert (len(tried) <= 2, sum(tried)) == (True, 50)  # what came before the gate was reached, and the rest


def test_a_fault_of_ours_in_the_writer_is_told_by_its_places_and_not_as_the_databases(store, monkeypatch, caplog):
    def broken(*_):
        raise KeyError("Zoraïde")

    monkeypatch.setattr(logs, "_seen", {})
    monkeypatch.setattr(store._writer, "_insert", broken)
    before = counted("broken"), counted("fault")
    with pytest.raises(Storage) as refused:
        store.append("abc", [event(1)]).result(5)
    (told,) = caplog.records
    assert (told.fields["kind"], told.fields["trace"][-1].split()[-1]) == ("KeyError", "broken")
    assert "Zoraïde" not in f"{refused.value}{told.fields}"
    assert (counted("broken"), counted("fault")) == (before[0], before[1] + 1)


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


@pytest.mark.parametrize("change", [("@127", ":wrong@127"), ("/house", "/nothing"), ("127.0.0.1:", "127.0.0.1:1")])
def test_a_server_that_refuses_is_one_sentence_without_a_password(postgres, change):
    url = postgres.replace(*change)
    with pytest.raises(Storage, match="cannot be used") as refusal:
        Store(url)
    assert "\n" not in str(refusal.value)
    assert PASSWORD not in str(refusal.value)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_without_a_place_for_every_name_is_refused(postgres_server, encoding):
    url = postgres_server.fresh(encoding)
    with pytest.raises(Storage, match=f"keeps texts as {encoding}") as refusal:
        Store(url)
    assert PASSWORD not in str(refusal.value)


def test_what_a_driver_says_is_told_without_the_password():
    place = Place.of(f"postgresql://anna:{PASSWORD}@127.0.0.1/house")
    refusal = place.refusal(ValueError(f"no route to anna:{PASSWORD}@127.0.0.1\n at all"))
    assert "no route to anna:***@127.0.0.1 at all" in str(refusal)


@pytest.mark.parametrize(
    "url", ["postgresql://u:pass/word@h/db", "postgresql://u:pass@word@h:x/db", "postgresql://h/db?password=password"]
)
def test_a_url_that_cannot_be_read_is_told_without_its_password(url):
    with pytest.raises(Storage) as refusal:
        Store(url)
    assert "word@" not in str(refusal.value)
    assert "pass" not in str(refusal.value).replace("password=***", "")
