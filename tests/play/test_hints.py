"""Hints: where and when a table lets its people ask."""

import pytest

from brelan.errors import WrongSeat
from brelan.play.customs import Customs
from brelan.play.messages import Bot, Hint, Leave, Nonce, Sit, Start
from brelan.play.seats import Full, Late
from brelan.play.table import Table
from tests.play.scripts import NONCE, act, drawing, play_again, play_on, two, viewed


def alone():
    """Anna against a bot, at gin."""
    table = Table.made(drawing(), "abc", "gin", 2, "anna", 0.0)
    for message in (Sit("sit", 0, "Anna"), Bot("bot", 1, "novice"), Start("start")):
        table.receive("anna", message, 0.0)
    while not table.match:
        table.tick(table.deadline)
    return table


def ask(table, person, now=9.0):
    """The kinds of the events to which asking for a hint led."""
    return [event.kind for event in table.receive(person, Hint(f"hint {table.number}"), now).events]


def test_who_plays_against_bots_alone_may_ask_when_it_is_their_turn():
    table = alone()
    while table.match.asked() != [0]:
        table._move(1, table.match.read(1, table.match.legal(1)[0]), 1.0)
    assert table.hints
    assert viewed(table, "anna").table.hints
    assert ask(table, "anna") == ["hinted"]
    table._move(0, table.match.read(0, "draw"), 2.0)
    table._move(0, table.match.read(0, table.match.legal(0)[0]), 3.0)
    with pytest.raises(Late) as refused:
        ask(table, "anna")
    assert refused.value.key == "table.nothing_asked"


def test_a_key_that_was_used_for_a_hint_asks_again_and_is_no_pass():
    table = two(customs=Customs(hints=True))
    (seat,) = table.match.asked()
    person, hint = table.seats[seat].person, Hint("hint")
    table.receive(person, hint, 9.0)
    play_on(table)
    with pytest.raises(Late):
        table.receive(person, hint, 91.0)
    play_again(table, 92.0)
    with pytest.raises(Late):
        table.receive(person, hint, 93.0)
    for one in ("anna", "ben"):
        table.receive(one, Nonce(NONCE), 94.0)
    while seat not in table.match.asked():
        act(table, [1], 95.0)
    assert [event.kind for event in table.receive(person, hint, 96.0).events] == ["hinted"]
    assert table.indulged == {seat}
    table.customs = Customs()
    with pytest.raises(Full):
        table.receive(person, hint, 97.0)


def test_a_seat_that_had_a_hint_is_known_by_it_and_one_is_enough():
    table = two(customs=Customs(hints=True))
    (seat,) = table.match.asked()
    person = table.seats[seat].person
    assert (ask(table, person), ask(table, person)) == (["hinted"], [])
    assert table.indulged == Table.rebuilt(drawing(), table.events).indulged == {seat}
    while table.match.asked() == [seat]:
        table._move(seat, table.match.read(seat, table.match.legal(seat)[0]), 9.0)
    (other,) = table.match.asked()
    assert ask(table, table.seats[other].person) == ["hinted"], "of each seat, though another had one"
    assert table.indulged == {0, 1}


def test_who_is_left_alone_with_a_keeper_has_none():
    """Both are rated by how the match ends, whoever has left it."""
    table = two()
    table.receive("ben", Leave("leave"), 5.0)
    assert not table.hints


def test_between_people_only_where_it_is_the_custom():
    table = two()
    with pytest.raises(Full) as refused:
        ask(table, "anna")
    assert refused.value.key == "table.no_hints"
    table = two(customs=Customs(hints=True))
    assert ask(table, table.seats[table.match.asked()[0]].person) == ["hinted"]


def test_a_watcher_has_none():
    with pytest.raises(WrongSeat):
        ask(alone(), "watcher")
