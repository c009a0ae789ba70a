"""When the line is cut: the page says so, loses nothing that was chosen meanwhile, and accuses nobody afterwards."""

import json
import re

import pytest

from brelan.words import Words
from tests.pages.people import CORNER, COVERED, ByMouse, Pair
from tests.pages.readers import sign
from tests.pages.wire import PORTAL

CUT = """(() => {
    const Real = WebSocket, lines = [];
    let cut = false;
    window.WebSocket = class extends Real {
        constructor(address) { super(cut ? address.replace("/t/", "/nowhere/") : address); lines.push(this); }
    };
    window.cutLine = () => { cut = true; lines.forEach((line) => line.close()); };
    window.mendLine = () => { cut = false; };
    window.tries = () => lines.length;
})()"""
"""A line that a test may cut and mend, with no need to wait until the page notices by itself."""


@pytest.fixture
def pair(chromium, house):
    """Anna's line can be cut; her grace is short, and so she has time enough to think."""
    found = Pair(chromium, house, grace="10", bank="60")
    found.anna.context.add_init_script(CUT)
    found.anna.page.reload()
    found.anna.page.wait_for_selector("[data-hand] .card")
    yield found
    found.anna.errors.clear()  # what the browser says of the cut itself
    found.done()


def cut(person):
    person.page.evaluate("cutLine()")
    person.page.locator(".banner.line").wait_for()


def mend(person):
    person.page.evaluate("mendLine()")
    person.page.locator(".banner.line", has_text="Connected again").wait_for(timeout=15000)


def test_a_cut_line_says_so_and_that_it_is_back(pair):
    anna = pair.anna
    anna.context.set_offline(True)
    anna.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    anna.page.locator(".banner.line").wait_for(timeout=15000)
    before = anna.page.locator(".felt").bounding_box()
    anna.context.set_offline(False)
    anna.page.locator(".banner.line", has_text="Connected again").wait_for(timeout=15000)
    assert anna.page.locator(".felt").bounding_box() == before
    said = anna.page.locator("#voice p", has_text=re.compile("onnect")).all_inner_texts()
    assert [text.partition(".")[0] for text in said] == [
        "The connection is lost",
        "Connected again",
    ]  # each once, however often it is tried


def test_however_long_a_line_is_cut_it_stays_ones_own_that_is_cut(pair):
    """As in a tunnel: whose page shows a table has its cookies. That a network says no is no word of the house."""
    anna = pair.anna
    anna.page.route("**/seat.svg", lambda route: route.fulfill(status=403, **PORTAL))
    before = anna.page.evaluate("tries()")
    with anna.page.expect_response("**/seat.svg"):
        cut(anna)
    anna.page.wait_for_function("n => tries() > n", arg=before + 5)
    assert anna.page.locator(".banner.line").inner_text().startswith("The connection is lost. Your seat is kept")
    mend(anna)


@pytest.mark.parametrize("query", ["", "?screen"])
def test_to_who_has_no_seat_none_is_kept(query, pair, chromium, house):
    looker = ByMouse(chromium, house)
    looker.context.add_init_script(CUT)
    looker.page.goto(pair.link + query)
    looker.page.locator(".felt").wait_for()
    cut(looker)
    assert looker.page.locator(".banner.line").inner_text() == Words("en")("client.cut")
    looker.context.close()


def test_what_is_said_of_the_line_covers_nothing_that_has_the_focus(pair):
    person = pair.anna
    person.resize(360, 640)
    cut(person)
    for _ in range(5):
        person.page.keyboard.press("Shift+Tab")
        assert not person.page.evaluate(COVERED)
    mend(person)


def test_a_move_that_was_made_without_a_line_is_made_though_others_spoke_meanwhile(pair):
    while pair.asked()[0] is not pair.anna:
        pair.move()
    anna, ben = pair.people
    cut(anna)
    move = anna.page.locator(".bar .choices [data-move]").first
    move.click()
    number = ben.view["number"]
    ben.page.keyboard.press("c")
    ben.page.locator(".sayings button").first.click()
    ben.wait(lambda view: view["number"] > number)
    mend(anna)
    ben.wait(lambda view: any(news["kind"] == "move" for news in view["news"]))
    assert not anna.page.locator(".remark").count()


def test_a_page_that_comes_back_behind_another_deal_accuses_nobody(pair):
    """A bot has kept the seat since, and played cards of the new hand: that they are gone is no fault of the house."""
    anna, ben = pair.people
    assert sign(anna)[0]
    cut(anna)
    dealt, played = ben.view["table"]["shuffles"], 0
    while played < 4:
        ben.play(ben.moves + 1)
        ben.come_to_turn()
        played += ben.view["table"]["shuffles"] > dealt
    mend(anna)
    anna.wait(lambda view: view["number"] >= ben.view["number"])
    anna.page.wait_for_function(
        "n => JSON.parse(localStorage.getItem('brelan.promises')).at(-1).checked === n",
        arg=anna.view["table"]["shuffles"],
    )
    assert sign(anna)[0]
    assert not json.loads(anna.page.evaluate("localStorage.getItem('brelan.promises')"))[-1]["wrong"]


def test_a_page_to_which_no_line_comes_about_says_what_may_be_wrong_and_where_else_to_go(chromium, house):
    """As in a browser that keeps no cookies: each handshake is refused."""
    anna = ByMouse(chromium, house).sit_down("gin")
    stranger = ByMouse(chromium, house)
    stranger.context.add_init_script(CUT + "; cutLine()")
    stranger.page.goto(anna.page.url)
    told = stranger.page.locator("[role=alert]", has_text="cookies")
    told.wait_for(timeout=20000)
    assert told.get_by_role("link", name="Another game").get_attribute("href") == "/"
    for person in (anna, stranger):
        person.context.close()


DEAD = "WebSocket.prototype.send = () => {}"
"""As after a change of networks: nobody says so, and nothing arrives."""


@pytest.fixture
def awaited(chromium, house):
    """Somebody whose turn it is, before a clock that the test sets; the house has just said that it is there."""
    anna = ByMouse(chromium, house)
    anna.page.clock.install()
    anna.sit_down("gin").come_to_turn()
    anna.page.clock.run_for(15_000)
    anna.wait(lambda _: any('"pong"' in frame for frame in anna.frames))
    yield anna
    anna.context.close()


@pytest.mark.parametrize(
    ("does", "wait"),
    [
        ("document.querySelector('.bar .choices [data-move]').click()", 9_000),
        ("document.dispatchEvent(new Event('visibilitychange'))", 5_000),
    ],
)
def test_who_does_something_over_a_dead_line_or_comes_back_to_it_is_soon_told(does, wait, awaited):
    awaited.page.evaluate(f"{DEAD}; {does}")
    awaited.page.clock.run_for(wait)
    assert awaited.page.locator(".banner.line", has_text="The connection is").count()


SAID = """() => {
    const send = WebSocket.prototype.send;
    window.said = [];
    WebSocket.prototype.send = function (text) { said.push(JSON.parse(text).type); send.call(this, text); };
}"""


def test_a_move_that_is_answered_asks_for_no_sign_of_life(awaited):
    """The house counts those, and cuts the line of who wants one for each move."""
    awaited.page.evaluate(SAID)
    awaited.play(awaited.moves + 1)
    awaited.page.clock.run_for(5_000)
    said = awaited.page.evaluate("said")
    assert "move" in said
    assert "ping" not in said


SLOW = """(() => {
    const Real = WebSocket;
    window.held = [];
    window.holds = () => false;
    const passed = (text, does) => (holds(text) ? held.push(does) : does());
    window.release = () => { window.holds = () => false; held.splice(0).forEach((does) => does()); };
    window.WebSocket = class extends Real {
        send(text) { passed(text, () => super.send(text)); }
        set onmessage(hear) { super.onmessage = (event) => passed(event.data, () => hear(event)); }
    };
})()"""
"""A line on which a test may hold up some of what is said."""


@pytest.mark.parametrize("kind", ["move", "ack"])
def test_a_move_that_is_under_way_is_not_offered_again(kind, pair):
    """Nor is it while others speak; and the next one is offered as soon as it is made, though nothing else happens."""
    anna, ben = pair.people
    anna.context.add_init_script(SLOW)
    anna.page.reload()
    while pair.asked()[0] is not anna or not anna.page.locator("[data-zone=stock] > .lie > .aim").count():
        pair.move()
    anna.page.evaluate("kind => { window.holds = (text) => JSON.parse(text).type === kind; }", kind)
    number = anna.view["number"]
    anna.page.keyboard.press("d")
    anna.page.wait_for_function("() => held.length")
    ben.page.keyboard.press("c")
    ben.page.locator(".sayings button").first.click()
    anna.wait(lambda view: view["number"] > number + (kind == "ack"))
    card = anna.page.locator("[data-hand] .card:not([aria-disabled])").first
    offered = anna.page.locator(".bar .choices [data-move]")
    if kind == "ack":
        card.click(position=CORNER)
    offered.and_(anna.page.locator("[aria-disabled=true]")).first.wait_for()
    assert not anna.page.locator(".bar .choices [data-move]:not([aria-disabled])").count()
    anna.page.evaluate("release()")
    if kind == "move":
        anna.wait(lambda view: view["number"] > number + 1)
        card.click(position=CORNER)
    anna.page.locator(".bar .choices [data-move]:not([aria-disabled])").first.wait_for(timeout=5_000)


DEAF = """(() => {
    const Real = WebSocket;
    let deaf = true, tries = 0;
    window.WebSocket = class extends EventTarget {
        readyState = Real.CONNECTING;
        constructor(address) {
            super();
            tries++;
            if (!deaf) return new Real(address);
        }
        close() {}
    };
    Object.assign(window.WebSocket, { CONNECTING: Real.CONNECTING, OPEN: Real.OPEN });
    window.hear = () => { deaf = false; };
    window.opened = () => tries;
})()"""
"""As behind a wall that lets pages through, and swallows the handshakes of lines without a word."""


def test_a_line_of_which_nobody_says_that_it_does_not_open_is_tried_again(chromium, house):
    link = ByMouse(chromium, house).sit_down("gin").page.url
    stranger = ByMouse(chromium, house)
    stranger.page.clock.install()
    stranger.context.add_init_script(DEAF)
    stranger.page.goto(link)
    stranger.page.clock.run_for(20_000)
    stranger.page.locator("[role=alert]", has_text="The connection is lost").wait_for()
    stranger.page.evaluate("hear()")
    stranger.page.clock.run_for(20_000)
    stranger.page.locator(".felt").wait_for()
    assert not stranger.errors
    stranger.context.close()


def test_who_looks_again_waits_for_no_try_that_hangs(chromium, house):
    anna, again = ByMouse(chromium, house), ["document", "visibilitychange"]
    anna.context.add_init_script(DEAF)
    anna.page.clock.install()
    anna.page.goto(anna.house)
    anna.page.clock.run_for(3_000)
    assert [anna.page.evaluate(AT_ONCE, again) for _ in range(2)] == [1, 0], "it may come about"
    assert not anna.errors
    anna.context.close()


SET_BACK = """() => {
    document.dispatchEvent(new Event("visibilitychange"));
    const now = Date.now;
    Date.now = () => now() - 3_600_000;
}"""


def test_who_sets_the_clock_of_the_device_back_loses_no_line(chromium, house):
    """While the house is asked whether it is still there."""
    anna = ByMouse(chromium, house)
    anna.page.clock.install()
    anna.sit_down("gin")
    anna.page.evaluate(SET_BACK)
    anna.wait(lambda _: any('"pong"' in frame for frame in anna.frames))
    anna.page.clock.run_for(10_000)
    assert anna.page.locator(".banner.line").count() == 0
    anna.context.close()


def test_what_is_refused_before_anything_is_shown_is_said(chromium, house):
    """As of a table that this version of the rules cannot read."""
    anna = ByMouse(chromium, house).sit_down("gin")
    refused = {"type": "refused", "key": "", "error": "storage", "rule": None, "words": "No.", "number": 0}
    anna.page.route_web_socket("**/socket*", lambda line: line.on_message(lambda _: line.send(json.dumps(refused))))
    anna.page.reload()
    anna.page.locator("[role=alert]", has_text="No.").wait_for()
    assert not anna.errors
    anna.context.close()


LOBBY = """(() => {
    const Real = WebSocket, lines = [];
    let cut = false;
    window.WebSocket = class extends Real {
        constructor(address) {
            super(cut ? String(address).replace("/lobby/", "/nowhere/") : address);
            lines.push(this);
        }
    };
    window.cutLine = () => { cut = true; lines.forEach((line) => line.close()); };
    window.mendLine = () => { cut = false; };
    window.opened = () => lines.length;
    window.state = () => lines.at(-1).readyState;
})()"""

AT_ONCE = """([target, name]) => {
    const before = opened();
    (target === "window" ? window : document).dispatchEvent(new Event(name));
    return opened() - before;
}"""
"""How many lines are opened while an event is heard, without any wait."""


@pytest.mark.parametrize("again", [("document", "visibilitychange"), ("window", "online")])
def test_who_looks_at_the_home_page_again_waits_for_no_next_try(again, chromium, house):
    anna = ByMouse(chromium, house)
    anna.context.add_init_script(LOBBY)
    anna.page.goto(anna.house)
    anna.page.wait_for_function("() => state() === WebSocket.OPEN")
    anna.page.evaluate("cutLine()")
    anna.page.locator("#lost").wait_for(timeout=20000)
    anna.page.wait_for_function("() => state() === WebSocket.CLOSED")
    anna.page.evaluate("mendLine()")
    assert anna.page.evaluate(AT_ONCE, again) == 1
    anna.page.locator("#lost").wait_for(state="hidden", timeout=15000)
    anna.context.close()


NOTE = """() => {
    const lost = document.getElementById("lost");
    window.noted = [];
    new MutationObserver(() => noted.push(lost.hidden)).observe(lost, { attributeFilter: ["hidden"] });
}"""
"""Write down when the page says that its line is lost, and no more."""


def test_a_home_page_behind_others_notices_that_its_line_is_dead(chromium, house):
    """Nobody says so where a router has forgotten it; and how much time is left at one's tables is told each minute."""
    anna, lines, said = ByMouse(chromium, house), [], []
    anna.page.clock.install()

    def deaf(line):
        lines.append(line)
        line.on_message(lambda text: said.append(text))  # Playwright takes no built-in

    anna.page.route_web_socket("**/lobby/socket*", deaf)
    anna.page.goto(anna.house)
    anna.page.evaluate(NOTE)
    anna.page.clock.run_for(75_000)
    assert (len(lines), said) == (2, ["yours"])
    assert anna.page.evaluate("noted") == [False, True], "said at once, until there is another line"
    assert not anna.errors
    anna.context.close()


def test_who_wipes_the_cookie_of_an_open_page_is_told_so_and_led_back_to_the_seat(pair):
    page, words = pair.anna.page, Words("en")
    pair.anna.context.clear_cookies()
    page.evaluate("cutLine(); mendLine()")
    banner = page.locator(".banner.line", has_text=words("client.stranger"))
    banner.wait_for(timeout=20000)
    back = banner.get_by_role("link", name=words("client.seat_back"))
    other = pair.anna.context.new_page()
    other.goto(pair.link)  # the browser is somebody else now, and so is the page that comes back
    pair.anna.wait(lambda view: view["table"]["seat"] is None)
    back.click()
    page.get_by_role("button", name=words("page.take_seat_yes")).click()
    page.wait_for_selector("[data-hand] .card")


def test_who_watches_without_a_cookie_loads_the_page_anew(pair, chromium, house):
    looker, words = ByMouse(chromium, house), Words("en")
    looker.context.add_init_script(CUT)
    looker.page.goto(pair.link)
    looker.page.locator(".felt").wait_for()
    looker.context.clear_cookies()
    looker.page.evaluate("cutLine(); mendLine()")
    looker.page.locator(".banner.line", has_text=words("client.stranger")).get_by_role("link").click(timeout=20000)
    looker.page.locator(".felt").wait_for()
    assert not looker.page.locator(".banner.line").count()
    looker.context.close()


NO_LINES = {
    "has none": "delete window.WebSocket",
    "opens none": "window.WebSocket = class { constructor() { throw new DOMException('refused', 'SecurityError'); } }",
}


@pytest.mark.parametrize("browser", NO_LINES)
def test_a_browser_that_opens_no_line_says_why_there_may_be_no_table(browser, pair, chromium, house):
    looker = ByMouse(chromium, house)
    looker.context.add_init_script(NO_LINES[browser])
    looker.page.goto(pair.link)
    looker.page.locator(".banner", has_text=Words("en")("client.unreached")).wait_for(timeout=20000)
    looker.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert not looker.errors
    looker.context.close()
