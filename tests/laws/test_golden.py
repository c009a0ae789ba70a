"""The golden matches are played again and give the same text; each registered game has its own.

And no published version of a level answers otherwise than it did.
"""

import pytest

from tests import golden
from tests.tables import for_every_game


@pytest.mark.parametrize(("table", "path"), golden.cases(), ids=str)
def test_a_golden_match_is_played_the_same_again(table, path):
    assert path.exists(), "no golden match yet: `make golden` writes it, then read it"
    assert golden.written(table).splitlines() == path.read_text("utf-8").splitlines()


@for_every_game
def test_a_published_version_of_a_level_answers_as_it_did(game):
    path = golden.levels_of(game)
    kept = path.read_text("utf-8").splitlines() if path.exists() else []
    assert golden.answers(game).splitlines() == kept, "an old version keeps its line, a new one has its own"
