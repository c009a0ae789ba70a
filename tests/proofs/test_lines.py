"""The proof about bad lines in short: `make chaos` is the long form."""

from tests.proofs import lines


def test_on_bad_lines_nothing_is_done_twice_and_all_see_the_same_at_the_end():
    evening, verdict = lines.evening(5, 400)
    assert (evening.wrong, evening.unequal, verdict.twice, verdict.lost) == ([], [], [], [])
    assert evening.moves() >= 400
    assert min(evening.counts.values()) > 0, evening.counts


def test_a_house_that_forgets_its_keys_is_found_out():
    assert lines.evening(0, lines.MUTANT_MOVES, lines.FORGETFUL)[1].twice
