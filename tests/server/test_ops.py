"""What whoever keeps a house sees of it, and how it ends and begins again: figures, log, build."""

import asyncio
import email
import json
import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import zipfile
from io import StringIO
from pathlib import Path

import httpx
import pytest

from brelan.build import build_id, digest
from brelan.cli import main
from brelan.games import GAMES
from brelan.server.app import create_app, own_address
from brelan.server.ledger import logs
from brelan.server.settings import Settings
from brelan.server.store.engine import SIGNS
from brelan.server.tables.connection import ERRORS
from brelan.server.tables.thinking import TROUBLES
from brelan.server.web.limits import RATES
from tests.server.clients import Guest, my_turn, over, play, until
from tests.server.houses import WAIT, end, figures, house, told

ROOT = Path(__file__).parents[2]

TALKATIVE = """
import logging
from brelan.server import life
from brelan.server.ledger import logs
from brelan.server.pages import rulebooks

def rules(*asked):
    held = {"7h": "Zoraïde", "of": asked}
    return held[str(held)]

async def startup(self, sockets=None, begin=life.Server.startup):
    await begin(self, sockets)
    for name in (None, *logging.root.manager.loggerDict):
        logging.getLogger(name).setLevel(1)

rulebooks.rulebook, life.Server.startup = rules, startup
"""
"""Every logger says all it can, and a page breaks over what it holds."""

MUTANTS = {
    "all that libraries say": "logs.is_fit = lambda record: True",
    "what an exception says": "logs.kinds = lambda error: [repr(error)]",
    "what is played": "logs.entered = lambda events, _: [logs.tell('event', data=event.data) for event in events]",
}


# ---------------------------------------------------------------- the build


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """What a wheel of a checkout holds, and the checkout."""
    checkout, installed = (tmp_path_factory.mktemp(name) for name in ("checkout", "installed"))
    shutil.copytree(ROOT / "src", checkout / "src", ignore=shutil.ignore_patterns(".*", "__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, checkout)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", installed]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True)
    with zipfile.ZipFile(next(installed.glob("*.whl"))) as wheel:
        wheel.extractall(installed)
    return installed, checkout


def test_a_wheel_bears_the_licence_of_everything_in_it(unpacked):
    (about,) = unpacked[0].glob("brelan-*.dist-info")
    named = email.message_from_string((about / "METADATA").read_text("utf-8"))
    assert named["License-Expression"] == "Apache-2.0 AND BSD-3-Clause"
    texts = [(about / "licenses" / name).read_text("utf-8") for name in named.get_all("License-File")]
    assert ["Apache License" in texts[0], "BSD 3-Clause License" in texts[1]] == [True, True]


def test_a_build_is_the_same_from_a_wheel_and_from_a_checkout(unpacked):
    installed, made = unpacked[0] / "brelan", digest(unpacked[1] / "src" / "brelan")
    assert re.fullmatch(r"[0-9a-f]{12}", made)
    (installed / "__pycache__").mkdir()
    (installed / "__pycache__" / "cards.pyc").write_bytes(b"made of them")
    assert digest(installed) == made
    cards = installed / "cards.py"
    cards.write_bytes(cards.read_bytes() + b"\n")
    assert digest(installed) != made


def test_the_build_is_told_by_the_command_and_by_the_house(running, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, build_id() in capsys.readouterr().out) == (0, True)
    assert httpx.get(f"{running.address}health").json()["build"] == build_id()


# ---------------------------------------------------------------- figures


KINDS = {*SIGNS.values(), "broken", "moved", "slow", "fault"}
KNOWN = {
    "game": {game.id for game in GAMES},
    "by": {"person", "bot", "keeper", "table"},
    "why": {"away", "clock", "left"},
    "page": {"table", "lobby"},
    "error": set(ERRORS.values()),
    "kind": {*RATES, *KINDS, *TROUBLES},
    "age": {"live", "alone", "old"},
    "status": {str(status) for status in range(100, 600)},
    "build": {build_id()},
    "version": {"0.1.0"},
}


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """A house where a match of gin was played to its end, with what a guest does besides; its figures."""
    data = tmp_path_factory.mktemp("counted")
    with house(data) as process:
        guest = Guest(process.address)
        line = guest.line(guest.make())
        line.viewed(my_turn)
        line.ask("move", seen=line.view["number"], move="discard Zz")
        line.close()
        line = guest.line(line.view["table"]["code"], since=1)
        line.send("hello", key=None, since=1)  # looked at again: it was not cut
        play(line)
        for path in ("/", "/nothing", "/t/nothing", "/metrics"):
            guest.http.get(path)
        port = told(data, "start")[0]["metrics"]
        assert until(lambda: figures(port)["brelan_loop_lag_seconds_count",])  # counted by time, not by moves
        found = figures(port)
        guest.close()
        end(process)
    return data, found


def test_a_match_is_counted(counted):
    _, found = counted
    game = ("game", "gin")
    moves = {by: found["brelan_moves_total", ("by", by), game] for by in ("person", "bot")}
    assert min(moves.values()) >= 4
    assert found["brelan_matches_started_total", game] == found["brelan_matches_over_total", game] == 1
    assert found["brelan_refusals_total", ("error", "unreadable")] == found["brelan_reconnects_total",] == 1
    assert found["brelan_acknowledgement_seconds_count",] >= moves["person"]
    assert found["brelan_commit_events_sum",] >= sum(moves.values()) + 2
    assert found["brelan_commit_seconds_count",] == found["brelan_commit_events_count",]
    assert found["brelan_tables_open",] == found["brelan_lines", ("page", "table")] == 1
    assert found["brelan_requests_total", ("route", "/t/{code}"), ("status", "404")] == 1
    assert found["brelan_requests_total", ("route", "other"), ("status", "404")] == 2
    assert found["brelan_matches_unopened", ("age", "live")] == 0
    assert {found["brelan_database_errors_total", ("kind", kind)] for kind in KINDS} == {0}
    assert {found["brelan_bot_troubles_total", ("kind", kind)] for kind in TROUBLES} == {0}
    assert found["brelan_loop_lag_seconds_count",] > 0


def test_labels_are_our_own_words_only(counted, tmp_path):
    """And none but those here: whoever adds one says what may stand there."""
    app = create_app(Settings(data=tmp_path))
    known = KNOWN | {"route": {route.path for route in app.routes} | {"other"}}
    asyncio.run(app.state.house.close())
    for _, *labels in counted[1]:
        for name, value in labels:
            assert name == "le" or value in known[name], (name, value)


def test_figures_are_for_this_machine_only(tmp_path):
    if (address := own_address("0.0.0.0")).startswith(("127.", "localhost")):
        pytest.skip("this machine has no other address than its own")
    with house(tmp_path / "open", host="0.0.0.0") as process:
        port = told(tmp_path / "open", "start")[0]["metrics"]
        assert httpx.get(f"{process.address}health").status_code == 200
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((address, port), timeout=5)


def test_a_port_in_use_is_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(logs, "_seen", {})  # what other tests did often is still to be told
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", "0", "--data", str(tmp_path), "--metrics", port]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_house_tells_programs_where_it_is_open(tmp_path):
    command = [sys.executable, "-m", "brelan", "serve", "--port", "0", "--data", str(tmp_path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        said = json.loads(process.stdout.readline())
        assert httpx.get(f"{said['address']}health").status_code == 200
        process.terminate()


# ---------------------------------------------------------------- the log


def secret_things(guest, line):
    """What no line may hold: who they are, what they hold and say, what the match is sealed with."""
    cookies = {cookie.value for cookie in guest.http.cookies.jar}
    frames = "".join(map(str, line.frames))
    token = line.view["table"]["link"].rpartition("/")[2]
    record = guest.http.get(f"/t/{line.view['table']['code']}/record").text
    cards = set(re.findall(r'"key": ?"(\w+)"', frames)) | {
        f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs"
    }
    sealed = set(re.findall(r"\b[0-9a-f]{32,}\b", record)) - {line.view["table"]["commit"]}
    return cookies | cards | sealed | {token, "Zoraïde", "discard", "knock", "127.0.0.1", "how rude"}


def found_in(text, things):
    """Which of them stand there as words of their own."""
    return {thing for thing in things if re.search(rf"(?<![\w]){re.escape(thing)}(?![\w])", text)}


@pytest.mark.parametrize("mutant", ["", *MUTANTS])
def test_no_line_holds_what_only_players_know(tmp_path, mutant):
    """A whole match with the log at its most talkative, words said, a page that breaks, and a storm of requests."""
    with house(tmp_path, TALKATIVE + MUTANTS.get(mutant, "")) as process:
        guest = Guest(process.address)
        line = guest.line(guest.make(nickname="Zoraïde", **{"custom.talk": "on"}))
        line.ask("say", text="how rude")
        play(line, (lambda view: view["number"] > 20) if mutant else over)
        broken = guest.http.get("/rules/gin")
        while line.ask("undo").get("error") != "limits":
            pass
        things = secret_things(guest, line)
        guest.close()
        end(process)
    text = (tmp_path / "stderr").read_text("utf-8")
    if mutant:
        assert found_in(text, things)
        return
    assert found_in(text, things) == set()
    assert broken.status_code == 500
    assert {"content-security-policy", "brelan-build"} <= set(broken.headers), "as every answer"
    (fault,) = told(tmp_path, "fault")
    assert fault["id"] in broken.text
    assert (fault["route"], fault["kinds"]) == ("/rules/{game}", ["KeyError"])
    assert fault["trace"][-1].endswith("rules")
    (made,), (began,), (ended,) = (told(tmp_path, event) for event in ("made", "started", "over"))
    assert (made["game"], began["match"]) == ("gin", ended["match"])
    assert (began["code"], ended["seconds"] >= 0) == (made["code"], True)
    assert [line["kind"] for line in told(tmp_path, "limited")] == ["ask"]
    (start,), (stop,) = told(tmp_path, "start"), told(tmp_path, "stop")
    assert (start["build"], start["database"], stop["seconds"] > 0) == (build_id(), "sqlite", True)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_house_ends_in_order_however_it_is_told_to(tmp_path, how):
    """The last is what a terminal says that is closed."""
    process = house(tmp_path, log="json")
    assert httpx.get(f"{process.address}health").status_code == 200
    end(process, how)
    assert len(told(tmp_path, "stop")) == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_a_house_that_is_to_outlive_its_terminal_does(tmp_path, workers, request):
    """As nohup has it; its workers as well."""
    ignoring = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    database = request.getfixturevalue("postgres") if workers > 1 else None
    with house(tmp_path, ignoring, workers=workers, database=database) as process:
        assert httpx.get(f"{process.address}health", timeout=WAIT).status_code == 200
        for pid in (process.process.pid, *(line["worker"] for line in told(tmp_path, "worker_started"))):
            os.kill(pid, signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.process.wait(1)
        assert httpx.get(f"{process.address}health", timeout=WAIT).status_code == 200
        assert len(told(tmp_path, "worker_started")) in (0, workers), "nor are there others"
        end(process)


def record_of(message, *args, name="some.library", level=logging.WARNING, error=None, **fields):
    record = logging.LogRecord(name, level, "", 0, message, args, error and (type(error), error, None))
    vars(record).update(fields)
    return record


def test_a_storm_is_told_once_and_then_by_the_minute(caplog, monkeypatch):
    """With what there is to say of it then: it may be about another table."""
    monkeypatch.setattr(logs, "_seen", {})  # what other tests did often is still to be told
    with caplog.at_level(logging.WARNING, "brelan"):
        for at in range(1000):
            logs.often("limited", "a storm", at=at)
        logs.minute()
        logs.minute()
        logs.often("limited", "a storm")
        for _ in range(2):
            logs.minute()
    assert [(r.fields.get("more"), r.fields.get("at")) for r in caplog.records] == [(None, 0), (999, 999), (None, None)]


def test_lines_of_libraries_are_cut_where_they_begin_to_show_what_they_work_on():
    record = record_of("Task exception was never retrieved\nfuture: KeyError('7h')")
    assert logs.told(record) == ("library", {"library": "some.library", "says": "Task exception was never retrieved"})
    assert not logs.is_fit(record_of("sent", level=logging.INFO))
    assert not logs.is_fit(record_of("sent", level=logging.INFO, name="brelan"))
    event, fields = logs.told(record_of("broken %s", "here", error=KeyError("7h")))
    assert (event, fields["kinds"], "7h" in str(fields)) == ("fault", ["KeyError"], False)


@pytest.mark.parametrize("level", [logging.WARNING, logging.ERROR])
def test_what_libraries_say_is_as_grave_as_they_say_and_told_by_the_minute(level, caplog, monkeypatch):
    monkeypatch.setattr(logs, "_seen", {})
    for _ in range(1000):
        assert not logs.is_fit(record_of("Task was destroyed but it is pending!", level=level))
    logs.minute()
    assert [(said.levelno, said.fields.get("more")) for said in caplog.records] == [(level, None), (level, 999)]


def test_an_error_of_the_system_is_told_by_its_number_and_not_by_its_file():
    error = OSError(24, "Too many open files", "/home/zoe")
    assert (logs.kinds(error), logs.why(error)) == (["OSError EMFILE"], "OSError EMFILE")


def test_what_strangers_send_fills_no_log(tmp_path):
    """Greetings of TLS to a house that speaks none, which ends within the minute."""
    with house(tmp_path) as process:
        place = process.address.removeprefix("http://").strip("/").split(":")
        for _ in range(20):
            with socket.create_connection(place, timeout=WAIT) as line:
                line.sendall(b"\x16\x03\x01\x02\x00")
                assert line.recv(100).startswith(b"HTTP/1.1 400")
        end(process)
    said, rest = told(tmp_path, "library")
    assert (said["library"], said["says"]) == ("uvicorn.error", "Invalid HTTP request received.")
    assert rest["more"] == 19


def test_a_line_of_text_is_one_line_with_its_values_quoted():
    record = record_of(
        "storage", name="brelan", fields={"why": "disk\nfull", "code": "abc", "trace": ["a:1 f", "b:2 g"]}
    )
    assert logs.Lines("text").format(record).endswith(r'storage why="disk\nfull" code=abc trace=b:2 g ← a:1 f')


def test_without_a_form_only_what_went_wrong_is_written(monkeypatch):
    monkeypatch.setattr("sys.stderr", StringIO())
    with logs.written(None):
        logs.tell("made", code="abc")
        logs.tell("fault", logging.ERROR, id="1")
        assert [line.split()[3] for line in sys.stderr.getvalue().splitlines()] == ["fault"]
