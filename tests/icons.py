"""Draws the icons that devices want as pictures in bytes from static/icon.svg: `python -m tests.icons`."""

from pathlib import Path

from playwright.sync_api import sync_playwright

import brelan.server
from brelan.server.pages.install import ICONS
from tests.pages.conftest import ARGUMENTS, CHROMIUM

STATIC = Path(brelan.server.__file__).parent / "static"
FELT = "#2b6050"
WHOLE, SAFE = 100, 74
"""Percent of the side that the drawing takes: of a maskable icon a device may cut all but a circle of 80 %."""


def page(purpose):
    """The drawing in the middle of its ground; only a maskable icon needs one."""
    ground, share = (FELT, SAFE) if purpose == "maskable" else ("transparent", WHOLE)
    drawing = (STATIC / "icon.svg").read_text()
    style = f"html {{ background: {ground} }} body {{ display: grid; place-items: center; height: 100vh; margin: 0 }}"
    return f"<style>{style} svg {{ width: {share}vmin }}</style>{drawing}"


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name, side, purpose in ICONS:
            canvas = browser.new_page(viewport={"width": side, "height": side})
            canvas.set_content(page(purpose))
            canvas.screenshot(path=STATIC / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
