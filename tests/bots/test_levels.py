"""Levels: what their files publish is told where it was measured, and nowhere else."""

import json

import pytest

from bench.strength import REPORTS, SIZES, publish
from brelan import games
from brelan.bots.levels import choices, find, measured, strengths
from brelan.errors import Refusal
from tests.tables import for_every_game


def test_a_strength_of_one_preset_is_not_told_of_another():
    gin = games.find("gin")
    told = {preset: strengths(gin, preset) for preset in ("sheet", "classic")}
    assert set(told["classic"]) < set(told["sheet"])
    assert told["classic"] != {name: told["sheet"][name] for name in told["classic"]}
    assert all(find(gin, name, "classic").mind.weights for name in choices(gin))


def test_a_preset_that_was_not_measured_tells_no_strength():
    elements = games.find("elements")
    assert strengths(elements, "adlung") == {"novice": 0}  # by which all others are told
    assert len(strengths(elements)) > 1


@for_every_game
def test_people_are_told_what_the_published_table_says(game, tmp_path):
    for size in SIZES:
        if (size.game, size.players) == (game.id, game.seats[0]):
            publish(tmp_path / "strengths.json", json.loads((REPORTS / f"{size.name}.json").read_text("utf-8")))
    file = tmp_path / "strengths.json"
    told = json.loads(file.read_text("utf-8")) if file.exists() else {}  # a new game has none
    assert told or not measured(game.id)
    for preset, found in told.items():
        assert found.items() <= measured(game.id)[preset].items()


@pytest.mark.parametrize("given", ["weights", "values", "weights@1", "skilled@0", ""])
def test_what_else_a_file_of_levels_holds_is_no_level(given):
    with pytest.raises(Refusal, match="known: random, novice"):
        find(games.find("gin"), given)
