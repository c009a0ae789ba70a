"""Combinations ranked: against the sheet's list, and against a second ranking that shares no code with the rules."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from brelan.games.elements import notation
from brelan.games.elements.combinations import worth

from .written import mask, with_row


def naive(row: str, cards: list[str]) -> tuple[int, int, int]:
    """The best of all subsets of some cards: its place in the list of kinds (E17), then what parts equals (E14-E16)."""
    found = []
    for size in (1, 2, 3, 4):
        for some in combinations(cards, size):
            strengths = [5 - row.index(card[0]) for card in some]
            values = [int(card[1:]) for card in some]
            if len(set(strengths)) == 1:
                found.append((2 * size, strengths[0], max(values)))
            elif len(set(values)) == 1:
                found.append((2 * size + 1, values[0], max(strengths)))
    return max(found)


def test_random_tableaux_rank_as_naively_and_never_tie():
    chance = random.Random(4)
    for _ in range(3000):
        row = "".join(chance.sample("RYGBP", 5))
        s = with_row(row)
        cards = chance.sample(notation.NUMBERED, 20)
        sizes = [chance.choice((1, 2, 4)) for _ in range(5)]
        tableaux = [[cards.pop() for _ in range(size)] for size in sizes]
        values = [worth(s, mask(" ".join(t))) for t in tableaux]
        ranks = [naive(row, t) for t in tableaux]
        assert len(set(values)) == len(values)
        assert sorted(range(5), key=values.__getitem__) == sorted(range(5), key=ranks.__getitem__)


def test_nothing_laid_is_worth_less_than_any_card():
    s = with_row("PBGYR")
    assert worth(s, 0) == -1
    assert min(worth(s, 1 << card) for card in range(55)) == worth(s, mask("R0")) >= 0


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("R1 Y1 G1 B1", "R7 R8 R9 R10"),  # 1 over 2 of the sheet's list
        ("P1 P2 P3 P4", "R10 Y10 G10 P0"),  # 2 over 4
        ("Y1 Y2 Y3 Y10", "Y4 Y5 Y6 Y9"),  # 3
        ("R1 Y1 G1 P9", "R7 R8 R9 Y0"),  # 4 over 5
        ("P1 P2 P3 R0", "R10 Y10 G9 B9"),  # 5 over 7
        ("Y1 Y2 Y10 R3", "Y4 Y5 Y9 R10"),  # 6
        ("P1 B1", "R9 R10"),  # 7 over 9
        ("R4 P4", "Y4 G4"),  # 8
        ("P1 P2", "R10 Y9"),  # 9 over 11
        ("Y1 Y10", "Y8 Y9"),  # 10
        ("R0", "Y10"),  # 11, 12
        ("R3 R4 Y5 Y10", "R1 R2 Y8 Y9"),  # the stronger colour of the two pairs counts (E13)
        ("R9 Y9 B2 P2", "R8 Y8 R7 Y7"),
        ("R5 R1 Y5", "P6 B3 P2"),  # a pair of numbers outranks a pair of a colour in the same tableau
        ("R2 R3", "Y9 Y10"),  # E15: whatever the values
        ("P8 B8 G1 R2", "Y7 R7 Y6 R6"),  # E14: the higher number first
    ],
)
def test_the_better_combination_of_the_sheets_list_wins(better, worse):
    s = with_row("RYGBP")
    assert worth(s, mask(better)) > worth(s, mask(worse))
