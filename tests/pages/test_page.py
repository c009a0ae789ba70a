"""What a person expects of the page besides moves: nothing is lost, nothing refused in silence, all is readable."""

import httpx
import pytest

from tests.pages.people import SIZES, ByMouse, ByTouch


@pytest.fixture
def anna(chromium, house):
    person = ByMouse(chromium, house).sit_down("gin")
    yield person
    assert not person.errors
    person.context.close()


def hand(page):
    return page.locator("[data-hand] .card").evaluate_all("cards => cards.map(card => card.dataset.key)")


def to_throw(person):
    """Play until a card must be thrown."""
    while not (person.asked(person.view) and len(hand(person.page)) == 11):
        person.play(person.moves + 1)
    return person.view["scene"]


def test_reload_gives_the_same_seat_and_hand(anna):
    anna.play(4)
    before = (anna.page.url, sorted(hand(anna.page)), anna.view["table"]["seat"])
    anna.page.reload()
    anna.page.wait_for_selector("[data-hand] .card")
    assert (anna.page.url, sorted(hand(anna.page)), anna.view["table"]["seat"]) == before
    anna.play(8)


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
    anna.play(2)
    twin = anna.context.new_page()
    twin.goto(anna.page.url)
    twin.wait_for_selector("[data-hand] .card")
    assert sorted(hand(twin)) == sorted(hand(anna.page))
    count = len(hand(twin))
    anna.play(anna.moves + 1)
    twin.wait_for_function("count => document.querySelectorAll('[data-hand] .card').length !== count", arg=count)
    twin.close()


COUNT_FLIGHTS = """() => {
    window.flown = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) { window.flown += 1; return animate.apply(this, given); };
}"""


def test_cards_fly_unless_motion_is_unwanted(chromium, house):
    for calm, expected in ((False, True), (True, False)):
        person = ByMouse(chromium, house, calm=calm).sit_down("gin")
        person.page.evaluate(COUNT_FLIGHTS)
        person.play(4)
        assert bool(person.page.evaluate("window.flown")) == expected
        person.context.close()


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
@pytest.mark.parametrize(("game", "players"), [("gin", 2), ("companeros", 6)])
def test_nothing_scrolls_sideways_and_hands_are_on_screen(width, game, players, chromium, house):
    person = ByTouch(chromium, house, "phone")
    person.page.set_viewport_size({"width": width, "height": 640 if width < 700 else 900})
    person.sit_down(game, players).play(3)
    for address in (person.page.url, house, f"{house}/rules/{game}"):
        person.page.goto(address)
        person.page.wait_for_timeout(200)
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    person.page.go_back()
    person.page.go_back()
    person.page.wait_for_selector("[data-hand] .card")
    low, high = person.page.evaluate(
        "[...document.querySelectorAll('[data-hand] .card')].map(c => c.getBoundingClientRect())"
        ".reduce(([low, high], box) => [Math.min(low, box.left), Math.max(high, box.right)], [1e9, -1e9])"
    )
    assert low >= -12
    assert high <= width + 12
    person.context.close()


SMALL = """() => [...document.querySelectorAll("button, a.button")]
    .map(button => [button.getBoundingClientRect(), button.ariaLabel || button.innerText])
    .filter(([box]) => box.width && (box.width < 24 || box.height < 24))
    .map(([box, name]) => [name, box.width, box.height])"""


@pytest.mark.parametrize("size", SIZES)
def test_targets_are_large_enough_to_tap(size, chromium, house):
    for game, players in (("gin", 2), ("companeros", 6)):
        person = ByTouch(chromium, house, size).sit_down(game, players)
        person.play(1)
        assert not person.page.evaluate(SMALL)
        person.context.close()


def test_the_page_speaks_french(chromium, house):
    person = ByMouse(chromium, house, locale="fr").sit_down("gin")
    assert person.page.locator("html").get_attribute("lang") == "fr"
    person.play(2)
    text = person.page.locator("#table").inner_text()
    assert "Pioche" in text or "pioche" in text
    for english in ("Stock", "Discards", "Draw", "Hand", "undefined"):
        assert english not in text
    person.context.close()


def test_the_hand_is_a_list_for_those_who_hear_it(anna):
    labels = anna.page.locator("[data-hand] .card").evaluate_all("cards => cards.map(card => card.ariaLabel)")
    assert all(f"{place} of {len(labels)}" in label for place, label in enumerate(labels, 1))
    assert anna.page.locator("#call[aria-live=assertive]").count() == 1
    anna.page.keyboard.press("t")
    assert len(anna.page.locator("#voice").text_content()) > 20
