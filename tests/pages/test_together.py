"""Two people at one table, in two browsers: clocks, talk, moves taken back, seats kept by a bot, and who watches."""

import json
import re

import pytest

from tests.pages.people import ByMouse, Pair, make

RUN = """left => {
    const clock = document.querySelector(".bar .clock");
    if (left) clock.dataset.ends = performance.now() + left;
    else delete clock.dataset.ends;
    return new Promise(done => setTimeout(done, 600)); // longer than from one tick to the next
}"""
IN_SIGHT = """thing => {
    const box = thing.getBoundingClientRect();
    return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === thing;
}"""

TOLD = """() => new Promise((done) => {
    const told = [];
    const place = document.querySelector(".countdown");
    const watch = new MutationObserver((changes) => {
        told.push(...changes.map(() => place.textContent));
        if (new Set(told).size > 2) done(told);
    });
    watch.observe(place, { childList: true, characterData: true, subtree: true });
})"""
"""All that a countdown says until it has come to a third number."""


@pytest.fixture
def pair(chromium, house):
    found = Pair(chromium, house)
    yield found
    found.done()


def test_clocks_go_on_by_themselves_and_warn_once_by_colour_text_and_voice(pair):
    mover, _ = pair.asked()
    clock = mover.page.locator(".bar .clock")
    assert clock.get_attribute("data-runs") is not None
    first = clock.inner_text()
    assert re.fullmatch(r"0:[345]\d|1:00", first)
    mover.page.wait_for_function(f"() => document.querySelector('.bar .clock').innerText !== '{first}'")
    mover.page.evaluate("document.querySelector('.bar .clock').dataset.ends = performance.now() + 19500")
    little = mover.page.locator(".bar .clock[data-little]")
    little.wait_for()
    assert re.search(r"\d+ s", little.inner_text())
    warnings = mover.page.locator("#call p", has_text=re.compile("clock|pendule"))
    warnings.wait_for(state="attached")
    for left in (9500, None, 8500):  # its next turns, and what lies between
        mover.page.evaluate(RUN, left)
    assert re.search("(19|20) secon", warnings.text_content())
    mover.page.evaluate(RUN, 25000)
    mover.page.evaluate(RUN, 7500)
    assert re.search("[78] secon", warnings.nth(1).text_content())


def test_a_clock_that_stops_says_what_is_left_on_it(chromium, house):
    """Whatever it said by itself while it ran: with an increment it stands where it stood when the page drew it."""
    pair = Pair(chromium, house, increment="15")
    mover, _ = pair.asked()
    while pair.asked()[0] is mover:
        mover.page.evaluate(RUN, 15000)
        assert mover.page.locator(".bar .clock[data-little]").count()
        pair.move()
    mover.page.locator(".bar .clock:not([data-runs], [data-little])", has_text=re.compile(r"1:\d\d")).wait_for()
    pair.done()


def test_what_is_said_stands_beside_who_said_it_and_in_the_log_unless_muted(pair):
    anna, ben = pair.people
    ben.page.keyboard.press("c")
    ben.page.locator(".sayings button", has_text="Bonne chance").click()
    anna.page.locator(".seat .bubble", has_text="Good luck!").wait_for()
    ben.page.locator(".bar .bubble", has_text="Bonne chance").wait_for()
    assert "Good luck" in anna.page.locator("#voice").text_content()
    ben.page.keyboard.press("c")
    ben.page.locator("[name=text]").fill("שלום!")
    assert ben.page.locator("[name=text]").evaluate("field => getComputedStyle(field).direction") == "rtl"
    ben.page.locator("[name=text]").fill("un mot à moi")
    ben.page.locator("[name=text]").press("Enter")
    anna.page.locator(".seat .bubble[dir=auto]", has_text="un mot à moi").wait_for()
    anna.page.keyboard.press("c")
    assert "un mot à moi" in anna.page.locator(".sheet .log").inner_text()
    anna.page.locator(".sheet").get_by_label("Ben").check()
    anna.page.keyboard.press("Escape")
    anna.page.locator("[data-sheet=log]").click()
    anna.page.locator(".sheet .log").first.wait_for()
    assert "un mot à moi" not in anna.page.locator(".sheet").inner_text(), "what was said before is hidden, too"
    anna.page.keyboard.press("Escape")
    anna.page.reload()
    anna.page.wait_for_selector(".bar")
    anna.page.keyboard.press("c")
    assert anna.page.locator(".sheet").get_by_label("Ben").is_checked()
    assert anna.page.locator(".sheet .log").count() == 0


def test_a_move_that_showed_something_is_taken_back_by_leave_of_the_other(pair):
    mover, other = pair.move("draw")
    held = mover.page.locator("[data-hand] .card").count()
    assert mover.page.locator(".undo").get_attribute("title").startswith(("Ask to take ", "Demander à "))
    mover.page.locator(".undo").evaluate("button => (button.click(), button.click())")  # asks once, and is not told no
    mover.page.locator(".consent").wait_for()
    consent = other.page.locator(".consent")
    consent.wait_for()
    consent.locator("button").last.click()  # no
    mover.page.locator(".consent").wait_for(state="detached")
    assert not [frame for frame in mover.frames if json.loads(frame)["type"] == "refused"]
    assert mover.page.locator("[data-hand] .card").count() == held
    pair.move("discard")
    mover, other = pair.move("draw")
    held = mover.page.locator("[data-hand] .card").count()
    mover.page.keyboard.press("u")
    other.page.locator(".consent .button-primary").click()
    mover.page.wait_for_function(f"() => document.querySelectorAll('[data-hand] .card').length === {held - 1}")


def test_who_leaves_is_asked_once_is_kept_by_a_bot_and_takes_the_seat_back(pair):
    anna, ben = pair.people
    ben.page.locator("[data-sheet=settings]").click()
    ben.page.locator(".leave button").click()
    assert ben.page.locator("#leave").evaluate(IN_SIGHT)
    ben.page.locator("#leave").click()
    anna.page.locator(".seat .kept").wait_for()
    told = anna.page.locator(".seat .kept").inner_text()
    assert re.search(r"kept by a bot .* since \d+:\d\d", told)
    anna.page.evaluate("{ const now = Date.now; Date.now = () => now() + 6 * 864e5; }")
    anna.page.keyboard.press("s")
    assert re.search(r"kept by a bot .* since [A-Z]\w+ \d+$", anna.page.locator(".seat .kept").inner_text())
    back = ben.page.locator("#back")
    back.wait_for()
    assert not ben.page.locator(".bar .choices [data-move]").count()
    back.click()
    back.wait_for(state="detached")
    anna.page.locator(".seat .kept").wait_for(state="detached")


def test_who_holds_no_seat_watches_or_is_told_that_nobody_may(chromium, house):
    for watch in ("true", "false"):
        pair = Pair(chromium, house, watch=watch)
        cleo = ByMouse(chromium, house)
        cleo.page.goto(pair.link)
        if watch == "true":
            cleo.page.locator(".watching").wait_for()
            assert not cleo.page.locator("[data-hand]").count()
        else:
            cleo.page.locator(".banner", has_text="without spectators").wait_for()
            assert not cleo.page.locator(".card").count()
        assert not cleo.errors
        cleo.context.close()
        pair.done()


def test_whoever_looks_on_is_asked_whether_a_seat_that_a_bot_keeps_is_theirs(pair, chromium, house):
    """On another device they are a stranger, and find the way back where passphrases are typed."""
    cleo = ByMouse(chromium, house)
    cleo.page.goto(pair.link)
    cleo.page.locator(".watching").wait_for()
    assert not cleo.page.locator(".watching a").count()
    pair.anna.page.locator("[data-sheet=settings]").click()
    pair.anna.page.locator(".leave button").click()
    pair.anna.page.locator("#leave").click()
    cleo.page.locator(".watching a", has_text="Is one of these seats yours?").click()
    cleo.page.locator("#phrase").wait_for()
    assert not cleo.errors
    cleo.context.close()


def test_whoever_looks_on_chooses_whom_not_to_hear_and_a_wall_shows_nobodys_own_words(pair, chromium, house):
    cleo, wall = ByMouse(chromium, house), ByMouse(chromium, house)
    for person, address in ((cleo, pair.link), (wall, f"{pair.link}?screen")):
        person.page.goto(address)
        person.page.locator(".seat").first.wait_for()
    cleo.page.keyboard.press("c")
    assert not cleo.page.locator(".sayings").count()
    cleo.page.locator(".sheet").get_by_label("Ben").check()
    pair.ben.page.keyboard.press("c")
    pair.ben.page.locator("[name=text]").fill("un mot à moi")
    pair.ben.page.locator("[name=text]").press("Enter")
    pair.anna.page.locator(".seat .bubble", has_text="un mot à moi").wait_for()
    wall.page.locator("#voice", has_text="un mot à moi").wait_for(state="attached")
    assert not wall.page.locator(".bubble").count()
    assert not cleo.page.locator(".bubble").count()
    for person in (cleo, wall):
        assert not person.errors
        person.context.close()


def test_who_spoke_and_got_up_is_muted_and_heard_again(chromium, house):
    pair = Pair(chromium, house, **{"option.knock_limit": "40", "option.target": "1"})
    anna, ben = pair.people
    pair.play()
    ben.page.keyboard.press("c")
    ben.page.locator("[name=text]").fill("un mot à moi")
    ben.page.locator("[name=text]").press("Enter")
    anna.page.locator(".bubble").wait_for(state="attached")
    ben.page.locator(".chairs-of summary").click()
    ben.page.get_by_role("button", name="Se lever").click()
    anna.page.locator(".chair[data-kind=open]").wait_for()
    anna.page.keyboard.press("c")
    box, said = anna.page.locator(".sheet").get_by_label("Ben: “…”"), anna.page.locator(".sheet .log")
    box.check()
    said.wait_for(state="detached")
    anna.page.reload()
    anna.page.wait_for_selector(".chair", state="attached")
    anna.page.keyboard.press("c")
    box.uncheck()
    assert "un mot à moi" in said.inner_text()
    pair.done()


def test_own_words_that_are_refused_are_still_there(pair):
    """One may not say more than others can read; what was too much waits in its field."""
    ben = pair.ben
    for number in range(6):
        ben.page.keyboard.press("c")
        ben.page.locator("[name=text]").fill(f"phrase {number}")
        ben.page.locator("[name=text]").press("Enter")
    ben.page.locator(".remark").wait_for()
    ben.page.keyboard.press("c")
    assert ben.page.locator("[name=text]").input_value() == "phrase 5"
    assert "phrase 4" in ben.page.locator(".sheet .log").inner_text()


def test_own_words_that_were_begun_are_still_there(pair):
    ben = pair.ben
    ben.page.keyboard.press("c")
    field = ben.page.locator("[name=text]")
    field.press_sequentially("une phrase")
    ben.page.keyboard.press("Escape")
    ben.page.keyboard.press("c")
    assert field.input_value() == "une phrase"
    ben.page.locator(".sayings button").first.click()
    ben.page.locator(".bubble").wait_for(state="attached")
    ben.page.keyboard.press("c")
    field.press("Enter")
    ben.page.locator(".bubble", has_text="une phrase").wait_for(state="attached")
    ben.page.keyboard.press("c")
    assert field.input_value() == ""


def looking(chromium, house, **customs):
    """Two who look at the result of a round."""
    pair = Pair(chromium, house, **{"option.knock_limit": "40"}, **customs)
    while not pair.anna.view["scene"]["between"]:
        person, _ = pair.asked()
        pair.move(person.choose(person.view["scene"])["move"])
    return pair


def test_a_result_says_when_the_table_goes_on_by_itself(chromium, house):
    """Where two look at it; a person among bots keeps nobody waiting."""
    pair = looking(chromium, house)
    pair.anna.page.locator("#voice", has_text=re.compile(r"goes on by itself in (1\d|20) seconds")).wait_for(
        state="attached"
    )
    pair.anna.page.locator(".countdown", has_text=re.compile(r"goes on by itself in 1\d seconds")).wait_for()
    pair.ben.page.locator(".countdown", has_text="d’elle-même dans").wait_for()
    told = pair.anna.page.evaluate(TOLD)
    assert len(told) == len(set(told))  # written anew only where it says something else
    pair.done()


def test_by_turns_a_result_counts_no_seconds(chromium, house):
    """It waits for days: who has seen it says so, and reads for whom it waits."""
    pair = looking(chromium, house, pace="days")
    pair.anna.page.locator("#go-on").click()
    pair.anna.page.locator(".result .hint", has_text="Waiting for Ben.").wait_for()
    assert not pair.anna.page.locator(".countdown").count()
    assert "by itself" not in pair.anna.page.locator("#voice").text_content()
    pair.done()


DRAWN = """async () => {
    const { countdown } = await import("/static/countdown.js");
    const { render } = await import("/static/vendor/lit-html.js");
    const place = document.createElement("p");
    const table = { deadline: 9, now: 4, customs: { pace: "none" } };
    render(countdown({ view: { table }, since: performance.now() }), place);
    return place.textContent.trim();
}"""


def test_a_countdown_is_never_empty(chromium, house):
    """It would push the rest aside a moment later."""
    anna = ByMouse(chromium, house).sit_down("gin")
    assert anna.page.evaluate(DRAWN).startswith("5 second")
    anna.context.close()


def test_the_chair_of_who_has_gone_is_freed_and_who_takes_it_did_not_play(chromium, house):
    pair = Pair(chromium, house, **{"option.knock_limit": "40", "option.target": "10"})
    anna, ben = pair.people
    pair.play()
    (winner,) = anna.view["table"]["winners"]
    names, cleo = ["Anna", "Ben"], ByMouse(chromium, house)
    title = ".result > h2"
    assert (anna.page.locator(title).inner_text() == "You win!") == (winner == 0)
    assert (ben.page.locator(title).inner_text().startswith("Vous gagnez")) == (winner == 1)
    assert [one.page.locator(".felt[data-won]").count() for one in (anna, ben)] == [winner == 0, winner == 1]
    ben.page.goto("about:blank")
    anna.page.get_by_role("button", name="Free the seat").click()
    cleo.page.goto(pair.link)
    cleo.page.locator("#nickname").fill("Cleo")
    cleo.page.locator(".chair[data-kind=open] .button-primary").click()
    cleo.page.locator(".choices .big").wait_for()
    assert cleo.page.locator(title).inner_text() == f"{names[winner]} wins"
    assert cleo.page.locator(".laid > h3").all_inner_texts()[1].startswith("Ben")
    for one in (cleo, anna):
        one.page.locator(".result .big").click()
    cleo.wait(lambda view: view["scene"] and view["scene"]["turn"] and view["table"]["seats"][1]["player"] == "Cleo")
    assert '"wrong":true' not in cleo.page.evaluate("localStorage['brelan.promises'] ?? ''"), "the cards were not hers"
    anna.page.locator(".last").click()
    anna.page.locator(".log").first.wait_for()
    assert anna.page.locator(".sheet h3").all_inner_texts() == ["Round 1", "Before this match"]
    assert not cleo.errors
    cleo.context.close()
    ben.page.goto(pair.link)
    pair.done()


def test_a_host_who_looks_on_asks_once_to_play_again(chromium, house):
    pair = Pair(chromium, house, **{"option.knock_limit": "40", "option.target": "1", "watch": "true"})
    anna, ben = pair.people
    pair.play()
    # the page has no button to get up, the line has: Anna leaves her chair to Cleo
    anna.page.evaluate("""() => new Promise((done) => {
        const line = new WebSocket(location.href.replace("http", "ws").split("?")[0] + "/socket");
        line.onopen = () => {
            line.send(JSON.stringify({ type: "hello", since: null }));
            line.send(JSON.stringify({ type: "stand", key: "up" }));
        };
        line.onmessage = ({ data }) => JSON.parse(data).table?.seat === null && done();
    })""")
    cleo = ByMouse(chromium, house)
    cleo.page.goto(pair.link)
    cleo.page.locator("#nickname").fill("Cleo")
    cleo.page.locator(".chair[data-kind=open] .button-primary").click()
    again = anna.page.get_by_role("button", name="Play again", exact=True)
    counts = "It counts for the ladder only if all ask for it."
    anna.page.locator(".result .hint", has_text=counts).wait_for()
    again.click()
    anna.page.locator(".result .countdown").wait_for()
    assert not again.count()
    cleo.page.locator(".result .hint", has_text=f"Whoever made the table would like to play again. {counts}").wait_for()
    anna.page.locator(".result .hint", has_text=counts).wait_for()
    match = anna.view["table"]["match"]
    for one, name in ((cleo, "Play again"), (ben, "Rejouer")):
        one.page.get_by_role("button", name=name, exact=True).click()
    anna.wait(lambda view: view["table"]["match"] != match)
    assert not cleo.errors
    cleo.context.close()
    pair.done()


def test_who_would_like_to_play_again_leaves_the_others_their_result(chromium, house):
    pair = Pair(chromium, house, **{"option.knock_limit": "40", "option.target": "1"})
    anna, ben = pair.people
    pair.play()
    anna.page.get_by_role("button", name="Play again").click()
    ben.page.locator(".result .hint", has_text="Anna voudrait rejouer.").wait_for()
    assert "Anna voudrait rejouer." in ben.page.locator("#voice").text_content()
    anna.page.locator(".result .hint", has_text="Waiting for Ben.").wait_for()
    assert not anna.page.locator(".result .big").count()
    for one, says in ((anna, "next match begins by itself in"), (ben, "partie suivante commence d’elle-même dans")):
        one.page.locator(".result .countdown", has_text=re.compile(says)).wait_for()
        assert one.page.locator(".result .proof").count(), "the proof stays as long"
    anna.page.get_by_role("button", name="Do not play again").click()
    anna.page.locator(".result .big").click()
    match = anna.view["table"]["match"]
    ben.page.get_by_role("button", name="Rejouer", exact=True).click()
    for one in (anna, ben):
        one.wait(lambda view: view["scene"] and view["table"]["match"] != match)
    assert not anna.page.locator(".evening").count()
    pair.play()
    assert re.fullmatch(r"At this table: \w+ \d(, \w+ 1)?", anna.page.locator(".evening").inner_text())
    rounds = [f"Round {n}" for n in range(len(anna.view["table"]["sheet"]), 0, -1)]
    anna.page.locator(".last").click()
    anna.page.locator(".log").first.wait_for()
    assert anna.page.locator(".sheet h3").all_inner_texts() == [*rounds, "Before this match"]
    pair.done()


def test_whoever_was_sent_a_link_has_the_table_in_their_language(pair, chromium, house):
    anna, cleo = ByMouse(chromium, house), ByMouse(chromium, house, "phone")
    cleo.page.goto(f"{house}/t/{make(anna, 'gin')}")
    cleo.page.locator(".chairs .languages a[lang=fr]").click()
    cleo.page.get_by_role("button", name="S’asseoir").first.wait_for()
    cleo.page.goto(pair.link)
    cleo.page.locator(".watching", has_text="à la fin de la partie").wait_for()
    cleo.page.locator("[data-sheet=settings]").click()
    cleo.page.locator(".settings .languages a[lang=en]").click()
    cleo.page.locator(".watching", has_text="once the match is over").wait_for()
    for one in (anna, cleo):
        assert not one.errors
        one.context.close()
