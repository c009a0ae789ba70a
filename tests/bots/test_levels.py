"""Levels: what their files publish is told where it was measured, and nowhere else."""

import json

import pytest

from bench.strength import REPORTS, SIZES, publish
from brelan import games
from brelan.bots.levels import NAMES, SEARCH, choices, find, measured, strengths, versions
from brelan.errors import Refusal
from tests.tables import for_every_game


def test_a_strength_of_one_preset_is_not_told_of_another():
    gin = games.find("gin")
    told = {preset: strengths(gin, preset, 2)[1] for preset in ("sheet", "classic")}
    assert set(told["classic"]) < set(told["sheet"])
    assert told["classic"] != {name: told["sheet"][name] for name in told["classic"]}
    assert all(find(gin, name, "classic").mind.weights for name in choices(gin))


def test_a_preset_that_was_not_measured_tells_no_strength():
    elements = games.find("elements")
    assert strengths(elements, "adlung", 4) == (4, {"novice": 0})  # by which all others are told
    assert len(strengths(elements, "sheet", 4)[1]) > 1


def test_a_strength_is_that_of_the_table_or_of_the_nearest_size_that_was_measured():
    mio = games.find("mio")
    sizes = [strengths(mio, "sheet", players) for players in mio.seats]
    assert [size for size, _ in sizes] == [2, 2, 4, 4, 4]
    assert sizes[0][1]["strong"] > sizes[2][1]["strong"], "luck weighs more among four"
    assert ("master" in sizes[2][1]) == ("master@4" in measured("mio")["sheet"]["4"])


@for_every_game
def test_a_version_says_nothing_that_nobody_reads(game):
    """A misspelt number would be left out, and what the bot then answers be published."""
    known = {"version", "weights", "blur", "careless", "values", "hopes", *SEARCH}
    assert not [(name, says) for name in NAMES for says in versions(game, name) if not says.keys() <= known]


@for_every_game
def test_people_are_told_what_the_published_table_says(game, tmp_path):
    for size in SIZES:
        if size.game == game.id:
            publish(tmp_path / "strengths.json", json.loads((REPORTS / f"{size.name}.json").read_text("utf-8")))
    file = tmp_path / "strengths.json"
    told = json.loads(file.read_text("utf-8")) if file.exists() else {}  # a new game has none
    assert told or not measured(game.id)
    for preset, sizes in told.items():
        for size, found in sizes.items():
            assert found.items() <= measured(game.id)[preset][size].items()


@pytest.mark.parametrize("given", ["weights", "values", "weights@1", "skilled@0", "skilled@", ""])
def test_what_else_a_file_of_levels_holds_is_no_level(given):
    with pytest.raises(Refusal, match="known: random, novice"):
        find(games.find("gin"), given)
