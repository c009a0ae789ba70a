"""On paper: whatever is printed is there whole, in ink, and without what is only pressed."""

import pytest

from tests.gallery.moments import moments
from tests.gallery.stage import furnish, stage
from tests.pages.colours import contrast
from tests.server.clients import Process

LEAF = (718, 1047)
"""What the usual margins leave of A4."""

HEIGHTS = """one => [one.scrollHeight, one.clientHeight, one.offsetHeight]"""
SEEN = """() => [...document.querySelectorAll(".button, .icon, nav a, input, .colophon, .bar")]
    .filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 80))"""
INK = """one => "#" + getComputedStyle(one).color.match(/\\d+/g)
    .map((part) => Number(part).toString(16).padStart(2, "0")).join("")"""


@pytest.fixture(scope="module")
def played():
    return moments("companeros", 6, "print1")


@pytest.fixture(scope="module")
def address(played, tmp_path_factory):
    folder = tmp_path_factory.mktemp("print")
    furnish(folder, [played[0]])
    with Process(folder) as house:
        yield house.address.rstrip("/")


@pytest.fixture
def ended(played, address, chromium):
    """A table at the end of its match."""
    table, found = played
    with stage(chromium, address, table.code) as on:
        on.show(found["end"].views["en"])
        yield on


def printed(on):
    on.resize(*LEAF)
    on.page.emulate_media(media="print")


def is_whole(page, part):
    """Whether nothing of it is left to scroll to, though it is longer than one leaf."""
    whole, inside, outside = page.locator(part).evaluate(HEIGHTS)
    return whole <= inside + 1 and outside > LEAF[1]


def test_the_end_of_a_match_is_printed_whole(ended):
    printed(ended)
    assert is_whole(ended.page, "#table")
    assert is_whole(ended.page, ".felt")
    assert ended.page.evaluate(SEEN) == []
    for part in (".result h2", ".gain", ".laid .score"):
        assert contrast(ended.page.locator(part).first.evaluate(INK), "#ffffff") > 4.5, part


def test_an_invitation_is_printed_in_ink(address, chromium):
    """The waiting room, by day and by night: to be pinned up."""
    form = {"game": "companeros", "against": "friends", "nickname": "Anna", "players": "4"}
    for scheme in ("light", "dark"):
        page = chromium.new_page(service_workers="block", color_scheme=scheme)
        page.goto(address)
        made = page.request.post(f"{address}/tables", form=form, headers={"origin": address}, max_redirects=0)
        page.goto(address + made.headers["location"])
        page.locator(".room").wait_for()
        page.emulate_media(media="print")
        for part in (".chairs h2", ".initial", ".who", ".chair[data-kind=open] .who", ".chairs > .hint", ".bots small"):
            assert contrast(page.locator(part).first.evaluate(INK), "#ffffff") > 4.5, part
        page.close()


def test_a_sheet_is_printed_whole_and_alone(ended):
    ended.page.locator("[data-sheet=rules]").click()
    ended.page.locator("dialog[open] .book li").first.wait_for()
    printed(ended)
    assert is_whole(ended.page, "dialog[open]")
    assert ended.page.evaluate(SEEN) == []
    assert not ended.page.locator(".felt").is_visible()


def test_of_a_rulebook_the_rules_are_printed(address, chromium):
    page = chromium.new_page(service_workers="block")
    page.goto(f"{address}/rules/companeros")
    assert page.evaluate(SEEN)
    page.emulate_media(media="print")
    assert page.evaluate(SEEN) == []
    for part in ("h1", ".cover .line", ".text li"):
        assert contrast(page.locator(part).first.evaluate(INK), "#ffffff") > 4.5, part
    page.close()
