"""A real Chromium before a real house. Without a Chromium these tests are skipped with the reason; in CI they fail."""

import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

from tests.pages.people import ByMouse
from tests.server.clients import Process

WHOLE = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHROMIUM = shutil.which("chromium-headless-shell") or WHOLE
"""The same pages without windows around them: they open in a third of the time. What windows give needs the whole."""

ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
ARGUMENTS += ["--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def house(tmp_path_factory):
    """The address of a house whose bots answer at once."""
    with Process(tmp_path_factory.mktemp("pages")) as process:
        yield process.address.rstrip("/")


@pytest.fixture(scope="package")
def playwright():
    """For these tests only: while it is there, its loop runs, and others could run none."""
    if not WHOLE:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium here: the pages cannot be tested")
        pytest.skip("no Chromium here: the pages are not tested (tests/get-chromium gets one)")
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def chromium(playwright):
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def whole(playwright):
    """A browser with all that belongs to its windows: letters as its settings have them, notices."""
    browser = playwright.chromium.launch(executable_path=WHOLE, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture
def people(chromium, house):
    """As many people as a test asks for, each with a browser of their own."""
    known = []

    def person(size="desktop", kind=ByMouse, browser=chromium, **context):
        known.append(kind(browser, house, size, **context))
        known[-1].page.set_default_timeout(10_000)
        return known[-1]

    yield person
    for one in known:
        assert not one.errors
        one.context.close()
