"""Passphrases: what the lists promise, what is forgiven in typing, and what the house keeps."""

import math
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brelan.server.people.phrases import LENGTH, drawn, hashed, meant, plain, slipped, words
from brelan.words import LANGUAGES
from brelan.words.tongues import TONGUES
from tests.server.clients import fail

KEY = bytes(32)


@pytest.fixture(params=LANGUAGES)
def language(request):
    return request.param


def test_a_phrase_is_worth_64_bits_and_more(language):
    assert LENGTH * math.log2(len({plain(word) for word in words(language)})) >= 64
    assert set(drawn(language).split()) <= set(words(language))
    assert len(drawn(language).split()) == LENGTH


def test_a_language_without_a_list_has_the_first_ones(monkeypatch):
    monkeypatch.setitem(TONGUES, "pl", TONGUES["en"])
    assert words("pl") == words(LANGUAGES[0])


def test_no_word_begins_another_and_none_is_a_slip_away(language):
    written = sorted(plain(word) for word in words(language))
    for one, following in pairwise(written):
        assert not following.startswith(one)
    assert not [(a, b) for i, a in enumerate(written) for b in written[i + 1 :] if slipped(a, b)]


phrases = st.sampled_from(LANGUAGES).flatmap(
    lambda language: st.lists(st.sampled_from(words(language)), min_size=LENGTH, max_size=LENGTH)
)


@given(phrases, st.sampled_from([" ", "  ", "-", ", ", "\n", "_", ""]), st.booleans(), st.booleans(), st.booleans())
def test_case_accents_and_what_parts_the_words_are_forgiven(phrase, between, loud, bare, parted):
    typed = between.join(phrase)
    typed = typed.upper() if loud else typed
    typed = unicodedata.normalize("NFD" if parted else "NFC", typed)
    typed = plain(typed) if bare and not between else typed
    assert meant(f" {typed} ") == plain("".join(phrase))


@given(phrases, st.data())
def test_a_slip_in_a_word_is_mended(phrase, data):
    slips = list(phrase)
    at = data.draw(st.integers(0, LENGTH - 1))
    letters = plain(phrase[at])
    cut = data.draw(st.integers(0, len(letters) - 1))
    slips[at] = letters[:cut] + letters[cut + 1 :]
    mended = meant(" ".join(slips))
    if len(letters) > 4:  # a short word with a slip may be near to a word of the other language
        everything = {plain(word) for language in LANGUAGES for word in words(language)}
        near = [word for word in everything if slipped(slips[at], word)]
        assert mended == plain("".join(phrase)) or len(near) > 1 or slips[at] in everything


def test_a_hash_depends_on_the_phrase_and_on_the_houses_key():
    phrase = drawn("fr")
    assert hashed(phrase, KEY) == hashed(phrase.upper(), KEY)
    assert hashed(phrase, KEY) != hashed(phrase, bytes([1]) * 32)
    assert hashed(phrase, KEY) != hashed(drawn("fr"), KEY)


def test_a_hash_is_the_same_in_every_version_of_the_house():
    """Another cost or another word in the salt, and nobody's passphrase would be known any more."""
    assert hashed("abri acier", KEY) == "2fb74fca3e66a3b4b9eb8cdafbf40454feb2a8d0f3e5c76427bc08b94b68d21a"


def test_what_is_typed_without_end_takes_no_time():
    assert len(meant("word " * 100_000)) <= 200


def test_what_is_no_phrase_is_not_mended(monkeypatch):
    """A hundred letters, each by itself, were compared with all words in a third of a second."""
    monkeypatch.setattr("brelan.server.people.phrases.slipped", fail)
    assert meant("a " * 100) == "a" * 100
