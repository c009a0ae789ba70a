"""What goes wrong at one table: its people are told, the others go on, and nothing hangs."""

import time

import pytest

from brelan.play.seats import Event
from tests.server.clients import Guest, until
from tests.server.conftest import Running


@pytest.fixture
def house(tmp_path):
    """A house of its own, in which things break."""
    running = Running(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def host(house):
    guest = Guest(house.address)
    yield guest
    guest.close()


def test_what_only_another_version_knows_is_said_to_be_unread_and_left_alone(house, host):
    """Another worker, already of the next version, went on with the table."""
    code = host.make(against="friends")
    line, store = host.line(code), house.house.store
    number = len(store.events(code))
    store.append(code, [Event(number + 1, time.time(), "toasted", "", "", {})]).result()
    house.house.rooms.room(code).behind = True
    refused = line.ask("sit", seat=1, name="Berta")
    assert (refused["error"], "its rules have changed" in refused["words"]) == ("storage", True)
    assert until(lambda: store.table(code).status == "unreadable")
    assert len(store.events(code)) == number + 1
