"""What the house does again and again goes on, whatever goes wrong once; and that is told."""

import asyncio
from types import SimpleNamespace

import pytest

from brelan.server.matches.clerk import Clerk
from brelan.server.settings import Settings
from brelan.server.store import Storage, Store
from brelan.server.tables.rooms import Rooms
from brelan.server.upkeep.beat import Beat
from brelan.server.upkeep.chores import again

WRONG = [(Storage("storage.full", path="x"), "storage.full"), (KeyError("Zoraïde"), "KeyError")]


@pytest.fixture
def told(caplog, monkeypatch):
    """The event, the kind and the fields of each line, in order."""
    monkeypatch.setattr("brelan.server.ledger.logs._seen", {})
    return lambda: [(line.msg, line.fields["kind"], line.fields) for line in caplog.records if line.name == "brelan"]


@pytest.mark.parametrize(("wrong", "kind"), WRONG)
@pytest.mark.parametrize("waits", [False, True])
def test_a_chore_that_fails_once_is_told_of_and_done_again(wrong, kind, waits, told):
    done = []

    def chore():
        done.append(len(done))
        if len(done) == 1:
            raise wrong

    async def waiting():
        await asyncio.sleep(0)
        chore()

    async def three_times():
        task = asyncio.create_task(again(0.0, waiting if waits else chore))
        while len(done) < 3:
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(asyncio.wait_for(three_times(), 10))
    ((event, found, fields),) = told()
    assert (event, found) == ("chore", kind)
    assert "Zoraïde" not in str(fields)


def test_a_chore_is_done_at_once_and_not_again_before_its_time():
    done = []

    async def a_while():
        task = asyncio.create_task(again(3600.0, lambda: done.append(True)))
        for _ in range(10):
            await asyncio.sleep(0)
        task.cancel()

    asyncio.run(a_while())
    assert done == [True]


@pytest.mark.parametrize(("wrong", "kind"), WRONG)
@pytest.mark.parametrize("where", ["enter", "Finished.of"])
def test_a_match_that_cannot_be_entered_is_told_of_and_its_table_goes_on(where, wrong, kind, told, monkeypatch):
    def fail(*_):
        raise wrong

    one = SimpleNamespace(match="abc")

    async def entered():
        clerk = Clerk(None)
        clerk.enter(SimpleNamespace(sealed=one))
        await clerk.close()

    monkeypatch.setattr("brelan.server.matches.results.Finished.of", lambda table: one)
    monkeypatch.setattr(f"brelan.server.matches.results.{where}", fail)
    asyncio.run(entered())
    ((event, found, fields),) = told()
    assert (event, found, fields["match"]) == ("not_entered", kind, "abc")


def test_tables_are_looked_for_again_though_it_failed(tmp_path, monkeypatch):
    monkeypatch.setattr("brelan.server.tables.rooms.DUE_EVERY", 0.01)
    looks = []

    def due(self, until):
        looks.append(until)
        raise RuntimeError

    async def a_while():
        store = Store(tmp_path / "brelan.db")
        rooms = Rooms(Settings(data=tmp_path), store, Beat(tmp_path / "beat"))
        rooms.begin()
        while len(looks) < 3:
            await asyncio.sleep(0.01)
        await rooms.close()
        store.close()

    monkeypatch.setattr(Rooms, "_due", due)
    asyncio.run(asyncio.wait_for(a_while(), 10))
