import asyncio
import os
import threading
from contextlib import contextmanager

import pytest
import uvicorn
from hypothesis import HealthCheck, settings

from brelan.server.app import Settings, address, config, create_app, listening
from brelan.server.house import House
from tests.server.clients import Guest, Program
from tests.server.players import Player

# No test asserts a speed: a busy machine draws examples as slowly as it likes.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


class Running:
    """A house in a thread of the tests, or one of several workers: its address, its parts."""

    def __init__(self, data, database=None, *, worker=False, **choices):
        choices = {"bots": "novice", "bot_pause": (0.0, 0.0), "idle": 0.2} | choices
        settings = Settings(data=data, database=database, **choices)
        app = create_app(settings, House.joined(settings) if worker else None)
        self.house = app.state.house
        listener = listening("127.0.0.1", 0)
        self.address = address(listener)
        self.server = uvicorn.Server(config(app))
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve([listener])))
        self.thread.start()

    def stop(self):
        self.server.should_exit = True
        self.thread.join(10)


@contextmanager
def visited(folder, cookies=(None, None), **choices):
    """A house that may be broken, and two who are its guests, maybe known to it."""
    house = Running(folder, **choices)
    anna, ben = (Guest(house.address, known) for known in cookies)
    try:
        yield house.house, anna, ben
    finally:
        anna.close()
        ben.close()
        house.stop()


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    """One house for all tests that neither break nor kill it."""
    house = Running(tmp_path_factory.mktemp("house"))
    yield house
    house.stop()


@pytest.fixture(scope="session")
def postgres_server():
    """A PostgreSQL of the tests' own, started when first asked for."""
    from tests.server.postgres import Server, programs

    if programs() is None:
        why = "no PostgreSQL here: tests/get-postgres installs Debian's package"
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def postgres(postgres_server):
    """The URL of a new database on it."""
    return postgres_server.fresh()


@pytest.fixture
def guests(running):
    """New guests of that house, as many as a test asks for."""
    known = []

    def guest(**choices):
        known.append(Guest(running.address, **choices))
        return known[-1]

    yield guest
    for one in known:
        one.close()


@pytest.fixture
def anna(guests):
    return guests()


@pytest.fixture
def ben(guests):
    """Somebody whom the house has met before."""
    guest = guests()
    guest.http.post("/name", data={"nickname": "Ben"})
    return guest


@pytest.fixture
def program(anna):
    made = []

    def make(*scopes, owner=anna, **headers):
        made.append(Program(owner, *scopes, **headers))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def people():
    known = []

    def person(address):
        known.append(Player(address))
        return known[-1]

    yield person
    for one in known:
        one.guest.close()
