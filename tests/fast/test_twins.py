"""Interpreted is compiled: every field of every state, every list of legal moves, what is imagined, all of chance."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from brelan import cards, games
from brelan.fast import NOVICE, RANDOM, Engine
from brelan.fast.twins import Twins
from tests.fast import worlds
from tests.fast.engines import assert_same, drivers, engine, trace
from tests.tables import for_every_game, generator, tables_of, walk

MATCHES = int(os.environ.get("BRELAN_MATCHES", "200"))  # a game; `make nightly` asks for more
PLIES = 250
RUN = 7


def table_of(game, number):
    """The tables of a game in turn."""
    tables = tables_of(game)
    return tables[number % len(tables)]


def traces(game, number):
    """One match compiled and interpreted: random, novice and mixed seats in turn."""
    table = table_of(game, number)
    who = [(RANDOM,), (NOVICE,), (NOVICE, RANDOM)][number // 2 % 3]
    return [trace(table, compiled, RUN, number, who, PLIES) for compiled in (True, False)]


@for_every_game
def test_every_ply_is_the_same(game):
    for number in range(MATCHES):
        fast, slow = traces(game, number)
        where = f"{game.id}, run {RUN}, match {number}, {table_of(game, number)}"
        for ply, (a, b) in enumerate(zip(fast.log, slow.log, strict=False)):
            assert a == b, f"{where}, ply {ply}: seat, move, count and legal moves differ"
        assert len(fast.log) == len(slow.log), where
        assert_same(game, fast.states, slow.states, where)


def assert_same_worlds(game, states, number, where):
    """What the seats imagine of these states is the same, and it takes the same chance."""
    records, plain = engine(game).rows(states), engine(game, False).rows(states)
    compiled_random, plain_random = np.array(generator(number)), generator(number)
    drivers(game.id, True)[worlds.imagine_all](records, compiled_random)
    drivers(game.id, False)[worlds.imagine_all](plain, plain_random)
    assert compiled_random.tolist() == plain_random, where
    assert_same(game, records, plain, where)


@for_every_game
def test_what_is_imagined_is_the_same(game):
    for number in range(0, MATCHES, 4):
        _, slow = traces(game, number)
        where = f"{game.id}, run {RUN}, match {number}, {table_of(game, number)}, imagined"
        assert_same_worlds(game, slow.states, number, where)


@for_every_game
def test_what_is_imagined_from_what_a_seat_may_know_is_the_same(game):
    for number in range(12):
        table = table_of(game, number)
        states = [match.state.copy() for match in walk(table, number, 100)]
        seen = [game.view.redact(state, i % table.players) for i, state in enumerate(states)]
        assert_same_worlds(game, seen, number, f"{table}, walk {number}, imagined from what is seen")


@for_every_game
def test_a_state_survives_the_border(game):
    _, slow = traces(game, 1)
    records = engine(game).rows(slow.states)
    assert [game.rules.State.load(record) for record in records] == slow.states


@for_every_game
def test_winners_have_the_best_points(game):
    batch = engine(game).matches(3, 50, who=(NOVICE,))
    for winners, scores in zip(batch.winners.tolist(), batch.scores.tolist(), strict=True):
        best = min(scores) if game.lowest_wins else max(scores)
        assert winners
        assert all(scores[seat] == best for seat in range(len(scores)) if winners >> seat & 1)


def test_the_generator_gives_the_same_stream():
    twins = engine(games.find("gin")).twins
    for number in (0, 1, 2**32, 2**62 - 1):
        fast, slow = np.zeros(1, np.int64), [0]
        twins[cards.seed](fast, number)
        cards.seed(slow, number)
        for n in (*range(1, 60), 2**31 - 1):
            assert twins[cards.below](fast, n) == cards.below(slow, n)
        pile, plain = np.arange(60), list(range(60))
        twins[cards.shuffle](pile, 3, 55, fast)
        cards.shuffle(plain, 3, 55, slow)
        assert (pile.tolist(), fast.tolist()) == (plain, slow)


def test_card_sets_are_counted_the_same():
    twins = engine(games.find("gin")).twins
    for n in (1, 2, 3, 6, 2**40, 2**52 - 1, 2**61 + 2**7, 2**62 - 1):
        assert twins[cards.popcount](n) == cards.popcount(n)
        assert twins[cards.lowest](n) == cards.lowest(n)
        assert twins[cards.nth](n, cards.popcount(n) - 1) == n.bit_length() - 1


def test_a_function_of_a_module_that_was_not_named_has_no_twin():
    with pytest.raises(ValueError, match="worlds"):
        Twins(games.find("gin"))[worlds.imagine_all]


def test_what_a_game_brings_need_not_be_named():
    game = games.find("gin")
    twins = Twins(game, compiled=False)
    assert all(twins[plain] for plain in (game.rules.play, game.policy.novice, game.observation.observe))


def test_several_threads_may_call_for_the_first_time_at_once(monkeypatch):
    """None is given a twin that has not got its globals yet, though making it takes a while."""
    expected = engine(games.find("gin"), False).matches(1, 1).results.tolist()
    fresh, start, fill = Engine(games.find("gin"), compiled=False), Barrier(4), Twins._fill

    def fill_slowly(*given):
        time.sleep(0.005)
        fill(*given)

    def first_call(_):
        start.wait()
        return fresh.matches(1, 1).results.tolist()

    monkeypatch.setattr(Twins, "_fill", fill_slowly)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(first_call, range(4))) == [expected] * 4


def test_what_is_prepared_has_nothing_left_to_compile():
    game = games.find("gin")
    fast = Engine(game)
    fast.prepare()
    made = set(fast.twins._whole)
    fast.matches(1, 1)
    match = next(walk(tables_of(game)[0], 1, 1))
    fast.search(match.state, match.asked()[0], 10, seed=0)
    assert set(fast.twins._whole) == made
