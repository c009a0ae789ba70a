"""The lab's pages, which stand by themselves, on a phone."""

from itertools import permutations

from brelan.lab.arena import Plan, Table
from brelan.lab.arena_report import as_data, as_page
from brelan.words import Words

BOTS = ("random", "novice", "beginner", "casual", "skilled", "strong", "master")
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"


def test_the_arenas_table_of_every_level_fits_a_phone(chromium):
    """What is too wide is scrolled by itself, and the page is not."""
    data = as_data(Table(Plan("gin", BOTS, 2)), {})
    data["shares"] = [{"alone": a, "among": b, "share": 0.5, "reach": 0.12} for a, b in permutations(BOTS, 2)]
    page = chromium.new_page(viewport={"width": 380, "height": 700})
    try:
        page.set_content(as_page(data, Words("en")))
        assert page.evaluate(SIDEWAYS) == 0
    finally:
        page.close()
