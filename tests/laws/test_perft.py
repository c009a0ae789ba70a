"""Lines of play are counted from written positions; a count that changed is shown divided by first move."""

import pytest

from tests import perft
from tests.tables import for_every_game


@for_every_game
def test_as_many_lines_of_play_and_views_as_written(game):
    path = perft.path_of(game)
    assert path.exists(), "nothing counted yet: `make golden` writes it, then read it"
    blocks = perft.parsed(path.read_text("utf-8"))
    assert any(block.results for block in blocks)
    for block in blocks:
        match = block.match()
        assert match.game is game
        for written in block.results:
            found = perft.counted(match, written)
            assert found == written, f"{block.lines[0]} By first move:\n{perft.divide(match, written)}"


@for_every_game
def test_a_count_is_the_sum_of_its_division(game):
    for block in perft.parsed(perft.begun(game)):
        *_, deepest = block.results
        divided = perft.divide(block.match(), deepest).splitlines()
        assert sum(int(row.rpartition(" ")[2]) for row in divided) == int(deepest.split()[3])


@pytest.mark.parametrize("wrong", ["depth 1 nodes", "whole ends 3", "depth 1 nodes 2 views 2 2\n{}", "deck 7h"])
def test_what_the_grammar_does_not_know_is_refused(wrong):
    with pytest.raises(ValueError, match="perft: "):
        perft.parsed('{"game": "gin"}\n' + wrong)
    with pytest.raises(ValueError, match="perft: "):
        perft.parsed("# a position without a header")
