"""Ratings: what a placing teaches, and that a ladder is nothing but its matches in their order."""

import random
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brelan.server.matches.ratings import SURE, Rating, after
from tests.server.matches import after_all

DAYS = sqrt(2) * 25 / 6
"""So far performances stray from a skill: by a Gumbel distribution, whose differences are as the model has them."""

PEOPLE = ["anna", "bela", "cleo", "bot:novice"]


def placed(*places):
    return list(zip(PEOPLE, places, strict=False))


def test_who_wins_goes_up_and_who_loses_down():
    ratings = after(placed(1, 2), {})
    assert ratings["anna"].mu > Rating().mu > ratings["bela"].mu
    assert ratings["anna"].sigma < Rating().sigma
    assert ratings["anna"].matches == ratings["bela"].matches == 1


def test_joint_winners_stand_together_and_above_the_others():
    ratings = after(placed(1, 1, 3, 4), {})
    assert ratings["anna"] == ratings["bela"]
    assert ratings["bela"].mu > ratings["cleo"].mu > ratings["bot:novice"].mu


def test_a_tie_of_all_teaches_nothing_about_equals():
    assert {rating.mu for rating in after(placed(1, 1, 1), {}).values()} == {Rating().mu}


def test_beating_the_strong_is_worth_more():
    strong = {"bela": Rating(35.0, 3.0, 50)}
    assert after(placed(1, 2), strong)["anna"].mu > after(placed(1, 2), {})["anna"].mu


def test_a_bot_of_several_seats_is_one_player():
    """It neither learns twice from a match, nor is its order among the seats of consequence."""
    first = after([("anna", 1), ("bot:novice", 2), ("bot:novice", 3)], {})
    other = after([("bot:novice", 3), ("anna", 1), ("bot:novice", 2)], {})
    assert first["bot:novice"].matches == 1
    assert first["anna"] == other["anna"]
    assert first["bot:novice"].mu == pytest.approx(other["bot:novice"].mu)


def test_a_rating_says_what_is_not_known_yet():
    assert (Rating().points, Rating().margin) == (1000, 667)
    assert Rating(matches=SURE - 1).provisional
    assert not Rating(matches=SURE).provisional
    assert Rating(25.0, 1.0).least > Rating(27.0, 8.0).least


def test_the_stronger_rise_to_the_top():
    """Three players, of whom the first wins two matches of three and the last one of nine, stand in that order."""
    chance = random.Random(1)
    matches = []
    for _ in range(300):
        left, order = {"anna": 6, "bela": 2, "cleo": 1}, []
        while left:
            order.append(chance.choices(list(left), list(left.values()))[0])
            del left[order[-1]]
        matches.append([(who, place) for place, who in enumerate(order, 1)])
    ratings = after_all(matches)
    assert ratings["anna"].least > ratings["bela"].points > ratings["bela"].least > ratings["cleo"].points


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_a_newcomer_is_within_the_margin_nineteen_times_out_of_twenty(seats):
    """After one match, and after ten, among players who are known to be as good as most."""
    chance, within = random.Random(1), {1: 0, 10: 0}
    usual = {str(seat): Rating(sigma=1.0) for seat in range(1, seats)}
    for _ in range(100):
        skill, known = chance.gauss(Rating().mu, Rating().sigma), {}
        for played in range(1, 11):
            shown = {who: -DAYS * log(-log(chance.random())) for who in [*usual, "new"]}
            shown["new"] += skill - Rating().mu
            order = sorted(shown, key=lambda who: -shown[who])
            known = {"new": after([(who, place) for place, who in enumerate(order, 1)], usual | known)["new"]}
            if played in within:
                within[played] += abs(known["new"].mu - skill) <= 2 * known["new"].sigma
    assert min(within.values()) >= 95


placings = st.lists(
    st.lists(st.tuples(st.sampled_from(PEOPLE), st.integers(1, 3)), min_size=2, max_size=4, unique_by=lambda p: p[0]),
    max_size=12,
)


@given(placings, st.data())
def test_a_ladder_is_a_function_of_its_matches_in_order(matches, data):
    """Wherever it was stopped and taken up again: the same ratings, to the last bit."""
    cut = data.draw(st.integers(0, len(matches)))
    known = after_all(matches[:cut])
    for placing in matches[cut:]:
        known = known | after(placing, known)
    assert known == after_all(matches)
