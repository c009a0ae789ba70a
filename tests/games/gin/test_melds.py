"""Melds, deadwood and lay-offs against the oracle, and the number of melds there are."""

from __future__ import annotations

from itertools import combinations

import pytest

from brelan.games.gin.melds import deadwood, least_answer

from . import oracle
from .written import RULES, hands, mask, state


@pytest.mark.parametrize(("high", "ace"), RULES)
def test_deadwood_is_the_least_of_all_arrangements(high, ace):
    s = state(ace_high_runs=high, ace_value=ace)
    for cards in hands(1, 2000):
        for hand in (cards[:10], cards[10:]):
            expected = oracle.deadwood(frozenset(hand), high, ace)
            assert deadwood(s, mask(" ".join(hand))) == expected, " ".join(hand)


@pytest.mark.parametrize(("high", "ace"), RULES)
def test_the_answer_is_the_best_chain_of_layoffs_against_the_hardest_arrangement(high, ace):
    s = state(ace_high_runs=high, ace_value=ace)
    for cards in hands(2, 3000):
        mine, theirs = cards[:10], cards[10:20]
        expected = oracle.answer(frozenset(mine), frozenset(theirs), high, ace)
        found = least_answer(s, mask(" ".join(mine)), mask(" ".join(theirs)))
        assert found == expected, f"{' '.join(mine)} against {' '.join(theirs)}"


@pytest.mark.parametrize(("high", "runs"), [(False, 4 * (11 + 10 + 9)), (True, 4 * (12 + 11 + 10))])
def test_number_of_melds_of_three_to_five_cards(high, runs):
    """65 sets (13 ranks, 4 threes and 1 four each), and in each suit a row of 13 places, or of 14 with the high ace."""
    s = state(ace_high_runs=high)
    threes = {meld for meld in map(sum, combinations(bits(), 3)) if not deadwood(s, meld)}
    fours = longer(s, threes)
    fives = longer(s, fours)
    assert len(threes) + len(fours) + len(fives) == 65 + runs == (197 if high else 185)


def bits() -> list[int]:
    return [1 << card for card in range(52)]


def longer(s, melds: set[int]) -> set[int]:
    """The melds of one card more: each of them holds a shorter one."""
    return {meld | card for meld in melds for card in bits() if not meld & card and not deadwood(s, meld | card)}
