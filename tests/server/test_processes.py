"""Workers as processes of their own: one that is killed costs nobody a move, and none outlives the others."""

import asyncio
import fcntl
import json
import os
import secrets
import signal
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from brelan.build import build_id
from brelan.errors import Refusal
from brelan.served import Served
from brelan.server.app import Settings, listening
from brelan.server.house import House
from brelan.server.life import Server
from brelan.server.workers import Workers, work
from tests.server.clients import LOST, Guest, Process, choose, my_turn, until
from tests.server.houses import WAIT, stillborn
from tests.server.players import begun, stored
from tests.server.postgres import PASSWORD


@pytest.fixture
def house(tmp_path, postgres):
    """`brelan serve --workers 2`."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    served = Served(tmp_path, "--workers", "2", "--database", postgres, stderr=subprocess.PIPE, env=environment)
    yield served
    served.end()
    assert served.process.returncode == 0
    assert PASSWORD not in served.process.stderr.read()
    served.process.stderr.close()


def test_a_worker_knows_which_sources_it_runs_before_it_answers(tmp_path, monkeypatch):
    def run(server, _):
        known.append(build_id.cache_info().currsize)
        asyncio.run(server.house.close())

    known = []
    monkeypatch.setattr(Server, "run", run)
    build_id.cache_clear()
    work({"data": tmp_path}, None, None, None)
    assert known == [1]


def test_a_worker_that_cannot_open_the_database_says_so_in_one_line(tmp_path):
    """A trace would bury the one sentence that says why, and break whoever reads the log by line."""
    script = "from brelan.server.workers import work; "
    script += "work({'database': 'postgresql://nobody@127.0.0.1:1/none', 'log': 'json'}, None, None, None)"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "XDG_DATA_HOME": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    (line,) = run.stderr.splitlines()
    assert (run.returncode, json.loads(line)["event"]) == (2, "storage")


def workers(process):
    """The numbers of a house's workers."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process.pid and "spawn_main" in (folder / "cmdline").read_text():
                found.append(int(folder.name))
    return sorted(found)


def test_a_worker_killed_in_mid_match_costs_nobody_a_move(house, people, postgres):
    """Each is killed once; who was on it comes back, and what was acknowledged is there before any repetition."""
    anna, ben = begun(people, house.address, house.address, **{"option.target": "500"})
    acknowledged = {}
    for killed in workers(house.process):
        for _ in range(6):
            step((anna, ben), acknowledged)
        os.kill(killed, signal.SIGKILL)
        there = {event["key"]: event["number"] for event in stored(postgres, anna.code)}
        assert {key: there.get(key) for key in acknowledged} == acknowledged
        for _ in range(6):
            step((anna, ben), acknowledged)
    end = time.monotonic() + WAIT
    while len(workers(house.process)) < 2:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert len(acknowledged) >= 24
    events = stored(postgres, anna.code)
    assert len([event for event in events if event["key"]]) == len({event["key"] for event in events if event["key"]})


def step(players, acknowledged):
    """One acknowledged move; who lost the line comes back and says the same again."""
    while True:
        actor = next((player for player in players if player.busy()), None)
        if actor is None:
            for player in players:
                look(player)
            continue
        view, key = actor.view, secrets.token_hex(8)
        if not my_turn(view):
            said = ("next", {"key": key})
        else:
            said = ("move", {"key": key, "seen": view["number"], "move": choose(view)})
        answer = insist(actor, *said)
        look(actor)
        if answer["type"] == "ack":
            acknowledged[key] = answer["number"]
            return


def insist(player, kind, fields):
    """Ask until there is an answer, over whichever worker."""
    while True:
        try:
            return player.line.ask(kind, **fields)
        except LOST:
            come_back(player)


def look(player):
    """What there is to see now."""
    try:
        player.line.receive(timeout=0.05)
    except TimeoutError:
        return
    except LOST:
        come_back(player)


def come_back(player):
    end = time.monotonic() + WAIT
    while True:
        try:
            player.come(player.code)
            return
        except LOST:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_workers_end_with_the_process_that_started_them(tmp_path, postgres):
    script = """
import sys
from pathlib import Path
from brelan.server.app import Settings, serve
serve(Settings(port=0, data=Path(sys.argv[1]), database=%r, workers=2), lambda address: print(address, flush=True))
"""
    with Process(tmp_path, script=script % postgres) as house:
        Guest(house.address).close()
        found = []
        while len(found) < 2:
            found = workers(house.process)
        house.kill()
        end = time.monotonic() + WAIT
        while any(Path(f"/proc/{pid}/cmdline").exists() for pid in found):
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_worker_runs_nothing_that_lies_in_the_folder_of_the_house(tmp_path, postgres, monkeypatch):
    (tmp_path / "pickle.py").write_text("open('came', 'w')", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONSAFEPATH", "")  # not said so far
    with listening("127.0.0.1", 0) as listener:
        group = Workers(Settings(data=tmp_path, database=postgres, workers=2), listener)
        worker = group._started()
        answer = httpx.get(f"http://127.0.0.1:{listener.getsockname()[1]}/health", timeout=WAIT)
        group._end([worker])
    asyncio.run(group.house.close())
    assert (answer.status_code, (tmp_path / "came").exists()) == (200, False)


def test_a_house_ends_with_its_terminal(tmp_path, postgres):
    """Its workers are told as well, and are not to be started again."""
    ours, theirs = os.openpty()
    how = {"start_new_session": True, "preexec_fn": lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)}
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    served = Served(tmp_path, "--workers", "2", "--database", postgres, stdin=theirs, env=environment, **how)
    try:
        os.close(theirs)
        assert until(lambda: len(workers(served.process)) == 2)
        os.close(ours)
        assert served.process.wait(WAIT) == 0
    finally:
        served.end(signal.SIGKILL)


def test_workers_that_die_as_soon_as_they_begin_end_the_house(tmp_path, postgres, monkeypatch):
    """Bounded: a house that cannot work says so, instead of starting workers for ever."""
    monkeypatch.setattr("brelan.server.workers.DEATHS", 2)
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    settings = Settings(data=tmp_path, database=postgres, workers=2)
    with listening("127.0.0.1", 0) as listener:
        group = Workers(settings, listener)
        monkeypatch.setattr(group, "_started", stillborn)
        try:
            with pytest.raises(Refusal, match="as soon as they begin"):
                group.run()
        finally:
            for number, handler in zip((signal.SIGTERM, signal.SIGINT), before, strict=True):
                signal.signal(number, handler)
    asyncio.run(House.opened(settings).close())  # nothing is held any more
