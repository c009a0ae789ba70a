"""The cover by pairs: every two levels meet, and in far fewer rows than all combinations need."""

from itertools import combinations, product

import pytest

from tests.tables import for_every_game
from tests.variants import pairwise, tried, variants


@pytest.mark.parametrize("sizes", [[2, 2], [5], [3, 1, 2], [2] * 10, [4, 5, 3, 2, 2]])
def test_every_two_levels_meet(sizes):
    rows = pairwise(sizes)
    for a, b in combinations(range(len(sizes)), 2):
        assert {(row[a], row[b]) for row in rows} == set(product(range(sizes[a]), range(sizes[b])))


def test_few_rows_do():
    assert len(pairwise([2] * 10)) <= 12
    assert len(pairwise([4] * 4)) <= 28


@for_every_game
def test_every_value_stands_with_every_number_of_seats(game):
    found = {(players, name, str(value)) for players, options in variants(game) for name, value in options.items()}
    for players in game.seats:
        for name, values in tried(game, players).items():
            assert {(players, name, str(value)) for value in values} <= found
