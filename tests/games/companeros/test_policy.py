"""The policy by weights: what it sees in written positions, and that it sees no more than its seat may know."""

from __future__ import annotations

import random

import pytest

from brelan.games.companeros import GAME
from brelan.games.companeros.judge import SIGHT, START, hidden_from, prizes, share, stronger
from brelan.games.companeros.notation import card_of, move_text
from brelan.games.companeros.policy import outlook, shortlist, tuned
from brelan.games.companeros.view import redact
from brelan.play.match import Match
from tests.tables import generator

from .positions import a_set, dealt, line, moves, texts


def chosen(s, weights=START, luck=1):
    return move_text(tuned(s, s.turn, weights, generator(luck)))


def careless(of_a_thousand):
    return [0, of_a_thousand, *START[2:]]


def third_to_play(pot, first, second, hand):
    """Seat 2 is about to end the first trick, with these cards in its hand among others."""
    s = dealt(pot, f"{first} {second} {hand}")
    s.hand[2] = a_set(hand)
    return line(s, first, second)


# ---------------------------------------------------------------- what it sees


def test_it_wins_a_rich_pot_with_the_cheapest_card_that_does():
    hand = "R7 G10 Y1"  # red 7 alone comes before yellow 5 and green 3, and so would both greens together
    assert chosen(third_to_play("R10 R9 R8", "G3", "Y5", hand)) == "play R7"


def test_it_saves_its_strong_cards_where_the_pot_is_poor():
    assert chosen(third_to_play("R1 G1 Y1", "G3", "Y5", "R10 G10 Y2")) == "play Y2"


def test_it_ties_where_that_keeps_a_rich_pot_from_the_others():
    assert chosen(third_to_play("R10 R9 R8", "Y10", "G9", "G1 R1")) == "play G1"


def test_nothing_is_saved_in_the_last_trick():
    s = third_to_play("R1 G1 Y1", "G3", "Y5", "R10 Y2")
    s.tricks = 8
    assert chosen(s) == "play R10"


def test_it_takes_the_colour_that_is_worth_most():
    s = line(dealt("R9 G5 G6", "Y9 R2 R3"), "Y9", "R2", "R3")
    assert chosen(s) == "take G"


def test_the_shares_of_a_pot():
    packed = prizes(a_set("R9 G5 G6 Y4"))
    assert [share(packed, 64 * before) for before in range(8)] == [64 * n for n in (11, 9, 4, 0, 0, 0, 0, 0)]
    assert share(packed, 32) == 64 * 10, "half the first, half the second"


def test_who_comes_before_in_a_trick():
    trick = a_set("R5 R6 G10 Y9")
    assert [stronger(trick, card_of(card)) for card in ("R6", "R5", "G10", "Y9")] == [0, 1, 2, 3]


def test_the_hidden_cards_are_the_others_hands():
    s = line(dealt("R1 G1 Y1", "R10 G10 Y10"), "R10", "G10", "Y10")
    for seat in range(3):
        held = [s.hand[other] for other in range(3) if other != seat]
        assert texts(hidden_from(redact(s, seat), seat)) == texts(held[0] | held[1])


# ---------------------------------------------------------------- the contract


@pytest.mark.parametrize("players", GAME.seats)
def test_it_plays_by_what_its_seat_may_know(players):
    chance = random.Random(players)
    match = Match(GAME, players, options={"rounds": 2})
    while not match.over:
        if match.due():
            match.shuffle(chance.sample(match.due(), len(match.due())))
            continue
        s, luck, out = match.state, chance.randrange(2**60), [0] * 66
        move = chosen(s, luck=luck)
        assert move == chosen(redact(s, s.turn), luck=luck)
        listed = [move_text(out[i]) for i in range(shortlist(s, s.turn, START, out, generator(luck)))]
        assert listed[0] == move
        assert sorted(listed) == sorted(moves(s, s.turn))
        match.move(s.turn, move)


def test_the_careless_forget_as_often_as_they_are_asked_to():
    s = line(dealt("R9 G5 G6", "Y9 R2 R3"), "Y9", "R2", "R3")
    forgot = sum(chosen(s, careless(250), luck) == "take R" for luck in range(1200))
    assert 240 <= forgot <= 360


def test_blur_errs_by_little_more_often_than_by_much():
    s = line(dealt("R9 G8 Y1", "Y9 R2 R3"), "Y9", "R2", "R3")
    blurred = [4 * 512, 0, *START[2:]]
    taken = [chosen(s, blurred, luck) for luck in range(300)]
    assert taken.count("take R") > taken.count("take G") > 30
    assert "take Y" not in taken, "eight points less cannot look like more"


def test_whose_sight_is_good_misreads_sums_a_little_and_no_single_card():
    cards = line(dealt("R9 G8 Y7", "Y9 R2 R3"), "Y9", "R2", "R3")
    sums = line(dealt("R9 G4 G6", "Y9 R2 R3"), "Y9", "R2", "R3")
    rich = line(dealt("R10 G8 G9", "Y9 R2 R3"), "Y9", "R2", "R3")
    sight = [16 * 512, 0, *START[2:SIGHT], 48]
    taken = [[chosen(s, sight, luck) for luck in range(300)] for s in (cards, sums, rich)]
    assert set(taken[0]) == {"take R"}
    assert taken[1].count("take G") > taken[1].count("take R") > 30
    assert set(taken[2]) == {"take G"}, "seven points are no misreading"
    assert chosen(rich, [0, 1000, *sight[2:]]) == "take R", "but the careless look at the highest card"


def test_hopes_of_the_match():
    s = dealt("R1 G1 Y1", "", rounds=3)
    s.total[0], s.total[1], s.finished = 50, 40, 1
    early = [outlook(s, seat) for seat in range(3)]
    assert early == sorted(early, reverse=True)
    s.finished = 3
    late = [outlook(s, seat) for seat in range(3)]
    assert late[0] > early[0] > early[1] > late[1], "a lead is worth more where less is left"
    s.total[1] = 50
    assert outlook(s, 0) == outlook(s, 1) > outlook(s, 2)
