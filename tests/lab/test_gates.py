"""What gate and how many worlds: a search drawn from a long look decides as the bots' own does."""

import sys

import numpy as np
import pytest

from bench import gates
from brelan import bots, games


def gains(*moves):
    """64 worlds in which each move gains so much on the mean, by turns one more and one less; the first one nothing."""
    swing = np.where(np.arange(64) % 2, 1.0, -1.0)
    return np.stack([np.zeros(64), *(mean + swing for mean in moves)], axis=1)


def both(*moves):
    """The same, counted by the searches as it is."""
    return gains(*moves), gains(*moves)


@pytest.mark.parametrize(
    ("found", "gate", "move"),
    [
        (gains(0.5, 2.0), 1.0, 2),
        (gains(0.2), 1.0, 1),  # 1.6 standard errors
        (gains(0.2), 2.0, 0),
        (gains(-0.5, -1.0), 0.0, 0),
    ],
)
def test_a_move_is_made_where_its_gain_passes_the_gate(found, gate, move):
    assert gates.searched(found, gate, 8) == move


def test_who_is_patient_does_not_drop_what_looked_alike_in_few_worlds():
    found = gains(2.0)
    found[:8, 1] = -1.0
    assert [gates.searched(found, 1.0, patience) for patience in (8, 16)] == [0, 1]


def test_what_is_gained_is_a_part_of_the_best(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 64)
    positions = [both(1.0), both(-1.0)]
    assert gates.gained(positions, 64, 1.0, 8) == pytest.approx((1.0, 0.0))
    assert gates.gained(positions, 64, 9.0, 8) == pytest.approx((0.0, 0.0))


@pytest.mark.parametrize("asked", [["--positions", "0"], ["--patience", "-1"], ["--game", "nosuch"]], ids=" ".join)
def test_what_cannot_be_looked_at_is_refused_before_anything_is(asked, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gates", *asked])
    monkeypatch.setattr(gates, "TABLES", gates.TABLES[:1])
    with pytest.raises(SystemExit):
        gates.main()
    assert asked[1] in capsys.readouterr().err


def test_a_look_at_few_worlds_may_lose_by_what_it_takes_for_better(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 64)
    gain, worse = gates.gained([both(-0.05), both(1.0)], 8, 0.0, 8)
    assert 0 < worse < 0.5
    assert gain < 1
    assert gates.gained([both(-0.05)] * 2 + [both(4.0)], 8, 2.5, 8)[1] < worse


def test_who_counts_something_else_gains_what_it_is_worth(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 64)
    positions = [(gains(1.0, 4.0), gains(4.0, 1.0)), both(1.0)]
    assert gates.gained(positions, 64, 1.0, 8) == pytest.approx((0.4, 0.0))


def test_points_are_counted_in_the_worlds_that_tell_the_truth(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 16)
    looks = gates.Looker(bots.thinker_of(games.find("gin")), 2, "classic", points=True).positions()
    signs = [np.sign(gained) == np.sign(counted) for gained, counted in (next(looks) for _ in range(3))]
    assert np.mean([same.mean() for same in signs]) > 0.9


def test_long_looks_begin_with_the_policys_own_move(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 8)
    game = games.find("companeros")
    looks = gates.Looker(bots.thinker_of(game), 3, "sheet").positions()
    for _ in range(3):
        found, counted = next(looks)
        assert counted is found
        assert found.shape[0] == 8
        assert found.shape[1] > 1
        assert not found[:, 0].any()
