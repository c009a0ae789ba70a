"""The novice: keeps the least deadwood, takes what helps, ends the hand as soon as it may."""

from __future__ import annotations

import random

import pytest

from brelan.games.gin import GAME, notation
from brelan.games.gin.policy import novice
from brelan.games.gin.view import redact
from brelan.play.match import Match

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
