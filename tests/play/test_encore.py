"""After a match: nobody's result is taken away; the next begins once all who look at it would like it to."""

import pytest

from brelan.errors import WrongSeat
from brelan.play.customs import Customs
from brelan.play.flow import ENCORE, RELOAD
from brelan.play.messages import Again, Bot, Next, Nonce, Sit, Stand
from brelan.play.present import SEAT_CHANGES
from brelan.play.seats import Full, Late, Open
from brelan.play.table import Table
from tests.play.scripts import NONCE, begun, drawing, play_on, viewed

ALL = {"anna", "ben", "cleo"}


def over(game="companeros", players=3, persons=3):
    """A match that is over, everybody there."""
    return play_on(begun(game, players, persons))


def asks(table, person, now=100.0):
    """Say "again"; what happened."""
    return [event.kind for event in table.receive(person, Again(f"{person} {now}"), now).events]


def withdraws(table, person, now=100.0):
    """Think better of it; what happened."""
    return [event.kind for event in table.receive(person, Again(f"no {person} {now}", wish=False), now).events]


def test_one_who_would_like_to_play_again_takes_nobodys_result_away():
    table = over()
    record, secret = viewed(table, "ben").table.record, viewed(table, "ben").table.secret
    assert asks(table, "anna") == ["again"]
    view = viewed(table, "ben", since=table.number - 1)
    assert (view.table.status, view.table.record, view.table.secret) == ("over", record, secret)
    assert view.scene.over
    assert (view.table.wishes, view.table.waits_for) == ([0], [1, 2])
    assert [news.words for news in view.news] == ["Anna would like to play again."]
    assert view.table.deadline == 100.0 + ENCORE
    said = viewed(table, "ben", "fr", since=table.number - 1).news[0].words
    assert said == "Anna voudrait rejouer."


def test_the_match_begins_when_everybody_has_said_so():
    table, first = over(), 0
    first = table.match.first
    assert asks(table, "anna") == ["again"]
    assert asks(table, "anna", 101.0) == [], "who has said so need not say it twice"
    assert asks(table, "cleo", 102.0) == ["again"]
    assert table.deadline == 100.0 + ENCORE, "the time of the first counts"
    assert asks(table, "ben", 103.0) == ["started"]
    assert (table.status, table.until, viewed(table, "ben").table.wishes) == ("playing", None, [])
    for person in ALL:
        table.receive(person, Nonce(NONCE), 104.0)
    assert table.match.first == (first + 1) % 3


def test_or_a_minute_after_the_first():
    table = over()
    asks(table, "ben")
    assert table.tick(99.0 + ENCORE) == []
    assert [event.kind for event in table.tick(100.0 + ENCORE)] == ["started"]
    assert asks(table, "anna", 101.0 + ENCORE) == [], "who says so now has what they ask for"


def test_who_asked_by_mistake_thinks_better_of_it_and_nobodys_result_goes():
    table = over()
    assert withdraws(table, "anna") == [], "nothing was asked for"
    asks(table, "anna")
    assert (viewed(table, "anna").table.wish, viewed(table, "ben").table.wish) == (True, False)
    asks(table, "ben", 110.0)
    assert withdraws(table, "anna", 111.0) == ["again"]
    view = viewed(table, "cleo", since=table.number - 1)
    assert (view.table.wishes, view.table.waits_for, view.table.deadline) == ([1], [0, 2], 100.0 + ENCORE)
    assert [news.words for news in view.news] == ["Anna no longer asks to play again."]
    assert (withdraws(table, "anna", 111.0), withdraws(table, "ben", 112.0)) == ([], ["again"])
    assert (table.deadline, table.waits_for(), Table.rebuilt(drawing(), table.events).encore.said) == (None, [], set())
    assert table.tick(101.0 + ENCORE) == []
    assert asks(table, "anna", 900.0) == ["again"]
    assert table.deadline == 900.0 + ENCORE
    assert (asks(table, "ben", 901.0), asks(table, "cleo", 902.0)) == (["again"], ["started"])
    with pytest.raises(Late):
        withdraws(table, "anna", 903.0)


def test_nobody_fills_the_store_by_asking_and_thinking_better_of_it():
    table = over()
    for n in range(SEAT_CHANGES):
        asks(table, "ben", n)
        withdraws(table, "ben", n)
    asks(table, "ben", 5000.0)
    with pytest.raises(Full):
        withdraws(table, "ben", 5001.0)


def test_nobody_waits_for_who_is_not_here_nor_for_bots():
    table = over()
    table.here({"anna", "cleo"}, 90.0)
    assert asks(table, "anna") == ["again"]
    assert viewed(table, "cleo").table.waits_for == [2]
    assert asks(table, "cleo") == ["started"]
    assert asks(over("companeros", 3, 1), "anna") == ["started"]


def test_by_turns_everybody_is_to_see_the_end_and_no_countdown_answers_for_them():
    table = play_on(begun("gin", 2, 2, customs=Customs(pace="days")))
    table.here({"anna"}, 90.0)
    assert asks(table, "anna") == ["again"]
    table.here(set(), 100.0)
    assert (table.waits_for(), table.deadline, table.wakes_at) == ([1], None, None)
    assert table.tick(100.0 + 9 * ENCORE) == []
    assert asks(table, "ben", 99_999.0) == ["started"]


def test_who_goes_while_they_are_asked_may_come_back_and_then_keeps_nobody_waiting():
    table = over()
    asks(table, "anna")
    table.here({"anna", "ben"}, 103.0)
    assert table.deadline == 100.0 + ENCORE, "Ben is still asked"
    table.here({"anna"}, 104.0)
    assert table.deadline == 104.0 + RELOAD
    table.here(ALL, 110.0)
    assert table.deadline == 100.0 + ENCORE, "back from a reload"
    table.here({"anna"}, 120.0)
    assert table.tick(119.0 + RELOAD) == []
    assert [event.kind for event in table.tick(120.0 + RELOAD)] == ["started"]


def test_nobody_plays_again_for_who_has_asked_and_gone():
    table = over()
    asks(table, "anna")
    table.here({"ben"}, 110.0)
    assert [event.kind for event in table.tick(100.0 + ENCORE)] == ["lapsed"]
    assert (table.status, table.until, table.waits_for()) == ("over", None, [])
    table.here({"anna", "ben"}, 900.0)
    assert table.deadline is None
    assert asks(table, "anna", 901.0) == ["again"]
    assert table.deadline == 901.0 + ENCORE


def test_who_stands_up_asks_no_more_and_who_sits_down_is_asked_anew():
    table = over()
    asks(table, "anna")
    asks(table, "ben")
    table.receive("ben", Stand("stand"), 110.0)
    assert (table.deadline, viewed(table, "cleo").table.wishes) == (None, [0])
    with pytest.raises(Open):
        asks(table, "cleo")
    table.receive("dora", Sit("sit", 1, "Dora"), 150.0)
    assert (table.waits_for(), table.deadline) == ([1, 2], 150.0 + ENCORE)
    table.receive("anna", Sit("named", 0, "Ann"), 151.0)
    assert viewed(table, "cleo").table.wishes == [0], "another name is no other wish"
    table.receive("anna", Stand("up"), 152.0)
    assert (table.waits_for(), viewed(table, "cleo").table.wishes) == ([], [])


def test_who_sat_down_since_asks_by_their_own_name_though_they_are_gone_again():
    table = over()
    table.receive("ben", Stand("stand"), 110.0)
    table.receive("dora", Sit("sit", 1, "Dora"), 111.0)
    assert asks(table, "dora", 112.0) == ["again"]
    table.receive("dora", Stand("up"), 113.0)
    assert "Dora would like to play again." in [news.words for news in viewed(table, "cleo").news]


def test_a_bot_in_the_place_of_the_last_who_was_asked_lets_the_match_begin():
    table = over(players=3, persons=2)
    asks(table, "anna")
    table.receive("ben", Stand("stand"), 110.0)
    done = table.receive("anna", Bot("bot", 1, "novice"), 111.0)
    assert [event.kind for event in done.events] == ["bot", "started"]


def host_looks_on():
    """Anna got up, and Cleo plays in her place with Ben and a bot."""
    table = over(players=3, persons=2)
    table.receive("anna", Stand("stand"), 90.0)
    table.receive("cleo", Sit("sit", 0, "Cleo"), 91.0)
    return table


def test_a_host_who_looks_on_asks_as_everybody_does():
    table = host_looks_on()
    assert asks(table, "anna") == ["again"]
    view = viewed(table, "ben", since=table.number - 1)
    assert (view.table.wishes, view.table.waits_for) == ([], [0, 1])
    assert view.news[0].words == "Somebody would like to play again."
    assert viewed(table, "anna").table.wish
    assert (withdraws(table, "anna"), table.deadline) == (["again"], None)
    assert asks(table, "anna", 102.0) == ["again"]
    assert asks(table, "ben") == ["again"]
    assert asks(table, "cleo") == ["started"]
    assert asks(table, "anna", 101.0) == [], "what she asks for is so already"
    with pytest.raises(WrongSeat):
        over().receive("dora", Again("a"), 100.0)


def test_a_host_who_looks_on_still_asks_when_others_change_seats():
    table = host_looks_on()
    asks(table, "anna")
    table.receive("ben", Stand("up"), 110.0)
    table.receive("dora", Sit("down", 1, "Dora"), 120.0)
    assert (table.waits_for(), table.deadline) == ([0, 1], 120.0 + ENCORE)
    assert asks(table, "cleo", 121.0) == ["again"]
    assert asks(table, "dora", 122.0) == ["started"]


def test_a_host_who_looks_on_begins_nothing_by_putting_a_bot_in_the_last_persons_place():
    table = over(players=3, persons=2)
    table.receive("anna", Stand("stand"), 90.0)
    table.receive("anna", Bot("bot", 0, "novice"), 91.0)
    asks(table, "anna")
    table.receive("ben", Stand("up"), 110.0)
    done = table.receive("anna", Bot("last", 1, "novice"), 111.0)
    assert [event.kind for event in done.events] == ["bot"]


def test_a_host_who_looks_on_begins_no_match_that_nobody_plays():
    table = host_looks_on()
    asks(table, "anna")
    again = Table.rebuilt(drawing(), table.events)
    table.here(set(), 110.0)
    assert [event.kind for event in table.tick(100.0 + ENCORE)] == ["lapsed"]
    again.here({"ben"}, 110.0)
    assert [event.kind for event in again.tick(100.0 + ENCORE)] == ["started"]


def test_while_a_wish_waits_nothing_else_is_due():
    table = over()
    asks(table, "anna")
    with pytest.raises(Late):
        table.receive("ben", Next("next"), 101.0)


def test_a_wish_outlives_the_house_and_its_time_stands_still_meanwhile():
    table = over()
    asks(table, "anna")
    again = Table.rebuilt(drawing(), table.events)
    assert again.resumed([(110.0, 140.0)], 140.0)
    again.here(set(), 140.0)
    assert viewed(again, "ben").table.wishes == [0]
    assert again.until == 130.0 + ENCORE
    assert again.tick(140.0) == []
    again.here(ALL, 141.0)
    assert again.waits_for() == [1, 2]
    assert Table.rebuilt(drawing(), again.events).until == again.until
    assert [event.kind for event in again.resumed([], 50.0)] == ["resumed"], "the house's clock was set back"
    assert again.until == 40.0 + ENCORE, "as much of it is left as before"
