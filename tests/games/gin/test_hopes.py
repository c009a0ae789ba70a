"""What the points of a match let hope for."""

from dataclasses import replace

import pytest

from brelan import bots
from brelan.games.gin import GAME
from brelan.games.gin.hopes import WHOLE, hopes
from brelan.games.gin.view import redact

from .written import say, table


def at(mine, theirs, preset="classic", **options):
    state = GAME.new(2, 0, preset, options)
    state.total[:] = [mine, theirs]
    return [hopes(state, seat) for seat in range(2)]


@pytest.mark.parametrize("preset", ["classic", "sheet"])
@pytest.mark.parametrize("target", [1, 50, 100, 500])
def test_both_share_one_victory_and_no_point_more_lets_hope_for_less(preset, target):
    assert at(0, 0, preset, target=target) == [WHOLE // 2] * 2
    points = range(0, target, 1 + target // 40)
    for theirs in points:
        line = [at(mine, theirs, preset, target=target) for mine in points]
        assert all(WHOLE - 1 <= sum(both) <= WHOLE for both in line)
        assert [mine for mine, _ in line] == sorted(mine for mine, _ in line)


def test_a_match_that_is_won_is_worth_the_same_by_any_points():
    assert at(100, 99) == at(140, 0) == [WHOLE, 0]
    assert at(0, 100) == [0, WHOLE]


def test_ten_points_are_worth_more_the_nearer_the_end_is_and_in_a_game_of_smaller_hands():
    worths = [at(have + 10, have)[0] - WHOLE // 2 for have in (0, 40, 70)]
    assert worths == sorted(worths)
    assert at(10, 0, "sheet")[0] > at(10, 0)[0]


def test_a_longer_match_is_one_in_a_smaller_scale():
    assert at(200, 100, target=400) == at(100, 50, target=200)


def test_what_one_hand_decides_is_decided_by_chance():
    assert at(95, 95) == [WHOLE // 2] * 2
    assert at(99, 75)[0] == pytest.approx(0.6 * WHOLE, rel=0.1)  # of the other's hands every sixth falls short of 25


def test_a_search_ends_the_hand_that_wins_the_match_and_plays_on_where_points_tell():
    mine, theirs = "Js 8h Jh Kh 6d 7d 8d Jd Kd 2c", "4s 5s 7s Ah 4h 6h 9h Th 4d 3c"
    match = say(table(mine, theirs, "Qc", "Kc", preset="classic"), "pass", "pass", "draw")
    master = bots.find(GAME, "master", "classic").mind

    def move(mind, *totals):
        match.state.total[:] = totals
        return GAME.notation.move_text(bots.searched_of(GAME, mind, redact(match.state, 0), 0, [7]))

    assert move(master, 0, 0).startswith("discard")  # for gin
    assert move(master, 95, 95).startswith("knock")
    assert move(replace(master, hopes=0), 95, 95).startswith("discard")
