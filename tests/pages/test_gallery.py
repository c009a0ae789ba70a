"""The gallery in short: on every screen, at the fullest table and the widest choice, nothing is amiss."""

import pytest

from brelan.games import GAMES
from tests.gallery.looks import looks
from tests.gallery.moments import moments
from tests.gallery.stage import NARROW, SIZES, furnish, stage
from tests.server.clients import Process

SMALL = {name: SIZES[name] for name in ("phone", "low")}
MOST = SMALL | {name: (SIZES | NARROW)[name] for name in ("narrow", "tablet", "wide")}
FULL = [(game.id, max(game.seats)) for game in GAMES]


@pytest.fixture(scope="module")
def played():
    return {game: moments(game, players, f"{game[:5]}1") for game, players in FULL}


@pytest.fixture(scope="module")
def address(played, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gallery")
    furnish(folder, [table for table, _ in played.values()])
    with Process(folder) as house:
        yield house.address.rstrip("/")


@pytest.mark.parametrize(("game", "players"), FULL)
def test_nothing_overlaps_is_cut_or_scrolls_at_a_full_table(game, players, played, address, chromium):
    table, found = played[game]
    with stage(chromium, address, table.code, "fr") as on:
        for state, sizes in (("hand", MOST), ("choice", SMALL)):
            on.show(found[state].views["fr"], found[state].picked)
            for name, (width, height) in sizes.items():
                on.resize(width, height)
                assert not [fault for fault in looks(on.page) if not (name == "narrow" and is_below(fault))], name
        assert not on.errors


def is_below(fault):
    """Whether only the felt scrolls under the hand, or laid cards lie close: on the narrowest screen they may."""
    return fault.startswith(("felt scrolls by", "covered by a card: laid")) or (
        "overlap" in fault and ("hand:0.fan" in fault or ".notes" in fault)
    )


def test_a_screen_on_the_wall_shows_what_anybody_may_see(played, address, chromium):
    """Nothing to press, large letters, and the way to the table; its line says nothing for whoever owns the device."""
    table, found = played["mio"]
    with stage(chromium, address, table.code, query="?screen") as on:
        on.show(found["hand"].public["en"])
        on.resize(*SIZES["wide"])
        assert not looks(on.page)
        assert on.page.locator(".poster .qr").is_visible()
        assert on.page.locator("button:visible:not(.last)").count() == 0
        assert on.page.locator("[data-hand]").count() == 0
        assert on.lines[-1].url.endswith("&screen")
