"""Fingers and clicks: what is asked of them, and the second of two that were meant as one."""

import pytest
from msgspec.structs import replace

from tests.gallery.stage import stage
from tests.pages.asked import OPEN, Asked, at, kept

STOCK = '[data-zone="stock"] .aim'
SURE = ".confirm .button-primary"
CLOCK = """() => {
    const came = new WeakMap();
    window.late = 0;
    addEventListener("click", (click) => came.set(click, window.late), true);
    Object.defineProperty(Event.prototype, "timeStamp", { get() { return came.get(this) ?? window.late; } });
}"""
"""What the page takes for the time of a click: the milliseconds in `late`, however slow a machine is."""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with kept(tmp_path_factory.mktemp("taps")) as address:
        yield address


@pytest.fixture
def asked(address, chromium, request):
    """What was asked by keys is put back: nothing is raised."""
    with stage(chromium, address, request.param, has_touch=True) as on:
        found = Asked(on, request.param)
        found.press("Escape")
        found.moves.clear()
        found.page.evaluate(CLOCK)
        yield found
        assert not on.errors


def card(asked):
    return asked.page.locator(f'[data-hand] [data-key="{asked.key}"]')


def tap(asked, times=1):
    for _ in range(times):
        card(asked).tap(position={"x": 12, "y": 30})


def next_view(asked):
    """What comes once a move was made: the same is asked again."""
    asked.view = replace(asked.view, number=asked.view.number + 1)
    asked.on.show(asked.view)
    asked.page.locator(OPEN).first.wait_for()


@at("where7")
def test_a_finger_is_told_of_no_arrows_and_sees_no_numbers(asked):
    """The second tap on a card says nothing over the table; those who listen hear that it is asked."""
    asked.page.evaluate("document.getElementById('voice').replaceChildren()")
    tap(asked, 3)
    asked.page.locator("#voice", has_text="several ways: choose one.").wait_for(state="attached")
    assert card(asked).get_attribute("aria-pressed") == "true"
    assert not asked.page.locator(".remark, .aim[data-number]").count()
    asked.page.locator('[data-zone="pile:3"] .aim').tap()
    asked.wait(1)
    assert asked.moves == [f"play {asked.card} 3"]


@at("where7")
def test_who_uses_keys_is_told_how_they_choose(asked):
    tap(asked)
    asked.page.keyboard.press("Enter")
    assert "arrows" in asked.page.locator(".remark").inner_text()
    assert asked.page.locator(".aim[data-number]").count() == 2


@at("knocks")
def test_what_was_asked_is_no_longer_said_once_one_is_chosen(asked):
    card(asked).click()
    card(asked).click()
    asked.page.locator(".remark").wait_for()
    asked.page.locator(".bar [data-move^=knock]").click()
    asked.page.locator(SURE).wait_for()
    assert not asked.page.locator(".remark").count()


@at("where7")
def test_with_a_card_raised_no_other_move_is_lit(asked):
    """A tap on the stock would draw, and end the turn; it may be drawn again once the card is put back."""
    assert asked.page.locator(STOCK).count()
    tap(asked)
    assert asked.page.locator(".aim").count() == 2
    assert not asked.page.locator(STOCK).count()
    asked.page.locator(".put-back").tap()
    asked.page.locator(STOCK).tap()
    asked.wait(1)
    assert asked.moves == ["draw"]


@at("saying")
def test_the_second_click_of_a_double_click_makes_no_second_move(asked):
    """The answer to the first may be there before it, and the same button with it."""
    box = asked.page.locator('[data-zone="stock"] .aim').bounding_box()
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    asked.page.mouse.click(*place)
    asked.wait(1)
    asked.on.show(replace(asked.view, number=asked.view.number + 1))
    asked.page.locator('[data-zone="stock"] .aim').wait_for()
    asked.page.mouse.down(click_count=2)
    asked.page.mouse.up(click_count=2)
    asked.page.wait_for_timeout(50)
    assert asked.moves == ["draw"]
    asked.page.mouse.click(*place)
    asked.wait(2)


@at("saying")
def test_the_second_of_two_hasty_taps_makes_no_second_move(asked):
    """A hand that trembles; who taps again at leisure means it."""
    for time, moves in (0, 1), (200, 1), (400, 2), (700, 2), (800, 3):
        asked.page.evaluate("time => void (window.late = time)", time)
        asked.page.locator(STOCK).tap()
        asked.page.wait_for_timeout(50)
        asked.wait(moves)
        assert asked.moves == ["draw"] * moves, time
        next_view(asked)


@at("saying")
def test_a_tap_at_another_place_is_never_too_hasty(asked):
    asked.page.locator(STOCK).tap()
    asked.wait(1)
    next_view(asked)
    tap(asked)
    asked.page.locator('[data-zone="pile:2"] .aim').tap()
    asked.page.locator(".choices[data-aimed]").wait_for()


@at("knocks")
def test_no_hasty_second_tap_confirms_what_ends_a_round(asked):
    """What confirms it comes where the finger is."""
    tap(asked)
    box = asked.page.locator(".bar [data-move^=knock]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    asked.page.touchscreen.tap(x, y)
    sure = asked.page.locator(SURE).bounding_box()
    assert sure["x"] < x < sure["x"] + sure["width"]
    asked.page.touchscreen.tap(x, y)
    asked.page.wait_for_timeout(50)
    assert not asked.moves
    asked.page.evaluate("void (window.late = 400)")
    asked.page.touchscreen.tap(x, y)
    asked.wait(1)
    assert asked.moves[0].startswith("knock")
