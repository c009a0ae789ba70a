"""Cards that fly: who is on the page waits for none, and taps what it sees."""

from tests.pages.ears import HIDDEN
from tests.pages.people import COUNT_FLIGHTS, ByMouse, Pair, to_throw_any


def test_cards_fly_unless_motion_is_unwanted(chromium, house):
    for calm in (False, True):
        person = ByMouse(chromium, house, calm=calm).sit_down("gin")
        person.page.evaluate(COUNT_FLIGHTS)
        person.play(4)
        assert bool(person.page.evaluate("window.flown")) != calm
        person.context.close()


def test_nothing_is_drawn_where_nobody_looks_and_all_at_once_for_who_comes_back(chromium, house):
    pair = Pair(chromium, house, {"calm": False})
    page = pair.anna.page
    while pair.asked()[0] is pair.anna:
        pair.move()
    page.evaluate(HIDDEN, True)
    drawn = page.locator("#table").inner_html()
    page.evaluate(COUNT_FLIGHTS)
    while pair.asked()[0] is pair.ben:
        pair.move()
    page.wait_for_function("() => document.title.startsWith('●')")
    assert page.locator("#table").inner_html() == drawn
    page.evaluate(HIDDEN, False)
    assert page.locator(".missed").inner_text()[:1] in ("1", "2")
    assert page.locator(".bar .prompt").inner_text() == pair.anna.view["scene"]["prompt"]
    assert page.evaluate("window.flown") == 0
    pair.done()


SLOW_FLIGHTS = """kind => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, times) {
        return animate.call(this, frames, this.matches(kind) ? { ...times, duration: 60000 } : times);
    };
}"""
IN_THE_WAY = """() => [...document.querySelectorAll("span.card")]
    .filter(card => card.getAnimations().length).map(card => {
    const box = card.getBoundingClientRect();
    return card.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
})"""


def test_a_flying_card_takes_no_tap_from_what_it_crosses(chromium, house):
    person = ByMouse(chromium, house, calm=False).sit_down("gin")
    person.come_to_turn()
    person.page.evaluate(SLOW_FLIGHTS, "span")
    in_the_way = []
    while not in_the_way:
        person.play(person.moves + 1)
        person.come_to_turn()
        in_the_way = person.page.evaluate(IN_THE_WAY)
    assert not any(in_the_way)
    person.context.close()


LONG_PRESS = "() => { const wait = setTimeout; window.setTimeout = (then, ms) => wait(then, 100 * ms); }"
IN_FLIGHT = "[data-hand] button.card[aria-pressed]"
FLIES = "card => card.getAnimations().length > 0"
FLOWN = "card => getComputedStyle(card).transform"
NOTE_PRESS = """() => addEventListener("pointerdown", ({ target }) => {
    window.pressed = getComputedStyle(target.closest(".card")).transform;
})"""


def test_a_card_that_is_pressed_in_flight_stands_still_until_it_is_let_go(chromium, house):
    person = ByMouse(chromium, house, calm=False).sit_down("gin")
    to_throw_any(person)
    person.page.evaluate(SLOW_FLIGHTS, IN_FLIGHT)
    person.page.evaluate(LONG_PRESS)
    person.page.evaluate(NOTE_PRESS)
    person.page.keyboard.press("s")
    card = person.page.locator(IN_FLIGHT).last  # nothing lies on it
    while not card.evaluate(FLIES):  # it was the last in the order before, too
        person.play(person.moves + 1)
        to_throw_any(person)
        person.page.keyboard.press("s")
    at = card.bounding_box()
    person.page.mouse.move(at["x"] + 60, at["y"] + 60)
    person.page.mouse.down()
    person.settle()
    assert card.evaluate(FLOWN) == person.page.evaluate("window.pressed") != "none"
    person.page.mouse.up()
    assert card.get_attribute("aria-pressed") == "true"
    person.context.close()
