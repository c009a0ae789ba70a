"""Many matches side by side: the same compiled and interpreted, on any number of cores."""

import copy
import multiprocessing
import pickle
from typing import get_args

import numpy as np
import pytest

from brelan.cards import HIDDEN
from brelan.envs import steps
from brelan.envs.matches import REWARDS, WHO, Matches, Opponents, Reward, engine_of
from brelan.errors import Refusal
from brelan.pieces import size_of, split
from tests.tables import Table, for_every_game, walk


def test_pieces_are_views_by_name():
    matches = Matches("gin", 2, first=0)
    matches.seed(1)
    matches.begin()
    observations = np.zeros((2, matches.size), np.int32)
    matches.look(matches.seats, observations, np.zeros((2, matches.actions), np.int8))
    pieces = split(matches.game.observation.PIECES, 2, observations)
    assert pieces["hand"].shape == (2, 52)
    assert pieces["hand"].sum(1).tolist() == [10, 10]
    assert pieces["stock"].tolist() == [31, 31]
    assert np.shares_memory(pieces["hand"], observations)


def test_cards_are_shuffled_though_nobody_named_a_seed():
    matches = Matches("gin", 2, first=0)
    matches.begin()
    stocks = [matches.state(row).stock for row in range(2)]
    assert stocks[0] != stocks[1]
    assert all(stock != sorted(stock) for stock in stocks)


def played(game, compiled, opponents, reward):
    """What comes of some steps of eight matches, each playing the legal move a hash of its mask points to."""
    matches = Matches(game, 8, opponents=opponents, reward=reward, compiled=compiled)
    matches.seed(3)
    matches.begin()
    rows = []
    for _ in range(60):
        observations = np.zeros((8, matches.size), np.int32)
        masks = np.zeros((8, matches.actions), np.int8)
        viewers = np.maximum(matches.seats, 0)
        matches.look(viewers, observations, masks)
        rows.append((matches.seats.tolist(), matches.gains.tolist(), observations.tolist(), masks.tolist()))
        weights = (np.arange(matches.actions) * 7919 + len(rows) * 104729) % 1009 + 1
        matches.step((masks * weights).argmax(1))
    return rows


def test_steps_are_the_same_compiled_and_interpreted():
    """Of one game: the steps are the same for all, and that each one's rules are is tested in tests/fast."""
    for opponents, reward in (("self", "points"), ("novice", "win")):
        assert played("gin", True, opponents, reward) == played("gin", False, opponents, reward)


@for_every_game
def test_observations_and_masks_are_the_same_compiled_and_interpreted(game):
    table = Table(game, game.seats[-1])
    states = [match.state.copy() for match in walk(table, 2, 80, undealt=True)]
    asked = [state.turn if game.rules.asked(state) >> state.turn & 1 else -1 for state in states]
    viewers = [row % table.players if row % 3 else seat for row, seat in enumerate(asked)]
    found = []
    for compiled in (True, False):
        engine = engine_of(game.id, compiled)
        observations = np.full((len(states), size_of(game.observation.PIECES, table.players)), HIDDEN, np.int32)
        masks = np.full((len(states), game.rules.ACTIONS), HIDDEN, np.int8)
        look = engine.twins[steps.look_rows]
        look(engine.rows(states), np.array(asked), np.array(viewers), observations, masks, engine.buffers()[0])
        found.append((observations, masks))
    for fast, slow in zip(*found, strict=True):
        assert np.array_equal(fast, slow)
        assert HIDDEN not in slow


def test_an_engine_is_made_once_for_all_environments_of_a_game():
    assert engine_of("gin", True) is engine_of("gin", True)


def test_viewers_that_are_no_number_for_each_row_are_refused():
    matches = Matches("gin", 2, compiled=False)
    seen = np.zeros((2, matches.size), np.int32), np.zeros((2, matches.actions), np.int8)
    with pytest.raises(Refusal, match="“viewers” must be whole numbers"):
        matches.look(np.zeros(1, np.int64), *seen)
    with pytest.raises(Refusal, match="“count” must be at least 1"):
        Matches("gin", 0)


@pytest.mark.parametrize("cores", [2, 3])
def test_the_results_do_not_depend_on_the_cores(cores):
    def sums(cores):
        matches = Matches("gin", 7, opponents="random", cores=cores, options={"target": 1})
        matches.seed(4)
        matches.begin()
        masks, observations = np.zeros((7, matches.actions), np.int8), np.zeros((7, matches.size), np.int32)
        found = []
        for _ in range(80):
            matches.look(np.zeros(7, np.int64), observations, masks)
            found.append((observations.sum(1).tolist(), matches.gains.tolist()))
            matches.step(masks.argmax(1))
        matches.close()
        return found

    assert sums(cores) == sums(1)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no process is forked here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_process_that_was_forked_has_threads_of_its_own():
    """It waited for ever for those of the first."""
    matches = Matches("gin", 3, cores=2)
    matches.begin()
    forked = multiprocessing.get_context("fork").Process(target=matches.begin, daemon=True)
    forked.start()
    forked.join(60)
    forked.kill()
    forked.join()
    assert forked.exitcode == 0
    matches.close()


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda matches: pickle.loads(pickle.dumps(matches))])
@pytest.mark.parametrize("how", [{"compiled": False}, {"cores": 2}])
def test_a_copy_plays_on_by_itself_and_in_the_same_way(how, twin):
    first = Matches("gin", 3, opponents="novice", **how)
    first.begin()
    was = [first.state(row) for row in range(3)]
    second = twin(first)
    for _ in range(5):
        second.step(openings(second))
    assert [first.state(row) for row in range(3)] == was
    for _ in range(5):
        first.step(openings(first))
    assert [first.state(row) for row in range(3)] == [second.state(row) for row in range(3)] != was
    assert first.gains.tolist() == second.gains.tolist()
    first.close()
    second.close()


def openings(matches):
    """The first legal action of each row."""
    found = np.zeros((3, matches.size), np.int32), np.zeros((3, matches.actions), np.int8)
    matches.look(np.zeros(3, np.int64), *found)
    return found[1].argmax(1)


def test_a_checker_of_types_knows_every_name():
    assert get_args(Opponents) == tuple(WHO)
    assert get_args(Reward) == tuple(REWARDS)
