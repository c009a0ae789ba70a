"""Weighing rules: the figures of matches played one by one, the same wherever they run, with honest intervals."""

import csv
import json
import re
import sys
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean
from types import SimpleNamespace

import pytest

from brelan import games
from brelan.bots import levels
from brelan.bots.levels import BASELINES, find
from brelan.bots.thinker import RUNS
from brelan.cards import seed
from brelan.cli import main
from brelan.errors import Refusal
from brelan.fast import playouts
from brelan.fast.twins import Twins
from brelan.lab import balance, course, engines
from brelan.lab.balance import Figure, Plan, Sums, alike, difference, felt, figure, measures, reach, run, total
from brelan.lab.balance_report import as_csv, as_data, as_page, as_text, drawn, quantiles, said, spanned
from brelan.lab.courses import COUNTED, VALUES, Courses
from brelan.lab.duels import rotations
from brelan.words import Words

PLAN = Plan("companeros", 3, options={"rounds": 3}, against="sheet", changed={"rounds": 5}, matches=12)
EN = Words("en")


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(balance, "BLOCK", 5)


def of(name, players=3, place=-1):
    return next(m for m in measures(players, 10) if (m.name, m.place) == (name, place))


def counted(game_id, players, sides, matches, first=0):
    counter = Courses(games.find(game_id), compiled=False)
    return Sums(**counter.count(sides, [[BASELINES["novice"]]] * len(sides), players, 1, first, matches))


def test_a_match_that_does_not_end_is_named(monkeypatch):
    """At three seats of Compañeros a round takes 27 cards, and what is taken from the pot: fewer than 60 moves."""
    sides = [("sheet", {"rounds": 3})]
    monkeypatch.setattr(course, "ENDLESS", 60)
    assert counted("companeros", 3, sides, 2, first=7).matches == 2
    monkeypatch.setattr(course, "ENDLESS", 30)
    with pytest.raises(Refusal, match="Match 7 does not end: a round of it takes more than"):
        counted("companeros", 3, sides, 2, first=7)


def by_hand(game, players, options, run, deal):
    """A match of the run, played with the game's own functions: its scores as rounds ended, moves, openers, winners."""
    rules, state, cards = game.rules, game.new(players, deal % players, "sheet", options), [0] * game.rules.DECK
    luck, random, moves = [0], [0], 0
    next_seat = Twins(game, playouts, compiled=False)[playouts.next_seat]
    seed(random, 1 << 61 | run << 40 | deal)
    told, openers = [[rules.score(state, seat) for seat in range(players)]], []
    while not rules.over(state):
        fresh = not rules.asked(state)
        if fresh:
            seed(luck, run << 48 | state.finished << 32 | deal)
        seat = next_seat(state, cards, luck)
        if fresh and len(openers) < len(told):
            openers.append(seat)
        rules.play(state, seat, game.policy.novice(state, seat, random))
        moves += 1
        if state.finished == len(told):
            told.append([rules.score(state, seat) for seat in range(players)])
    winners = [seat for seat in range(players) if rules.wins(state) >> seat & 1]
    return told, moves, openers, winners


@pytest.mark.parametrize(("game_id", "players", "options"), [("companeros", 3, {"rounds": 4}), ("mio", 3, {})])
def test_figures_are_those_of_matches_played_one_by_one(game_id, players, options):
    game, n = games.find(game_id), 6
    sums = counted(game_id, players, [("sheet", options)], n)
    sign = -1 if game.lowest_wins else 1
    want = dict.fromkeys(("decisions", "rounds", "spread", "deficit", "changes"), 0)
    won, opening = [0.0] * players, [0] * players
    for deal in range(n):
        told, moves, openers, winners = by_hand(game, players, options, 1, deal)
        leads = [[seat for seat, x in enumerate(at) if sign * x == max(sign * y for y in at)] for at in told[1:]]
        alone = [who[0] for who in leads if len(who) == 1]
        behind = [max(sign * x for x in at) - sign * at[seat] for seat in winners for at in told[1:]]
        want["decisions"] += moves
        want["rounds"] += len(told) - 1
        want["spread"] += max(told[-1]) - min(told[-1])
        want["deficit"] += max(behind)
        want["changes"] += sum(a != b for a, b in pairwise(alone))
        for seat in winners:
            won[(seat - deal) % players] += 1 / len(winners)
        for before, after, opener in zip(told[:-1], told[1:], openers, strict=True):
            for seat in range(players):
                opening[(seat - opener) % players] += after[seat] - before[seat]
    assert {name: sums.sum(0, COUNTED[name]) for name in want} == want
    assert [figure(sums, of("won", players, p)).value for p in range(players)] == pytest.approx(
        [100 * w / n for w in won]
    )
    rounds = [figure(sums, of("opening", players, p)).value for p in range(players)]
    assert rounds == pytest.approx([points / want["rounds"] for points in opening])


def test_figures_are_the_same_wherever_a_block_begins():
    sides = [("sheet", {"rounds": 3})]
    parts = counted("companeros", 3, sides, 2) + counted("companeros", 3, sides, 2, first=2)
    assert parts == counted("companeros", 3, sides, 4)


def test_interpreted_and_compiled_count_the_same():
    slow = counted("companeros", 3, PLAN.sides, 5)
    assert next(came for block, came in run(PLAN) if block.first == 0) == slow


@pytest.mark.parametrize("engine", [engine for engine in engines.ENGINES if engine != "here"])
def test_every_engine_finds_the_same(engine):
    assert dict(run(PLAN, engine)) == dict(run(PLAN))


def test_a_run_that_was_broken_off_goes_on_where_it_was(tmp_path, monkeypatch):
    file = tmp_path / "blocks.jsonl"
    whole = total(run(PLAN, file=file))
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([lines[0], lines[1][:30]]) + "\n", "utf-8")
    play, again = balance.play, []
    monkeypatch.setattr(balance, "play", lambda plan, block: again.append(block) or play(plan, block))
    assert total(run(PLAN, file=file)) == whole
    assert [block.first for block in again] == [5, 10]
    dict(run(replace(PLAN, seed=2), file=file))
    assert [block.first for block in again] == [5, 10, 0, 5, 10]


def test_a_level_plays_by_the_weights_of_each_sides_preset():
    plan = Plan("gin", 2, against="classic", bots=("skilled",), matches=20)
    minds = [find(games.find("gin"), "skilled", preset).mind for preset in ("sheet", "classic")]
    assert plan.minds() == [[mind] for mind in minds]
    assert minds[0] != minds[1]
    sides = [figure(total(run(plan)), of("decisions", 2), side) for side in (0, 1)]
    turned = total(run(replace(plan, preset="classic", against="sheet")))
    assert sides == [figure(turned, of("decisions", 2), side) for side in (1, 0)]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda came: came["products"].pop(),
        lambda came: came["products"][0].pop(),
        lambda came: came["products"][0][0].__setitem__(0, "x"),
        lambda came: came["products"][0][0].__setitem__(0, 0),
        lambda came: came["worth"][1].pop(),
        lambda came: came["counts"].pop(),
        lambda came: came["counts"][0].pop("margin"),
    ],
    ids=range(7),
)
def test_a_file_that_counts_in_another_way_is_refused(spoil, tmp_path):
    file = tmp_path / "blocks.jsonl"
    dict(run(PLAN, file=file))
    line = json.loads(file.read_text("utf-8").splitlines()[0])
    spoil(line["came"])
    file.write_text(json.dumps(line, separators=(",", ":")) + "\n", "utf-8")
    with pytest.raises(Refusal) as refused:
        dict(run(PLAN, file=file))
    assert refused.value.key == "run_other"


def toy(a, b):
    """Two sides of matches in which one fact is all that happens."""
    wide = course.TABLE + 9
    rows = [[[1] + [0] * (wide - 1) for _ in a] for _ in range(2)]
    for side, values in enumerate((a, b)):
        for row, value in zip(rows[side], values, strict=True):
            row[course.DECISIONS], row[course.ROUNDS] = value
    products = []
    for x, y in ((0, 0), (0, 1), (1, 1)):
        sums = [[0] * wide for _ in range(wide)]
        course.add_products(sums, rows[x], rows[y])
        products.append(sums)
    return Sums(products, [{}, {}], [])


@pytest.mark.parametrize("compiled", [True, False])
def test_points_whose_squares_cannot_be_summed_are_refused(compiled):
    counter, who = Courses(games.find("gin"), compiled), [[BASELINES["novice"]]]
    wild = dict.fromkeys(("undercut_bonus", "gin_bonus"), 10**9)
    with pytest.raises(Refusal, match="choose smaller options"):
        counter.count([("sheet", wild)], who, 2, 1, 0, 20)
    assert counter.count([("sheet", {"undercut_bonus": 10**6})], who, 2, 1, 0, 20)["products"][0][0][0] == 20


def test_intervals_of_means_ratios_and_differences_are_those_of_the_book():
    a, b = [(10, 2), (14, 2), (9, 1), (20, 5)], [(11, 2), (15, 3), (9, 1), (22, 5)]
    sums = toy(a, b)

    def half(values):
        return 3.182 * sqrt(sum((v - fmean(values)) ** 2 for v in values) / 3 / 4)

    mean, ratio = figure(sums, of("decisions")), figure(sums, of("per_round"))
    assert (mean.value, mean.reach) == pytest.approx((13.25, half([x for x, _ in a])), rel=0.01)
    assert (ratio.value, ratio.reach) == pytest.approx((5.3, half([(x - 5.3 * y) / 2.5 for x, y in a])), rel=0.01)
    by = difference(sums, of("decisions"))
    assert (by.value, by.reach) == pytest.approx(
        (1, half([y - x for (x, _), (y, _) in zip(a, b, strict=True)])), rel=0.01
    )
    assert figure(sums, of("early")) is None
    assert reach(1, 0.0) == float("inf")
    assert alike(toy(a, a))
    assert not alike(sums)


def led(*sides):
    """Two sides of matches: what each early leader won (1 or 0), None where nobody led alone."""
    wide, rows = course.TABLE + 9, []
    for side in sides:
        rows.append([[1] + [0] * (wide - 1) for _ in side])
        for row, won in zip(rows[-1], side, strict=True):
            row[course.EARLY], row[course.EARLY_WON] = int(won is not None), course.WHOLE * (won or 0)
    products = [[[0] * wide for _ in range(wide)] for _ in range(3)]
    for sums, (x, y) in zip(products, ((0, 0), (0, 1), (1, 1)), strict=True):
        course.add_products(sums, rows[x], rows[y])
    return Sums(products, [{}, {}], [])


def test_of_what_only_some_matches_tell_these_are_counted():
    won = [1] * 12 + [0] * 4
    sums = led(won + [None] * 400, [None] * 400 + [1, 0] * 8)
    first, second, by = figure(sums, of("early")), figure(sums, of("early"), 1), difference(sums, of("early"))
    half = [100 * 2.131 * sqrt(p * (1 - p) / 15) for p in (0.75, 0.5)]
    assert (first.value, first.reach) == pytest.approx((75, half[0]), rel=0.01)
    assert (second.value, second.reach) == pytest.approx((50, half[1]), rel=0.01)
    assert (by.value, by.reach) == pytest.approx((-25, sqrt(half[0] ** 2 + half[1] ** 2)), rel=0.01)
    assert figure(led([1] * 9 + [None] * 400, [0] * 409), of("early")) is None


def test_shares_of_what_rounds_hold_are_clustered_by_match():
    x, y = ("out", "R1"), ("void", "R2")
    found = balance.share([[x, y], [x], [x, x, y]], x)
    moves = [1 - 4 / 6 * 2, 1 - 4 / 6, 2 - 4 / 6 * 3]
    assert found.value == pytest.approx(100 * 4 / 6)
    assert found.reach == pytest.approx(100 * 4.303 * sqrt(sum(m * m for m in moves) / 3 / 2) / 2, rel=0.04)


def test_an_unfair_rule_is_found_and_a_dead_option_too():
    """Longer matches take longer; an option that no match ever meets moves nothing."""
    longer = total(run(PLAN))
    assert felt(longer, 3)
    assert difference(longer, of("rounds")) == Figure(2.0, 0.0)
    sides = [("sheet", {"target": 20}), ("sheet", {"target": 20, "turn_cap": 1000})]
    assert alike(counted("gin", 2, sides, 2))
    heavy = [("sheet", {"target": 20}), ("sheet", {"target": 20, "ace_value": 15})]
    assert not alike(counted("gin", 2, heavy, 2))


@pytest.mark.parametrize("seed", [0, 8191, 8192, RUNS - 1])
def test_skill_is_measured_on_deals_that_no_level_was_tuned_on(seed):
    assert balance.skill(Plan("gin", 2, seed=seed)).seed >= RUNS // 2


@pytest.mark.parametrize("preset", ["sheet", "adlung"])
def test_skill_is_measured_among_weaker_players(preset):
    """As they were measured, at the sheet's tables where the preset's own were not."""
    pairs = [("beginner", "random"), ("novice", "beginner"), ("casual", "novice"), ("skilled", "casual")]
    assert balance.skill(Plan("elements", 3, preset)).pairs == tuple(pairs)


def test_levels_that_were_not_measured_are_met_as_they_are_named(monkeypatch):
    monkeypatch.setattr(levels, "measured", lambda _: {})
    assert balance.skill(Plan("gin", 2)).bots == ("random", "novice", "beginner", "casual", "skilled")


def test_every_option_has_other_values_to_try():
    for game in games.GAMES:
        tried = balance.sweep(Plan(game.id, game.seats[0]))
        assert {name for name, _, _ in tried} == {option.name for option in game.options}
        for _, _, plan in tried:
            plan.check()


def test_the_last_place_of_a_count_says_that_it_is_at_least_that():
    assert (spanned(VALUES - 2), spanned(VALUES - 1)) == ("4094", "≥ 4095")


def test_quantiles_are_the_least_values_that_so_many_do_not_exceed():
    assert quantiles({"3": 1, "10": 98, "200": 1}) == {"1": 3, "10": 10, "50": 10, "90": 10, "99": 10}


def test_the_report_says_the_same_in_four_forms():
    sums = total(run(PLAN))
    data = json.loads(json.dumps(as_data(PLAN, sums, 10)))
    text, page, rows = as_text(data, EN), as_page(data, EN), list(csv.DictReader(as_csv(data).splitlines()))
    moves = next(one for one in data["figures"] if one["name"] == "decisions")
    said = f"+{moves['difference']['value']:.1f} ±"
    assert said in text
    assert said in page
    assert page.count("<svg") == page.count('role="img"') == 4
    assert data["report"] == 1
    assert {"name": "decisions", "side": "B-A", "value": str(moves["difference"]["value"])}.items() <= next(
        row for row in rows if row["name"] == "decisions" and row["side"] == "B-A"
    ).items()
    assert [row["place"] for row in rows if row["name"] == "won" and row["side"] == "A"] == ["1", "2", "3"]
    assert {row["place"] for row in rows if row["name"] == "decisions"} == {""}
    assert {(one["reason"], one["rule"]) for one in data["endings"][0]} == {("match", "C12"), ("round", "O-C2")}
    assert "| the last round " in text
    assert "| la dernière manche " in as_text(data, Words("fr"))
    assert "by which rule (first 12 matches) (A)" in text
    many = as_text(data | {"plan": data["plan"] | {"matches": 201}}, EN)
    assert "by which rule (first 200 matches) (A)" in many


def test_what_is_drawn_says_which_side_is_which_and_of_what_it_is_a_part():
    two = as_data(PLAN, total(run(PLAN)), 10)
    alone = replace(PLAN, against="")
    one = as_data(alone, total(run(alone)), 10)
    for data, sides in (two, ["A", "B"]), (one, []):
        for _, plot in list(drawn(data, EN))[:3]:
            texts = re.findall("<text[^>]*>([^<]*)", plot)
            assert "matches, %" in texts
            assert [text for text in texts if text in ("A", "B")] == sides
            assert plot.count("stroke-dasharray") == len(sides) // 2 * 2  # the outline, and its line in the legend


def test_boxes_that_scroll_and_heads_of_tables_are_told_to_those_who_listen():
    page = as_page(as_data(PLAN, total(run(PLAN)), 10), EN)
    boxes, heads = re.findall('<div class="wide"(.*?)>', page), re.findall("<th(.*?)>", page)
    assert len(boxes) == page.count("<table") + page.count("<svg") > 5
    for box in boxes:
        named = re.search(r'role="(?:region|img)" tabindex="0" aria-label(?:="(.+?)"|ledby="(.+?)")', box)
        assert named[1] or f'id="{named[2]}"' in page
    assert {*heads} <= {' scope="col"', ' scope="row"', ' scope="row" class="long"'}


def test_a_report_names_the_versions_of_its_players():
    plan = Plan("gin", 2, against="sheet", changed={"gin_bonus": 50}, bots=("skilled", "novice"), matches=2)
    assert re.search(r"2 matches by skilled@\d+, novice;", as_text(as_data(plan, total(run(plan)), 10), EN))


def test_a_report_has_the_thousands_and_the_minus_of_its_language():
    data = as_data(PLAN, total(run(PLAN)), 10)
    data["plan"]["matches"] = 12_000
    assert "12,000 matches by" in as_text(data, EN)
    assert "12\u202f000 parties de" in as_text(data, Words("fr"))
    assert said({"value": -0.5, "reach": 0.25}, EN, "+") == "−0.50 ± 0.25"


def test_a_report_that_is_written_again_differs_in_its_day_alone():
    data = [as_data(PLAN, total(run(PLAN)), 10) for _ in range(2)]
    assert len({json.dumps(one | {"machine": None}) for one in data}) == 1


BOOK = (Path(__file__).parents[2] / "docs/balance.md").read_text("utf-8")


def test_the_book_tells_every_figure_and_every_part_that_is_saved():
    found = as_data(PLAN, total(run(PLAN)), 10)
    named = set(re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (`.*?) \|", BOOK, re.MULTILINE))))
    assert named == {measure.name for measure in measures(3, 10)} | set(found)


def test_figures_of_the_book_that_come_from_a_level_name_its_version():
    assert re.findall(rf"\b(?:{'|'.join(levels.NAMES)})\b(?!@\d).*", BOOK.partition("# The five sheets")[2]) == []


def test_a_report_says_that_its_players_change_along_with_the_rules():
    for against, changed, so in ("classic", {}, True), ("sheet", {"upcard_offer": True}, False):
        plan = Plan("gin", 2, against=against, changed=changed, bots=("skilled",), matches=2)
        data = as_data(plan, total(run(plan)), 10)
        assert data["reweighted"] is so
        assert ("B − A holds what they change, too" in as_text(data, EN).splitlines()[0]) is so


def test_a_report_says_that_not_one_match_differs():
    for changed, so in ({"rounds": 3, "colours": "RYO"}, True), (PLAN.changed, False):
        plan = replace(PLAN, changed=changed)
        data = as_data(plan, total(run(plan)), 10)
        assert data["same"] is so
        assert ("\n\nB − A: nothing: not one match differs\n\nAfter ± stands" in as_text(data, EN)) is so


def test_a_report_in_the_terminal_says_how_it_is_read():
    plan = replace(PLAN, against="")
    assert as_text(as_data(plan, total(run(plan)), 10), EN).split("\n\n")[1] == EN("balance.how")


def test_the_report_has_the_digits_of_its_language():
    plan = replace(PLAN, against="")
    data, small = as_data(plan, total(run(plan)), 0.5), {"value": 0.25, "reach": 0.125}
    moved = [{"name": "rounds", "place": -1, **small}]
    data["options"] = [{"option": "rounds", "value": 2, "verdict": "felt", "moves": moved}]
    data["skill"] = [{"alone": "casual", "among": "novice", **small}]
    english, french = as_text(data, EN), as_text(data, Words("fr"))
    assert not re.search(r"\d\.\d", french)
    assert len(re.findall(r"\d,\d", french)) == len(re.findall(r"\d\.\d", english)) > 50


def test_options_are_written_as_the_command_takes_them():
    plan = replace(PLAN, against="")
    data = as_data(plan, total(run(plan)), 10)
    data["plan"]["options"] = {"one_hidden": True, "deck": [1, 2]}
    data["options"] = [{"option": "rounds", "value": False, "verdict": "same", "moves": []}]
    assert "sheet, one_hidden=true, deck=[1, 2]: " in as_text(data, EN)
    assert "| false | nothing" in as_text(data, EN)
    assert "option,rounds=false: same," in as_csv(data)


def test_of_few_cards_each_is_listed_once():
    data = as_data(replace(PLAN, against=""), total(run(replace(PLAN, against=""))), 10)
    named = [f"| {card['card']} " for card in data["cards"][0]]
    for few, listed in (3, 3), (7, 7), (12, 10):
        text = as_text(data | {"cards": [data["cards"][0][:few]]}, EN)
        assert sum(text.count(name) for name in named[:few]) == listed


def test_the_command_writes_its_report(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("LANG", "en")
    arguments = ["balance", "companeros", "--matches", "20", "--engine", "here"]
    assert main([*arguments, "--save", str(tmp_path), "--json"]) == 0
    written = capsys.readouterr()
    said = json.loads(written.out)
    duels = sum(pair["deals"] * len(rotations(3)) for pair in said["skill"])
    assert written.err.startswith(f"{20 + 2 * 20 * len(said['options']) + duels} matches are played in all.\n")
    assert said == json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert {file.suffix for file in tmp_path.glob("report.*")} == {".json", ".txt", ".csv", ".html"}
    assert {one["option"] for one in said["options"]} == {"rounds", "colours"}
    assert {"alone": "beginner", "among": "random", "deals": 4}.items() <= said["skill"][0].items()
    assert len(said["cards"][0]) == 30


class Ray:
    """As much of Ray as is used here, all of it in this process; `begun` and `ended` count its clusters."""

    def __init__(self):
        self.begun = self.ended = 0

    def is_initialized(self):
        return self.begun > self.ended

    def init(self, **_):
        self.begun += 1

    def shutdown(self):
        self.ended += 1

    def remote(self, play):
        return SimpleNamespace(remote=lambda *work: partial(play, *work))

    def put(self, plan):
        return plan

    def wait(self, waiting, num_returns):
        return waiting[:num_returns], waiting[num_returns:]

    def get(self, came):
        return came()


def test_all_that_a_report_needs_is_played_on_one_cluster(capsys, monkeypatch):
    """Ray's own begins and ends in five seconds; there was one for each option and each pair of levels."""
    ray = Ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    assert main(["balance", "companeros", "--matches", "4", "--engine", "ray"]) == 0
    assert (ray.begun, ray.ended) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--players", "9"], "players"),
        (["--against", "house"], "preset"),
        (["--against", "rounds=0"], "rounds"),
        (["--against", "rounds=1"], "same rules"),
        (["--bots", "genius"], "genius"),
        (["--bots", "novice,novice,random,random"], "at most 3, not 4"),
        (["--matches", "1"], "must be at least 2, not 1"),
        (["--seed", "16384"], "16383"),
    ],
)
def test_what_cannot_be_weighed_is_refused_in_a_sentence(arguments, why, capsys, monkeypatch):
    monkeypatch.setenv("LANG", "en")
    assert main(["balance", "companeros", *arguments]) == 2
    said = capsys.readouterr().err
    assert why in said
    assert said.count("\n") == 1
