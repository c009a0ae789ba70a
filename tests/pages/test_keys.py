"""The keyboard: single keys can be switched off (WCAG 2.2 SC 2.1.4), and the focus is never lost to a redraw."""

import string

import pytest

from tests.pages.colours import contrast
from tests.pages.people import CORNER, COVERED, ByKeyboard, ByMouse, ByTouch, Pair, hand, to_throw_any
from tests.pages.tree import HEAR

STANDS = """() => [document.querySelector("dialog[open]") !== null, document.querySelector(".remark") !== null,
    document.querySelectorAll("[aria-pressed=true]").length, document.getElementById("voice").textContent]"""
MOVES_NOTHING = """() => {
    const part = (name) => document.querySelector(name);
    const places = () => [".felt", ".hand", ".bar"].map((name) => JSON.stringify(part(name).getBoundingClientRect()));
    const beside = places().join();
    part(".shifts").style.display = "none";
    const without = places().join();
    part(".shifts").style.display = "";
    return beside === without;
}"""
FOCUS = "document.activeElement === document.body ? null : document.activeElement.outerHTML.slice(0, 120)"


def test_where_single_keys_are_off_only_the_cards_themselves_hear_numbers(chromium, house):
    person = ByKeyboard(chromium, house, "tablet").sit_down("elements", 3)
    person.come_to_turn()
    page, number = person.page, person.view["number"]
    page.locator("[data-sheet=settings]").click()
    page.locator(".settings fieldset").filter(has=page.locator("[type=checkbox]")).nth(1).get_by_role(
        "checkbox"
    ).last.uncheck()
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    before = page.evaluate(STANDS)
    for key in string.ascii_letters + string.digits + "?":
        page.keyboard.press(key)
        assert page.evaluate(STANDS) == before, key
    assert person.view["number"] == number
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    assert page.locator("[data-hand] .card").nth(1).evaluate("card => card === document.activeElement")
    person.context.close()


def test_before_the_first_view_no_key_means_anything(chromium, house):
    person, lines = ByKeyboard(chromium, house), []
    person.page.route_web_socket("**/socket*", lambda line: lines.append(line))  # and nothing is said on it
    form = {"game": "gin", "against": "bots", "nickname": "Anna", "players": "2"}
    made = person.page.request.post(f"{house}/tables", form=form, headers={"origin": house}, max_redirects=0)
    person.page.goto(house + made.headers["location"])
    while not lines:
        person.page.wait_for_timeout(5)
    for key in (*string.ascii_lowercase, *string.digits, "?", "ArrowLeft", "ArrowRight", "Home", "Enter", "Escape"):
        person.page.keyboard.press(key)
    person.settle()
    assert not person.errors
    person.context.close()


def test_a_number_that_is_held_down_raises_its_card_and_does_no_more(chromium, house):
    person = ByKeyboard(chromium, house).sit_down("gin")
    to_throw_any(person)
    number = person.view["number"]
    for _ in range(4):
        person.page.keyboard.down("3")
    person.page.keyboard.up("3")
    person.settle()
    raised = person.page.locator("[data-hand] .card").nth(2).get_attribute("aria-pressed")
    assert (raised, person.view["number"]) == ("true", number)
    person.context.close()


def test_a_key_may_be_exchanged_for_another(chromium, house):
    """Who had that one takes the other; it lasts on this device, and the usual ones come back by a button."""
    person = ByKeyboard(chromium, house, "tablet").sit_down("elements", 3)
    person.come_to_turn()
    page = person.page
    told = {key: said(page, key) for key in "tl"}
    assert told["t"] != told["l"]
    page.keyboard.press("?")
    page.get_by_label("say all that lies on the table").press_sequentially("l")
    page.keyboard.press("Escape")
    assert (said(page, "l"), said(page, "t")) == (told["t"], told["l"])
    person.view = None
    page.reload()
    person.come_to_turn()
    page.locator(".bar[data-mine]").wait_for()  # then what the first view tells has been said
    assert said(page, "l") == told["t"]
    page.keyboard.press("?")
    page.locator(".sheet p .button").first.click()
    page.keyboard.press("Escape")
    assert said(page, "l") == told["l"]
    person.context.close()


def test_a_card_is_moved_in_the_hand_by_keys_or_taps_alone(chromium, house):
    """Nobody needs to drag (WCAG 2.2 SC 2.1.1, 2.5.7), nor be on turn; what is raised stays so."""
    person = ByKeyboard(chromium, house, "phone").sit_down("mio", 3)
    person.come_to_turn()
    page, first = person.page, hand(person.page)
    page.evaluate(HEAR)
    page.keyboard.press("ArrowRight")
    for key, at in (("Shift+ArrowRight", 1), ("Shift+ArrowRight", 2), ("Shift+ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.key") == hand(page)[at]
    assert hand(page) == [first[1], first[0], *first[2:]]
    assert page.evaluate("heard") == [f"{at} of {len(first)}" for at in (2, 3, 2)]
    page.locator("[data-hand] .card").last.click(position=CORNER, force=True)  # one that may not be played, too
    pressed = page.locator("[data-hand] [aria-pressed=true]").count()
    assert page.evaluate(MOVES_NOTHING)
    for _ in range(len(first)):
        page.get_by_role("button", name="Move this card to the left").click()
    assert hand(page) == [first[-1], first[1], first[0], *first[2:-1]]
    page.get_by_role("button", name="Move this card to the right").click()
    assert hand(page) == [first[1], first[-1], first[0], *first[2:-1]]
    assert page.locator("[data-hand] [aria-pressed=true]").count() == pressed
    person.context.close()


KEYS = "letters => letters.map(key => key.value).join('')"


@pytest.mark.parametrize(
    ("game", "letters"),
    [
        ("companeros", "husltrn"),
        ("elements", "husltrn"),
        ("hawaiki", "dhusltrn"),
        ("mio", "dhusltrmn"),
        ("gin", "dkhusltrn"),
    ],
)
def test_the_help_lists_the_keys_that_are_heard_there(chromium, house, game, letters):
    """Bots hear no talk."""
    person = ByKeyboard(chromium, house, "tablet").sit_down(game)
    person.come_to_turn()
    person.page.keyboard.press("?")
    assert person.page.locator(".keys input").evaluate_all(KEYS) == letters
    person.context.close()


def test_where_two_people_play_there_is_a_key_to_talk_and_none_for_hints(chromium, house):
    pair = Pair(chromium, house)
    page = pair.people[0].page
    page.keyboard.press("?")
    assert page.locator(".keys input").evaluate_all(KEYS) == "dkuslctrn"
    page.keyboard.press("Escape")
    pair.done()


def test_on_a_phone_the_keys_are_folded_away_until_they_are_wanted(chromium, house):
    person = ByTouch(chromium, house, "phone", is_mobile=True).sit_down("gin")
    person.come_to_turn()
    page = person.page
    page.locator("[data-sheet=help]").tap()
    assert page.locator(".keys").is_hidden()
    page.locator(".sheet summary").tap()
    assert page.locator(".keys").is_visible()
    person.context.close()


RING = """() => {
    const one = document.activeElement;
    const { outlineStyle, outlineWidth, outlineOffset, outlineColor, boxShadow } = getComputedStyle(one);
    const beyond = parseFloat(outlineWidth) + parseFloat(outlineOffset);
    const { left, right, top, bottom } = one.getBoundingClientRect();
    let cut = false;
    for (let part = one.parentElement; part; part = part.parentElement) {
        const box = part.getBoundingClientRect();
        const wide = left - beyond > box.left && right + beyond < box.right;
        const holds = wide && top - beyond > box.top && bottom + beyond < box.bottom;
        cut ||= getComputedStyle(part).overflowX !== "visible" && !holds;
    }
    const hex = (colour) => colour.match(/\\d+/g).map((part) => Number(part).toString(16).padStart(2, "0")).join("");
    const ground = getComputedStyle(document.body).backgroundColor;
    const colours = [outlineColor, boxShadow.match(/rgb\\([^)]*\\)/)[0], ground];
    return [outlineStyle, cut, ...colours.map((colour) => `#${hex(colour)}`)];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_has_the_focus_is_seen_on_every_ground(scheme, chromium, house):
    """A ring of two colours, of which one stands out, and that nothing which scrolls cuts off (WCAG 2.2 SC 1.4.11)."""
    person = ByKeyboard(chromium, house, "tablet", color_scheme=scheme).sit_down("mio", 2)
    person.come_to_turn()
    person.page.keyboard.press("Tab")
    for one in (".bar .choices .button", ".bar .call", ".heading [data-sheet=help]", "[data-hand] .card[tabindex='0']"):
        person.page.locator(one).first.focus()
        style, cut, ring, edge, ground = person.page.evaluate(RING)
        assert (style, cut) == ("solid", False), one
        assert contrast(ring, edge) > 3
        assert max(contrast(ring, ground), contrast(edge, ground)) > 3
    person.context.close()


def test_a_hand_is_one_stop_of_tab_wherever_the_arrows_went_in_it(chromium, house):
    person = ByKeyboard(chromium, house, "phone").sit_down("mio", 3)
    person.come_to_turn()
    for key in ("ArrowRight", "End", "ArrowLeft"):
        person.page.keyboard.press(key)
    there = "document.activeElement.dataset.key"
    card = person.page.evaluate(there)
    assert card == hand(person.page)[-2]
    person.page.keyboard.press("Shift+Tab")
    assert not person.page.evaluate("document.activeElement.matches('[data-hand] .card')")
    person.page.keyboard.press("Tab")
    assert person.page.evaluate(there) == card
    person.context.close()


def walked(person, key, times):
    """Whatever lies wholly under something else when that key has brought the focus to it."""
    found = []
    for _ in range(times):
        person.page.keyboard.press(key)
        found.append(person.page.evaluate(COVERED))
    return [one for one in found if one]


def test_what_has_the_focus_lies_under_nothing_that_sticks(chromium, house):
    """Neither in the form of a table nor in a sheet, on a low screen (WCAG 2.2 SC 2.4.11)."""
    person = ByKeyboard(chromium, house, "phone")
    person.resize(360, 400)
    person.page.goto(f"{house}/new/hawaiki")
    person.page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    assert [walked(person, key, 60) for key in ("Tab", "Shift+Tab")] == [[], []]
    person.sit_down("hawaiki", 4).come_to_turn()
    person.page.keyboard.press("?")
    assert [walked(person, key, 14) for key in ("Tab", "Shift+Tab")] == [[], []]
    person.context.close()


def test_whoever_asks_for_a_rule_reads_on_at_its_paragraph(chromium, house):
    person = ByKeyboard(chromium, house, "tablet").sit_down("gin")
    person.come_to_turn()
    person.page.keyboard.press("r")
    person.page.locator(".book [data-at]").wait_for()
    assert person.page.evaluate("document.activeElement.matches('.book [data-at]')")
    person.context.close()


def said(page, key):
    """What the page says aloud at a key."""
    page.evaluate("document.getElementById('voice').textContent = ''")
    page.keyboard.press(key)
    page.wait_for_function("() => document.getElementById('voice').textContent")
    return page.evaluate("document.getElementById('voice').textContent")


def test_the_focus_is_never_lost(chromium, house):
    """After each move, each question and each answer something that can be reached has it, and a result its heading."""
    person = ByKeyboard(chromium, house, "tablet")
    person.context.add_init_script("delete Element.prototype.checkVisibility")  # as in Safari before 17.4
    person.sit_down("gin", target=1).come_to_turn()
    while not person.over:
        person.play(person.moves + 1)
        while not (person.over or person.asked(person.view)):
            person.next_view()
        assert person.page.evaluate(FOCUS), person.view["scene"]["prompt"]
    person.page.locator(".onward").wait_for()
    assert "<h2" in person.page.evaluate(FOCUS)
    assert not person.errors
    person.context.close()


def test_the_last_move_is_said_whatever_was_said_since(chromium, house):
    pair = Pair(chromium, house)
    _, other = pair.move("draw")
    move = next(news["words"] for news in other.view["news"] if news["kind"] == "move")
    other.page.keyboard.press("c")
    other.page.locator(".sayings button").first.click()
    other.page.locator(".bubble").wait_for(state="attached")
    assert said(other.page, "l") == move
    pair.done()


def test_what_was_said_to_who_looks_on_goes_with_the_next_move(people, chromium, house):
    pair, looker = Pair(chromium, house), people()
    looker.page.goto(pair.link)
    pair.move("draw")
    looker.wait(lambda view: view["number"] == pair.anna.view["number"])
    for key in "lt":
        assert said(looker.page, key)
        assert looker.page.locator(".remark").is_visible()
    pair.move()
    looker.page.locator(".remark").wait_for(state="detached")
    pair.done()


def test_what_is_new_in_the_talk_is_marked_until_it_is_looked_at(chromium, house):
    pair = Pair(chromium, house)
    anna, ben = pair.people
    ben.page.keyboard.press("c")
    sayings = ben.page.locator(".sayings button").all_inner_texts()
    assert sayings[0] == "Bonjour à tout le monde\u00a0!"  # in the catalogue's order
    ben.page.locator(".sayings button").first.click()
    anna.page.locator(".unheard", has_text="1").wait_for()
    assert not ben.page.locator(".unheard").count()
    anna.page.locator("[data-sheet=chat]").click()
    anna.page.locator(".sheet .log").wait_for()
    assert not anna.page.locator(".unheard").count()
    pair.done()


def test_what_was_said_while_a_page_was_closed_is_new_when_it_is_opened(chromium, house):
    """Once, as moves are: who has never been there has missed nothing, and nobody their own words."""
    pair = Pair(chromium, house)
    anna, ben = pair.people
    anna.page.goto(house)
    ben.page.keyboard.press("c")
    ben.page.locator(".sayings button").first.click()
    ben.page.locator(".bar .bubble").wait_for()
    anna.page.goto(pair.link)
    anna.page.locator(".unheard", has_text="1").wait_for()
    stranger = ByMouse(chromium, house)
    stranger.page.goto(pair.link)
    for person in (stranger, ben, anna):
        person.page.reload()
        person.page.locator("[data-sheet=chat]").wait_for()
        assert not person.page.locator(".unheard").count()
    stranger.context.close()
    pair.done()
