"""Somebody who sees a match again, and what the seal says to people at a table and after it."""

import json

from tests.pages.people import SIZES
from tests.server.faces import DECK


class Reader:
    """Somebody who sees a match again."""

    def __init__(self, chromium, house, size="desktop", **context):
        width, height = SIZES[size]
        self.context = chromium.new_context(viewport={"width": width, "height": height}, **{"locale": "en"} | context)
        self.page, self.house, self.errors, self.asked = self.context.new_page(), house, [], []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, match, where=""):
        self.page.goto(f"{self.house}/m/{match}{where}")
        self.page.wait_for_selector(".walk")
        return self

    @property
    def at(self):
        return int(self.page.locator(".line input").input_value())

    @property
    def end(self):
        return int(self.page.locator(".line input").get_attribute("max"))

    def comes_to(self, step):
        """Whether that step is drawn, at last."""
        self.page.wait_for_function("at => document.querySelector('.where').innerText.includes(at)", arg=f"{step + 1}/")
        return True

    def step(self, name):
        self.page.locator(f"[data-step={name}]").click(force=True)  # one that leads nowhere may be pressed, too

    def faces(self):
        """Every card whose face is drawn, by its key."""
        keys = self.page.locator(".card:has(.face[data-suit])").evaluate_all("cards => cards.map(c => c.dataset.key)")
        return {key for key in keys if key in DECK}


def seal(reader):
    reader.page.locator("[data-sheet=seal]").click()
    reader.page.locator("#check").click()
    reader.page.wait_for_selector(".verdict[data-right]")
    verdict = reader.page.locator(".verdict")
    return verdict.get_attribute("data-right") == "true", verdict.inner_text()


def sign(anna):
    """The seal in the heading: whether it is right (None where nobody can tell), and what it tells those who point at
    it and those who listen.
    """
    anna.page.wait_for_selector(".sealed")
    mark = anna.page.locator(".sealed")
    says = mark.get_attribute("title")
    assert anna.page.get_by_role("button", name=says, exact=True).count() == 1
    return json.loads(mark.get_attribute("data-right")), says
