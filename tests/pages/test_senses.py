"""Whoever sees few colours, or hears nothing, is told the same: by lines, by grounds, and in sight."""

import re
from pathlib import Path

import pytest

import brelan.server
from tests.gallery.moments import moments
from tests.gallery.stage import SIZES, furnish, stage
from tests.pages.colours import contrast
from tests.server.clients import Process

STATIC = Path(brelan.server.__file__).parent / "static"
CODE = "senses"
LOOKS = {"few": {"forced_colors": "active"}, "few and sharp": {"forced_colors": "active", "contrast": "more"}}
SHARP = {"contrast": "more"}


@pytest.fixture(scope="module")
def played():
    return moments("companeros", 4, CODE)


@pytest.fixture(scope="module")
def address(played, tmp_path_factory):
    folder = tmp_path_factory.mktemp("senses")
    furnish(folder, [played[0]])
    with Process(folder) as house:
        yield house.address.rstrip("/")


@pytest.fixture
def on(address, chromium):
    with stage(chromium, address, CODE) as on:
        yield on
        assert not on.errors


def look(on, selector, *names):
    """How all of those look that are there, by these properties of theirs."""
    script = "(things, names) => things.map((thing) => names.map((name) => getComputedStyle(thing)[name]).join(' '))"
    found = on.page.locator(selector).evaluate_all(script, names)
    assert found, selector
    return set(found)


LINE = ("outlineWidth", "outlineStyle", "outlineOffset")


@pytest.mark.parametrize("media", LOOKS)
def test_whose_turn_it_is_and_who_won_has_a_line_of_its_own_where_colours_are_few(media, played, on):
    on.show(played[1]["hand"].views["en"])
    on.page.emulate_media(**LOOKS[media])
    on.settle()
    assert look(on, ".plate[data-turn]", *LINE).isdisjoint(look(on, ".plate:not([data-turn])", *LINE))
    on.show(played[1]["end"].views["en"])
    assert look(on, ".laid[data-leads]", *LINE).isdisjoint(look(on, ".laid:not([data-leads])", *LINE))


def test_who_won_is_marked_in_high_contrast(played, on):
    on.show(played[1]["end"].views["en"])
    on.page.emulate_media(**SHARP)
    on.settle()
    for won in (True, False):
        on.page.locator(".ended").evaluate("(felt, won) => felt.toggleAttribute('data-won', won)", won)
        rings = [look(on, f".laid{which}", "boxShadow") for which in ("[data-leads]", ":not([data-leads])")]
        assert [any("0px inset" not in ring and ring != "none" for ring in of) for of in rings] == [True, False]
        assert all("inset" not in ring for ring in rings[0]), "it would lie under the line that all have"


@pytest.mark.parametrize("media", LOOKS)
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_where_colours_are_few_no_picture_lies_under_the_words(size, media, played, on):
    on.show(played[1]["hand"].views["en"])
    on.resize(*SIZES[size])
    on.page.emulate_media(**LOOKS[media])
    grounds = """() => ["", "::before"].flatMap((part) => [document.body, document.querySelector(".felt")].map(
        (thing) => getComputedStyle(thing, part).backgroundImage))"""
    assert set(on.page.evaluate(grounds)) == {"none"}


def opaque(colour):
    return colour.startswith("rgb(")


@pytest.mark.parametrize("media", LOOKS)
def test_what_sticks_to_the_lower_edge_has_a_ground_where_colours_are_few(media, played, on):
    on.page.set_viewport_size(dict(zip(("width", "height"), SIZES["phone"], strict=True)))
    on.show(played[1]["end"].views["en"])
    on.page.emulate_media(**LOOKS[media])
    assert all(map(opaque, look(on, ".result > .choices", "backgroundColor")))
    on.page.goto(f"{on.page.url.split('/t/')[0]}/new/gin")
    assert all(map(opaque, look(on, ".create", "backgroundColor")))


def test_in_high_contrast_the_lower_edge_is_of_the_darkened_cloth(played, on):
    on.show(played[1]["end"].views["en"])
    on.resize(*SIZES["phone"], "contrast")
    [cloth] = look(on, ".felt", "backgroundColor")
    assert all(cloth in ground for ground in look(on, ".result > .choices", "backgroundImage"))


@pytest.mark.parametrize("media", [*LOOKS.values(), SHARP])
def test_what_may_not_be_played_is_told_by_its_line(media, played, on):
    on.show(played[1]["hand"].views["en"])
    on.page.emulate_media(**media)
    on.settle()
    first, other = "[data-hand] li:first-child .card", "[data-hand] li:last-child .card"
    on.page.locator(first).evaluate("card => card.dataset.state = 'dim'")
    on.page.locator(other).evaluate("card => delete card.dataset.state")
    assert look(on, f"{first} .ground", "strokeDasharray") != look(on, f"{other} .ground", "strokeDasharray")


def mixed(over, part, under):
    return "#" + "".join(f"{round(part * a + (1 - part) * b):02x}" for a, b in zip(over, under, strict=True))


def parts(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def test_that_somebody_won_is_read_on_every_cloth_by_day():
    """Where it glows most, which is above all that is said."""
    table, games = ((STATIC / name).read_text("utf-8") for name in ("table.css", "games.css"))
    *glow, part = map(int, re.search(r"\[data-won\] \{[^}]*rgb\((\d+) (\d+) (\d+) / (\d+)%\)", table).groups())
    cloths = re.findall(r"--felt: light-dark\((#\w{6})", games)
    assert len(cloths) > 4
    for cloth in cloths:
        ground = mixed(glow, part / 100, parts(cloth))
        assert contrast(ground, "#ffdf93") > 3, cloth  # the heading
        assert contrast(ground, mixed(parts("#f8efdc"), 0.92, parts(ground))) > 4.5, cloth  # a rule's number


def test_that_a_pot_is_empty_is_read_like_any_caption(played, on):
    on.show(played[1]["hand"].views["en"])
    on.page.locator("[data-base=pot]").first.evaluate("pot => pot.toggleAttribute('data-empty', true)")
    assert look(on, "[data-base=pot][data-empty]", "opacity") == {"1"}
