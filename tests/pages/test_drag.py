"""A card that is dragged: where it is let go in the hand, and what of a finger or a mouse means nothing."""

from tests.pages.people import CORNER, hand, to_throw_any


def test_a_card_that_was_carried_is_let_go_without_a_click(people):
    """What would be a choice of the card is kept from the page, and nothing is made up in its place."""
    anna = people().sit_down("gin")
    to_throw_any(anna)
    anna.page.evaluate("window.clicks = []; addEventListener('click', (click) => clicks.push(click.isTrusted), true)")
    cards = anna.page.locator("[data-hand] .card")
    last = cards.last.bounding_box()
    cards.first.hover(position=CORNER)
    anna.page.mouse.down()
    anna.page.mouse.move(last["x"] + last["width"] - 4, last["y"] + last["height"] / 2, steps=4)
    anna.page.mouse.up()
    anna.settle()
    assert False not in anna.page.evaluate("clicks")
    assert not anna.page.locator("[data-hand] .card[aria-pressed=true]").count()
    cards.first.click(position=CORNER)
    assert cards.first.get_attribute("aria-pressed") == "true"


OTHER_FINGER = """() => {
    const card = document.querySelector("[data-hand] .card");
    const point = (type, pointerId, clientX, target = window) => target.dispatchEvent(new PointerEvent(
        type, { bubbles: true, pointerId, isPrimary: pointerId === 1, clientX, clientY: 300 }));
    const carried = () => document.querySelector(".carried") !== null;
    point("pointerdown", 1, 100, card);
    point("pointermove", 2, 300);
    const found = [carried()];
    point("pointermove", 1, 200);
    found.push(carried());
    point("pointerup", 2, 300);
    found.push(carried());
    point("pointercancel", 1, 200);
    return [...found, carried()];
}"""


def test_another_finger_neither_carries_a_card_nor_lets_it_go(people):
    """As where a thumb rests on a card while another finger taps: what it touched was played."""
    anna = people().sit_down("gin")
    to_throw_any(anna)
    assert anna.page.evaluate(OTHER_FINGER) == [False, True, True, False]


ROWS = """() => {
    const rows = Object.groupBy(document.querySelectorAll("[data-hand] .card"), (card) => card.parentElement.offsetTop);
    return Object.values(rows).map((row) => row.map((card) => card.dataset.key));
}"""
STEPS = """() => {
    const places = [...document.querySelectorAll("[data-hand] li")].map((li) => [li.offsetLeft, li.offsetTop]);
    return [places[1][0] - places[0][0], places.at(-1)[1]];
}"""
"""From one card to the next, and from the first row to the last."""


def in_two_rows(people):
    """Somebody at gin on a phone who is to throw a card, and the two rows of their hand."""
    person = people("phone").sit_down("gin")
    to_throw_any(person)
    rows = person.page.evaluate(ROWS)
    assert [len(row) for row in rows] == [6, 5]
    return person, rows


def carry(person, key, x, y):
    """By its corner, so far."""
    box = person.hand_card(key).bounding_box()
    at = box["x"] + CORNER["x"], box["y"] + CORNER["y"]
    person.page.mouse.move(*at)
    person.page.mouse.down()
    person.page.mouse.move(at[0] + x, at[1] + y, steps=4)
    person.page.mouse.up()
    person.settle()


def test_a_card_is_let_go_in_the_row_to_which_it_was_carried(people):
    person, (upper, lower) = in_two_rows(people)
    slot, row = person.page.evaluate(STEPS)
    carry(person, lower[1], slot, 0)
    assert hand(person.page) == [*upper, lower[0], lower[2], lower[1], *lower[3:]]
    carry(person, lower[2], 0, -row)
    assert hand(person.page) == [*upper[:2], lower[2], *upper[2:], lower[0], lower[1], *lower[3:]]


SLIP = """key => new Promise((done) => {
    const card = document.querySelector(`[data-hand] [data-key="${key}"]`);
    const { left, top } = card.getBoundingClientRect();
    const at = (x) => ({ bubbles: true, pointerId: 1, isPrimary: true, clientX: left + x, clientY: top + 22 });
    card.dispatchEvent(new PointerEvent("pointerdown", at(18)));
    window.dispatchEvent(new PointerEvent("pointermove", at(27)));
    window.dispatchEvent(new PointerEvent("pointerup", at(27)));
    setTimeout(() => (card.click(), done()), 40);
})"""
"""As on iOS, where the click comes late."""


def test_a_tap_that_slips_is_a_tap(people):
    """It raises the card, in whichever row; the hand lies as before, in the order that its owner chose."""
    person, (upper, lower) = in_two_rows(people)
    person.page.evaluate(SLIP, lower[1])
    assert person.hand_card(lower[1]).get_attribute("aria-pressed") == "true"
    assert hand(person.page) == [*upper, *lower]
    assert person.page.evaluate("import('/static/settings.js').then(({ settings }) => settings().sort)") == "laid"
