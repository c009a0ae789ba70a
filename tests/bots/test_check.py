"""`brelan bot-check`: what it looks at, and what it says of programs that do not answer as they should."""

import errno
import json
import sys

import pytest

from brelan.bots.program import Program
from brelan.cli import main
from brelan.errors import Refusal
from brelan.lab import conformance
from tests.bots.programs import ANSWERS, EXAMPLES, FIRST, ODD, PYTHON, TALKATIVE, needs_node, odd


def test_the_examples_speak_the_protocol(capsys):
    assert main(["bot-check", PYTHON, "--game", "gin", "--game", "hawaiki", "--matches", "2"]) == 0
    assert capsys.readouterr().out.count("✓") == 6


@needs_node
def test_the_example_in_javascript_speaks_the_protocol(capsys):
    assert main(["bot-check", f"node {EXAMPLES / 'bot.mjs'}", "--matches", "2"]) == 0
    assert "gin 2" in capsys.readouterr().out


def test_the_check_finds_what_is_wrong(tmp_path, capsys):
    for fault in ("bot_move", "bot_answer", "bot_ended"):
        assert main(["bot-check", odd(tmp_path, fault), "--game", "mio", "--matches", "1", "--json"]) == 2
        said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [line["good"] for line in said if line["name"] == "match"] == [False, False]


def test_a_program_has_its_time_for_the_hello_however_short_that_for_a_move(tmp_path):
    script = tmp_path / "slow.py"
    script.write_text("import time; time.sleep(2)\n" + ANSWERS.format("pass"), "utf-8")
    hello, *_ = conformance.checks(f"{sys.executable} {script}", ["gin"], 0, 0.5)
    assert hello.good


def test_a_game_that_is_named_twice_is_played_once(tmp_path):
    looked = conformance.checks(PYTHON, ["gin", "gin"], 1, 20)
    assert [check.name for check in looked] == ["hello", "unknown", "match", "bye"]


ONCE_LATE = 'time.sleep(6 * (said["id"] == 2)); ' + TALKATIVE


def test_a_program_that_has_ended_by_itself_is_told_of_where_it_may_not_be_killed_any_more(monkeypatch, capsys):
    """Such as macOS."""

    def killpg(group, sign):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("brelan.bots.program.os.killpg", killpg)
    assert main(["bot-check", "echo usage: bot --level N"]) == 2
    assert "does not say hello as it should" in capsys.readouterr().out


def test_a_fault_is_counted_once(tmp_path):
    """A late answer is none to the next ask, and who has died was not told bye."""
    script = tmp_path / "late.py"
    script.write_text(ANSWERS.format(ONCE_LATE), "utf-8")
    for command, bad in ((f"{sys.executable} {script}", 1), (odd(tmp_path, "bot_ended"), 2)):
        looked = list(conformance.checks(command, ["hawaiki"], 1, 3))
        assert [check.good for check in looked] == [True, True, False, bad == 1, True]


def test_who_dies_of_what_it_does_not_know_is_said_to_have_gone(tmp_path):
    script = tmp_path / "strict.py"
    script.write_text(ANSWERS.format("pass") + '    else: sys.exit("what?")\n', "utf-8")
    _, looked, *_ = conformance.checks(f"{sys.executable} {script}", ["gin"], 0)
    assert (looked.good, str(looked.why)) == (False, "the bot has gone, with exit status 1.")


@pytest.mark.parametrize("kind", ["mood", "move"])
def test_who_says_something_of_its_own_has_passed_over_what_it_does_not_know_and_who_answers_has_not(kind, tmp_path):
    script = tmp_path / "talks.py"
    says = f"    else: print(json.dumps({{'type': '{kind}'}}), flush=True)\n"
    script.write_text(ANSWERS.format("pass") + says, "utf-8")
    _, looked, *_ = conformance.checks(f"{sys.executable} {script}", ["gin"], 0)
    assert (looked.good, looked.says) == ((True, "") if kind == "mood" else (False, '{"type": "move"}'))


def test_what_is_wrong_is_told_with_what_was_said_to_the_program(tmp_path, capsys):
    """What it was sent, which ask it was, and what it should have done; nothing that holds only of who does well."""
    script = tmp_path / "strict.py"
    script.write_text(ANSWERS.format(ODD["bot_move"]) + '    elif said["type"] != "bye": sys.exit("what?")\n', "utf-8")
    assert main(["bot-check", f"{sys.executable} {script}", "--game", "gin", "--matches", "1"]) == 2
    _, unknown, match, _ = capsys.readouterr().out.splitlines()
    assert unknown == (
        "✗ does not pass over a line of the type “weather”, which it cannot know: the bot has gone, with exit status 1."
    )
    assert match.startswith("✗ does not play as it should: gin 2: asked 1 (match gin-2-0, seat 0): “win” is not one of")


def test_who_does_not_end_is_told_how_long_it_had(tmp_path, capsys):
    script = tmp_path / "stays.py"
    script.write_text(ANSWERS.format(FIRST) + "time.sleep(60)\n", "utf-8")
    assert main(["bot-check", f"{sys.executable} {script}", "--game", "companeros", "--matches", "1"]) == 2
    assert capsys.readouterr().out.splitlines()[-1] == "✗ does not end within two seconds when told bye"


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


@pytest.mark.parametrize(("named", "good"), [(["gin", "belote"], True), (["gin", "Mio"], False), (["belote"], False)])
def test_who_plays_games_of_other_houses_besides_names_them_and_none_of_ours_in_other_letters(tmp_path, named, good):
    script = tmp_path / "gin.py"
    script.write_text(ANSWERS.format(FIRST).replace('"odd"', f'"odd", "games": {named}'), "utf-8")
    hello, *_ = conformance.checks(f"{sys.executable} {script}", [], 0)
    assert hello.good is good


def test_who_does_not_play_what_is_asked_for_is_told_so_and_asked_the_rest(tmp_path):
    script = tmp_path / "gin.py"
    script.write_text(ANSWERS.format(TALKATIVE).replace('"odd"', '"odd", "games": ["gin"]'), "utf-8")
    hello, _, *matches, bye = conformance.checks(f"{sys.executable} {script}", ["mio", "gin"], 1)
    assert (hello.good, hello.why.key) == (False, "bot_plays")
    assert ([check.good for check in matches], bye.good) == ([True], True)


def test_moves_that_only_other_rules_bring_are_looked_at_where_these_are_named(tmp_path, capsys):
    script = tmp_path / "sheet.py"
    script.write_text(ANSWERS.format(f'"pass" in said["legal"] and sys.exit(3); {FIRST}'), "utf-8")
    check = ["bot-check", f"{sys.executable} {script}", "--game", "gin", "--matches", "1"]
    assert main(check) == 0
    assert main([*check, "--preset", "classic"]) == 2
    assert "gin 2 (classic): asked 1" in capsys.readouterr().out
    assert main([*check, "--option", "upcard_offer=true"]) == 2
    assert "gin 2 (upcard_offer=true): asked 1" in capsys.readouterr().out


def test_rules_that_a_game_does_not_have_are_refused_before_a_program_is_started(monkeypatch, capsys):
    monkeypatch.setattr(conformance, "Program", None)
    assert main(["bot-check", PYTHON, "--game", "gin", "--option", "tokens=3"]) == 2
    assert "There is no option “tokens”" in capsys.readouterr().err


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


def test_each_match_of_a_check_is_told_from_its_beginning_and_its_seeds_are_large(monkeypatch):
    asks, move = {}, Program.move
    monkeypatch.setattr(Program, "move", lambda self, ask: asks.setdefault(ask.match, ask) and move(self, ask))
    assert all(check.good for check in conformance.checks(PYTHON, ["companeros"], 2))
    assert len(asks) == 2 * 2  # at two sizes of the table
    assert all(len(ask.heard) < ask.state.players for ask in asks.values())
    assert all(1 << 61 < ask.seed < 1 << 62 for ask in asks.values())


def test_our_own_bots_speak_it_too(capsys):
    assert main(["bot-check", f"{sys.executable} -m brelan bot", "--game", "companeros", "--matches", "1"]) == 0
