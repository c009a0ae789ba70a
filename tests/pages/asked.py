"""Somebody whose raised card may go to several places, on a page that is shown nothing else."""

import json
import time
from contextlib import contextmanager

import pytest

from brelan.cards import seed
from brelan.games import find
from tests.gallery.moments import ANNA, begun, laid, seen, step
from tests.gallery.stage import furnish
from tests.server.clients import Process

CASES = {
    "where7": ("hawaiki", None, {"pile:1", "pile:3"}),
    "saying": ("hawaiki", "claim", {"pile:2"}),
    "knocks": ("gin", None, {"discards", None}),
    "giving": ("elements", None, {"stock"}),
    "laying": ("mio", None, {"discards", None}),
    "jokers": ("mio", None, {None}),
}
"""By the code of its table: a game, its manner, and where a card of it may go: to piles, or with a word (None)."""
OPEN = ".bar .choices [data-move]:not([aria-disabled])"


def at(code):
    """The test's `asked` is that case."""
    return pytest.mark.parametrize("asked", [code], indirect=True)


@contextmanager
def kept(folder):
    """The address of a house in which all these tables are."""
    furnish(folder, [table(code) for code in CASES])
    with Process(folder) as process:
        yield process.address.rstrip("/")


def table(code):
    game, manner, _ = CASES[code]
    return begun(laid(game, find(game).seats[0], code, manner=manner))


def where(code, others=2):
    """What Anna is shown when a card of hers may go just there, and so many others there too; and the card."""
    played, chance = table(code), [0]
    seed(chance, 3)
    while True:
        view = seen(played, ANNA, "en")
        targets = {}
        for choice in [] if played.pause else view.scene.choices:
            for key in choice.cards:
                targets.setdefault(key, set()).add(choice.target)
        for key, found in targets.items():
            rivals = [other for other, places in targets.items() if places & found]
            if found == CASES[code][2] and len(rivals) > others:
                return view, key
        step(played, chance, "pass")  # whoever plays for nothing keeps many cards


class Asked:
    """Her page when it asks where that card goes, and the moves that are made on it, which the house acknowledges."""

    def __init__(self, on, code):
        self.on, self.page, self.moves, self.acks, self.sent = on, on.page, [], True, ""
        self.view, self.key = where(code)
        on.lines[-1].on_message(self.hear)
        self.ask()

    @property
    def card(self):
        return self.key.split("#")[0]

    def hear(self, text):
        message = json.loads(text)
        if message["type"] == "move":
            self.moves.append(message["move"])
            self.sent = message["key"]
            if self.acks:
                ack = {"type": "ack", "key": message["key"], "number": self.view.number}
                self.on.lines[-1].send(json.dumps(ack))

    def ask(self):
        """The view anew; then Enter twice on the card, with nothing but keys."""
        self.on.show(self.view)
        self.page.locator(OPEN).first.wait_for()  # then no move is on its way any more
        self.page.evaluate("document.activeElement.blur()")
        self.press("ArrowRight", "Home")
        while self.page.evaluate("document.activeElement.dataset.key") != self.key:
            self.press("ArrowRight")
        self.press("Enter", "Enter")

    def refuse(self, key=None):
        """Answer the last move, or what was said by that key, with a refusal."""
        told = {"key": key or self.sent, "error": "late", "rule": None, "words": "Late.", "number": self.view.number}
        self.on.lines[-1].send(json.dumps({"type": "refused"} | told))
        self.page.locator(".remark").wait_for()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def answer(self, *keys):
        """The move that these keys make."""
        self.moves.clear()
        self.press(*keys)
        self.wait(1)
        (move,) = self.moves
        return move

    def wait(self, moves):
        """Until so many were made."""
        end = time.monotonic() + 10
        while len(self.moves) < moves:
            assert time.monotonic() < end, self.moves
            self.page.wait_for_timeout(5)
