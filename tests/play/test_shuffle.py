"""The provable shuffle against a second reading of its description, and fixed vectors; its fairness: tests/lab."""

import hashlib
import hmac

import pytest

from brelan.play.shuffle import Chance, commitment, simulated_secret

CARDS = [f"{colour}{value}" for colour in "RYGBPO" for value in range(1, 11)]


def second_reading(secret, match, nonces, k, cards):
    """The same shuffle, written from the description alone, on whole streams instead of one number at a time."""
    message = (
        b"brelan-shuffle-1" + bytes([0]) + match.encode("utf-8") + bytes([0]) + b"".join(nonces) + k.to_bytes(8, "big")
    )
    key = hmac.new(secret, message, hashlib.sha512).digest()
    blocks = b"".join(hmac.new(key, c.to_bytes(8, "big"), hashlib.sha512).digest() for c in range(40))
    numbers = [int.from_bytes(blocks[i : i + 8], "big") for i in range(0, len(blocks), 8)]
    pile = sorted(cards)
    for i in reversed(range(1, len(pile))):
        x = numbers.pop(0)
        while x >= 2**64 - (2**64 % (i + 1)):
            x = numbers.pop(0)
        pile[i], pile[x % (i + 1)] = pile[x % (i + 1)], pile[i]
    return pile


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("nonces", [(b"", b""), (b"n" * 16, b"", b"o" * 16)])
def test_two_readings_of_the_description_agree(number, nonces):
    secret = bytes(range(64))
    chance = Chance(secret, "máté-7", nonces)
    assert chance.order(number, CARDS) == second_reading(secret, "máté-7", nonces, number, CARDS)
    assert sorted(chance.order(number, CARDS)) == sorted(CARDS)


def test_cards_side_by_side_are_shuffled_from_their_sorted_order():
    chance = Chance(b"s" * 64, "m", ())
    assert chance.order(0, ["P3", "P1", "P3", "P2"]) == chance.order(0, ["P2", "P3", "P3", "P1"])
    assert chance.order(0, ["R10"]) == ["R10"]
    assert chance.order(0, []) == []


def test_fixed_vectors():
    """They stay as they are for ever: published records are verified with them."""
    secret = simulated_secret(1, 0)
    assert secret == hashlib.sha512(b"brelan-simulate\x001\x000").digest()
    assert commitment(secret, "simulate-1-0").startswith("a4a05b04d1fed11e788263008fc67941")
    deck = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]
    order = Chance(secret, "simulate-1-0", (b"", b"")).order(0, deck)
    assert order[:8] == ["Jh", "5c", "4h", "9h", "6d", "Kh", "4c", "6h"]


@pytest.mark.parametrize("change", ["secret", "match", "nonce", "number"])
def test_everything_that_goes_in_changes_the_order(change):
    base = Chance(b"a" * 64, "m", (b"1" * 16,)).order(0, CARDS)
    other = {
        "secret": Chance(b"b" * 64, "m", (b"1" * 16,)).order(0, CARDS),
        "match": Chance(b"a" * 64, "n", (b"1" * 16,)).order(0, CARDS),
        "nonce": Chance(b"a" * 64, "m", (b"2" * 16,)).order(0, CARDS),
        "number": Chance(b"a" * 64, "m", (b"1" * 16,)).order(1, CARDS),
    }[change]
    assert other != base


def test_a_number_that_would_bring_bias_is_thrown_away():
    """A stream that begins with numbers above the last whole multiple of n gives the next one."""
    from brelan.play import shuffle

    limit = 2**64 - 2**64 % 6
    assert shuffle._below(6, iter([limit, 2**64 - 1, 4])) == 4
    assert shuffle._below(6, iter([limit - 1])) == (limit - 1) % 6


@pytest.mark.parametrize("key", [b"", b"k", b"k" * 64, b"k" * 128])
def test_numbers_under_a_key_are_those_of_hmac(key):
    from brelan.play.shuffle import keyed

    digest = keyed(key)
    for number in (0, 1, 2**63, 0):
        assert digest(number) == hmac.digest(key, number.to_bytes(8, "big"), "sha512")
