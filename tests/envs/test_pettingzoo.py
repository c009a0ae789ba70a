"""PettingZoo's own tests hold for every game, and an illegal action is refused or ends the match."""

import copy
import pickle

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel

from brelan.envs import pettingzoo
from brelan.errors import Illegal, Refusal
from tests.tables import at_every_preset, for_every_game

THEIRS = ("ignore:Observation space for each agent:UserWarning", "ignore:Observation is not a NumPy array:UserWarning")
"""What PettingZoo's test says of environments that keep the mask beside the observation, unless they are its own."""


def made(game, **more):
    """An environment of a game, interpreted: what is compiled is the same (test_matches)."""
    return pettingzoo.env(game.id, compiled=False, **more)


@pytest.mark.filterwarnings(*THEIRS)
@for_every_game
def test_agents_by_turns_are_as_pettingzoo_asks(game, capsys):
    api_test(made(game, players=game.seats[-1]), num_cycles=60)


@for_every_game
def test_seeds_repeat_a_match(game):
    seed_test(lambda: made(game), num_cycles=20)


@for_every_game
def test_agents_at_once_are_as_pettingzoo_asks(game, capsys):
    parallel_api_test(pettingzoo.parallel_env(game.id, compiled=False), num_cycles=20)


def test_a_way_of_drawing_that_there_is_not_is_refused():
    with pytest.raises(Refusal, match=r"“render_mode” may not be “rgb_array”; allowed: human \| ansi"):
        pettingzoo.env("gin", compiled=False, render_mode="rgb_array")


def test_what_is_no_number_for_an_illegal_action_is_refused_at_once():
    with pytest.raises(Refusal, match="“illegal_reward” must be a number, not '-1'"):
        pettingzoo.env("gin", compiled=False, illegal_reward="-1")


def test_a_table_at_which_nothing_has_begun_is_drawn():
    raw = pettingzoo.raw_env("gin", compiled=False, render_mode="ansi")
    assert "seat_1" in raw.render()


@for_every_game
def test_tables_are_drawn(game, capsys):
    render_test(lambda render_mode: made(game, render_mode=render_mode))


@at_every_preset
def test_only_the_mover_has_a_mask_and_a_match_ends_with_its_points(table):
    env = made(table.game, players=table.players, preset=table.preset)
    env.reset(seed=2)
    chance, paid = np.random.default_rng(3), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(80):
        seen, reward, over, _, _ = env.last()
        paid[agent] += reward
        if not over:
            assert [bool(env.observe(other)["action_mask"].any()) for other in env.agents] == [
                other == agent for other in env.agents
            ]
        env.step(None if over else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    matches = env.unwrapped.matches
    state, better = matches.state(0), -1 if table.game.lowest_wins else 1
    start = table.game.new(table.players, preset=table.preset)
    for seat, agent in enumerate(env.possible_agents):
        gained = better * (table.game.rules.score(state, seat) - table.game.rules.score(start, seat))
        unpaid = env.unwrapped._cumulative_rewards.get(agent, 0.0)
        assert paid[agent] + unpaid == pytest.approx(gained)


def test_an_illegal_action_is_refused_and_changes_nothing():
    env = pettingzoo.env("gin", compiled=False)
    env.reset(seed=1)
    before = env.unwrapped.matches.state(0)
    with pytest.raises(Illegal, match="discard"):
        env.step(0)
    with pytest.raises(Refusal):
        env.step(160)
    assert env.unwrapped.matches.state(0) == before


@pytest.mark.parametrize("action", [0, 160, -56])
def test_an_illegal_action_ends_the_match_where_that_is_asked_for(action):
    """One out of range as well: the mask was read past its end, or from there, where -56 is the move that is legal."""
    env = pettingzoo.env("gin", illegal_reward=-1.0, compiled=False)
    env.reset(seed=1)
    mover = env.agent_selection
    env.step(action)
    assert env.rewards == {agent: -1.0 if agent == mover else 0.0 for agent in env.possible_agents}
    assert all(env.terminations.values())
    assert not env.last()[0]["action_mask"].any()


def test_options_are_refused_where_a_match_begins():
    """They were dropped in silence, though elsewhere here they are those of the rules."""
    env = pettingzoo.env("gin", compiled=False)
    with pytest.raises(Refusal, match="“reset” takes no options, but was given target"):
        env.reset(seed=1, options={"target": 1})


def test_agents_at_once_are_made_by_the_converter_for_games_by_turns_alone():
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(pettingzoo.env("gin", compiled=False))


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_by_itself(twin):
    env = pettingzoo.env("gin", compiled=False)
    env.reset(seed=1)
    copied = twin(env)
    start = env.unwrapped.matches.state(0)
    copied.step(int(copied.last()[0]["action_mask"].argmax()))
    assert env.unwrapped.matches.state(0) == start
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert env.unwrapped.matches.state(0) == copied.unwrapped.matches.state(0) != start


@pytest.mark.parametrize(
    "wrong", [{"players": 9}, {"preset": "x"}, {"options": {"x": 1}}, {"reward": "x"}, {"first": 7}]
)
def test_a_table_that_cannot_be_is_refused(wrong):
    with pytest.raises(Refusal):
        pettingzoo.env("gin", compiled=False, **wrong)
