"""The waiting room in a real browser: who comes, by which link, under which name, and what it says of bots."""

import re

import pytest

from brelan.words import Words
from tests.gallery.looks import SIDEWAYS
from tests.pages.ears import CALLING, EARS, HIDDEN, MARKED, NOTICES, WISHED, heard
from tests.pages.people import ByTouch, make, named
from tests.pages.scan import faults


def chairs(person):
    return person.page.locator(".chair").evaluate_all("chairs => chairs.map(chair => chair.dataset.kind)")


@pytest.mark.parametrize(
    ("pace", "says"), [("none", "After 60\u00a0s of absence"), ("days", "When the time for a move is up")]
)
def test_the_waiting_room_says_when_a_bot_keeps_a_seat(people, pace, says):
    anna = people()
    make(anna, "gin", pace=pace)
    kept = anna.page.locator(".customs li", has_text="keeps the seat").all_inner_texts()
    assert [sentence.startswith(says) for sentence in kept] == [True]


@pytest.mark.parametrize(
    ("tempo", "pace", "says"),
    [
        ("fast", "none", ["Bots play fast."]),
        ("usual", "none", []),
        ("step", "live", ["Each bot waits until one of the players continues, for a minute at most."]),
        ("step", "days", []),
    ],
)
def test_the_waiting_room_says_how_fast_bots_play(people, tempo, pace, says):
    make(anna := people(), "gin", tempo=tempo, pace=pace)
    told = anna.page.locator(".customs li").all_inner_texts()
    assert [sentence for sentence in told if re.search("[Bb]ots? (play|wait)", sentence)] == says


def test_a_shared_tablet_is_its_owners_again_when_who_brought_a_seat_to_it_gets_up_elsewhere(people):
    """Whoever sat down there next would sit as the one who got up, and show them the cards."""
    anna, ben = people(), people("phone", ByTouch)
    code = make(anna, "gin")
    ben.page.goto(f"{ben.house}/t/{code}")
    ben.page.locator("#nickname").fill("Ben")
    ben.page.locator(".chair[data-kind=open] .button-primary").tap()
    ben.wait(lambda view: view["table"]["link"])
    anna.page.goto(ben.house + ben.view["table"]["link"])
    anna.page.get_by_role("button", name="Take that seat").click()
    anna.wait(lambda view: view["table"]["seat"] == 1)
    ben.page.get_by_role("button", name="Stand up").tap()
    anna.wait(lambda view: view["table"]["seat"] == 0 and view["table"]["host"])
    ben.wait(lambda view: view["table"]["seat"] is None)
    assert not ben.page.locator(".banner.line").count(), "his cookie is as good as before"


def test_a_friend_comes_by_code_with_a_name_that_is_asked_once(people):
    anna, ben = people(), people("phone", ByTouch)
    code = make(anna, "hawaiki", players="3", manner="claim", talk="true")
    assert anna.page.locator(".code").inner_text().replace("\n", "").replace(" ", "") == code
    told = anna.page.locator(".customs").inner_text()
    assert "People may write in their own words." in told
    assert "No clock" in told
    ben.page.goto(ben.house)
    ben.page.locator("#code").fill(" ".join(code.upper()))
    ben.page.locator(".join button").tap()
    ben.page.locator("#nickname").fill("Benn")
    ben.page.locator(".chair[data-kind=open] .button-primary").first.tap()
    anna.page.locator(".chair", has_text="Benn").wait_for()
    name = ben.page.locator(".own-name")
    name.fill("Ben")
    name.press("Enter")
    anna.page.locator(".chair .who", has_text=re.compile(r"Ben\b")).wait_for()
    assert "here" in anna.page.locator(".chair", has_text="Ben").inner_text()
    ben.page.wait_for_load_state("networkidle")  # the house is told the name to remember, too
    ben.page.goto(ben.house)
    assert ben.page.locator("#nickname").input_value() == "Ben"
    anna.page.locator(".chair small", has_text="away").wait_for()


def test_who_waits_and_looks_elsewhere_is_called_when_somebody_sits_down(people, whole):
    """Who may deal is told so, too; another name calls nobody."""
    anna, ben = people(browser=whole, **CALLING), people()
    anna.context.add_init_script(f"{EARS}; {WISHED}")
    page, code = anna.page, make(anna, "gin")
    page.keyboard.press("t")
    page.evaluate(NOTICES)
    page.evaluate(HIDDEN, True)
    ben.page.goto(f"{ben.house}/t/{code}")
    ben.page.locator("#nickname").fill("Ben")
    ben.page.locator(".chair[data-kind=open] .button-primary").click()
    page.locator(MARKED).wait_for(state="attached")
    says = "Ben sits down at seat 2. You can deal the cards."
    assert page.title().startswith(f"● {says}")
    assert [(title, more["body"]) for title, more in page.evaluate("told")] == [("Gin Rami", says)]
    assert heard(anna) == {"message"}
    ben.page.locator(".own-name").fill("Benn")
    ben.page.locator(".own-name").press("Enter")
    anna.wait(lambda view: view["table"]["seats"][1]["player"] == "Benn")
    page.evaluate(HIDDEN, False)
    page.locator(".chair", has_text="Benn").wait_for()
    assert page.title().startswith("Gin Rami")
    assert not page.locator(MARKED).count()
    assert len(page.evaluate("told")) == 1


def test_bots_by_level_all_at_once_and_sent_away(people):
    anna = people()
    make(anna, "mio", players="5")
    anna.page.locator(".bots select").select_option("random")
    anna.page.locator(".chair[data-kind=open] .button").last.click()
    anna.page.locator(".chair small", has_text="random").wait_for()
    anna.page.locator(".bots select").select_option("novice")
    anna.page.locator(".fill").click()
    anna.page.locator(".room .big").wait_for()
    assert chairs(anna) == ["person", "bot", "bot", "bot", "bot"]
    assert anna.page.locator(".chair small", has_text="novice").count() == 3
    anna.page.get_by_role("button", name="Send away, Bot 2", exact=True).click()
    anna.page.locator(".chair[data-kind=open]").wait_for()
    anna.page.locator(".chair[data-kind=person] .button").click()
    anna.page.wait_for_function("() => document.querySelectorAll('.chair[data-kind=open]').length === 2")


def test_the_own_seat_goes_along_to_a_second_device(people):
    anna, phone = people(), people("phone", ByTouch)
    anna.house = named(anna.house)
    make(anna, "gin")
    anna.page.locator(".own-link summary").click()
    picture = anna.page.locator(".own-link img")
    picture.scroll_into_view_if_needed()
    anna.page.wait_for_function("() => document.querySelector('.own-link img').naturalWidth > 0")
    phone.page.goto(anna.house + anna.view["table"]["link"])
    phone.page.get_by_text("Take that seat").tap()
    phone.page.locator(".own-name").wait_for()
    assert phone.page.locator(".own-name").input_value() == "Anna"


def test_at_a_machines_own_address_nothing_leads_other_devices_to_themselves(people):
    """In the room, for one's own seat, on a wall; by a name all of it does."""
    anna = people()
    make(anna, "gin")
    page, room = anna.page, anna.page.url
    page.locator(".own-link summary").click()
    assert page.locator(".near:visible").all_inner_texts() == [Words("en")("client.near")] * 2
    assert not page.locator(".qr").count()
    page.goto(f"{room}?screen")
    page.locator(".room .near").wait_for()
    page.goto(named(room))
    page.locator(".invitation .qr").wait_for()
    assert not page.locator(".near").count()


def test_whoever_shows_the_table_on_a_big_screen_keeps_the_way_back(people):
    anna = people()
    make(anna, "gin", **{"seat.0": "free"})
    with anna.page.expect_popup() as wall:
        anna.page.get_by_text("Show the table on a big screen").click()
    wall.value.locator(".room").wait_for()
    assert chairs(anna) == ["open", "open"]


def test_a_host_who_looks_on_seats_bots_and_begins_from_there(people):
    """Whoever sat down first is told to wait for them."""
    anna, ben = people(), people("phone", ByTouch)
    code = make(anna, "gin", **{"seat.0": "free"})
    ben.page.goto(f"{ben.house}/t/{code}")
    ben.page.locator("#nickname").fill("Ben")
    ben.page.locator(".chair .button-primary").first.tap()
    anna.wait(lambda view: view["table"]["seats"][0]["name"] == "Ben")
    assert not ben.page.get_by_role("button", name="Seat a bot").count()
    anna.page.get_by_role("button", name="Seat a bot").click()
    ben.page.get_by_text("Whoever made the table starts the game.").wait_for()
    anna.page.get_by_role("button", name="Deal the cards").click()
    ben.wait(lambda view: view["scene"])


def test_who_comes_to_a_full_table_is_told_so_and_where_else_to_play(people):
    """Before the cards are dealt, and after the match; a wall, which sits nowhere, says nothing of it."""
    anna, ben = people(), people("phone", ByTouch, locale="fr")
    code = make(anna, "gin", **{"option.target": "1"})
    anna.page.locator(".chair[data-kind=open] .button").last.click()
    anna.page.get_by_role("button", name="Deal the cards").wait_for()
    says = [Words("fr")(f"client.{name}") for name in ("taken", "customs_watch_true", "own_table")]
    for place in (".room", ".result"):
        ben.page.goto(f"{ben.house}/t/{code}")
        assert ben.page.locator(f"{place} .taken").inner_text() == " ".join(says)
        assert not ben.page.locator("#nickname").count()
        assert not ben.page.evaluate(SIDEWAYS)
        ben.page.goto(f"{ben.house}/t/{code}?screen")
        ben.page.locator(place).wait_for()
        assert not ben.page.locator(".taken").is_visible()
        if place == ".room":
            anna.page.get_by_role("button", name="Deal the cards").click()
            anna.play()
    ben.page.goto(f"{ben.house}/t/{code}")
    ben.page.locator(".taken a").tap()
    ben.page.wait_for_url("**/new/gin")


def test_the_link_of_anothers_seat_asks_who_has_one(people):
    anna, ben = people(), people("phone", ByTouch, locale="fr")
    code = make(anna, "gin")
    ben.page.goto(f"{ben.house}/t/{code}")
    ben.page.locator("#nickname").fill("Ben")
    ben.page.locator(".chair[data-kind=open] .button-primary").tap()
    name = ben.page.locator(".own-name")
    name.wait_for()
    for button, who in (("Rester qui je suis", "Ben"), ("Prendre cette place", "Anna")):
        ben.page.goto(anna.house + anna.view["table"]["link"])
        assert ben.page.locator("h1").inner_text() == Words("fr")("page.take_seat", name="Anna")
        says = [Words("fr")("page.take_seat_shared"), Words("fr")("page.take_seat_what", name="Ben")]
        assert ben.page.locator("main p").all_inner_texts() == says
        assert not faults(ben.page)
        assert not ben.page.evaluate(SIDEWAYS)
        ben.page.get_by_text(button).tap()
        name.wait_for()
        assert name.input_value() == who


def test_who_sits_down_without_a_name_is_told_what_is_missing(people):
    anna, ben = people(), people("phone", ByTouch, locale="fr")
    code = make(anna, "gin")
    ben.page.goto(f"{ben.house}/t/{code}")
    field, sit = ben.page.locator("#nickname"), ben.page.locator(".chair[data-kind=open] .button-primary")
    sit.tap()
    says = Words("fr")("client.nameless")
    assert ben.page.locator("#remark").inner_text() == says
    assert says in ben.page.locator("#voice").text_content()
    assert field.evaluate("field => field === document.activeElement")
    told = [field.get_attribute(name) for name in ("aria-invalid", "aria-describedby")]
    assert told == ["true", "remark"]
    field.fill("Ben")
    sit.tap()
    ben.page.locator(".own-name").wait_for()
    assert not ben.page.locator("#remark").count()


def test_a_name_that_is_told_apart_at_a_table_goes_to_no_other(people):
    anna, other = people(), people()
    code = make(anna, "mio", players="3")
    other.page.goto(f"{other.house}/t/{code}")
    other.page.locator("#nickname").fill("Anna")
    other.page.get_by_role("button", name="Sit here").first.click()
    own = other.page.locator(".own-name")
    own.wait_for()
    assert own.input_value() == "Anna (2)"
    own.fill("Anna")
    own.press("Enter")
    other.page.wait_for_load_state("networkidle")
    other.settle()
    assert own.input_value() == "Anna (2)", "as the others see it"
    assert not other.page.get_by_text("Sit here").count(), "nobody else sits down over this device"
    other.page.get_by_role("button", name="Move here").click()
    other.wait(lambda view: view["table"]["seats"][2]["name"] == "Anna (2)")
    other.page.wait_for_load_state("networkidle")
    other.page.goto(f"{other.house}/new/mio")
    assert other.page.locator(".table-form [name=nickname]").first.input_value() == "Anna"


def test_once_more_keeps_the_table_as_it_was(people):
    anna = people()
    seats = {"seat.1": "novice", "option.target": "1", "talk": "true", "watch": "false"}
    make(anna, "gin", **seats)
    anna.page.wait_for_selector("#table .bar")
    anna.play()
    before = anna.view["table"]
    anna.page.get_by_role("button", name="Play again").click()
    anna.wait(lambda view: view["table"]["match"] != before["match"])
    after = anna.view["table"]
    assert after["status"] == "playing"
    assert [after[name] for name in ("options", "customs", "preset")] == [
        before[name] for name in ("options", "customs", "preset")
    ]
    assert [(seat["name"], seat["level"]) for seat in after["seats"]] == [
        (seat["name"], seat["level"]) for seat in before["seats"]
    ]


def test_a_chair_that_opens_after_a_match_is_filled_there_and_the_match_played_again(people):
    anna = people()
    make(anna, "gin", **{"seat.1": "novice", "option.target": "1"})
    anna.page.wait_for_selector("#table .bar")
    anna.play()
    anna.page.evaluate("""async () => {
        const line = new WebSocket(location.href.replace("http", "ws").split("?")[0] + "/socket");
        await new Promise((done) => (line.onopen = done));
        line.send(JSON.stringify({ type: "hello", since: null }));
        line.send(JSON.stringify({ type: "bot", key: "away", seat: 1, level: null }));
    }""")
    chair = anna.page.locator(".result .chair[data-kind=open]")
    chair.wait_for()
    assert not anna.page.get_by_role("button", name="Play again").count()
    chair.get_by_role("button").last.click()
    before = anna.view["table"]["match"]
    anna.page.get_by_role("button", name="Play again").click()
    anna.wait(lambda view: view["table"]["match"] != before)
