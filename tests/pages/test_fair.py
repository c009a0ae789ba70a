"""The seal while a match is played, and what if from a match that is over, in a browser."""

import json

import pytest

from brelan.play.record import verify
from tests.pages.people import ByMouse
from tests.pages.readers import Reader, seal, sign
from tests.server.clients import Guest, over, play


@pytest.fixture(scope="module")
def match(house):
    """A match of gin that is over: its id."""
    guest = Guest(house)
    line = guest.line(guest.make(**{"option.target": "60"}))
    play(line)
    yield line.viewed(over)["table"]["match"]
    guest.close()


# ---------------------------------------------------------------- while it is played


LOST = """() => {
    const all = JSON.parse(localStorage["brelan.promises"]);
    all.at(-1).wrong = false;
    localStorage["brelan.promises"] = JSON.stringify(all);
}"""


def promised(anna):
    return json.loads(anna.page.evaluate("localStorage.getItem('brelan.promises')"))[-1]


@pytest.mark.parametrize(("game", "players", "cards"), [("gin", None, 10), ("hawaiki", 3, 6), ("companeros", 3, 9)])
def test_the_cards_that_are_dealt_are_checked_at_once(chromium, house, game, players, cards):
    anna = ByMouse(chromium, house).sit_down(game, players)
    assert sign(anna) == (True, f"All {cards} cards dealt to you are the ones that were promised.")
    table = anna.view["table"]
    assert promised(anna)["roots"][table["shuffles"] - 1] == table["root"]
    anna.page.locator(".sealed").click()
    sheet = anna.page.locator("dialog .proof")
    assert sheet.locator(".verdict[data-right=true]").count() == 1
    assert sheet.locator("a[href='/fair']").count() == 1
    assert not anna.errors
    anna.context.close()


def test_before_anything_is_found_nothing_is_called_right(chromium, house):
    """As in the first moment of the next match, where the sheet lay open since the last one."""
    context = chromium.new_context()
    page = context.new_page()
    shown = """async () => {
        const { liveView } = await import("/static/sign.js");
        const { render } = await import("/static/vendor/lit-html.js");
        const place = document.createElement("div");
        render(liveView({ match: "new", status: "playing" }), place);
        return [place.querySelectorAll("p").length > 1, place.querySelector(".verdict, .wax") === null];
    }"""
    page.goto(f"{house}/t/none")
    assert page.evaluate(shown) == [True, True]
    context.close()


def own_of(found):
    """The proofs of the own hand's cards."""
    return [proof for proof in found["proofs"] if proof["zone"] == "hand:0"]


def tampered(route, change):
    """The proofs as they come over this route, one of the own hand's spoilt."""
    answer = route.fetch()
    found = answer.json()
    first = own_of(found)[0]
    if change == "card":
        first["card"] = "As" if first["card"] != "As" else "2s"
    elif change == "salt":
        first["salt"] = first["salt"][::-1]
    else:
        found["roots"][-1] = "0" * 128
    route.fulfill(response=answer, json=found)


@pytest.mark.parametrize("change", ["card", "salt", "root"])
def test_a_card_that_is_not_the_one_promised_is_told_at_once(chromium, house, change):
    anna = ByMouse(chromium, house)
    anna.page.route("**/proofs*", lambda route: tampered(route, change))
    anna.sit_down("gin")
    right, says = sign(anna)
    assert not right
    assert "Do not trust this match" in says
    anna.page.wait_for_function("says => document.getElementById('call').textContent.includes(says)", arg=says)
    assert says in anna.page.locator(".notices .remark").inner_text()
    anna.context.close()


def overheard(anna, change):
    """The lines of Anna's pages say what `change` makes of each view, several one after the other."""

    def meet(line):
        def hear(frame):
            anna.hear(frame)
            for said in change(json.loads(frame)) if json.loads(frame)["type"] == "view" else [json.loads(frame)]:
                line.send(json.dumps(said))

        line.connect_to_server().on_message(hear)

    anna.page.route_web_socket("**/socket*", meet)


def promising(view, **other):
    return {**view, "table": {**view["table"], **other}}


BETWEEN = [{}, {"status": "open", "match": None, "commit": None}, {"seat": None}, {"status": "over"}]


@pytest.mark.parametrize(("asks", "between"), [(True, {}), *((False, one) for one in BETWEEN)], ids=str)
def test_a_promise_in_the_place_of_another_is_told_at_once_and_remembered(chromium, house, asks, between):
    """A house that has all numbers knows the deal; one that dislikes it would promise anew, with or without a view
    in between that would make the page forget.
    """
    anna = ByMouse(chromium, house)

    def twice(view):
        gone = promising(view, match="gone", commit="0" * 128)
        before = [gone, promising(gone, **between)] if view["table"]["wants_nonce"] else []
        return [*before, promising(view, wants_nonce=view["table"]["wants_nonce"] and asks)]

    overheard(anna, twice)
    anna.sit_down("companeros", 3)
    anna.wait(lambda view: view["scene"])
    for _ in range(2):
        right, says = sign(anna)
        assert not right
        assert "had promised another, and did not play it to its end" in says
        anna.page.reload()
    anna.play()
    right, words = devices(anna)
    assert not right
    assert says in words
    anna.context.close()


def test_a_house_that_says_that_much_has_happened_meanwhile_is_not_called_right(chromium, house):
    """So much that no view tells of it: nobody can say that the promise before was kept."""
    anna = ByMouse(chromium, house)

    def later(view):
        gone = promising(view, match="gone", commit="0" * 128)
        return [gone, {**view, "number": view["number"] + 201}] if view["table"]["wants_nonce"] else [view]

    overheard(anna, later)
    anna.sit_down("companeros", 3)
    anna.play()
    _, words = devices(anna)
    assert "had been away so long" in words
    assert anna.page.locator(".verdict").get_attribute("data-right") == "null"
    anna.context.close()


@pytest.mark.parametrize("other", [{"commit": "0" * 128}, {"first": 7}], ids=str)
def test_another_promise_for_the_same_match_is_told_at_once(chromium, house, other):
    anna = ByMouse(chromium, house)
    overheard(anna, lambda view: [promising(view, **other) if view["table"]["root"] else view])
    anna.sit_down("gin")
    right, says = sign(anna)
    assert not right
    assert "what was promised of it, was changed" in says
    anna.context.close()


@pytest.mark.parametrize("asked", [False, True], ids=["unasked", "late"])
def test_a_device_without_a_share_in_the_shuffles_calls_nothing_right(chromium, house, match, asked):
    """It sat at the table, and no number of its own is in the chance: another device's may be, or nobody's."""
    reader = Reader(chromium, house).open(match)
    header = json.loads(reader.context.request.get(f"{house}/m/{match}/record").text().splitlines()[0])
    own = {"match": match, "commit": header["commit"], "nonces": [None, header["nonces"][1]] if asked else []}
    reader.page.evaluate(f"localStorage.setItem('brelan.promises', JSON.stringify([{json.dumps(own)}]))")
    reader.page.reload()
    _, words = seal(reader)
    assert reader.page.locator(".verdict").get_attribute("data-right") == "null"
    assert ("do not trust" if asked else "cannot tell") in words
    reader.context.close()


UNPROVEN = (None, "Of some cards dealt to you the house has not shown that they are the ones that were promised.")


@pytest.mark.parametrize("shown", [0, 9])
def test_a_card_that_is_not_proven_is_never_called_right(chromium, house, shown):
    """A house that dealt another card than it had sealed would prove the others only."""
    anna = ByMouse(chromium, house)

    def withhold(route):
        answer = route.fetch()
        found = answer.json()
        route.fulfill(response=answer, json={**found, "proofs": own_of(found)[:shown]})

    anna.page.route("**/proofs*", withhold)
    anna.sit_down("gin")
    assert sign(anna) == UNPROVEN
    anna.page.locator(".sealed").click()
    assert anna.page.locator("dialog .verdict[data-right=null]").count() == 1
    anna.page.unroute("**/proofs*")
    anna.page.reload()
    assert sign(anna) == UNPROVEN
    anna.context.close()


def test_a_card_that_was_never_proven_is_not_forgotten_at_the_end(chromium, house, match):
    reader = Reader(chromium, house).open(match)
    header = json.loads(reader.context.request.get(f"{house}/m/{match}/record").text().splitlines()[0])
    own = {key: header[key] for key in ("match", "commit", "nonces", "first")} | {"shared": True, "cards": 9}
    for owed, right in (([], True), ([{"from": 0, "to": 1, "held": ["As"], "came": ["As"], "answered": True}], False)):
        kept = json.dumps([own | {"owed": owed}])
        reader.page.evaluate(f"localStorage.setItem('brelan.promises', JSON.stringify({kept}))")
        reader.page.reload()
        assert seal(reader)[0] is right
    verdict = reader.page.locator(".verdict")
    assert (verdict.get_attribute("data-right"), UNPROVEN[1] in verdict.inner_text()) == ("null", True)
    reader.context.close()


def test_a_card_that_is_proven_ten_times_is_one_card(chromium, house):
    anna = ByMouse(chromium, house)

    def repeat(route):
        answer = route.fetch()
        found = answer.json()
        route.fulfill(response=answer, json={**found, "proofs": own_of(found)[:1] * 10})

    anna.page.route("**/proofs*", repeat)
    anna.sit_down("gin")
    assert sign(anna) == UNPROVEN
    assert promised(anna)["cards"] == 1
    anna.context.close()


def test_proofs_that_do_not_come_are_asked_for_again(chromium, house):
    """Also by a page that was loaded anew meanwhile: what the seat held when it was dealt is written down."""
    anna = ByMouse(chromium, house)
    anna.page.route("**/proofs*", lambda route: route.fulfill(status=500))
    anna.sit_down("gin")
    assert sign(anna) == UNPROVEN
    anna.page.unroute("**/proofs*")
    anna.page.reload()
    assert sign(anna) == (True, "All 10 cards dealt to you are the ones that were promised.")
    anna.context.close()


def test_proofs_that_come_in_parts_are_asked_for_until_all_are_there(chromium, house):
    """A page that was answered nothing until now asks for all shuffles, and is sent the proofs of some."""
    anna, asked = ByMouse(chromium, house), []

    def part(route):
        found = (answer := route.fetch()).json()
        asked.append(since := int(route.request.url.partition("since=")[2]))
        proofs = [proof for proof in found["proofs"] if proof["shuffle"] == since]
        some = {**found, "roots": found["roots"][:1], "proofs": proofs}
        route.fulfill(response=answer, json=some, status=200 if found["shuffles"] == 2 else 500)

    anna.page.route("**/proofs*", part)
    anna.sit_down("companeros", 3, rounds=2)
    while anna.view["table"]["shuffles"] < 2:
        anna.play(anna.moves + 1)
    anna.page.wait_for_selector(".sealed[data-right=true]")
    assert sign(anna) == (True, "All 18 cards dealt to you are the ones that were promised.")
    assert asked[-2:] == [0, 1]
    anna.context.close()


def test_at_the_end_the_device_compares_the_roots_that_it_saw(chromium, house):
    anna = ByMouse(chromium, house).sit_down("companeros", 3)
    anna.play()
    anna.page.goto(f"{house}/m/{anna.view['table']['match']}")
    anna.page.wait_for_selector(".walk")
    right, words = seal(anna)
    assert right
    assert "this device checked all 9 cards dealt to its seat" in words
    forge = "localStorage.setItem('brelan.promises', JSON.stringify([{...OWN, roots: ['0'.repeat(128)]}]))"
    anna.page.evaluate(forge.replace("OWN", json.dumps(promised(anna))))
    anna.page.reload()
    anna.page.wait_for_selector(".walk")
    right, words = seal(anna)
    assert not right
    assert "differs from the record" in words
    anna.context.close()


def devices(person):
    """What the person's device says at the end of the match of what it wrote down."""
    person.page.goto(f"{person.house}/m/{person.view['table']['match']}")
    person.page.wait_for_selector(".walk")
    return seal(person)


def test_a_bots_number_that_the_house_changes_afterwards_is_found_out(chromium, house):
    anna = ByMouse(chromium, house).sit_down("companeros", 3)
    assert [len(nonce) for nonce in promised(anna)["nonces"]] == [32, 32, 32]
    anna.play()
    right, words = devices(anna)
    assert right
    assert "its own number before the deal" in words
    own = promised(anna)
    other = {**own, "nonces": [*own["nonces"][:-1], "0" * 32]}
    anna.page.evaluate(f"localStorage.setItem('brelan.promises', JSON.stringify([{json.dumps(other)}]))")
    right, words = devices(anna)
    assert not right
    assert "a number that a seat added" in words
    anna.context.close()


@pytest.mark.parametrize("first", [None, 2, "older"])
def test_a_seat_to_begin_that_was_not_promised_is_found_out(chromium, house, match, first):
    """Who begins decides which hand is whose. A device whose note is older than that, and has none, says nothing."""
    reader = Reader(chromium, house).open(match)
    header = json.loads(reader.context.request.get(f"{house}/m/{match}/record").text().splitlines()[0])
    own = {"match": match, "commit": header["commit"], "nonces": header["nonces"], "shared": True}
    own |= {} if first == "older" else {"first": first}
    for one, right in ((own, first == "older"), (own | {"first": header["first"]}, True)):
        reader.page.evaluate(f"localStorage.setItem('brelan.promises', JSON.stringify([{json.dumps(one)}]))")
        reader.page.reload()
        assert seal(reader)[0] == right
    reader.context.close()


def test_of_two_devices_one_gives_the_number_and_neither_accuses_the_house(chromium, house):
    anna = ByMouse(chromium, house).sit_down("companeros", 3)
    other = ByMouse(chromium, house)
    other.page.goto(house + anna.view["table"]["link"])
    other.page.get_by_text("Take that seat").click()
    other.page.wait_for_selector("#table .bar")
    anna.play()
    anna.page.locator(".result .big").click()  # once more: both devices are there before the deal
    for person in (anna, other):
        person.wait(lambda view: view["table"]["status"] == "playing" and view["scene"])
    anna.play()
    assert [sign(person)[0] for person in (anna, other)] == [True, True]  # no match was replaced: the first one ended
    said = [devices(person) for person in (anna, other)]
    assert [right for right, _ in said] == ["and its own number" in words for _, words in said]
    assert sum("its own number before the deal" in words for _, words in said) == 1
    assert sum("another device of yours was faster" in words for _, words in said) == 1
    for person in (anna, other):
        person.context.close()


def test_two_pages_of_one_device_lose_nothing_that_either_saw(chromium, house):
    """The one that hears of its cards last writes last, and over nothing: what the other found wrong stays so."""
    anna = ByMouse(chromium, house).sit_down("companeros", 3)
    anna.play()
    other, held = anna.context.new_page(), []
    other.route("**/proofs*", lambda route: held.append(route))
    other.goto(anna.page.url)
    other.wait_for_selector(".result")
    anna.page.route("**/proofs*", lambda route: tampered(route, "card"))
    anna.page.locator(".result .big").click()
    anna.wait(lambda view: view["table"]["status"] == "playing" and view["scene"])
    assert not sign(anna)[0]
    while not held:
        other.wait_for_timeout(10)
    held.pop().continue_()
    other.wait_for_selector(".sealed")
    kept = promised(anna)
    assert (kept["wrong"], kept["shared"], [len(nonce) for nonce in kept["nonces"]]) == (True, True, [32, 32, 32])
    other.evaluate(LOST)  # as where both write in the same moment
    other.wait_for_function("() => JSON.parse(localStorage['brelan.promises']).at(-1).wrong")
    anna.context.close()


# ---------------------------------------------------------------- what if


def what_if(reader):
    reader.page.locator("[data-sheet=whatif]").click()
    return reader.page.locator("dialog form.whatif")


def test_somebody_plays_on_from_a_step_against_bots_until_the_end(chromium, house, match):
    anna = ByMouse(chromium, house)
    anna.page.goto(f"{house}/m/{match}?seat=1#8")
    anna.page.wait_for_selector(".walk")
    form = what_if(anna)
    assert form.locator("[name=seat]").input_value() == "1"
    form.get_by_role("button", name="Against bots, at once").click()
    anna.page.wait_for_selector("#table .bar, #table .result")
    assert "What if?" in anna.page.locator(".heading").inner_text()
    anna.wait(lambda view: view["table"]["seat"] == 1)
    assert anna.view["table"]["origin"] == {"match": match, "line": 8}
    anna.play()
    end = anna.view["table"]
    record = anna.context.request.get(f"{house}/m/{end['match']}/record").text()
    old = anna.context.request.get(f"{house}/m/{match}/record").text()
    assert len(verify(record.encode(), strict=True)) == 1
    lines, before = ([json.loads(row) for row in text.splitlines()] for text in (record, old))
    for line in lines + before:
        del line["chain"]
    assert lines[1:9] == before[1:9]
    assert lines[0]["whatif"] == {"match": end["match"], "of": match, "line": 8}
    anna.page.goto(f"{house}/m/{end['match']}")
    anna.page.wait_for_selector(".walk")
    assert "What if?" in anna.page.locator(".heading").inner_text()
    _, words = seal(anna)
    assert "whose secret was open" in words
    assert not anna.errors
    anna.context.close()


def test_with_friends_it_begins_in_the_waiting_room(chromium, house, match):
    anna = ByMouse(chromium, house)
    anna.page.goto(f"{house}/m/{match}#5")
    anna.page.wait_for_selector(".walk")
    what_if(anna).get_by_role("button", name="With friends").click()
    anna.page.wait_for_selector(".room")
    assert match in anna.page.locator(".room").inner_text()
    assert "never rated" in anna.page.locator(".room").inner_text()
    anna.context.close()


def test_at_the_end_there_is_nothing_to_play_on(chromium, house, match):
    reader = Reader(chromium, house).open(match)
    reader.page.keyboard.press("End")
    reader.comes_to(reader.end)
    assert not what_if(reader).count()
    assert "go back to one" in reader.page.locator("dialog").inner_text()
    reader.context.close()
