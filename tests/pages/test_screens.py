"""On a screen of any size nothing scrolls sideways, and all that is tapped is large enough and not covered."""

import pytest

from brelan.games import GAMES
from tests.gallery.looks import SIDEWAYS
from tests.pages.people import ByTouch

SCREENS = [(320, 568), (360, 640), (640, 360), (720, 450), (768, 1024), (1440, 900)]
FULL = [(game.id, max(game.seats)) for game in GAMES]
OUTSIDE = """() => [...document.querySelectorAll("[data-hand] .card, .bar :is(.prompt, .plate, .call)")]
    .map(thing => [thing.getBoundingClientRect(), thing.ariaLabel || thing.innerText])
    .filter(([box]) => box.width)
    .filter(([box]) => box.left < -12 || box.right > innerWidth + 12 || box.top < 0 || box.bottom > innerHeight + 12)
    .map(([box, name]) => [name, box.left, box.top])"""


SMALL = """() => [...document.querySelectorAll("button, a.button")]
    .map(button => [button.getBoundingClientRect(), button.ariaLabel || button.innerText])
    .filter(([box]) => box.width && (box.width < 24 || box.height < 24))
    .map(([box, name]) => [name, box.width, box.height])"""


@pytest.mark.parametrize(("game", "players"), FULL)
def test_hand_and_bar_are_on_screen_and_large_enough_to_tap(game, players, chromium, house):
    """On every screen, a low one and one read at twice its size too, and nothing scrolls sideways."""
    person = ByTouch(chromium, house, "phone").sit_down(game, players)
    person.play(3)
    for width, height in SCREENS:
        person.resize(width, height)
        assert not person.page.evaluate(SIDEWAYS), (width, height)
        assert not person.page.evaluate(OUTSIDE), (width, height)
        assert not person.page.evaluate(SMALL), (width, height)
    person.context.close()


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_no_other_page_scrolls_sideways(width, height, chromium, house):
    person = ByTouch(chromium, house, "phone")
    person.resize(width, height)
    for address in (house, *(f"{house}/rules/{game}" for game, _ in FULL)):
        person.page.goto(address)
        assert not person.page.evaluate(SIDEWAYS), address
    person.context.close()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_chapter_is_named_in_one_sentence_and_large_enough_to_tap(size, chromium, house):
    person = ByTouch(chromium, house, size)
    person.page.goto(f"{house}/rules/hawaiki")
    person.page.evaluate("document.querySelector('.contents details').open = true")
    chapters = person.page.locator(".contents a")
    chapters.first.evaluate("one => one.innerHTML = 'The end of <em>one</em> round'")
    assert chapters.locator("em").evaluate("part => getComputedStyle(part).display") == "inline"
    assert min(chapters.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")) > 36
    person.context.close()


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_five_elements_stand_in_one_row_that_nothing_covers(width, height, chromium, house):
    """Each with its strength, and in reach: what lies at its middle is the zone itself."""
    person = ByTouch(chromium, house, "phone").sit_down("elements", 5)
    person.come_to_turn()
    person.resize(width, height)
    places = person.page.evaluate(
        """() => [...document.querySelectorAll('[data-base=element] .lie')].map(lie => {
            const box = lie.getBoundingClientRect();
            const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            return [Math.round(box.top), lie.contains(there)];
        })"""
    )
    assert len(places) == 5
    assert max(top for top, _ in places) - min(top for top, _ in places) < 3
    assert all(reached for _, reached in places)
    assert person.page.locator("[data-base=element] .caption").all_inner_texts()
    person.context.close()
