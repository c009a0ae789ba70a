"""The audit: its χ² against what is known of them, our shuffle fair, each wrong one found out by 5,000 shuffles."""

import itertools
import json
import math
import re

import pytest

from brelan.cli import main
from brelan.games import GAMES
from brelan.lab.audit import LIMIT, MUTANTS, QUESTIONS, Deck, Plan, count, decks, deviations, judged, repeats
from brelan.lab.orders import LETTERS, counted
from tests.tables import OF_THE_SHEETS

GIN = next(deck for deck in decks() if deck.game == "gin")


def test_every_deck_of_every_game_is_asked():
    """Of a game that is not listed here it is enough that it has one."""
    sizes = {game.id: {deck.size for deck in decks() if deck.game == game.id} for game in GAMES}
    assert all(sizes.values())
    assert sizes == sizes | {
        "companeros": {30, 40, 50, 60},
        "elements": {5, 55},
        "hawaiki": {70},
        "gin": {52},
        "mio": {55},
    }
    assert (GIN.hand, GIN.kind) == (tuple(range(0, 20, 2)), 4)


def test_every_order_once_is_as_even_as_can_be():
    """All 120 orders of five cards, each once: every count is its mean, and every χ² nothing."""
    made = counted(["".join(order) for order in itertools.permutations(LETTERS[:5])], [0, 2], 2)
    assert made.by_place() == (0.0, 16)
    assert made.by_pair() == (0.0, 11)
    assert list(made.hands) == [36, 72, 12]
    assert made.by_hand(2)[0] == pytest.approx(0.0)
    assert made.repeated() == 0
    assert made.by_order() is None


def test_each_chi_square_has_on_average_its_degrees_of_freedom():
    """Over single shuffles, each of the 120 orders once: the scale is exact, not about right."""
    orders = ["".join(order) for order in itertools.permutations(LETTERS[:5])]
    alone = [counted([order], [0, 2], 2) for order in orders]
    for ask, freedom in (("by_place", 16), ("by_pair", 11)):
        answers = [getattr(one, ask)() for one in alone]
        assert {degrees for _, degrees in answers} == {freedom}
        assert sum(chi for chi, _ in answers) / 120 == pytest.approx(freedom)


def test_chi_squares_of_two_shuffles_spread_as_they_should():
    """The variance of χ² is twice its degrees of freedom, less a little for few shuffles; all 120² pairs of orders."""
    orders = ["".join(order) for order in itertools.permutations(LETTERS[:4])]
    alone = {order: counted([order], [0], 2) for order in orders}
    for ask in ("by_place", "by_pair"):
        chis = [getattr(alone[a] + alone[b], ask)()[0] for a in orders for b in orders]
        freedom = getattr(alone[orders[0]], ask)()[1]
        mean = sum(chis) / len(chis)
        assert mean == pytest.approx(freedom)
        assert freedom / 2 < sum((chi - mean) ** 2 for chi in chis) / len(chis) < 2.5 * freedom


@pytest.mark.parametrize(("chi", "freedom", "tail"), [(18.467, 4, 0.001), (2.706, 1, 0.1), (124.342, 100, 0.05)])
def test_deviations_are_those_of_the_table(chi, freedom, tail):
    """Quantiles of χ² as printed in any table, against those of the normal distribution."""
    found = math.erfc(deviations((chi, freedom)) / math.sqrt(2)) / 2
    assert found == pytest.approx(tail, rel=0.12)


def test_our_shuffle_is_fair():
    assert all(verdict.fair for verdict in Plan(5_000, 1, "here").run(decks()))


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_wrong_shuffle_is_found_out_on_every_large_deck(mutant):
    large = [deck for deck in decks() if deck.size >= 52]
    assert sum(deck.game in OF_THE_SHEETS for deck in large) == 5
    for verdict in Plan(5_000, 1, "here", mutant).run(large):
        assert not verdict.fair, (mutant, verdict)


def test_a_wrong_shuffle_that_nobody_knows_is_not_counted_as_ours():
    with pytest.raises(KeyError, match="navie"):
        Plan(10, 1, "here", "navie").run([GIN])


@pytest.mark.parametrize("shuffles", [2, 5_000, 1_000_000])
def test_one_order_that_came_twice_is_too_much_where_none_ever_should(shuffles, monkeypatch):
    order = "".join(LETTERS[:52])
    made = counted([order, order], [], 4)
    monkeypatch.setattr(made, "shuffles", shuffles)
    assert made.repeated() == 1
    assert repeats(made) > LIMIT


def test_the_engines_agree_and_a_seed_repeats():
    here, cores, other = (Plan(2_500, seed, engine) for seed, engine in ((3, "here"), (3, "cores"), (4, "here")))
    answers = [plan.to_json(plan.run([GIN]))["decks"] for plan in (here, cores, other)]
    assert answers[0] == answers[1] != answers[2]
    assert answers[0][0]["shuffles"] == 2_500


def test_the_command_tells_and_saves(capsys, tmp_path):
    file = tmp_path / "audit.json"
    assert main(["audit", "--shuffles", "600", "--seed", "5", "--engine", "here", "--save", str(file)]) == 0
    said = capsys.readouterr().out
    assert "600 shuffles of each deck, seed 5" in said
    assert said.count("✓") == len(decks())
    saved = json.loads(file.read_text())
    assert saved["fair"] is True
    assert [deck["cards"] for deck in saved["decks"]] == [deck.size for deck in decks()]
    assert main(["audit", "--shuffles", "3000", "--seed", "5", "--engine", "here", "--mutants", "--json"]) == 0
    results = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert [(result["mutant"], result["fair"]) for result in results] == [(None, True), *((m, False) for m in MUTANTS)]


def test_the_command_has_the_digits_of_its_language(capsys, monkeypatch):
    monkeypatch.setenv("LANG", "fr")
    assert main(["audit", "--shuffles", "600", "--seed", "5", "--engine", "here"]) == 0
    said = capsys.readouterr().out
    assert re.search(r" [+-]\d,\d\d ", said)
    assert not re.search(r"\d\.\d", said)


def test_few_shuffles_are_judged_as_far_as_they_go():
    """Where all hands fall into one class, nothing is to be said of them."""
    asked = {n: {name for verdict in Plan(n, 1, "here").run(decks()) for name in verdict.z} for n in range(2, 21)}
    assert {"places", "pairs", "orders"} == asked[2] < asked[20] == {*QUESTIONS}


def test_of_a_small_deck_orders_may_come_back():
    """Where shuffles are many, but too few to count each order, most orders of a fair shuffle have come before."""
    small = Deck("none", 2, 6, (0, 1), 2)
    assert all(judged(small, count(small, n, 1, 0)).fair for n in (50, 600, 3_000))
    assert not judged(small, count(small, 3_000, 1, 0, "naive")).fair


def test_of_a_large_deck_every_card_is_counted():
    large = Deck("none", 2, 104, tuple(range(90, 104)), 8)
    made = count(large, 300, 1, 0)
    assert (made.size, judged(large, made).fair) == (104, True)


def test_two_cards_have_no_pairs():
    tiny = Deck("none", 2, 2, (), 1)
    assert set(judged(tiny, count(tiny, 100, 1, 0)).z) == {"places", "orders"}


def test_no_shuffle_is_no_audit(capsys):
    assert main(["audit", "--shuffles", "1"]) == 2
    assert "“shuffles” must be at least 2, not 1." in capsys.readouterr().err
