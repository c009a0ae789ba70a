"""The ladder: what pairs say by their certainty, and what a pair that one always wins does not say."""

from math import isclose, sqrt

import pytest

from brelan.lab.duels import Z
from brelan.lab.ladder import STYLE, WIDEST, between, gap, ladder, slope

SURE = 0.005


def both(a, b, share, reach=SURE):
    return {(a, b): (share, reach, 1000), (b, a): (1 - share, reach, 1000)}


def test_a_share_is_a_gap_on_elos_scale():
    assert isclose(gap(0.5, 2), 0, abs_tol=1e-9)
    assert isclose(gap(10 / 11, 2), 400)
    assert isclose(gap(1 / 3, 3), 0, abs_tol=1e-9)
    assert gap(1, 2) == -gap(0, 2) == WIDEST


def test_who_always_beats_the_same_ones_is_not_the_less_for_it():
    """Everybody beats random; that pulls nobody nearer to the others."""
    met = both("novice", "skilled", 0.25) | both("skilled", "master", 0.4)
    alone = ladder(("novice", "skilled", "master"), met, 2)
    with_random = met | both("random", "novice", 0.0) | both("random", "skilled", 0.0) | both("random", "master", 0.0)
    found = ladder(("random", "novice", "skilled", "master"), with_random, 2)
    assert {bot: found[bot] for bot in alone} == alone
    assert found["random"] < -400
    assert alone == {"novice": 0, "skilled": 191, "master": 261}


@pytest.mark.parametrize(("reach", "points"), [(0.001, 0), (0.5, 70)])
def test_what_is_hardly_known_counts_for_little(reach, points):
    """Skilled lies 70 points above the novice for sure; a third that both met says 0, more or less surely."""
    met = both("novice", "skilled", 0.4) | both("novice", "other", 0.5) | both("skilled", "other", 0.5, reach)
    found = ladder(("novice", "skilled", "other"), met, 2)["skilled"]
    assert abs(found - (points or 47)) <= 3


@pytest.mark.parametrize(("players", "kept"), [(2, 1.0), (3, sqrt(1 / 2)), (4, sqrt(1 / 2))])
def test_what_two_players_say_twice_is_no_surer_than_said_once(players, kept):
    """Of more of them one was alone in other matches than the other: two measures, whose mean is surer than each."""
    share, reach = 1 / players, 0.1
    _, sure = between((share, reach, 100), (share, reach, 100), players)
    assert sqrt(1 / sure - STYLE**2) == pytest.approx(kept * reach / Z * slope(share))


def test_two_groups_between_which_one_always_wins_are_told_apart():
    met = both("novice", "random", 0.6) | both("strong", "skilled", 0.6)
    for better in ("strong", "skilled"):
        met |= both(better, "novice", 0.995) | both(better, "random", 0.998)
    found = ladder(("random", "novice", "skilled", "strong"), met, 2)
    assert found["novice"] == 0
    assert found["strong"] - found["skilled"] == pytest.approx(found["novice"] - found["random"], abs=2)
    assert found["skilled"] > WIDEST / 2
