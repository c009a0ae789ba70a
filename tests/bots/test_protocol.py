"""The line protocol: what a seat is told, and what becomes of programs that do not answer as they should."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from brelan import bots, games
from brelan.bots import protocol
from brelan.bots.ours import checked
from brelan.bots.program import AHEAD, Program
from brelan.cards import HIDDEN
from brelan.cli import main
from brelan.errors import Refusal, WrongSeat
from brelan.fast import Engine
from brelan.game import legal_moves
from brelan.lab.arena import Block as Deals
from brelan.lab.arena import Plan, by_moves
from brelan.lab.players import Asks, OfProgram
from brelan.play.match import Match
from brelan.play.shuffle import simulated
from brelan.words import Words
from tests.bots.programs import ANSWERS, EXAMPLES, FIRST, ODD, PYTHON, odd
from tests.tables import for_every_game


def begun(game, players=None):
    match = Match(game, players or game.seats[0], 0)
    match.deal(simulated("protocol", match.players, 3, 1))
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
        assert set(ask.legal) == {game.notation.move_text(move) for move in legal_moves(game.rules, seen, seat)}
        held = [card for zone in ask.to_json()["zones"].values() for card in zone]
        assert "?" in held
        match.move(seat, game.notation.move_text(bots.at_once(game, "random", seen, seat, random, match.preset)))
        match.deal(simulated("protocol", match.players, 3, 1))


NUMBER = re.compile(r"\b\d+\b")


@for_every_game
def test_the_specification_says_how_a_hidden_move_is_heard(game):
    rows = re.findall(r"\| `heard` \| (.*) \|", (EXAMPLES.parent / "bot-protocol.md").read_text("utf-8"))
    told = {NUMBER.sub("#", said) for said in re.findall(r"`([^`]*)`", rows[0])}
    for text in map(game.notation.move_text, range(game.rules.ACTIONS)):
        heard = game.view.heard(game.notation.move_of(text), 0, 1)
        assert heard == text or NUMBER.sub("#", heard) in told


@for_every_game
def test_the_zones_are_those_of_the_specification(game):
    rows = re.findall(rf"\| `{game.id}` \| (.*) \|", (EXAMPLES.parent / "bot-protocol.md").read_text("utf-8"))
    assert rows, f"docs/bot-protocol.md has no row for {game.id} in its table of zones: add one"
    told = {name.rpartition(":")[0] or name for name in re.findall(r"`([^`]*)`", rows[0])}
    assert told == {name.rpartition(":")[0] or name for name in game.view.zones(begun(game).state)}


def test_the_stock_is_told_from_the_top_and_a_pile_from_the_bottom():
    """Hawaiki: what is sacrificed lay on top of a pile, and lies under the stock."""
    match = Match(games.find("hawaiki"), 2, options={"sacrifice": True})
    match.deal(simulated("protocol", 2, 3, 1))
    match.move(0, match.legal(0)[1])
    seat, zones = match.asked()[0], match.game.view.zones
    sacrifice = match.legal(seat)[-1]
    top = zones(match.state)[f"pile:{sacrifice[-1]}"][-1]
    match.move(seat, sacrifice)
    stock = zones(match.game.view.redact(match.state, seat))["stock"]
    assert (stock[0], stock[-1]) == (HIDDEN, top)


def test_what_was_played_since_is_told_as_the_seat_heard_it():
    game = games.find("gin")
    match = begun(game)
    asks = Asks()
    first, second = match.asked()[0], 1 - match.asked()[0]
    assert asks.next(match, first, 0, "one", 1).heard == []
    match.move(first, "draw")
    drawn = match.legal(first)
    match.move(first, drawn[0])
    told = asks.next(match, second, 0, "one", 1).heard
    assert told == [{"seat": first, "move": "draw"}, {"seat": first, "move": drawn[0]}]
    assert asks.next(match, second, 0, "one", 1).heard == []


def test_each_match_has_a_name_of_its_own_and_is_told_from_its_beginning(monkeypatch):
    player, asks, move = OfProgram(lambda: Program(PYTHON)), [], Program.move
    monkeypatch.setattr(Program, "move", lambda program, ask: asks.append(ask) or move(program, ask))
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
    player = OfProgram(lambda: Program(odd(tmp_path, "talkative")))
    try:
        assert player.move(match, match.asked()[0], 1) in match.legal(match.asked()[0])
    finally:
        player.close()


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


def test_of_many_legal_moves_some_are_named():
    ask = asked_in(games.find("gin"), r"discard \S+")
    with pytest.raises(Refusal) as refused:
        protocol.move(moved(ask, "fold"), ask)
    assert str(refused.value) == f"“fold” is not one of the legal moves ({', '.join(ask.legal[:5])}, …)."


def moved(ask, text):
    return {"type": "move", "id": ask.id, "move": text}


def asked_in(game, kind):
    """What the first seat is asked that has a move of that kind."""
    match, chance = begun(game), simulated("protocol", game.seats[0], 3, 1)
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
    player = OfProgram(lambda: Program(odd(tmp_path, fault), 0.5 if "late" in fault else 20))
    try:
        with pytest.raises(Refusal) as refused:
            player.move(match, match.asked()[0], 1)
        assert refused.value.key == fault.partition(" ")[0]
    finally:
        player.close()


@pytest.mark.parametrize(
    ("ends", "says"),
    [("sys.exit(3)", "with exit status 3."), ("os.kill(os.getpid(), 15)", "ended by SIGTERM.")],
)
def test_how_a_program_ended_is_said(ends, says, tmp_path):
    """Also where it had begun a line, or had closed its output or its input before."""
    for before in ("pass", 'print("{", end="", flush=True)', "os.close(1); time.sleep(0.1)", "sys.stdin.close()"):
        script = tmp_path / "ends.py"
        script.write_text(ANSWERS.format(f"import os; {before}; {ends}"), "utf-8")
        program = Program(f"{sys.executable} {script}", 20)
        with pytest.raises(Refusal) as refused:
            program.move(asked_in(games.find("gin"), "draw"))
        assert str(refused.value) == f"the bot has gone, {says}"
        with pytest.raises(Refusal) as refused:
            program.move(asked_in(games.find("gin"), "draw"))
        assert str(refused.value) == f"the bot has gone, {says}"
        program.kill()


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("no-such-program-here", "bot_start"),
        ("true", "bot_ended"),
        ("cat", "bot_name"),
        ("", "bot_command"),
        ("'' x", "bot_command"),
    ],
)
def test_what_is_no_bot_is_refused(command, key):
    with pytest.raises(Refusal) as refused:
        Program(command, 5)
    assert refused.value.key == key


@pytest.mark.parametrize(("command", "named"), [("a path/b", "a"), ("'a path/b' x", "a path/b"), ("'bot", "'bot")])
def test_what_was_looked_for_in_vain_is_named_as_the_command_has_it(command, named):
    with pytest.raises(Refusal) as refused:
        Program(command, 5)
    assert (refused.value.key, refused.value.values["command"]) == ("bot_start", named)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"name": ""}, '“name” in the hello of a bot must be a text that is not empty, not "".'),
        ({}, "“name” in the hello of a bot must be a text that is not empty, not null."),
        ({"name": "x", "version": 3}, "“version” must be a text, not 3."),
        ({"type": "wrong", "why": "cannot start: no GPU"}, "the bot refuses: cannot start: no GPU"),
        ({"name": "x", "games": "gin"}, '“games” in the hello of a bot must be a list of texts, not "gin".'),
        ({"name": "x", "games": [1]}, "“games” in the hello of a bot must be a list of texts, not [1]."),
    ],
)
def test_what_is_wrong_with_a_hello_is_named(said, says):
    with pytest.raises(Refusal) as refused:
        protocol.hello({"type": "hello", **said})
    assert str(refused.value) == says


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"id": "1", "move": "pass"}, '“move "1"” is not the answer to 1.'),
        ({"type": "hello", "id": 1, "move": "draw"}, "“hello 1” is not the answer to 1."),
        ({"id": None}, "“move null” is not the answer to 1."),
        ({"id": 1}, "“null” is not one of the legal moves (play Y2, play B2, play S3, draw)."),
        ({"type": "wrong", "why": True}, "the bot refuses: true"),
    ],
)
def test_an_answer_is_told_as_it_was_written(said, says):
    ask = asked_in(games.find("mio"), r"play \S+")
    with pytest.raises(Refusal) as refused:
        protocol.move({"type": "move", **said}, ask)
    assert str(refused.value) == says


def test_a_line_that_breaks_off_is_none_and_one_may_be_as_long_as_is_said():
    full = b'"' + b"x" * (protocol.LONGEST - 3) + b'"\n'
    lines = {b'{"type":"bye"}': "bot_gone", b'"bye"\n': "bot_line", full: "bot_line", full[:-1] + b" \n": "bot_long"}
    for line, key in lines.items():
        with pytest.raises(Refusal) as refused:
            protocol.heard(line)
        assert refused.value.key == key
    assert protocol.heard(b'{"type":"bye"}\n') == {"type": "bye"}


PARENT = """
import json, subprocess
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


FLOOD = """
import fcntl, os
fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20)
os.write(1, b'{"type": "hello", "name": "flood"}\\n')
while True:
    os.write(1, b"\\n" * 65536)
"""


def test_what_nobody_asked_for_is_not_kept_without_bound(tmp_path):
    script = tmp_path / "flood.py"
    script.write_text(FLOOD, "utf-8")
    program = Program(f"{sys.executable} {script}", 20)
    time.sleep(0.5)
    assert program._lines.qsize() <= AHEAD
    program.kill()
    assert not program._ear.is_alive()


def test_who_does_not_read_keeps_nobody_waiting(tmp_path):
    script = tmp_path / "blind.py"
    script.write_text('import time; print(\'{"type": "hello", "name": "blind"}\', flush=True); time.sleep(60)', "utf-8")
    program, began = Program(f"{sys.executable} {script}", 20), time.monotonic()
    with pytest.raises(Refusal) as refused:
        program.move(replace(asked_in(games.find("gin"), "draw"), match="x" * (1 << 17), seconds=0.5))
    assert (refused.value.key, program.close()) == ("bot_late", False)
    assert time.monotonic() - began < 20


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
    assert str(found.why) == "deal 0, seat 0: “win” is not one of the legal moves (draw, take)."
    assert found.why_b is None
    assert found.mean() == -0.5


def test_a_line_that_does_not_end_is_told_as_far_as_it_came(tmp_path):
    script = tmp_path / "unended.py"
    script.write_text(ANSWERS.format("print(json.dumps({'type': 'move'}), end='', flush=True)"), "utf-8")
    program = Program(f"{sys.executable} {script}")
    try:
        with pytest.raises(Refusal) as refused:
            program.move(replace(asked_in(games.find("gin"), "draw"), seconds=1.5))
    finally:
        program.kill()
    said = 'the bot wrote “{"type": "move"}” without an end of line, and nothing more within 1.5 s.'
    assert str(refused.value) == said
    assert "sans fin de ligne, puis rien de plus en 1,5 s" in Words("fr").refusal(refused.value)


def test_who_keeps_its_hello_in_a_buffer_is_told_to_flush_it(monkeypatch):
    monkeypatch.setattr("brelan.bots.program.SECONDS", 0.5)
    with pytest.raises(Refusal, match="a line is heard once it ends with a line feed and is flushed"):
        Program("sleep 60", 0.5)


def test_a_line_that_comes_in_parts_is_one_and_several_that_come_together_are_several(tmp_path):
    script = tmp_path / "parts.py"
    parts = '{"type": "hel', 'lo", "name": "odd"}\n{"type": "move"}\n{"type": ', '"move", "id": 2}\n'
    says = "for part in sys.argv[1:]: print(part, end='', flush=True); time.sleep(0.1)"
    script.write_text(f"import sys, time\n{says}\ntime.sleep(60)\n", "utf-8")
    program = Program(shlex.join([sys.executable, str(script), *parts]))
    try:
        assert program.hello.name == "odd"
        assert [program.answer(20) for _ in range(2)] == [{"type": "move"}, {"type": "move", "id": 2}]
    finally:
        program.kill()


def test_a_program_has_the_seconds_of_its_arena(tmp_path, capsys):
    """In all: while it is looked at, while it plays and while its moves are timed."""
    script = tmp_path / "late.py"
    script.write_text(ANSWERS.format(f"time.sleep(2 * (said['seconds'] < 1)); {FIRST}"), "utf-8")
    command = f"cmd:{sys.executable} {script}"
    for seconds, faults in (("0.5", {command: 4}), ("20", {})):
        arena = ["arena", "gin", "--bots", f"{command},novice", "--deals", "2", "--seconds", seconds, "--json"]
        assert main(arena) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["faults"] == faults
        assert (command in told["milliseconds"]) is (not faults)


def test_who_loses_by_a_fault_gives_nothing_to_those_who_play_the_same(tmp_path):
    """Else a program that never answers would win with its other seats whenever one of them is asked."""
    command = f"cmd:{odd(tmp_path, 'bot_move')}"
    plan = Plan("companeros", (command, "novice"), 4, deals=1)
    found = by_moves(plan, Deals(command, "novice", 0, 1))
    assert (found.mean(), found.mean("few")) == (-0.25, -0.25)  # alone, and each of three


def test_each_seat_of_a_program_is_a_process_of_its_own(tmp_path):
    """What one knows of a match, none of the others may."""
    script, seats = tmp_path / "one.py", tmp_path / "seats"
    noted = f"import os; open({str(seats)!r}, 'a').write(f'{{os.getpid()}} {{said[\"seat\"]}}\\n')"
    script.write_text(ANSWERS.format(f"{noted}; {FIRST}"), "utf-8")
    command = f"cmd:{sys.executable} {script}"
    by_moves(Plan("companeros", (command, "novice"), 3, deals=1), Deals(command, "novice", 0, 1))
    sat = {tuple(line.split()) for line in seats.read_text().splitlines()}
    assert len(sat) == len({process for process, _ in sat}) == len({seat for _, seat in sat}) == 3


def test_who_does_not_start_anew_loses_matches_and_ends_no_run():
    """What was played before is still to be told."""
    found = by_moves(Plan("gin", ("cmd:true", "novice"), 2, deals=1), Deals("cmd:true", "novice", 0, 1))
    assert (found.faults, found.mean()) == (2, -0.5)
    assert str(found.why) == "deal 0, seat 0: the bot has gone, with exit status 0."


def test_who_does_not_play_the_game_of_an_arena_is_refused_before_it_begins(tmp_path):
    script = tmp_path / "others.py"
    script.write_text(ANSWERS.format("pass").replace('"odd"', '"odd", "games": ["hawaiki", "mio"]'), "utf-8")
    command = f"cmd:{sys.executable} {script}"
    Plan("mio", (command, "novice"), 2).check()
    gone = "the bot has gone, with exit status 0."
    for bot, why in ((command, "the bot plays hawaiki, mio, and not gin."), ("cmd:true", gone)):
        with pytest.raises(Refusal) as refused:
            Plan("gin", ("novice", bot), 2).check()
        assert str(refused.value) == f"{bot}: {why}"


def test_who_was_ended_may_be_told_bye():
    program = Program(PYTHON, 20)
    assert program.close()
    assert program.close()


def asked_of_gin(seat=0, **changed):
    """An ask of a match of gin about to begin."""
    game = games.find("gin")
    return {"type": "ask", "id": 5, "game": "gin", "preset": "sheet", "seat": seat} | {
        "state": game.new(2).to_json() | changed
    }


def test_who_is_not_asked_hears_of_everybody_who_is():
    """The first cards of Hawaiki are hidden by all seats at once."""
    game = games.find("hawaiki")
    match = Match(game, 4, options={"one_hidden": True})
    match.deal(simulated("protocol", 4, 3, 1))
    match.move(0, match.legal(0)[0])
    searched = Engine(game, compiled=False).search
    for refuses in (
        lambda: checked(game, match.state, 0),
        lambda: match.move(0, "draw"),
        lambda: searched(match.state, 0, 10, seed=0),
    ):
        with pytest.raises(WrongSeat, match="Seat 0 is not asked now; asked: 1, 2, 3 "):
            refuses()


def test_half_a_letter_which_nobody_could_be_answered_with_is_no_line():
    lines = b'{"type":"ask","id":"\\ud800","game":"gin"}\n{"type":"hello"}\n'
    done = subprocess.run([sys.executable, "-m", "brelan", "bot"], input=lines, capture_output=True, timeout=60)
    wrong, hello = map(json.loads, done.stdout.splitlines())
    assert (wrong["type"], wrong["id"], hello["type"]) == ("wrong", None, "hello")
    assert "is not a line of a bot" in wrong["why"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"type": "compile"}, "not a game of the house"),
        ({"type": "compile", "game": "whist"}, "“whist” is not a game"),
        ({"type": "ask", "id": 3}, "this cannot be asked: KeyError"),
        ({"type": "ask", "id": 4, "game": "gin", "level": 5, "preset": "sheet"}, "There is no level “5”; known: "),
        (asked_of_gin(), "Seat 0 is not asked now; asked: –"),
        (asked_of_gin(seat=7), "There is no seat 7"),
        (asked_of_gin(players=99), "played by 2 players, not 99"),
        (asked_of_gin(stock=[1, 2]), "stock: not whole numbers of the shape (52,)"),
        ({**asked_of_gin(), "state": {}}, "players: not whole numbers of the shape ()"),
        (asked_of_gin(target="many"), "target: not whole numbers of the shape ()"),
        (asked_of_gin(next=53), "next: 53 is not from 0 to 52"),
        (asked_of_gin(phase=4), "no match of Gin Rami comes to this state: its numbers do not go together"),
    ],
)
def test_our_own_bot_says_what_is_wrong_with_a_line_and_goes_on(line, says):
    program = Program(f"{sys.executable} -m brelan bot", 20)
    try:
        program.say(line)
        wrong = program.answer(20)
        assert wrong["type"] == "wrong"
        assert wrong["id"] == line.get("id")
        assert says in wrong["why"]
        program.say({"type": "hello", "protocol": 1})
        assert program.answer(20)["type"] == "hello"
    finally:
        program.close()
