"""`make new-game` gives a game that plays and obeys every law, and the laws tell what its author then leaves out."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.new_game import ROOT, begin


@pytest.fixture
def house(tmp_path):
    """A copy of the house in which a game was begun."""
    for folder in ("src", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    begin("kuhn", tmp_path)
    return tmp_path


def in_house(house, *arguments):
    environment = os.environ | {"PYTHONPATH": str(house / "src")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=house, env=environment, capture_output=True, text=True, timeout=300)


def laws(house):
    return in_house(
        house, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "tests/laws", "tests/games/kuhn", "-k", "kuhn"
    )


def test_a_game_just_begun_obeys_every_law(house):
    assert in_house(house, "-m", "tests.golden").returncode == 0
    assert in_house(house, "-m", "tests.perft").returncode == 0
    result = laws(house)
    assert result.returncode == 0, result.stdout[-3000:]
    assert " passed" in result.stdout


def test_what_is_missing_is_told(house):
    room = house / "src/brelan/games/kuhn"
    (room / "rulebook.fr.md").write_text("# Kuhn\n")
    words = (room / "words.fr.toml").read_text()
    (room / "words.fr.toml").write_text(words.replace("N2 =", "N9 ="))
    result = laws(house)
    assert result.returncode == 1
    for law in (
        "test_the_rulebook_has_a_paragraph",
        "test_both_languages_say_the_same",
        "test_a_golden_match",
        "test_as_many",
    ):
        assert law in result.stdout


@pytest.mark.parametrize("name", ["", "Kuhn", "9lives", "gin", "../x"])
def test_a_wrong_or_taken_name_is_refused(name, house):
    with pytest.raises(ValueError, match="new-game: "):
        begin(name, house)
