"""A table on a wall: the device of somebody who plays there shows everybody only what anybody may see."""

import pytest
from websockets.sync.client import connect

from tests.server.clients import Line, turn


@pytest.fixture
def anna(guests):
    return guests()


def screen(guest, code):
    """The line of a screen that this guest has put up."""
    cookies = "; ".join(f"{c.name}={c.value}" for c in guest.http.cookies.jar)
    url = guest.address.replace("http", "ws", 1) + f"/t/{code}/socket?screen"
    socket = connect(url, additional_headers={"Cookie": cookies}, origin=guest.address)
    return Line(guest.open.enter_context(socket), None, hello=True)


def test_a_screen_sees_no_hand_and_brings_nobody_to_a_seat(anna):
    code = anna.make()
    own, wall = turn(anna.line(code)), screen(anna, code)
    assert own["table"]["seat"] == 0
    assert wall.view["table"]["seat"] is wall.view["table"]["link"] is None
    assert not wall.view["scene"]["choices"]
    assert all(card["face"] is None for card in hand(wall.view, 0))
    mine = {card["face"] for card in hand(own, 0)}
    public = {card["face"] for zone in own["scene"]["zones"] if zone["owner"] is None for card in zone["cards"]}
    assert not [face for face in mine - public if f'"face":"{face}"' in "".join(wall.frames)]


def hand(view, seat):
    """The cards of a seat's hand, as a view has them."""
    return next(zone for zone in view["scene"]["zones"] if zone["id"] == f"hand:{seat}")["cards"]


@pytest.mark.parametrize("said", ["start", "next", "again"])
def test_a_screen_says_nothing_for_whoever_owns_it(said, anna):
    code = anna.make()
    wall = screen(anna, code)
    assert wall.ask(said)["error"] == "scope"


def test_its_page_says_that_it_is_a_screen(anna):
    code = anna.make()
    assert "data-screen" in anna.http.get(f"/t/{code}?screen").text
    assert "data-screen" not in anna.http.get(f"/t/{code}").text
