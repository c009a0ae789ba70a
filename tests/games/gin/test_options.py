"""Every option at its ends, and the presets."""

from __future__ import annotations

import pytest

from brelan.games.gin import GAME
from tests.games.written import last

from .written import idle, legal, say, table

GIN = "3s 4s 5s 8h 8d 8c Qd Qh Qc Qs"
MINE = "3s 4s 5s 8h 8d 8c Qd Qh Qc 5d"
THEIRS = "As 9s 2h 9h Kh 4d 7d Kd 3c Jc"


def test_the_sheet():
    assert GAME.settle(2) == {
        "ace_high_runs": True,
        "ace_value": 1,
        "upcard_offer": False,
        "knock_limit": 10,
        "gin_on_ten": False,
        "gin_bonus": 25,
        "big_gin_bonus": 0,
        "undercut_bonus": 10,
        "stock_end": 2,
        "turn_cap": 500,
        "target": 100,
    }


def test_classic():
    changed = {"ace_high_runs": False, "upcard_offer": True, "gin_on_ten": True, "big_gin_bonus": 31}
    assert GAME.settle(2, "classic") == GAME.settle(2) | changed | {"undercut_bonus": 25}


def test_stock_end_0_plays_the_stock_down():
    match = idle(table(MINE, THEIRS, "2c", stock_end=0), 30)
    assert match.due() == []
    idle(match, 1)
    assert match.state.next == 52
    assert last(match)[0] == "void"


def test_stock_end_30_voids_after_the_first_card_drawn():
    match = say(table(MINE, THEIRS, "2c", stock_end=30), "take", "discard 5d")
    assert match.due() == [], "31 cards are left"
    idle(match, 1)
    assert last(match)[0] == "void"


def test_turn_cap_1_leaves_one_turn():
    match = idle(table(MINE, THEIRS, "2c", turn_cap=1), 1)
    assert last(match) == ("turns", [0, 0])


def test_turn_cap_0_leaves_the_stock_alone_to_end_a_hand():
    match = table(MINE, THEIRS, "2c", turn_cap=0)
    for _ in range(600):
        say(match, "take")
        say(match, next(move for move in legal(match) if move.startswith("discard")))
    assert match.due() == []


def test_knock_limit_0_knocks_with_ten_melded_cards_only():
    assert "knock 7c" not in legal(say(table(MINE, THEIRS, "2c", "7c", knock_limit=0), "draw"))
    assert "knock 7c" in legal(say(table(GIN, THEIRS, "2c", "7c", knock_limit=0), "draw"))
    ginned = legal(say(table(GIN, THEIRS, "2c", "7c", knock_limit=0, gin_on_ten=True), "draw"))
    assert "gin 7c" in ginned
    assert not any(move.startswith("knock") for move in ginned)


def test_knock_limit_beyond_every_hand_knocks_with_anything():
    moves = legal(say(table(THEIRS, MINE, "2c", "7c", knock_limit=1000), "draw"))
    assert sum(move.startswith("knock") for move in moves) == 11


@pytest.mark.parametrize(("ace_value", "may"), [(1, True), (10, True), (11, False), (15, False)])
def test_a_dear_ace_cannot_be_knocked_with(ace_value, may):
    match = say(table("3s 4s 5s 8h 8d 8c Qd Qh Qc Ad", THEIRS, "2c", "7c", ace_value=ace_value), "draw")
    assert ("knock 7c" in legal(match)) is may
    assert "knock Ad" in legal(match), "7 left"


def test_target_1_ends_the_match_with_the_first_point():
    match = say(table(MINE, THEIRS, "2c", "7c", target=1), "draw", "knock 7c")
    assert match.footer() == {"scores": [60, 0], "winners": [0]}


def test_just_the_target_wins_the_match():
    state = GAME.new(2)
    for seat in range(2):
        state.total[seat], state.total[1 - seat] = state.target, 0
        assert GAME.rules.wins(state) == 1 << seat


def test_no_bonus_at_all():
    free = {"gin_bonus": 0, "undercut_bonus": 0}
    melded = "Ah 2h 3h 9c Tc Jc Kh Kd Kc 5c"
    assert last(say(table(MINE, melded, "2c", "7d", **free), "draw", "knock 7d")) == ("undercut", [0, 0])
    assert last(say(table(GIN, "Ah 2h 3h 9c Tc Jc Kh Kd Kc 4h", "2c", "6s", **free), "draw", "gin"))[1] == [0, 0]


@pytest.mark.parametrize(("bonus", "may"), [(0, False), (1, True), (31, True)])
def test_big_gin_bonus_opens_big_gin_beside_gin_on_ten(bonus, may):
    moves = legal(say(table(GIN, THEIRS, "2c", "6s", gin_on_ten=True, big_gin_bonus=bonus), "draw"))
    assert ("gin" in moves) is may
    assert "gin 6s" in moves
    assert "gin" in legal(say(table(GIN, THEIRS, "2c", "6s", big_gin_bonus=bonus), "draw"))
