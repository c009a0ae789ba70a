"""What is asked often, or by the thread that writes, is found by an index: nothing is read from end to end for it."""

import pytest
from sqlalchemy import event

from brelan.server.matches import results
from brelan.server.matches.statistics import promises
from brelan.server.store import index
from brelan.server.store.relations import finished
from brelan.server.tables import farewell


@pytest.fixture
def plans(either):
    """How the database goes about each question."""
    found = []
    explain = "EXPLAIN" if either.engine.dialect.name == "postgresql" else "EXPLAIN QUERY PLAN"

    def look(connection, _, statement, parameters, *__):
        cursor = connection.connection.cursor()
        if explain == "EXPLAIN":
            cursor.execute("SET LOCAL enable_seqscan = off")  # what is small is else always read whole
        cursor.execute(f"{explain} {statement}", parameters)
        found.extend(str(row[-1]) for row in cursor.fetchall())
        cursor.close()

    for engine in (either.engine, either._writer.engine):
        event.listen(engine, "before_cursor_execute", look)
    return found


def scans(plans):
    return [line for line in plans if "Seq Scan" in line or "SCAN" in line or "SubPlan" in line]


def test_the_search_finds_what_is_read_whole(either, plans):
    either.submit(lambda connection: connection.execute(finished.select().where(finished.c.rounds == 1))).result()
    assert scans(plans)


def test_ones_own_tables(either, plans):
    with either.read() as connection:
        index.of_person(connection, "anna")
    assert plans
    assert scans(plans) == []


def test_the_lobbys_list(either, plans):
    with either.read() as connection:
        index.listed(connection, since=1.0, attended={"abc"})
    assert plans
    assert [line for line in scans(plans) if "tables" in line or "sittings" in line] == []


def test_what_was_not_entered(either, plans):
    results.missing(either)
    assert plans
    assert [line for line in scans(plans) if "matches" not in line] == []


def test_which_matches_are_played_now(either, plans):
    promises(either, 0.0)
    assert plans
    assert [line for line in scans(plans) if "matches" not in line] == []


def test_who_is_renamed_at_a_table(either, plans):
    either.submit(lambda connection: farewell._renamed(connection, "abc", "anna", "alias")).result()
    assert plans
    assert scans(plans) == []
