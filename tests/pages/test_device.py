"""Where the device is not as one would like: it keeps nothing or odd things, has no room, cannot share, and prints."""

import json
import re
from pathlib import Path

import httpx
import pytest

import brelan.server
from brelan.words import Words
from tests.pages.ears import HIDDEN
from tests.pages.people import COPIES_NOTHING, ByMouse, Pair, hand, named

KEEPS_NOTHING = {
    "refuses": """Object.defineProperty(window, "localStorage", {
        get() { throw new DOMException("refused", "SecurityError"); },
    })""",
    "is full": """Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }""",
}
ODD = {
    "brelan": {"theme": "sepia", "sort": "rank", "keys": None, "volume": "loud", "later": 1},
    "brelan.promises": {},
    "brelan.muted": 3,
}
"""What another build of the house might have kept."""


def room(person, name):
    """A table made by that name, for friends who are still to come."""
    form = {"game": "mio", "against": "friends", "nickname": name, "players": "3"}
    headers = {"origin": person.house}
    made = person.page.request.post(f"{person.house}/tables", form=form, headers=headers, max_redirects=0)
    person.page.goto(person.house + made.headers["location"])
    person.page.locator(".room").wait_for()


@pytest.mark.parametrize("device", KEEPS_NOTHING)
def test_what_is_chosen_holds_as_long_as_the_page_where_the_device_keeps_nothing(device, chromium, house):
    person = ByMouse(chromium, house)
    person.context.add_init_script(KEEPS_NOTHING[device])
    page = person.sit_down("gin").page
    page.wait_for_selector("[data-hand] .card")
    orders = [hand(page)]
    for _ in range(2):
        page.keyboard.press("s")
        orders.append(hand(page))
    assert len({*map(tuple, orders)}) > 1
    assert len({*map(frozenset, orders)}) == 1
    assert not person.errors
    person.context.close()


def test_what_another_build_kept_is_as_usual_where_this_one_does_not_know_it(chromium, house):
    person = ByMouse(chromium, house)
    for name, kept in ODD.items():
        person.context.add_init_script(f"localStorage.setItem({name!r}, {json.dumps(json.dumps(kept))})")
    person.sit_down("gin").play(2)
    known = person.page.evaluate("import('/static/settings.js').then(({ settings }) => settings())")
    assert (known["theme"], known["sort"], known["keys"], known["volume"]) == ("auto", "laid", {}, 60)
    assert known["later"] == 1
    assert not person.errors
    person.context.close()


REMEMBER = """() => import("/static/settings.js").then(({ keepOf, keptOf }) => {
    for (let i = 0; i < 60; i++) keepOf("brelan.hands", `table${i}`, [`card${i}`]);
    const [last, first] = [59, 0].map((i) => keptOf("brelan.hands", `table${i}`, []));
    return [JSON.parse(localStorage.getItem("brelan.hands")).length, last, first];
})"""


def test_a_device_remembers_the_tables_that_it_was_at_last(chromium, house):
    person = ByMouse(chromium, house)
    person.page.goto(house)
    assert person.page.evaluate(REMEMBER) == [50, ["card59"], []]
    person.context.close()


FRAME = """() => [getComputedStyle(document.body).backgroundColor,
    ...[...document.querySelectorAll("meta[name=theme-color]")].map(({ content }) => content)]"""


@pytest.mark.parametrize("device", ["light", "dark"])
def test_the_frame_of_a_browser_is_of_the_pages_colour(device, chromium, house):
    """In whatever light somebody chooses, on a device of the other."""
    person = ByMouse(chromium, house, color_scheme=device).sit_down("gin")
    seen = set()
    person.page.locator("[data-sheet=settings]").click()
    for theme in ("Light", "Dark", "High contrast"):
        person.page.get_by_label(theme).check()
        person.settle()
        colours = set(person.page.evaluate(FRAME))
        assert len(colours) == 1
        seen |= colours
    assert len(seen) == 3
    person.page.goto(house)
    assert set(person.page.evaluate(FRAME)) == colours
    assert not person.errors
    person.context.close()


def test_a_notch_is_left_to_the_browser(house):
    """Who asks for the whole of a screen must keep clear of it in every corner of every page."""
    assert "viewport-fit" not in httpx.get(house).text
    sheets = (Path(brelan.server.__file__).parent / "static").glob("*.css")
    assert not [sheet.name for sheet in sheets if "safe-area" in sheet.read_text("utf-8")]


def test_a_sign_that_is_drawn_and_not_said_is_drawn_by_older_browsers_too():
    """Firefox before 128 leaves out the whole line in which a sign has another text for those who listen."""
    for sheet in (Path(brelan.server.__file__).parent / "static").glob("*.css"):
        css = sheet.read_text("utf-8")
        signs = re.findall(r'(content: "[^"]*"; )?content: ("[^"]*") / ""', css)
        assert all(plain == f"content: {sign}; " for plain, sign in signs), sheet.name


NO_ANCHOR = """() => {
    CSS.supports = () => false;
    const sheet = document.querySelector("dialog");
    sheet.style.overflowAnchor = "none";
    sheet.scrollTop = 120;
}"""


def test_who_reads_back_in_the_log_stays_there_where_the_browser_keeps_no_place(chromium, house):
    pair = Pair(chromium, house)
    for _ in range(8):
        pair.move()
    _, reader = pair.asked()
    reader.resize(360, 400)
    reader.page.locator("[data-sheet=log]").click()
    reader.page.evaluate(NO_ANCHOR)
    sentence = reader.page.locator(".sheet .log li").nth(4)
    said, place = sentence.inner_text(), sentence.bounding_box()["y"]
    pair.move()
    reader.settle()
    moved = reader.page.locator(".sheet .log li").nth(5)
    assert moved.inner_text() == said
    assert abs(moved.bounding_box()["y"] - place) < 1
    pair.done()


def test_the_last_page_leaves_nothing_of_the_houses_on_the_device(chromium, house):
    """Its script alone: the header beside it counts over https only, and on this machine."""
    person = ByMouse(chromium, house)
    person.page.goto(house)
    person.page.evaluate("for (const name of ['brelan', 'brelan.seen', 'other']) localStorage.setItem(name, '{}')")
    person.page.add_script_tag(url="/static/gone.js", type="module")
    assert person.page.evaluate("Object.keys(localStorage)") == ["other"]
    assert not person.errors
    person.context.close()


def test_when_a_match_ended_is_told_by_the_clock_here(chromium, house):
    """Its script alone: the house may stand in another country."""
    person = ByMouse(chromium, house, timezone_id="America/Mexico_City")
    person.page.goto(house)
    person.page.evaluate(
        "document.body.innerHTML = '<time datetime=\"2026-11-30T00:53+00:00\">2026-11-30 01:53</time>'"
    )
    person.page.add_script_tag(url="/static/times.js", type="module")
    assert person.page.locator("time").inner_text().startswith("Nov 29, 2026, 6:53")
    assert not person.errors
    person.context.close()


def test_who_leaves_a_device_leaves_it_in_every_page(chromium, house):
    person = ByMouse(chromium, house).sit_down("gin")
    person.page.wait_for_selector("[data-hand] .card")
    other = person.context.new_page()
    other.goto(f"{house}/me")
    other.locator("details", has_text="Leave this device").locator("summary").click()
    other.locator("[action^='/me/leave'] [name=leave]").check()
    other.locator("[action^='/me/leave'] button").click()
    other.get_by_role("heading", name=Words("en")("me.gone_title")).wait_for()
    person.page.wait_for_url(f"{house}/")
    kept = other.evaluate("Object.keys(localStorage)")
    assert not [name for name in kept if name != "brelan"]
    person.context.close()


def test_a_device_without_room_gets_its_scripts_all_the_same(chromium, house):
    """Its worker can keep none of them."""
    person = ByMouse(chromium, house, service_workers="allow")
    person.page.goto(house)
    person.page.wait_for_function("() => navigator.serviceWorker.controller")
    devtools = person.context.new_cdp_session(person.page)
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": house, "quotaSize": 1})
    person.page.goto(f"{house}/fair")
    person.page.locator("#chances output p").first.wait_for()
    assert not person.errors
    person.context.close()


def test_a_chair_bears_the_first_sign_of_a_name_whole(chromium, house):
    person = ByMouse(chromium, house)
    room(person, "🇫🇷 Léa")
    assert person.page.locator(".chair .initial").first.inner_text() == "🇫🇷"
    person.context.close()


SHARES_NOTHING = """name => {
    navigator.share = async (given) => { window.given = given; throw new DOMException("", name); };
}"""


@pytest.mark.parametrize(("trouble", "times"), [("NotAllowedError", 1), ("AbortError", 0)])
def test_a_link_that_cannot_be_shared_is_shown_once_and_none_that_was_not_wished(trouble, times, chromium, house):
    person = ByMouse(chromium, house)
    room(person, "Anna")
    person.page.goto(named(person.page.url))
    person.page.evaluate(SHARES_NOTHING, trouble)
    person.page.evaluate(COPIES_NOTHING)
    for _ in range(3):
        person.page.locator(".invitation button").click()
    person.settle()
    shown = person.page.locator(".invitation").inner_text().count(person.page.url)
    assert shown == 1 + times  # it stands there as a link in any case
    assert person.page.evaluate("given") == {"title": "Mio", "url": person.page.url}
    person.context.close()


def test_a_link_that_the_device_does_not_share_is_copied(chromium, house):
    person = ByMouse(chromium, house, permissions=["clipboard-read", "clipboard-write"])
    room(person, "Anna")
    person.page.goto(named(person.page.url))
    person.page.evaluate(SHARES_NOTHING, "NotAllowedError")
    person.page.locator(".invitation button").click()
    person.page.get_by_role("button", name="Copied").wait_for()
    assert person.page.evaluate("navigator.clipboard.readText()") == person.page.url
    assert person.page.locator(".invitation").inner_text().count(person.page.url) == 1  # as a link, in any case
    person.context.close()


@pytest.mark.parametrize("theme", ["auto", "dark", "contrast"])
def test_paper_is_white_by_night_too(theme, chromium, house):
    person = ByMouse(chromium, house)
    person.context.add_init_script(f"localStorage.setItem('brelan', JSON.stringify({{ theme: '{theme}' }}))")
    person.page.goto(f"{house}/rules/gin")
    ink = "getComputedStyle(document.querySelector('main')).color"
    by_day = person.page.evaluate(ink) if theme != "dark" else None
    person.page.emulate_media(media="print")
    assert person.page.evaluate(ink) == (by_day or "rgb(44, 32, 24)")
    person.context.close()


LOCKS = """
    window.locks = [];
    const request = async () => {
        const lock = { held: true, release: async () => { lock.held = false; } };
        locks.push(lock);
        return lock;
    };
    Object.defineProperty(Navigator.prototype, "wakeLock", { value: { request }, writable: true });
"""
HELD = "locks.map(({ held }) => held)"
"""Of each time that the screen was to stay on, whether it still is."""


def test_the_screen_stays_on_while_a_match_is_played_and_somebody_looks(chromium, house):
    person = ByMouse(chromium, house)
    person.context.add_init_script(LOCKS)
    page = person.sit_down("gin", target=1).page
    assert page.evaluate(HELD) == [True]
    page.evaluate(HIDDEN, True)
    page.wait_for_function(f"() => {HELD}.join() === 'false'")
    page.evaluate(HIDDEN, False)
    assert page.evaluate(HELD) == [False, True]
    person.play()
    page.wait_for_function(f"() => {HELD}.join() === 'false,false'")
    assert not person.errors
    person.context.close()


@pytest.mark.parametrize(("pace", "wall"), [("live", [True]), ("days", [])])
def test_it_stays_on_before_a_wall_but_for_no_onlooker_no_lesson_and_not_by_turns(pace, wall, chromium, house):
    pair, looker = Pair(chromium, house, pace=pace), ByMouse(chromium, house)
    for person, address, held in (
        (looker, pair.link, []),
        (looker, f"{pair.link}?screen", wall),
        (looker, f"{house}/learn/gin", []),
        (pair.anna, pair.link, wall),
    ):
        person.context.add_init_script(LOCKS)
        person.page.goto(address)
        person.page.locator("#table .felt").wait_for()
        assert person.page.evaluate(HELD) == held
    looker.context.close()
    pair.done()


@pytest.mark.parametrize(
    "missing", ["undefined", "{ request: async () => { throw new DOMException('', 'NotAllowedError'); } }"]
)
def test_a_device_that_keeps_no_screen_on_is_played_on_all_the_same(missing, chromium, house):
    person = ByMouse(chromium, house)
    person.context.add_init_script(f"{LOCKS}; navigator.wakeLock = {missing}")
    person.sit_down("gin").play(2)
    assert not person.errors
    person.context.close()


SLEPT = """() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() - 60_000;
}"""
"""A minute that the page's own clock has not counted."""


def test_whose_device_slept_sees_how_much_time_there_is_as_soon_as_they_look(chromium, house):
    """Though the line outlived it, and nothing has happened meanwhile."""
    pair = Pair(chromium, house)  # of a minute for the whole match
    asked, _ = pair.asked()
    number = asked.view["number"]
    asked.page.evaluate(HIDDEN, True)
    asked.page.evaluate(SLEPT)
    asked.page.evaluate(HIDDEN, False)
    asked.page.locator(".bar .clock", has_text=re.compile("^0:")).wait_for(timeout=5000)
    assert asked.view["number"] == number
    pair.done()
