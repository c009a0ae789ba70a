"""Our own bots as a program: a game that cannot be compiled keeps no other from it."""

import io
import json

import pytest

from brelan import games
from brelan.bots.ours import OurBots
from brelan.bots.thinker import Thinker
from tests.server.clients import until


@pytest.fixture
def compiling(monkeypatch):
    """The games whose compiling has begun, in their order; the first time it fails."""
    begun = []

    def prepare(thinker):
        begun.append(thinker.game.id)
        if len(begun) == 1:
            raise MemoryError

    monkeypatch.setattr(Thinker, "prepare", prepare)
    return begun


def test_a_game_that_cannot_be_compiled_is_told_of_and_tried_again_when_asked_for(compiling):
    gin, mio, out = games.find("gin"), games.find("mio"), io.BytesIO()
    ours = OurBots(out)
    ours.compile(gin)
    ours.compile(mio)
    assert until(lambda: "mio" in ours.ready)
    assert "gin" not in ours.ready
    ours.compile(gin)
    assert until(lambda: len(lines := out.getvalue().splitlines()) == 3 and lines)
    assert compiling == ["gin", "mio", "gin"]
    assert [json.loads(line) for line in out.getvalue().splitlines()] == [
        {"type": "failed", "game": "gin", "why": "MemoryError"},
        {"type": "ready", "game": "mio"},
        {"type": "ready", "game": "gin"},
    ]
