"""Seats that a bot keeps: when, for how long, and who moves; with no network and no clock."""

import msgspec
import pytest

from brelan.errors import WrongSeat
from brelan.play.customs import Customs
from brelan.play.flow import BOTS_PAUSE, UNHURRIED
from brelan.play.keeping import LEAVES
from brelan.play.messages import Again, Back, Bot, Leave, Move, Next, Nonce, Sit, Start
from brelan.play.record import verify
from brelan.play.replay import Replay, record_of
from brelan.play.seats import Full, Kept, Late, NotHost, Open
from brelan.play.table import Table
from brelan.server.tables.summary import summary_of
from brelan.words import Words
from tests.play.scripts import (
    BOTH,
    NONCE,
    act,
    begun,
    bot_moves,
    drawing,
    go_on,
    kept,
    kinds,
    made,
    play_on,
    to_seat,
    two,
    viewed,
)

GRACE = Customs().grace


# ---------------------------------------------------------------- when a seat is kept


def test_who_is_away_longer_than_the_grace_is_kept_by_a_bot():
    table = two()
    assert table.here({"anna"}, 100.0) == []
    assert table.deadline == 100.0 + GRACE
    assert table.tick(100.0 + GRACE - 0.1) == []
    (event,) = table.tick(100.0 + GRACE)
    assert (event.kind, event.data) == ("kept", {"seat": 1, "level": "novice", "why": "away"})
    assert table.deadline is None
    assert viewed(table, "anna").table.seats[1].kept == "novice"
    assert viewed(table, "anna", since=event.number - 1).news[0].words.startswith("Ben is away")


def test_who_comes_back_in_time_is_not_even_noticed():
    table = two()
    table.here({"anna"}, 100.0)
    table.here({"anna"}, 130.0)
    table.here(BOTH, 159.0)
    assert table.deadline is None
    table.here({"anna"}, 170.0)
    assert table.tick(100.0 + GRACE) == table.tick(170.0 + GRACE - 1) == []
    assert kinds(table.tick(170.0 + GRACE)) == ["kept"]


def test_a_match_alone_against_bots_waits_for_its_person():
    table = begun()
    table.here(set(), 20.0)
    assert table.deadline is None
    assert table.tick(10_000.0) == []


def test_where_everybody_is_away_nobody_is_in_a_hurry():
    table = two()
    table.here(set(), 100.0)
    assert table.deadline is None
    table.here({"anna"}, 5_000.0)  # one is back, and has waited long enough for the other
    assert table.deadline == 100.0 + GRACE
    assert kinds(table.tick(5_000.0)) == ["kept"]


def test_who_remains_when_another_has_left_is_not_waited_for():
    """Else who is losing has only to sit still until the other leaves, and the match never ends."""
    table = two()
    table.receive("ben", Leave("leave"), 30.0)
    table.here({"ben"}, 100.0)
    assert table.deadline == 100.0 + GRACE
    assert kinds(table.tick(100.0 + GRACE)) == ["kept"]


def test_at_a_live_pace_the_match_goes_on_without_anybody():
    table = two(customs=Customs(pace="live", bank=7200))
    table.here(set(), 100.0)
    assert kinds(table.tick(100.0 + GRACE)) == ["kept", "kept"]


def test_by_turns_people_come_and_go():
    table = two(customs=Customs(pace="days"))
    table.here({"anna"}, 100.0)
    assert kinds(table.tick(100.0 + 10 * GRACE)) == []


def test_grace_begins_with_the_match_and_only_a_match_is_played_on():
    table = two()
    play_on(table)
    table.here({"anna"}, 100.0)
    assert (table.deadline, table.tick(10_000.0)) == (None, [])
    table.receive("anna", Again("again"), 10_000.0)
    table.receive("anna", Nonce(NONCE), 10_000.0)
    table.tick(10_010.0)
    assert table.deadline == 10_010.0 + GRACE
    assert not table.tick(10_010.0 + GRACE - 1)


def test_nobody_is_away_before_the_house_has_looked():
    table = Table.rebuilt(drawing(), two().events)
    assert (table.deadline, table.tick(10_000.0)) == (None, [])
    table.here({"anna"}, 10_000.0)
    assert table.deadline == 10_000.0 + GRACE


@pytest.mark.parametrize("pace", ["none", "live"])
def test_who_was_away_while_the_house_was_has_the_whole_grace_again(pace):
    table = two(customs=Customs(pace=pace, bank=7200))
    table.here({"anna"}, 100.0)
    table.resumed([(110.0, 500.0)], 501.0)
    table.here({"anna"}, 501.0)
    assert table.deadline == 500.0 + GRACE


@pytest.mark.parametrize("pace", ["none", "live", "days"])
def test_a_table_that_nobody_watches_is_not_woken_because_somebody_is_away(pace):
    table = two(customs=Customs(pace=pace, bank=7200))
    table.here({"anna"}, 100.0)
    ends = table.clocks.deadlines.values() if table.clocks else ()
    assert summary_of(table).deadline == min(ends, default=None)
    assert summary_of(table) == summary_of(Table.rebuilt(drawing(), table.events))


def test_bots_among_themselves_rest_where_nobody_watches():
    table = made()
    for seat in (0, 1):
        table.receive("anna", Bot(f"bot {seat}", seat, "novice"), 10.0)
    table.receive("anna", Start("start"), 10.0)
    assert table.bots_asked()
    assert summary_of(table).deadline is None


def test_a_pause_a_nonce_and_a_bots_move_wake_a_table_that_nobody_watches():
    table = begun(persons=2)
    play_on(table, until=lambda table: table.pause)
    assert summary_of(table).deadline == table.until
    table = kept(to_seat(two(), 1))
    assert summary_of(table).deadline == table.events[-1].at
    table = made()
    for message in (Sit("sit", 0, "Anna"), Bot("bot", 1, "novice"), Start("start")):
        table.receive("anna", message, 10.0)
    assert summary_of(table).deadline == table.deadline > 10.0


# ---------------------------------------------------------------- who moves


def test_the_bot_plays_on_with_what_the_seat_knows_and_the_line_says_so():
    table = kept(to_seat(two(), 1))
    assert table.bots_asked() == [1]
    (event,) = bot_moves(table, 1).events[:1]
    assert (event.person, event.data["by"]) == ("bot:1", "novice")
    assert table.match.lines[-1] == event.data
    assert viewed(table, "anna", since=event.number - 1).news[0].words.startswith("Ben (bot) ")
    assert viewed(table, "anna", "fr", since=event.number - 1).news[0].words.startswith("Ben (robot) ")


def test_a_person_does_not_play_beside_the_bot_and_takes_the_seat_back_first():
    table = to_seat(two(), 1)
    table.receive("ben", Leave("leave"), 30.0)
    with pytest.raises(Kept, match="take your seat back"):
        table.receive("ben", Move("m", table.number, table.match.legal(1)[0]), 31.0)
    assert viewed(table, "ben").scene.choices == []
    table.receive("ben", Back("back"), 32.0)
    assert viewed(table, "ben").scene.choices
    with pytest.raises(WrongSeat):
        bot_moves(table, 1, 33.0)
    act(table, [1], 33.0)
    assert "by" not in table.match.lines[-1]


def test_who_was_only_away_has_the_seat_back_by_coming():
    table = kept(two())
    (event,) = table.here(BOTH, 300.0)
    assert (event.kind, event.person, event.data) == ("back", "ben", {"seat": 1})
    assert not table.seats[1].kept
    assert table.here(BOTH, 301.0) == []


@pytest.mark.parametrize("again", [False, True], ids=["back", "back and away again"])
def test_a_move_that_the_bot_thought_of_before_is_late(again):
    table = kept(to_seat(two(), 1))
    number = table.number
    table.here(BOTH, 300.0)
    if again:
        kept(table, now=300.0)
    with pytest.raises(Late if again else WrongSeat):
        bot_moves(table, 1, 300.0 + GRACE, number)


def test_a_move_that_the_person_thought_of_before_the_bot_played_is_late():
    table = kept(to_seat(two(), 1))
    seen, move = table.number, table.match.legal(1)[0]
    bot_moves(table, 1)
    table.here(BOTH, 300.0)
    with pytest.raises(Late):
        table.receive("ben", Move("m", seen, move), 300.0)


def test_a_bot_keeps_no_seat_but_the_one_it_keeps():
    table = kept(to_seat(two(), 0))
    for name in ("bot:0", "bot:1", "bot:7"):
        with pytest.raises(WrongSeat):
            table.receive(name, Move("m", table.number, table.match.legal(0)[0]), 300.0)


# ---------------------------------------------------------------- leaving


def test_who_leaves_is_back_only_when_they_say_so():
    table = two()
    (event,) = table.receive("ben", Leave("leave"), 30.0).events
    assert (event.kind, event.data["why"]) == ("kept", "left")
    assert table.here(BOTH, 31.0) == table.here({"anna"}, 32.0) == table.here(BOTH, 33.0) == []
    with pytest.raises(Late, match="A bot plays for you at the moment"):
        table.receive("ben", Leave("more"), 34.0)
    assert kinds(table.receive("ben", Back("back"), 35.0).events) == ["back"]
    with pytest.raises(Late):
        table.receive("ben", Back("more"), 36.0)


def test_who_has_left_so_often_leaves_no_more_and_others_may():
    table = two()
    for n in range(LEAVES):
        table.here({"anna"}, 30.0)
        table.tick(30.0 + GRACE)
        table.here(BOTH, 100.0)  # whose page was closed has not left
        table.receive("ben", Leave(f"leave {n}"), 100.0)
        table.receive("ben", Back(f"back {n}"), 100.0)
    with pytest.raises(Full, match="close the page, or stay"):
        table.receive("ben", Leave("more"), 100.0)
    table.seats[1].name = ""  # as of who is forgotten: their chair is open at the end
    assert kinds(table.receive("ben", Leave("for good"), 100.0).events) == ["kept"]
    assert kinds(table.receive("anna", Leave("leave"), 100.0).events) == ["kept"]


def test_one_may_leave_a_match_against_bots_too():
    table = begun()
    table.receive("anna", Leave("leave"), 30.0)
    play_bots(table)
    assert table.status == "over"
    assert not table.seats[0].kept


def play_bots(table):
    """Bots play the match to its end."""
    while table.status == "playing":
        if table.pause:
            assert table.deadline == table.pause.at + BOTS_PAUSE
            table.tick(table.deadline)
        else:
            bot_moves(table, table.bots_asked()[0])


def test_whoever_left_a_match_played_it_and_holds_no_seat_in_the_next():
    table = two(options={"target": 10})
    table.receive("ben", Leave("leave"), 30.0)
    table.here({"anna"}, 30.0)
    to_the_end(table)
    assert [(event.kind, event.person) for event in table.events[-2:]] == [("over", ""), ("stood", "ben")]
    assert ([seat.kind for seat in table.seats], table.player_of("ben")) == (["person", "open"], 1)
    assert [news.words for news in viewed(table, "anna", since=table.number - 1).news] == ["Seat 2 is open again."]
    with pytest.raises(Open):
        table.receive("anna", Again("again"), 91.0)
    again = Table.rebuilt(drawing(), table.events)
    assert (again.seats, again.match_seats) == (table.seats, table.match_seats)
    assert table.receive("ben", Sit("sit", 1, "Ben"), 92.0).events


def test_by_turns_those_who_stay_fill_the_chair_of_whoever_left_at_once():
    """Else nobody could wish to play again for days."""
    table = two(options={"target": 10}, customs=Customs(pace="days", days=2))
    table.receive("anna", Leave("leave"), 30.0)
    table.here({"ben"}, 30.0)
    to_the_end(table)
    assert table.receive("ben", Bot("bot", 0, "novice"), 92.0).events
    table.receive("ben", Again("again"), 93.0)
    assert table.status == "playing"


def test_whoever_came_back_keeps_their_seat():
    table = two(options={"target": 10})
    table.receive("ben", Leave("leave"), 30.0)
    table.receive("ben", Back("back"), 31.0)
    to_the_end(table)
    assert [seat.kind for seat in table.seats] == ["person", "person"]


def to_the_end(table):
    """Whoever is asked moves, or the bot that keeps the seat."""
    chance = [1]
    while table.status == "playing":
        if table.pause:
            go_on(table, 90.0)
        elif table.bots_asked():
            bot_moves(table, table.bots_asked()[0])
        else:
            act(table, chance, 90.0)


def test_nobody_leaves_what_is_not_played_or_somebody_elses_seat():
    table = play_on(two())
    with pytest.raises(Late):
        table.receive("ben", Leave("leave"), 30.0)
    with pytest.raises(WrongSeat):
        two().receive("cleo", Leave("leave"), 30.0)
    with pytest.raises(WrongSeat):
        two().receive("cleo", Back("back"), 30.0)


# ---------------------------------------------------------------- what else waits for a person


def test_a_pause_waits_for_no_seat_that_is_kept():
    table = play_on(two(), until=lambda table: table.pause, now=20.0)
    table.here({"anna"}, 20.0)
    table.receive("anna", Next("n"), 21.0)
    assert table.waits_for() == [1]
    table.customs = Customs(grace=10)  # before the pause ends by itself
    assert table.deadline == 30.0
    assert kinds(table.tick(30.0)) == ["kept", "shuffle"]
    with pytest.raises(Late):
        table.receive("anna", Next("n2"), 31.0)


def test_a_kept_seat_says_next_without_its_person():
    table = kept(two())
    chance = [1]
    while not table.pause:
        bot_moves(table, 1) if table.bots_asked() else act(table, chance, 90.0)
    assert table.waits_for() == [0]
    with pytest.raises(Kept):
        table.receive("ben", Next("n"), 91.0)
    assert kinds(table.receive("anna", Next("n"), 92.0).events) == ["next", "shuffle"]


def test_a_pause_ends_by_itself_where_one_of_two_is_kept_and_the_other_never_comes():
    table = kept(two())
    chance = [1]
    while not table.pause:
        bot_moves(table, 1) if table.bots_asked() else act(table, chance, 90.0)
    assert summary_of(table).deadline == table.deadline == table.pause.at + UNHURRIED


@pytest.mark.parametrize(("keeper", "helped"), [("novice", set()), ("master", {1})])
def test_a_keeper_that_may_play_better_than_its_person_is_help(keeper, helped):
    table = kept(to_seat(two(customs=Customs(keeper=keeper)), 1))
    assert not table.indulged
    bot_moves(table, 1)
    assert table.indulged == helped == Table.rebuilt(drawing(), table.events).indulged


def test_courtesy_counts_a_kept_seat_as_a_bot():
    table = two("hawaiki", manner="claim")
    assert table.courtesy_of(1) is None
    assert kept(table).courtesy_of(1)


def test_the_end_of_a_match_gives_every_seat_back():
    table = kept(two())
    to_the_end(table)
    assert not table.seats[1].kept
    (match,) = verify(record_of(table.events, table.sealed.match).encode(), strict=True)
    assert match.scores == table.match.scores
    assert {line.get("by") for line in table.match.lines if line.get("seat") == 1} == {"novice"}
    replay = Replay(table.events, table.sealed.match)
    words = [told.words for told in replay.told(-1, Words("en", "gin"))]
    assert "Ben is away; a bot keeps the seat until they are back." in words
    assert any(told.startswith("Ben (bot) ") for told in words)


def test_the_host_frees_the_seat_of_who_has_gone_once_no_match_needs_it():
    table = two(options={"target": 10})
    free = Bot("free", 1, None)
    table.here({"anna"}, 30.0)
    with pytest.raises(Late):
        table.receive("anna", free, 31.0)
    play_on(table)
    table.here(BOTH, 90.0)
    with pytest.raises(Full):
        table.receive("anna", free, 91.0)
    table.here({"anna"}, 92.0)
    with pytest.raises(NotHost):
        table.receive("cleo", free, 93.0)
    table.receive("anna", free, 94.0)
    assert [seat.kind for seat in table.seats] == ["person", "open"]
    table.receive("anna", Bot("bot", 1, "novice"), 95.0)
    table.receive("anna", Again("again"), 96.0)
    assert table.status == "playing"
    assert Table.rebuilt(drawing(), table.events).seats == table.seats


def test_a_table_is_rebuilt_while_a_bot_keeps_a_seat():
    table = kept(to_seat(two(), 1))
    events = msgspec.json.decode(msgspec.json.encode(table.events), type=list[type(table.events[0])])
    again = Table.rebuilt(drawing(), events)
    assert again.seats == table.seats
    assert viewed(again, "anna") == viewed(table, "anna")
    assert kinds(again.here(BOTH, 400.0)) == ["back"]


def test_who_let_a_bot_play_is_not_called():
    table = begun(persons=2)
    seat = table.match.asked()[0]
    person = table.seats[seat].person
    assert viewed(table, person).scene.turn == [seat]
    called = viewed(table, person).scene.prompt
    table.receive(person, Leave("leave"), 20.0)
    scene = viewed(table, person).scene
    assert (scene.turn, scene.choices) == ([], [])
    assert scene.prompt != called
    assert viewed(table, "cleo").scene.turn == [seat]
    assert summary_of(table).asked == 0
