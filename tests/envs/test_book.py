"""docs/environments.md: its tables are those that the games declare, and its examples run."""

import pytest

from tests.envs.book import BOOK, examples, made

TEXT = BOOK.read_text("utf-8")


def test_the_tables_are_what_the_games_declare():
    assert made(TEXT) == TEXT, "write them anew: make golden"


@pytest.mark.parametrize("number", range(len(examples(TEXT))))
def test_an_example_runs(number, capsys):
    for package in ("gymnasium", "pettingzoo", "pyspiel"):
        if package in examples(TEXT)[number]:
            pytest.importorskip(package)
    exec(examples(TEXT)[number], {})
