"""docs/examples/ppo.py: it plays and learns, and its step goes where the gain is."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium")

FILE = Path(__file__).parents[2] / "docs" / "examples" / "ppo.py"


@pytest.fixture(scope="module")
def ppo():
    spec = importlib.util.spec_from_file_location("ppo", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_plays_and_tells_what_it_was_paid(ppo):
    said = []
    curve = ppo.train("gin", "novice", rounds=10, matches=8, steps=8, say=said.append)
    assert len(curve) == 10
    assert len(said) == 1
    assert all(np.isfinite(curve))


def test_a_move_that_pays_becomes_likely_and_an_illegal_one_never_is(ppo):
    chance = np.random.default_rng(1)
    net = ppo.Net(2, 3, 8, chance)
    seen, mask = np.ones((64, 3), np.float32), np.tile([True, True, False], (64, 1))
    for _ in range(40):
        _, chances, values = net.forward(seen, mask)
        moves = (chance.random(64) < chances[:, 1]).astype(int)
        paid = moves.astype(float)
        ppo.learn(net, seen, mask, moves, chances[np.arange(64), moves], paid - values, paid, chance)
    _, chances, values = net.forward(seen, mask)
    assert chances[0, 1] > 0.8
    assert chances[0, 2] == 0
    assert values[0] > 0.5
