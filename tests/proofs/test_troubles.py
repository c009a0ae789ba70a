"""What goes wrong beneath a house, in short: `make chaos` tries more of it."""

from tests.proofs import troubles


def test_a_database_of_the_first_format_is_there_to_the_letter_and_goes_on(tmp_path):
    found = troubles.older_database(tmp_path)
    assert troubles.sound(found), found
    assert found["tables"] == 5
    assert found["went_on"] > 10


def test_a_trouble_that_loses_something_or_says_nothing_is_not_passed_over():
    assert not troubles.sound({"lost": 1})
    assert not troubles.sound({"said": []})
    assert not troubles.sound({"failed": ["AssertionError"]})
