"""The way to a table in a real browser: the home page and the form, with and without scripts."""

import json
import re

import pytest

from brelan import games
from brelan.bots import strengths
from brelan.words import LANGUAGES, Words
from tests.gallery.looks import SIDEWAYS
from tests.pages.ears import CALLING, HIDDEN, MARKED, NOTICES, WISHED
from tests.pages.people import ByMouse, ByTouch, Pair, make

SCREENS = [(320, 568), (360, 640), (720, 450), (1440, 900)]
BESIDE = """() => [...document.querySelectorAll(".game-card > :not(.faces), .game-card > * > :not(.card)")]
    .filter((thing) => thing.getBoundingClientRect().right > thing.closest(".game-card").getBoundingClientRect().right)
    .map((thing) => thing.outerHTML.slice(0, 80))"""
SMALL = """() => [
    ...document.querySelectorAll("main :is(button, a.button, select, summary, input, .card-links a, .pick)"),
]
    .filter((thing) => !["hidden", "radio", "checkbox"].includes(thing.type))
    .map((thing) => [thing.getBoundingClientRect(), thing.outerHTML.slice(0, 80)])
    .filter(([box, name]) => box.width && !name.includes("icon") && (box.width < 43.5 || box.height < 43.5))
    .map(([box, name]) => [name, box.width, box.height])"""
NAMELESS = re.compile(r"^\s*- (?:button|link|textbox|combobox|radio|checkbox|searchbox)(?: \[[^\]]*\])*:?$", re.M)


# ---------------------------------------------------------------- how the pages look


@pytest.mark.parametrize("width", [320, 768, 980, 1024, 1239, 1240, 1440])
def test_nothing_hangs_out_of_the_card_of_a_game(people, width):
    anna = people(locale="fr")
    anna.resize(width, 768)
    anna.page.goto(anna.house)
    assert not anna.page.evaluate(BESIDE)


OUT_OF_FRAME = """() => {
    const end = part => part.getBoundingClientRect().right;
    return [...document.querySelectorAll("fieldset")].flatMap(frame =>
        [...frame.querySelectorAll("*")].filter(part => end(part) > end(frame)).map(part => part.outerHTML));
}"""


@pytest.mark.parametrize("game", ["hawaiki", "gin"])
def test_nothing_hangs_out_of_a_frame_of_the_form(people, game):
    anna = people(locale="fr")
    anna.resize(320, 568)
    anna.page.goto(f"{anna.house}/new/{game}")
    anna.page.locator("summary").click()
    assert not anna.page.evaluate(OUT_OF_FRAME)


def test_a_name_of_one_long_word_makes_no_page_wider_than_the_screen(people):
    anna, ben = people(), people()
    for person in (anna, ben):
        person.resize(320, 568)
    code = make(anna, "hawaiki", nickname="M" * 24, players="4", listed="true")
    ben.page.goto(ben.house)
    ben.page.locator(f".listed[data-code='{code}']").wait_for()
    assert not ben.page.evaluate(SIDEWAYS)
    ben.page.goto(f"{ben.house}/t/{code}")
    ben.page.locator("#nickname").fill("W" * 24)
    ben.page.locator(".chair[data-kind=open] .button-primary").first.click()
    for person, other in ((anna, "W" * 24), (ben, "M" * 24)):
        person.page.locator(".who", has_text=other).wait_for()
        assert not person.page.evaluate(SIDEWAYS)
        person.page.goto(person.house)
        person.page.locator(".own .company", has_text=other).wait_for()
        assert not person.page.evaluate(SIDEWAYS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_heading_is_one_line_on_the_narrowest_screen(people, language):
    anna = people(locale=language)
    anna.resize(320, 568)
    anna.page.goto(f"{anna.house}/me")
    tops = anna.page.locator(".masthead nav").evaluate_all("all => all.map(nav => nav.getBoundingClientRect().top)")
    assert len(tops) == 2
    assert tops[0] == tops[1]


def test_a_form_says_how_its_table_speaks_before_anybody_chooses(people):
    """Of every list of choices one is chosen, as the house would."""
    anna = people()
    anna.page.goto(f"{anna.house}/new/hawaiki")
    names = set(anna.page.locator("[type=radio]").evaluate_all("all => all.map(one => one.name)"))
    chosen = anna.page.locator("[type=radio]:checked").evaluate_all("all => all.map(one => [one.name, one.value])")
    assert {name for name, _ in chosen} == names
    assert ["manner", "friendly"] in chosen


def test_each_ladder_lies_on_the_cloth_of_its_game(people):
    anna = people()
    cloths = "all => all.map(card => getComputedStyle(card).backgroundColor)"
    anna.page.goto(anna.house)
    at_home = anna.page.locator(".game-card").evaluate_all(cloths)
    anna.page.goto(f"{anna.house}/ratings")
    assert anna.page.locator(".ladder-card").evaluate_all(cloths) == at_home
    assert len(set(at_home)) == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_on_screen_large_enough_and_named(people, language):
    anna = people("phone", ByTouch, locale=language)
    code = make(anna, "companeros", players="6", listed="true", pace="live", **{"seat.2": "novice"})
    for path in ("/", "/join?code=zzz", "/new/hawaiki", "/new/mio", f"/t/{code}"):
        anna.page.goto(anna.house + path)
        anna.page.wait_for_selector("main h1, main h2")
        anna.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        for width, height in SCREENS:
            anna.resize(width, height)
            assert not anna.page.evaluate(SIDEWAYS), (path, width)
            assert not anna.page.evaluate(SMALL), (path, width)
        assert not NAMELESS.findall(anna.page.locator("body").aria_snapshot()), path
    anna.errors = [error for error in anna.errors if "422" not in error]  # the code that is none


def test_a_form_shows_only_the_chairs_and_clocks_that_count(people):
    anna = people()
    page = anna.page
    page.goto(f"{anna.house}/new/mio")
    page.locator("summary").click()
    page.locator("[name=players][value='3']").check()
    assert page.locator(".sitters li:visible").count() == 3
    assert page.locator("[name=bank]:visible, [name=days]:visible").count() == 0
    page.locator("[name=pace][value=live]").check()
    assert page.locator("[name=bank]:visible, [name=increment]:visible").count() == 2
    assert page.locator("[name=grace]:visible").count() == 1
    assert page.locator("[name=tempo]:visible").count() == 4
    page.locator("[name=pace][value=days]").check()
    assert page.locator("[name=days]:visible").count() == 1
    assert page.locator("[name=grace]:visible").count() == 0  # who goes between two turns is not away
    assert page.locator("[name=tempo]:visible").count() == 3


@pytest.mark.parametrize(
    ("game", "shown"), [("gin", ["preset"]), ("hawaiki", ["manner"] * 3), ("companeros", []), ("mio", [])]
)
def test_variant_and_manner_are_chosen_without_unfolding_anything(people, game, shown):
    """Other games have no such choice, and nothing stands in its place."""
    page = (anna := people("phone")).page
    page.goto(f"{anna.house}/new/{game}")
    fields = page.locator("[name=preset]:visible, [name=manner]:visible")
    assert fields.evaluate_all("all => all.map(one => one.name)") == shown


# ---------------------------------------------------------------- ten seconds


def test_one_tap_and_the_cards_are_dealt(people):
    ben = people("phone", ByTouch)
    ben.page.goto(ben.house)
    ben.page.locator("#gin button").tap()
    ben.page.wait_for_selector("[data-hand] .card")


PRESSED = """async () => {
    const [button, sent] = [document.querySelector("#gin button, .create button"), []];
    addEventListener("submit", (event) => (sent.push(!event.defaultPrevented), event.preventDefault()));
    const heard = async (n) => { while (sent.length < n) await new Promise(requestAnimationFrame); };
    button.click();
    button.click();
    await heard(4);
    dispatchEvent(new Event("pageshow"));
    button.click();
    await heard(6);
    return sent;
}"""
"""Whether each of three presses would go out, before the last of which one is back on the page: at first and, once the
house has said that it is there, again.
"""


@pytest.mark.parametrize("path", ["/", "/new/gin"])
def test_of_two_presses_comes_one_table(people, path):
    anna = people()
    anna.page.goto(anna.house + path)
    anna.page.locator("[name=nickname]").first.fill("Anna")
    assert anna.page.evaluate(PRESSED) == [False, False, True, False, False, True]


def test_enter_beside_a_nickname_keeps_it_and_deals_nothing(people):
    ben = people()
    ben.page.goto(ben.house)
    ben.page.locator("#nickname").fill("Ben")
    with ben.page.expect_navigation():
        ben.page.keyboard.press("Enter")
    assert ben.page.locator("#nickname").input_value() == "Ben"
    assert ben.page.locator("#yours").is_hidden()


def test_without_scripts_the_lists_are_there_and_forms_work(people):
    code = make(people(), "mio", listed="true")
    ben = people(java_script_enabled=False)
    ben.page.goto(ben.house)
    assert ben.page.locator(f"#open [data-code='{code}']").is_visible()
    ben.page.locator("#code").fill(f"{code[:3].upper()} {code[3:]}")
    ben.page.keyboard.press("Enter")
    ben.page.wait_for_url(f"**/t/{code}")
    ben.page.goto(ben.house)
    ben.page.locator("#nickname").fill("Ben")
    ben.page.locator("#mio button").click()
    ben.page.wait_for_url("**/t/*")
    ben.page.goto(ben.house)
    assert ben.page.locator("#yours .own").count() == 1


def test_bots_are_as_strong_as_they_are_in_the_variant_chosen(people):
    gin, page = games.find("gin"), (anna := people()).page
    page.goto(f"{anna.house}/new/gin")
    for preset in ("classic", "sheet"):
        page.locator("[name=preset]").select_option(preset)
        said = page.locator("#seat-1 option[value=skilled]").inner_text()
        assert said.endswith(f"({strengths(gin, preset, 2)[1]['skilled']:+})")


def test_bots_are_as_strong_as_they_are_among_so_many(people):
    """On the form, where it is chosen how many play, and at the table."""
    mio, page = games.find("mio"), (anna := people()).page
    page.goto(f"{anna.house}/new/mio")
    page.locator("[name=nickname]").fill("Anna")
    for players, size in ((6, 4), (3, 2), (4, 4)):
        page.locator(f"[name=players][value='{players}']").check()
        told = f"({strengths(mio, 'sheet', size)[1]['skilled']:+})"
        assert page.locator("#seat-1 option[value=skilled]").inner_text().endswith(told)
        assert f"at a table of {size}," in page.locator(".sitters + .hint").inner_text()
    page.locator(".create button").click()
    bots = page.locator(".bots")
    assert bots.locator("option[value=skilled]").inner_text().endswith(told)
    assert "at a table of 4," in bots.inner_text()


# ---------------------------------------------------------------- the way out, without a line and with one


@pytest.mark.parametrize(
    ("path", "button"),
    [
        ("/", "#gin button"),
        ("/new/gin", ".create button"),
        ("/me", "[action='/me/name'] button"),
        ("/rules/gin", ".cover button"),
        ("/ratings/gin", ".cover button"),
    ],
)
def test_a_form_without_a_line_says_so_and_is_sent_once_there_is_one(people, path, button):
    anna = people("phone", ByTouch)
    page = anna.page
    page.goto(anna.house + path)
    name = page.locator("[name=nickname]")
    if name.count():
        name.fill("Anna")
    anna.context.set_offline(True)
    page.locator(button).tap()
    said = page.locator(".error[role=alert]")
    said.wait_for()
    assert said.inner_text() == Words("en")("page.unsent")
    assert not page.evaluate(SIDEWAYS)
    assert not name.count() or name.input_value() == "Anna"
    anna.errors.clear()  # what the browser says of the cut itself
    anna.context.set_offline(False)
    said.wait_for(state="detached")
    with page.expect_navigation(), page.expect_request(lambda request: request.method == "POST"):
        page.locator(button).tap()


def test_a_door_that_leads_elsewhere_is_walked_to(people):
    """A proxy whose password is due again sends whoever comes to another site."""
    anna = people()
    anna.page.goto(anna.house)
    anna.page.route("**/health", lambda route: route.fulfill(status=302, headers={"location": "http://login.test/"}))
    with anna.page.expect_navigation(), anna.page.expect_request(lambda request: request.method == "POST"):
        anna.page.locator("#gin button").click()


def test_a_house_on_ones_own_machine_needs_no_network(people):
    anna = people()
    anna.context.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => false })")
    anna.page.goto(anna.house)
    anna.page.locator("#gin button").click()
    anna.page.wait_for_selector("[data-hand] .card")


def test_who_takes_a_copy_of_their_data_need_not_wait_to_do_something_else(people):
    anna = people()
    anna.page.goto(f"{anna.house}/me")
    anna.page.locator("[name=nickname]").fill("Anna")
    with anna.page.expect_navigation():
        anna.page.locator("[action='/me/name'] button").click()
    with anna.page.expect_download():
        anna.page.locator("[action='/me/export'] button").click()
    with anna.page.expect_navigation():
        anna.page.locator("[action='/me/name'] button").click()


# ---------------------------------------------------------------- what changes comes by itself


def test_open_tables_come_and_go_before_ones_eyes_and_the_focus_stays(people):
    anna, ben = people(), people()
    first = make(anna, "hawaiki", listed="true", players="4")
    ben.page.goto(ben.house)
    link = ben.page.locator(f"#open [data-code='{first}'] a")
    link.focus()
    second = make(anna, "gin", listed="true", preset="classic")
    row = ben.page.locator(f"#open [data-code='{second}']")
    row.wait_for()
    assert "Bonus for an undercut: 25" in row.inner_text()
    assert link.evaluate("link => link === document.activeElement")
    anna.page.locator(".chair[data-kind=open] .button").last.click()
    row.wait_for(state="detached")
    assert link.evaluate("link => link === document.activeElement")


NEW = '<li data-code="zzz"></li>'


@pytest.mark.parametrize("part", ["open", "yours"])
def test_who_presses_a_row_while_another_comes_follows_its_link(people, part):
    anna, lines = people(), []
    code = make(anna, "gin", listed="true")
    anna.page.route_web_socket("**/lobby/socket*", lambda line: lines.append(line))
    anna.page.goto(anna.house)
    rows = anna.page.locator(f"#{part} [data-code]")
    order = [*rows.evaluate_all("rows => rows.map(row => row.dataset.code)"), "zzz"]
    came = {
        "open": {"type": "tables", "seen": "", "order": order, "rows": {"zzz": NEW}},
        "yours": {"type": "yours", "html": anna.page.locator("#yours ul").inner_html() + NEW},
    }
    anna.page.locator(f"#{part} a[href='/t/{code}']").hover()
    anna.page.mouse.down()
    lines[0].send(json.dumps(came[part]))
    anna.page.locator(f"#{part} [data-code=zzz]").wait_for(state="attached")
    anna.page.mouse.up()
    anna.page.wait_for_url(f"**/t/{code}")


def test_who_left_a_match_finds_it_at_home_and_is_told_the_turn(people):
    """No question is asked, and nothing is lost."""
    anna = people().sit_down("gin")
    anna.play(1)
    anna.page.locator(".heading a").first.click()
    own = anna.page.locator("#yours .own").first
    own.locator(".state", has_text="Your turn").wait_for()
    assert "with 1 bot" in own.inner_text()
    anna.page.wait_for_function("() => document.title.startsWith('(1) ')")
    own.click()
    anna.page.wait_for_selector("[data-hand] .card")


def test_who_keeps_the_home_page_open_is_called_when_a_table_comes_to_wait_for_them(whole, house):
    """By its icon and, where that is wished and nobody looks, by a notice."""
    pair = Pair(whole, house, pace="days")
    mover, other = pair.asked()
    page = (home := ByMouse(whole, house, **CALLING)).page
    home.context.add_init_script(WISHED)
    home.context.add_cookies(other.context.cookies())
    page.goto(house)
    page.locator("#yours .own").wait_for()
    page.evaluate(NOTICES)
    page.evaluate(HIDDEN, True)
    assert not page.locator(MARKED).count()
    while pair.asked()[0] is mover:
        pair.move()
    page.locator(MARKED).wait_for(state="attached")
    ((title, more),) = page.evaluate("told")
    assert (title, more["body"], more["data"]) == ("Gin Rami", "Your turn", pair.link)
    home.context.close()
    pair.done()


def test_the_other_language_of_a_form_that_was_refused_is_a_form(people):
    anna = people()
    anna.page.goto(f"{anna.house}/new/gin")
    anna.page.locator("[name=nickname]").fill("Anna")
    anna.page.locator("summary").click()
    anna.page.locator("[name='option.target']").fill("many")
    anna.page.locator(".create button").click()
    anna.page.locator(".error").wait_for()
    anna.errors.clear()  # the browser tells that it was refused, too
    anna.page.locator(".languages a[hreflang=fr]").click()
    anna.page.locator("html[lang=fr] form.table-form").wait_for()
