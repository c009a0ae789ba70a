"""A command that is told to end: nothing of what it has started goes on behind it."""

import os
import signal
import subprocess
import sys
import time

import pytest

from brelan.cores import all_cores
from tests.bots.programs import ANSWERS

SLEEPER = "import os; open({file!r}, 'a').write(f'{{os.getpid()}}\\n'); time.sleep(60)"
"""A program that says hello, tells who it is, and never moves."""


MANY = """
from brelan.cli.stop import stoppable
from brelan.lab.engines import in_processes
with stoppable():
    for number in in_processes("cores", 1, int, range(20000)):
        if number == 3:
            print("begun", flush=True)
"""


def started(*arguments, **how):
    """A command of its own, as a terminal starts it."""
    return subprocess.Popen(
        [sys.executable, "-m", "brelan", *arguments], stderr=subprocess.PIPE, text=True, start_new_session=True, **how
    )


def until(true):
    """Wait for it, a minute at most."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_there(process):
    """Whether it runs; one that has ended may wait for somebody to ask how."""
    state = subprocess.run(["ps", "-o", "state=", "-p", process], capture_output=True, text=True, check=False).stdout
    return state.strip() not in ("", "Z")


def processes_of(command):
    """Those that a command has started."""
    line = ["ps", "-o", "pid=", "--ppid", str(command.pid)]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGHUP], ids=lambda told: told.name)
def test_programs_of_an_arena_end_with_it_however_it_is_told(told, tmp_path):
    """Twice, as `timeout` does."""
    script, file = tmp_path / "sleeper.py", tmp_path / "processes"
    script.write_text(ANSWERS.format(SLEEPER.format(file=str(file))), "utf-8")
    arena = started("arena", "gin", "--bots", f"cmd:{sys.executable} {script},novice", "--deals", "50")
    until(lambda: file.exists() and file.read_text())
    for _ in range(2):
        os.kill(arena.pid, told)
    assert arena.communicate(timeout=30)[1] == "brelan: stopped; no file is half written.\n"
    assert arena.returncode == 128 + told
    until(lambda: not any(map(is_there, file.read_text().split())))


def test_nothing_of_many_processes_goes_on_without_the_first(tmp_path):
    """As long as one of them is there, our standard error is open. Nor do records stand there that look like all."""
    records = tmp_path / "records.jsonl"
    records.write_text("those of before")
    command = started("simulate", "companeros", "--matches", "5000", "--records", str(records))
    until(lambda: sum(file.stat().st_size for file in tmp_path.iterdir()) > 10_000)
    command.terminate()
    command.communicate(timeout=60)
    assert command.returncode == 128 + signal.SIGTERM
    assert [file.read_text() for file in tmp_path.iterdir()] == ["those of before"]


@pytest.mark.skipif(all_cores() == 1, reason="one process does all the work")
def test_a_process_that_is_killed_ends_them_all(tmp_path):
    """As where memory runs out: its work is lost, and the others would be waited for without end."""
    command = started("simulate", "gin", "--matches", "5000", "--records", str(tmp_path / "records.jsonl"))
    until(lambda: sum(file.stat().st_size for file in tmp_path.iterdir()) > 10_000)
    os.kill(int(processes_of(command)[0]), signal.SIGKILL)
    said = command.communicate(timeout=60)[1]
    assert (command.returncode, said.count("\n")) == (2, 1)
    assert "ended from outside" in said
    assert not [*tmp_path.iterdir()]


@pytest.mark.skipif(all_cores() == 1, reason="one process does all the work")
def test_many_processes_end_behind_the_first_even_where_that_is_killed(tmp_path):
    """They hear no other signal, and waited for work for ever."""
    command = started("simulate", "gin", "--matches", "5000", "--records", str(tmp_path / "records.jsonl"))
    until(lambda: sum(file.stat().st_size for file in tmp_path.iterdir()) > 10_000)
    others = processes_of(command)
    command.kill()
    command.communicate(timeout=60)
    until(lambda: not any(map(is_there, others)))


def test_many_processes_that_are_all_told_leave_it_to_the_first():
    """As `timeout` tells them, and a terminal by Ctrl-C: none is torn out of taking its work, none says so."""
    command = subprocess.Popen([sys.executable, "-c", MANY], stdout=-1, stderr=-1, text=True, start_new_session=True)
    with command:
        command.stdout.readline()
        os.killpg(command.pid, signal.SIGTERM)
        said = command.communicate(timeout=60)[1]
    assert said.count("Traceback") == 1, "the first one's own"


def test_who_is_to_outlive_its_terminal_does(tmp_path):
    """As nohup has it."""
    ignoring = {"preexec_fn": lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)}
    command = started("bot", stdin=subprocess.PIPE, stdout=subprocess.PIPE, **ignoring)
    command.stdin.write('{"type": "hello"}\n')
    command.stdin.flush()
    assert "brelan" in command.stdout.readline()
    os.kill(command.pid, signal.SIGHUP)
    command.communicate('{"type": "bye"}\n', timeout=30)
    assert command.returncode == 0
