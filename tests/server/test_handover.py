"""Seats that change hands in a real house: lines that break, bots that play on, clocks, and a house that was away."""

import json
import time
from contextlib import contextmanager, suppress

import pytest

from brelan import bots
from brelan.games import find
from brelan.play import customs, flow
from brelan.play.record import verify
from brelan.server.pages import forms
from brelan.server.upkeep import beat
from tests.server.clients import Guest, act, choose, fail, moves_of, my_turn, over, play, turn, until
from tests.server.conftest import Running, visited


@pytest.fixture
def hasty(monkeypatch):
    """Customs as short as no form allows otherwise, and a house that knows at once that it was away."""
    monkeypatch.setitem(customs.BOUNDS, "grace", (1, 600))
    monkeypatch.setitem(customs.BOUNDS, "bank", (1, 7200))
    monkeypatch.setattr(forms, "MINUTE", 1)
    monkeypatch.setattr(beat, "STILL", 1.5)
    monkeypatch.setattr(flow, "BOTS_PAUSE", 0.1)


@pytest.fixture
def seated(hasty, guests):
    """Anna and Ben in a match with those customs: the guests and their lines."""

    def seated(**fields):
        anna, ben = guests(), guests()
        ben.make()  # somewhere else, and so he is known to the house
        return (anna, ben), begun(anna, ben, fields)

    return seated


def begun(anna, ben, fields):
    code = anna.make(against="", **{"option.target": "200", "grace": "1"} | fields)
    lines = anna.line(code), ben.line(code)
    assert lines[1].ask("sit", seat=1, name="Ben")["type"] == "ack"
    assert lines[0].ask("start")["type"] == "ack"
    for line in lines:
        line.viewed(lambda view: view["table"]["commit"])
    for line in lines:
        line.viewed(lambda view: view["scene"])
    return lines


def kept(seat):
    return lambda view: view["table"]["seats"][seat]["kept"]


def play_until(wanted, *lines):
    """Let these people play until something holds; the others may be bots, or not be asked."""
    while not wanted():
        for line in lines:
            assert not over(line.view), "the match ended before that"
            if my_turn(line.view) or line.view["table"]["seat"] in line.view["table"]["waits_for"]:
                if wanted():
                    return
                done = act(line)
                number = done[1]["number"] if done else line.view["number"] + 1
                line.viewed(lambda view, number=number: view["number"] >= number)
            else:
                with suppress(TimeoutError):
                    line.receive(0.05)


def read_until(wanted, *lines):
    """Read all lines by turns: one that nobody reads for long is let go."""
    while not all(wanted(line.view) for line in lines):
        for line in lines:
            with suppress(TimeoutError):
                line.receive(0.05)


def until_turn(line, *others):
    play_until(lambda: my_turn(line.view), line, *others)


def told(line):
    return [news["words"] for frame in line.frames for news in json.loads(frame).get("news", [])]


def test_a_line_breaks_the_bot_plays_on_and_the_person_is_back(seated):
    (_, ben), (mine, theirs) = seated()
    code = mine.view["table"]["code"]
    until_turn(theirs, mine)
    theirs.close()
    view = mine.viewed(kept(1))
    assert view["table"]["seats"][1]["since"] <= view["table"]["now"]
    assert view["table"]["seats"][1] | {"name": "", "score": 0, "since": None, "who": 0} == {
        "seat": 1,
        "name": "",
        "player": "Ben",
        "kind": "person",
        "level": None,
        "online": False,
        "score": 0,
        "since": None,
        "kept": "novice",
        "who": 0,
    }
    until_turn(mine)  # the bot has moved for Ben
    assert any(words.startswith("Ben (bot) ") for words in told(mine))
    back = ben.line(code)
    back.viewed(lambda view: not view["table"]["seats"][1]["kept"])
    assert "Ben is back and plays on." in told(back)
    mine.viewed(lambda view: not view["table"]["seats"][1]["kept"])
    until_turn(back, mine)
    assert act(back)[1]["type"] == "ack"
    for line in (mine, back):
        assert line.ask("leave")["type"] == "ack"
    read_until(over, back, mine)
    (match,) = verify(ben.http.get(mine.view["table"]["record"]).content, strict=True)
    assert match.scores == mine.view["table"]["scores"]
    lines = [json.loads(line) for line in ben.http.get(mine.view["table"]["record"]).text.splitlines()]
    by = [line.get("by") for line in lines if line.get("seat") == 1]
    assert {"novice", None} == set(by)


@pytest.mark.parametrize("chosen", ["beginner@1", "beginner"])
def test_the_record_names_the_version_of_the_level_that_kept_a_seat(seated, chosen):
    """Whether an older one was chosen, or the newest: some day that is an older one."""
    version = bots.find(find("gin"), chosen).id
    (anna, _), (mine, theirs) = seated(keeper=chosen, **{"option.target": "10"})
    assert mine.view["table"]["customs"]["keeper"] == version
    for line in (mine, theirs):
        assert line.ask("leave")["type"] == "ack"
    read_until(over, mine, theirs)
    record = anna.http.get(mine.view["table"]["record"])
    assert verify(record.content, strict=True)
    lines = [json.loads(line) for line in record.text.splitlines()]
    assert {line["by"] for line in lines if "by" in line} == {version}


def test_who_leaves_watches_the_bot_and_takes_the_seat_back(seated):
    _, (mine, theirs) = seated()
    until_turn(mine, theirs)
    move = mine.view["scene"]["choices"][0]["move"]
    assert mine.ask("leave")["type"] == "ack"
    view = mine.viewed(kept(0))
    assert view["scene"]["choices"] == []
    refused = mine.ask("move", seen=view["number"], move=move)
    assert (refused["type"], refused["error"]) == ("refused", "kept")
    until_turn(theirs)
    assert mine.ask("back")["type"] == "ack"
    mine.viewed(lambda view: not view["table"]["seats"][0]["kept"])
    assert mine.ask("back")["error"] == "late"


def test_a_bot_plays_on_for_who_has_no_time_left(seated):
    _, (mine, theirs) = seated(pace="live", bank="2", increment="0")
    first, other = (mine, theirs) if my_turn(mine.view) else (theirs, mine)
    seat = first.view["table"]["seat"]
    assert [clock["runs"] for clock in first.view["table"]["clocks"]] == [i == seat for i in range(2)]
    assert abs(first.view["table"]["now"] - time.time()) < 5
    view = other.viewed(kept(seat))
    assert view["table"]["clocks"][seat]["left"] == 0
    assert any("has no time left" in words for words in told(other))
    other.viewed(lambda view: my_turn(view) or kept(1 - seat)(view))  # the bot has moved


def test_a_person_alone_is_waited_for(hasty, anna, ben):
    code = anna.make(grace="1")
    line, watching = anna.line(code), ben.line(code)
    turn(line)
    line.close()
    watching.viewed(lambda view: not view["table"]["seats"][0]["online"])
    time.sleep(1.5)
    back = anna.line(code)
    assert not any("is back" in words for words in told(back))


def test_no_clock_runs_while_the_house_is_away(hasty, tmp_path):
    house = Running(tmp_path)
    anna, ben = Guest(house.address), Guest(house.address)
    try:
        ben.make()
        code = begun(anna, ben, {"pace": "live", "bank": "3", "increment": "0"})[0].view["table"]["code"]
        cookies = anna.http.cookies
        house.stop()
        time.sleep(3.2)
        house = Running(tmp_path)
        again = Guest(house.address, cookies)
        line = again.line(code)
        assert "The house was away for a moment; no clock counted it." in told(line)
        assert [seat["kept"] for seat in line.view["table"]["seats"]] == [None, None]
        assert sum(clock["left"] for clock in line.view["table"]["clocks"]) > 4
        again.close()
    finally:
        anna.close()
        ben.close()
        house.stop()


def seizes(line):
    """What a person who sits there is answered who would put a bot at a table of somebody else."""
    answer = line.ask("bot", seat=1, level="novice")
    return answer.get("error", answer["type"])


def test_who_sits_first_seizes_no_table_from_a_host_who_looks_on(tmp_path):
    """Nor once that host has closed the page a moment ago, or the house is new and nobody is back yet."""
    with visited(tmp_path) as (_, anna, ben):
        ben.make()
        code = anna.make(against="", **{"seat.0": "free", "seat.1": "free"})
        host, line = anna.line(code), ben.line(code)
        line.ask("sit", seat=0, name="Ben")
        assert seizes(line) == "not_host"
        assert host.view["table"]["host"]
        host.close()
        line.viewed(lambda view: view["table"]["host"])
        assert seizes(line) == "full"
        cookies = anna.http.cookies, ben.http.cookies
    with visited(tmp_path, cookies=cookies) as (_, anna, ben):
        assert seizes(ben.line(code)) == "full"
        assert anna.line(code).ask("bot", seat=1, level="novice")["type"] == "ack"


@pytest.mark.parametrize(("grace", "says"), [("600", "full"), ("1", "ack")])
def test_a_host_who_looked_on_is_waited_for_where_nobody_watches_meanwhile(hasty, running, guests, grace, says):
    """A table that nobody watches leaves the memory, where alone it stood that they were here; not before."""
    anna, ben = guests(), guests()
    ben.make()
    code = anna.make(against="", grace=grace, **{"seat.0": "free", "seat.1": "free"})
    anna.line(code).close()
    time.sleep(1.5)
    assert until(lambda: (code in running.house.rooms._rooms) == (says == "full"))
    line = ben.line(code)
    line.ask("sit", seat=0, name="Ben")
    assert seizes(line) == says


def test_a_table_whose_host_never_looked_at_it_waits_for_nobody(guests):
    anna, ben = guests(), guests()
    ben.make()
    line = ben.line(anna.make(against="", **{"seat.0": "free", "seat.1": "free"}))
    line.ask("sit", seat=0, name="Ben")
    assert seizes(line) == "ack"


def test_moves_are_taken_back_and_words_are_said(seated):
    _, (mine, theirs) = seated()
    until_turn(mine, theirs)
    before = mine.view["scene"]
    moves = moves_of(mine.view)
    number = mine.ask("move", seen=mine.view["number"], move="draw" if "draw" in moves else moves[0])["number"]
    view = mine.viewed(lambda view: view["number"] >= number)
    assert view["table"]["undo"]["may"]
    assert mine.ask("undo")["type"] == "ack"
    view = theirs.viewed(lambda view: view["table"]["undo"]["asked"] == 0)
    assert view["table"]["undo"]["waits_for"] == [1]
    assert theirs.ask("say", preset="thinking")["type"] == "ack"
    assert theirs.ask("say", text="free words")["error"] == "full"
    number = theirs.ask("consent", agree=True)["number"]
    view = mine.viewed(lambda view: view["number"] > number)
    assert view["scene"] == before
    assert "Ben: “Let me think.”" in told(mine)
    assert "Anna takes a move back." in told(mine)


def test_who_holds_no_seat_sees_nothing_where_nobody_may_watch(seated, guests):
    _, (mine, _) = seated(watch="false")
    cleo = guests()
    cleo.make()
    view = cleo.line(mine.view["table"]["code"]).view
    assert (view["scene"], view["table"]["hidden"], view["table"]["scores"]) == (None, True, [])


def test_a_keeper_that_there_is_not_makes_no_table(guests):
    answer = guests().http.post("/tables", data={"game": "gin", "players": "2", "keeper": "wizard"})
    assert answer.status_code == 422
    assert "wizard" in answer.text


@contextmanager
def clocked(folder, bank):
    """A match under a live clock: the line of whoever is to move, and what writes for its house."""
    with visited(folder) as (house, anna, ben):
        ben.make()
        lines = begun(anna, ben, {"pace": "live", "bank": bank, "increment": "0"})
        yield next(line for line in lines if my_turn(line.view)), house.store._writer


@pytest.mark.parametrize("is_asked", [True, False])
def test_no_clock_runs_while_the_database_takes_nothing(hasty, tmp_path, is_asked):
    """Whoever comes first, a person or the clock: nobody's seat is handed over."""
    with clocked(tmp_path, "4") as (line, writer):
        number, check, writer.check = line.view["number"], writer.check, fail
        assert line.ask("say", preset="hello")["error"] == "storage"
        time.sleep(5)
        writer.check = check
        if is_asked:
            assert line.ask("move", seen=number, move=choose(line.view))["type"] == "ack"
        line.viewed(lambda view: view["number"] > number)
        assert "The house was away for a moment; no clock counted it." in told(line)
        assert not any(seat["kept"] for seat in line.view["table"]["seats"])


@pytest.mark.parametrize("takes", [True, False], ids=["it takes the move", "it refuses it"])
def test_no_clock_runs_while_the_database_is_silent(hasty, tmp_path, takes):
    """Neither the next one's, if it takes the move in the end, nor that of who is refused."""
    with clocked(tmp_path, "3") as (line, writer):
        check = writer.check

        def silent():
            writer.check = check
            time.sleep(4)
            if not takes:
                fail()

        writer.check = silent
        answer = line.ask("move", seen=line.view["number"], move=choose(line.view))
        assert answer.get("error") == (None if takes else "storage")
        line.viewed(lambda _: "The house was away for a moment; no clock counted it." in told(line))
        assert not any(seat["kept"] for seat in line.view["table"]["seats"])


def test_a_match_against_bots_ends_whatever_its_person_does(guests, hasty):
    anna = guests()
    line = None
    while line is None or over(line.view):  # a bot may win so short a match before anybody else has played
        line = anna.line(anna.make(**{"option.target": "10"}))
        play(line, until=lambda view: view["number"] > 12 or over(view))
    assert line.ask("leave")["type"] == "ack"
    assert line.viewed(over)["table"]["winners"]


def test_a_seat_that_cannot_be_given_back_on_paper_can_be_looked_at(hasty, tmp_path):
    house = Running(tmp_path)
    anna, ben = Guest(house.address), Guest(house.address)
    try:
        ben.make()
        mine, theirs = begun(anna, ben, {})
        theirs.close()
        number = mine.viewed(kept(1))["number"]
        writer = house.house.store._writer
        insert, writer._insert = writer._insert, fail
        back = ben.line(mine.view["table"]["code"])
        assert kept(1)(back.view)
        assert back.view["scene"]
        assert back.ask("back")["error"] == "storage"
        writer._insert = insert
        assert back.viewed(lambda view: not kept(1)(view))["number"] > number
    finally:
        anna.close()
        ben.close()
        house.stop()
