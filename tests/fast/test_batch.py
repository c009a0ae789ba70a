"""Many matches at once: the same whatever the number of cores, and the same as one by one."""

import pytest

from brelan.fast import NOVICE, RANDOM
from brelan.fast.batch import in_blocks
from tests.fast.engines import engine
from tests.tables import for_every_game


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
        trace = engine(game).trace(5, number, who=(NOVICE, RANDOM), limit=int(batch.decisions[number]) + 1)
        assert len(trace.log) == batch.decisions[number]
        end = game.rules.State.load(trace.states[-1])
        assert [game.rules.score(end, seat) for seat in range(end.players)] == batch.scores[number].tolist()


@for_every_game
def test_runs_and_matches_differ(game):
    found = {tuple(engine(game).matches(seed, 20, who=(NOVICE,)).results.ravel().tolist()) for seed in range(5)}
    assert len(found) == 5


@for_every_game
def test_a_seed_out_of_range_is_refused(game):
    for seed in (-1, 2**30):
        with pytest.raises(ValueError, match="seed"):
            engine(game).matches(seed, 1)


def test_blocks_cover_everything_once_and_say_so():
    covered, told = [], []
    in_blocks(lambda first, last: covered.extend(range(first, last)), 103, 2, lambda *line: told.append(line))
    assert sorted(covered) == list(range(103))
    assert told[-1][:2] == (103, 103)


def test_an_error_in_a_block_is_raised():
    def fail(first, last):
        raise OverflowError(first)

    with pytest.raises(OverflowError):
        in_blocks(fail, 100, 2)
