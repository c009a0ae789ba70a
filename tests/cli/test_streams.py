"""What a command reads and prints: closed, full, broken off, in letters that are none, among records, at a terminal."""

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from brelan.cli import main
from brelan.ink import ink_for
from brelan.play.record import verify


def in_shell(line):
    """How a command ends that a shell starts, and what it says; what it prints waits for the end, as it does there."""
    environment = os.environ | {"PYTHONUNBUFFERED": ""}
    command = ["sh", "-c", f'exec "$0" -m brelan {line}', sys.executable]
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize("arguments", ["simulate gin --matches 1 --records", "audit --shuffles 10 --save"])
def test_a_full_disk_is_named(arguments, capsys):
    assert main([*arguments.split(), "/dev/full"]) == 2
    assert capsys.readouterr().err == "brelan: /dev/full: the disk is full\n"


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_records_are_printed_behind_what_stands_there(name, tmp_path):
    """Alone: the summary goes where nobody reads records."""
    there, asked = tmp_path / "all.jsonl", "simulate gin --matches 1 --engine here --records"
    assert main([*asked.split(), str(there)]) == 0
    code, said, error = in_shell(f"{asked} {name} --json >> {there}")
    assert (code, said) == (0, "")
    assert json.loads(error)["matches"] == 1
    first, second = verify(there.read_bytes())
    assert first.scores == second.scores
    assert [*tmp_path.iterdir()] == [there]


@pytest.mark.parametrize("command", ["play gin --record", "audit --shuffles 10 --save", "tune gin --save"])
def test_what_is_printed_among_other_lines_is_no_file(command, tmp_path):
    there = tmp_path / "there"
    there.write_text("mine\n")
    for name in ("-", "/dev/stdout"):
        refused = f"brelan: “{name}” is where this command prints: name a file.\n"
        assert in_shell(f"{command} {name} >> {there}") == (2, "", refused)
    assert there.read_text() == "mine\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_a_terminal_has_no_letters_for_is_no_error(encoding, monkeypatch):
    shown = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", shown)
    assert main(["rules", "companeros"]) == 0
    shown.flush()
    assert b"?" in shown.buffer.getvalue()


def test_what_is_typed_and_is_no_letter_is_no_move_and_no_error(monkeypatch, capsys):
    """As half a letter is, which a terminal may leave where one was taken back."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xc31\n"), "utf-8"))
    assert main(["play", "gin"]) == 0
    assert "“\ufffd1” is not a move" in capsys.readouterr().out


@pytest.mark.parametrize("line", ["unlist Zo\udce9", "serve --notice Zo\udce9", "play gin --option Zo\udce9"])
def test_what_is_asked_in_letters_that_are_none_is_refused_in_a_sentence(line, capsys):
    assert main(line.split()) == 2
    assert capsys.readouterr().err == "brelan: “Zo\\udce9” is no text in UTF-8.\n"


def test_a_terminal_without_such_signs_tells_suits_and_what_is_well(monkeypatch):
    shown = io.TextIOWrapper(io.BytesIO(), "latin-1")
    monkeypatch.setattr(sys, "stdout", shown)
    assert [ink_for(shown).card(face) for face in ("7h", "R*")] == ["7h", "R*"]
    main(["doctor"])
    shown.flush()
    assert {line.split()[0] for line in shown.buffer.getvalue().splitlines()} <= {b"ok", b"!!"}


@pytest.mark.parametrize(("line", "code"), [("rules gin >&-", 0), ("rules whist 2>&-", 2)])
def test_what_is_closed_takes_what_is_said(line, code):
    assert in_shell(line) == (code, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
def test_an_output_that_is_full_is_told_once():
    assert in_shell("doctor > /dev/full") == (2, "", "brelan: the disk is full\n")


@pytest.mark.parametrize("command", ["rules gin", "doctor"])
def test_a_pipe_that_nobody_reads_ends_a_command_as_it_ends_others(command):
    """It is no refusal, which 2 means; also where all that is said waits for the end."""
    there = os.environ | {"PYTHONUNBUFFERED": ""}
    line = [sys.executable, "-m", "brelan", *command.split()]
    with subprocess.Popen(line, env=there, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as done:
        done.stdout.close()
        assert (done.stderr.read(), done.wait()) == ("", 128 + signal.SIGPIPE)


def test_where_the_input_is_closed_nobody_types():
    code, said, error = in_shell("play gin <&-")
    assert (code, said.splitlines()[-1], error) == (0, "You left the table.", "")


def test_arrow_keys_bring_back_what_was_typed(monkeypatch):
    pytest.importorskip("readline")
    monkeypatch.setenv("TERM", "dumb")
    ours, screen = pty.openpty()
    line, said = [sys.executable, "-m", "brelan", "play", "gin"], b""
    done = subprocess.Popen(line, stdin=screen, stdout=screen, stderr=screen)
    os.close(screen)
    with done, os.fdopen(ours, "r+b", buffering=0) as keys:
        for asked, typed in enumerate((b"what?\r", b"\x1b[A\r", b"\x04"), 1):
            while len(re.findall(b"^> ", said, re.MULTILINE)) < asked:
                assert select.select([keys], [], [], 60)[0], said
                said += keys.read(65536)
            keys.write(typed)
        assert done.wait(timeout=60) == 0
    assert said.decode().count("“what?” is not a move") == 2
