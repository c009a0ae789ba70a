"""Long measurements go on from their sums: nothing is played twice or left out, no figure of another bot is taken."""

import json
import re
import sys
import time
from dataclasses import replace

import pytest

from bench import ablations, strength, sums
from brelan.bots.levels import versions
from brelan.lab import arena, engines
from brelan.lab.arena import Block, Plan, Table
from brelan.lab.duels import Shares

QUICK = Plan("companeros", ("random", "novice"), 3, deals=6, block=2)
SLOW = replace(QUICK, bots=("random", "novice", "casual"), deals=4, pairs=(("novice", "casual"),))


PLAYED = []


def noted(plan, block):
    PLAYED.append(block)
    return arena.play(plan, block)


def goes_on(file, *plans, until=float("inf")):
    table = Table(plans[-1])
    return sums.go_on(table, plans, file, until, noted), table


@pytest.fixture
def blocks():
    """Each block that is played."""
    PLAYED.clear()
    return PLAYED


def test_a_run_that_ended_early_goes_on_behind_its_last_deal(tmp_path, blocks):
    file = tmp_path / "run.jsonl"
    assert not goes_on(file, QUICK, until=time.monotonic())[0]
    assert len(file.read_text("utf-8").splitlines()) == 1
    assert goes_on(file, QUICK)[0]
    assert sorted((block.first, block.deals) for block in blocks) == [(0, 2), (2, 2), (4, 2)]
    whole, table = goes_on(tmp_path / "other.jsonl", QUICK)
    assert whole
    assert table.of("random", "novice") == goes_on(file, QUICK)[1].of("random", "novice")
    assert len(blocks) == 6


def test_what_was_begun_in_time_is_kept(tmp_path, blocks, monkeypatch):
    """Two cores play at once, and one of them is still at it when the time is up."""
    monkeypatch.setattr(engines, "all_cores", lambda: 2)
    table, until = Table(replace(QUICK, deals=40)), time.monotonic() + 1

    def slowly(plan, block):
        time.sleep(0.3 if block.first % 4 else 0.2)
        return noted(plan, block)

    assert not sums.go_on(table, [table.plan], tmp_path / "run.jsonl", until, slowly)
    assert table.of("random", "novice").deals == sum(block.deals for block in blocks) > 4


def test_a_longer_plan_adds_to_what_a_shorter_one_came_to(tmp_path, blocks):
    file = tmp_path / "run.jsonl"
    goes_on(file, replace(QUICK, deals=3))
    goes_on(file, replace(QUICK, deals=7, block=3))
    assert [(block.first, block.deals) for block in blocks] == [(0, 2), (2, 1), (3, 3), (6, 1)]


def test_several_plans_share_a_file(tmp_path, blocks):
    file = tmp_path / "run.jsonl"
    goes_on(file, QUICK)
    assert goes_on(file, QUICK, SLOW)[0]
    assert len(file.read_text("utf-8").splitlines()) == 2
    assert len(blocks) == 3 + 2


def test_a_gap_that_two_cores_left_is_played_again(tmp_path):
    table = Table(QUICK)
    table.came = {Block("random", "novice", first, 2): Shares(2) for first in (0, 4)}
    sums.keep(table, tmp_path / "run.jsonl")
    again = Table(QUICK)
    sums.held(again, QUICK, tmp_path / "run.jsonl")
    assert [block.first for block in sums.left(again, QUICK)] == [2, 4]


def test_what_an_older_version_or_another_seed_came_to_is_not_taken(tmp_path, blocks, monkeypatch):
    file = tmp_path / "run.jsonl"
    goes_on(file, SLOW)
    goes_on(file, replace(SLOW, seed=1))
    assert len(blocks) == 2 + 2
    goes_on(file, SLOW)
    assert len(blocks) == 2 + 2  # neither is lost
    game = versions.__globals__["levels_read"]("companeros")
    monkeypatch.setitem(game, "casual", [*game["casual"], game["casual"][-1] | {"version": 99}])
    goes_on(file, SLOW)
    assert len(blocks) == 4 + 2
    assert len(file.read_text("utf-8").splitlines()) == 3


def test_a_table_stands_until_a_run_has_as_many_deals(tmp_path, monkeypatch, capsys):
    """What was measured before sums were kept would be lost to the first deals of a run that cannot go on from it."""
    monkeypatch.setattr(ablations, "REPORTS", tmp_path)
    case = ablations.CASES[0]
    cell = {"share": 0.5, "reach": 0.1, "milliseconds": {"median": 1.0, "p99": 2.0}}
    for deals, stands in ((70, 70), (10, 70), (80, 80)):
        found = cell | {"deals": deals}
        data = {"chance": 0.5, "variants": {"P": dict.fromkeys(ablations.FOES, found)}, "curves": {"P+R": {"8": found}}}
        data["plan"] = {"game": "gin", "players": 2, "preset": "classic"}
        ablations.write(case, data)
        assert f"{stands} / {stands}" in (tmp_path / "ablations-gin-classic-2.md").read_text("utf-8")
    assert "the table of 210 deals stands until this run, now at 30," in capsys.readouterr().out


@pytest.mark.parametrize("case", ablations.CASES, ids=lambda case: case.name)
def test_a_published_plot_is_the_one_that_its_figures_give(case):
    """By what is written in it: strokes hang on the version of what draws them."""
    figures, plot, text = (ablations.REPORTS / f"ablations-{case.name}.{end}" for end in ("json", "svg", "md"))
    data = json.loads(figures.read_text("utf-8"))
    assert f"![{ablations.described(data)}]({plot.name})" in text.read_text("utf-8")
    drawn = ablations.drawn(data), plot.read_text("utf-8")
    ours, published = (re.findall("<text[^>]*>([^<]*)", text) for text in drawn)
    assert ours == published
    assert {"P+R", "P+G+R", "8", "512"} <= set(ours)


def test_a_plot_is_told_by_its_table_and_the_ends_of_its_lines():
    cell = {"share": 0.5, "reach": 0.1}
    line = {"8": cell, "32": cell, "512": cell | {"share": 0.625}}
    data = {"plan": {"game": "gin", "players": 2, "preset": "classic"}, "curves": {"P+R": line, "P+G+R": {"8": cell}}}
    assert ablations.described(data) == (
        "Gin Rami, 2 seats, classic: share of wins among skilled, %, by the time of a move; "
        "P+R from 50.0 ± 10.0 with 8 worlds to 62.5 ± 10.0 with 512 worlds; "
        "P+G+R from 50.0 ± 10.0 with 8 worlds to 50.0 ± 10.0 with 8 worlds"
    )


@pytest.mark.parametrize("sizes", [strength.SIZES, ablations.CASES], ids=["strength", "ablations"])
def test_a_game_that_has_no_tables_is_refused_and_not_told_as_whole(sizes, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["bench", "--game", "nosuch"])
    with pytest.raises(SystemExit):
        strength.in_turn("bench", sizes, None)
    assert "invalid choice: 'nosuch'" in capsys.readouterr().err
