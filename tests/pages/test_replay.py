"""The page of a finished match: every way to walk along it, whose eyes it is seen with, and the seal."""

import re

import pytest

from brelan.play.record import as_text
from brelan.play.shuffle import Chance
from brelan.words import Words
from tests.gallery.looks import looks
from tests.pages.people import COPIES_NOTHING, COUNT_FLIGHTS, SIZES, TWO_FRAMES, ByMouse, named
from tests.pages.readers import Reader, seal
from tests.pages.wire import PATIENT, PORTAL
from tests.server.clients import Guest, over, play
from tests.tables import bare


@pytest.fixture(scope="module")
def match(house):
    """A match of gin of a few rounds that is over: its id."""
    guest = Guest(house)
    line = guest.line(guest.make(**{"option.target": "120"}))
    play(line)
    yield line.viewed(over)["table"]["match"]
    guest.close()


@pytest.fixture
def reader(chromium, house, match):
    reader = Reader(chromium, house).open(match, "?seat=0")
    yield reader
    assert not reader.errors
    assert all(url.startswith(house) for url in reader.asked)
    reader.context.close()


def test_buttons_walk_along_the_match(reader):
    assert reader.at == 0
    for name, step in (("on", 1), ("on", 2), ("back", 1), ("last", reader.end), ("on", reader.end), ("first", 0)):
        reader.step(name)
        assert reader.comes_to(step)
    assert reader.page.locator("[data-step=back]").get_attribute("aria-disabled") == "true"


def test_keys_walk_along_the_match(reader):
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", reader.end), ("Home", 0)):
        reader.page.keyboard.press(key)
        assert reader.comes_to(step)
    deals = reader.page.locator(".deals i").count()
    assert deals > 1
    reader.page.keyboard.press("PageDown")
    reader.page.wait_for_function("() => Number(document.querySelector('.line input').value) > 0")
    assert "The cards are shuffled." in reader.page.locator(".prompt").inner_text()
    reader.page.keyboard.press("PageUp")
    assert reader.comes_to(0)


def test_keys_scroll_a_table_that_has_the_focus(reader):
    reader.page.keyboard.press("End")
    assert reader.comes_to(reader.end)
    reader.page.locator(".scroll").focus()
    for key in ("ArrowLeft", "Home"):
        reader.page.keyboard.press(key)
    reader.page.wait_for_timeout(50)
    assert reader.at == reader.end


def test_the_slider_goes_anywhere_and_says_where(reader):
    slider = reader.page.locator(".line input")
    slider.fill(str(reader.end // 2))
    assert reader.comes_to(reader.end // 2)
    where = rf"Round \d+, step {reader.end // 2 + 1} of {reader.end + 1}"
    assert re.fullmatch(where, slider.get_attribute("aria-valuetext"))
    reader.page.wait_for_url(f"**#{reader.end // 2 + 1}")  # an address that can be sent to somebody
    reader.page.reload()
    reader.page.wait_for_selector(".walk")
    assert reader.at == reader.end // 2


SLID = """() => {
    const slider = document.querySelector(".line input");
    for (let step = 0; step <= slider.max; step++) {
        slider.value = step;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
}"""


def test_who_slides_past_steps_asks_for_none_of_them(chromium, house, match):
    reader = Reader(chromium, house)
    few = ('"page":50', '"page":5')  # at a time: the match has many such pages
    reader.page.route("**/m/*", lambda route: route.fulfill(body=route.fetch().text().replace(*few)))
    reader.open(match, "?seat=0")
    reader.page.evaluate(SLID)
    assert reader.comes_to(reader.end)
    reader.page.wait_for_timeout(200)
    asked = [int(url.partition("&from=")[2].partition("&")[0]) for url in reader.asked if "/scenes?" in url]
    assert asked == [0, 5, reader.end - reader.end % 5]
    reader.context.close()


@pytest.mark.parametrize(("named", "step"), [("5", 4), ("5.7", 4), ("-3", 0), ("five", 0)])
def test_another_step_in_the_address_leads_there(named, step, reader):
    reader.page.evaluate("location.hash = 3")
    assert reader.comes_to(2)
    reader.page.evaluate("named => { location.hash = named; }", named)
    assert reader.comes_to(step)


def test_an_address_counts_though_the_page_writes_its_own_meanwhile(reader):
    reader.page.evaluate("location.hash = 3; history.replaceState(null, '', '#1')")
    assert reader.comes_to(2)


def test_it_plays_by_itself_until_somebody_takes_it_in_hand(reader):
    reader.page.keyboard.press(" ")
    reader.page.wait_for_selector("[data-step=stop]")
    assert reader.comes_to(2)
    reader.page.keyboard.press("ArrowLeft")
    reader.page.wait_for_selector("[data-step=play]")
    assert reader.comes_to(1)


def test_it_plays_no_further_while_somebody_thinks_of_another_way(reader):
    reader.page.clock.install(time=0)
    reader.page.clock.pause_at(60_000)
    reader.page.keyboard.press(" ")
    reader.page.clock.run_for(1300)
    assert reader.comes_to(1)
    reader.page.locator("[data-sheet=whatif]").click()
    reader.page.clock.run_for(3000)
    assert reader.page.locator(".whatif [name=step]").input_value() == "1"


def test_while_it_plays_nothing_later_is_read(reader):
    later = reader.page.locator(".told [data-later]").first
    assert later.is_visible()  # who walks by hand goes by it
    reader.page.keyboard.press(" ")
    reader.page.wait_for_selector("[data-step=stop]")
    assert reader.page.locator(".told li:visible").count() < reader.page.locator(".told li").count()
    assert not later.is_visible()
    reader.page.keyboard.press(" ")
    later.wait_for()


def test_a_result_stands_longer_and_all_goes_at_the_speed_that_is_chosen(reader):
    reader.page.keyboard.press("PageDown")
    reader.page.keyboard.press("ArrowLeft")
    reader.page.wait_for_selector(".result")
    result = reader.at
    reader.page.clock.install(time=0)
    reader.page.clock.pause_at(60_000)
    reader.page.locator(".speed").select_option("2")
    reader.page.locator("[data-step=play]").click()
    for milliseconds, step in ((2300, result), (200, result + 1), (650, result + 2)):
        reader.page.clock.run_for(milliseconds)
        reader.page.wait_for_load_state("networkidle")
        assert reader.comes_to(step)


def test_the_link_of_a_step_leads_there_with_the_same_eyes(chromium, house, match):
    may = ["clipboard-read", "clipboard-write"]
    reader = Reader(chromium, house, "phone", permissions=may).open(match, "?seat=1#4")
    reader.page.evaluate("delete Navigator.prototype.share")
    button = reader.page.get_by_role("button", name="Share the link to this step")
    button.click()
    reader.page.get_by_text("Copied").first.wait_for()
    link = reader.page.evaluate("navigator.clipboard.readText()")
    assert link == f"{house}/m/{match}?seat=1#4"
    reader.context.close()


def test_a_step_whose_link_is_not_copied_shows_it_until_the_next(chromium, house, match):
    reader = Reader(chromium, named(house), "phone").open(match, "?seat=1#4")
    reader.page.evaluate(COPIES_NOTHING)
    button = reader.page.get_by_role("button", name="Share the link to this step")
    shown = reader.page.locator(".line output:not(:empty)")
    for step in (4, 5):
        for _ in range(2):
            button.click()
        shown.wait_for()
        assert shown.all_inner_texts() == [f"{named(house)}/m/{match}?seat=1#{step}"]
        assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        reader.step("on")
        assert reader.comes_to(step)
        assert not shown.count()
    reader.context.close()


def test_at_a_machines_own_address_a_link_says_that_it_leads_nowhere_else(chromium, house, match):
    """That of the match and that of a step; by a name neither does."""
    for address, told in ((house, [Words("en")("client.near")]), (named(house), [])):
        reader = Reader(chromium, address, permissions=["clipboard-write"]).open(match, "?seat=1#9999")
        reader.page.evaluate("delete Navigator.prototype.share")
        for place in (".line", ".result .choices"):
            reader.page.locator(place).get_by_role("button", name="Share the link").click()
            reader.page.locator(place).get_by_text("Copied").wait_for()
            assert reader.page.locator(f"{place} output:not(:empty)").all_inner_texts() == told
        reader.context.close()


def test_without_a_line_the_choice_of_another_way_is_kept(reader):
    reader.page.locator("[data-sheet=whatif]").click()
    reader.page.wait_for_load_state("networkidle")  # what it still fetches would be missed
    reader.context.set_offline(True)
    for button in (0, 1):
        with reader.page.expect_console_message(lambda said: "ERR_INTERNET_DISCONNECTED" in said.text):
            reader.page.locator(".whatif button").nth(button).click()  # the house was asked
        assert reader.page.locator(".whatif .error").inner_text() == Words("en")("page.unsent")
    reader.errors.clear()
    reader.context.set_offline(False)
    reader.page.locator(".whatif .error").wait_for(state="detached")
    with reader.page.expect_navigation():
        reader.page.locator(".whatif button").first.click()


def test_a_sentence_of_the_log_leads_to_its_step(reader):
    sentence = reader.page.locator(".told li button").nth(9)
    words = sentence.inner_text()
    sentence.click()
    reader.page.wait_for_function("() => Number(document.querySelector('.line input').value) > 5")
    assert words in reader.page.locator(".prompt").inner_text()
    marked = reader.page.locator(".told [aria-current]").all_inner_texts()
    assert any(words in text for text in marked)  # the end of a round is told beside the move that ended it


def test_the_log_is_written_where_it_stands_beside_the_table(reader):
    assert reader.page.locator(".told li").count()
    reader.page.set_viewport_size({"width": 800, "height": 600})
    reader.page.locator(".told li").first.wait_for(state="detached")
    reader.page.set_viewport_size({"width": 1440, "height": 900})
    reader.page.locator(".told li").first.wait_for()


def test_each_viewer_sees_what_it_may(reader):
    eyes = reader.page.locator(".eyes select")
    seen = {}
    for viewer in ("0", "1", "spectator", "open"):
        eyes.select_option(viewer)
        reader.page.wait_for_url(f"**seat={viewer}#1")
        seen[viewer] = reader.faces()
    assert {viewer: len(faces) for viewer, faces in seen.items()} == {"0": 11, "1": 11, "spectator": 1, "open": 21}
    assert seen["0"] | seen["1"] == seen["open"]
    assert seen["0"] & seen["1"] == seen["spectator"]


def test_steps_that_do_not_come_can_be_asked_for_again(chromium, house, match):
    reader = Reader(chromium, house)
    reader.page.route("**/scenes*", lambda route: route.abort())
    reader.page.goto(f"{house}/m/{match}")
    reader.page.wait_for_selector("[role=alert]")
    reader.page.unroute("**/scenes*")
    reader.page.get_by_role("button", name="Try again").click()
    reader.page.wait_for_selector(".walk")
    assert not reader.page.locator("[role=alert]").count()
    reader.context.close()


def test_steps_and_records_that_nobody_answers_are_waited_for_no_longer(reader):
    page = reader.page
    page.clock.install()
    page.evaluate(PATIENT)
    page.route(re.compile("/scenes|/record$"), lambda _: None)
    page.keyboard.press("End")
    page.clock.run_for(20_000)
    page.get_by_role("button", name="Try again").wait_for()
    page.locator("[data-sheet=seal]").click()
    page.locator("#check").click()
    page.clock.run_for(20_000)
    page.locator(".proof .error").wait_for()
    assert page.locator("#check").count()


def test_a_failure_that_comes_late_stops_no_other_walk(reader):
    """The open table was asked for and does not come; who looks as before plays on meanwhile."""
    held = []
    reader.page.route("**/scenes?seat=open*", lambda route: held.append(route))
    reader.page.locator(".eyes select").select_option("open")
    reader.page.locator(".eyes select").select_option("0")
    reader.page.locator("[data-step=play]").click()
    held[0].abort()
    assert reader.comes_to(1)
    assert reader.page.locator("[data-step=stop]").count()
    assert reader.errors.pop().startswith("Failed to load resource")


def test_a_fault_of_the_page_is_not_called_a_lost_line(chromium, house, match):
    reader = Reader(chromium, house, reduced_motion="no-preference").open(match, "?seat=open")
    reader.page.evaluate("() => { Element.prototype.animate = () => { throw new Error('unable'); }; }")
    for _ in range(4):
        reader.step("on")
    reader.page.wait_for_timeout(50)
    assert "unable" in reader.errors
    assert not reader.page.locator("[role=alert]").count()
    reader.context.close()


def test_nothing_can_be_played_any_more(reader):
    reader.step("on")
    reader.comes_to(1)
    assert not reader.page.locator("button.card, .aim, .bar .call").count()


def test_the_score_is_that_of_the_step(reader):
    reader.page.locator("[data-sheet=score]").click()
    assert not reader.page.locator(".sheet .scores tbody").count()
    reader.page.keyboard.press("Escape")
    reader.page.wait_for_selector("dialog:not([open])", state="attached")
    reader.page.keyboard.press("End")
    reader.page.wait_for_selector(".result")
    assert reader.page.locator(".result .scores tbody").count() == reader.page.locator(".deals i").count()


# ---------------------------------------------------------------- the seal


def test_the_seal_is_green_and_says_what_it_does_not_prove(reader):
    right, words = seal(reader)
    assert right
    said = reader.page.locator("#sheet-voice p").last.text_content()
    assert " ".join(words.splitlines()[1:]).strip() == said.strip()
    assert reader.page.evaluate("document.activeElement.closest('dialog') !== null"), "the button went, not the focus"
    assert "did not write down the promise" in words
    assert "nobody looked" in reader.page.locator(".proof").inner_text()


def tampered(record):
    """Two cards of the second shuffle changed places, and the chain was made anew."""
    lines = bare(record)
    number = [i for i, line in enumerate(lines) if "shuffle" in line][1]
    cards = lines[number]["shuffle"]
    lines[number] = {"shuffle": [cards[1], cards[0], *cards[2:]]}
    return as_text(lines), number + 1


def test_the_seal_is_red_for_a_record_that_was_tampered_with(reader, match):
    answer = reader.context.request.get(f"{reader.house}/m/{match}/record")
    record, line = tampered(answer.text())
    reader.page.route("**/record", lambda route: route.fulfill(response=answer, body=record))
    right, words = seal(reader)
    assert not right
    assert f"Line {line} of the record is wrong" in words


def written(match, *nonces, **header):
    """What the page reads of a record of two seats: it knows no rules."""
    chance = Chance(b"s" * 64, match, nonces)
    shuffle = {"shuffle": chance.order(0, ["As", "2s", "3s"])}
    header = {"brelan": 1, "players": 2, "first": 0, **chance.header(), **header}
    return as_text([header, shuffle, {"scores": [0, 0], "secret": chance.secret.hex()}])


@pytest.mark.parametrize(
    ("record", "right", "said"),
    [
        (lambda match: written(match, b"a" * 16, b"b" * 16), True, "did not write down the promise"),
        (lambda match: written(match, b"", b"b" * 16), False, "1 of the 2 seats added no number"),
        (lambda match: written("other", b"a" * 16, b"b" * 16, whatif={"match": match}), False, "whose secret was open"),
    ],
    ids=["by all", "by one", "what if"],
)
def test_the_seal_is_green_only_where_nobody_could_know_or_choose_the_shuffles(reader, match, record, right, said):
    answer = reader.context.request.get(f"{reader.house}/m/{match}/record")
    reader.page.route("**/record", lambda route: route.fulfill(response=answer, body=record(match)))
    found, words = seal(reader)
    assert found is right
    assert "is the one that was promised" in words
    assert said in words


def test_a_network_that_answers_for_the_house_breaks_no_seal(reader):
    reader.page.route("**/record", lambda route: route.fulfill(**PORTAL))
    reader.page.locator("[data-sheet=seal]").click()
    reader.page.locator("#check").click()
    assert reader.page.locator(".proof .error").inner_text() == Words("en")("replay.seal_gone")
    reader.page.unroute("**/record")
    reader.page.locator("#check").click()
    reader.page.wait_for_selector(".verdict[data-right=true]")


FORGE = """() => localStorage.setItem("brelan.promises",
    localStorage.getItem("brelan.promises").replace(/[0-9a-f]{128}/, "0".repeat(128)))"""


def test_a_device_that_sat_at_the_table_compares_with_what_it_saw(chromium, house):
    anna = ByMouse(chromium, house).sit_down("companeros", 3)
    anna.play()
    anna.page.locator(".result a[href^='/m/']").click()
    anna.page.wait_for_selector(".walk")
    assert anna.page.locator(".eyes select").input_value() == "0"
    right, words = seal(anna)
    assert right
    assert "both are the ones of the record" in words
    anna.page.evaluate(FORGE)
    anna.page.reload()
    anna.page.wait_for_selector(".walk")
    right, words = seal(anna)
    assert not right
    assert "differs from the record" in words
    assert not anna.errors
    anna.context.close()


# ---------------------------------------------------------------- screens and languages


TARGETS = """() => [...document.querySelectorAll(".walk button, .walk select, .heading button")]
    .map(target => target.getBoundingClientRect()).filter(box => box.width)
    .map(box => [box.left, box.right, box.bottom, box.width, box.height])"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("viewer", ["0", "open"])
def test_bar_and_hand_are_on_every_screen(chromium, house, match, size, viewer):
    reader = Reader(chromium, house, size).open(match, f"?seat={viewer}#6")
    assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert reader.page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
    for left, right, bottom, width, height in reader.page.evaluate(TARGETS):
        assert min(width, height) >= 40
        assert left >= 0
        assert right <= SIZES[size][0]
        assert bottom <= SIZES[size][1]
    assert not reader.errors
    reader.context.close()


def test_the_replay_speaks_french(chromium, house, match):
    reader = Reader(chromium, house, locale="fr").open(match, "?seat=open#4")
    text = reader.page.locator("#replay").inner_text()
    assert "mains ouvertes" in text
    for english in ("Stock", "Seen by", "Round", "undefined"):
        assert english not in text
    reader.context.close()


def test_another_language_shows_the_same_step_with_the_same_eyes(chromium, house, match):
    reader = Reader(chromium, house).open(match, "?seat=open#4")
    reader.page.locator("[data-sheet=settings]").click()
    reader.page.locator(".settings .languages a[lang=fr]").click()
    reader.page.locator("#replay", has_text="mains ouvertes").wait_for()
    assert reader.page.url.endswith("?seat=open&lang=fr#4")
    reader.context.close()


def test_cards_fly_between_neighbours_only(chromium, house, match):
    for motion, flying in (("no-preference", True), ("reduce", False)):
        reader = Reader(chromium, house, reduced_motion=motion).open(match, "?seat=open")
        reader.page.evaluate(COUNT_FLIGHTS)
        begin = reader.end // 2  # hands may be short: of some matches nothing lies behind step 30
        reader.page.locator(".line input").fill(str(begin))
        reader.comes_to(begin)
        assert reader.page.evaluate("window.flown") == 0
        for step in range(begin + 1, begin + 5):
            reader.page.keyboard.press("ArrowRight")
            reader.comes_to(step)
        assert bool(reader.page.evaluate("window.flown")) == flying
        reader.context.close()


@pytest.mark.parametrize("size", [(740, 360), (844, 390), (915, 412)])
def test_on_a_phone_that_lies_across_all_of_the_walk_is_there(size, chromium, house, match):
    """What was said, the line and whose eyes: beside the cloth, in a column as narrow as a phone held upright."""
    reader = Reader(chromium, house, "phone", locale="fr").open(match, "?seat=0#5")
    reader.comes_to(4)
    reader.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    reader.page.evaluate(TWO_FRAMES)
    assert not looks(reader.page)
    column = reader.page.locator(".walk").bounding_box()
    assert reader.page.locator(".walk .prompt").bounding_box()["width"] > column["width"] / 2
    reader.page.keyboard.press("End")
    reader.page.wait_for_selector(".result")
    reader.page.locator("[data-step=back]").click()
    assert reader.comes_to(reader.end - 1)
    reader.context.close()
