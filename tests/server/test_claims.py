"""Claims over real sockets: who is first, who is told what happened, and how long the lines are."""

import time

import pytest

from brelan.play.record import verify
from brelan.play.seats import Event
from brelan.play.shown import Viewer
from brelan.server.tables.connection import PROBE_PAUSE, Connection
from brelan.words import Words
from tests.server.claims import combinations, in_silence, ordinary
from tests.server.clients import fail, moves_of, my_turn, until
from tests.server.conftest import visited


@pytest.fixture
def lines(guests):
    """Anna and Ben at a table of Hawaiki where everybody speaks up."""
    return seated(guests(), guests())


def seated(anna, ben):
    ben.make()  # somewhere else, and so he is known to the house
    code = anna.make("hawaiki", against="", manner="claim", **{"option.tokens": "60"})
    mine, theirs = anna.line(code), ben.line(code)
    theirs.ask("sit", seat=1, name="Ben")
    mine.ask("start")
    for line in (mine, theirs):
        line.viewed(lambda view: view["table"]["commit"])
    for line in (mine, theirs):
        line.viewed(lambda view: view["scene"])
    return mine, theirs


def test_the_form_sets_how_things_are_said(lines, guests):
    assert [line.view["table"]["manner"] for line in lines] == ["claim", "claim"]
    assert 'name="manner"' in guests().http.get("/new/hawaiki").text
    answer = guests().http.post("/tables", data={"game": "hawaiki", "players": "2", "manner": "loud"})
    assert answer.status_code == 422
    assert "loud" in answer.text


def test_the_first_word_wins_and_the_second_hears_of_it(lines):
    player, other = in_silence(lines)
    assert set(moves_of(other.view)) == {"contre", "let"}
    assert set(moves_of(player.view)) == {"announce", "let"}
    assert 2.5 < other.view["table"]["deadline"] - time.time() <= 4.5
    seen, held = other.view["number"], len(hand(player))
    first = other.send("move", seen=seen, move="contre")
    time.sleep(0.05)
    second = player.send("move", seen=seen, move="announce")
    assert other.until(lambda frame: frame.get("key") == first)["type"] == "ack"
    refused = player.until(lambda frame: frame.get("key") == second)
    name = name_of(other)
    assert (refused["type"], refused["error"]) == ("refused", "late")
    assert refused["words"] == f"A moment too late: {name} calls contre. {name_of(player)} draws 1 card."
    player.viewed(lambda view: view["number"] >= refused["number"])
    assert len(hand(player)) == held + 1


def name_of(line):
    return line.view["table"]["seats"][line.view["table"]["seat"]]["name"]


def hand(line):
    seat = line.view["table"]["seat"]
    return next(zone for zone in line.view["scene"]["zones"] if zone["id"] == f"hand:{seat}")["cards"]


def test_a_window_closes_by_the_clock(lines):
    player, other = in_silence(lines)
    began = time.monotonic()
    view = other.viewed(lambda view: my_turn(view) and "contre" not in moves_of(other.view))
    assert 2.5 < time.monotonic() - began < 6
    assert [news["words"].split(" ", 1)[1] for news in view["news"]][:2] == ["lets it be.", "lets it be."]
    player.viewed(lambda new: new["number"] >= view["number"])
    refused = other.ask("move", seen=view["number"] - 1, move="contre")
    assert refused["error"] == "late"


def test_the_house_measures_the_lines_itself(lines, guests, running):
    code = lines[0].view["table"]["code"]
    cleo = guests()
    cleo.make()
    far = cleo.line(code, hello=False)
    far.lag = 0.2
    far.send("hello", key=None)
    far.until(lambda frame: frame["type"] == "probe")
    room = running.house.rooms.room(code)
    seated = {seat.person for seat in room.table.seats}
    (watcher,) = {connection.viewer.person for connection in room.presence.connections} - seated
    far.send("echo", key=None, at=1.0)  # a figure of its own changes nothing
    assert until(lambda: room.presence.trip(watcher))
    assert 0.2 <= room.presence.trip(watcher) < 1.0
    assert all(room.presence.trip(person) < 0.2 for person in seated)
    far.close()
    assert until(lambda: room.presence.trip(watcher) is None)


def test_a_probe_that_comes_back_spoilt_stops_no_other():
    """As by a client whose reader of JSON is off in the last of many digits; few digits none of them spoils."""
    line = Connection(Viewer("anna", Words("en")))
    line.measured = True
    for error, measured in ((1e-6, False), (0.0, True)):
        (probe,) = line.outgoing()
        assert probe["at"] == round(probe["at"], 3)
        line.echo(probe["at"] + error)
        assert bool(line.trip) == measured
        line.probed -= PROBE_PAUSE


def test_a_claim_that_cannot_be_written_is_said_to_be_lost(tmp_path):
    with visited(tmp_path) as (house, anna, ben):
        player, other = in_silence(seated(anna, ben))
        seen, insert = other.view["number"], house.store._writer._insert
        house.store._writer._insert = fail
        key = other.send("move", seen=seen, move="contre")
        refused = other.until(lambda frame: frame.get("key") == key)
        assert (refused["type"], refused["error"]) == ("refused", "storage")
        house.store._writer._insert = insert
        assert other.ask("move", key=key, seen=seen, move="contre")["type"] == "ack"
        told = player.viewed(lambda view: view["number"] > seen)["news"][0]["words"]
        assert told == f"{name_of(other)} calls contre. {name_of(player)} draws 1 card."


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_claim_waits_on_though_another_worker_is_faster_with_something_else(lines, running, is_asked):
    """Here the table is read again for it, for what somebody else says or for the claim itself."""
    player, other = in_silence(lines)
    code, seen = other.view["table"]["code"], other.view["number"]
    told = Event(seen + 1, time.time(), "said", "", "", {"seat": player.view["table"]["seat"], "preset": "hello"})
    running.house.store.append(code, [told]).result()
    key = other.send("move", seen=seen, move="contre")
    if is_asked:
        assert player.ask("say", preset="hello")["type"] == "ack"
    answer = other.until(lambda frame: frame.get("key") == key)
    assert (answer["type"], answer.get("number", 0) > told.number) == ("ack", True)


def test_a_claim_that_comes_again_before_it_is_decided_is_answered_each_time(guests):
    """Over another line: the first is still there, and waits."""
    both = guests(), guests()
    _, other = in_silence(seated(*both))
    twin = both[other.view["table"]["seat"]].line(other.view["table"]["code"])
    key = other.send("move", seen=other.view["number"], move="contre")
    twin.send("move", key, seen=other.view["number"], move="contre")
    answers = [line.until(lambda frame: frame.get("key") == key) for line in (other, twin)]
    assert [answer["type"] for answer in answers] == ["ack", "ack"]
    assert answers[0]["number"] == answers[1]["number"]


def test_a_bot_calls_after_a_while_and_the_player_may_be_first(guests):
    anna = guests()
    code = anna.make("hawaiki", manner="claim", players="2", **{"option.tokens": "60"})
    line = anna.line(code)
    line.viewed(lambda view: view["scene"])
    words = {"contre": 0, "announce": 0}
    while not all(words.values()):
        if line.view["table"]["seat"] in line.view["table"]["waits_for"]:
            line.ask("next")
        elif not my_turn(line.view):
            line.receive()
        elif "announce" in moves_of(line.view):
            if words["contre"]:
                assert line.ask("move", seen=line.view["number"], move="announce")["type"] == "ack"
                words["announce"] += 1
            else:
                began = time.monotonic()
                line.viewed(lambda view: any("contre" in news["words"] for news in view["news"]))
                assert 0.9 < time.monotonic() - began < 3.5
                words["contre"] += 1
        else:
            text = combinations(line)[0].rpartition(" ")[0] if combinations(line) else ordinary(line)
            ack = line.ask("move", seen=line.view["number"], move=text)
            line.viewed(lambda view, number=ack["number"]: view["number"] >= number)


def test_a_friendly_match_against_bots_needs_no_word(guests):
    anna = guests()
    line = anna.line(anna.make("hawaiki", players="3", **{"option.tokens": "6"}))
    line.viewed(lambda view: view["scene"])
    heard = set()
    while line.view["table"]["status"] != "over":
        if line.view["table"]["seat"] in line.view["table"]["waits_for"]:
            line.ask("next")
        elif my_turn(line.view):
            heard |= set(moves_of(line.view))
            ack = line.ask("move", seen=line.view["number"], move=ordinary(line))
            line.viewed(lambda view, number=ack["number"]: view["number"] >= number)
        else:
            line.receive()
    assert not {"contre", "let", "announce", "thanks", "thanks much", "silent"} & heard
    (match,) = verify(anna.http.get(line.view["table"]["record"]).content, strict=True)
    assert match.scores == line.view["table"]["scores"]
