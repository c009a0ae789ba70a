"""Completeness: every registered game has every room, every word and every paragraph."""

import re
import string
from importlib import resources

import pytest

from brelan.games import GAMES
from brelan.words import LANGUAGES, Words, catalogue
from tests.tables import for_every_game

SHARED = {"card.hidden", "prompt.over", "prompt.wait", "prompt.shuffle", "zone.hand"}


def test_games_are_found_by_unique_ids():
    assert len({game.id for game in GAMES}) == len(GAMES)


@for_every_game
def test_options_and_presets_are_consistent(game):
    names = {option.name for option in game.options}
    assert "sheet" in game.presets
    for preset, values in game.presets.items():
        assert values.keys() <= names
        for players in game.seats:
            settled = game.settle(players, preset)
            assert list(settled) == [option.name for option in game.options]
            state = game.new(players, preset=preset)
            assert all(hasattr(state, name) for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_catalogues_hold_what_everybody_asks_for(game, language):
    words = Words(language, game.id)
    asked = SHARED | {f"option.{o.name}" for o in game.options} | {f"preset.{p}" for p in game.presets}
    assert not [key for key in asked if key not in words]


@pytest.mark.parametrize("game_id", [None, *(game.id for game in GAMES)])
def test_both_languages_say_the_same_things_with_the_same_values(game_id):
    english, french = (catalogue(language, game_id) for language in ("en", "fr"))
    assert english.keys() == french.keys()
    for key in english:
        assert values_in(english[key]) == values_in(french[key]), key


def values_in(sentence):
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_the_rulebook_has_a_paragraph_for_every_rule_the_game_names(game, language):
    book = resources.files(f"brelan.games.{game.id}").joinpath(f"rulebook.{language}.md").read_text("utf-8")
    anchors = re.findall(r'<a id="([A-Z0-9-]+)"></a>', book)
    assert len(set(anchors)) == len(anchors)
    refusals = {key.removeprefix("why.") for key in catalogue(language, game.id) if key.startswith("why.")}
    assert not (refusals | {option.rule for option in game.options}) - set(anchors)
