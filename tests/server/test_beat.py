"""The house's own time: even, whoever sets the clock, and aware of when the house was away."""

import json
import os
import subprocess
import sys
from ctypes import c_double

import pytest

from brelan.server.upkeep import beat as module
from brelan.server.upkeep.beat import STILL, Beat


@pytest.fixture
def clock(monkeypatch):
    """The two clocks of the system, to be set at will."""

    class Clock:
        wall, steady = 1_000_000.0, 50.0

        def goes(self, seconds):
            self.wall += seconds
            self.steady += seconds

        time = staticmethod(lambda: Clock.shown.wall)
        monotonic = staticmethod(lambda: Clock.shown.steady)

    Clock.shown = Clock()
    monkeypatch.setattr(module, "time", Clock)
    return Clock.shown


def lives(beat, clock, seconds):
    for _ in range(seconds):
        clock.goes(1)
        beat.now()


def test_where_no_table_is_open_a_sign_of_life_is_written_once_a_minute(clock, tmp_path, monkeypatch):
    signs = []
    monkeypatch.setattr(module.os, "utime", signs.append)
    beat = Beat(tmp_path / "beat")
    for _ in range(120):
        clock.goes(1)
        beat.sign(idle=True)
    assert len(signs) == 2
    for _ in range(10):
        clock.goes(1)
        beat.sign()
    clock.wall -= 3600  # whoever sets the clock back ends no life
    for _ in range(10):
        clock.goes(1)
        beat.sign()
    assert len(signs) == 22
    assert beat.aways() == []


def test_time_goes_on_evenly(clock, tmp_path):
    beat = Beat(tmp_path / "beat")
    lives(beat, clock, 100)
    assert beat.now() == 1_000_100.0
    clock.wall -= STILL - 1  # somebody sets the clock a little
    assert beat.now() == 1_000_100.0
    assert beat.aways() == []


@pytest.mark.parametrize("sleeps", [True, False], ids=["the machine sleeps", "the process is stopped"])
def test_time_without_a_sign_of_life_is_known(clock, sleeps, tmp_path):
    beat = Beat(tmp_path / "beat")
    lives(beat, clock, 10)
    clock.wall += 3600
    clock.steady += 0 if sleeps else 3600
    assert beat.now() == clock.wall
    assert beat.aways() == [(1_000_010.0, 1_003_610.0)]
    lives(beat, clock, 10)
    assert len(beat.aways()) == 1


def test_a_deadline_is_later_by_what_the_house_was_away_since(clock, tmp_path):
    beat = Beat(tmp_path / "beat")
    for _ in range(2):
        lives(beat, clock, 10)
        clock.wall += 3600
        beat.now()
    assert beat.put_off(2_000_000.0, 999_999.0) == 2_007_200.0
    assert beat.put_off(2_000_000.0, 1_003_000.0) == 2_000_000.0 + 610 + 3600
    assert beat.put_off(2_000_000.0, beat.now()) == 2_000_000.0
    assert beat.put_off(None, 999_999.0) is None


def test_a_clock_that_is_set_back_far_is_followed(clock, tmp_path):
    beat = Beat(tmp_path / "beat")
    lives(beat, clock, 10)
    clock.wall -= 3600
    assert beat.now() == clock.wall
    assert beat.aways() == []


@pytest.mark.parametrize("starts_anew", [False, True])
def test_a_clock_set_ahead_and_put_right_leaves_nobody_away_in_time_to_come(clock, tmp_path, starts_anew):
    """Each look at a table would find the house away for an hour more, and then its clock set back."""
    beat = Beat(tmp_path / "beat")
    lives(beat, clock, 10)
    clock.wall += 3600
    assert beat.now() == clock.wall
    lives(beat, clock, 10)
    clock.wall -= 3600
    beat = Beat(tmp_path / "beat") if starts_anew else beat
    lives(beat, clock, 10)
    assert all(until <= beat.now() for _, until in beat.aways())
    assert all(until < clock.wall - 5 for _, until in Beat(tmp_path / "beat").aways())


def test_a_house_that_was_shut_knows_since_when(clock, tmp_path):
    file = tmp_path / "beat"
    Beat(file)
    os.utime(file, (clock.wall + 20, clock.wall + 20))  # its last sign of life
    clock.goes(620)
    beat = Beat(file)
    assert beat.aways() == [(1_000_020.0, 1_000_620.0)]
    os.utime(file, (clock.wall, clock.wall))
    clock.goes(1)
    assert Beat(file).aways() == beat.aways()  # another worker, or the next life: it is still known
    clock.goes(41 * 86400)
    os.utime(file, (clock.wall - 60, clock.wall - 60))
    assert Beat(file).aways() == [(clock.wall - 60, clock.wall)]


def test_a_long_absence_lets_none_be_forgotten_that_was_just_before(clock, tmp_path):
    """A school's house is shut by night, then all summer: who thought about a move goes on where they were."""
    file = tmp_path / "beat"
    file.write_text("[]")

    def opens(shut, until_then=36_400):
        clock.goes(until_then)
        os.utime(file, (clock.wall, clock.wall))  # its last sign of life
        clock.goes(shut)
        return Beat(file)

    for shut in (50_000, 50_000, 60 * 86400):
        opens(shut)
    assert [until - since for since, until in opens(50_000).aways()] == [50_000, 50_000, 60 * 86400, 50_000]
    assert len(opens(50_000, 40 * 86400).aways()) == 1, "longer ago than any move may take"


def test_while_the_database_takes_nothing_the_house_is_away(clock, tmp_path):
    """And so it is known, though nobody came back before its end."""
    file = tmp_path / "beat"
    beat = Beat(file)
    os.utime(file, (clock.wall, clock.wall))
    beat.halted = True
    lives(beat, clock, 100)
    beat.sign()
    assert beat.aways() == Beat(file).aways() == [(1_000_000.0, 1_000_100.0)]
    lives(beat, clock, 20)
    beat.goes_on(clock.wall)
    lives(beat, clock, 20)
    assert beat.aways() == [(1_000_000.0, 1_000_120.0)]


def test_a_database_that_is_silent_for_long_is_no_life_though_it_takes_all_in_the_end(clock, tmp_path):
    """However many tables waited for it, one time is kept."""
    file = tmp_path / "beat"
    beat = Beat(file)
    lives(beat, clock, 20)
    for waited in (10, 3, 12, 9):
        beat.waited(clock.wall - waited)
        clock.goes(0.01)
    assert json.loads(file.read_text()) == [[1_000_008.02, 1_000_020.03]]


def test_a_database_that_refuses_after_a_while_took_nothing_all_that_time(clock, tmp_path):
    beat = Beat(tmp_path / "beat")
    lives(beat, clock, 20)
    beat.halts(clock.wall - 10)
    beat.halts(clock.wall - 3)
    lives(beat, clock, 20)
    beat.goes_on(clock.wall)
    assert beat.aways() == [(1_000_010.0, 1_000_040.0)]


def test_a_worker_that_begins_later_has_the_same_time_though_the_clock_was_set_meanwhile(clock, tmp_path):
    """Else who moves over it would lose the difference with each move; and nobody was away."""
    file, base = tmp_path / "beat", c_double(clock.wall - clock.steady)
    one = Beat(file, base)
    lives(one, clock, 10)
    clock.wall += STILL - 1
    os.utime(file, (clock.wall - 2, clock.wall - 2))
    other = Beat(file, base)
    assert one.now() == other.now() == 1_000_010.0
    clock.wall += 3600
    assert one.now() == other.now() == clock.wall
    assert one.aways() == other.aways() == [(1_000_010.0, clock.wall)]
    clock.wall -= STILL - 1
    assert Beat(file, base).now() == one.now() == other.now()


def test_a_time_that_one_worker_saw_is_nobodys_in_the_others_too(clock, tmp_path):
    file = tmp_path / "beat"
    one, other = Beat(file), Beat(file)
    for beat in (one, other) * 10:
        lives(beat, clock, 1)
    one.waited(clock.wall - 9)
    assert other.aways() == one.aways() == [(1_000_011.0, 1_000_020.0)]


def test_what_several_saw_is_counted_once(clock, tmp_path):
    file = tmp_path / "beat"
    file.write_text(json.dumps([[10, 20], [15, 25], [25, 30], [40, 50]]))
    os.utime(file, (clock.wall, clock.wall))
    beat = Beat(file)
    assert beat.aways() == [(10, 30), (40, 50)]


@pytest.mark.parametrize(
    "text", ["", "no", "[1]", '{"a": 1}', "[[1]]", '[["a", "b"]]', "[[1e400, 1]]", "[[NaN, 1]]", "[" * 5000]
)
def test_a_damaged_file_says_nothing_and_is_mended(clock, tmp_path, text):
    file = tmp_path / "beat"
    file.write_text(text)
    os.utime(file, (clock.wall, clock.wall))
    beat = Beat(file)
    assert beat.aways() == []
    clock.goes(100)
    beat.now()
    assert Beat(file).aways() == [(1_000_000.0, 1_000_100.0)]


def test_a_folder_that_takes_nothing_stops_nobody(clock, tmp_path):
    beat = Beat(tmp_path / "missing" / "beat")
    clock.goes(100)
    assert beat.now() == clock.wall
    assert beat.aways() == [(1_000_000.0, 1_000_100.0)]


def test_its_file_is_written_and_read_alike_wherever_the_house_is_started(tmp_path):
    code = "from brelan.server.upkeep.beat import *; f = Path('beat'); Beat(f); last_seen(f, 1.0, []); Beat(f)"
    subprocess.run([sys.executable, "-X", "warn_default_encoding", "-W", "error", "-c", code], cwd=tmp_path, check=True)
