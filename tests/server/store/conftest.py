"""A store of each test's own, on either database."""

import pytest

from brelan.play.seats import Event
from brelan.server.store import Store


def event(number, **data):
    return Event(number, 1.5, "sat", "anna", f"key {number}", {"seat": 0, **data})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "brelan.db"


@pytest.fixture
def store(path):
    """On SQLite: its own troubles."""
    opened = Store(path)
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request, path):
    return path if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.fixture
def either(place):
    """What both databases do alike."""
    opened = Store(place)
    yield opened
    opened.close()
