"""A table opens light: few bytes, few requests, from this house alone, and nothing jumps when it is there.

Only sizes and counts are held here; how long it takes is measured by `make bench-page`.
"""

import pytest

from brelan.games import GAMES
from tests.pages.people import ByTouch
from tests.pages.test_together import Pair
from tests.pages.wire import Wire

LIGHT = 150_000
"""Bytes of the first table page on their way: its HTML, scripts, style sheets, drawings and proofs."""

MANY = 70
"""Requests of the same."""

WATCH = """
    window.shifts = [];
    const named = ({ node }) => (node?.outerHTML ?? node?.textContent ?? "").slice(0, 99);
    const keep = ({ value, sources }) => window.shifts.push([value, ...sources.map(named)]);
    const watch = new PerformanceObserver((list) => list.getEntries().forEach(keep));
    watch.observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize(("game", "players"), [(game.id, max(game.seats)) for game in GAMES])
def test_the_first_table_page_is_light(game, players, chromium, house):
    person = ByTouch(chromium, house, "phone")
    form = {"game": game, "against": "bots", "nickname": "Anna", "players": str(players)}
    made = person.page.request.post(f"{house}/tables", form=form, headers={"origin": house}, max_redirects=0)
    wire = Wire(person.page)
    person.page.goto(house + made.headers["location"])
    person.page.locator("#table .sealed").wait_for()  # the last thing that is looked up
    print(game, wire)
    assert 100 * len(wire.asked) < wire.total <= LIGHT
    assert 30 < len(wire.asked) <= MANY
    assert all(url.startswith((f"{house}/", f"{house.replace('http', 'ws')}/")) for url in wire.asked.values())
    person.context.close()


def test_nothing_jumps_while_a_table_opens(chromium, house):
    """Two people's table, at which nobody moves meanwhile: what is drawn first stays where it is."""
    pair = Pair(chromium, house)
    for person, screen in zip(pair.people, ((360, 640), (1440, 900)), strict=True):
        person.context.add_init_script(WATCH)
        person.page.set_viewport_size(dict(zip(("width", "height"), screen, strict=True)))
        person.page.reload()
        person.page.locator("#table .sealed").wait_for()
        person.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert person.page.evaluate("window.shifts") == [], screen
    pair.done()
