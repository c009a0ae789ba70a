"""A program that speaks the line protocol plays at a table of a house: `brelan sit`."""

import json
import math
import os
import re
import runpy
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest

from brelan import guest
from brelan.bots import protocol
from brelan.bots.protocol import Ask, Hello
from brelan.cli.tables import say_over, say_waits
from brelan.errors import Refusal
from brelan.games import GAMES, find
from brelan.play.record import verify
from brelan.words import Words
from tests.bots.programs import odd
from tests.server.clients import SERVER, Guest, Process, Program, moves_of, my_turn, until

ROOT = Path(__file__).parents[2]
BOT = f"{sys.executable} {ROOT / 'docs' / 'examples' / 'bot.py'}"
WAITS = "any move sits at the table and waits until whoever made it begins a match.\n"
MAYFLY = """
import json, sys
made = 0
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "mayfly"}), flush=True)
    elif said["type"] == "ask":
        if made:
            sys.exit("enough")
        made += 1
        print(json.dumps({"type": "move", "id": said["id"], "move": said["legal"][-1]}), flush=True)
"""


def command(table, program=BOT, *more, token):
    line = [sys.executable, "-m", "brelan", "sit", table, program, *more]
    return line, os.environ | {"BRELAN_TOKEN": token, "LANG": "en"}


def sit(table, program=BOT, *more, token):
    line, environment = command(table, program, *more, token=token)
    return subprocess.run(line, env=environment, capture_output=True, text=True, timeout=100)


def started(table, program=BOT, *more, token):
    line, environment = command(table, program, *more, token=token)
    return subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


TABLE = {"seat": 0, "wants_nonce": False, "seats": [{"kept": None}], "undo": {"waits_for": []}, "waits_for": []}
TURN = {"table": TABLE | {"clocks": None}, "scene": {"turn": [0]}, "number": 7}


@pytest.mark.parametrize(("clocks", "given"), [(None, 30.0), ([{"left": 4.0, "runs": True}], 4.0)])
def test_a_program_is_asked_as_the_house_asks_with_its_own_seconds_unless_a_clock_has_less(clocks, given):
    """Where no clock runs the house speaks of ten seconds, which are nobody's; its version may be another than ours."""
    ask, asked = {"id": 7, "seconds": 4.0 if clocks else 10.0, "state": {"of": "tomorrow"}, "more": True}, []
    there = SimpleNamespace(say=lambda *_, **__: ask)
    program = SimpleNamespace(seconds=30.0, chosen=lambda ask: asked.append(ask) or "pass")
    view = TURN | {"table": TABLE | {"clocks": clocks}}
    assert list(guest.act(there, view, program)) == ["pass"]
    assert asked == [ask | {"seconds": given}]


def test_a_program_that_thinks_long_is_at_the_table_all_the_while(monkeypatch):
    monkeypatch.setattr(guest, "AWAKE", 0.01)
    looked = Event()
    there = SimpleNamespace(say=lambda *_, **__: {"id": 7, "seconds": 10.0}, view=looked.set)
    program = SimpleNamespace(seconds=30.0, chosen=lambda _: looked.wait(20) and "pass")
    assert list(guest.act(there, TURN, program)) == ["pass"]


def moves(bot, code):
    """Its own moves of the match that is over, which is right; a keeper's are not among them."""
    record = bot.http.get(bot.view(code)["table"]["record"])
    assert len(verify(record.content)) == 1
    lines = [json.loads(line) for line in record.text.splitlines()]
    return [line["move"] for line in lines if line.get("seat") == 0 and "by" not in line]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_program_plays_a_match_to_its_end(game, program):
    options = {"target": 10} if "target" in {option.name for option in game.options} else {}
    bot = program()
    code = bot.table(game=game.id, players=game.seats[0], bots="novice", options=options)
    done = sit(f"{bot.address}/t/{code}", token=bot.token)
    assert done.returncode == 0, done.stdout + done.stderr
    own = iter(moves(bot, code))  # where the table speaks for everybody, it announces and thanks besides
    assert all(any(move.startswith(said) for move in own) for said in done.stdout.splitlines()[:-1])


def test_a_program_s_moves_and_the_end_are_told_to_programs(program):
    bot = program()
    code = bot.table(game="companeros", players=3, bots="novice")
    done = sit(f"{bot.address}/t/{code}", BOT, "--json", token=bot.token)
    assert done.returncode == 0, done.stdout + done.stderr
    *said, end = map(json.loads, done.stdout.splitlines())
    assert said == [{"move": move} for move in moves(bot, code)]
    assert end == {name: bot.view(code)["table"][name] for name in ("scores", "winners")}


def test_a_program_that_goes_leaves_its_seat_to_the_keeper_and_comes_back(program, tmp_path):
    (tmp_path / "mayfly.py").write_text(MAYFLY)
    bot = program()
    code = bot.table(name="", options={"target": 200})  # the keeper must not be done with it before we look
    table = f"{bot.address}/t/{code}"
    bot.say(code, "bot", seat=1, level="novice")
    with started(table, f"{sys.executable} {tmp_path / 'mayfly.py'}", token=bot.token) as mayfly:
        assert until(lambda: bot.view(code)["table"]["seats"][0]["name"] == "mayfly")
        bot.say(code, "start")
        out, err = mayfly.communicate(timeout=60)
    assert (mayfly.returncode, len(out.splitlines())) == (2, 1), out + err
    assert "the bot has gone, with exit status 1." in err
    assert until(lambda: bot.view(code)["table"]["seats"][0]["kept"])
    again = sit(table, token=bot.token)
    assert again.returncode == 0, again.stderr
    assert out.splitlines() + again.stdout.splitlines()[:-1] == moves(bot, code)


def test_a_move_that_is_none_is_told_in_the_words_of_the_house(program, tmp_path):
    bot = program()
    done = sit(f"{bot.address}/t/{bot.table(bots='novice')}", odd(tmp_path, "bot_move"), token=bot.token)
    says = "brelan: The house says: “win” is not a move; one looks like “discard 7h”.\n"
    assert (done.returncode, done.stderr) == (2, says)


def test_the_program_is_not_given_the_token(program, tmp_path):
    asking = MAYFLY.replace("import ", "import os, ").replace('"mayfly"', 'os.environ.get("BRELAN_TOKEN", "nobody")')
    (tmp_path / "asking.py").write_text(asking)
    bot = program()
    table = f"{bot.address}/t/{bot.table(name='')}"
    with started(table, f"{sys.executable} {tmp_path / 'asking.py'}", token=bot.token) as seated:
        waits = seated.stderr.readline()
        seated.kill()
    assert waits == WAITS.replace("any move", "nobody")


def test_a_house_that_is_killed_and_begins_anew_costs_no_move(tmp_path):
    with ExitStack() as ends, Process(tmp_path) as house:
        anna = ends.enter_context(closing(Guest(house.address)))
        bot = ends.enter_context(closing(Program(anna)))
        code = bot.table(bots="novice")
        with started(f"{bot.address}/t/{code}", token=bot.token) as seated:
            assert until(lambda: bot.view(code)["number"] > 20)
            house.kill()
            port = bot.address.rpartition(":")[2]
            ends.enter_context(Process(tmp_path, script=SERVER.replace("port=0", f"port={port}")))
            out, err = seated.communicate(timeout=90)
        assert seated.returncode == 0, out + err
        assert out.splitlines()[:-1] == moves(bot, code)


def test_who_loses_their_seat_before_the_match_is_told_so(program):
    bot = program()
    code = bot.table(name="")
    with started(f"{bot.address}/t/{code}", token=bot.token) as seated:
        assert until(lambda: bot.view(code)["table"]["seat"] == 0)
        bot.say(code, "stand")
        _, err = seated.communicate(timeout=60)
    said = "brelan: The program has no seat at this table any more.\n"
    assert (seated.returncode, err.removeprefix(WAITS)) == (2, said)


def test_who_takes_another_seat_is_told_which_one_is_given_up(program):
    bot = program()
    code = bot.table(name="Robin")
    with started(f"{bot.address}/t/{code}", BOT, "--seat", "1", token=bot.token) as seated:
        assert until(lambda: bot.view(code)["table"]["seat"] == 1)
        bot.say(code, "stand")
        _, err = seated.communicate(timeout=60)
    assert err.startswith("You get up from seat 0: a token has one seat at a table.\n")


def test_who_sits_down_where_a_match_is_over_plays_the_next_one(program, guests):
    host, bot = program(), program(owner=guests())
    code = host.table(game="companeros", players=3, bots="novice")  # never long, as gin is where nobody means to win
    assert sit(f"{host.address}/t/{code}", token=host.token).returncode == 0
    host.say(code, "bot", seat=1)
    first = host.view(code)["table"]["match"]
    with started(f"{host.address}/t/{code}", token=bot.token) as seated:
        assert until(lambda: bot.view(code)["table"]["seat"] == 1)
        host.say(code, "again")
        host.until(code, lambda view: view["table"]["match"] != first)
        assert sit(f"{host.address}/t/{code}", token=host.token).returncode == 0
        out, err = seated.communicate(timeout=60)
    assert seated.returncode == 0, err
    assert len(out.splitlines()) > 1


def test_who_has_a_seat_where_a_match_is_over_plays_the_next_one_at_that_seat_only(program):
    bot = program()
    code = bot.table(game="companeros", players=3, bots="novice")
    table = f"{bot.address}/api/v1/tables/{code}"
    assert sit(table, token=bot.token).returncode == 0
    nowhere = sit(table, BOT, "--seat", "9", token=bot.token)
    assert (nowhere.returncode, "There is no seat 9" in nowhere.stderr) == (2, True)
    with started(table, token=bot.token) as seated:
        waits = seated.stderr.readline()
        bot.say(code, "again")
        out, err = seated.communicate(timeout=60)
    assert (seated.returncode, waits, err) == (0, WAITS.replace("any move", "Robin"), "")
    assert len(out.splitlines()) > 1


def answering(*answers):
    """A table of a house that gives each of these answers, as it stands there, to one request; then it is gone."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer_all():
        with listener:
            for answer in answers:
                line, _ = listener.accept()
                with line:
                    line.recv(65536)
                    line.sendall(answer)

    Thread(target=answer_all, daemon=True).start()
    return guest.RemoteTable(f"http://127.0.0.1:{listener.getsockname()[1]}/t/abcdef", "brl_token")


VIEW = b'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"number": 7}'


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
        b"\x00\r\n\r\n",
        b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 6\r\n\r\n<html>",
        b"HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\nContent-Length: 0\r\n\r\n",
    ],
    ids=["nothing", "half an answer", "noise", "a proxy without its house", "a proxy that waited", "a date"],
)
def test_a_house_that_begins_anew_behind_its_proxy_or_in_the_middle_of_an_answer_is_asked_again(broken):
    assert answering(broken, VIEW).view() == {"number": 7}


def test_a_house_that_is_busy_is_not_asked_again_without_a_pause(monkeypatch):
    pauses = []
    monkeypatch.setattr(guest.time, "sleep", pauses.append)
    busy = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: %d\r\nContent-Length: 0\r\n\r\n"
    assert answering(busy % 0, busy % 2, VIEW).view() == {"number": 7}
    assert pauses == [1.0, 2.0]


AWAY = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"


def test_the_bot_of_the_documentation_asks_a_busy_house_again(monkeypatch, tmp_path):
    """docs/api.md: how it asks, which is all above what it says."""
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    (tmp_path / "ask.py").write_text(re.findall(r"```python\n(.*?)\ndef say", text, re.S)[0])
    busy = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n"
    house, pauses = answering(AWAY, busy, VIEW).address.partition("/api")[0], []
    monkeypatch.setenv("BRELAN_HOUSE", house)
    monkeypatch.setenv("BRELAN_TOKEN", "brl_token")
    monkeypatch.setattr(time, "sleep", pauses.append)
    assert runpy.run_path(tmp_path / "ask.py")["ask"]("/api/v1/games") == {"number": 7}
    assert pauses == [1, 2]


def test_a_house_that_stays_away_is_not_asked_for_ever(monkeypatch):
    monkeypatch.setattr(guest, "PATIENCE", 1.5)
    house = answering(VIEW, *[AWAY] * 10)
    house.view()
    with pytest.raises(Refusal, match="does not answer: HTTP Error 502"):
        house.view()


def test_who_goes_says_so_once_to_a_house_that_is_gone(monkeypatch):
    """Its end is told, or Ctrl-C obeyed, without as much patience once more."""
    monkeypatch.setattr(guest, "PATIENCE", 1.5)
    pauses, sleep = [], guest.time.sleep
    monkeypatch.setattr(guest.time, "sleep", lambda seconds: sleep(pauses.append(seconds) or seconds))
    table = json.dumps({"table": TABLE | {"status": "playing"}, "scene": None, "number": 7}).encode()
    house = answering(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(table), table))
    with pytest.raises(Refusal, match="does not answer: Connection refused"):
        list(guest.play(house, SimpleNamespace()))
    assert len(pauses) < 2


def test_who_goes_waits_no_longer_than_who_knocks(monkeypatch):
    """For a house that takes what is said and answers nothing."""
    monkeypatch.setattr(guest, "KNOCKING", 0.1)
    monkeypatch.setattr(guest, "ANSWER", 30.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        there = guest.RemoteTable(f"http://127.0.0.1:{silent.getsockname()[1]}/t/abcdef", "brl_token")
        there.patience = 0.0
        begun = time.monotonic()
        with pytest.raises(Refusal, match="timed out"):
            there.say("leave")
        assert time.monotonic() - begun < 15


def test_a_house_that_never_answered_is_waited_for_less(monkeypatch):
    monkeypatch.setattr(guest, "KNOCKING", 1.5)
    with pytest.raises(Refusal, match="does not answer: HTTP Error 502"):
        answering(*[AWAY] * 3).view()
    house = answering(VIEW, *[AWAY] * 2, VIEW)
    assert [house.view(), house.view()] == [{"number": 7}] * 2
    with pytest.raises(Refusal, match=r"does not answer: Connection refused\.$"):
        guest.RemoteTable("http://127.0.0.1:1/t/abcdef", "brl_token").view()


@pytest.mark.parametrize("body", [b"{", b"[]", b'"no"', b"null"])
def test_a_refusal_that_breaks_off_or_is_not_the_house_s_is_one_all_the_same(body):
    with pytest.raises(Refusal, match="The house says: 403"):
        answering(b"HTTP/1.1 403 Forbidden\r\nContent-Length: %d\r\n\r\n%b" % (len(body) + (body == b"{"), body)).view()


def test_an_answer_that_is_no_object_is_none_of_the_house():
    assert answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", VIEW).view() == {"number": 7}


def test_what_is_nested_too_deeply_is_no_answer():
    deep = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"[" * 100_000
    assert answering(deep, VIEW).view() == {"number": 7}


def test_an_object_that_is_no_table_is_another_house_s():
    there = answering(VIEW)
    says = r"abcdef answers, but is no table of a house like this one\.$"
    with pytest.raises(Refusal, match=says), guest.like_ours(there):
        guest.sit(there, SimpleNamespace())


@pytest.mark.parametrize(
    "table",
    [
        None,
        {},
        [],
        math.nan,
        {"game": 5},
        {"game": "gin", "seat": 0, "status": "over"},
        {"game": "gin", "seat": 0, "status": "playing", "match": "x", **TABLE, "seats": []},
        {"game": "gin", "seat": 0, "status": "playing", "match": "x", **TABLE, "clocks": [{}]},
        {"game": "gin", "seat": 0, "status": "playing", "match": "x", **TABLE, "clocks": None},
    ],
)
def test_a_table_that_does_not_go_together_is_another_house_s(table):
    """At the last two the ask is wrong: it holds no seconds, and half a letter that no program could be told."""
    view = {"table": table, "scene": {"turn": [0]}, "number": 7}
    there = SimpleNamespace(view=lambda *_: view, say=lambda *_, **__: {"id": 7, "state": "\ud800"}, named="It")
    program = SimpleNamespace(hello=Hello("mine"), seconds=1.0, chosen=protocol.line)
    with pytest.raises(Refusal, match="It answers, but is no table"), guest.like_ours(there):
        list(guest.play(there, program) if guest.sit(there, program) else ())


@pytest.mark.parametrize("games", [(), ("kuhn",)])
def test_a_game_that_only_the_house_knows_is_played_as_any_other(games):
    table = {"game": "kuhn", "seat": 0, "seats": []}
    there, program = SimpleNamespace(view=lambda: {"table": table}), SimpleNamespace(hello=Hello("mine", games=games))
    assert guest.sit(there, program) == table
    with pytest.raises(Refusal, match="gin"):
        guest.sit(there, SimpleNamespace(hello=Hello("other", games=("gin",))))


@pytest.mark.parametrize("said", ["view", "next"])
def test_the_token_goes_to_no_other_address_than_it_was_meant_for(said):
    with socket.create_server(("127.0.0.1", 0)) as other:
        there = f"http://127.0.0.1:{other.getsockname()[1]}/elsewhere"
        moved = f"HTTP/1.1 302 Found\r\nLocation: {there}\r\nContent-Length: 0\r\n\r\n".encode()
        house = answering(moved)
        with pytest.raises(Refusal, match=f"abcdef.* leads to {there}: name"):
            house.view() if said == "view" else house.say(said)
        other.settimeout(0.2)
        with pytest.raises(TimeoutError):
            other.accept()


def test_what_a_foreign_house_says_moves_no_cursor(capsys):
    table = {"status": "open", "seat": 0, "seats": [{"name": "Eve\x1b[2J"}]}
    say_waits(table, Words("en"))
    say_over(["Eve\x1b[2J"], ["7\x1b[2J"], [0], Words("en"))
    said = capsys.readouterr()
    assert r"Eve\x1b[2J sits" in said.err
    assert "\x1b" not in said.out


def test_what_a_seat_is_asked_is_all_that_it_may_know(program):
    bot = program()
    code = bot.table(bots="novice")
    view = bot.until(code, my_turn)
    said = bot.say(code, "ask").json()
    gin = find("gin")
    state = gin.rules.State.from_json(said["state"])
    same = ("id", "preset", "options", "seat", "legal", "match", "heard", "seconds", "seed", "level")
    ask = Ask(game=gin, state=state, **{name: said[name] for name in same})
    assert (ask.id, ask.match, ask.seat) == (view["number"], view["table"]["match"], 0)
    assert set(ask.legal) >= set(moves_of(view))
    assert "?" in said["zones"]["hand:1"]
    assert "?" not in said["zones"]["hand:0"]
    assert ask.to_json() | {"key": said["key"]} == said


def test_only_who_is_to_move_is_asked_anything(program, guests):
    bot, other = program(), program(owner=guests())
    code = bot.table()
    assert bot.say(code, "ask").json()["error"] == "late"
    assert other.say(code, "ask").json()["error"] == "wrong_seat"


@pytest.mark.parametrize(
    ("table", "token", "words"),
    [
        ("{house}/t/{code}", "", "BRELAN_TOKEN must hold a token"),
        ("{house}/t/{code}", "brl_a\nbrl_b", "BRELAN_TOKEN must hold a token"),
        ("{house}/t/{code}", "brl_…", "BRELAN_TOKEN must hold a token"),
        ("{house}/t/{code}", "brl_none\r\n", "The house says:"),
        ("{house}/t/zzzzzz", "{token}", "The house says: There is nothing at this address."),
        ("{house}/{code}", "{token}", "is not the address of a table"),
        ("{house}/t/{code}", "{other}", "No seat is open at {house}/t/{code}."),
    ],
)
def test_what_cannot_be_sat_at_is_said_in_one_sentence(table, token, words, program, guests):
    bot, other = program(), program(owner=guests())
    known = {"house": bot.address, "code": bot.table(bots="novice"), "token": bot.token, "other": other.token}
    done = sit(table.format(**known), token=token.format(**known))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert words.format(**known) in done.stderr
