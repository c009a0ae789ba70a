"""The golden matches are played again and give the same text; each registered game has its own."""

import pytest

from tests import golden


@pytest.mark.parametrize(("table", "path"), golden.cases(), ids=str)
def test_a_golden_match_is_played_the_same_again(table, path):
    assert path.exists(), "no golden match yet: `make golden` writes it, then read it"
    assert golden.written(table).splitlines() == path.read_text("utf-8").splitlines()
