"""Every page and every state of every table before axe-core, by day and by night, on a phone and on a desktop.

    python -m tests.access [--games gin,mio]

Prints each fault under the state where it stands; ends with 1 if there was one. The tests look at a few states only.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from playwright.sync_api import sync_playwright

from brelan.games import GAMES
from tests.pages.conftest import ARGUMENTS, CHROMIUM
from tests.pages.people import SIZES, ByMouse, ByTouch, Pair
from tests.pages.scan import faults
from tests.pages.states import ends, own_pages, pages, room, sheets, turns, wall, wrong_form
from tests.server.clients import Process

SHORT = {"mio": {"target": 30}, "gin": {"target": 10}, "hawaiki": {"tokens": 5}}
"""Options that make a match short."""


OPEN = "could not be determined"
"""What axe says of colours that it cannot decide."""


class Looks:
    """Whoever looks at all states, and counts."""

    def __init__(self):
        self.states, self.found, self.open = 0, Counter(), Counter()

    def at(self, person, where):
        """By day with all rules; by night only the colours can differ."""
        self.states += 1
        for scheme in ("light", "dark"):
            person.page.emulate_media(color_scheme=scheme)
            for fault in faults(person.page, form=scheme == "light"):
                if OPEN in fault:  # something lies over it in this state; in others nothing does
                    self.open[fault] += 1
                    continue
                if not self.found[fault]:
                    print(f"{where}, {scheme}: {fault}", flush=True)
                self.found[fault] += 1
        person.page.emulate_media(color_scheme="light")


def everything(looks, chromium, house, games):
    for size, manner in (("phone", ByTouch), ("desktop", ByMouse)):
        around(looks, chromium, house, size, manner)
        for game in games:
            at_tables(looks, manner(chromium, house, size), game, size)
        together(looks, chromium, house, size)


def around(looks, chromium, house, size, manner):
    person, other = manner(chromium, house, size), manner(chromium, house, size)
    for state in pages(person):
        looks.at(person, f"{state}, {size}")
    for state in wrong_form(person):
        looks.at(person, f"{state}, {size}")
    for state, who in room(person, other):
        looks.at(who, f"{state}, {size}")
    for one in (person, other):
        one.context.close()


def at_tables(looks, person, game, size):
    """One match with as many as can play, from the first turn to its being seen again."""
    person.sit_down(game.id, max(game.seats), **SHORT.get(game.id, {}))
    person.come_to_turn()
    for states in (sheets, wall, turns, ends):
        for state in states(person):
            looks.at(person, f"{game.id}, {state}, {size}")
    if game is GAMES[0]:
        for state in own_pages(person):
            looks.at(person, f"{state}, {size}")
    person.context.close()


def together(looks, chromium, house, size):
    """What is only there with people at one table: talk, clocks, a wish to take back, seats at stake, a cut line."""
    pair = Pair(chromium, house)
    for person in pair.people:
        person.resize(*SIZES[size])
    mover, other = pair.move("draw")
    mover.page.keyboard.press("u")
    other.page.locator(".consent").wait_for()
    looks.at(other, f"asked for leave, {size}")
    looks.at(mover, f"asks for leave, {size}")
    other.page.locator(".consent button").first.click()
    for person in pair.people:
        for state in sheets(person):
            looks.at(person, f"two people, {state}, {size}")
    other.page.goto(mover.house + mover.view["table"]["link"])
    looks.at(other, f"another's seat, {size}")
    other.page.locator(".acts a").click()
    other.page.locator(".felt").wait_for()
    other.context.set_offline(True)
    other.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    other.page.locator(".banner.line").wait_for(timeout=20_000)
    looks.at(other, f"line cut, {size}")
    other.context.set_offline(False)
    for person in pair.people:
        person.context.close()


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.access")
    parser.add_argument("--games", default=",".join(game.id for game in GAMES))
    wanted = parser.parse_args().games.split(",")
    looks, begun = Looks(), time.monotonic()
    with Process(Path(tempfile.mkdtemp())) as process, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        everything(looks, chromium, process.address.rstrip("/"), [game for game in GAMES if game.id in wanted])
        chromium.close()
    counted = f"{looks.states} states in both colours, {len(looks.found)} faults, {len(looks.open)} left open"
    print(f"{counted}, {time.monotonic() - begun:.0f} s")
    return 1 if looks.found else 0


if __name__ == "__main__":
    sys.exit(main())
