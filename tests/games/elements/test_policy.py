"""The policy by weights: what it sees in written auctions, and that it sees no more than its seat may know."""

from __future__ import annotations

import random

import pytest

from brelan.game import SHORT
from brelan.games.elements import GAME, notation
from brelan.games.elements.policy import outlook, shortlist, tuned
from brelan.games.elements.state import READY, RETURNING
from brelan.games.elements.thrift import urgency
from brelan.games.elements.view import redact
from brelan.games.elements.weights import LATER, SPARING, START, WIDE
from brelan.play.match import Match
from tests.tables import generator

from .written import auction, passed, say, table


def chosen(match: Match, weights=START, luck=1) -> str:
    seat = match.asked()[0]
    return notation.move_text(tuned(match.state, seat, weights, generator(luck)))


def listed(match: Match, weights=START) -> list[str]:
    """The shortlist of the seat that is asked."""
    out = [0] * SHORT
    n = shortlist(match.state, match.asked()[0], weights, out, generator(1))
    return [notation.move_text(move) for move in out[:n]]


def weighing(name):
    """The first weights with a switch of the search turned on."""
    return [*START[:name], 1, *START[name + 1 :]]


def careless(of_a_thousand):
    return [0, of_a_thousand, *START[2:]]


FIRST = "R1 R2 R4 G1 G2 G4 Y1 Y2 Y6 B0"
SECOND = "R3 R5 G3 G5 Y3 Y4 B1 B2 B4 B5"
THIRD = "R7 G7 Y7 B7 R6 G6 B6 Y5 Y0 B3"


# ---------------------------------------------------------------- auctions


def test_it_takes_for_nothing_more_what_it_has_won():
    match = say(auction(FIRST, SECOND, THIRD, points="R10 G10 Y10"), "R1", "pass", "pass")
    assert chosen(match) == "pass"


@pytest.mark.parametrize(("moves", "won"), [("R1 pass pass", True), ("R4 R3 pass", False), ("R1 R3 pass", False)])
def test_a_sparing_search_lays_nothing_on_top_of_what_it_has_won(moves, won):
    """To whose playouts cards that lie there are out of harm's way, it seems worth it now and then."""
    match = say(auction(FIRST, SECOND, THIRD, points="R10 G10 Y10"), *moves.split())
    assert len(listed(match)) > 1
    assert (listed(match, weighing(SPARING)) == ["pass"]) == won


def test_the_last_one_in_wins_a_dear_card_with_one_card():
    match = say(auction(FIRST, SECOND, THIRD, points="R10 G10 Y10"), "pass", "pass")
    assert chosen(match).startswith("lay ")


def test_four_of_a_number_are_laid_together():
    match = say(auction(FIRST, SECOND, THIRD, points="R10 G10 Y10"), "Y6", "R3")
    assert chosen(match)[-1] == "7"
    match = say(match, "R7", "Y2", "R5")
    assert chosen(match)[-1] == "7"


def test_the_last_two_cards_must_beat_what_lies_there():
    match = say(auction(FIRST, SECOND, THIRD, points="R10 G10 Y10"), "pass", "R3", "R7", "R5", "G7")
    assert set(listed(match)) == {"lay G3 Y3", "lay B5 G5", "pass"}, "only three of a number beat a pair of sevens"


def test_what_a_card_costs_counts_for_nothing_in_the_last_auction_of_the_match():
    match = table(FIRST, SECOND, THIRD)
    s = match.state
    s.auction, s.finished = 0, 0
    assert urgency(s, START) == START[LATER]
    s.finished = 2
    assert urgency(s, START) == 0


# ---------------------------------------------------------------- the other phases


def test_a_wide_search_looks_at_every_card_that_may_be_placed_where_the_policy_would_lay_it():
    """Of four eights a search would else give one away, as it never looks at a card of no points."""
    hand = "R8 Y8 G8 P8 R9 Y9 G9 G4 P4 B0 P0"
    match = table(hand, "R3", "R5")
    narrow, wide = listed(match), listed(match, weighing(WIDE))
    assert narrow[0] == wide[0]
    assert not {move.split()[1] for move in narrow} & {"B0", "P0"}
    assert sorted(move.split()[1] for move in wide) == sorted(hand.split())


def test_a_high_card_without_company_is_placed():
    match = table("R10 G4 Y4 B4 G6 Y6 B6 G8 Y8 B8 P2", "R0", "R1")
    assert chosen(match).startswith(("place R10", "place G8", "place Y8", "place B8"))


def test_cards_that_belong_together_are_kept_and_lone_ones_go_back():
    match = passed(auction(THIRD, SECOND, FIRST, points="R10 G10 Y10"))
    s = match.state
    assert s.phase == RETURNING
    s.hand[0] = sum(1 << notation.card_of(card) for card in ("R7", "G7", "Y7", "B7", "Y0", "B3"))
    gone = set()
    while (move := tuned(s, 0, START, generator(1))) != READY:
        gone.add(notation.move_text(move))
        GAME.rules.play(s, 0, move)
    assert gone == {"return Y0", "return B3"}


# ---------------------------------------------------------------- the contract


@pytest.mark.parametrize(("players", "preset"), [(3, "sheet"), (4, "adlung"), (5, "sheet")])
def test_it_plays_by_what_its_seat_may_know(players, preset):
    chance = random.Random(players)
    match = Match(GAME, players, preset=preset)
    while not match.over:
        if match.due():
            match.shuffle(chance.sample(match.due(), len(match.due())))
            continue
        s, seat, luck = match.state, match.asked()[0], chance.randrange(2**60)
        move = notation.move_text(tuned(s, seat, START, generator(luck)))
        assert move == notation.move_text(tuned(redact(s, seat), seat, START, generator(luck)))
        named = listed(match)
        assert len(set(named)) == len(named) <= SHORT
        assert set(named) <= set(match.legal(seat))
        match.move(seat, move)


def test_the_tuned_move_is_the_first_of_the_shortlist():
    match = table(FIRST, SECOND, THIRD)
    for _ in range(12):
        assert listed(match)[0] in {chosen(match, luck=luck) for luck in range(20)}
        say(match, chosen(match))


def test_the_careless_do_not_look_at_the_others_cards():
    match = say(auction(FIRST, SECOND, THIRD, points="R10 G10 Y10"), "R1", "pass", "pass")
    forgot = sum(chosen(match, careless(250), luck) != "pass" for luck in range(400))
    assert 70 <= forgot <= 130


def test_hopes_of_the_match():
    match = table(FIRST, SECOND, THIRD)
    s = match.state
    s.total[0], s.total[1], s.finished = 30, 25, 1
    early = [outlook(s, seat) for seat in range(3)]
    assert early == sorted(early, reverse=True)
    s.finished = 3
    late = [outlook(s, seat) for seat in range(3)]
    assert late[0] > early[0] > early[1] > late[1], "a lead is worth more where less is left"
    s.total[1] = 30
    assert outlook(s, 0) == outlook(s, 1) > outlook(s, 2)
