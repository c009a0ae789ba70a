"""What gate and how many worlds: a search drawn from a long look decides as the bots' own does."""

import sys

import numpy as np
import pytest

from bench import gates
from brelan import bots, games


def gains(*moves, worlds=64):
    """Worlds in which each move gains so much on the mean, by turns one more and one less; the first one nothing."""
    swing = np.where(np.arange(worlds) % 2, 1.0, -1.0)
    return np.stack([np.zeros(worlds), *(mean + swing for mean in moves)], axis=1)


def at(match, *moves):
    """A position of a match in which it is so, counted by the searches as it is."""
    return gates.Position(match, *[gains(*moves, worlds=128)] * 2)


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
    monkeypatch.setattr(gates, "LONG", 128)
    positions = [at(0, 1.0), at(1, -1.0)]
    part, reach, worse = gates.gained(positions, 64, 1.0, 8)
    assert (part, worse) == (pytest.approx(1.0, abs=0.1), 0.0)
    assert 0 <= reach < 10
    assert gates.gained(positions, 64, 30.0, 8)[::2] == (0.0, 0.0)


def test_a_search_is_judged_by_worlds_that_it_did_not_see(monkeypatch):
    """By those that it saw alone it would gain what it took for better."""
    monkeypatch.setattr(gates, "LONG", 128)
    found = gains(0.0, worlds=128)
    found[:64, 1], found[64:, 1] = 1.0, -1.0
    seen = gates.Position(0, found, found)
    monkeypatch.setattr(gates.np.random, "default_rng", lambda seed: Ordered())
    assert gates.gained([seen, at(1, 1.0)], 64, 1.0, 8).worse == 0.5


class Ordered:
    """Draws the worlds in their order."""

    def permutation(self, n):
        return np.arange(n)


def test_an_interval_is_of_matches_and_none_of_one_alone(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 128)
    alone, apart = (
        [at(match, gain) for match, gain in zip(matches, (1.0, -1.0, 4.0), strict=True)]
        for matches in ((0, 0, 0), (0, 1, 2))
    )
    assert gates.gained(alone, 64, 2.5, 8).reach == np.inf
    assert gates.gained(apart, 64, 2.5, 8).reach < np.inf


@pytest.mark.parametrize("asked", [["--positions", "0"], ["--patience", "-1"], ["--game", "nosuch"]], ids=" ".join)
def test_what_cannot_be_looked_at_is_refused_before_anything_is(asked, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gates", *asked])
    monkeypatch.setattr(gates, "TABLES", gates.TABLES[:1])
    with pytest.raises(SystemExit):
        gates.main()
    assert asked[1] in capsys.readouterr().err


def test_a_look_at_few_worlds_may_lose_by_what_it_takes_for_better(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 128)
    gain, _, worse = gates.gained([at(0, -0.05), at(1, 1.0)], 8, 0.0, 8)
    assert 0 < worse < 0.5
    assert gain < 1
    assert gates.gained([at(0, -0.05)] * 2 + [at(1, 4.0)], 8, 2.5, 8).worse < worse


def test_who_counts_something_else_gains_what_it_is_worth(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 128)
    positions = [gates.Position(0, gains(1.0, 4.0, worlds=128), gains(4.0, 1.0, worlds=128)), at(1, 1.0)]
    found = gates.gained(positions, 64, 1.0, 8)
    assert (found.part, found.worse) == (pytest.approx(0.4, abs=0.05), 0.0)


def test_points_are_counted_in_the_worlds_that_tell_the_truth(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 16)
    looks = gates.Looker(bots.thinker_of(games.find("gin")), 2, "classic", points=True).positions()
    signs = [np.sign(gained) == np.sign(counted) for _, gained, counted in (next(looks) for _ in range(3))]
    assert np.mean([same.mean() for same in signs]) > 0.9


def test_long_looks_begin_with_the_policys_own_move(monkeypatch):
    monkeypatch.setattr(gates, "LONG", 8)
    game = games.find("companeros")
    looks = gates.Looker(bots.thinker_of(game), 3, "sheet").positions()
    for _ in range(3):
        _, found, counted = next(looks)
        assert counted is found
        assert found.shape[0] == 8
        assert found.shape[1] > 1
        assert not found[:, 0].any()
