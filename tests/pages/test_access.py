"""The pages before axe-core: nothing is wrong with them, and what is broken on purpose is found.

A few states of each kind; `make access` looks at all of them.
"""

import pytest

from tests.pages.people import ByMouse, ByTouch
from tests.pages.scan import faults
from tests.pages.states import ADDRESSES, ends, pages, room, sheets, turns

SOME = {name: ADDRESSES[name] for name in ("home", "form", "me", "offline", "nothing there")}
WRONG = {
    "button-name": "<button></button>",
    "label": "<input>",
    "image-alt": "<img src='/static/icon.svg'>",
    "color-contrast": "<p id='pale'>Hard to read</p>",
    "target-size": "<div><button class='tiny'>a</button><button class='tiny'>b</button></div>",
    "aria-required-children": "<ul role='list'><p>no item</p></ul>",
    "heading-order": "<h5>Far below</h5>",
}
SPOIL = """html => {
    document.querySelector("main").insertAdjacentHTML("beforeend", html);
    document.getElementById("pale").style.color = "#d8cdb8";
    const small = { width: "10px", height: "10px", padding: 0 };
    for (const { style } of document.querySelectorAll(".tiny")) Object.assign(style, small);
}"""


def test_what_is_broken_is_found(chromium, house):
    person = ByMouse(chromium, house)
    person.page.goto(f"{house}/me")
    assert not faults(person.page)
    person.page.evaluate(SPOIL, "".join(WRONG.values()))
    found = {fault.partition(" ")[0] for fault in faults(person.page)}
    assert set(WRONG) <= found
    person.context.close()


def test_nothing_is_wrong_around_the_tables(chromium, house):
    """By night and in French on a phone; by day and in English on a desktop."""
    person = ByTouch(chromium, house, "phone", locale="fr", color_scheme="dark")
    for state in pages(person, SOME):
        assert not faults(person.page), state
    person.page.emulate_media(color_scheme="light")
    person.resize(1440, 900)
    for state in pages(person, {"home": "/?lang=en", "ladders": "/ratings"}):
        assert not faults(person.page), state
    person.context.close()


def test_nothing_is_wrong_in_a_waiting_room(chromium, house):
    people = ByTouch(chromium, house, "phone"), ByMouse(chromium, house, "desktop")
    for state, person in room(*people):
        for scheme in ("light", "dark"):
            person.page.emulate_media(color_scheme=scheme)
            assert not faults(person.page), (state, scheme)
    for person in people:
        person.context.close()


@pytest.mark.parametrize(("game", "players", "scheme"), [("hawaiki", 6, "dark")])
def test_nothing_is_wrong_at_a_table(game, players, scheme, chromium, house):
    """While it is one's turn, with some card shut at last (in a match long enough for that), and a sheet over it."""
    person = ByTouch(chromium, house, "phone", color_scheme=scheme).sit_down(game, players, tokens=60)
    person.come_to_turn()
    looked = []
    for state in turns(person):
        looked.append(state)
        assert not faults(person.page), state
        if state == "refused":
            break
    person.page.keyboard.press("Escape")
    for state in sheets(person):
        looked.append(state)
        assert not faults(person.page), state
    assert {"asked", "refused", "sheet settings", "sheet help"} <= set(looked)
    person.context.close()


def test_nothing_is_wrong_when_a_match_is_over_nor_when_it_is_seen_again(chromium, house):
    person = ByMouse(chromium, house, "desktop", color_scheme="dark").sit_down("gin", target=1)
    assert [state for state in ends(person) if not report(person, state)][-2:] == ["over", "replay"]
    person.context.close()


def report(person, state):
    found = faults(person.page)
    assert not found, (state, found)
    return found
