"""The page about fairness in a browser, and its calculator."""

import re
from math import comb
from pathlib import Path

import pytest

import brelan.server
from brelan.server.pages.spoken import client_words
from brelan.words import LANGUAGES, Words
from tests.pages.people import SIZES
from tests.pages.readers import Reader

STATIC = Path(brelan.server.__file__).parent / "static"


class Page:
    def __init__(self, chromium, house, size="desktop", **context):
        width, height = SIZES[size]
        self.context = chromium.new_context(viewport={"width": width, "height": height}, **{"locale": "en"} | context)
        self.page, self.errors = self.context.new_page(), []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        self.page.goto(f"{house}/fair")

    def answer(self, **asked):
        for name, value in asked.items():
            self.page.locator(f".streaks [name={name}]").fill(str(value))
        return self.page.locator(".streaks output").inner_text()


def test_the_calculator_knows_what_to_expect(chromium, house):
    """Three aces or more among ten cards of 52: 3.59 %, by the hypergeometric distribution."""
    page = Page(chromium, house)
    once = sum(comb(4, k) * comb(48, 10 - k) for k in (3, 4)) / comb(52, 10)
    says = page.answer(cards=52, kind=4, hand=10, least=3, deals=100)
    assert f"{once:.2%}" in says
    assert f"once in {1 / once:.1f} deals" in says
    assert "at least once" not in page.answer(deals=1).lower()  # which is one deal, told already
    assert f"{1 - (1 - once) ** 100:.1%}" in says
    assert "expected 3.59 times" in says or f"{once * 100:.3g} times" in says
    assert "cannot happen" in page.answer(least=5)
    assert "not so many" in page.answer(hand=53)
    assert page.answer(hand=10, least=0) == "That happens in every deal: no hand can hold fewer."
    assert "in every deal" in page.answer(cards=10, kind=4, hand=8, least=2)
    assert "to be expected once." in page.answer(cards=10, kind=1, hand=1, least=1, deals=10)
    assert "almost always." in page.answer(cards=500, kind=499, hand=1, least=1)
    page.page.locator(".streaks select").select_option(label="Hawaiki (70)")
    assert page.page.locator(".streaks [name=hand]").input_value() == "6"
    page.answer(cards=5000, deals=2.5)
    page.page.locator(".streaks [name=hand]").focus()
    shown = [page.page.locator(f".streaks [name={name}]").input_value() for name in ("cards", "deals")]
    assert shown == ["500", "2"], "a field says what was reckoned with"
    page.answer(cards=5000, deals=2.5)
    page.page.locator(".streaks [name=hand]").focus()
    assert [page.page.locator(f".streaks [name={name}]").input_value() for name in ("cards", "deals")] == ["500", "2"]
    assert not page.errors
    page.context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_comes_rather_often_is_not_said_to_come_almost_always(chromium, house, language):
    """Once in 1.7 deals: French counts that as one."""
    page = Page(chromium, house, locale=language)
    says = page.answer(cards=52, kind=4, hand=10, least=1, deals=1)
    share, times = ("58.7%", "1.7") if language == "en" else ("58,7\u00a0%", "1,7")
    assert says == Words(language)("streaks.streak_once", percent=share, times=times)
    page.context.close()


def test_a_thousand_is_not_taken_for_one_where_a_point_parts_thousands(chromium, house):
    page = Page(chromium, house)
    page.page.evaluate("document.documentElement.lang = 'de'")
    assert "once in 1.000 deals." in page.answer(cards=78, kind=2, hand=3, least=2, deals=1)
    page.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_it_is_read_on_every_screen(chromium, house, size):
    page = Page(chromium, house, size)
    assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.page.locator("#audit + p + .scroll tbody tr").count() == 9
    page.context.close()


HYPHEN = """() => {
    const text = document.querySelector("h1").firstChild;
    const range = document.createRange();
    const at = text.data.indexOf("-");
    range.setStart(text, at);
    range.setEnd(text, at + 4);
    return new Set([...range.getClientRects()].map(line => line.top)).size;
}"""


def test_what_the_page_asks_is_not_parted_at_its_hyphen(chromium, house):
    """The verb and who does it, in French."""
    reader = Reader(chromium, house, "phone", locale="fr")
    reader.page.goto(f"{house}/fair")
    assert reader.page.evaluate(HYPHEN) == 1
    reader.context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_calculator_speaks_both_languages(language):
    script = (STATIC / "fair.js").read_text()
    named = set(re.findall(r'\bwords\("(\w+)"', script)) | {
        f"streak_{name}" for name in re.findall(r'field\("(\w+)"\)', script)
    }
    known = set(client_words(language, "streaks")) - set(client_words(language))
    assert named == known
