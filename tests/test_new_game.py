"""`make new-game` gives a game that plays and obeys every law, and the laws tell what its author then leaves out."""

import os
import shutil
import subprocess
import sys

import pytest

from brelan.games import GAMES
from brelan.words import LANGUAGES, Words
from tests.new_game import ROOT, begin


@pytest.fixture
def house(tmp_path):
    """A copy of the house in which a game was begun."""
    for folder in ("src", "tests", "docs", "bench"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "CONTRIBUTING.md", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / file, tmp_path)
    begin("newborn", tmp_path)
    return tmp_path


def in_house(house, *arguments, says=None):
    environment = os.environ | {"PYTHONPATH": str(house / "src")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=house, env=environment, input=says, capture_output=True, text=True, timeout=600)


def asked(house, *tests, only="newborn"):
    return in_house(house, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *tests, "-k", only)


def laws(house):
    return asked(house, "tests/laws", "tests/games/newborn")


def golden(house):
    """`make golden GAME=newborn`."""
    return [in_house(house, "-m", f"tests.{module}", "newborn") for module in ("golden", "perft")]


ELSEWHERE = ("tests/pages", "tests/gallery", "tests/proofs", "tests/test_new_game.py")
"""Browsers, and what asks whole houses."""


def test_a_game_just_begun_passes_every_test_of_the_house(house):
    """The laws, its own tests, and whatever else asks each game: bots, environments, terminal, tables, pages."""
    assert [made.returncode for made in golden(house)] == [0, 0]
    assert in_house(house, "-m", "tests.envs.book").returncode == 0
    left_out = [f"--ignore={path}" for path in ELSEWHERE]
    result = asked(house, *left_out, "tests", only="newborn or test_audit and every_deck or test_site or test_book")
    assert result.returncode == 0, result.stdout[-3000:]
    assert " passed" in result.stdout


def test_a_game_just_begun_is_as_the_linter_wants_it(house):
    for command in (["check"], ["format", "--check"]):
        result = in_house(house, "-m", "ruff", *command, "--no-cache", ".")
        assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_just_begun_is_played_at_once(house, language):
    """Each card that is asked for is the first of the hand; nothing is told as bare notation."""
    played = in_house(house, "-m", "brelan", "play", "newborn", "--lang", language, says="1\n" * 15)
    assert played.returncode == 0, played.stderr[-3000:]
    assert Words(language)("terminal.you") in played.stdout
    assert "play R" not in played.stdout.replace("[play R", "")


SEARCHED = """
from brelan import games
from brelan.bots.levels import Mind
from brelan.bots.thinker import Thinker
game = games.find("newborn")
state = game.new(2)
game.rules.deal(state, list(range(game.rules.DECK)))
assert Thinker(game, compiled=False).found(state, 0, Mind(worlds=8), 1).worlds
"""


def test_a_level_of_a_game_just_begun_can_search_and_has_no_weights_to_tune(house):
    assert in_house(house, "-c", SEARCHED).returncode == 0
    tuned = in_house(house, "-m", "brelan", "tune", "newborn")
    assert (tuned.returncode, tuned.stderr.count("\n")) == (2, 1)
    assert "START" in tuned.stderr


def test_what_is_missing_is_told(house):
    room = house / "src/brelan/games/newborn"
    (room / "rulebook.fr.md").write_text("# Newborn\n")
    words = (room / "words.fr.toml").read_text()
    (room / "words.fr.toml").write_text(words.replace("N2 =", "N9 =").replace('trick = "Le', 'taken = "Le'))
    result = laws(house)
    assert result.returncode == 1
    for law in (
        "test_the_rulebook_has_a_paragraph",
        "test_every_language_says_the_same",
        "outcome.trick",
        "test_a_golden_match",
        "test_as_many",
    ):
        assert law in result.stdout


def test_a_position_that_no_longer_fits_is_named(house):
    assert [made.returncode for made in golden(house)] == [0, 0]
    rules = house / "src/brelan/games/newborn/rules.py"
    rules.write_text(rules.read_text().replace("DECK = 30", "DECK = 25"))
    made = in_house(house, "-m", "tests.perft", "newborn")
    assert made.returncode == 1
    assert made.stderr.startswith("perft: tests/games/newborn/perft.txt no longer fits the rules of Newborn (")
    assert made.stderr.count("\n") == 1


def test_golden_files_of_what_is_no_more_are_taken_away(house):
    folder = house / "tests/games/newborn/golden"
    golden(house)
    (folder / "short-2.txt").write_text("a preset that there was once\n")
    golden(house)
    assert sorted(path.name for path in folder.iterdir()) == ["sheet-2.txt", "sheet-6.txt"]


def test_golden_files_of_a_game_that_nobody_knows_are_refused_in_a_sentence(house):
    made = in_house(house, "-m", "tests.golden", "whist")
    assert (made.returncode, made.stderr.count("\n")) == (1, 1)
    assert "“whist” is not a game of the house" in made.stderr


@pytest.mark.parametrize("name", ["", "Kuhn", "9lives", "gin", "../x", "class", "lambda"])
def test_a_wrong_or_taken_name_is_refused(name, house):
    with pytest.raises(ValueError, match="new-game: "):
        begin(name, house)


def test_a_seventh_game_with_a_long_name_is_imported_as_the_first_was(house):
    """Many names stand in brackets, over several lines."""
    for name in ("schieber_jass_for_four_players", "another_two_deck_rummy", "president_with_jokers"):
        begin(name, house)
    listed = in_house(house, "-c", "from brelan.games import GAMES; print(len(GAMES))")
    assert int(listed.stdout) == len(GAMES) + 4
