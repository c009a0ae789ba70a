import asyncio
import threading

import pytest
import uvicorn

from brelan.server.app import Settings, address, config, create_app, listening
from tests.server.clients import Guest


class Running:
    """A house in a thread of the tests: its address, its parts."""

    def __init__(self, data):
        app = create_app(Settings(data=data, bot_pause=(0.0, 0.0), idle=0.2))
        self.house = app.state.house
        listener = listening("127.0.0.1", 0)
        self.address = address(listener)
        self.server = uvicorn.Server(config(app))
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve([listener])))
        self.thread.start()

    def stop(self):
        self.server.should_exit = True
        self.thread.join(10)


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    """One house for all tests that neither break nor kill it."""
    house = Running(tmp_path_factory.mktemp("house"))
    yield house
    house.stop()


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
