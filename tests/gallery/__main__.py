"""Draw the gallery into build/gallery, with its index, and print what is amiss: `python -m tests.gallery --help`."""

from __future__ import annotations

import argparse
import html
import itertools
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from tqdm import tqdm

from brelan.games import GAMES
from brelan.words import LANGUAGES
from tests.gallery.looks import looks
from tests.gallery.moments import ANNA, STATES, laid, moments, seen
from tests.gallery.stage import NARROW, SIZES, Sight, furnish, stage
from tests.pages.conftest import ARGUMENTS, CHROMIUM
from tests.server.clients import Process

OUT = Path("build/gallery")
THEMES = ("light", "dark", "contrast")
WALLS = ("desktop", "wide")
"""The sizes in which a table is also drawn for a big screen, as nobody's seat sees it."""

PAGES = ("", "new/{game}", "rules/{game}", "fair", "me", "ratings", "m/{match}")


def main():
    asked = arguments()
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        played = {(game, n): moments(game, n, f"{game[:3]}{n}") for game, n in tqdm(asked.tables, "matches")}
        room = laid(*asked.tables[-1], "k7m2x9", sitting=1)
        furnish(Path(folder), [*(table for table, _ in played.values()), room])
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with Process(Path(folder)) as house:
            address = house.address.rstrip("/")
            drawn = [*at_tables(browser, address, played, asked), *at_pages(browser, address, played, asked)]
            drawn += in_room(browser, address, room, asked)
        index(drawn)
        browser.close()
    for name, faults in drawn:
        for fault in faults:
            print(f"{name}: {fault}")
    print(f"{len(drawn)} pictures in {OUT}/index.html, {sum(bool(faults) for _, faults in drawn)} with something amiss")
    return 1 if any(faults for _, faults in drawn) else 0


def arguments():
    parser = argparse.ArgumentParser(prog="make gallery", description=__doc__)
    every = {"game": [game.id for game in GAMES], "size": list(SIZES | NARROW), "theme": THEMES, "language": LANGUAGES}
    usual = every | {"size": list(SIZES), "theme": THEMES[:2]}
    for name, values in every.items():
        parser.add_argument(f"--{name}", nargs="+", choices=values, default=usual[name])
    parser.add_argument("--state", nargs="*", choices=STATES, default=STATES)
    parser.add_argument("--page", nargs="*", choices=PAGES, default=PAGES)
    asked = parser.parse_args()
    chosen = [game for game in GAMES if game.id in asked.game]
    asked.tables = [(game.id, n) for game in chosen for n in sorted({min(game.seats), max(game.seats)})]
    return asked


def at_tables(browser, address, played, asked):
    """Each moment in each language, size and light."""
    work = [(key, language, state) for key in played for language in asked.language for state in asked.state]
    for (game, players), language, state in tqdm(work, "tables"):
        table, found = played[game, players]
        if state not in found:
            continue
        with stage(browser, address, table.code, language) as on:
            on.show(found[state].views[language], found[state].picked)
            yield from shots(on, f"{game}-{players}-{state}-{language}", asked)
    for (game, players), language, size in itertools.product(played, asked.language, WALLS):
        if size in asked.size and "hand" in asked.state:
            with stage(browser, address, played[game, players][0].code, language, "?screen") as on:
                on.show(played[game, players][1]["hand"].public[language])
                yield from shots(on, f"{game}-{players}-wall-{language}", asked, [size])


def at_pages(browser, address, played, asked):
    """The pages without a table, each in every language, size and light."""
    (game, _), (table, _) = next(iter(played.items()))
    for path in tqdm(asked.page, "pages"):
        where = path.format(game=game, match=table.sealed.match)
        for language in asked.language:
            opened = browser.new_context(locale=language, reduced_motion="reduce", service_workers="block")
            page = opened.new_page()
            page.goto(f"{address}/{where}")
            page.wait_for_load_state("networkidle")
            yield from shots(Sight(page), f"page-{path.partition('/')[0] or 'home'}-{language}", asked)
            opened.close()


def in_room(browser, address, room, asked):
    """The waiting room of a table, as its host sees it and on a wall."""
    for language, query in itertools.product(asked.language, ("", "?screen") if asked.page else ()):
        with stage(browser, address, room.code, language, query) as on:
            on.show(seen(room, "nobody" if query else ANNA, language))
            sizes = [size for size in asked.size if size in WALLS or not query]
            yield from shots(on, f"room{'-wall' if query else ''}-{language}", asked, sizes)


def shots(on, name, asked, sizes=None):
    """The page in each size and light: a picture, and what is amiss in it."""
    for size in asked.size if sizes is None else sizes:
        for theme in asked.theme:
            on.resize(*(SIZES | NARROW)[size], theme)
            whole = f"{name}-{size}-{theme}"
            on.page.screenshot(path=OUT / f"{whole}.png")
            yield whole, looks(on.page)


def index(shots):
    """A page with all pictures, those with something amiss first."""
    figures = "".join(
        f'<figure><a href="{name}.png"><img loading=lazy src="{name}.png"></a><figcaption>{name}'
        f"<br>{html.escape('; '.join(faults))}</figcaption></figure>"
        for name, faults in sorted(shots, key=lambda shot: not shot[1])
    )
    style = "body{display:flex;flex-wrap:wrap;gap:8px;font:12px sans-serif}figure{margin:0;width:300px}img{width:100%}"
    Path(OUT / "index.html").write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{figures}")


if __name__ == "__main__":
    sys.exit(main())
