"""What the page explains stands as long as it is true, or until its reader goes on: however fast the others play."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace

from brelan.cards import seed
from tests.gallery.moments import ANNA, begun, laid, seen, step
from tests.gallery.stage import Stage, furnish, stage
from tests.server.clients import Process

CODE = "remarks"


@dataclass
class Told:
    """Anna's page while she is asked."""

    on: Stage
    view: Any

    def __post_init__(self):
        self.page, self.number = self.on.page, self.view.number
        self.theirs = replace(self.view.scene, choices=[], turn=[1])
        self.show(self.view.scene)

    def show(self, scene):
        """The next view, with this on it; what it says in sight."""
        self.number += 1
        self.on.show(replace(self.view, number=self.number, scene=scene, news=[]))
        self.page.locator(f".bar{':not([data-mine])' if scene is self.theirs else '[data-mine]'}").wait_for()
        self.on.settle()
        return self.page.locator(".remark").all_inner_texts()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("remarks")
    furnish(folder, [begun(laid("gin", 2, CODE))])
    with Process(folder) as process:
        yield process.address.rstrip("/")


@pytest.fixture
def told(address, chromium):
    table, chance = begun(laid("gin", 2, CODE)), [0]
    seed(chance, 3)
    while 0 not in (view := seen(table, ANNA, "en")).scene.turn:
        step(table, chance, "pass")
    with stage(chromium, address, CODE) as on:
        yield Told(on, view)
        assert not on.errors


def test_what_was_asked_for_stands_until_its_reader_does_something(told):
    told.show(told.theirs)
    told.page.keyboard.press("t")
    said = told.page.locator(".remark").all_inner_texts()
    assert said
    assert [told.show(scene) for scene in (told.theirs, told.view.scene, told.theirs)] == [said] * 3
    told.page.keyboard.press("Escape")
    told.page.locator(".remark").wait_for(state="detached")


def test_why_a_card_may_not_be_played_stands_as_long_as_that_is_so(told):
    told.show(told.theirs)
    told.page.locator("[data-hand] .card").first.dispatch_event("click")
    said = told.page.locator(".remark").all_inner_texts()
    assert said
    assert [told.show(scene) for scene in (told.theirs, told.theirs, told.view.scene)] == [said, said, []]


def test_a_hint_is_shown_though_another_has_moved_meanwhile(told):
    """As where all choose at once: one's own choices and cards are the same."""
    told.page.keyboard.press("h")
    told.show(replace(told.view.scene, turn=[0, 1]))
    told.on.lines[-1].send(json.dumps({"type": "hint", "move": told.view.scene.choices[0].move, "why": None}))
    told.page.locator(".remark").wait_for()


def test_a_hint_is_shown_no_longer_than_it_is_true(told):
    """For the next view it would have to be thought out anew, though the choices are the same."""
    told.page.keyboard.press("h")
    told.on.lines[-1].send(json.dumps({"type": "hint", "move": told.view.scene.choices[0].move, "why": None}))
    told.page.locator(".remark").wait_for()
    assert told.show(told.view.scene) == []
