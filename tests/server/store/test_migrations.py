"""An older database is brought up to date without loss; whatever kills that leaves one that opens."""

import os
import secrets
import signal
import sqlite3
import subprocess
import sys
from functools import partial

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import delete, insert, select, text, update

from brelan.play.messages import Bot, Sit, Start
from brelan.play.replay import Replay, origin_at, record_of
from brelan.play.seats import Event
from brelan.play.table import Table
from brelan.server.matches.shown import finished_events
from brelan.server.store import Store, index
from brelan.server.store.engine import Place, opened, writing
from brelan.server.store.relations import events, finished, matches, meta
from brelan.server.store.upgrade import FOLDER, HEAD, revision, upgrade
from brelan.server.tables.summary import read_unknown, summary_of
from tests.play.scripts import begun, play_again, play_on
from tests.server.matches import begin, played, stored, table

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


def as_of(place, number, *statements):
    """Bring a database as far as that revision, and carry out in it what is said."""
    engine = opened(Place.of(place))
    with writing(engine) as connection:
        upgrade(connection, number)
        for statement in statements:
            connection.execute(statement)
    engine.dispose()


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


def test_whose_turn_it_was_before_that_was_written_down_is_known(path):
    table = old(path)
    as_of(path, "0004", text("UPDATE tables SET status = 'playing'"))
    store = Store(path)
    read_unknown(store)
    with store.read() as connection:
        assert index.table(connection, "abc").asked == summary_of(table).asked > 0
    store.close()


@pytest.mark.parametrize("is_readable", [True, False])
def test_every_match_of_a_table_that_is_read_later_keeps_its_record(either, monkeypatch, is_readable):
    """Not the last one only; a record outlives the rules by which a table is read."""
    made = play_on(begun(persons=2, options={"target": 30}))
    first = made.sealed.match
    play_again(made, 30.0)
    stored(either, made)
    either.submit(lambda connection: connection.execute(delete(matches))).result()
    either.submit(partial(index.unreadable, code="abc")).result()
    if not is_readable:
        monkeypatch.setattr(Table, "rebuilt", None)
    read_unknown(either)
    assert record_of(finished_events(either, first), first) == record_of(made.events, first)
    with either.read() as connection:
        assert index.match(connection, made.sealed.match).over_at is None


def test_matches_that_asked_what_if_are_found_by_how_their_tables_were_made(place):
    """A nickname that looks like it makes no table one."""
    statements = []
    for number, (code, data) in enumerate([("fresh", {"name": '"origin":'}), ("asked", {"origin": {"line": 6}})]):
        body = msgspec.json.encode(Event(1, 1.0, "made", "anna", "", data)).decode()
        statements.append(insert(events).values(code=code, number=1, body=body))
        statements.append(insert(matches).values(match=code, code=code, begun_at=1.0))
        row = (code, number, code, "gin", "sheet", 2, 0, False, 1.0, 2.0, 1, 1)
        names = [column.name for column in finished.columns if column.name != "whatif"]
        statements.append(insert(finished).values(dict(zip(names, row, strict=True))))
    as_of(place, "0006", *statements)
    store = Store(place)
    with store.read() as connection:
        found = [{row.code: row.whatif for row in connection.execute(select(one))} for one in (finished, matches)]
    store.close()
    assert found == [{"fresh": False, "asked": True}] * 2


def test_on_postgresql_scores_are_given_room_for_64_bits(postgres):
    as_of(postgres, "0007", text("ALTER TABLE results ALTER score TYPE INTEGER"))
    store = Store(postgres)
    with store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), meta) == []
    store.close()


@pytest.mark.parametrize("is_readable", [True, False])
def test_a_table_of_an_older_version_that_asked_what_if_is_known_as_one(either, monkeypatch, is_readable):
    made = stored(either, played(table("abc", ["anna", "bela"])))
    asked = stored(either, table("asked", ["anna", None], origin=origin_at(Replay(made.events, made.sealed.match), 3)))
    begin(asked)
    stored(either, asked)
    either.submit(lambda connection: connection.execute(delete(matches))).result()
    for code in ("abc", "asked"):
        either.submit(partial(index.unreadable, code=code)).result()
    if not is_readable:
        monkeypatch.setattr(Table, "rebuilt", None)
    read_unknown(either)
    with either.read() as connection:
        assert {row.code: row.whatif for row in connection.execute(select(matches))} == {"abc": False, "asked": True}


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
            assert index.unknown(connection) == ["abc"], "the next version may be able to"
        assert len(store.events("abc")) == 1
    finally:
        store.close()


@pytest.mark.parametrize("is_readable", [True, False])
def test_a_table_with_which_another_worker_goes_on_while_it_is_read_stays_as_that_leaves_it(
    either, monkeypatch, is_readable
):
    """The replay of a match that was over stayed shut."""
    made = stored(either, table("abc", ["anna", "bela"]))
    either.submit(partial(index.unreadable, code="abc")).result()

    def meanwhile(draw, events, rebuilt=Table.rebuilt):
        stored(either, played(made))
        return rebuilt(draw, events if is_readable else [])

    monkeypatch.setattr(Table, "rebuilt", meanwhile)
    read_unknown(either)
    with either.read() as connection:
        assert index.table(connection, "abc").status == "over"
        assert index.match(connection, made.sealed.match).over_at == made.events[-1].at


def test_a_table_with_a_broken_row_keeps_no_house_from_opening(either):
    for code in "abc", "def":
        stored(either, table(code, ["anna", "bela"]))
        either.submit(partial(index.unreadable, code=code)).result()
    broken = update(events).where(events.c.code == "abc").values(body='{"number":')
    either.submit(lambda connection: connection.execute(broken)).result()
    read_unknown(either)
    with either.read() as connection:
        assert index.table(connection, "abc").status == "unreadable"
        assert index.table(connection, "def").status == "open"


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
