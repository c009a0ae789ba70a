"""Clocks: what each seat has left is a function of the events and of now; nobody pays for the house's own time."""

import msgspec
import pytest

from brelan.play import shown
from brelan.play.claims import WINDOW
from brelan.play.clocks import AGAIN, DAY, Clocks
from brelan.play.customs import Customs
from brelan.play.flow import PAUSE
from brelan.play.messages import Again, Back, Bot, Leave, Move, Nonce, Sit, Start, Undo
from brelan.play.seats import Late, bot_name
from brelan.play.table import Table
from brelan.words import Words
from tests.play.claims import NOON, claiming, say, spoken, window
from tests.play.scripts import NONCE, act, begun, bot_moves, drawing, kinds, made, play_again, play_on, to_seat, viewed

LIVE = Customs(pace="live", bank=100, increment=10)
DAYS = Customs(pace="days", days=2)


def clocked(customs=LIVE, persons=2):
    """A match whose first cards were dealt at 11; the seat that is asked, and the other."""
    table = begun("gin", 2, persons, customs=customs)
    seat = table.match.asked()[0]
    return table, seat, 1 - seat


def viewed_at(table, now):
    return shown.view(table, shown.Viewer("watcher", Words("en", table.game.id)), set(), None, 0, now)[0].table


def clocks_at(table, now):
    return viewed_at(table, now).clocks


def left(table, now):
    return [clock.left for clock in clocks_at(table, now)]


def move(table, seat, now, text=None):
    text = text or ("draw" if "draw" in table.match.legal(seat) else table.match.legal(seat)[0])
    table.receive(table.seats[seat].person, Move(f"{table.number}", table.number, text), now)


# ---------------------------------------------------------------- a bank and an increment


def test_time_runs_for_who_is_asked_and_a_move_adds_to_it():
    table, me, other = clocked()
    assert left(table, 11.0) == [100, 100]
    assert [clock.runs for clock in clocks_at(table, 11.0)] == [seat == me for seat in range(2)]
    move(table, me, 31.0)
    assert (left(table, 31.0)[me], left(table, 31.0)[other]) == (90, 100)  # 20 used, 10 won; to throw is the next move
    move(table, me, 36.0)
    assert (left(table, 40.0)[me], left(table, 40.0)[other]) == (95, 96)


def test_without_clocks_nobody_counts():
    table, *_ = clocked(Customs())
    assert viewed(table, "anna").table.clocks is None
    assert table.deadline is None


def test_a_bot_plays_on_for_who_has_no_time_left():
    table, me, _ = clocked()
    assert table.deadline == 111.0
    assert table.tick(110.9) == []
    (event,) = table.tick(111.0)
    assert (event.kind, event.data["seat"], event.data["why"]) == ("kept", me, "clock")
    assert left(table, 500.0) == [0 if seat == me else 100 for seat in range(2)]
    assert table.here({"anna", "ben"}, 120.0) == []  # being there is not enough
    bot_moves(table, me, 130.0)
    assert left(table, 130.0)[me] == 0  # the bot wins no time for its person


def test_who_goes_away_has_no_more_time_than_the_clock_says():
    table, me, other = clocked()
    table.here({table.seats[other].person}, 80.0)  # the grace ends later
    assert table.deadline == 111.0
    (event,) = table.tick(111.0)
    assert (event.data["seat"], event.data["why"]) == (me, "clock")


def test_who_takes_the_seat_back_has_a_moment_for_the_next_move():
    table, me, _ = clocked()
    table.tick(111.0)
    table.receive(table.seats[me].person, Back("back"), 120.0)
    assert left(table, 120.0)[me] == AGAIN["live"]
    assert table.deadline == 120.0 + AGAIN["live"]
    move(table, me, 125.0)
    assert left(table, 125.0)[me] == AGAIN["live"] - 5 + 10


def test_time_after_the_time_is_given_once_a_move():
    """Else who comes back each time would think for ever; a bot that keeps the seat moves first."""
    table, me, _ = clocked()
    person = table.seats[me].person
    for flag, back in ((111.0, 112.0), (130.0, 131.0)):
        table.tick(flag)
        assert table.seats[me].why == "clock"
        if back == 131.0:
            with pytest.raises(Late, match="the bot makes this move"):
                table.receive(person, Back(f"back {back}"), back)
        else:
            table.receive(person, Back(f"back {back}"), back)
    bot = bot_name(me)
    table.receive(bot, Move("bots", table.number, table.match.legal(me)[0]), 132.0)
    table.receive(person, Back("back"), 133.0)
    assert left(table, 133.0)[me] >= AGAIN["live"]


def test_who_leaves_and_comes_back_wins_no_time():
    table, me, _ = clocked()
    person = table.seats[me].person
    assert left(table, 100.0)[me] == 11 < AGAIN["live"]
    for now in (100.0, 104.0):
        table.receive(person, Leave(f"leave {now}"), now)
        table.receive(person, Back(f"back {now}"), now + 2.0)
    assert left(table, 106.0)[me] == 5
    assert table.deadline == 111.0


def test_who_leaves_pays_for_no_time_in_which_the_bot_moved_or_the_house_was_away():
    table, me, _ = clocked()
    person = table.seats[me].person
    table.receive(person, Leave("leave"), 31.0)
    table.resumed([(32.0, 632.0)], 633.0)
    bot_moves(table, me, 634.0)
    assert me in table.match.asked()
    table.receive(person, Back("back"), 637.0)
    assert left(table, 637.0)[me] == 80 - 3
    table.receive(person, Leave("more"), 640.0)
    table.resumed([(641.0, 741.0)], 742.0)
    table.receive(person, Back("again"), 742.0)
    assert left(table, 742.0)[me] == 80 - 3 - 3 - 2


def test_whose_time_is_up_has_no_more_of_it_by_leaving():
    table, me, _ = clocked()
    person = table.seats[me].person
    table.tick(111.0)
    with pytest.raises(Late, match="A bot plays for you at the moment"):
        table.receive(person, Leave("leave"), 112.0)
    table.receive(person, Back("back"), 112.0)
    table.receive(person, Leave("more"), 113.0)
    table.receive(person, Back("late"), 113.0 + AGAIN["live"])
    table.tick(113.0 + AGAIN["live"])
    with pytest.raises(Late, match="the bot makes this move"):
        table.receive(person, Back("later"), 129.0)


def test_who_ended_a_match_in_the_moment_that_was_given_has_one_in_the_next():
    table, other, me = clocked()
    person = table.seats[me].person
    while table.status != "over":
        if table.match.asked() == [me]:
            table.tick(table.deadline)
            bot_moves(table, me, table.events[-1].at)
        elif table.seats[me].kept and not table.pause:
            table.receive(person, Back(f"back {table.number}"), table.events[-1].at)
        else:
            play_on(table, until=lambda table, before=table.number: table.number > before, now=table.events[-1].at)
    assert table.steps[-1].data["seat"] == other
    play_again(table, table.events[-1].at)
    for name in ("anna", "ben"):
        table.receive(name, Nonce(NONCE), table.events[-1].at)
    to_seat(table, me, table.events[-1].at)
    table.tick(table.deadline)
    table.receive(person, Back("back"), table.events[-1].at)
    assert not table.seats[me].kept


def test_no_time_runs_between_two_rounds_nor_before_the_deal_nor_for_bots():
    table, _, _ = clocked(LIVE, persons=1)
    to_seat(table, 0, now=11.0)
    play_on(table, until=lambda table: table.pause, now=20.0)
    before = left(table, 20.0)
    assert left(table, 10_000.0) == before
    assert not any(clock.runs for clock in clocks_at(table, 30.0))
    play_on(table)
    assert table.clocks.running == {}
    table.receive("anna", Again("again"), 300.0)
    assert viewed_at(table, 310.0).clocks is None  # while the nonce is awaited
    table.receive("anna", Nonce(NONCE), 310.0)
    assert left(table, 310.0)[1] == 100
    assert 1 not in table.clocks.running


def test_what_is_said_in_a_hurry_costs_no_time():
    table = claiming(persons=3, customs=LIVE)
    window(table)
    before = left(table, 1000.0)
    assert left(table, 1000.0 + WINDOW) == before
    table.tick(1000.0 + WINDOW)
    assert left(table, 1000.0 + WINDOW) == before
    assert sum(clock.runs for clock in clocks_at(table, 1010.0)) == 1


def test_what_is_said_in_a_hurry_wins_none():
    table = claiming(persons=3, customs=LIVE)
    seat = window(table)
    before, since = left(table, NOON), table.number
    say(table, seat, "announce", NOON + 0.5)
    table.tick(table.deadline)
    assert (seat, "announce") in spoken(table, since)
    assert left(table, table.events[-1].at) == before


def test_what_the_table_says_for_a_seat_wins_none():
    def moves(table):
        return [step for step in table.steps if step.kind == "move"]

    table = begun("hawaiki", 3, 3, customs=LIVE, manner="friendly")
    play_on(table, until=lambda table: sum(not event.person for event in moves(table)) > 3)
    own = [event for event in moves(table) if event.person]
    assert sum(left(table, 20.0)) == 3 * 100 - (20 - 11) + 10 * len(own)


def test_a_pause_of_time_is_not_won_by_undo():
    """The increment of a move that is taken back is taken back; the time it took is not."""
    table, me, _ = clocked()
    move(table, me, 21.0, "take")
    assert left(table, 21.0)[me] == 100
    table.receive(table.seats[me].person, Undo("undo"), 26.0)
    assert left(table, 26.0)[me] == 85
    for turn in range(5):
        move(table, me, 26.0, "take")
        table.receive(table.seats[me].person, Undo(f"undo {turn}"), 26.0)
    assert left(table, 26.0)[me] == 85


# ---------------------------------------------------------------- by turns


def test_each_move_has_its_days():
    table, me, other = clocked(DAYS)
    assert table.deadline == 11.0 + 2 * DAY
    move(table, me, 11.0 + DAY)
    assert left(table, 11.0 + DAY)[me] == 2 * DAY
    move(table, me, 11.0 + 2 * DAY)
    assert left(table, 11.0 + 3 * DAY) == [2 * DAY if seat == me else DAY for seat in range(2)]
    (event,) = table.tick(11.0 + 4 * DAY)
    assert (event.data["seat"], event.data["why"]) == (other, "clock")
    bot_moves(table, other, 12.0 + 4 * DAY)
    assert left(table, 12.0 + 4 * DAY)[other] == 2 * DAY
    table.receive(table.seats[other].person, Back("back"), 12.0 + 4 * DAY)
    assert left(table, 12.0 + 4 * DAY)[other] == 2 * DAY


def test_undo_wins_no_days():
    table, me, _ = clocked(DAYS)
    move(table, me, 11.0 + DAY, "take")
    table.receive(table.seats[me].person, Undo("undo"), 11.0 + DAY)
    assert left(table, 11.0 + DAY)[me] == DAY


def test_who_takes_a_move_back_by_turns_is_not_out_of_time():
    """Before the move and since it they have thought longer than the days of one move, but never saw that little."""
    table, me, _ = clocked(DAYS)
    person = table.seats[me].person
    move(table, me, 11.0 + 1.8 * DAY, "take")
    assert left(table, 11.0 + 2.3 * DAY)[me] == pytest.approx(1.5 * DAY)
    table.receive(person, Undo("undo"), 11.0 + 2.3 * DAY)
    assert (left(table, 11.0 + 2.3 * DAY)[me], table.seats[me].kept) == (AGAIN["days"], None)
    move(table, me, 11.0 + 2.3 * DAY, "take")
    assert left(table, 11.0 + 2.3 * DAY)[me] == pytest.approx(1.5 * DAY)
    move(table, me, 11.0 + 2.3 * DAY)
    assert left(table, 11.0 + 2.3 * DAY)[me] == 2 * DAY
    assert left(Table.rebuilt(drawing(), table.events), 11.0 + 2.3 * DAY)[me] == 2 * DAY


def test_undo_by_turns_is_no_time_to_think_in():
    """Whoever takes the same move back over and over has no more than its days and those of the one that follows."""
    table, me, _ = clocked(DAYS)
    now = 11.0
    for turn in range(5):
        now = table.deadline - 60.0
        move(table, me, now, "take")
        now = table.deadline - 60.0
        table.receive(table.seats[me].person, Undo(f"undo {turn}"), now)
    assert now <= 11.0 + 4 * DAY
    assert left(table, now)[me] <= 60


# ---------------------------------------------------------------- honest


def test_a_clock_that_is_set_back_takes_nothing():
    table, me, other = clocked()
    move(table, me, 21.0)
    move(table, me, 5.0)  # somebody has set it back by more than these 16 seconds
    assert left(table, 5.0)[me] == 110
    assert left(table, 1.0)[other] == 100
    move(table, other, 9.0)
    assert left(table, 9.0)[other] == 106


@pytest.mark.parametrize(
    ("since", "until", "cost"),
    [
        (21.0, 621.0, 40.0),  # in the middle of a thought
        (5.0, 31.0, 620.0),  # since before it
        (650.0, 651.0, 639.0),  # just now
    ],
)
def test_time_that_the_house_was_away_is_nobodys(since, until, cost):
    table, me, _ = clocked(Customs(pace="live", bank=7200))
    (event,) = table.resumed([(since, until)], 651.0)
    assert (event.at, event.data) == (until, {"since": since})
    assert left(table, 651.0)[me] == pytest.approx(7200 - cost)


@pytest.mark.parametrize("pace", ["none", "live"])
def test_a_result_is_seen_as_long_though_the_house_was_away(pace):
    table = play_on(begun(persons=2, customs=Customs(pace=pace)), until=lambda table: table.pause)
    until = table.deadline
    table.resumed([(until - 19.0, until + 100.0)], until + 100.5)
    assert not table.tick(until + 101.0)
    assert table.deadline == until + 119.0


def test_a_seats_number_is_awaited_as_long_though_the_house_was_away():
    table = made()
    table.receive("anna", Sit("1", 0, "Anna"), 1.0)
    table.receive("anna", Bot("2", 1, "novice"), 1.0)
    table.receive("anna", Start("3"), 2.0)
    table.resumed([(2.5, 50.0)], 50.5)
    assert not table.tick(51.0)
    table.receive("anna", Nonce(NONCE), 52.0)
    assert table.match


def test_what_happened_since_the_house_is_back_is_not_settled_again():
    table, me, _ = clocked()
    move(table, me, 21.0)
    assert table.resumed([(5.0, 20.0)], 22.0) == []


def test_the_house_was_away_only_once():
    table, me, _ = clocked()
    assert kinds(table.resumed([(12.0, 500.0)], 505.0)) == ["resumed"]
    assert table.resumed([(12.0, 500.0)], 506.0) == []
    assert table.tick(506.0) == []
    assert left(table, 505.0)[me] == 94
    assert viewed(table, "anna", since=table.number - 1).news[0].words.startswith("The house was away")
    assert clocked(Customs())[0].resumed([(12.0, 500.0)], 505.0) == []


def test_every_time_that_the_house_was_away_counts():
    table, me, _ = clocked()
    table.resumed([(12.0, 100.0), (110.0, 200.0)], 205.0)
    assert left(table, 205.0)[me] == 100 - (205 - 11) + 88 + 90


def test_what_two_workers_notice_is_one_absence():
    """Each by itself, some moments apart; what lasts beyond that is another."""
    table = play_on(clocked(Customs())[0], until=lambda table: table.pause, now=250.0)
    until = table.until
    assert kinds(table.resumed([(300.0, 360.0)], 360.0)) == ["resumed"]
    assert table.resumed([(300.6, 360.5)], 360.5) == []
    assert table.until == until + 60
    (event,) = table.resumed([(300.6, 400.0)], 400.0)
    assert event.data == {"since": 360.0}
    assert table.until == until + 100


def test_a_clock_that_is_a_little_behind_was_not_set_back():
    table, me, _ = clocked()
    move(table, me, 21.0)
    assert table.resumed([], 17.0) == []


def test_a_clock_that_was_set_back_before_a_restart_begins_anew():
    table, me, _ = clocked()
    move(table, me, 1000.0)  # 989 seconds ago by that clock, of which 100 were there
    spent = left(table, 1000.0)[me]
    (event,) = table.resumed([], 500.0)
    assert (event.at, event.data) == (500.0, {"since": 1000.0})
    assert left(table, 500.0)[me] == spent
    assert left(table, 503.0)[me] == spent - 3
    assert table.resumed([], 501.0) == []
    table = play_on(clocked()[0], until=lambda table: table.pause, now=1000.0)
    table.resumed([], 500.0)
    assert table.until == 500.0 + PAUSE


def test_nobody_is_too_late_to_speak_because_the_house_was_away():
    table = claiming(persons=3)
    actor = window(table)
    end = table.deadline
    assert kinds(table.resumed([(1001.0, 1101.0)], 1101.0)) == ["resumed"]
    assert table.deadline == end + 100
    other = next(seat for seat in table.match.asked() if seat != actor)
    since = table.number
    table.receive(table.seats[other].person, Move("k", table.number - 1, "contre"), 1102.0)
    table.tick(1103.0)
    assert spoken(table, since)[0] == (other, "contre")


def test_clocks_are_a_function_of_the_events():
    table, *_ = clocked()
    chance, now = [3], 11.0
    for step in range(60):
        now += 1.5
        if table.status == "over" or table.pause:
            table.tick(table.deadline or now)
        else:
            act(table, chance, now)
        if step == 20:
            table.resumed([(now + 1, now + 301)], now + 301)
            now += 301
    events = msgspec.json.decode(msgspec.json.encode(table.events), type=list[type(table.events[0])])
    again = Table.rebuilt(drawing(), events)
    assert vars(again.clocks) == vars(table.clocks)
    assert viewed_at(again, now + 3) == viewed_at(table, now + 3)


def test_a_move_that_comes_after_the_flag_is_the_bots_business():
    table, me, _ = clocked()
    table.tick(111.0)
    with pytest.raises(Late):
        bot_moves(table, me, 111.0, table.number - 1)


def test_time_that_is_lent_stays_lent_where_another_takes_a_move_back():
    clocks = Clocks(LIVE, 2)
    clocks.run(0.0, [1], lent=[0])
    clocks.undo([], 10.0)
    clocks.back(0, 20.0, up=False)
    assert clocks.left[0] == 80


def test_the_sums_are_right_at_every_step():
    clocks = Clocks(LIVE, 2)
    clocks.run(0.0, [0, 1])
    assert clocks.deadlines == {0: 100, 1: 100}
    clocks.moved(0, 30.0, own=True)
    clocks.run(30.0, [1])
    assert (clocks.left, clocks.running) == ([80, 70], {1: 30.0})
    clocks.stand(40.0, 60.0)
    assert clocks.left_at(1, 60.0) == 60
    clocks.moved(1, 60.0, own=False)
    clocks.undo([0, 1], 60.0)
    assert [clocks.left_at(seat, 60.0) for seat in range(2)] == [70, 60]
