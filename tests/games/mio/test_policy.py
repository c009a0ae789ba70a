"""Mio's policies: what the tuned one lays in written hands, and that it sees no more than its seat may know."""

from __future__ import annotations

from collections import Counter

import pytest

from brelan.bots import levels
from brelan.games.mio import GAME, notation
from brelan.games.mio.hopes import hopes
from brelan.games.mio.policy import START, shortlist, tuned
from brelan.games.mio.view import redact
from brelan.games.mio.worth import SIGHT
from brelan.play.match import Match
from tests.tables import TABLES, generator, walk

from .written import table

BLURRED = [64, 100, *START[2:]]


def weighed(match: Match, weights: list[int] = START) -> str:
    return notation.move_text(tuned(redact(match.state, 0), 0, weights, generator(1)))


def test_it_lays_the_dear_card_and_keeps_what_goes_on():
    assert weighed(table("R1 R5 B1 Y1", "Y3 Y4 S2 S3", top="R2", stock="G1 G2 G3")) == "play R5"
    assert weighed(table("R3 R4 B4 Y4", "Y3 Y5 S2 S3", top="R2", stock="G1 G2 G3")) in ("play R3", "play R4")


def test_it_keeps_its_joker_for_last():
    assert weighed(table("R1 J", "Y3 Y4 S2 S3", top="R2", stock="G1 G2 G3")) == "play R1 mio"
    assert weighed(table("J", "Y3 Y4 S2 S3", top="R2", stock="G1 G2 G3")) == "play J"


def test_with_a_joker_and_one_card_it_names_the_colour_of_that_card():
    """Then the other lays that colour, or draws."""
    match = table("G1 J", "Y3 Y4 S2 S3 B1 B2", top="R2", stock="G2 G3")
    assert weighed(match, list(levels.weights(GAME, "sheet-4"))) == "play J G mio"
    assert weighed(match, list(levels.weights(GAME, "sheet-3"))) != "play J G mio", "it blocked itself, too"


def test_whose_sight_is_good_names_the_colour_it_would_name_without_blur():
    match = table("B1 B2 B3 G1 J", "Y3 Y4 S2 S3", top="G4", stock="G2 G3")
    named = {}
    for sight in (0, 64):
        weights = [240, 0, *START[2:SIGHT], sight]
        moves = [notation.move_text(tuned(match.state, 0, weights, generator(luck))) for luck in range(400)]
        named[sight] = Counter(move for move in moves if move.startswith("play J"))
    assert named[64].keys() == {"play J B"}
    assert named[0]["play J B"] < named[0].total() * 3 // 4
    assert 50 < named[64].total() < 350, "whether it lays a joker is still judged with all its blur"


def test_it_lays_a_star_before_one_who_is_about_to_go_out():
    assert weighed(table("R* R5 B1 Y1", "Y3", top="R2", stock="G1 G2 G3")) == "play R*"


def test_it_says_mio_unless_it_forgets():
    match = table("R1 Y5", "Y3 Y4 S2 S3", top="R2", stock="G1 G2 G3")
    assert weighed(match) == "play R1 mio"
    assert weighed(match, [0, 1000, *START[2:]]) == "play R1"


def test_it_draws_where_nothing_fits_and_passes_where_nothing_is_left():
    assert weighed(table("Y1 Y5", "Y3 Y4", top="R2", stock="G1")) == "draw"
    assert weighed(table("Y1 Y5", "Y3 Y4", top="R2")) == "pass"


@pytest.mark.parametrize("players", [2, 4, 6])
def test_it_sees_no_more_than_its_seat_may_and_moves_by_the_rules(players):
    at = next(t for t in TABLES if t.game is GAME and t.players == players)
    for match in walk(at, 17, 60):
        for seat in match.asked():
            move = tuned(redact(match.state, seat), seat, BLURRED, generator(3))
            assert move == tuned(match.state, seat, BLURRED, generator(3))
            assert notation.move_text(move) in match.legal(seat)
            out = [0] * GAME.rules.ACTIONS
            moves = out[: shortlist(match.state, seat, START, out, generator(3))]
            assert {notation.move_text(move) for move in moves} <= set(match.legal(seat))
            assert tuned(match.state, seat, START, generator(3)) in moves


def test_hopes_are_shared_among_all_and_the_victory_among_those_who_win():
    state = GAME.new(4)
    assert [hopes(state, seat) for seat in range(4)] == [250] * 4
    state.total[:4] = [20, 40, 40, 60]
    found = [hopes(state, seat) for seat in range(4)]
    assert found == sorted(found, reverse=True)
    assert 996 <= sum(found) <= 1000
    state.total[:4] = [20, 100, 20, 60]
    assert [hopes(state, seat) for seat in range(4)] == [500, 0, 500, 0]
