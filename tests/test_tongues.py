"""What each language does in its own way, and one that is only begun."""

import json
import subprocess
from pathlib import Path

import pytest

import brelan.server
from brelan.words import LANGUAGES, Words, catalogue, spoken
from brelan.words.tongues import TONGUES, Tongue, tongue_of
from tests.bots.programs import needs_node

SCRIPT = Path(brelan.server.__file__).parent / "static" / "words.js"

FORMS = """
globalThis.document = { documentElement: { lang: LANGUAGE }, getElementById: () => null };
import(LOCATION).then(({ words }) => console.log(JSON.stringify(NUMBERS.map((n) => words(FORMS, { n })))));
"""

POLISH = Tongue("polski", lambda n: 0 if abs(n) == 1 else 2 - (n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)))


@pytest.fixture
def begun(monkeypatch):
    """A language of which there is no file yet."""
    monkeypatch.setitem(TONGUES, "pl", POLISH)
    return "pl"


def chosen_by_pages(tmp_path, language, forms, numbers):
    module = tmp_path / "words.mjs"
    module.write_text(SCRIPT.read_text())
    given = {"LANGUAGE": language, "LOCATION": module.as_uri(), "NUMBERS": numbers, "FORMS": forms}
    program = FORMS
    for name, value in given.items():
        program = program.replace(name, json.dumps(value))
    run = ["node", "--input-type=module", "--eval", program]
    return json.loads(subprocess.run(run, capture_output=True, text=True, check=True).stdout)


@needs_node
@pytest.mark.parametrize(("language", "forms"), [*((one, "one|several") for one in LANGUAGES), ("pl", "one|few|many")])
def test_house_and_page_choose_the_same_form(tmp_path, monkeypatch, begun, language, forms):
    numbers = [-1, 0, 1, 2, 4, 5, 12, 21, 22, 100, 1_000_000, *([] if language == begun else [0.5, 1.5])]
    monkeypatch.setitem(spoken(language, None), "forms", forms)
    said = [Words(language)("forms", n=n) for n in numbers]
    assert chosen_by_pages(tmp_path, language, forms, numbers) == said


@pytest.mark.parametrize(
    ("language", "one", "several"), [("en", [1], [0, 1.5, 2, 1_000_000]), ("fr", [0, 1, 1.5], [2, 1_000_000])]
)
def test_a_number_takes_the_form_of_its_language(language, one, several):
    points = [Words(language)("client.points", n=n).split()[1] for n in (*one, *several)]
    assert points == ["point"] * len(one) + ["points"] * len(several)


def test_what_a_language_does_not_say_yet_is_said_in_the_first(begun):
    assert catalogue(begun) == {}
    assert Words(begun)("page.home") == Words("en")("page.home")
    assert Words(begun, "hawaiki")("client.points", n=2) == Words("en", "hawaiki")("client.points", n=2)


@pytest.mark.parametrize(("language", "share", "day"), [("en", "86%", "2026-11-21"), ("fr", "86\u00a0%", "21/11/2026")])
def test_shares_and_days_are_written_as_in_their_language(language, share, day):
    assert (Words(language).percent(0.859), Words(language).day("2026-11-21")) == (share, day)


def test_a_tag_means_a_language_whatever_its_region():
    assert [tongue_of(tag) for tag in ("fr", "fr-CA", "FR_ca.UTF-8", "en@euro")] == ["fr", "fr", "fr", "en"]
    assert [tongue_of(tag) for tag in ("", "C", "fro", "x-fr")] == [None] * 4
