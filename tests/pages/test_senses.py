"""Whoever sees few colours, or hears nothing, is told the same: by lines, by grounds, and in sight."""

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

import brelan.server
from brelan.play.shown import ClockShown
from brelan.scene import Moved
from tests.gallery.moments import ANNA, begun, frame, laid, moments, seen
from tests.gallery.stage import SIZES, furnish, stage
from tests.pages.colours import contrast
from tests.pages.ears import EARS, MARKED
from tests.server.clients import Process

STATIC = Path(brelan.server.__file__).parent / "static"
CODE = "senses"
LOOKS = {"few": {"forced_colors": "active"}, "few and sharp": {"forced_colors": "active", "contrast": "more"}}
SHARP = {"contrast": "more"}


@pytest.fixture(scope="module")
def played():
    return moments("companeros", 4, CODE)


@pytest.fixture(scope="module")
def full():
    """Tables of as many as the place cards of a phone are laid out for in ways of their own."""
    return {players: begun(laid("mio", players, f"{CODE}{players}")) for players in (3, 4, 5, 6)}


@pytest.fixture(scope="module")
def address(played, full, tmp_path_factory):
    folder = tmp_path_factory.mktemp("senses")
    furnish(folder, [played[0], *full.values()])
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


# ---------------------------------------------------------------- in sight of those who hear nothing


def theirs(view):
    return replace(view, scene=replace(view.scene, choices=[], turn=[1]))


UPPERMOST = """one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === one;
}"""


@pytest.mark.parametrize("opener", [".tally", "[data-sheet=log]", "[data-sheet=help]", "[data-sheet=settings]"])
def test_that_it_is_ones_turn_is_seen_over_every_sheet(opener, played, on):
    view = played[1]["hand"].views["en"]
    clocks = [ClockShown(left=40.0, runs=seat == 0) for seat in range(4)]
    on.show(theirs(view))
    on.resize(360, 800)
    on.page.locator(opener).click()
    assert not on.page.locator(".sheet .asked").count()
    on.show(replace(view, number=view.number + 1, news=[], table=replace(view.table, clocks=clocks)))
    assert re.fullmatch(r"Your turn\s+0:\d\d", on.page.locator(".sheet header .asked").inner_text())
    assert on.page.locator(".sheet header .missed").evaluate(UPPERMOST)


LONG = ("one word after the other, " * 8)[:200]


def saying(view, text, seat):
    """The next view, in which that seat has said this."""
    number = view.number + 1
    spoken = replace(view.news[-1], kind="said", seat=seat, text=text, words=f"Somebody: {text}", number=number)
    return replace(view, number=number, news=[spoken])


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_long_words_stay_on_the_cloth_of_a_phone(players, full, address, chromium):
    view = seen(full[players], ANNA, "en")
    with stage(chromium, address, full[players].code) as on:
        on.show(view)
        on.resize(*SIZES["phone"])
        for seat in range(players):
            on.show(view := saying(view, LONG, seat))
        on.page.locator(".bubble").nth(players - 1).wait_for()
        felt, *seats = [box.bounding_box() for box in on.page.locator(".felt, .seat .bubble").all()]
        for box in seats:
            assert box["width"] > 180
            assert box["height"] < 140
            assert felt["x"] <= box["x"]
            assert box["x"] + box["width"] <= felt["x"] + felt["width"]
        own = on.page.locator(".bar .bubble").bounding_box()
        assert own["x"] + own["width"] <= SIZES["phone"][0]


def test_what_is_said_stays_as_long_as_it_takes_to_be_read_each_word_by_itself(played, on):
    view = played[1]["hand"].views["en"]
    on.show(view)
    lasts = []
    for text in ("Well played!", LONG):
        on.show(view := saying(view, text, 1))
        bubble = on.page.locator(".seat .bubble", has_text=text[:12])
        lasts.append(bubble.evaluate("one => [one.style.animationDuration, one.hasAttribute('data-old')]"))
        bubble.evaluate("one => one.toggleAttribute('data-old', true)")
    assert lasts == [["7000ms", False], ["16000ms", False]]


def test_who_is_asked_whether_a_move_may_be_taken_back_hears_it_and_is_called(played, on):
    view = theirs(played[1]["hand"].views["en"])
    on.show(view)
    undo = replace(view.table.undo, asked=2, move="Béla plays.", waits_for=[0])
    asked = replace(view, number=view.number + 1, news=[], last=[], table=replace(view.table, undo=undo))
    on.show(asked)
    on.page.locator(".consent").wait_for()
    assert on.page.title().startswith("● Béla would like to take the last move back. – ")
    assert on.page.locator(MARKED).count()
    listen = """views => import("/static/sound.js").then(
        ({ heard }) => views.map((old) => heard(views[1], old, [], "")))"""
    assert on.page.evaluate(listen, [json.loads(frame(one)) for one in (view, asked)]) == [["message"], []]


def test_views_that_come_together_are_heard_as_one(played, on):
    """All at the same moment, then one a second later."""
    on.page.add_init_script(EARS)
    on.lines.clear()
    on.page.reload()
    while not on.lines:
        on.page.wait_for_timeout(5)
    view = theirs(played[1]["hand"].views["en"])
    on.show(view)
    on.page.keyboard.press("t")
    on.page.evaluate("window.now = performance.now(); performance.now = () => window.now")
    for times in (4, 1):
        for _ in range(times):
            on.show(view := replace(view, number=view.number + 1, news=[], last=[Moved("x", "stock", "pot")]))
        on.settle()
        on.page.evaluate("window.now += 1000")
    assert on.page.evaluate("window.heard") == [300, 300]
