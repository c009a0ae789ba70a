"""The line protocol: what a seat is told, and what becomes of programs that do not answer as they should."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brelan import bots, games
from brelan.bots import protocol
from brelan.bots.program import Program
from brelan.cards import HIDDEN
from brelan.cli import main
from brelan.errors import Refusal
from brelan.lab import conformance
from brelan.lab.arena import Block as Deals
from brelan.lab.arena import Plan, by_moves
from brelan.lab.players import OfProgram
from brelan.play.match import Match
from brelan.play.shuffle import Chance, simulated_secret
from tests.tables import for_every_game

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
PYTHON = f"{sys.executable} {EXAMPLES / 'bot.py'}"

ANSWERS = """
import sys, json, time
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({{"type": "hello", "name": "odd"}}), flush=True)
    elif said["type"] == "ask":
        {0}
"""
ODD = {
    "bot_line": 'print("draw", flush=True)',
    "bot_answer": 'print(json.dumps({"type": "move", "id": said["id"] + 1, "move": said["legal"][0]}), flush=True)',
    "bot_move": 'print(json.dumps({"type": "move", "id": said["id"], "move": "win"}), flush=True)',
    "bot_gone": "sys.exit(1)",
    "bot_late": "time.sleep(60)",
    "bot_late while it talks": 'while True: print(json.dumps({"type": "mood"}), flush=True)',
    "bot_long": 'print("x" * (1 << 21), flush=True)',
    "bot_wrong": 'print(json.dumps({"type": "wrong", "id": said["id"], "why": "tired"}), flush=True)',
}

TALKATIVE = """print(json.dumps({"type": "mood", "is": "good"}), flush=True)
        print(json.dumps({"type": "move", "id": said["id"], "move": said["legal"][0]}), flush=True)"""


def odd(folder, fault):
    """The command of a program with one fault, or with much to say."""
    script = folder / f"{fault.replace(' ', '-')}.py"
    script.write_text(ANSWERS.format(ODD.get(fault, TALKATIVE)), "utf-8")
    return f"{sys.executable} {script}"


def begun(game, players=None):
    match = Match(game, players or game.seats[0], 0)
    match.deal(Chance(simulated_secret(3, 1), "protocol", (b"",) * match.players))
    return match


@for_every_game
def test_an_ask_says_what_the_seat_may_know_and_nothing_else(game):
    """Two worlds that differ in what is hidden from the seat give the same line."""
    match, random = begun(game), [5]
    for _ in range(12):
        seat = match.asked()[0]
        seen = game.view.redact(match.state, seat)
        ask = protocol.Ask(1, game, match.preset, match.options, seat, seen, match.legal(seat))
        other = match.state.copy()
        game.rules.imagine(other, seat, random)
        again = protocol.Ask(1, game, match.preset, match.options, seat, game.view.redact(other, seat), ask.legal)
        assert protocol.line(ask.to_json()) == protocol.line(again.to_json())
        assert set(ask.legal) == {game.notation.move_text(move) for move in legal(game, seen, seat)}
        held = [card for zone in ask.to_json()["zones"].values() for card in zone]
        assert "?" in held
        match.move(seat, game.notation.move_text(bots.answer(game, "random", seen, seat, random)))
        match.deal(Chance(simulated_secret(3, 1), "protocol", (b"",) * match.players))


@for_every_game
def test_the_zones_are_those_of_the_specification(game):
    rows = re.findall(rf"\| `{game.id}` \| (.*) \|", (EXAMPLES.parent / "bot-protocol.md").read_text("utf-8"))
    assert rows, f"docs/bot-protocol.md has no row for {game.id} in its table of zones: add one"
    told = {name.rpartition(":")[0] or name for name in re.findall(r"`([^`]*)`", rows[0])}
    assert told == {name.rpartition(":")[0] or name for name in game.view.zones(begun(game).state)}


def test_the_stock_is_told_from_the_top_and_a_pile_from_the_bottom():
    """Hawaiki: what is sacrificed lay on top of a pile, and lies under the stock."""
    match = Match(games.find("hawaiki"), 2, options={"sacrifice": True})
    match.deal(Chance(simulated_secret(3, 1), "protocol", (b"",) * 2))
    match.move(0, match.legal(0)[1])
    seat, zones = match.asked()[0], match.game.view.zones
    sacrifice = match.legal(seat)[-1]
    top = zones(match.state)[f"pile:{sacrifice[-1]}"][-1]
    match.move(seat, sacrifice)
    stock = zones(match.game.view.redact(match.state, seat))["stock"]
    assert (stock[0], stock[-1]) == (HIDDEN, top)


def legal(game, state, seat):
    out = [0] * game.rules.ACTIONS
    return out[: game.rules.legal(state, seat, out)]


def test_what_was_played_since_is_told_as_the_seat_heard_it():
    game = games.find("gin")
    match = begun(game)
    player = OfProgram(Program(PYTHON))
    try:
        first, second = match.asked()[0], 1 - match.asked()[0]
        assert player.asked(match, first, 0, "one").heard == []
        match.move(first, "draw")
        drawn = match.legal(first)
        match.move(first, drawn[0])
        told = player.asked(match, second, 0, "one").heard
        assert told == [{"seat": first, "move": "draw"}, {"seat": first, "move": drawn[0]}]
        assert player.asked(match, second, 0, "one").heard == []
    finally:
        player.close()


def test_each_match_has_a_name_of_its_own_and_is_told_from_its_beginning(monkeypatch):
    player, asks = OfProgram(Program(PYTHON)), []
    move = player.program.move
    monkeypatch.setattr(player.program, "move", lambda ask: asks.append(ask) or move(ask))
    try:
        for _ in range(3):
            match = begun(games.find("gin"))
            for _ in range(2):  # a match that is gone may leave its place in memory to the next one
                match.move(match.asked()[0], player.move(match, match.asked()[0], 1))
            del match
    finally:
        player.close()
    assert [ask.match for ask in asks] == [f"match-{n}" for n in (1, 1, 2, 2, 3, 3)]
    assert [ask.heard for ask in asks[::2]] == [[], [], []]


def test_lines_of_kinds_that_nobody_knows_are_passed_over(tmp_path):
    match = begun(games.find("gin"))
    player = OfProgram(Program(odd(tmp_path, "talkative")))
    try:
        assert player.move(match, match.asked()[0], 1) in match.legal(match.asked()[0])
    finally:
        player.program.kill()


def test_also_before_the_hello(tmp_path):
    script = tmp_path / "early.py"
    script.write_text('print(\'{"type": "mood"}\', flush=True)' + ANSWERS.format("pass"), "utf-8")
    program = Program(f"{sys.executable} {script}", 20)
    program.kill()
    assert program.hello.name == "odd"


def test_a_move_may_be_spelled_as_records_allow():
    """Two cards in the other order; a MIO that is not due (O-A3)."""
    lay, mio = asked_in(games.find("elements"), r"lay \S+ \S+"), asked_in(games.find("mio"), r"play \S+")
    two = next(move for move in lay.legal if move.startswith("lay "))
    _, one, other = two.split()
    assert protocol.move(moved(lay, f"lay {other} {one}"), lay) == two
    card = next(move for move in mio.legal if move.startswith("play "))
    assert protocol.move(moved(mio, f"{card} mio"), mio) == card
    for ask, wrong in ((lay, f"lay {one} {one}"), (lay, ["pass"]), (mio, None), (mio, "PASS")):
        with pytest.raises(Refusal) as refused:
            protocol.move(moved(ask, wrong), ask)
        assert refused.value.key == "bot_move"


def moved(ask, text):
    return protocol.line({"type": "move", "id": ask.id, "move": text})


def asked_in(game, kind):
    """What the first seat is asked that has a move of that kind."""
    match, chance = begun(game), Chance(simulated_secret(3, 1), "protocol", (b"",) * game.seats[0])
    while True:
        seat = match.asked()[0]
        legal = match.legal(seat)
        if any(re.fullmatch(kind, move) for move in legal):
            seen = game.view.redact(match.state, seat)
            return protocol.Ask(1, game, match.preset, match.options, seat, seen, legal)
        match.move(seat, legal[-1])
        match.deal(chance)


@pytest.mark.parametrize("fault", ODD)
def test_each_fault_is_named(fault, tmp_path):
    match = begun(games.find("gin"))
    player = OfProgram(Program(odd(tmp_path, fault), 0.5 if "late" in fault else 20))
    try:
        with pytest.raises(Refusal) as refused:
            player.move(match, match.asked()[0], 1)
        assert refused.value.key == fault.partition(" ")[0]
    finally:
        player.program.kill()


@pytest.mark.parametrize(
    ("command", "key"),
    [("no-such-program-here", "bot_start"), ("true", "bot_gone"), ("cat", "bot_name"), ("", "bot_start")],
)
def test_what_is_no_bot_is_refused(command, key):
    with pytest.raises(Refusal) as refused:
        Program(command, 5)
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"name": ""}, '“name” in the hello of a bot must be a text that is not empty, not "".'),
        ({}, "“name” in the hello of a bot must be a text that is not empty, not null."),
        ({"name": "x", "version": 3}, "“version” must be a text, not 3."),
        ({"name": "x", "games": "gin"}, '“games” in the hello of a bot must be a list of texts, not "gin".'),
    ],
)
def test_what_is_wrong_with_a_hello_is_named(said, says):
    with pytest.raises(Refusal) as refused:
        protocol.hello(protocol.line({"type": "hello", **said}))
    assert str(refused.value) == says


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"id": "1", "move": "pass"}, '“move "1"” is not the answer to 1.'),
        ({"id": None}, "“move null” is not the answer to 1."),
        ({"id": 1}, "“null” is not one of the legal moves."),
        ({"type": "wrong", "why": True}, "the bot refuses: true"),
    ],
)
def test_an_answer_is_told_as_it_was_written(said, says):
    ask = asked_in(games.find("mio"), r"play \S+")
    with pytest.raises(Refusal) as refused:
        protocol.move(protocol.line({"type": "move", **said}), ask)
    assert str(refused.value) == says


PARENT = """
import json, subprocess, sys
child = subprocess.Popen(["sleep", "60"], start_new_session={0})
print(json.dumps({{"type": "hello", "name": str(child.pid)}}), flush=True)
child.wait()
"""


@pytest.mark.parametrize("leaves", [False, True])
def test_a_program_is_ended_with_what_it_started_and_keeps_nobody_waiting(leaves, tmp_path):
    """A child that went a way of its own lives on, with our pipe in its hands."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(leaves), "utf-8")
    program, began = Program(f"{sys.executable} {script}", 20), time.monotonic()
    program.kill()
    assert time.monotonic() - began < 20
    assert program._ear.is_alive() is leaves  # somebody has its output open
    if leaves:
        os.kill(int(program.hello.name), signal.SIGKILL)


def test_programs_end_with_who_started_them(tmp_path):
    """Whoever is interrupted has no time to close them; what holds our standard error open is still there."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(False), "utf-8")
    ours = f"from brelan.bots.program import Program; Program({f'{sys.executable} {script}'!r}, 20)"
    subprocess.run([sys.executable, "-c", ours], stderr=subprocess.PIPE, timeout=30, check=True)


def test_who_makes_no_legal_move_loses_the_match_and_no_more(tmp_path):
    command = f"cmd:{odd(tmp_path, 'bot_move')}"
    plan = Plan("gin", (command, "novice"), 2, deals=2)
    found = by_moves(plan, Deals(command, "novice", 0, 2))
    assert (found.faults, found.faults_b) == (4, 0)
    assert (found.why, found.why_b) == ("deal 0, seat 0: “win” is not one of the legal moves.", "")
    assert found.mean() == -0.5


def test_who_does_not_start_in_an_arena_is_named():
    plan = Plan("gin", ("cmd:true", "novice"), 2, deals=1)
    with pytest.raises(Refusal) as refused:
        by_moves(plan, Deals("cmd:true", "novice", 0, 1))
    assert str(refused.value) == "cmd:true: the bot has gone."


def test_the_examples_speak_the_protocol(capsys):
    assert main(["bot-check", PYTHON, "--game", "gin", "--game", "hawaiki", "--matches", "2"]) == 0
    assert capsys.readouterr().out.count("✓") == 6


@pytest.mark.skipif(not shutil.which("node"), reason="no Node here: the example in JavaScript is not run")
def test_the_example_in_javascript_speaks_the_protocol(capsys):
    assert main(["bot-check", f"node {EXAMPLES / 'bot.mjs'}", "--matches", "2"]) == 0
    assert "gin 2" in capsys.readouterr().out


def test_the_check_finds_what_is_wrong(tmp_path, capsys):
    for fault in ("bot_move", "bot_answer", "bot_gone"):
        assert main(["bot-check", odd(tmp_path, fault), "--game", "mio", "--matches", "1", "--json"]) == 2
        said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [line["good"] for line in said if line["name"] == "match"] == [False, False]


ONCE_LATE = 'time.sleep(6 * (said["id"] == 2)); ' + TALKATIVE


def test_a_fault_is_counted_once(tmp_path):
    """A late answer is none to the next ask, and who has died was not told bye."""
    script = tmp_path / "late.py"
    script.write_text(ANSWERS.format(ONCE_LATE), "utf-8")
    for command, bad in ((f"{sys.executable} {script}", 1), (odd(tmp_path, "bot_gone"), 2)):
        looked = list(conformance.checks(command, ["hawaiki"], 1, 3))
        assert [check.good for check in looked] == [True, True, False, bad == 1, True]


def test_who_dies_of_what_it_does_not_know_is_said_to_have_gone():
    class Gone:
        def say(self, said):
            """Heard by nobody."""

        def heard(self, seconds):
            return b""

    looked = conformance._ignores(Gone())
    assert (looked.good, looked.why.key) == (False, "bot_gone")


def test_what_a_program_says_of_itself_is_shown_on_one_line(tmp_path, capsys):
    script = tmp_path / "odd.py"
    for name in (r"a\ud800b", r"a\u001b[31m\nb"):
        script.write_text(ANSWERS.format("pass").replace('"odd"', f'"{name}", "games": ["whist"]'), "utf-8")
        assert main(["bot-check", f"{sys.executable} {script}"]) == 2
        assert repr(name.encode().decode("unicode_escape"))[1:-1] in capsys.readouterr().out.splitlines()[0]


def test_what_is_wrong_is_said_in_the_language_of_who_looks(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    main(["bot-check", odd(tmp_path, "bot_move"), "--game", "gin", "--matches", "1"])
    assert "n’est pas un des coups permis" in capsys.readouterr().out


def test_who_names_a_game_that_nobody_knows_is_told_so(tmp_path, capsys):
    script = tmp_path / "odd.py"
    script.write_text(ANSWERS.format("pass").replace('"odd"', '"odd", "games": ["whist"]'), "utf-8")
    assert main(["bot-check", f"{sys.executable} {script}", "--json"]) == 2
    hello, *_, bye = map(json.loads, capsys.readouterr().out.splitlines())
    assert (hello["name"], hello["good"], bye["name"]) == ("hello", False, "bye")
    assert hello["says"].startswith("odd: “whist” is not a game of the house")


def test_nothing_is_started_for_a_game_that_nobody_knows(monkeypatch):
    monkeypatch.setattr(conformance, "Program", None)
    with pytest.raises(Refusal) as refused:
        list(conformance.checks(PYTHON, ["gin", "whist"]))
    assert refused.value.key == "game"


def test_a_program_ends_with_its_check_however_that_ends(monkeypatch):
    programs = []
    monkeypatch.setattr(conformance, "Program", lambda *given: programs.append(Program(*given)) or programs[-1])
    looked = conformance.checks(PYTHON, ["gin"])
    next(looked)
    looked.close()
    assert programs[0]._process.poll() is not None


def test_each_match_of_a_check_is_told_from_its_beginning(monkeypatch):
    asks, move = {}, Program.move
    monkeypatch.setattr(Program, "move", lambda self, ask: asks.setdefault(ask.match, ask) and move(self, ask))
    assert all(check.good for check in conformance.checks(PYTHON, ["companeros"], 2))
    assert len(asks) == 2 * 2  # at two sizes of the table
    assert all(len(ask.heard) < ask.state.players for ask in asks.values())


def test_who_cannot_be_started_leaves_nobody_behind():
    """The first of the two is running by then, or was ended for a fault and cannot begin anew."""
    ended = []

    class Faulty:
        def move(self, match, seat, seed):
            raise Refusal("bot_gone")

        def close(self):
            ended.append(self)

    for starts in (1, 2):
        begun = iter([Faulty() for _ in range(starts)])
        with pytest.raises(Refusal):
            by_moves(Plan("gin", ("a", "b"), 2), Deals("a", "b", 0, 1), lambda name, begun=begun: started(begun))
    assert len(set(ended)) == 3


def started(begun):
    for one in begun:
        return one
    raise Refusal("bot_start")


def test_who_was_ended_may_be_told_bye():
    program = Program(PYTHON, 20)
    assert program.close()
    assert program.close()


def test_our_own_bots_speak_it_too(capsys):
    assert main(["bot-check", f"{sys.executable} -m brelan bot", "--game", "companeros", "--matches", "1"]) == 0


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"type": "compile"}, "not a game of the house"),
        ({"type": "compile", "game": "whist"}, "“whist” is not a game"),
        ({"type": "ask", "id": 3}, "this cannot be asked: KeyError"),
        (
            {"type": "ask", "id": 4, "game": "gin", "level": 5, "preset": "sheet"},
            "this cannot be asked: AttributeError",
        ),
    ],
)
def test_our_own_bot_says_what_is_wrong_with_a_line_and_goes_on(line, says):
    program = Program(f"{sys.executable} -m brelan bot", 20)
    try:
        program.say(line)
        wrong = json.loads(program.heard(20))
        assert wrong["type"] == "wrong"
        assert wrong["id"] == line.get("id")
        assert says in wrong["why"]
        program.say({"type": "hello", "protocol": 1})
        assert json.loads(program.heard(20))["type"] == "hello"
    finally:
        program.close()
