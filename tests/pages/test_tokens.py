"""The page for programs: what it says of one's tokens, also where the house does not answer."""

import json

import pytest

from brelan.words import Words
from tests.pages.people import ByMouse

TOKENS = "**/api/v1/tokens*"
BUSY = "The house is busy."


@pytest.fixture
def anna(chromium, house):
    person = ByMouse(chromium, house)
    person.page.set_default_timeout(10_000)
    yield person
    person.context.close()


def make(anna):
    anna.page.locator("#make-token [name=name]").fill("my bot")
    anna.page.locator("#make-token button").click()


def busy(route):
    """As behind too many requests."""
    problem = {"error": "busy", "rule": None, "words": BUSY}
    route.fulfill(status=429, content_type="application/json", body=json.dumps(problem))


def test_a_token_is_made_listed_and_revoked(anna):
    anna.page.goto(f"{anna.house}/api")
    anna.page.locator("#tokens", has_text="no token yet").wait_for()
    make(anna)
    anna.page.locator("#token-said .token-text", has_text="brl_").wait_for()
    make(anna)
    anna.page.wait_for_function("() => document.querySelectorAll('#tokens li').length === 2")
    line = anna.page.locator("#tokens li").first
    line.locator("summary").focus()
    for _ in range(2):
        anna.page.keyboard.press("Enter")
    anna.page.wait_for_load_state("networkidle")
    assert line.get_by_role("button", name="Revoke it now: my bot").is_hidden(), "asked once more, and put away"
    line.locator("summary").click()
    line.get_by_role("button", name="Revoke it now: my bot").focus()
    for _ in range(2):
        anna.page.keyboard.press("Enter")
    anna.page.locator("#token-said:focus", has_text="Revoked.").wait_for()
    anna.page.wait_for_load_state("networkidle")
    assert anna.page.locator("#tokens li").count() == 1, "a second press reaches no other"
    assert not anna.errors


def test_without_a_script_nothing_is_sent_and_the_page_says_so(chromium, house):
    person = ByMouse(chromium, house, java_script_enabled=False)
    person.page.goto(f"{house}/api")
    assert person.page.locator(".banner").inner_text() == Words("en")("api.needs_script")
    before = len(person.requests)
    person.page.locator("#make-token [name=name]").fill("my bot")
    person.page.locator("#make-token button").click()
    person.page.locator("details.route summary").first.click()
    person.page.locator("form.try button").first.click()
    person.page.goto(f"{house}/fair")
    assert person.requests[before] == f"{house}/fair"
    person.context.close()


def test_of_two_presses_comes_one_token(anna):
    anna.page.goto(f"{anna.house}/api")
    held = []
    anna.page.route(TOKENS, lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
    for _ in range(2):
        make(anna)
    anna.page.wait_for_timeout(50)
    assert len(held) == 1
    held.pop().continue_()
    anna.page.locator("#tokens li", has_text="my bot").wait_for()
    make(anna)
    anna.page.wait_for_timeout(50)
    assert len(held) == 1


@pytest.mark.parametrize(("answer", "says"), [(busy, BUSY), (lambda route: route.abort(), "No answer received.")])
def test_a_list_that_does_not_come_is_not_called_empty(anna, answer, says):
    anna.page.route(TOKENS, answer)
    anna.page.goto(f"{anna.house}/api")
    anna.page.locator("#tokens", has_text=says).wait_for()
    make(anna)
    anna.page.locator("#token-said", has_text=says).wait_for()


def test_a_token_just_made_is_shown_though_the_list_does_not_come(anna):
    """It is not shown again."""
    anna.page.goto(f"{anna.house}/api")
    anna.page.locator("#tokens", has_text="no token yet").wait_for()
    anna.page.route(TOKENS, lambda route: route.abort() if route.request.method == "GET" else route.fallback())
    make(anna)
    anna.page.locator("#tokens", has_text="No answer received.").wait_for()
    assert anna.page.locator("#token-said .token-text").inner_text().startswith("brl_")


def test_each_message_that_is_tried_has_a_key_of_its_own(anna):
    """Under an old one the house would acknowledge it, and do nothing."""
    said = []
    anna.page.route("**/messages*", lambda route: said.append(route.request.post_data_json) or busy(route))
    anna.page.goto(f"{anna.house}/api")
    details = anna.page.locator("details", has=anna.page.locator('[data-path$="/messages"]'))
    details.locator("summary").click()
    details.locator("[name=code]").fill("abcdef")
    for sent in (1, 2):
        details.get_by_role("button").click()
        details.locator(".said", has_text="429").wait_for()
        assert len({message["key"] for message in said}) == sent
