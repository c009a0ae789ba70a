"""A table opens light: few bytes, few requests, from this house alone, and nothing jumps when it is there.

Only sizes and counts are held here; how long it takes is measured by `make bench-page`.
"""

from pathlib import Path

import pytest

import brelan.server
from brelan.games import GAMES
from brelan.server.web.bound import REMARK
from tests.pages.people import ByTouch, Pair
from tests.pages.wire import Wire

LIGHT = 108_000
"""Bytes of the first table page on their way: its HTML, scripts, style sheets, drawings and proofs. Some 900 are for
who has won at a table, a wish that is taken back, and the languages: who was sent a link finds them nowhere else.
"""

MANY = 20
"""Requests of the same."""

WATCH = """
    window.shifts = [];
    const place = ({ x, y, width, height }) => [x, y, width, height].join(" ");
    const named = ({ node, previousRect, currentRect }) =>
        `${place(previousRect)} -> ${place(currentRect)} ${(node?.outerHTML ?? node?.textContent ?? "").slice(0, 99)}`;
    const keep = ({ value, sources }) => window.shifts.push([value, ...sources.map(named)]);
    const watch = new PerformanceObserver((list) => list.getEntries().forEach(keep));
    watch.observe({ type: "layout-shift", buffered: true });
"""

ANEW = """() => document.querySelectorAll(".fan").forEach((fan) => {
    delete fan.dataset.rows;
    fan.removeAttribute("style");
})"""
SPREAD = """() => {
    dispatchEvent(new Event("resize"));
    const things = [...document.querySelectorAll(".fan, .fan .card")];
    return things.map((thing) => JSON.stringify(thing.getBoundingClientRect()));
}"""


@pytest.mark.parametrize(("game", "players"), [(game.id, max(game.seats)) for game in GAMES])
def test_the_first_table_page_is_light(game, players, chromium, house):
    person = ByTouch(chromium, house, "phone")
    form = {"game": game, "against": "bots", "nickname": "Anna", "players": str(players)}
    made = person.page.request.post(f"{house}/tables", form=form, headers={"origin": house}, max_redirects=0)
    wire = Wire(person.page)
    person.page.goto(house + made.headers["location"])
    person.page.locator("#table .sealed").wait_for()  # the last thing that is looked up
    print(game, wire)
    assert 1000 * len(wire.asked) < wire.total <= LIGHT
    assert 5 < len(wire.asked) <= MANY
    assert all(url.startswith((f"{house}/", f"{house.replace('http', 'ws')}/")) for url in wire.asked.values())
    person.context.close()


RULES = """texts => texts.map(text => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return [...sheet.cssRules].map(({ cssText }) => cssText);
})"""


def test_a_style_sheet_looks_the_same_without_its_comments(chromium):
    texts = [path.read_text("utf-8") for path in (Path(brelan.server.__file__).parent / "static").glob("*.css")]
    page = chromium.new_page()
    rules = page.evaluate(RULES, [*texts, *[REMARK.sub("", text) for text in texts]])
    assert all(rules)
    assert rules[: len(texts)] == rules[len(texts) :]
    page.close()


def test_nothing_jumps_while_a_table_opens(chromium, house):
    """Two people's table, at which nobody moves meanwhile: what is drawn first stays where it is."""
    pair = Pair(chromium, house)
    for person, screen in zip(pair.people, ((360, 640), (1440, 900)), strict=True):
        person.context.add_init_script(WATCH)
        person.resize(*screen)
        person.page.reload()
        person.page.locator("#table .sealed").wait_for()
        person.settle()
        assert person.page.evaluate("window.shifts") == [], screen
    pair.done()


def test_fans_lie_at_the_first_go_as_they_stay(chromium, house):
    """A hand in two rows leaves the felt less room than one that is not laid yet, and its cards are sized by that."""
    person = ByTouch(chromium, house, "phone").sit_down("gin")
    person.come_to_turn()
    settled = person.page.evaluate(SPREAD)
    person.page.evaluate(ANEW)
    assert person.page.evaluate(SPREAD) == settled
    person.context.close()
