"""Workers that give way to new ones by turns: meanwhile the house looks after the others, and hears its end."""

import multiprocessing
import time
from dataclasses import make_dataclass
from pathlib import Path
from unittest.mock import Mock

import pytest

from brelan.errors import Refusal
from brelan.server.app import Settings, listening
from brelan.server.workers import Workers, work
from tests.server.houses import WAIT, stillborn


@pytest.fixture
def alone(tmp_path, postgres, monkeypatch):
    """Workers whose group runs in the test, with nobody listening."""
    monkeypatch.setattr("brelan.server.workers.UP_WAIT", WAIT)
    with listening("127.0.0.1", 0) as listener:
        group = Workers(Settings(data=tmp_path, database=postgres, workers=2), listener)
        yield group
        group._end(group.processes)
        group.house.held.close()


def renewed(group, monkeypatch, begun):
    """Renew them; what the log was told. `begun` makes each new process, of the event that it should set."""
    told = []
    monkeypatch.setattr("brelan.server.workers.logs.tell", lambda event, *_, **__: told.append(event))
    monkeypatch.setattr(group, "_started", begun)
    group._renew()
    return told


def test_a_worker_that_dies_while_they_are_renewed_is_replaced(alone, monkeypatch):
    alone.processes = [sleeper(), stillborn()]

    def begun(up=None):
        alone.ending = up is None  # a replacement: the test has seen enough
        return sleeper()

    assert "worker_died" in renewed(alone, monkeypatch, begun)
    assert all(process.is_alive() for process in alone.processes)


def test_who_is_told_to_end_while_a_worker_begins_ends(alone, monkeypatch):
    alone.processes = old = [sleeper(), sleeper()]

    def begun(up):
        alone._told()
        return sleeper()

    assert renewed(alone, monkeypatch, begun) == []
    assert alone.processes == old


def test_a_worker_that_dies_before_it_answers_takes_nobodys_place(alone, monkeypatch):
    monkeypatch.setattr("brelan.server.workers.UP_WAIT", 3600.0)  # nobody waits for the dead
    alone.processes = old = [sleeper(), sleeper()]
    assert renewed(alone, monkeypatch, lambda up: stillborn()) == ["worker_not_up"]
    assert alone.processes == old


def full(up=None):
    raise BlockingIOError


def test_without_room_for_another_process_the_workers_stay_as_they_are(alone, monkeypatch):
    alone.processes = old = [sleeper(), sleeper()]
    assert renewed(alone, monkeypatch, full) == ["worker_not_started"]
    assert alone.processes == old
    assert all(process.is_alive() for process in old)


def test_a_worker_that_died_is_replaced_as_soon_as_there_is_room(alone, monkeypatch):
    alone.processes, begins = [sleeper(), stillborn()], iter([full, full, sleeper])
    monkeypatch.setattr(alone, "_started", lambda: next(begins)())
    alone._look()
    assert all(process.is_alive() for process in alone.processes)
    assert len(alone.deaths) == 1


def test_who_is_told_to_end_while_there_is_no_room_ends(alone, monkeypatch):
    def begun():
        alone._told()
        full()

    alone.processes = old = [stillborn(), stillborn()]
    monkeypatch.setattr(alone, "_started", begun)
    alone._look()
    assert alone.processes == old


def test_a_newer_worker_takes_the_settings_by_their_names(alone, monkeypatch):
    """Whoever starts it is of the version before: one choice is new since, others are gone."""
    made, taken = Mock(), []
    monkeypatch.setattr("brelan.server.workers._spawn.Process", made)
    alone._started()
    newer = make_dataclass("Newer", [("log", str), ("added", int, 7), ("data", Path, None), ("workers", int, 1)])

    def joined(*given):
        taken.extend(given)
        raise Refusal("storage.absent", path="here")

    monkeypatch.setattr("brelan.server.workers.House.joined", joined)
    monkeypatch.setattr("brelan.server.workers.Settings", newer)
    with pytest.raises(SystemExit):
        work(*made.call_args.kwargs["args"])
    assert taken == [newer(None, 7, alone.settings.data, 2), alone.base], "and the time of the others"


def sleeper():
    """A worker that lives and never answers."""
    process = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(3600,), daemon=True)
    process.start()
    return process
