"""What a person expects of the page besides moves: nothing is lost, nothing refused in silence, all is readable."""

import json
import re

import httpx
import pytest

from brelan.words import LANGUAGES, Words
from tests.pages.people import ByMouse, ByTouch, hand, to_throw, to_throw_any


@pytest.fixture
def anna(chromium, house):
    person = ByMouse(chromium, house).sit_down("gin")
    yield person
    assert not person.errors
    person.context.close()


def test_reload_gives_the_same_seat_and_hand(anna):
    anna.play(4)
    anna.come_to_turn()
    before = (anna.page.url, sorted(hand(anna.page)), anna.view["table"]["seat"])
    anna.page.reload()
    anna.page.wait_for_selector("[data-hand] .card")
    assert (anna.page.url, sorted(hand(anna.page)), anna.view["table"]["seat"]) == before
    anna.play(8)


def test_who_plays_with_bots_alone_is_not_told_to_ask_for_a_move_to_take_back(anna):
    """Bots agree at once."""
    while not anna.view["table"]["undo"]["may"] or anna.view["table"]["undo"]["free"]:
        anna.play(anna.moves + 1)
    assert anna.page.locator(".undo").get_attribute("title") == "Take your last move back"


def test_the_order_of_the_hand_is_kept_on_the_device_and_never_sent(anna):
    sent = []
    anna.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    anna.page.reload()
    anna.page.wait_for_selector("[data-hand] .card")
    first = hand(anna.page)
    anna.page.keyboard.press("s")
    if hand(anna.page) == first:  # it lay in that order already
        anna.page.keyboard.press("s")
    sorted_hand = hand(anna.page)
    assert sorted_hand != first
    assert sorted(sorted_hand) == sorted(first)
    anna.page.reload()
    anna.page.wait_for_selector("[data-hand] .card")
    assert hand(anna.page) == sorted_hand
    assert not [frame for frame in sent if "sort" in frame or "order" in frame]


def test_a_spectator_sees_no_hand(anna, chromium, house):
    """Another guest who opens the link before a seat is free sees the public part only."""
    anna.play(4)
    anna.come_to_turn()  # after a round all hands lie open
    other = ByMouse(chromium, house)
    other.page.goto(anna.page.url)
    other.page.wait_for_selector(".felt")
    faces = {c["face"] for zone in other.view["scene"]["zones"] if zone["kind"] == "fan" for c in zone["cards"]}
    mine = {
        c["face"] for z in anna.view["scene"]["zones"] if z["owner"] == anna.view["table"]["seat"] for c in z["cards"]
    }
    seen = other.view["scene"]
    assert seen["seat"] == -1
    assert not seen["choices"]
    assert len((faces & mine) - {None}) <= 3  # those that were taken openly from the discards
    other.context.close()


def test_what_may_not_be_played_says_why_and_links_to_the_rule(anna):
    """A shut knock, or the card just taken: chosen, each names its rule; the link leads to its paragraph."""
    scene = to_throw(anna)
    shut = [choice for choice in scene["choices"] if choice["why"]]
    while not shut:
        anna.play(anna.moves + 1)
        shut = [choice for choice in to_throw(anna)["choices"] if choice["why"]]
    anna.button(shut[0]).click(force=True)
    remark = anna.page.locator(".remark")
    assert "G6" in remark.inner_text()
    address = remark.locator("a.rule").get_attribute("href")
    page = httpx.get(anna.house + address.partition("#")[0]).text
    assert f'id="{address.partition("#")[2]}"' in page
    spoken = anna.page.locator("#voice").text_content()
    assert shut[0]["why"].rstrip(".") in spoken


def test_two_windows_of_one_person_show_the_same_seat(anna):
    to_throw(anna)
    twin = anna.context.new_page()
    twin.goto(anna.page.url)
    twin.wait_for_selector("[data-hand] .card")
    assert sorted(hand(twin)) == sorted(hand(anna.page))
    count = len(hand(twin))
    anna.play(anna.moves + 1)
    twin.wait_for_function("count => document.querySelectorAll('[data-hand] .card').length !== count", arg=count)
    twin.close()


def test_what_one_window_sets_another_leaves_as_it_is(anna):
    to_throw(anna)
    twin = anna.context.new_page()
    twin.goto(anna.page.url)
    for page, label in ((twin, "High contrast"), (anna.page, "By value")):
        page.locator("[data-sheet=settings]").click()
        page.get_by_label(label).check()
    kept = json.loads(anna.page.evaluate("localStorage.getItem('brelan')"))
    assert (kept["theme"], kept["sort"]) == ("contrast", "value")
    twin.close()


def test_the_button_of_a_called_word_is_there_at_every_moment_and_goes_with_one_card(chromium, house):
    """By its key or pressed, and taken back so; once it went with a card it is up again."""
    sent = []
    person = ByMouse(chromium, house)
    person.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    person.sit_down("mio", 2)
    button = person.page.locator(".bar .call")
    for press in (button.click, lambda: person.page.keyboard.press("m")):
        for pressed in ("true", "false"):
            press()
            assert button.get_attribute("aria-pressed") == pressed
    while not any(" mio" in frame for frame in sent):
        person.come_to_turn()
        assert button.is_visible()
        scene, number = person.view["scene"], person.view["number"]
        said = [choice for choice in scene["choices"] if choice["move"].endswith(" mio")]
        person.make((said or scene["choices"])[0], scene)
        person.wait(lambda view, number=number: view["number"] > number)
    assert button.get_attribute("aria-pressed") == "false"
    person.context.close()


def test_the_button_of_a_called_word_is_larger_than_others(chromium, house):
    """A button like others, it has a look of its own all the same."""
    person = ByMouse(chromium, house).sit_down("mio", 2)
    look = "button => [getComputedStyle(button).borderTopWidth, getComputedStyle(button).minBlockSize]"
    assert person.page.locator(".bar .call").evaluate(look) == ["3px", "52px"]
    person.context.close()


def test_the_last_move_is_told_until_the_next_round_is_dealt(anna):
    def last(*log):
        news = [{"kind": kind, "seat": seat, "words": words, "led": "", "follows": False} for kind, seat, words in log]
        return anna.page.evaluate("log => import('/static/told.js').then(({ lastOf }) => lastOf(log).did)", news)

    shuffled, move, ended = ("table", None, "Shuffled."), ("move", 1, "Ben knocks."), ("round", None, "20 points.")
    assert last(shuffled, move) == last(shuffled, move, ended) == "Ben knocks."
    assert last(shuffled, move, shuffled) == "Ben knocks."  # a stock made anew
    assert last(shuffled, move, ended, shuffled) == ""
    assert last(shuffled, move, ended, shuffled, ("move", 0, "Anna draws.")) == "Anna draws."


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_joined_on_the_page_as_in_what_the_house_tells(language, chromium, house):
    person = ByMouse(chromium, house, locale=language).sit_down("gin")
    joined = "lists => import('/static/words.js').then(({ listed }) => lists.map(listed))"
    lists = [["Anna", "Ben", "Cleo"][:n] for n in range(4)]
    assert person.page.evaluate(joined, lists) == [Words(language).listed(names) for names in lists]
    person.context.close()


def test_a_zone_is_called_by_its_badge_unless_its_caption_says_it(anna):
    called = "zones => import('/static/summary.js').then(({ zoneName }) => zones.map(zoneName))"
    zones = [{"caption": caption, "badge": "5"} for caption in ("red, strength 5", "strength 5 (red)", "15")]
    assert anna.page.evaluate(called, zones) == ["red, strength 5", "strength 5 (red)", "15 5"]


def test_a_level_that_has_no_name_any_more_is_called_by_its_id(anna):
    called = "levels => import('/static/scene.js').then(({ levelWords }) => levels.map(levelWords))"
    levels = ["strong", "strong@2", "foo", "foo@3", None, ""]
    assert anna.page.evaluate(called, levels) == ["strong", "strong v2", "foo", "foo@3", "", ""]


def test_two_fingers_on_ones_own_hand_make_the_page_larger_and_play_nothing(chromium, house):
    person = ByTouch(chromium, house, "phone", is_mobile=True).sit_down("gin")
    to_throw_any(person)
    before, box = hand(person.page), person.page.locator("[data-hand]").bounding_box()
    devtools = person.context.new_cdp_session(person.page)
    for apart in range(20, 120, 10):
        places = [box["x"] + box["width"] / 2 + side * apart for side in (-1, 1)]
        fingers = [{"x": x, "y": box["y"] + 40, "id": finger} for finger, x in enumerate(places)]
        kind = "touchStart" if apart == 20 else "touchMove"
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    person.settle()
    assert person.page.evaluate("visualViewport.scale") > 1.5
    assert hand(person.page) == before
    assert person.asked(person.view)
    person.context.close()


def test_the_page_speaks_french(chromium, house):
    person = ByMouse(chromium, house, locale="fr").sit_down("gin")
    assert person.page.locator("html").get_attribute("lang") == "fr"
    person.come_to_turn()
    text = person.page.locator("#table").inner_text()
    assert "Pioche" in text or "pioche" in text
    for english in ("Stock", "Discards", "Draw", "Hand", "undefined"):
        assert english not in text
    person.page.keyboard.press("t")
    spoken = person.page.locator("#voice p").last.text_content()
    assert "Pioche\u00a0: " in spoken
    assert not re.search("[^\u00a0]:", spoken), "French has a space before a colon, at which no line breaks"
    person.context.close()


def test_the_hand_is_a_list_for_those_who_hear_it(anna):
    labels = anna.page.locator("[data-hand] .card").evaluate_all("cards => cards.map(card => card.ariaLabel)")
    assert all(f"{place} of {len(labels)}" in label for place, label in enumerate(labels, 1))
    assert anna.page.locator("#call[aria-live=assertive]").count() == 1
    anna.page.keyboard.press("t")
    assert len(anna.page.locator("#voice").text_content()) > 20


PLACES = """display => {
    document.getElementById("go-on").style.display = display;
    const parts = [...document.querySelectorAll(".felt, .hand, .bar, .plate")];
    return parts.map(part => part.getBoundingClientRect().toJSON());
}"""
"""Where everything lies, with that button and without it."""


def told(person, go_on):
    """A bot that waits is told to move, and has; what was said last of it."""
    number = person.view["number"]
    go_on()
    person.wait(lambda view: view["number"] > number)
    person.settle()
    return person.page.locator("#voice p").last.text_content()


def test_a_bot_that_waits_goes_on_by_button_or_key_is_told_of_once_and_moves_nothing(chromium, house):
    anna = ByMouse(chromium, house, "phone")
    seats = "&".join(f"seat.{seat}=novice" for seat in range(1, 6))
    anna.page.goto(f"{house}/new/mio?nickname=Anna&players=6&tempo=step&{seats}")
    anna.press(anna.page.locator(".create button"))
    anna.wait(lambda view: view["table"]["held"] or anna.asked(view))
    while not anna.asked(anna.view):
        told(anna, anna.go_on)
    while not anna.view["table"]["held"]:  # a card that was drawn may still be laid
        anna.play(anna.moves + 1)
        anna.wait(lambda view: view["table"]["held"] or anna.asked(view))
    anna.settle()
    assert "Bot 2 plays once you continue." in anna.page.locator("#voice p").last.text_content()
    assert anna.page.locator(".bar .prompt").inner_text() == "Bot 2 plays once you continue."
    for go_on in (anna.go_on, lambda: anna.page.keyboard.press("n")):
        assert anna.page.evaluate(PLACES, "none") == anna.page.evaluate(PLACES, "")
        assert "continue" not in told(anna, go_on)
    assert anna.view["table"]["held"]
    assert not anna.errors
    anna.context.close()


INKS = "buttons => buttons.map((button) => getComputedStyle(button).color)"


def test_a_hint_raises_the_card_and_says_what_a_strong_bot_would_do(chromium, house):
    person = ByMouse(chromium, house).sit_down("companeros")
    person.come_to_turn()
    person.page.keyboard.press("h")
    person.page.wait_for_selector(".remark:has-text('A strong bot would choose')")
    assert "A strong bot would choose" in person.page.locator("#voice").text_content()
    assert person.page.locator("[data-hand] .card[aria-pressed=true], [data-hand] .card[data-selected]").count() == 1
    assert len(set(person.page.locator(".aids button").evaluate_all(INKS))) == 1, "it is no paler than undo"
    person.context.close()


WHY = """async (why) => {
    const { hinted } = await import("/static/hint.js");
    const named = { move: "name 1", words: "Player 2 must draw", brief: "must draw", target: "hand:1", cards: [] };
    const choices = [{ move: "draw", words: "Draw a card", brief: "Draw", target: "stock", cards: [] }, named];
    const scene = { seat: 0, choices, zones: [{ id: "stock", owner: null }, { id: "hand:1", owner: 1 }] };
    const view = { scene, table: { seats: [{ name: "Anna" }, { name: "Ben" }] } };
    return hinted(view, "draw", why).remark.words.replace("A strong bot would choose “Draw a card”.", "").trim();
}"""


def test_what_is_marked_in_a_sheet_may_end_beside_it(anna):
    page = anna.page
    page.locator("[data-sheet=help]").click()
    leaf = page.locator("dialog .leaf").bounding_box()
    page.mouse.move(leaf["x"] + 60, leaf["y"] + 120)
    page.mouse.down()
    page.mouse.move(10, 10, steps=3)
    page.mouse.up()
    anna.settle()
    assert page.locator("dialog[open]").count() == 1
    page.mouse.click(10, 10)
    page.locator("dialog[open]").wait_for(state="detached")


@pytest.mark.parametrize(
    ("why", "says"),
    [
        (None, ""),
        ({"worlds": 0, "close": []}, "Nothing else seemed worth a try."),
        ({"worlds": 2048, "close": []}, "In 2048 possible deals it did clearly better"),
        (
            {"worlds": 64, "close": ["name 1", "x"]},
            "In 64 possible deals “Ben must draw” did about as well.",
        ),
        ({"worlds": 64, "close": ["unknown"]}, ""),
    ],
)
def test_a_hint_says_why_where_a_bot_has_searched(why, says, chromium, house):
    person = ByMouse(chromium, house).sit_down("gin")
    told = person.page.evaluate(WHY, why)
    assert told.startswith(says)
    assert bool(told) == bool(says)
    person.context.close()


def test_a_sheet_offers_what_the_game_has_and_a_kept_seat_calls_nothing(chromium, house):
    for game, suited in (("gin", 1), ("mio", 0)):
        anna = ByMouse(chromium, house).sit_down(game)
        page = anna.page
        page.locator("[data-sheet=settings]").click()
        assert page.get_by_label("Four colours for the four suits").count() == suited
        assert page.get_by_label("Count the deadwood of my hand").count() == suited
        page.locator(".leave button").click()
        page.locator("#leave").click()
        page.locator(".choices:has(#back) a[href='/']").wait_for()  # who leaves wants to go somewhere else
        assert not page.locator(".call").count()
        anna.context.close()


def test_what_is_pressed_twice_is_said_once(chromium, house):
    """On a long line the button still stands there; nobody is told no for a finger that slipped."""
    anna, frames = ByMouse(chromium, house), []
    anna.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(frame)))
    anna.sit_down("gin")
    while not anna.view["scene"]["between"]:
        if anna.asked(anna.view):
            anna.play(anna.moves + 1)
        anna.page.wait_for_timeout(5)
    anna.page.locator("#go-on").evaluate("button => (button.click(), button.click())")
    anna.wait(lambda view: not view["scene"]["between"])
    said = [json.loads(frame)["type"] for frame in frames]
    assert said.count("next") == 1
    assert "move" in said
    lengths = {len(frame) for frame, kind in zip(frames, said, strict=True) if kind != "ping"}
    assert lengths == {200}, "none tells the move, before the browser packs it"
    assert not anna.errors
    anna.context.close()
