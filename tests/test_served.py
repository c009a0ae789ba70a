"""The figures of a house; where it does not start, or nobody knows what it holds, a reason instead."""

import pytest

from brelan import served
from brelan.lab.bench import Skipped


def test_a_house_that_does_not_start_gives_no_figure(tmp_path):
    with pytest.raises(Skipped, match="did not start"):
        served.Served(tmp_path, "--workers", "0")


def test_a_memory_that_is_not_known_is_no_figure(monkeypatch):
    monkeypatch.setattr(served, "resident", lambda _: 0.0)
    with pytest.raises(Skipped, match="what a process holds"):
        served.memory()


def test_where_no_move_is_acknowledged_there_is_no_figure(monkeypatch):
    monkeypatch.setattr(served, "TABLES", 1)
    monkeypatch.setattr(served, "SECONDS", 0.0)
    with pytest.raises(Skipped, match="no move"):
        served.acknowledged()


def test_a_house_holds_megabytes_and_a_process_that_has_ended_nothing():
    with served.house() as house:
        assert served.resident(house.process.pid) > 1024
    assert served.resident(house.process.pid) == 0.0


def test_a_move_at_a_table_is_acknowledged(monkeypatch):
    monkeypatch.setattr(served, "TABLES", 2)
    monkeypatch.setattr(served, "SECONDS", 8.0)
    assert all(wait > 0 for wait in served.acknowledged())
