"""Draw the pictures of the README into docs/images, each small: `python -m tests.gallery.pictures`."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.gallery.moments import moments
from tests.gallery.stage import SIZES, Sight, furnish, stage
from tests.pages.conftest import ARGUMENTS, CHROMIUM
from tests.server.clients import Process

IMAGES = Path("docs/images")
PICTURES = {
    "companeros": [("companeros", 6, "hand", "desktop", "light")],
    "gin": [("gin", 2, "round", "desktop", "dark")],
    "phones": [
        ("elements", 5, "hand", "phone", "light"),
        ("hawaiki", 6, "hand", "phone", "light"),
        ("mio", 6, "choice", "phone", "dark"),
    ],
    "wall": [("hawaiki", 6, "wall", "desktop", "light")],
    "lesson": [("gin", 2, "lesson", "desktop", "light")],
}
"""By the name of its file: what stands in a picture from left to right."""

MOST = 150_000  # bytes of one file
BESIDE = """async ([shots, width]) => {
    const bytes = shot => Uint8Array.from(atob(shot), sign => sign.charCodeAt());
    const pictures = await Promise.all(shots.map(shot => createImageBitmap(new Blob([bytes(shot)]))));
    const gap = 16, whole = pictures.reduce((sum, one) => sum + one.width + gap, -gap);
    const scale = Math.min(1, width / whole);
    const size = { width: whole * scale, height: pictures[0].height * scale };
    const canvas = Object.assign(document.createElement("canvas"), size);
    const pen = canvas.getContext("2d");
    pen.imageSmoothingQuality = "high";
    let left = 0;
    for (const one of pictures) {
        pen.drawImage(one, left * scale, 0, one.width * scale, one.height * scale);
        left += one.width + gap;
    }
    return canvas.toDataURL("image/webp", .84).split(",")[1];
}"""


def main():
    tables = sorted({(game, players) for parts in PICTURES.values() for game, players, *_ in parts})
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        played = {key: moments(*key, f"{key[0][:3]}{key[1]}") for key in tables}
        furnish(Path(folder), [table for table, _ in played.values()])
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        easel = browser.new_page()
        with Process(Path(folder)) as house:
            for name, parts in PICTURES.items():
                shots = [shot(browser, house.address.rstrip("/"), played, *part) for part in parts]
                drawn = base64.b64decode(easel.evaluate(BESIDE, [shots, 1440]))
                assert len(drawn) <= MOST, (name, len(drawn))
                (IMAGES / f"{name}.webp").write_bytes(drawn)
        browser.close()


def shot(browser, address, played, game, players, state, size, theme):
    if state == "lesson":
        return first_step(browser, f"{address}/learn/{game}", size, theme)
    table, found = played[game, players]
    on_wall = state == "wall"
    with stage(browser, address, table.code, query="?screen" if on_wall else "") as on:
        on.show(
            found["hand"].public["en"] if on_wall else found[state].views["en"], found.get(state, found["hand"]).picked
        )
        on.resize(*SIZES[size], theme)
        return base64.b64encode(on.page.screenshot()).decode()


def first_step(browser, address, size, theme):
    page = browser.new_page(locale="en", reduced_motion="reduce", service_workers="block")
    page.goto(address)
    page.locator("#coach .says").wait_for()
    page.wait_for_load_state("networkidle")
    Sight(page).resize(*SIZES[size], theme)
    return base64.b64encode(page.screenshot()).decode()


if __name__ == "__main__":
    main()
