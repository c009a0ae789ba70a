"""The lab's pages, which stand by themselves, on a phone."""

from itertools import permutations

import pytest

from brelan.lab import arena, arena_report, balance, balance_report
from brelan.words import Words

BOTS = ("random", "novice", "beginner", "casual", "skilled", "strong", "master")
EN = Words("en")
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
LETTERS = """() => [...document.querySelectorAll("svg text")].map((text) => {
    const { a, b } = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
})"""
"""How high the letters of the plots are, in CSS pixels."""

SMALLEST = 8  # those of a power of ten, raised above the line


def of_an_arena():
    data = arena_report.as_data(arena.Table(arena.Plan("gin", BOTS, 2)), {}, EN)
    data["shares"] = [{"alone": a, "among": b, "share": 0.5, "reach": 0.12} for a, b in permutations(BOTS, 2)]
    data["ratings"] = {bot: 100 * i for i, bot in enumerate(BOTS)}
    data["milliseconds"] = {bot: {"median": 10.0**i, "p99": 10.0**i, "max": 1.0} for i, bot in enumerate(BOTS)}
    return arena_report.as_page(data, EN)


def of_a_balance():
    plan = balance.Plan("companeros", 3, matches=12)
    data = balance_report.as_data(plan, balance.total(balance.run(plan)), 10)
    moves = [{"name": "decisions", "place": -1, "value": 1.5, "reach": 0.5}] * 3
    data["options"] = [{"option": "rounds", "value": 5, "verdict": "felt", "moves": moves}]
    return balance_report.as_page(data, EN)


@pytest.fixture(params=[of_an_arena, of_a_balance])
def phone(chromium, request):
    page = chromium.new_page(viewport={"width": 360, "height": 640}, is_mobile=True, has_touch=True)
    page.set_content(request.param())
    yield page
    page.close()


def test_a_report_fits_a_phone(phone):
    """What is too wide is scrolled by itself, and the page is not."""
    assert phone.evaluate("innerWidth") == 360
    assert phone.evaluate(SIDEWAYS) == 0
    assert phone.evaluate("[...document.querySelectorAll('.wide')].some(one => one.scrollWidth > one.clientWidth)")


def test_the_letters_of_a_plot_can_be_read_on_a_phone(phone):
    letters = phone.evaluate(LETTERS)
    assert len(letters) > 20
    assert min(letters) > SMALLEST
