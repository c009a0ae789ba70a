"""Tuning: it finds what is better, comes to the same whenever it is run, and goes on after an interruption."""

import json
from dataclasses import replace
from statistics import fmean, pstdev

import numpy as np
import pytest

from brelan import cards, games
from brelan.errors import Refusal
from brelan.fast.engine import Batch
from brelan.game import NOVICE, TUNED
from brelan.lab import tune
from brelan.lab.duels import Deals, by_deal, rotations
from brelan.lab.tune import Plan, Tuning, normal, told

GOAL = [0, 0, 40, -10]


def came(wins, few=0.0, spread=0.06, deals=100):
    """Deals of such means, half of them so much better and half so much worse."""
    turns = np.resize([1, -1], deals) * spread
    return Deals(wins + turns, few + turns, turns)


@pytest.fixture
def tuning(monkeypatch):
    """A game of which the best weights are known: a judge gives the more, the nearer they are."""
    monkeypatch.setattr(games.find("companeros").policy, "START", [0, 0, 10, 10])

    def gain(a, b):
        far = [sum(abs(x - y) for x, y in zip(w, GOAL, strict=True)) for w in (a, b)]
        return (far[1] - far[0]) / 100

    def compared(self, a, b, players, seed, first, deals):
        return came(gain(a, b.weights), spread=0.01)

    monkeypatch.setattr(Tuning, "compared", compared)
    monkeypatch.setattr(tune, "SPREAD", 1.0)
    return lambda plan=None, file=None: Tuning(plan or Plan("companeros", (3,)), file)


def test_weights_come_near_the_best_ones(tuning):
    run = tuning()
    *_, last = run.run()
    assert all(abs(w - goal) <= 3 for w, goal in zip(last.champions[-1], GOAL, strict=True))
    assert last.champions[-1][:2] == [0, 0]
    assert dict(run.final())["the start at 3"].mean() > 0.4


def test_a_run_is_fixed_by_its_plan(tuning):
    plans = [Plan("companeros", (3,), seed=seed, generations=3) for seed in (1, 1, 2)]
    means = [[standing.mean for standing in tuning(plan).run()][-1] for plan in plans]
    assert means[0] == means[1] != means[2]


def test_a_run_that_was_broken_off_comes_to_the_same(tuning, tmp_path):
    file, plan = tmp_path / "run.json", Plan("companeros", (3,), generations=6)
    whole = list(tuning(plan).run())[-1]
    parts = tuning(plan, file).run()
    for _ in range(2):
        next(parts)
    again = tuning(plan, file)
    assert again.standing.generation == 2
    assert list(again.run())[-1] == whole
    assert tuning(replace(plan, generations=8), file).standing == whole  # more of them were asked for


def test_a_run_under_other_rules_is_not_gone_on_with(tuning, tmp_path, monkeypatch):
    file, plan = tmp_path / "run.json", Plan("companeros", (3,))
    next(tuning(plan, file).run())
    later = tuning(plan)
    monkeypatch.setattr(later, "game", replace(later.game, revision=later.game.revision + 1))
    assert later._written() != json.loads(file.read_text("utf-8"))["plan"]


def test_a_run_writes_over_nothing_but_its_own_file(tuning, tmp_path):
    other = tmp_path / "run.new"
    other.write_text("mine", "utf-8")
    next(tuning(file=tmp_path / "run.json").run())
    assert other.read_text("utf-8") == "mine"


def test_the_lineage_is_told_with_the_weights(tuning):
    plan = Plan("companeros", (3,), generations=1)
    run = tuning(plan)
    *_, last = run.run()
    said = told(run, dict(run.final()))
    assert said["values"] == last.champions[-1]
    assert said["command"].startswith("brelan tune companeros --players 3 --preset sheet --seed 1")


def test_what_is_compared_at_the_end_is_no_part_of_the_run(tuning, monkeypatch):
    monkeypatch.setattr(Tuning, "compared", lambda *_: came(0.05))
    monkeypatch.setattr(Tuning, "crowned", True)
    run = tuning(Plan("companeros", (3, 4), generations=1, beside=("novice",)))
    *_, last = run.run()
    spent = last.matches
    final = dict(run.final())
    assert [*final] == ["the start at 3", "novice at 3", "the start at 4", "novice at 4"]
    assert run.standing.matches == spent
    assert f"after {spent:,} matches" in told(run, final)["figures"]


def test_a_run_that_crowned_nobody_says_so_and_sets_no_start_against_itself(tuning, monkeypatch):
    """One generation is too few for a crown."""
    run = tuning(Plan("companeros", (3,), generations=1, deals=10))
    list(run.run())
    assert told(run, dict(run.final()))["figures"] == "nobody was crowned: the start as it was, after 1,440 matches"
    monkeypatch.setattr(Tuning, "compared", lambda self, a, b, *deals: came(0.05))
    beside = tuning(Plan("companeros", (3,), generations=1, deals=10, beside=("novice",)))
    list(beside.run())
    final = dict(beside.final())
    assert told(beside, final)["figures"].startswith("nobody was crowned: the start as it was, share of wins ")
    assert list(final) == ["novice at 3"]


def test_a_run_that_is_asked_for_less_than_it_has_done_tells_what_it_has_done(tuning, tmp_path):
    file, plan = tmp_path / "run.json", Plan("companeros", (3,), generations=2)
    list(tuning(plan, file).run())
    assert " --generations 2 " in told(tuning(replace(plan, generations=1), file), {})["command"]


def test_normal_numbers_have_the_mean_and_spread_of_such():
    random = [1]
    drawn = [normal(random) for _ in range(4000)]
    mean = sum(drawn) / 4000
    assert abs(mean) < 0.08
    assert abs(sum(x * x for x in drawn) / 4000 - mean * mean - 1) < 0.1


def test_an_exploiter_is_set_against_a_level_that_stays_as_it_is(tuning, monkeypatch):
    met = []
    found = came(0.05)
    monkeypatch.setattr(Tuning, "compared", lambda self, a, b, *deals: met.append(self.target) or found)
    run = tuning(Plan("companeros", (3,), generations=5, population=2, against="novice"))
    *_, last = run.run()
    assert {mind.kind for mind in met} == {NOVICE}
    assert last.gain == pytest.approx(0.15)  # of an equal share
    assert told(run, {})["command"].endswith("--against novice")


def test_an_exploiter_begins_as_its_target_and_names_the_version(tuning, monkeypatch):
    monkeypatch.setattr(games.find("companeros").policy, "START", [0] * 10)
    run = tuning(Plan("companeros", (3,), generations=5, population=2, deals=10, against="beginner"))
    assert run.start == [0, 0, *run.target.weights[2:]]
    monkeypatch.setattr(Tuning, "compared", lambda self, a, b, *deals: came(-0.05, deals=200))
    *_, last = run.run()
    assert last.champions == [run.start]  # nothing gained anything
    assert run.found == [round(weight) for weight in last.mean] != run.start  # what the search came to is judged
    said = told(run, dict(run.final()))
    assert said["command"].endswith("--against beginner@2")
    assert said["figures"].startswith("nobody was crowned: the mean, share of wins ")
    assert said["figures"].endswith(") over beginner@2 at 3, 200 deals, after 420 matches")


def test_levels_beside_are_met_by_everybody_and_count_as_much(tuning, monkeypatch):
    met = []

    def compared(self, a, b, *deals):
        met.append(b.kind == NOVICE)
        return came(0.08 if b.kind == NOVICE else 0.0 if a == self.start else -0.02)

    monkeypatch.setattr(Tuning, "compared", compared)
    run = tuning(Plan("companeros", (3, 4), generations=5, population=2, beside=("novice",)))
    *_, last = run.run()
    assert met.count(True) == met.count(False) == 2 * (5 * 2 + 2)
    # in equal shares, at 3 and 4 seats; the champion does as well against the novice
    assert last.gain == pytest.approx((-0.02 * 3 + -0.02 * 4) / 4 / 2)
    assert last.matches == 2 * 7 * 1000 * (5 * 2 * 2 + 4 * 4)
    figures = told(run, dict(run.final()))["figures"]
    assert ", +0.0800 (+0.0680 to +0.0920) over novice at 4, 20,000 deals, after" in figures


def test_who_beats_only_the_last_champion_is_not_crowned(tuning, monkeypatch):
    """Each style is beaten by another: a new champion must hold its own against all that were before."""
    met = []

    def compared(self, a, b, *deals):
        met.append(b.weights)
        last, mine = self.standing.champions[-1], a == self.standing.champions[-1]
        return came((0.0 if mine else 0.1) if b.weights == tuple(last) else -0.1 if mine else -0.2)

    run = tuning(Plan("companeros", (3,), generations=5, population=2))
    run.standing.champions += [[0, 0, 1, 1], [0, 0, 2, 2]]
    monkeypatch.setattr(Tuning, "compared", compared)
    *_, last = run.run()
    assert len(last.champions) == 3
    champions = [tuple(held) for held in last.champions]
    assert met[:10:2] == [champions[generation % 3] for generation in range(5)]
    assert last.gain == pytest.approx(((0.1 - 0.2 - 0.2) - (0.0 - 0.1 - 0.1)) / 2)  # at 3 seats, over 3 champions


def test_who_loses_to_one_among_its_like_is_not_better_for_winning_alone(tuning):
    """One wins 6 % alone among three others; another wins 6 % alone among three of its like."""
    run = tuning(Plan("companeros", (4,)))
    assert run._ahead(4, came(0.06, -0.02)).mean() == pytest.approx(0)
    assert run._ahead(4, came(0.06, 0.02)).mean() == pytest.approx(4 * 0.06)
    attack = tuning(Plan("companeros", (4,), against="novice"))
    assert attack._ahead(4, came(0.06, -0.02)).mean() == pytest.approx(4 * 0.06)
    assert (len(run._order(4)), len(attack._order(4))) == (8, 4)


def tossed(random, players, deals):
    """Deals of equal players: who alone wins each rotation is drawn, for those in which B is alone as well."""
    order = rotations(players)
    matches = range(deals * len(order))
    rows = [[0, 0, 1 << cards.below(random, players), *[0] * players] for _ in matches]
    return by_deal(Batch(np.array(rows)), players, order)


@pytest.mark.parametrize("beside", [(), ("novice", "casual", "skilled")])
@pytest.mark.parametrize("players", [2, 3])
def test_the_standard_error_of_a_gain_is_what_gains_spread_by(players, beside, tuning, monkeypatch):
    """Two players meet in as many matches as they count, and who does well on some deals does so against everybody."""
    run, random = tuning(Plan("companeros", (3,), deals=10, beside=beside)), [0]
    cards.seed(random, 2008)
    met = {}

    def compared(self, a, b, *deals):
        return met.setdefault(tuple(a), tossed(random, players, 40))

    monkeypatch.setattr(Tuning, "compared", compared)
    run.plan = replace(run.plan, players=(players,))
    judged = [met.clear() or run._better([0, 0, i, i]) for i in range(600)]
    assert pstdev(gain for gain, _ in judged) == pytest.approx(fmean(error for _, error in judged), rel=0.1)


def test_a_run_beside_levels_goes_on_where_it_stood(tuning, tmp_path, monkeypatch):
    monkeypatch.setattr(Tuning, "compared", lambda *_: came(0.05))
    plan = Plan("companeros", (3,), generations=2, beside=("novice", "beginner"))
    next(tuning(plan, tmp_path / "run.json").run())
    again = tuning(plan, tmp_path / "run.json")
    assert again.standing.generation == 1
    assert again.plan.beside == ("novice", "beginner@2")


def test_who_is_set_against_a_baseline_plays_by_its_own_weights(monkeypatch):
    run, met = Tuning(Plan("companeros", (3,), against="novice")), []
    monkeypatch.setattr(run.thinker, "duels", lambda minds, *_, **__: met.extend(minds))
    monkeypatch.setattr("brelan.lab.tune.by_deal", lambda *_: None)
    run.compared([0, 0, 7], run.target, 3, 1, 0, 10)
    assert [mind.kind for mind in met] == [TUNED, NOVICE]
    assert met[0].weights == (0, 0, 7)


@pytest.mark.parametrize("other", [Plan("companeros", (3,), seed=2), Plan("companeros", (4,))])
def test_a_file_of_another_run_is_not_written_over(other, tuning, tmp_path):
    file = tmp_path / "run.json"
    next(tuning(Plan("companeros", (3,)), file).run())
    before = file.read_text("utf-8")
    with pytest.raises(Refusal) as refused:
        tuning(other, file)
    assert refused.value.key == "run_other"
    assert file.read_text("utf-8") == before


@pytest.mark.parametrize("text", ["", "notes", "[]", "3", '{"plan": 1}', '{"standing": 1}', "[" * 90_000], ids=range(7))
def test_a_file_that_is_no_runs_is_refused(text, tuning, tmp_path):
    file = tmp_path / "run.json"
    file.write_text(text.replace('"plan": 1', f'"plan": {json.dumps(tuning()._written())}'), "utf-8")
    with pytest.raises(Refusal) as refused:
        tuning(file=file)
    assert refused.value.key == "run_other"


def test_weights_of_another_policy_are_not_gone_on_with(tuning, tmp_path, monkeypatch):
    file, plan = tmp_path / "run.json", Plan("companeros", (3,))
    next(tuning(plan, file).run())
    monkeypatch.setattr(games.find("companeros").policy, "START", [0, 0, 10, 10, 5])
    with pytest.raises(Refusal):
        tuning(plan, file)
