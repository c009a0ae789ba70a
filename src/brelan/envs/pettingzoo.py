"""PettingZoo: every seat an agent, `seat_0`, `seat_1` … (extra `pettingzoo`).

    from brelan.envs import pettingzoo

    env = pettingzoo.env("gin", render_mode="ansi")
    together = pettingzoo.parallel_env("hawaiki", players=4)

Agents move in the order of the rules; of several seats that may speak at once, as in Hawaiki's window, the one in
`turn` comes next. `parallel_env` is PettingZoo's own converter for games by turns: at each step it takes the action of
the one agent whose mask is not empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Unpack

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo.utils import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from brelan.envs.drawn import drawn, mode_of, names
from brelan.envs.gym import Observed, spaces_of
from brelan.envs.matches import Matches, Reward, Table, penalty_of, without_options
from brelan.fast.engine import RUNS

TRIED = {"options": 1}
"""What PettingZoo's own tests reset with, to see that options are taken; any others are refused."""


class Agents(Table, total=False):
    """What a table of agents may be told besides."""

    illegal_reward: float | None
    render_mode: Literal["human", "ansi"] | None


class BrelanAEC(AECEnv[str, Observed, int | None]):  # type: ignore[misc]  # PettingZoo tells no types
    """A match of a game; an illegal action is refused, and nothing is played (`Illegal`), or ends the match.

    Arguments as for `brelan.envs.gym.BrelanVectorEnv`, but for those of many matches (`num_envs`, `cores`) and of the
    others who play (`opponents`): every seat is an agent. `render_mode` is "human" or "ansi".
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        players: int | None = None,
        preset: str = "sheet",
        options: Mapping[str, Any] | None = None,
        reward: Reward = "points",
        first: int | None = None,
        illegal_reward: float | None = None,
        compiled: bool = True,
        render_mode: Literal["human", "ansi"] | None = None,
    ) -> None:
        super().__init__()
        self.matches = Matches(game, 1, players, preset, options, "self", reward, first, 1, compiled)
        self.illegal_reward = penalty_of(illegal_reward)
        self.metadata = self.metadata | {"name": f"brelan_{game}_v{self.matches.game.revision}"}
        self.render_mode = mode_of(render_mode, self.metadata["render_modes"])
        self.possible_agents = names(self.matches.players)
        self.agent_selection = self.possible_agents[0]  # whose eyes see the table that no match has begun at
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        observation, action = spaces_of(self.matches)
        self.observation_spaces: dict[str, spaces.Dict] = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces: dict[str, spaces.Discrete] = dict.fromkeys(self.possible_agents, action)
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """`observation` and `action_mask`, the same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of the rules' moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new match; with a seed always the same one."""
        without_options(None if options == TRIED else options)
        if self._random is None or seed is not None:
            self._random, _ = seeding.np_random(seed)
            self.matches.seed(int(self._random.integers(RUNS)))
        self.matches.begin()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.matches.seats[0]]

    def observe(self, agent: str) -> Observed:
        """What an agent knows, and its legal moves if it is the one to move; none otherwise."""
        observation = np.empty((1, self.matches.size), np.int32)
        mask = np.empty((1, self.matches.actions), np.int8)
        self.matches.look(np.array([self._seat[agent]]), observation, mask)
        return {"observation": observation[0], "action_mask": mask[0]}

    def step(self, action: int | None) -> None:
        """The move of the agent selected; every agent is paid what it changes."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.matches.step(np.array([action]), self.illegal_reward)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.matches.gains[0].tolist(), strict=True))
        self._accumulate_rewards()
        seat = int(self.matches.seats[0])
        if seat < 0:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[seat]
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The table as text, as the agent selected sees it."""
        if self.render_mode is None:
            return None
        text = drawn(self.matches.game, self.matches.state(0), self._seat[self.agent_selection])
        if self.render_mode == "ansi":
            return text
        print(text)  # noqa: T201  (what `human` asks for)
        return None

    def close(self) -> None:
        """Nothing is held."""


def raw_env(game: str, **table: Unpack[Agents]) -> BrelanAEC:
    """A match without the wrappers that watch over the order of calls."""
    return BrelanAEC(game, **table)


def env(game: str, **table: Unpack[Agents]) -> AECEnv[str, Observed, int | None]:
    """A match as agents by turns."""
    return OrderEnforcingWrapper(raw_env(game, **table))


def parallel_env(game: str, **table: Unpack[Agents]) -> ParallelEnv[str, Observed, int | None]:
    """A match as agents at once, of which one acts."""
    return turn_based_aec_to_parallel(env(game, **table))
