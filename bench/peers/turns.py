"""How a turn is timed, for our ways to play and theirs alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

Play = Callable[[], tuple[int, int]]
"""Plays a little: decisions and hands that ended."""

Turn = Callable[[float], tuple[int, int, float]]
"""Plays for about so many seconds: decisions, hands that ended, and the seconds taken."""


def turn_of(play: Play) -> Turn:
    """Play again and again; what is counted is the time of this process on the processor."""

    def turn(seconds: float) -> tuple[int, int, float]:
        decisions = hands = 0
        start = now = time.process_time()
        while now < start + seconds:
            more, ended = play()
            decisions, hands, now = decisions + more, hands + ended, time.process_time()
        return decisions, hands, now - start

    return turn


def loop_of_agents(env: Any) -> int:
    """PettingZoo's loop from a reset to the end, by actions sampled from the masks; the decisions made."""
    env.reset()
    decisions = 0
    for agent in env.agent_iter():
        seen, _, ended, cut, _ = env.last()
        env.step(None if ended or cut else env.action_space(agent).sample(seen["action_mask"]))
        decisions += not (ended or cut)
    return decisions
