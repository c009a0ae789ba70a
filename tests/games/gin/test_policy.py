"""The novice keeps the least deadwood and ends the hand as soon as it may; the policy by weights sees further."""

from __future__ import annotations

import random

import pytest

from brelan.bots import levels, thinker_of
from brelan.games.gin import GAME, notation
from brelan.games.gin.policy import START, novice, shortlist, tuned
from brelan.games.gin.promise import LOOSE_CARD
from brelan.games.gin.view import redact
from brelan.play.match import Match
from tests.tables import TABLES, generator, walk

from .written import DECK, legal, say, table

GIN = "3s 4s 5s 8h 8d 8c Qd Qh Qc Qs"
MINE = "3s 4s 5s 8h 8d 8c Qd Qh Qc 5d"
THEIRS = "As 9s 2h 9h Kh 4d 7d Kd 3c Jc"


def choice(match: Match, luck: int = 1) -> str:
    seat = match.asked()[0]
    return notation.move_text(novice(redact(match.state, seat), seat, [luck]))


@pytest.mark.parametrize("preset", ["sheet", "classic"])
def test_it_plays_whole_matches_by_legal_moves(preset):
    chance = random.Random(8)
    match = Match(GAME, 2, preset=preset)
    while not match.over:
        if match.due():
            match.shuffle(chance.sample(DECK, 52))
        else:
            move = choice(match, chance.randrange(1, 2**60))
            assert move in legal(match)
            say(match, move)
    assert max(match.scores) >= 100


@pytest.mark.parametrize(("up", "move"), [("6s", "take"), ("2d", "take"), ("Kc", "draw")])
def test_it_takes_what_lessens_its_deadwood(up, move):
    assert choice(table(MINE, THEIRS, up)) == move
    assert choice(table(MINE, THEIRS, up, upcard_offer=True)) == ("pass" if move == "draw" else "take")


def test_it_draws_once_both_have_left_the_upcard():
    assert choice(say(table(MINE, THEIRS, "Kc", upcard_offer=True), "pass", "pass")) == "draw"


def test_it_throws_a_dear_card_and_never_the_one_just_taken():
    assert choice(say(table(THEIRS, MINE, "2c", "6c"), "draw")) in ("discard Kh", "discard Kd")
    assert choice(say(table(MINE, THEIRS, "Kc"), "take")) == "knock 5d", "the king would leave less"


@pytest.mark.parametrize(
    ("drawn", "options", "move"),
    [
        ("6s", {}, "gin"),
        ("Kc", {}, "knock Kc"),
        ("Kc", {"gin_on_ten": True}, "gin Kc"),
        ("6s", {"gin_on_ten": True, "big_gin_bonus": 31}, "gin"),
    ],
)
def test_it_ends_the_hand_as_soon_as_it_may(drawn, options, move):
    assert choice(say(table(GIN, THEIRS, "2c", drawn, **options), "draw")) == move


# ---------------------------------------------------------------- by weights


def weighed(match: Match, weights: list[int] = START) -> str:
    seat = match.asked()[0]
    return notation.move_text(tuned(redact(match.state, seat), seat, weights, generator(1)))


def considered(match: Match) -> list[str]:
    seat = match.asked()[0]
    out = [0] * GAME.rules.ACTIONS
    return [notation.move_text(move) for move in out[: shortlist(match.state, seat, START, out, generator(1))]]


PAIRS = "3s 4s 5s 8h 8d 8c Qd Qh 9c 2d"
BLURRED = [64, 100, *START[2:]]


def test_it_keeps_a_pair_though_it_is_dear():
    assert weighed(say(table(PAIRS, THEIRS, "Kc", "7s"), "draw")) in ("discard 9c", "discard 7s")


def test_it_keeps_no_pair_whose_like_have_gone():
    match = say(table(PAIRS, "Qs 9s 2h 4h Kh 4d 7d Kd 3c Jc", "Qc", "Kc 6c 7s"), "draw", "discard Kc")
    assert weighed(say(match, "draw", "discard Qs", "draw")) in ("discard Qd", "discard Qh")


def test_it_takes_the_upcard_for_a_meld_and_not_merely_for_fewer_points():
    assert weighed(table(PAIRS, THEIRS, "Qc")) == "take"
    assert weighed(table(PAIRS, THEIRS, "6h")) == "draw"
    assert weighed(table(PAIRS, THEIRS, "6h", preset="classic")) == "pass"


@pytest.mark.parametrize(
    ("mine", "up", "preset"),
    [
        ("2s 3s Ah 3h 4h 2d 3d 4d 2c 4c", "3c", "classic"),
        ("3s 4s 5s 8h 8d 8c Qd Qh Qc 6s", "7s", "sheet"),
    ],
)
def test_it_takes_the_upcard_that_makes_gin(mine, up, preset):
    match = table(mine, "As 9s 9h 5d Kh 6d 7d Kd Tc Jc", up, preset=preset)
    assert weighed(match, list(levels.weights(GAME, f"{preset}-4"))) == "take"
    assert weighed(match, list(levels.weights(GAME, f"{preset}-3"))) != "take", "what it was once blind to"


def test_it_takes_a_cheap_card_that_leaves_fewer_cards_outside_its_melds():
    match = table("3s 4s 5s 8h 8d 8c Ad Ac 4h 2d", THEIRS, "2s", preset="classic")
    weights = list(levels.weights(GAME, "classic-2"))
    assert weighed(match, weights) == "take"
    weights[LOOSE_CARD] = 0
    assert weighed(match, weights) == "pass"


def test_it_throws_the_other_nothing_for_what_he_was_seen_to_take():
    mine, theirs = "3s 4s 5s 8h 8d 8c Jh Td 2d As", "Jd Jc 6c 9h 9d 4d Qs 4h 3c 2h"
    match = say(table(mine, theirs, "5c", "Js Ks"), "draw", "discard Js", "take", "discard 6c", "draw")
    assert weighed(match) in ("discard Ks", "discard Td")


def test_it_ends_the_hand_unless_that_is_overlooked():
    match = say(table(GIN, THEIRS, "2c", "Kc"), "draw")
    assert weighed(match) == "knock Kc"
    assert weighed(match, [0, 1000, *START[2:]]) == "discard Kc"
    assert weighed(say(table(GIN, THEIRS, "2c", "6s"), "draw")) == "gin"
    assert weighed(say(table(GIN, THEIRS, "2c", "Kc", preset="classic"), "pass", "pass", "draw")) == "gin Kc"


@pytest.mark.parametrize(("preset", "deal"), [("sheet", 43), ("classic", 91)])
def test_two_of_a_kind_do_not_take_what_the_other_has_thrown_until_no_turn_is_left(preset, deal):
    def decisions(level):
        mind = levels.find(GAME, level, preset).mind
        return thinker_of(GAME).duels([mind, mind], [[0, 1]], 77, deal, 1, preset).decisions[0]

    assert decisions("skilled@2") > 1000
    assert decisions("skilled") < 500


def test_a_search_is_given_the_move_by_weights_first_and_none_twice():
    match = say(table(MINE, THEIRS, "Kc", "6d"), "draw")
    moves = considered(match)
    assert moves[0] == weighed(match) == "knock 6d"
    assert "discard 6d" in moves
    assert len(moves) == len(set(moves))
    assert considered(table(PAIRS, THEIRS, "Qc")) == ["take", "draw"]


@pytest.mark.parametrize("preset", ["sheet", "classic"])
def test_it_sees_no_more_than_its_seat_may_and_moves_by_the_rules(preset):
    table = next(t for t in TABLES if t.game is GAME and t.preset == preset)
    for match in walk(table, 17, 60):
        for seat in match.asked():
            seen = redact(match.state, seat)
            move = tuned(seen, seat, BLURRED, generator(3))
            assert move == tuned(match.state, seat, BLURRED, generator(3))
            assert notation.move_text(move) in match.legal(seat)
            out = [0] * GAME.rules.ACTIONS
            for listed in out[: shortlist(match.state, seat, START, out, generator(3))]:
                assert notation.move_text(listed) in match.legal(seat)
