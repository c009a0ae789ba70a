"""The lobby's board by itself: who is told what and when, and how seldom the store is read for it."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from brelan.server.tables import board
from brelan.server.tables.board import Board, Line, Sheet


@pytest.fixture
def known(monkeypatch):
    """What the store would say: the open tables with their rows, whose they are, and how often it was read."""
    known = SimpleNamespace(rows={}, owners={}, reads=0)

    def open_tables(*_):
        known.reads += 1
        return list(known.rows.items())

    def persons_of(_, codes):
        return {person for code in codes for person in known.owners.get(code, ())}

    def tables_of(_store, _beat, person, brought):
        return [((who, f"tables of {who}"), who) for who in (person, *brought.values()) if who]

    monkeypatch.setattr(board, "PAUSE", 0.01)
    monkeypatch.setattr(board, "open_tables", open_tables)
    monkeypatch.setattr(board, "persons_of", persons_of)
    monkeypatch.setattr(board, "tables_of", tables_of)
    monkeypatch.setattr(board, "_rows", lambda template, tables, language, **values: dict(tables))
    return known


def lobby(story):
    """Let something happen at a board, and end it."""

    async def happen():
        listed = Board(None, None, set)
        try:
            await asyncio.wait_for(story(listed), 10)
        finally:
            await listed.close()

    asyncio.run(happen())


def entered(listed, person="", **brought):
    line = Line(person, "en", "", brought)
    listed.enter(line)
    return line


async def told(listed, line):
    """The next frames that say anything; a line may be woken for nothing, but not for ever."""
    for _ in range(10):
        if frames := await listed.frames(line):
            return [json.loads(frame) for frame in frames]
    raise AssertionError("woken for nothing")


async def is_left_alone(line):
    await asyncio.sleep(0.1)
    assert not line.something.is_set()


def test_a_list_says_what_is_new_since_the_one_before():
    one = Sheet.of({"a": "1", "b": "2"}, None)
    two = Sheet.of({"c": "4", "b": "3"}, one)
    assert two.before == one.digest
    assert json.loads(two.change) == {"type": "tables", "seen": two.digest, "order": ["c", "b"], "rows": two.rows}
    three = Sheet.of({"b": "3", "c": "4"}, two)
    assert json.loads(three.change)["rows"] == {}
    assert json.loads(three.whole)["rows"] == three.rows
    assert Sheet.of(dict(three.rows), three) is three, "who saw the one before is still told the change"


def test_who_comes_to_others_is_told_the_list_that_is_known_and_the_store_is_not_read_again(known):
    async def story(listed):
        first = await told(listed, entered(listed))
        assert await told(listed, entered(listed)) == first
        await asyncio.sleep(0.05)
        assert known.reads == 1

    known.rows["a"] = "1"
    lobby(story)


def test_who_comes_to_a_lobby_that_was_empty_for_long_is_told_as_all_are(known):
    async def story(listed):
        line = entered(listed)
        await told(listed, line)
        listed.leave(line)
        await listed._task
        line = entered(listed)
        await told(listed, line)
        for row in "23":
            known.rows["a"] = row
            listed.touch(["a"])
            (frame,) = await told(listed, line)
            assert frame["rows"] == {"a": row}

    known.rows["a"] = "1"
    lobby(story)


def test_who_missed_a_list_is_told_the_whole_and_who_did_not_the_change(known):
    async def story(listed):
        behind, line = entered(listed), entered(listed)
        for one in (behind, line):
            await told(listed, one)
        for code in "bc":
            known.rows[code] = "1"
            listed.touch([code])
            (frame,) = await told(listed, line)
            assert list(frame["rows"]) == [code]
        assert [list(frame["rows"]) for frame in await told(listed, behind)] == [["a", "b", "c"]]
        await is_left_alone(behind)

    known.rows["a"] = "1"
    lobby(story)


def test_of_their_own_tables_those_are_told_who_have_asked_or_sit_there(known):
    async def story(listed):
        anna, bela = entered(listed, "anna"), entered(listed, "bela")
        for line, name in ((anna, "anna"), (bela, "bela")):  # as they are now: the page may be older
            frames = await told(listed, line)
            frames += await told(listed, line) if len(frames) == 1 else []
            assert {"type": "yours", "html": f"tables of {name}"} in frames
        known.owners["a"] = ["anna"]
        listed.touch(["a"])
        assert await told(listed, anna) == [{"type": "yours", "html": "tables of anna"}]
        for line in (anna, bela):
            await is_left_alone(line)
        bela.wake(asks=True)
        bela.wake()
        assert await told(listed, bela) == [{"type": "yours", "html": "tables of bela"}]
        known.rows["b"] = "1"
        listed.touch(["b"])
        assert [frame["type"] for frame in await told(listed, bela)] == ["tables"]
        nobody = entered(listed)
        nobody.wake(asks=True)
        assert (await told(listed, nobody))[-1] == {"type": "yours", "html": ""}

    known.rows["a"] = "1"
    lobby(story)


def test_whose_seat_was_brought_is_told_of_that_table_only(known):
    async def story(listed):
        phone = entered(listed, a="anna")
        frames = await told(listed, phone)
        frames += await told(listed, phone) if len(frames) == 1 else []
        assert {"type": "yours", "html": "tables of anna"} in frames
        known.owners |= {"a": ["anna"], "b": ["anna"]}
        listed.touch(["b"])
        await is_left_alone(phone)
        listed.touch(["a"])
        assert await told(listed, phone) == [{"type": "yours", "html": "tables of anna"}]

    known.rows["a"] = "1"
    lobby(story)


def test_who_comes_while_the_store_cannot_be_read_is_told_after_it(known, monkeypatch):
    async def story(listed):
        line = entered(listed)
        with monkeypatch.context() as broken:
            broken.setattr(board, "open_tables", lambda _: 1 / 0)
            assert await listed.frames(line) == []
            await is_left_alone(line)
        assert (await told(listed, line))[0]["order"] == ["a"]

    known.rows["a"] = "1"
    lobby(story)


@pytest.mark.parametrize(("pause", "reads"), [(0.0, 2), (3600.0, 1)])
def test_pages_read_the_list_anew_only_after_a_while(known, monkeypatch, pause, reads):
    async def story(listed):
        for _ in range(2):
            assert (await listed.sheet("en")).html == "1"
        assert known.reads == reads

    monkeypatch.setattr(board, "PAUSE", pause)
    known.rows["a"] = "1"
    lobby(story)
