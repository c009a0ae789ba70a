"""The arena's report: the same figures as text, as a page and as data, in the language of its reader."""

import json
import re
from datetime import date
from html import escape

import pytest

from bench.ablations import curves
from brelan import __version__
from brelan.build import build_id
from brelan.cli import main
from brelan.errors import Refusal
from brelan.lab import arena, plots
from brelan.lab.arena import BLOCK, Block, Plan, Table
from brelan.lab.arena_report import as_data, as_page, as_text, opening, shares_plot, took
from brelan.lab.duels import Shares
from brelan.words import Words
from tests.lab.arenas import PLAN, played

EN = Words("en")


def test_the_report_says_everything_in_three_forms():
    table = played()
    data = as_data(table, {bot: arena.pace(PLAN, bot, moves=5) for bot in PLAN.bots}, EN)
    text, page = as_text(data, EN), as_page(data, EN)
    for share in data["shares"]:
        said = f"{100 * share['share']:.1f} ± {100 * share['reach']:.1f}"
        assert said in text
        assert said in page
    assert page.count("<svg") == 2
    assert json.loads(json.dumps(data))["plan"]["bots"] == ["random", "novice"]


def test_the_report_says_of_which_day_and_which_sources_it_is():
    data = as_data(played(), {}, EN)
    assert data["report"] == 1
    assert data["machine"]["build"] == build_id()
    day = date.fromisoformat(data["machine"]["at"])
    sources = f"brelan {__version__} ({build_id()}), Python"
    assert f"; {day}, {sources}" in as_page(data, EN)
    assert f"; {day:%d/%m/%Y}, {sources}" in as_page(data, Words("fr"))


def test_the_report_speaks_french():
    data = as_data(played(), {}, EN) | {"faults": {"novice": 1234}}
    data["milliseconds"] = {"novice": {"median": 0.0042, "p99": 0.013}}
    text, page = as_text(data, Words("fr")), as_page(data, Words("fr"))
    assert text.startswith("| seul \\ parmi |")
    assert text.endswith("novice 1\u202f234.")
    assert re.search(r"hasard donnerait \d+,\d\.", page)
    assert re.search(r"charge \d+,\d\xa0;", page)
    assert "0,0042 (0,013)" in text
    assert not re.search(r"\d\.\d", text)
    assert '<html lang="fr">' in page
    assert "novice parmi random" in page
    for english in ("alone", "among", "ladder", "seats", "deals", "share of", "load"):
        assert english not in text + page


def test_every_figure_of_the_page_stands_under_the_bot_it_is_about():
    data = as_data(played(), {}, EN)
    head, *rows = [re.findall("<t[hd][^>]*>([^<]*)", row) for row in as_page(data, EN).split("<tr>")[1:]]
    assert head == ["alone \\ among", *PLAN.bots, "ladder", "ms (p99)"]
    assert [len(row) for row in rows] == [len(head)] * len(PLAN.bots)
    for share in data["shares"]:
        row = rows[PLAN.bots.index(share["alone"])]
        assert row[head.index(share["among"])].startswith(f"{100 * share['share']:.1f} ")


def test_times_of_the_page_are_those_of_the_text():
    data = as_data(played(), {}, EN) | {"milliseconds": {"novice": {"median": 0.0042, "p99": 0.013}}}
    assert all("0.0042 (0.013)" in said for said in (as_text(data, EN), as_page(data, EN)))


@pytest.mark.parametrize(
    ("median", "p99", "said"),
    [(0.136, 2.96, "0.14 (3.0)"), (9.949, 9.95, "9.9 (10)"), (28.6, 393.97, "29 (394)"), (95, 1234.5, "95 (1,234)")],
)
def test_times_have_two_digits_and_no_powers_of_ten(median, p99, said):
    assert took({"median": median, "p99": p99}, EN) == said


def test_one_deal_is_not_told_as_many():
    data = as_data(played(), {}, EN)
    said = [opening(data | {"plan": data["plan"] | {"deals": n}}, EN)[1] for n in (1, 2, 10_000)]
    assert [how.partition(",")[0] for how in said[:2]] == ["1 deal a pair", "2 deals a pair"]
    assert said[2].startswith("10,000 deals a pair, seed")


def test_points_below_the_novice_have_a_minus():
    data = as_data(played(), {}, EN) | {"ratings": {"random": -357, "novice": 0}}
    assert "| −357 " in as_text(data, EN)


def test_labels_of_a_logarithmic_scale_are_whole_powers_of_ten():
    drawn = [plots.scatter([(0.02, 1), (0.06, 2)], ["a", "b"], "x", "y")]
    drawn += [curves({"a": {"8": (30, 1, 1)}, "b": {}}, 0, "x", "y")]
    assert [re.findall(r"\\times|10\^{[^}]*}", drawing) for drawing in drawn] == [
        ["10^{-2}", "10^{-1}"],
        ["10^{1}", "10^{2}"],
    ]


def test_no_interval_is_drawn_beyond_none_or_all(monkeypatch):
    drawn = []
    monkeypatch.setattr(plots, "intervals", lambda *given: drawn.append(given))
    shares = [{"alone": "a", "among": "b", "share": s, "reach": 0.03} for s in (1.0, 0.99, 0.5, 0.0)]
    shares_plot({"shares": shares, "chance": 0.5}, EN)
    ((_, values, (below, above), nothing, _),) = drawn
    assert (values, nothing) == ([100, 99, 50, 0], 50)
    assert (below, above) == (pytest.approx([3, 3, 3, 0]), pytest.approx([0, 1, 3, 3]))


def test_a_share_that_rounds_to_nothing_has_no_sign():
    """What one alone keeps is worked out from what the other takes, and may miss nothing by a hair."""
    data = as_data(played(), {}, EN)
    for share, said in (-1e-17, "0.0 ± 13.6"), (-0.0, "0.0 ± 13.6"), (-0.0004, "0.0 ± 13.6"):
        data["shares"][0] |= {"share": share, "reach": 0.136}
        assert f" {said} " in as_text(data, EN)
        assert f">{said}<" in as_page(data, EN)


def test_matches_lost_by_faults_are_told_and_who_cannot_be_timed_is_left_out():
    table = played()
    slept = Refusal("bot_lost", deal=75, seat=2, why=Refusal("bot_answer", given="<zzz>", id=7))
    lied = Refusal("bot_lost", deal=76, seat=0, why=Refusal("bot_line", given="yes"))
    table.came[Block("random", "novice", 75, 1)] = Shares(1, faults=3, faults_b=1, why=slept)
    table.came[Block("random", "novice", 76, 1)] = Shares(1, why=lied, why_b=lied)
    data = as_data(table, {"random": None, "novice": arena.pace(PLAN, "novice", moves=5)}, EN)
    assert data["faults"] == {"random": 3, "novice": 1}
    first = f"The first of random: {slept}", f"The first of novice: {lied}"
    assert as_text(data, EN).endswith("\n".join(["\nLost by faults: random 3, novice 1.", *first]))
    assert all(escape(said) in as_page(data, EN) for said in ("random 3, novice 1.", *first))
    assert set(data["milliseconds"]) == {"novice"}
    french = as_data(table, {}, Words("fr"))["whys"]["random"].replace("\u00a0", " ")
    assert french == "donne 75, place 2 : « <zzz> » n’est pas la réponse à 7."
    assert "faults" not in as_text(as_data(played(), {}, EN), EN)


def test_a_single_deal_says_nothing_yet_and_says_so_in_json():
    table = Table(Plan("gin", ("random", "novice"), 2))
    table.came[Block("random", "novice", 0, 1)] = Shares(1, -0.5, 0.25, -0.5, 0.25)
    assert table.alone("novice", "random") == (1, 1.0, 1)
    assert json.dumps(as_data(table, {}, EN), allow_nan=False)


def test_who_met_nobody_has_no_place_on_the_ladder():
    plan = Plan("companeros", ("random", "novice", "casual"), 3, deals=BLOCK, pairs=(("random", "novice"),))
    data = as_data(played(plan), {}, EN)
    assert data["ratings"].keys() == {"random", "novice"}
    assert {(share["alone"], share["among"]) for share in data["shares"]} == {*plan.pairs, ("novice", "random")}
    assert as_text(data, EN).splitlines()[-1].count("·") == 3


def test_the_command_writes_its_report(tmp_path, capsys):
    arguments = ["arena", "companeros", "--bots", "random,novice", "--deals", "30", "--engine", "here"]
    assert main([*arguments, "--save", str(tmp_path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert (tmp_path / "report.html").exists()


def test_the_command_says_first_what_was_played_and_how_it_is_read(capsys, monkeypatch):
    monkeypatch.setenv("LANG", "en")
    asked = ["arena", "mio", "--bots", "random,novice", "--deals", "2", "--option", "target=20", "--engine", "here"]
    assert main(asked) == 0
    heading, how, options, table = capsys.readouterr().out.split("\n\n")
    assert heading == "mio (sheet), 2 seats"
    assert how.startswith("2 deals a pair, seed 8192; ")
    assert options == "Options: target=20."
    assert table.startswith("| alone")


@pytest.mark.parametrize("command", ["arena", "balance"])
@pytest.mark.parametrize("other", [["--seed", "5"], ["--players", "4"], []], ids=["seed", "players", "shorter"])
def test_the_report_of_another_or_longer_run_is_not_written_over(command, other, tmp_path, capsys):
    def saved(deals, *other):
        length = ["--deals" if command == "arena" else "--matches", str(deals), "--bots", "random,novice"]
        against = ["--against", "rounds=2"] * (command == "balance")
        return main([command, "companeros", *length, *against, "--engine", "here", "--save", str(tmp_path), *other])

    assert [saved(4), saved(4), saved(5)] == [0, 0, 0]
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    assert saved(4 if not other else 6, *other) == 2
    assert "report.json holds a run of another plan" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before
