"""Gymnasium's own checks hold for every game, and thousands of matches step as one does."""

import copy
import pickle
import re

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from brelan.envs.gym import BrelanEnv, BrelanVectorEnv  # noqa: E402
from brelan.envs.steps import step_rows  # noqa: E402
from brelan.errors import Illegal, Refusal  # noqa: E402
from brelan.games import GAMES, find  # noqa: E402
from brelan.pieces import split  # noqa: E402
from tests.tables import for_every_game  # noqa: E402

NO_PICTURES = "ignore:.*render fps:UserWarning"
"""Text has no frames a second."""


def many(game, count, **more):
    found = gymnasium.make_vec(
        f"Brelan/{game}-v1", num_envs=count, vectorization_mode="vector_entry_point", compiled=False, **more
    )
    return found.unwrapped


def choose(chance, masks):
    """A legal action in each row; 0 where there is none."""
    return (chance.random(masks.shape) * masks).argmax(1)


def test_each_revision_of_a_games_rules_is_a_version_of_its_environment():
    for game in GAMES:
        assert gymnasium.spec(f"Brelan/{game.id}-v{game.revision}").kwargs == {"game": game.id}


@pytest.mark.filterwarnings(NO_PICTURES)
@for_every_game
def test_one_match_is_as_gymnasium_asks(game):
    name = f"Brelan/{game.id}-v{game.revision}"
    check_env(gymnasium.make(name, illegal_reward=-1.0, compiled=False).unwrapped)


@for_every_game
def test_rows_stay_in_their_spaces_and_repeat_by_their_seed(game):
    chances = [np.random.default_rng(1), np.random.default_rng(1)]
    both = [many(game.id, 3, players=game.seats[-1]) for _ in range(2)]
    seen = [env.reset(seed=7)[0] for env in both]
    for _ in range(12):
        assert both[0].observation_space.contains(seen[0])
        for name in seen[0]:
            assert np.array_equal(seen[0][name], seen[1][name])
        found = [env.step(choose(chance, s["action_mask"])) for env, chance, s in zip(both, chances, seen, strict=True)]
        assert np.array_equal(found[0][1], found[1][1])
        assert found[0][1].shape == found[0][2].shape == found[0][3].shape == (3,)
        seen = [step[0] for step in found]


def test_a_match_that_is_over_shows_its_end_and_the_next_step_begins_another():
    env = many("companeros", 4, reward="win")
    chance, seen = np.random.default_rng(2), env.reset(seed=3)[0]
    over, ended = np.zeros(4, bool), 0
    for _ in range(60):
        seen, rewards, now, truncated, info = env.step(choose(chance, seen["action_mask"]))
        assert not truncated.any()
        assert not (over & now).any()
        assert not rewards[~now].any()
        assert np.allclose(info["gains"].sum(1), 0)
        assert np.array_equal(info["seat"] < 0, now)
        assert np.array_equal(seen["action_mask"].any(1), ~now)
        over, ended = now, ended + now.sum()
    assert ended >= 4


def test_by_turns_the_reward_is_the_movers_and_the_eyes_are_the_next_ones():
    env = many("gin", 2, opponents="self", options={"target": 1, "knock_limit": 100})
    chance, (seen, info) = np.random.default_rng(4), env.reset(seed=5)
    turns = split(find("gin").observation.PIECES, 2, seen["observation"])["asked"]
    assert turns.tolist() == [[1, 0], [1, 0]]
    won = 0.0
    for _ in range(40):
        movers = np.maximum(info["seat"], 0)
        seen, rewards, over, _, info = env.step(choose(chance, seen["action_mask"]))
        assert np.array_equal(rewards[over], info["gains"][np.arange(2), movers][over])
        won += rewards.sum()
    assert won > 0


def test_a_match_that_ends_before_the_learner_is_asked_is_never_seen():
    """As docs/environments.md says: where the first move ends it, nobody else seems to lead."""
    rules = {"target": 1, "knock_limit": 100}
    for opponents, leads in (("novice", {0}), ("self", {0, 1})):
        env = many("gin", 20, opponents=opponents, options=rules)
        env.reset(seed=1)
        assert {env.matches.state(row).first for row in range(20)} == leads


@pytest.mark.parametrize("kind", [BrelanEnv, BrelanVectorEnv])
def test_a_table_at_which_the_learner_is_never_asked_is_refused(kind):
    """It looked for a match for ever, in compiled code that nothing interrupts."""
    env = kind("gin", opponents="novice", first=1, options={"target": 1, "knock_limit": 100})
    with pytest.raises(Refusal, match="The learner is never asked: the others have ended each of 10000 matches"):
        env.reset(seed=1)


def test_arrays_are_new_at_each_step():
    env = many("gin", 2)
    first, _ = env.reset(seed=1)
    kept = first["observation"].copy()
    env.step(choose(np.random.default_rng(1), first["action_mask"]))
    assert np.array_equal(first["observation"], kept)


def test_one_illegal_action_is_refused_for_all_or_ends_its_own_match():
    env = many("gin", 3, opponents="self", first=0)
    seen, _ = env.reset(seed=1)
    right = choose(np.random.default_rng(1), seen["action_mask"])
    wrong = right.copy()
    wrong[1] = 0
    before = env.matches.state(0)
    with pytest.raises(Illegal):
        env.step(wrong)
    assert env.matches.state(0) == before
    env.illegal_reward = -5.0
    _, rewards, over, _, _ = env.step(wrong)
    assert rewards.tolist() == [0.0, -5.0, 0.0]
    assert over.tolist() == [False, True, False]


def test_a_whole_number_for_an_illegal_action_compiles_nothing_anew():
    """It took longer than all the rest of a first try, in the middle of a run."""
    env = BrelanVectorEnv("gin", 1)
    env.reset(seed=1)
    compiled = []
    for env.illegal_reward in (-5.0, -5):
        _, rewards, over, _, _ = env.step(np.array([-1]))
        assert (rewards.tolist(), over.tolist()) == ([-5.0], [True])
        env.step(np.array([-1]))  # another match
        compiled.append(list(env.matches.engine.twins[step_rows].signatures))
    assert compiled[0] == compiled[1]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("spoil", [lambda a: a[:1], lambda a: a[:, None], lambda a: a + 0.5, lambda a: a > 0])
def test_actions_that_are_no_number_for_each_row_are_refused(compiled, spoil):
    """By name, type and shape; compiled code would read past them, or play what nobody chose."""
    env = BrelanVectorEnv("gin", 3, illegal_reward=-1.0, compiled=compiled)
    right = choose(np.random.default_rng(1), env.reset(seed=1)[0]["action_mask"])
    before = env.matches.state(0)
    with pytest.raises(Refusal, match=r"“actions” must be whole numbers of shape \(3,\), not \w+ of shape \(.*\)\."):
        env.step(spoil(right))
    assert env.matches.state(0) == before
    assert not env.step(right.astype(np.int16))[2].any()


@pytest.mark.parametrize(("opponents", "knock_limit", "most"), [("self", 100, 2), ("self", 100, 5), ("novice", 10, 5)])
def test_a_match_of_so_many_steps_is_cut_as_gymnasium_cuts_it(opponents, knock_limit, most):
    """The vectorization of theirs, which counts the steps around one environment, and ours say the same of one row."""
    options = {"target": 1, "knock_limit": knock_limit}
    rules = {"opponents": opponents, "options": options, "max_episode_steps": most}
    theirs = gymnasium.make_vec("Brelan/gin-v1", 1, "sync", compiled=False, **rules)
    ours, chance, ends = many("gin", 1, **rules), np.random.default_rng(3), set()
    seen, same = theirs.reset(seed=1)[0], ours.reset(seed=1)[0]
    for _ in range(60):
        assert all(np.array_equal(seen[name], same[name]) for name in seen)
        action = choose(chance, seen["action_mask"])
        (seen, *paid, _), (same, *also_paid, _) = theirs.step(action), ours.step(action)
        assert np.array_equal(paid, also_paid)
        ends.add((bool(paid[1][0]), bool(paid[2][0])))
    assert ends > {(False, False), (False, True)}  # and some are over, perhaps in the step that cuts them


def test_the_steps_of_each_row_are_counted_by_themselves():
    env = many("gin", 2, illegal_reward=-1.0, max_episode_steps=3)
    seen, cut = env.reset(seed=1)[0], []
    for step in range(9):
        right = choose(np.random.default_rng(step), seen["action_mask"])
        right[1] = -1 if step == 0 else right[1]  # ends its match at once
        seen, _, over, now, _ = env.step(right)
        assert over.tolist() == [False, step == 0]
        cut.append(now.tolist())
        if step == 5:
            seen = env.reset()[0]  # and the count of both begins anew
    assert [row for row, _ in cut] == [False, False, True, False, False, False, False, False, True]
    assert [row for _, row in cut] == [False, False, False, False, True, False, False, False, True]


@pytest.mark.parametrize("kind", [BrelanEnv, BrelanVectorEnv])
@pytest.mark.parametrize("given", [{"target": 1}, {"reset_mask": np.array([True])}])
def test_options_are_refused_where_a_match_begins(kind, given):
    """They were dropped in silence, though elsewhere here they are those of the rules."""
    env = kind("gin", compiled=False)
    with pytest.raises(Refusal, match=f"“reset” takes no options, but was given {next(iter(given))};"):
        env.reset(seed=1, options=given)


def test_no_match_is_stepped_before_it_has_begun():
    """It was, from a seed that nobody had named, whatever the actions were."""
    for env, action in ((many("gin", 2), np.array([0, 0])), (BrelanEnv("gin", compiled=False), np.int64(0))):
        with pytest.raises(gymnasium.error.ResetNeeded, match="no match is being played: reset the environment"):
            env.step(action)


@pytest.mark.parametrize(
    "wrong", [{"num_envs": 0}, {"num_envs": -1}, {"cores": 0}, {"cores": -1}, {"max_episode_steps": 0}]
)
def test_no_rows_and_no_cores_are_refused(wrong):
    [name] = wrong
    with pytest.raises(Refusal, match=f"“{name}” must be at least 1"):
        BrelanVectorEnv("gin", **wrong)


def test_numbers_of_numpy_are_numbers_and_others_are_refused():
    kept = {"players": np.int64(2), "first": np.int64(1), "cores": np.int64(2)}
    env = BrelanVectorEnv("gin", np.int64(3), opponents="self", compiled=False, **kept)
    assert env.reset(seed=1)[1]["seat"].tolist() == [1, 1, 1]
    for name in ("num_envs", "max_episode_steps", *kept):
        with pytest.raises(Refusal, match=f"“{name}” must be a whole number, not 1.0."):
            BrelanVectorEnv("gin", compiled=False, **{name: 1.0})


@pytest.mark.parametrize("kind", [BrelanEnv, BrelanVectorEnv])
@pytest.mark.parametrize("odd", ["-1", True, [-1.0]])
def test_what_is_no_number_for_an_illegal_action_is_refused_at_once(kind, odd):
    with pytest.raises(Refusal, match=re.escape(f"“illegal_reward” must be a number, not {odd!r}.")):
        kind("gin", compiled=False, illegal_reward=odd)


@pytest.mark.parametrize("kind", [BrelanEnv, BrelanVectorEnv])
def test_a_way_of_drawing_that_there_is_not_is_refused(kind):
    with pytest.raises(Refusal, match="“render_mode” may not be “human”; allowed: ansi"):
        kind("gin", compiled=False, render_mode="human")


def test_tables_are_drawn_as_text():
    env = many("gin", 2, render_mode="ansi")
    env.reset(seed=1)
    assert all("Stock: (" in table for table in env.render())
    one = gymnasium.make("Brelan/gin-v1", compiled=False, render_mode="ansi").unwrapped
    one.reset(seed=1)
    assert "Stock: (" in one.render()


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("rows", [None, 3])
def test_a_copy_steps_on_as_its_original(rows, twin):
    env = many("mio", rows) if rows else gymnasium.make("Brelan/mio-v1", compiled=False)
    seen = env.reset(seed=1)[0]
    copied = twin(env)
    right = choose(np.random.default_rng(1), np.atleast_2d(seen["action_mask"]))
    action = right if rows else right[0]
    (found, *paid, info), (same, *also_paid, told) = env.step(action), copied.step(action)
    assert all(np.array_equal(found[name], same[name]) for name in found)
    assert np.array_equal(paid, also_paid)
    assert np.array_equal(info["gains"], told["gains"])
    assert not np.array_equal(found["observation"], seen["observation"])
