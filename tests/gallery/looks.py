"""What is amiss in a picture: asked of the page itself, so that the pages' tests can ask the same."""

from __future__ import annotations

from pathlib import Path

LOOKS = Path(__file__).with_name("looks.js").read_text("utf-8").partition("\n")[2]
SIDEWAYS = (
    "document.documentElement.scrollWidth > innerWidth || document.querySelector('.felt')?.scrollWidth > innerWidth"
)


def looks(page):
    """Sentences about what scrolls, is cut, covered, off the screen, lies on something else or is too small."""
    return page.evaluate(LOOKS)
