"""The catalogues: the same sentences in every language, each at one place, with the same values to fill in."""

import re
import tomllib
from collections import Counter
from importlib import resources
from itertools import combinations

import pytest

from brelan.games import GAMES
from brelan.words import LANGUAGES, Words, catalogue, flat

TITLES = ("option.", "value.", "preset.", "zone.")
"""What is named, and what is said of it behind a colon."""

ENDS = ("result", "ending")

ROOMS = [None, *(game.id for game in GAMES)]


def sentences(language, room):
    """Names with their sentences, file by file; a name may so come twice."""
    folder = resources.files(f"brelan.games.{room}" if room else "brelan.words")
    for file in folder.iterdir():
        if file.name.endswith(f".{language}.toml"):
            yield from flat(tomllib.loads(file.read_text("utf-8"))).items()


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_stands_at_one_place(language, room):
    assert [name for name, n in Counter(name for name, _ in sentences(language, room)).items() if n > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_letters_on_coloured_cards_begin_the_colours_words(language):
    """And tell each from all others of its game, by two at most, for more are wider than a corner; they stand in the
    order that the page's sheet of cards has.
    """
    letters = dict(zip("RYGBPOS", catalogue(language)["client.colour_letters"].split(), strict=True))
    assert max(map(len, letters.values())) <= 2
    for game in GAMES:
        told = {name[-1]: word for name, word in catalogue(language, game.id).items() if name.startswith("colour.")}
        assert all(word.upper().startswith(letters[colour].upper()) for colour, word in told.items())
        assert len({letters[colour] for colour in told}) == len(told)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("room", ROOMS[1:])
def test_no_title_has_a_colon(language, room):
    titles = (text for name, text in catalogue(language, room).items() if name.startswith(TITLES))
    assert [title for title in titles if ":" in title] == []


@pytest.mark.parametrize(
    ("things", "said"),
    [([], ""), (["Anna"], "Anna"), (["Anna", "Ben"], "Anna and Ben"), (["a", "b", "c"], "a, b and c")],
)
def test_names_are_told_as_one_phrase(things, said):
    assert Words("en").listed(things) == said


@pytest.mark.parametrize(("language", "said"), [("en", "1,234,567.80 ± 0.25"), ("fr", "1\u202f234\u202f567,80 ± 0,25")])
def test_figures_have_the_digits_of_their_language(language, said):
    assert Words(language).written(f"{1234567.8:,.2f} ± {0.25:.2f}") == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_minus_is_longer_than_a_hyphen(language):
    words = Words(language)
    assert [words.written("-3"), words.number(-3, 0), words.signed(-3), words.signed(-0.4)] == ["−3", "−3", "−3", "0"]


NAMES = {"lesson.others"}
"""What is called the same everywhere."""


def is_sentence(text):
    """Whether so many words stand there, what is filled in aside, that no two languages have them all in common."""
    return len(re.findall(r"[^\W\d_]{2,}", re.sub(r"\{[^}]*\}|<[^>]*>", "", text))) > 2


@pytest.mark.parametrize("room", ROOMS)
def test_no_sentence_is_the_same_in_two_languages(room):
    """It would be one that nobody has translated."""
    for one, other in combinations([catalogue(language, room) for language in LANGUAGES], 2):
        same = {name for name in one if one[name] == other[name] and is_sentence(one[name])}
        assert same - NAMES == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("room", ROOMS[1:])
def test_how_a_round_ended_is_said_at_the_table_and_named_in_a_report(room, language):
    sentences = catalogue(language, room)
    said, named = ({name.removeprefix(f"{of}.") for name in sentences if name.startswith(f"{of}.")} for of in ENDS)
    assert said == named != set()


@pytest.mark.parametrize("room", ROOMS[1:])
def test_no_paragraph_of_a_rulebook_is_the_same_in_two_languages(room):
    folder = resources.files(f"brelan.games.{room}")
    books = [folder.joinpath(f"rulebook.{language}.md").read_text("utf-8") for language in LANGUAGES]
    for one, other in combinations([{*book.splitlines()} for book in books], 2):
        assert {line for line in one & other if is_sentence(line)} == set()
