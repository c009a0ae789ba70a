"""Completeness: every registered game has every room, every word and every paragraph."""

import re
import string

import pytest

from brelan.games import GAMES
from brelan.words import LANGUAGES, Words, catalogue
from tests.laws.rulebooks import anchors, rulebook
from tests.tables import for_every_game
from tests.variants import added, tried

SHARED = {"about.line", "card.hidden", "prompt.over", "prompt.wait", "prompt.shuffle", "zone.hand"}


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


@for_every_game
def test_every_option_is_tried_with_several_values(game):
    """tests/games/x/options.toml gives them where they do not follow from the kind of the option."""
    tables = [tried(game, players) for players in game.seats]
    assert added(game).keys() <= {option.name for option in game.options}
    for option in game.options:
        assert all(len(at[option.name]) > 1 for at in tables), option.name
        unused = [v for v in added(game).get(option.name, []) if not any(v in at[option.name] for at in tables)]
        assert not unused, option.name


@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_catalogues_hold_what_everybody_asks_for(game, language):
    words = Words(language, game.id)
    asked = SHARED | {f"option.{o.name}" for o in game.options} | {f"preset.{p}" for p in game.presets}
    assert not [key for key in asked if key not in words]


@pytest.mark.parametrize("room", [None, *(game.id for game in GAMES)])
def test_every_language_says_the_same(room):
    first, *others = [catalogue(language, room) for language in LANGUAGES]
    for other in others:
        assert first.keys() == other.keys()
        assert {name for name in first if fields(first[name]) != fields(other[name])} == set()


def fields(sentence):
    return {name.partition(".")[0] for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_the_rulebook_has_the_apostrophes_of_all_other_texts(game, language):
    """It is read beside them, at the table; only what is typed, in code, has the typewriter's."""
    assert "'" not in re.sub(r"`[^`]*`", "", rulebook(game, language))


@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_the_rulebook_calls_no_option_by_a_name_that_no_form_shows(game, language):
    """Those stand only where the options are listed, as records write them."""
    assert not re.search(r"\boption\s+\*\w+\*", rulebook(game, language))


@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_the_rulebook_has_a_paragraph_for_every_rule_the_game_names(game, language):
    found = anchors(game, language)
    assert len(set(found)) == len(found)
    refusals = {key.removeprefix("why.") for key in catalogue(language, game.id) if key.startswith("why.")}
    assert not (refusals | {option.rule for option in game.options}) - set(found)


DECISIONS = {
    "companeros": "C1-17 O-C1-3 O-A1 O-A3 O-A5-7",
    "elements": "E1-25 O-E1-9 O-A1-7",
    "hawaiki": "H1-28 O-H1-15 O-A1-7",
    "gin": "G1-18 O-G1-8 O-A1 O-A3 O-A5-7",
    "mio": "M1-25 O-M1-9 O-A1 O-A3 O-A5-7",
}
"""All that the rules of a game settle, by id; the rows O-A8 and O-A9 speak of records and of no game."""


def decided(ranges):
    """The ids of ranges: "C1-3 O-A1" are C1, C2, C3 and O-A1."""
    found = [re.fullmatch(r"(\D+)(\d+)(?:-(\d+))?", part).groups() for part in ranges.split()]
    return {f"{row}{n}" for row, first, last in found for n in range(int(first), int(last or first) + 1)}


def without_gaps(ids):
    """The same rows of ids, each from 1 to its last."""
    rows = [re.fullmatch(r"(\D+)(\d+)", name).groups() for name in ids]
    return {f"{row}{n}" for row, last in rows for n in range(1, int(last) + 1)}


@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_the_rulebook_holds_every_decision_and_no_other(game, language):
    """Of a game that is not listed here the rulebook itself says what is decided, numbered without a gap."""
    found = set(anchors(game, language))
    expected = decided(DECISIONS[game.id]) if game.id in DECISIONS else without_gaps(found)
    assert (sorted(expected - found), sorted(found - expected)) == ([], [])
