"""Whether a house works: what it says of that itself, and that nobody's clock runs while its database does not."""

import asyncio
import json
import os
import resource
import socket
import time
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from brelan.server import life
from brelan.server.ledger import logs
from brelan.server.store import Storage
from brelan.server.upkeep.beat import Beat
from brelan.server.upkeep.watch import Watch, lags
from tests.server.clients import Guest, until
from tests.server.conftest import Running
from tests.server.houses import figures, house, told

HASTY = "from brelan.server.upkeep import beat; beat.STILL = 1.0"
"""A house that knows at once that it was away."""

FRAME = 4120
"""Bytes of SQLite's log for one page."""


def away(data):
    """The times that a house was away, as its file says."""
    return json.loads((data / "beat").read_text())


def ready(house):
    return httpx.get(f"{house.address}ready", timeout=30).json()["status"]


SLOW = "brelan_database_errors_total", ("kind", "slow")


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux sets the limits of a process that runs")
def test_a_house_whose_disk_takes_no_move_is_not_ready_and_away_though_a_page_still_fits(tmp_path):
    """Its files may grow by one page and no more."""
    with house(tmp_path, HASTY) as process:
        guest = Guest(process.address)
        line, log = guest.line(guest.make(against="friends")), tmp_path / "brelan.db-wal"
        assert ready(process) == "ok"
        limits = resource.prlimit(process.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size + FRAME, limits[1]))
        assert line.ask("say", preset="hello")["error"] == "storage"
        time.sleep(3)
        assert ready(process) == "storage.broken"
        resource.prlimit(process.process.pid, resource.RLIMIT_FSIZE, limits)
        assert until(lambda: ready(process) == "ok")
        assert until(lambda: away(tmp_path))
        guest.close()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux sets the limits of a process that runs")
def test_a_house_says_when_it_may_open_hardly_any_more_files_and_when_none(tmp_path):
    """When none, whoever comes is sent away, and nothing else is told of it."""
    with house(tmp_path, "from brelan.server.upkeep import watch; watch.MINUTE = 0.1") as process, ExitStack() as lines:

        def come(number):
            for _ in range(number):
                lines.enter_context(socket.create_connection((url.hostname, url.port)))

        url, pid = urlsplit(process.address), process.process.pid
        assert ready(process) == "ok"
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (100, resource.prlimit(pid, resource.RLIMIT_NOFILE)[1]))
        come(94 - len([*Path(f"/proc/{pid}/fd").iterdir()]))
        assert until(lambda: told(tmp_path, "files"))
        assert 90 < told(tmp_path, "files")[0]["open"] < 100
        come(20)
        assert until(lambda: told(tmp_path, "files")[-1]["open"] == 100)
    assert not told(tmp_path, "chore")


def test_a_database_that_is_silent_is_told_and_counted_and_no_clock_counts_it(tmp_path, postgres_server):
    with house(tmp_path, HASTY, database=postgres_server.fresh()) as process:
        guest, port = Guest(process.address), told(tmp_path, "start")[0]["metrics"]
        line = guest.line(guest.make(against="friends"))
        with postgres_server.silent():
            key = line.send("say", preset="hello")
            assert until(lambda: told(tmp_path, "storage"))
            assert until(lambda: figures(port)[SLOW] > 1), "they are answered, but for what the database is asked"
        assert line.until(lambda frame: frame.get("key") == key)["type"] == "ack"
        assert until(lambda: away(tmp_path))
        assert told(tmp_path, "storage")[0]["kind"] == "storage.slow"
        assert until(lambda: ("brelan_matches_unopened", ("age", "live")) in figures(port))
        guest.close()


def test_a_house_ends_though_its_database_is_silent(tmp_path, postgres_server):
    brief = "from brelan.server import life; life.LAST = 1.0"
    with house(tmp_path, brief, database=postgres_server.fresh()) as process:
        guest = Guest(process.address)
        line = guest.line(guest.make(against="friends"))
        with postgres_server.silent():
            line.send("say", preset="hello")
            process.process.terminate()
            process.wait()
        assert process.process.returncode == 1
        assert told(tmp_path, "stop")[0]["hung"]
        guest.close()


def test_a_house_that_hangs_at_its_end_tells_what_would_wait_for_its_minute(caplog, monkeypatch):
    codes = []
    monkeypatch.setattr(logs, "_seen", {})
    monkeypatch.setattr(os, "_exit", codes.append)
    for _ in range(3):
        logs.often("storage", "storage.slow")
    life._leave(time.monotonic())
    assert [(said.msg, said.fields.get("more")) for said in caplog.records[1:]] == [("storage", 2), ("stop", None)]
    assert codes == [1]


def test_a_house_that_cannot_write_is_alive_but_not_ready(tmp_path):
    running = Running(tmp_path)
    try:
        ask = httpx.Client(base_url=running.address, timeout=30)
        assert until(lambda: ask.get("/ready").json() == {"status": "ok"})
        (tmp_path / "brelan.db").rename(tmp_path / "elsewhere")
        assert until(lambda: ask.get("/ready").json() == {"status": "storage.moved"})
        assert until(lambda: ask.get("/ready").status_code == 503)
        assert ask.get("/health").status_code == 200
        (tmp_path / "elsewhere").rename(tmp_path / "brelan.db")
        assert until(lambda: ask.get("/ready").status_code == 200)
        ask.close()
    finally:
        running.stop()


@pytest.mark.parametrize(("late", "seen"), [(-0.1, [0.0]), (0.1, [0.1]), (0.6, [0.6, 0.35, 0.1])])
def test_a_loop_that_stands_still_is_seen_by_every_look_that_it_missed(late, seen):
    assert lags(late) == pytest.approx(seen)


class Slow:
    """A store that counts what is asked of it, and answers as it is told."""

    def __init__(self):
        self.asked, self.answer = 0, None

    def submit(self, _):
        self.asked += 1
        done = Future()
        if isinstance(self.answer, Exception):
            done.set_exception(self.answer)
        elif self.answer is None:
            done.set_result(None)
        return done


def test_readiness_is_asked_once_a_second_and_not_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr("brelan.server.upkeep.watch.WAIT", 0.05)
    store, clock = Slow(), [0.0]
    watch = Watch(store, Beat(tmp_path / "beat"), lambda: clock[0])

    async def ask(answer, later):
        store.answer, clock[0] = answer, clock[0] + later
        return await asyncio.gather(*(watch.trouble() for _ in range(5)))

    async def asked():
        return [await ask(None, 0.0), await ask("never", 0.9), await ask("never", 0.2), await ask(Storage("x.y"), 1.1)]

    assert asyncio.run(asked()) == [[None] * 5, [None] * 5, ["storage.slow"] * 5, ["x.y"] * 5]
    assert store.asked == 3
