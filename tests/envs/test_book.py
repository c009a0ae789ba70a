"""docs/environments.md: its tables are those that the games declare."""

from tests.envs.book import BOOK, made


def test_the_tables_are_what_the_games_declare():
    text = BOOK.read_text("utf-8")
    assert made(text) == text, "write them anew: make golden"
