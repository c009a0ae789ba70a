"""Many matches at once: the same whatever the number of cores, and the same as one by one."""

import numpy as np
import pytest

from brelan.errors import Refusal
from brelan.fast import NOVICE, RANDOM, Batch
from brelan.fast.batch import in_blocks
from brelan.games import find
from tests.fast.engines import engine, trace
from tests.tables import Table, for_every_game


@for_every_game
def test_the_number_of_cores_changes_nothing(game):
    batches = [engine(game).matches(5, 100, who=(NOVICE,), cores=cores) for cores in (1, 2, 3, None)]
    for batch in batches[1:]:
        assert (batch.results == batches[0].results).all()
    assert sum(batches[0].wins) == pytest.approx(100)


@for_every_game
def test_a_batch_plays_the_matches_that_are_traced(game):
    batch = engine(game).matches(5, 4, who=(NOVICE, RANDOM))
    plain = engine(game, compiled=False).matches(5, 4, who=(NOVICE, RANDOM))
    assert batch.results.tolist() == plain.results.tolist()
    for number in range(4):
        found = trace(Table(game, game.seats[0]), True, 5, number, (NOVICE, RANDOM), int(batch.decisions[number]) + 1)
        assert len(found.log) == batch.decisions[number]
        end = game.rules.State.load(found.states[-1])
        assert [game.rules.score(end, seat) for seat in range(end.players)] == batch.scores[number].tolist()


def test_no_block_is_so_large_that_nobody_can_interrupt_it():
    done = []
    in_blocks(lambda first, last: done.append((first, last)), 1_000, cores=2, most=10)
    assert sorted(done) == [(i, i + 10) for i in range(0, 1_000, 10)]


@for_every_game
def test_runs_and_matches_differ(game):
    found = {tuple(engine(game).matches(seed, 20, who=(NOVICE,)).results.ravel().tolist()) for seed in range(5)}
    assert len(found) == 5


@for_every_game
def test_a_seed_out_of_range_is_refused(game):
    for seed in (-1, 2**30):
        with pytest.raises(Refusal, match="seed"):
            engine(game).matches(seed, 1)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"count": -1}, "“count” must be at least 0"),
        ({"cores": 0}, "“cores” must be at least 1"),
        ({"cores": -2}, "“cores” must be at least 1"),
        ({"who": ()}, "“who” must name at least one player"),
        ({"who": (1, 2)}, r"“who” may not be “2”; allowed: 0 \(RANDOM\) | 1 \(NOVICE\)"),
        ({"who": ("novice",)}, "“who” may not be “novice”"),
        ({"who": (0, 0, 1)}, "“who” must be at most 2, not 3"),
        ({"players": 0}, "played by 2 players, not 0"),
        ({"players": -3}, "played by 2 players, not -3"),
    ],
)
def test_what_cannot_be_played_is_refused(asked, says):
    with pytest.raises(Refusal, match=says):
        engine(find("gin"), compiled=False).matches(**{"seed": 1, "count": 1} | asked)


def test_a_batch_says_what_its_columns_are_called():
    assert repr(Batch(np.array([[20, 3, 1, 7, 5], [18, 3, 1, 6, 2]]))) == (
        "<2 matches, wins [2.0, 0.0]; decisions, rounds, winners, scores, shares by match>"
    )


def test_no_matches_are_an_empty_batch():
    assert engine(find("gin"), compiled=False).matches(1, 0).results.shape[0] == 0


def test_blocks_cover_everything_once():
    covered = []
    in_blocks(lambda first, last: covered.extend(range(first, last)), 103, 2)
    assert sorted(covered) == list(range(103))


def test_an_error_in_a_block_is_raised():
    def fail(first, last):
        raise OverflowError(first)

    with pytest.raises(OverflowError):
        in_blocks(fail, 100, 2)
