"""Gymnasium: one match, or thousands at once in arrays (extra `gym`).

    import gymnasium
    import brelan.envs.gym

    one = gymnasium.make("Brelan/gin-v1", opponents="novice")
    many = gymnasium.make_vec("Brelan/gin-v1", num_envs=1024, vectorization_mode="vector_entry_point", reward="win")

The learner sits at seat 0, and anybody leads. With `opponents` "random" or "novice" a step is one decision of the
learner's, and all that the others do until it is asked again. With "self" a step is one decision of whoever is asked:
`info["seat"]` says who that is, the observation is that seat's, and the reward is the one of the seat that has moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from brelan.envs.drawn import drawn, mode_of
from brelan.envs.matches import Ints, Matches, Opponents, Reward, Table, bounds, penalty_of, without_options
from brelan.envs.steps import NOBODY
from brelan.errors import at_least, integer
from brelan.fast.engine import RUNS
from brelan.games import GAMES

Observed = dict[str, NDArray[Any]]
"""`observation` (size,), int32, the pieces of docs/environments.md in a row; `action_mask` (actions,), int8, a one for
each legal move. Of many matches a row each: (num_envs, size) and (num_envs, actions)."""

NO_MATCH = "no match is being played: reset the environment"
"""None has begun yet, or the last one is over."""


def spaces_of(matches: Matches) -> tuple[spaces.Dict, spaces.Discrete]:
    """What one match's observations and actions may be."""
    least, most = bounds(matches.game, matches.players)
    observation = spaces.Box(least, most, dtype=np.int32)
    mask = spaces.Box(0, 1, (matches.actions,), np.int8)
    return spaces.Dict({"observation": observation, "action_mask": mask}), spaces.Discrete(matches.actions)


class Watched:
    """Whose eyes each row is seen with, and what its last step paid."""

    def __init__(self, matches: Matches, opponents: Opponents) -> None:
        self.matches, self.by_turns = matches, opponents == "self"
        self.viewers = np.zeros(len(matches.seats), np.int64)
        self._rows = np.arange(len(matches.seats))

    def begin(self) -> Observed:
        """New matches, seen by who is asked."""
        self.matches.begin()
        if self.by_turns:
            self.viewers = self.matches.seats.copy()
        return self.look()

    def step(self, actions: NDArray[np.int64], penalty: float | None) -> tuple[Observed, NDArray[Any], NDArray[Any]]:
        """What is seen after a step, what it paid who moved, and where the match is over."""
        movers = self.viewers
        self.matches.step(actions, penalty)
        over = self.matches.seats < 0
        rewards = self.matches.gains[self._rows, movers]
        if self.by_turns:
            self.viewers = np.where(over, movers, self.matches.seats)
        return self.look(), rewards, over

    def look(self) -> Observed:
        """New arrays at each call: nobody need copy them, and nothing is written to them again."""
        rows, matches = len(self._rows), self.matches
        observations = np.empty((rows, matches.size), np.int32)
        masks = np.empty((rows, matches.actions), np.int8)
        matches.look(self.viewers, observations, masks)
        return {"observation": observations, "action_mask": masks}

    def info(self) -> dict[str, Any]:
        """Who is asked in each row (num_envs,), -1 for nobody; what each seat gained last (num_envs, players)."""
        return {"seat": self.matches.seats.copy(), "gains": self.matches.gains.copy()}


class BrelanVectorEnv(VectorEnv[Observed, NDArray[np.int64], NDArray[Any]]):
    """`num_envs` matches of a game; those that are over begin anew at the next step, whose action is not looked at.

    Arguments: `game`, `num_envs`, `players` (the fewest), `preset` and `options` (of the rules), `opponents` ("random",
    "novice" or "self"), `reward` ("points" or "win"), `first` (the seat that leads; None: anybody), `illegal_reward`
    (what ends a match at an illegal action; None: such an action is refused, and nothing is played), `cores` (None:
    all), `compiled` (False: interpreted, slow, for looking into it), `max_episode_steps` (after so many a match is
    cut).
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012  (Gymnasium's own)

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int | None = None,
        preset: str = "sheet",
        options: Mapping[str, Any] | None = None,
        opponents: Opponents = "random",
        reward: Reward = "points",
        first: int | None = None,
        illegal_reward: float | None = None,
        cores: int | None = 1,
        compiled: bool = True,
        render_mode: Literal["ansi"] | None = None,
        max_episode_steps: int | None = None,
    ) -> None:
        num_envs = integer("num_envs", num_envs)
        at_least(1, num_envs=num_envs)
        if max_episode_steps is not None:
            at_least(1, max_episode_steps=integer("max_episode_steps", max_episode_steps))
        self.matches = Matches(game, num_envs, players, preset, options, opponents, reward, first, cores, compiled)
        self.num_envs, self.illegal_reward = num_envs, penalty_of(illegal_reward)
        self.render_mode = mode_of(render_mode, self.metadata["render_modes"])
        self.single_observation_space, self.single_action_space = spaces_of(self.matches)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._watched = Watched(self.matches, opponents)
        self._longest = np.inf if max_episode_steps is None else max_episode_steps
        self._steps: Ints | None = None  # of each row's match, once they have begun

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """New matches in every row; with a seed always the same ones. A mask of rows is refused, as any option."""
        without_options(options)
        fresh = self._np_random is None
        super().reset(seed=seed)
        if fresh or seed is not None:
            self.matches.seed(int(self.np_random.integers(RUNS)))
        self._steps = np.zeros(self.num_envs, np.int64)
        return self._watched.begin(), self._watched.info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observed, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """An action in each row (num_envs,); observations, rewards (float64), ends and cuts of all.

        An action that is not legal is refused, and nothing is played in any row (`Illegal`), or ends its match.
        """
        if self._steps is None:
            raise ResetNeeded(NO_MATCH)
        played = np.array(actions)  # one of our own, whatever is given: twins are compiled for that
        self.matches.seats[self._steps >= self._longest] = NOBODY  # a match that was cut is over now
        begins = self.matches.seats == NOBODY
        seen, rewards, over = self._watched.step(played, self.illegal_reward)
        self._steps = np.where(begins, 0, self._steps + 1)
        return seen, rewards, over, self._steps >= self._longest, self._watched.info()

    def render(self) -> tuple[str, ...] | None:
        """Each table as text, as its row's viewer sees it."""
        if self.render_mode is None:
            return None
        rows = enumerate(self._watched.viewers.tolist())
        return tuple(drawn(self.matches.game, self.matches.state(row), seat) for row, seat in rows)

    def close_extras(self, **kwargs: Any) -> None:
        """Let go of the threads."""
        self.matches.close()


class BrelanEnv(gymnasium.Env[Observed, np.int64]):
    """One match of a game; arguments as for `BrelanVectorEnv`, but for those of many matches (`num_envs`, `cores`), and
    that `gymnasium.make` cuts it by itself.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012  (Gymnasium's own)

    def __init__(
        self,
        game: str,
        opponents: Opponents = "random",
        illegal_reward: float | None = None,
        render_mode: Literal["ansi"] | None = None,
        **table: Unpack[Table],
    ) -> None:
        self.matches = Matches(game, 1, opponents=opponents, **table)
        self.illegal_reward = penalty_of(illegal_reward)
        self.render_mode = mode_of(render_mode, self.metadata["render_modes"])
        self.observation_space, self.action_space = spaces_of(self.matches)  # type: ignore[assignment]
        self._watched = Watched(self.matches, opponents)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """A new match; with a seed always the same one."""
        without_options(options)
        fresh = self._np_random is None
        super().reset(seed=seed)
        if fresh or seed is not None:
            self.matches.seed(int(self.np_random.integers(RUNS)))
        return self._only(self._watched.begin()), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """One decision; after the last one of a match `reset` must come (`ResetNeeded`). See `BrelanVectorEnv.step`."""
        if self.matches.seats[0] < 0:
            raise ResetNeeded(NO_MATCH)
        seen, rewards, over = self._watched.step(np.array([action]), self.illegal_reward)
        return self._only(seen), float(rewards[0]), bool(over[0]), False, self._info()

    def render(self) -> str | None:
        """The table as text, as the seat that is asked sees it."""
        if self.render_mode is None:
            return None
        return drawn(self.matches.game, self.matches.state(0), int(self._watched.viewers[0]))

    def _only(self, seen: Observed) -> Observed:
        return {name: array[0] for name, array in seen.items()}

    def _info(self) -> dict[str, Any]:
        return {"seat": int(self.matches.seats[0]), "gains": self.matches.gains[0].copy()}


for _game in GAMES:
    gymnasium.register(
        id=f"Brelan/{_game.id}-v{_game.revision}",
        entry_point="brelan.envs.gym:BrelanEnv",
        vector_entry_point="brelan.envs.gym:BrelanVectorEnv",
        kwargs={"game": _game.id},
    )
