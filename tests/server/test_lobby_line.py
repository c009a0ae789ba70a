"""The line to the lobby: open tables, and one's own, are told as they come and go, to whom they concern."""

import asyncio
import json
import re
import time
from itertools import pairwise

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from brelan.server.store import Storage
from brelan.server.tables import board, standing
from tests.server.clients import lobby, told


def test_open_tables_are_told_as_they_come_and_go(anna, ben):
    line = lobby(ben, lang="en")
    private, code = anna.make("gin", against=""), anna.make("gin", against="", listed="true", preset="classic")
    frame = told(line, "tables", lambda frame: code in frame["rows"])
    assert private not in frame["order"]
    assert "1 free seat of 2" in frame["rows"][code]
    assert "Bonus for an undercut: 25" in frame["rows"][code]
    assert f'href="/t/{code}"' in frame["rows"][code]
    assert code in ben.http.get("/").text
    ben.line(code).ask("sit", seat=1, name="Ben")
    frame = told(line, "tables", lambda frame: code not in frame["order"])
    assert code not in frame["rows"]


def test_who_waits_for_long_is_shown_until_they_leave_and_again_once_they_are_back(anna, ben, monkeypatch):
    """Nothing happens at the table meanwhile."""
    monkeypatch.setattr(standing, "LEFT", -1.0)
    monkeypatch.setattr(board, "AGAIN", 0.1)
    code, line = anna.make("gin", against="", listed="true"), lobby(ben)
    for _ in range(2):
        at_table = anna.line(code)
        told(line, "tables", lambda frame: code in frame["order"])
        at_table.close()
        told(line, "tables", lambda frame: code not in frame["order"])


def test_only_what_changed_is_told(anna, ben):
    first = anna.make("hawaiki", against="", listed="true", players="5")
    line = lobby(ben)
    told(line, "tables", lambda frame: first in frame["rows"])
    second = anna.make("mio", against="", listed="true", players="5", nickname="<i>Anna</i>")
    frame = told(line, "tables", lambda frame: second in frame["rows"])
    assert first in frame["order"]
    assert list(frame["rows"]) == [second]
    assert "<i>" not in frame["rows"][second]


def test_who_comes_right_after_the_last_one_left_is_told_what_happened_between(anna, ben):
    line = lobby(ben)
    told(line, "tables", lambda frame: True)
    line.close()
    code = anna.make("hawaiki", against="", listed="true", players="5")
    told(lobby(ben), "tables", lambda frame: code in frame["rows"])


def test_who_knows_the_list_already_is_told_nothing(anna, ben):
    code = anna.make("hawaiki", against="", listed="true", players="6")
    line = lobby(ben)
    seen = told(line, "tables", lambda frame: code in frame["order"])["seen"]
    (shown,) = re.findall('data-seen="([^"]*)"', ben.http.get("/").text)
    assert shown == seen
    quiet = lobby(ben, seen=seen)
    quiet.send("yours")
    assert json.loads(quiet.recv(10))["type"] == "yours"


def test_a_change_among_ones_own_tables_is_told_to_their_people_only(anna, ben):
    code = anna.make("gin", against="")
    hers, his = lobby(anna), lobby(ben)
    his.send("yours")
    assert told(his, "yours", lambda frame: True)["html"] == ""
    anna.line(code).ask("bot", seat=1, level="novice")
    assert code in told(hers, "yours", lambda frame: "Ready to begin" in frame["html"])["html"]
    his.send("yours")
    assert told(his, "yours", lambda frame: True)["html"] == ""


@pytest.mark.parametrize("error", [Storage("storage.broken", path="", why=""), RuntimeError("broken")], ids=repr)
def test_what_changed_while_the_store_could_not_be_read_is_told_after_it(anna, monkeypatch, error):
    code = anna.make("gin", against="")
    line, real, failed = lobby(anna), board.persons_of, []

    def persons_of(store, touched):
        if code in touched and not failed:
            failed.append(code)
            raise error
        return real(store, touched)

    monkeypatch.setattr(board, "persons_of", persons_of)
    anna.line(code).ask("bot", seat=1, level="novice")
    assert code in told(line, "yours", lambda frame: "Ready to begin" in frame["html"])["html"]
    assert failed


def test_who_comes_right_after_a_reading_that_failed_is_shown_the_list(running, monkeypatch):
    def unread(*_):
        raise Storage("storage.broken", path="", why="")

    async def come(listed):
        with monkeypatch.context() as broken:
            broken.setattr(board, "open_tables", unread)
            with pytest.raises(Storage):
                await listed.sheet("en")
        return await listed.sheet("en")

    rooms = running.house.rooms
    assert asyncio.run(come(board.Board(running.house.store, rooms.beat, rooms.attended))).digest


def test_nobody_drives_the_pace_of_the_answers(anna):
    line = lobby(anna)
    for _ in range(50):
        line.send("yours")
    came = []
    while len(came) < 3:
        if json.loads(line.recv(10))["type"] == "yours":
            came.append(time.monotonic())
    assert all(after - before > 0.9 for before, after in pairwise(came))


def test_another_site_hears_nothing(anna):
    with pytest.raises(InvalidStatus):
        connect(anna.address.replace("http", "ws", 1) + "/lobby/socket", origin="http://elsewhere.example")
