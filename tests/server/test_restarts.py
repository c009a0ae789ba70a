"""Houses that start again under play: nothing acknowledged is lost, and everybody comes back."""

import json
import secrets
import signal
import socket
import threading
import time
from contextlib import suppress

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from brelan.build import build_id
from tests.server.clients import LOST, Guest, act, choose, my_turn, until
from tests.server.houses import end, figures, house, told


class Player:
    """Somebody who plays on whatever happens to the house, and comes back as a page does."""

    def __init__(self, address):
        self.guest = Guest(address)
        self.code = self.guest.make(**{"option.target": "1000"})  # no match ends before its house does
        self.line = self.guest.line(self.code)
        self.acknowledged, self.closed, self.gaps, self.lowest = {}, [], [], 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self):
        while not self.ended.is_set():
            try:
                self.act()
            except LOST as lost:
                self.come_back(lost)

    def act(self):
        view = self.line.view
        if not my_turn(view):
            act(self.line)
            return
        time.sleep(0.02)  # or a fast house ends the longest match while its workers give way
        key = secrets.token_hex(8)
        answer = self.line.ask("move", key, seen=view["number"], move=choose(view))
        if answer["type"] == "ack":
            self.acknowledged[key] = answer["number"]
            self.line.viewed(lambda view: view["number"] >= answer["number"])

    def come_back(self, lost):
        """See `line.js`: at once, then later and later, at most every three seconds."""
        if isinstance(lost, ConnectionClosed):
            self.closed.append(lost.rcvd.code if lost.rcvd else None)
        began, failures = time.monotonic(), 0
        while True:
            time.sleep(min(3.0, 0.25 * 2**failures) * (0.5 + secrets.randbelow(500) / 1000))
            failures += 1
            with suppress(*LOST):
                self.line = self.guest.line(self.code, since=self.line.view["number"])
                self.gaps.append(time.monotonic() - began)
                return
            assert time.monotonic() < began + 60

    def has_gone_on(self, before):
        return len(self.acknowledged) > before

    def stop(self):
        self.ended.set()
        self.thread.join(60)
        self.guest.close()


@pytest.fixture
def players():
    known = []

    def player(address):
        known.append(Player(address))
        return known[-1]

    yield player
    for one in known:
        one.stop()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def test_a_house_that_starts_again_under_play_loses_nothing_and_everybody_comes_back(tmp_path, players, capsys):
    """From an old process to a new one, on the same data at the same address."""
    port = free_port()
    with house(tmp_path, port=port) as first:
        here = [players(first.address) for _ in range(4)]
        answered = waiting(first.address)
        assert until(lambda: all(len(player.acknowledged) >= 5 for player in here))
        end(first)
    with house(tmp_path, port=port) as second:
        assert until(lambda: all(player.gaps for player in here), 60)
        before = [len(player.acknowledged) for player in here]
        assert until(lambda: all(map(Player.has_gone_on, here, before)), 60)
        for player in here:
            player.stop()
        end(second)
    assert {code for player in here for code in player.closed} == {1012}
    assert answered() == (200, True)
    there = events_of(tmp_path)
    for player in here:
        assert {key: there[player.code].get(key) for key in player.acknowledged} == player.acknowledged
    with capsys.disabled():
        print(f"\n  all back after {max(gap for player in here for gap in player.gaps):.2f} s")


def waiting(address):
    """A program's request that waits for news; in the end its status, and whether it came before its time."""
    guest, answers = Guest(address), []
    code = guest.make(against="people")
    since = guest.http.get(f"/api/v1/tables/{code}").json()["number"] + 5

    def ask():
        began = time.monotonic()
        answer = guest.http.get(f"/api/v1/tables/{code}", params={"since": since, "wait": 25}, timeout=60)
        answers.append((answer.status_code, time.monotonic() < began + 25))

    thread = threading.Thread(target=ask)
    thread.start()

    def answered():
        thread.join(60)
        guest.close()
        return answers[0]

    return answered


def events_of(data):
    """By table, what each key led to: the number of the event on disk."""
    import sqlite3

    connection = sqlite3.connect(data / "brelan.db")
    found = {}
    for code, body in connection.execute("SELECT code, body FROM events"):
        event = json.loads(body)
        found.setdefault(code, {})[event["key"]] = event["number"]
    connection.close()
    return found


def test_workers_give_way_one_by_one_and_their_figures_go_on(tmp_path, players, postgres, capfd):
    """SIGHUP: every worker is another one afterwards, and no request is turned away meanwhile. Which build runs is
    theirs to say: who started them is of an older one. They count where systemd has made a place.
    """
    moves, folder = ("brelan_moves_total", ("by", "person"), ("game", "gin")), tmp_path / "run"
    folder.mkdir()
    script = f"""
import os
from brelan.server import life
life.build_id, os.environ["RUNTIME_DIRECTORY"] = lambda: "older", {str(folder)!r}
"""
    with house(tmp_path, script, workers=2, database=postgres) as process:
        port = told(tmp_path, "start")[0]["metrics"]
        player = players(process.address)
        assert until(lambda: len(player.acknowledged) >= 5)
        counted, statuses = figures(port)[moves], set()
        process.process.send_signal(signal.SIGHUP)

        def renewed():
            statuses.add(httpx.get(f"{process.address}health").status_code)
            return len(told(tmp_path, "worker_ended")) == 2

        assert until(renewed, 60)
        before = len(player.acknowledged)
        assert until(lambda: player.has_gone_on(before), 60)
        player.stop()
        assert (statuses, player.closed[0], figures(port)[moves] > counted) == ({200}, 1012, True)
        assert until(lambda: figures(port)["brelan_lines", ("page", "table")] == 0)
        assert [labels[0] for name, *labels in figures(port) if name == "brelan_info"] == [("build", build_id())]
        assert (any((folder / "figures").iterdir()), (tmp_path / "figures").exists()) == (True, False)
        end(process)
    assert len({line["worker"] for line in told(tmp_path, "worker_started")}) == 4
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines() if "worker_opened" in line]
    assert [line["build"] for line in lines] == [build_id()] * 4
    assert told(tmp_path, "worker_died") + told(tmp_path, "fault") == []
