"""How fast the environments are, for `brelan bench`: gin, by actions sampled from the masks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from brelan.cores import all_cores
from brelan.lab.bench import Row, Skipped

if TYPE_CHECKING:
    from brelan.envs.matches import Opponents

ROWS = 1024
"""Matches side by side."""

STEPS = 300
"""Timed steps of each of them; as many decisions, times ten, of one match by turns."""

TIMES = 3


def figures() -> Iterator[Row]:
    yield Row("envs.gym.gin.random.1core", "steps/s", lambda: rows("random", 1))
    yield Row("envs.gym.gin.random.cores", "steps/s", lambda: rows("random", None))
    yield Row("envs.gym.gin.novice.1core", "steps/s", lambda: rows("novice", 1))
    yield Row("envs.gym.gin.self.1core", "decisions/s", lambda: rows("self", 1))
    yield Row("envs.pettingzoo.gin", "decisions/s", lambda: by_turns()[0])
    yield Row("envs.pettingzoo.gin.ratio", "x", against_theirs)


def needed(package: str) -> None:
    """Leave a figure out where its framework is not installed."""
    if find_spec(package) is None:
        raise Skipped(f"{package} is not installed")


def rows(opponents: Opponents, cores: int | None) -> float:
    """Steps a second of many matches, observations and masks included; choosing the actions is not timed."""
    needed("gymnasium")
    if cores is None and all_cores() < 2:
        raise Skipped("this process may use one core only")
    from brelan.envs.gym import BrelanVectorEnv

    env, chance = BrelanVectorEnv("gin", ROWS, opponents=opponents, cores=cores), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    best = 0.0
    for _ in range(TIMES):
        seconds = 0.0
        for _ in range(STEPS):
            actions = (chance.random(seen["action_mask"].shape, np.float32) * seen["action_mask"]).argmax(1)
            start = time.perf_counter()
            seen = env.step(actions)[0]
            seconds += time.perf_counter() - start
        best = max(best, ROWS * STEPS / seconds)
    env.close()
    return best


@cache
def by_turns() -> tuple[float, Any]:
    """Decisions a second of PettingZoo's loop over agents, sampling included; and the environment."""
    needed("pettingzoo")
    from brelan.envs import pettingzoo

    env = pettingzoo.env("gin")
    return max(loop(env) for _ in range(TIMES)), env


def against_theirs() -> float:
    """The same as a multiple of PettingZoo's own gin rummy, up to 1.26 and with rlcard, measured in turn."""
    needed("rlcard")
    needed("pettingzoo.classic.gin_rummy_v4")
    from pettingzoo.classic import gin_rummy_v4

    ours, theirs = by_turns()[1], gin_rummy_v4.env()
    pairs = [(loop(ours), loop(theirs)) for _ in range(TIMES)]
    mine, other = (max(side) for side in zip(*pairs, strict=True))
    return float(mine / other)


def loop(env: Any) -> float:
    """Decisions a second of whole matches."""
    env.reset(seed=1)
    decisions, start = 0, time.perf_counter()
    while decisions < 10 * STEPS:
        for agent in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            env.step(None if ended or cut else env.action_space(agent).sample(seen["action_mask"]))
            decisions += not (ended or cut)
            if decisions == 10 * STEPS:
                break
        else:
            env.reset()
    return decisions / (time.perf_counter() - start)
