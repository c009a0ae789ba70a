"""Interpreted is compiled: every field of every state, every list of legal moves, what is imagined, all of chance."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numba
import numpy as np
import pytest

from brelan import cards, games
from brelan.errors import Refusal
from brelan.fast import NOVICE, RANDOM, Engine, playouts
from brelan.fast.twins import Twins, check, constant
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


def patched(monkeypatch, name, function):
    """Mio, with another function in its rules."""
    game = games.find("mio")
    function.__module__ = game.rules.__name__
    monkeypatch.setattr(game.rules, name, function)
    return game


@pytest.mark.parametrize("compiled", [False, True])
def test_rules_that_never_go_on_are_told(monkeypatch, compiled):
    game = patched(monkeypatch, "due", lambda s, cards: 0)
    with pytest.raises(ValueError, match="no shuffle is due") as told:
        Engine(game, compiled=compiled).matches(1, 1)
    assert ("compiled=False" in str(getattr(told.value, "__notes__", ""))) == compiled


def written(line, **names):
    """A function of the rules of such a line."""
    exec(compile(f"def due(s, cards):\n    {line}\n    return 0\n", "due.py", "exec"), names)
    return names["due"]


@pytest.mark.parametrize("line", ["print(s.turn)", "nobody(s)", "len(cards)"])
def test_what_rules_cannot_name_is_told_with_its_place(line):
    with pytest.raises(ValueError, match=rf"^due.py:2: {line.partition('(')[0]} is no function"):
        check(written(line))
    check(written("near(max(s.turn, FEW[0]))", near=abs, FEW=[1]))


def test_at_print_nobody_waits_for_ever(monkeypatch):
    with pytest.raises(ValueError, match=r"^due.py:2: print is no function"):
        Engine(patched(monkeypatch, "due", written("print(s.turn)"))).matches(1, 1)


def test_a_match_without_an_end_is_refused(monkeypatch):
    monkeypatch.setattr(playouts, "ENDLESS", 3)
    with pytest.raises(Refusal, match="Match 0 does not end"):
        Engine(games.find("mio"), compiled=False).matches(1, 1)


def test_where_numba_is_switched_off_all_is_interpreted(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    made = Engine(games.find("mio"))
    assert not made.compiled
    assert made.matches(1, 2) == engine(games.find("mio")).matches(1, 2)


@pytest.mark.parametrize("table", [[-128, 127], [-(2**15), 0], [[-(2**31)], [5]]])
def test_the_least_number_of_a_table_has_its_negative(table):
    assert (-constant(table)).ravel()[0] == -np.ravel(table)[0]


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
