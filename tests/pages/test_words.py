"""Every sentence that a page's scripts ask for stands in the catalogue of both languages, and none is idle."""

import re
from collections import ChainMap
from pathlib import Path

import pytest

import brelan.server
from brelan.game import MANNERS
from brelan.games import GAMES
from brelan.server.pages.spoken import client_words, sayings
from brelan.words import LANGUAGES

STATIC = Path(brelan.server.__file__).parent / "static"
PAGES = {"table.js": (), "replay.js": ("replay",), "lesson.js": ("lesson",)}
"""What each page brings besides the words of the table."""

COMPOSED = re.compile(r"\bwords\(`(\w+?_)\$\{")


def scripts(name, found=None):
    """The text of a script and of all that it imports, by name."""
    found = {} if found is None else found
    if name not in found and not name.startswith("vendor"):
        found[name] = (STATIC / name).read_text()
        for other in re.findall(r'from "\./([\w/.-]+\.js)"', found[name]):
            scripts(other, found)
    return found


def listed(script, before):
    """The strings of the list that follows these words in a script."""
    return re.findall(r'"(\w+)"', re.search(rf"{re.escape(before)}[^\[]*\[(.*?)\]", (STATIC / script).read_text())[1])


def keys(script, name):
    """The names in a table of a script."""
    table = re.search(rf"const {name} = {{(.*?)^}};", (STATIC / script).read_text(), re.DOTALL | re.MULTILINE)[1]
    return re.findall(r"^  (\w+):", table, re.MULTILINE)


LISTS = [
    ("key_", listed("sheets.js", "const KEYS =")),
    ("does_", [*listed("sheets.js", "const KEYS ="), *listed("keys.js", "const LETTERS =")]),
    ("sort_", listed("settings.js", "const SORTS =")),
    ("sound_", keys("sound.js", "TONES")),
    ("theme_", listed("settings.js", "const THEMES =")),
    ("manner_", MANNERS),
]


def sentences(language, *sections):
    """All that a page may say at some table."""
    own = [client_words(language, *sections, game=game.id) for game in GAMES]
    return dict(ChainMap(*own)) | sayings(language)


@pytest.fixture(params=PAGES)
def page(request):
    return "\n".join(scripts(request.param).values()), PAGES[request.param]


@pytest.fixture(params=LANGUAGES)
def language(request):
    return request.param


def test_every_name_has_its_sentence(page, language):
    text, sections = page
    named = set(re.findall(r'\bwords\("(\w+)"', text)) | set(re.findall(r'\bbutton\("(\w+)"', text))
    assert len(named) > 10
    assert not named - set(sentences(language, *sections))


def test_names_that_are_composed_have_theirs(page, language):
    """Those of the lists that the scripts hold, one by one; of the others, that there are some."""
    text, sections = page
    known = set(sentences(language, *sections))
    for prefix in set(COMPOSED.findall(text)):
        assert [name for name in known if name.startswith(prefix)], prefix
    assert not {prefix + name for prefix, names in LISTS for name in names} - known


def test_no_sentence_is_idle(language):
    text = "\n".join("\n".join(scripts(name).values()) for name in PAGES)
    used = set(re.findall(r'"(\w+)"', text))
    composed = (*COMPOSED.findall(text), *(prefix for prefix, _ in LISTS))
    assert not {name for name in set(client_words(language)) - used if not name.startswith(composed)}
