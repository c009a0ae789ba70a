"""Kill the server as a power cut would, at the worst points: what was acknowledged is there when it comes back.

The comparison is made at reconnect, before anything is sent again: later the client's own repetition would hide a loss.
"""

import json
import sqlite3

import pytest

from tests.server.clients import LOST, SERVER, Guest, Process, act, choose, my_turn

# A server that tells its clients before the disk has it: the check must find it out.
HASTY = f"""
import threading
from concurrent.futures import Future
from brelan.server.store import Store
known, append = set(), Store.append

def hasty(self, code, events, summary=None):
    if code not in known:  # the table itself is there before anybody comes
        known.add(code)
        return append(self, code, events, summary)
    done = Future()
    done.set_result(None)
    threading.Timer(0.5, append, (self, code, events, summary)).start()
    return done

Store.append = hasty
{SERVER}"""


def stored(data, code):
    """The keys of all that the disk holds of a table."""
    database = sqlite3.connect(data / "brelan.db")
    bodies = database.execute("SELECT body FROM events WHERE code = ? ORDER BY number", (code,)).fetchall()
    database.close()
    events = [json.loads(body) for (body,) in bodies]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    return {event["key"]: event["number"] for event in events if event["key"]}


def play_until_it_dies(guest, code, kill=None, moves=10**6):
    """Play as long as there is a server; the acknowledged keys, the key that was not, the last view."""
    acknowledged, asked, line = {}, None, None
    try:
        line = guest.line(code)
        while len(acknowledged) < moves:
            view = line.view
            if view["table"]["seat"] in view["table"]["waits_for"] or not my_turn(view):
                act(line)
                continue
            asked = line.send("move", seen=view["number"], move=choose(view))
            answer = line.until(lambda frame, key=asked: frame.get("key") == key)
            if answer["type"] == "ack":
                acknowledged[asked], asked = answer["number"], None
            line.viewed(lambda view, answer=answer: view["number"] >= answer["number"])
        kill()
    except LOST:
        pass
    return acknowledged, asked, line.view if line else None


def crashed(data, point):
    """A match that dies at a crash point; its guest's cookies, code, acknowledged keys, open key and last view."""
    with Process(data, crash=point) as house:
        guest = Guest(house.address)
        code = guest.make(**{"option.target": "500"})
        told = play_until_it_dies(guest, code)
        house.wait()
        cookies = dict(guest.http.cookies)
        guest.close()
    return cookies, code, *told


@pytest.mark.parametrize("point", ["before_commit:12", "after_commit:12", "after_commit:25", "after_ack:6"])
def test_nothing_acknowledged_is_lost_in_a_crash(tmp_path, point):
    cookies, code, acknowledged, asked, view = crashed(tmp_path, point)
    assert acknowledged
    there = stored(tmp_path, code)
    assert {key: there.get(key) for key in acknowledged} == acknowledged
    with Process(tmp_path) as house:
        guest = Guest(house.address, cookies)
        line = guest.line(code, since=view["number"])
        assert line.view["number"] >= max(acknowledged.values())
        assert (line.view["table"]["seat"], line.view["table"]["match"]) == (0, view["table"]["match"])
        if asked in there:  # on disk, but nobody was told: asked again, it is acknowledged and not played twice
            again = line.ask("move", key=asked, seen=view["number"], move="draw")
            assert (again["type"], again["number"]) == ("ack", there[asked])
        moves, _, _ = play_until_it_dies(guest, code, kill=house.kill, moves=3)
        assert len(moves) == 3
        guest.close()


def test_a_killed_server_comes_back_with_the_same_table(tmp_path):
    with Process(tmp_path) as house:
        guest = Guest(house.address)
        code = guest.make(**{"option.target": "500"})
        acknowledged, _, view = play_until_it_dies(guest, code, kill=house.kill, moves=5)
        cookies = dict(guest.http.cookies)
        guest.close()
    there = stored(tmp_path, code)
    assert {key: there.get(key) for key in acknowledged} == acknowledged
    with Process(tmp_path) as house:
        guest = Guest(house.address, cookies)
        line = guest.line(code)
        assert line.view["number"] >= view["number"]
        assert line.view["table"]["commit"] == view["table"]["commit"]
        hand = next(zone for zone in view["scene"]["zones"] if zone["id"] == "hand:0")
        if line.view["number"] == view["number"]:
            assert hand in line.view["scene"]["zones"]
        guest.close()


def test_the_check_finds_a_server_that_tells_before_it_writes(tmp_path):
    lost = {}
    for kill in range(3):
        data = tmp_path / str(kill)
        with Process(data, script=HASTY) as house:
            guest = Guest(house.address)
            code = guest.make(**{"option.target": "500"})
            try:
                acknowledged, _, _ = play_until_it_dies(guest, code, kill=house.kill, moves=2)
            finally:
                guest.close()
        there = stored(data, code)
        lost |= {key: number for key, number in acknowledged.items() if key not in there}
    assert lost
