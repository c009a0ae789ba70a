"""Saying things aloud at a live table: by the table for everybody, or by everybody, the first to speak winning."""

import msgspec
import pytest

from brelan.cards import below, seed
from brelan.errors import Refusal
from brelan.play.claims import FARTHEST, LEAD, PATIENCE, WINDOW, Faster
from brelan.play.messages import Next
from brelan.play.seats import Event, Late
from brelan.play.table import Table
from brelan.play.told import refusal_words
from brelan.words import Words
from tests.play.claims import COMBINATIONS, NOON, claiming, others, say, spoken, to_a_chance, window
from tests.play.scripts import act, drawing, made, viewed

# ---------------------------------------------------------------- said by the table


@pytest.mark.parametrize("manner", ["friendly", "turns", None])
def test_a_friendly_table_announces_and_thanks_for_everybody(manner):
    table, chance, thanked = claiming(persons=2, manner=manner), [0], 0
    seed(chance, 3)
    for _ in range(900):
        if table.status == "over":
            break
        if table.pause:
            table.tick(table.deadline)
            continue
        seat = table.match.asked()[0]
        legal = [text for text in table.match.legal(seat) if text.split()[-1] not in COMBINATIONS]
        say(table, seat, legal[below(chance, len(legal))], 20.0)
        assert table.window is None
        assert all(not text.startswith("thanks") for s in table.match.asked() for text in table.match.legal(s))
    said = [text for _, text in spoken(table, 0)]
    thanked = [text for text in said if text.startswith("thanks")]
    assert thanked
    assert any(text.split()[-1] in COMBINATIONS for text in said)
    assert not {"contre", "let", "announce", "silent"} & set(said)
    assert not [event for event in table.events if event.kind == "clock"]


def test_the_scene_offers_only_what_is_left_to_decide():
    for manner in ("friendly", "claim"):
        table = claiming(manner=manner)
        seat, announced = to_a_chance(table)
        moves = [choice.move for choice in viewed(table, table.seats[seat].person).scene.choices]
        assert announced in moves
        assert (announced.rpartition(" ")[0] in moves) == (manner == "claim")


def test_a_bot_never_forgets():
    table = claiming(persons=1)
    seat, announced = to_a_chance(table, persons_only=False)
    while not table.seats[seat].level:
        say(table, seat, announced, 20.0)
        act(table, [1])
        seat, announced = to_a_chance(table, persons_only=False)
    since = table.number
    say(table, seat, announced.rpartition(" ")[0], 20.0)
    assert spoken(table, since)[0] == (seat, announced)


@pytest.mark.parametrize(("who", "thanked"), [(1, None), (2, "thanks"), (3, "thanks")])
def test_bots_thank_at_once_and_so_do_the_absent(who, thanked):
    table = claiming(3, 4, trips={"cleo": None})  # a bot sits beside cleo, who is away
    seat, announced = to_a_chance(table, ("run",))
    while seat != 0:
        act(table, [1])
        seat, announced = to_a_chance(table, ("run",))
    say(table, seat, announced, NOON)
    since = table.number
    say(table, seat, f"name {who}", NOON)
    assert spoken(table, since)[1:] == ([(who, thanked)] if thanked else [])
    assert table.match.asked() == ([0] if thanked else [1])


def test_only_a_game_where_things_are_said_offers_manners():
    with pytest.raises(Refusal, match="manner"):
        made("gin", manner="claim")
    with pytest.raises(Refusal, match="loud"):
        made("hawaiki", manner="loud")
    assert viewed(made("gin"), "anna").table.manner is None
    assert viewed(made("hawaiki"), "anna").table.manner == "friendly"


# ---------------------------------------------------------------- the race


def test_a_window_gives_everybody_time_and_the_slowest_line_its_round_trip():
    table = claiming(trips={"ben": 0.4, "cleo": 0.2})
    window(table)
    assert table.deadline == viewed(table, "ben").table.deadline == pytest.approx(NOON + WINDOW + 0.4)
    table = claiming()
    seat, announced = to_a_chance(table)
    gone = table.seats[others(table, seat)[0]].person
    table.trip = lambda person: None if person == gone else 5.0
    say(table, seat, announced.rpartition(" ")[0], NOON)
    assert table.deadline == NOON + WINDOW + FARTHEST


def test_a_claim_is_no_event_before_nobody_can_have_been_earlier():
    table = claiming()
    actor = window(table)
    left = others(table, actor)[0]
    number = table.number
    outcome = say(table, left, "contre", NOON + 1, key="k")
    assert (outcome.number, outcome.events, table.number) == (None, [], number)
    assert table.deadline == NOON + 1 + LEAD
    assert viewed(table, "anna").table.deadline == NOON + WINDOW  # nobody is told that somebody has spoken
    assert say(table, left, "contre", NOON + 1.1, key="k").number is None  # said again: it still waits
    with pytest.raises(Late):
        say(table, left, "let", NOON + 1.1)
    assert not table.tick(NOON + 1 + LEAD - 0.01)
    assert table.decided(table.seats[left].person, "k") is None
    table.tick(NOON + 1 + LEAD)
    assert table.decided(table.seats[left].person, "k") == number + 1
    assert spoken(table, number)[0] == (left, "contre")
    assert say(table, left, "contre", NOON + 2, number, "k").number == number + 1


def test_the_earlier_word_wins_though_it_arrived_later():
    table = claiming()
    actor = window(table)
    left, right = others(table, actor)
    slow = table.seats[right].person
    table.trip = lambda person: 0.5 if person == slow else 0.0
    seen = table.number
    say(table, left, "contre", NOON + 1.0, key="near")
    say(table, right, "contre", NOON + 1.2, key="far")  # said at 0.95
    table.tick(table.deadline)
    assert spoken(table, seen)[0] == (right, "contre")
    assert table.decided(slow, "far") == seen + 1
    with pytest.raises(Faster) as refusal:
        table.decided(table.seats[left].person, "near")
    name = table.seats[right].name
    told = f"A moment too late: {name} calls contre. {table.seats[actor].name} draws 1 card."
    assert refusal_words(table, refusal.value, left, Words("en", "hawaiki")) == told
    told = f"Un instant trop tard\u00a0: {name} contre. {table.seats[actor].name} pioche 1 carte."
    assert refusal_words(table, refusal.value, left, Words("fr", "hawaiki")) == told


def test_a_slow_line_is_worth_no_more_than_the_most():
    table = claiming()
    left, right = others(table, window(table))
    slow = table.seats[right].person
    table.trip = lambda person: 9.0 if person == slow else 0.0
    seen = table.number
    say(table, right, "contre", NOON + 1.31)
    assert table.deadline == pytest.approx(NOON + 1.31)
    say(table, left, "contre", NOON + 1.005)
    table.tick(table.deadline)
    assert spoken(table, seen)[0] == (left, "contre")


def test_of_two_at_once_the_one_asked_first_wins():
    for first in (0, 1):
        table = claiming()
        around = others(table, window(table))
        seen = table.number
        say(table, around[first], "contre", NOON + 1)
        say(table, around[1 - first], "contre", NOON + 1)
        table.tick(table.deadline)
        assert spoken(table, seen)[0] == (around[0], "contre")


def test_a_contre_costs_a_card_and_the_combination():
    table = claiming()
    actor = window(table)
    held = table.match.state.count[actor]
    say(table, others(table, actor)[0], "contre", NOON + 1)
    table.tick(table.deadline)
    assert table.match.state.count[actor] == held + 1
    assert table.match.asked() == [others(table, actor)[0]]
    assert table.window is None


def test_who_laid_it_may_still_be_first():
    table = claiming()
    actor = window(table, ("run", "colour"))
    seen = table.number
    say(table, actor, "announce", NOON + 1)
    with pytest.raises(Late):
        say(table, actor, "announce", NOON + 1.1)
    say(table, others(table, actor)[0], "contre", NOON + 1.2, key="later")
    table.tick(table.deadline)
    assert spoken(table, seen) == [(actor, "announce")]
    with pytest.raises(Faster):
        table.decided(table.seats[others(table, actor)[0]].person, "later")
    assert all(text.startswith("name") for text in table.match.legal(actor))


def test_when_all_have_spoken_nobody_waits():
    table = claiming()
    actor = window(table)
    left, right = others(table, actor)
    say(table, left, "let", NOON + 1)
    say(table, actor, "let", NOON + 1)
    assert table.window
    assert say(table, right, "contre", NOON + 1).number == table.number
    assert table.window is None


def test_a_bots_claim_waits_for_the_people_and_nobody_for_the_bots():
    table = claiming(persons=1)
    actor, seen = window(table), table.number
    assert table.bots_asked() == [1, 2]
    assert say(table, 1, "contre", NOON + 1).number is None  # anna may have been earlier
    assert table.bots_asked() == [2]
    assert say(table, actor, "announce", NOON + 1.1, key="late").number is None
    assert spoken(table, seen)[0] == (1, "contre")  # nobody else to wait for
    with pytest.raises(Faster):
        table.decided("anna", "late")
    table = claiming(persons=1)
    window(table)
    assert say(table, 0, "announce", NOON + 1).events[0].data["move"] == "announce"


def test_silence_is_let_in_the_order_of_asking_and_changes_nothing():
    table = claiming()
    actor = window(table)
    around, seen = others(table, actor), table.number
    held = table.match.state.count[actor]
    say(table, around[0], "let", NOON + 1)
    assert table.deadline == NOON + WINDOW  # the same question still
    assert not table.tick(NOON + WINDOW - 0.01)
    table.tick(NOON + WINDOW)
    assert spoken(table, seen) == [(around[0], "let"), (around[1], "let"), (actor, "let")]
    assert (table.match.state.count[actor], table.window) == (held, None)
    with pytest.raises(Late) as refusal:
        say(table, around[1], "contre", NOON + WINDOW + 0.1, seen=seen)
    assert not isinstance(refusal.value, Faster)


def test_who_comes_after_the_decision_hears_what_happened():
    table = claiming()
    actor = window(table)
    left, right = others(table, actor)
    seen = table.number
    say(table, left, "contre", NOON + 1)
    table.tick(table.deadline)
    with pytest.raises(Faster) as refusal:
        say(table, right, "contre", NOON + 2, seen=seen)
    assert refusal.value.event.data == {"seat": left, "move": "contre"}


def test_what_was_said_before_the_question_is_no_answer_to_it():
    table = claiming()
    seat, announced = to_a_chance(table)
    seen = table.number
    say(table, seat, announced.rpartition(" ")[0], NOON)
    with pytest.raises(Late):
        say(table, others(table, seat)[0], "contre", NOON, seen=seen)


# ---------------------------------------------------------------- thanks


def owing(table, cards):
    """Somebody who sits alone against another must draw that many cards: the seat."""
    seat, announced = to_a_chance(table, ("colour",) if cards == 2 else ("run",))
    say(table, seat, announced, NOON)
    for _ in range(cards):
        say(table, seat, f"name {1 - seat}", NOON)
    return 1 - seat


@pytest.mark.parametrize(("cards", "said", "drawn"), [(2, "thanks much", 2), (2, "thanks", 3), (1, "thanks", 1)])
def test_thanks_are_peoples_own_business(cards, said, drawn):
    table = claiming(persons=2, players=2)
    seat = owing(table, cards)
    held = table.match.state.count[seat]
    say(table, seat, said, NOON + 1)
    assert table.match.state.count[seat] == held + drawn
    assert table.window is None


def test_who_forgets_to_thank_draws_a_third_card():
    table = claiming(persons=2, players=2, trips={"anna": 0.1, "ben": 0.1})
    seat = owing(table, 2)
    held, number = table.match.state.count[seat], table.number
    assert table.deadline == pytest.approx(NOON + PATIENCE + 0.1)
    table.tick(table.deadline)
    assert spoken(table, number) == [(seat, "silent")]
    assert table.match.state.count[seat] == held + 3


def test_each_who_must_thank_has_the_whole_time():
    table = claiming()
    seat, announced = to_a_chance(table, ("colour",))
    left, right = others(table, seat)
    for text in (announced, f"name {left}", f"name {right}"):
        say(table, seat, text, NOON)
    say(table, left, "thanks", NOON + 4)
    assert (table.match.asked(), table.deadline) == ([right], NOON + 4 + PATIENCE)


# ---------------------------------------------------------------- from the events


def test_a_table_is_rebuilt_in_the_middle_of_a_window():
    table = claiming(trips={"ben": 0.4})
    actor = window(table)
    left, right = others(table, actor)
    say(table, left, "let", NOON + 1)
    say(table, right, "contre", NOON + 1)
    events = msgspec.json.decode(msgspec.json.encode(table.events), type=list[type(table.events[0])])
    again = Table.rebuilt(drawing(), events, {"anna": 0.0, "ben": 0.0, "cleo": 0.0}.get)
    assert (again.window, again.claims) == (table.window, [])
    assert again.deadline == pytest.approx(NOON + WINDOW + 0.4)  # as it was promised
    assert again.match.state == table.match.state
    say(again, right, "contre", NOON + 1)
    again.tick(again.deadline)
    table.tick(table.deadline)
    assert again.match.state == table.match.state


def test_a_claim_waits_on_though_another_worker_has_told_that_the_house_was_away():
    """The race is the same, only longer; whoever was told to wait is answered."""
    table = claiming(trips={"ben": 0.4})
    _, right = others(table, window(table))
    say(table, right, "contre", NOON + 1, key="mine")
    table.follow([Event(table.number + 1, NOON + 9, "resumed", "", "", {"since": NOON + 1})])
    assert [claim.seat for claim in table.claims] == [right]
    table.tick(table.deadline)
    assert table.decided(table.seats[right].person, "mine")


def test_a_claim_waits_no_longer_once_its_seat_has_said_something_else_over_another_worker():
    table = claiming(trips={"ben": 0.4})
    _, right = others(table, window(table))
    say(table, right, "contre", NOON + 1)
    let = {"seat": right, "move": "let"}
    table.follow([Event(table.number + 1, NOON + 1.1, "move", table.seats[right].person, "theirs", let)])
    assert table.claims == []
    table.tick(table.deadline)
    assert not table.window


def test_what_waited_is_known_again_but_for_who_was_forgotten():
    table = claiming(trips={"ben": 0.4})
    _, right = others(table, window(table))
    say(table, right, "contre", NOON + 1)
    again = Table.rebuilt(drawing(), table.events, table.trip)
    again.recall({"cleo": NOON}, [], table.claims)
    assert (again.away, again.claims) == ({"cleo": NOON}, table.claims)
    again.seats[right].person = "somebody"
    again.recall({}, [], table.claims)
    assert (again.away, again.claims) == ({}, [])


def test_a_time_in_which_the_house_was_away_puts_a_race_off_once_however_many_workers_tell_of_it():
    table = claiming()
    window(table)
    until = table.window.until
    for at in (NOON + 600, NOON + 600.3):
        table.follow([Event(table.number + 1, at, "resumed", "", "", {"since": NOON + 1})])
    assert until + 598 < table.window.until < until + 601


def test_a_long_match_by_claims_is_rebuilt_at_every_number():
    table, chance = claiming(), [0]
    seed(chance, 11)
    for step in range(500):
        if table.status == "over":
            break
        now = 100.0 + step
        if table.pause:
            table.receive("anna", Next(f"n{step}"), now)
            table.tick(table.deadline or now)
        elif table.deadline and step % 3 == 0:
            table.tick(table.deadline)
        else:
            seat = table.match.asked()[below(chance, len(table.match.asked()))]
            legal = table.match.legal(seat)
            try:
                say(table, seat, legal[below(chance, len(legal))], now)
            except Late:
                table.tick(table.deadline)
    words = {text for _, text in spoken(table, 0)}
    assert {"contre", "let", "announce", "silent", "thanks"} <= words
    for number in range(1, table.number, 7):
        assert Table.rebuilt(drawing(), table.events[:number]).events == table.events[:number]
    again = Table.rebuilt(drawing(), table.events)
    assert (again.match.state, again.window) == (table.match.state, table.window)
    assert viewed(again, "anna") == viewed(table, "anna")


def test_a_name_that_is_said_is_told_as_a_name():
    table = claiming(persons=2)
    seat, announced = to_a_chance(table, ("run",))
    say(table, seat, announced, NOON)
    since, name = table.number, table.seats[seat].name
    say(table, seat, "name 2", NOON)
    told = [news.words for news in viewed(table, "anna", since=since).news]
    assert told[0] == f"{name} names Bot 3, who must draw."
    say_thanks = viewed(table, "anna", "fr", since=since).news[0].words
    assert say_thanks == f"{name} désigne Robot 3, qui doit piocher."
