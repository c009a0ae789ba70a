"""The cards' colours: told apart by whoever sees them, and each by its shape and its letter besides."""

import itertools
import re
from pathlib import Path

import pytest

import brelan.server
from tests.pages.colours import contrast, linear
from tests.pages.people import ByKeyboard, ByMouse

STATIC = Path(brelan.server.__file__).parent / "static"
CSS, SHEET = (STATIC / "cards.css").read_text("utf-8"), (STATIC / "cards.svg").read_text("utf-8")
COLOURS = "RYGBPOS"
PAPER = "#fffcf3"

SIGHT = {
    "common": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""How linear red, green and blue are seen: Machado, Oliveira and Fernandes, 2009, at full severity."""

JUST_SEEN = 2.3
"""The distance in CIELAB at which two colours side by side are just told apart (Mahy and others, 1994)."""


def hue(suit):
    """The colour of its sign in the corner, and of the ground of its number: of yellow these are two."""
    corner = re.search(rf'^\[data-suit="{suit}"\] {{ --hue: (#\w{{6}})', CSS, re.M)[1]
    panel = re.search(rf'^\.face\[data-suit="{suit}"\] \.panel {{ fill: (#\w{{6}})', CSS, re.M)
    return corner, panel[1] if panel else corner


def seen(colour, sight):
    return [min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear(colour), strict=True)))) for row in SIGHT[sight]]


def lab(rgb):
    """CIELAB of linear sRGB, by daylight (D65)."""
    r, g, b = rgb
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one, other, sight):
    """How far two colours lie from each other as that sight has them."""
    return sum((a - b) ** 2 for a, b in zip(lab(seen(one, sight)), lab(seen(other, sight)), strict=True)) ** 0.5


@pytest.mark.parametrize("sight", SIGHT)
def test_two_colours_are_told_apart_by_whatever_eyes(sight):
    for one, other in itertools.combinations(COLOURS, 2):
        assert apart(hue(one)[1], hue(other)[1], sight) > 6 * JUST_SEEN, (one, other)


def test_each_colour_has_a_shape_and_a_letter_of_its_own():
    drawn = dict(re.findall(r'<symbol id="(\w+)"[^>]*>(.*?)</symbol>', SHEET, re.S))
    assert len({drawn[suit] for suit in COLOURS}) == len(COLOURS) == len(set(COLOURS))
    assert len({drawn[suit] for suit in "shdc"}) == 4


@pytest.mark.parametrize("suit", COLOURS)
def test_signs_and_numbers_are_read_on_their_ground(suit):
    corner, panel = hue(suit)
    assert contrast(corner, PAPER) >= 4.5
    assert contrast(panel, "#4a3000" if panel != corner else "#fffaf0") >= 4.5


@pytest.mark.parametrize("path", ["/new/gin", "/me"])
def test_in_high_contrast_fields_have_whole_lines_on_every_page(path, chromium, house):
    person = ByMouse(chromium, house)
    person.context.add_init_script("localStorage.setItem('brelan', JSON.stringify({ theme: 'contrast' }))")
    person.page.goto(house + path)
    assert person.page.evaluate("getComputedStyle(document.querySelector('.field input')).borderTopWidth") == "2px"
    person.context.close()


SHARP = """() => {
    const look = (thing) => getComputedStyle(thing);
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const number = (colour) => {
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const parts = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
        return "#" + parts.map((part) => part.toString(16).padStart(2, "0")).join("");
    };
    const [word, card] = [".call", "[data-hand] .card"].map((name) => document.querySelector(name));
    const plain = look(card.querySelector(".ground")).strokeWidth;
    word.ariaPressed = "true";
    card.toggleAttribute("data-fresh", true);
    const fresh = look(card.querySelector(".ground")).strokeWidth;
    card.dataset.state = "dim";
    const [face, ground] = [".face", ".ground"].map((name) => card.querySelector(name));
    const inks = [..."RYGBPOShscd"].map((suit) => {
        face.dataset.suit = suit;
        return number(look(face.querySelector(".corner text")).fill);
    });
    return [look(word).boxShadow, plain, fresh, inks, number(look(ground).fill)];
}"""


def test_in_high_contrast_what_is_said_or_new_is_marked_and_dim_cards_are_read(chromium, house):
    person = ByMouse(chromium, house)
    person.context.add_init_script("localStorage.setItem('brelan', JSON.stringify({ theme: 'contrast', four: true }))")
    person.sit_down("mio", 2).come_to_turn()
    glow, plain, fresh, inks, ground = person.page.evaluate(SHARP)
    assert glow != "none"
    assert fresh != plain
    assert min(contrast(ink, ground) for ink in inks) >= 4.5, inks
    person.context.close()


def test_cloths_are_plain_where_the_device_has_few_colours(chromium, house):
    person = ByMouse(chromium, house)
    person.page.emulate_media(forced_colors="active")
    person.page.goto(house)
    assert person.page.evaluate("getComputedStyle(document.querySelector('.game-card')).backgroundImage") == "none"
    person.context.close()


MARKED = """() => {
    const probe = document.body.appendChild(document.createElement("mark"));
    probe.style = "forced-color-adjust: none; background: Highlight";
    const ground = (thing) => getComputedStyle(thing).backgroundColor;
    return [...document.querySelectorAll(".button-primary")].map((button) => ground(button) === ground(probe));
}"""


@pytest.mark.parametrize("path", ["/", "/new/gin"])
def test_what_leads_on_is_marked_where_the_device_has_few_colours(path, chromium, house):
    """On the cloths, too: a house's own colour is none of the few."""
    person = ByMouse(chromium, house)
    person.page.emulate_media(forced_colors="active")
    person.page.goto(house + path)
    marked = person.page.evaluate(MARKED)
    assert marked
    assert all(marked)
    person.context.close()


def test_the_paragraph_in_force_is_marked_where_the_device_has_few_colours(chromium, house):
    """It has the focus of whoever plays by keys."""
    person = ByKeyboard(chromium, house).sit_down("gin")
    person.page.emulate_media(forced_colors="active")
    person.come_to_turn()
    person.page.keyboard.press("r")
    person.page.locator(".book [data-at]:focus-visible").wait_for()
    assert person.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    person.context.close()


GROUNDS = """() => [".plate", ".bar .score", ".sheet"].map((name) => {
    const style = getComputedStyle(document.querySelector(name));
    return [style.backgroundColor, style.color];
})"""

STATES = """
    <div class="plate" data-leads><span class="score">1</span><span class="clock" data-runs>2</span></div>
    <span class="clock" data-little data-runs>3</span><button class="button button-primary">4</button>
    <div class="room"><div class="chair" data-kind="open">5</div></div><div class="laid">6</div>
    <div class="filters"><button class="button" aria-pressed="true">7</button></div>
    <div class="choices" data-signs><button class="button" data-suit="R">8</button></div>
    <button class="button call" aria-pressed="true">9</button><button class="button quiet">10</button>
    <button class="button" aria-disabled="true">11</button>"""
MARKS = """html => {
    document.querySelector(".felt").insertAdjacentHTML("beforeend", `<div id="states">${html}</div>`);
    const looks = (one, { backgroundColor, color }) => [one.textContent, backgroundColor, color];
    const marks = "[data-runs], [data-little], [data-leads] .score, .laid, .chair, .button";
    return [...document.querySelectorAll(`#states :is(${marks})`)].map((one) => looks(one, getComputedStyle(one)));
}"""


def older(route):
    """As for a browser that does not know light-dark(): where a rule uses it, nothing of that rule is left."""
    answer = route.fetch()
    route.fulfill(status=answer.status, content_type="text/css", body=answer.text().replace("light-dark(", "new("))


@pytest.fixture
def at_gin(people):
    """People at a table in front of a sheet: one with a browser of today by day, one with an older one by night."""
    today, before = people(color_scheme="light"), people(color_scheme="dark")
    before.page.route("**/*.css", older)
    for person in (today, before):
        person.sit_down("gin")
        person.page.keyboard.press("?")
    return today.page, before.page


def test_an_older_browser_has_the_house_by_day(at_gin):
    _, page = at_gin
    felt = "getComputedStyle(document.querySelector('.felt')).getPropertyValue('--felt')"
    assert page.evaluate(felt) == "#27604f"
    for pair in page.evaluate(GROUNDS):
        assert not any("rgba" in colour for colour in pair), pair
        ground, ink = ("#" + "".join(f"{int(n):02x}" for n in re.findall(r"\d+", colour)) for colour in pair)
        assert contrast(ground, ink) > 4.5, pair


def test_an_older_browser_marks_every_state_as_others_do_by_day(at_gin):
    today, before = (page.evaluate(MARKS, STATES) for page in at_gin)
    assert before == today
