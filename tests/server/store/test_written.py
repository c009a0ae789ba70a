"""What is stored: append-only, numbered, on disk before anybody is told."""

import sqlite3
import threading
import time
from concurrent.futures import CancelledError
from contextlib import ExitStack, closing, suppress
from dataclasses import replace

import pytest
from psycopg import OperationalError
from sqlalchemy import insert, text

from brelan.play.seats import Event
from brelan.server.store import Conflict, Storage, Store, index, writer
from brelan.server.store.engine import LOG, _on_connect
from brelan.server.store.index import Sitting, Summary
from brelan.server.store.relations import sittings
from brelan.server.store.scrub import scrub
from brelan.server.store.writer import Writer
from tests.server.store.conftest import event

SITTING = {"code": "abc", "seat": 0, "person": "anna", "name": "Anna"}


NEW = Summary("abc", "gin", "sheet", "open", True, 1, 2, "anna", 1.0, 1.0, None, None, None, None, ())


def summary(code, **choices):
    return replace(NEW, code=code, **choices)


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


def test_no_number_is_written_behind_one_that_is_missing(either):
    """Nor are others with it, and what was tried is not there."""
    either.append("abc", [event(1), event(2)]).result()
    for missing in ([event(4)], [event(3), event(5)]):
        with pytest.raises(Conflict):
            either.append("abc", missing).result()
    with pytest.raises(Conflict):
        either.append("xyz", [event(2)]).result()
    assert (either.events("abc"), either.events("xyz")) == ([event(1), event(2)], [])


def test_what_is_committed_is_in_the_file_while_the_house_is_open(store, path):
    store.append("abc", [event(1)]).result()
    other = sqlite3.connect(path)
    assert other.execute("SELECT count(*) FROM events").fetchone() == (1,)
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


def test_every_connection_syncs_in_full(store):
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA fullfsync").scalar() == 1


def test_every_connection_overwrites_what_is_deleted():
    """Whatever its SQLite does by itself: Debian's overwrites, others do not."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA secure_delete=OFF")
        _on_connect(connection, None)
        assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)


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


def test_nobody_waits_for_what_comes_after_the_end(either):
    """A thread that writes step by step, such as one that forgets a person, may outlive the house by a step."""
    either.close()
    for late in (either.submit(lambda _: None), either.append("abc", [event(1)])):
        with pytest.raises(CancelledError):
            late.result(5)


def test_emptying_the_log_keeps_nobody_from_writing(store):
    """While somebody reads what is in it, it cannot be emptied; moves are written all the same."""
    store.append("abc", [event(1)]).result()
    with store.read() as connection:
        connection.scalar(text("SELECT count(*) FROM events"))
        store.append("abc", [event(2)]).result()
        emptied = threading.Thread(target=scrub, args=(store,))
        emptied.start()
        began = time.monotonic()
        for number in range(3, 8):
            store.append("abc", [event(number)]).result(5)
        assert time.monotonic() - began < 1.5
    emptied.join(10)
    assert store.place.file.with_name("brelan.db-wal").stat().st_size == 0


def test_the_log_grows_only_as_long_as_somebody_reads(store):
    """What it grew to it would keep until the house is stopped."""
    log = store.place.file.with_name("brelan.db-wal")
    with store.read() as connection:
        connection.scalar(text("SELECT count(*) FROM events"))
        store.append("abc", [event(1, text="x" * 2 * LOG)]).result()
        assert log.stat().st_size > LOG
    for number in (2, 3, 4):
        store.append("abc", [event(number)]).result()
    assert log.stat().st_size == LOG


def test_the_log_is_emptied_over_the_connection_that_writes(store):
    """Over another, while that one commits, an older SQLite can spoil the database."""
    said = []
    store.append("abc", [event(1)]).result()
    with store._writer.engine.connect() as connection:
        connection.connection.dbapi_connection.set_trace_callback(said.append)
    scrub(store)
    assert [line for line in said if "checkpoint" in line] == ["PRAGMA wal_checkpoint(TRUNCATE)"]


def test_the_lobby_shows_tables_where_somebody_sits_and_two_of_each_host(either):
    sits = (Sitting(0, "anna", "Anna"),)
    for at, code in enumerate(("aaa", "bbb", "ccc"), 1):
        either.append(code, [event(1)], summary(code, host="anna", changed_at=float(at), sittings=sits)).result()
    either.append("ddd", [event(1)], summary("ddd", host="ben", changed_at=0.5, sittings=sits)).result()
    either.append("eee", [event(1)], summary("eee", host="cleo")).result()
    with either.read() as connection:
        assert [row.code for row in index.listed(connection)] == ["ccc", "bbb", "ddd"]


def test_what_was_left_is_in_no_list_unless_somebody_is_there_again(either):
    """It takes the place of none of its host's others."""
    sits = (Sitting(0, "anna", "Anna"),)
    for at, code in enumerate(("aaa", "bbb", "ccc", "ddd"), 1):
        either.append(code, [event(1)], summary(code, host="anna", changed_at=float(at), sittings=sits)).result()
    with either.read() as connection:
        assert [row.code for row in index.listed(connection, since=3.0)] == ["ddd"]
        assert [row.code for row in index.listed(connection, since=3.0, attended={"aaa"})] == ["aaa", "ddd"]


def test_nobody_fills_the_list_as_a_new_host_each_time_before_those_who_are_there(either):
    for at, code in enumerate(("aaa", "bbb", "ccc"), 1):
        sits = (Sitting(0, code, "Anna"),)
        either.append(code, [event(1)], summary(code, host=code, changed_at=float(at), sittings=sits)).result()
    with either.read() as connection:
        assert [row.code for row in index.listed(connection, 2, attended={"aaa"})] == ["aaa", "ccc"]
    for at, code in enumerate(("aaa", "bbb", "ccc"), 4):
        sits = (Sitting(0, code, "Anna"),)
        either.append(code, [event(2)], summary(code, host="anna", changed_at=float(at), sittings=sits)).result()
    with either.read() as connection:
        shown = [row.code for row in index.listed(connection, attended={"aaa"})]
    assert shown == ["aaa", "ccc"], "of one host's, where they wait is not left out for what they have left"


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


def test_of_ones_own_tables_those_that_are_not_over_come_first(either):
    """However many others have ended since, a match by turns is not lost sight of."""
    stands = [("a", "playing"), ("b", "over"), ("c", "open"), ("d", "playing"), ("e", "over"), ("f", "open")]
    for at, (code, status) in enumerate(stands):
        anna = (Sitting(0, "anna", "Anna"),)
        either.append(code, [event(1)], summary(code, status=status, changed_at=float(at), sittings=anna)).result()
    with either.read() as connection:
        assert [row.code for row in index.of_person(connection, "anna")] == ["d", "a", "f", "c", "e", "b"]
        assert [row.code for row in index.of_person(connection, "anna", 2)] == ["d", "a"]


def test_tables_that_stand_still_with_nobody_else_hide_no_other(either):
    anna, ben = Sitting(0, "anna", "Anna"), Sitting(1, "ben", "Ben")
    for code, status, changed_at, deadline, sit in (
        ("alone", "playing", 1.0, None, (anna,)),
        ("nobody", "open", 1.0, None, ()),
        ("fresh", "playing", 9.0, None, (anna,)),
        ("friend", "playing", 1.0, None, (anna, ben)),
        ("turns", "playing", 1.0, 99.0, (anna,)),
        ("ended", "over", 1.0, None, (anna,)),
    ):
        said = {"status": status, "changed_at": changed_at, "deadline": deadline, "sittings": sit, "host": "anna"}
        either.append(code, [event(1)], summary(code, **said)).result()
    with either.read() as connection:
        found = [row.code for row in index.of_person(connection, "anna", since=5.0)]
    assert sorted(found) == ["ended", "fresh", "friend", "turns"]


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

    with pytest.raises(Storage, match="KeyError"):
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


def test_a_job_whose_asker_has_gone_is_not_done(either):
    began, gate = threading.Event(), threading.Event()
    slow = either.submit(lambda _: began.set() or gate.wait(5))
    assert began.wait(5)  # what comes now is of the next commit
    gone, wanted = either.append("abc", [event(1)]), either.append("xyz", [event(1)])
    assert gone.cancel()
    gate.set()
    assert (slow.result(5), wanted.result(5)) == (True, None)
    assert (either.events("abc"), either.events("xyz")) == ([], [event(1)])
