"""A page with a table on it that is played nowhere: its socket says what the picture wants."""

from __future__ import annotations

import json
from contextlib import contextmanager

from brelan.server.store import Store
from brelan.server.tables.summary import summary_of
from tests.gallery.moments import frame
from tests.pages.people import TWO_FRAMES, named

SIZES = {"phone": (360, 640), "low": (640, 360), "tablet": (768, 1024), "desktop": (1440, 900), "wide": (1920, 1080)}
NARROW = {"narrow": (320, 568), "double": (720, 450)}
"""The narrowest that must do, and a desktop read at twice its size."""


def furnish(folder, tables):
    """A house's data with these tables in them, so that each has its page."""
    store = Store(folder / "brelan.db")
    for table in tables:
        store.append(table.code, table.events, summary_of(table)).result()
    store.close()


@contextmanager
def stage(browser, address, code, language="en", query="", **context):
    """The page of a table, to which `show` gives views."""
    opened = browser.new_context(
        locale=language, reduced_motion="reduce", service_workers="block", device_scale_factor=1, **context
    )
    page = opened.new_page()
    try:
        yield Stage(page, address, code, query)
    finally:
        opened.close()


class Sight:
    """A page in some size and light."""

    def __init__(self, page):
        self.page = page

    def resize(self, width, height, theme="light"):
        """Give the page its size and its light: the device's, or the high contrast that a reader asks for."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(
            color_scheme="dark" if theme == "dark" else "light",
            contrast="more" if theme == "contrast" else "no-preference",
            reduced_motion="reduce",
        )
        self.page.evaluate("scrollTo(0, 0)")
        self.settle()

    def settle(self):
        """Two frames: a resize is heard in the first, the fan is spread by the second."""
        self.page.evaluate(TWO_FRAMES)


class Stage(Sight):
    """One page of a table."""

    def __init__(self, page, address, code, query=""):
        super().__init__(page)
        self.lines = []
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route_web_socket(f"**/t/{code}/socket*", lambda line: self.lines.append(line))  # (it marks its handler)
        page.goto(f"{named(address)}/t/{code}{query}")
        page.evaluate("Promise.all(['cards', 'felt', 'linen'].map(name => fetch(`/static/${name}.svg`)))")
        while not self.lines:
            page.wait_for_timeout(5)

    def show(self, shown, picked=()):
        """Draw a view, and pick these cards as a hand would."""
        self.lines[-1].send(frame(shown))
        self.page.wait_for_selector(".felt, .room")
        for key in picked:
            card = self.page.locator(f"[data-hand] [data-key={json.dumps(key)}], .before [data-key={json.dumps(key)}]")
            card.first.dispatch_event("click")
