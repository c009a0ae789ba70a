"""The provable shuffle, to the letter of the record format.

The house commits itself to a secret before the deal, every seat adds a nonce after it, and the secret is opened when
the match is over: then anybody can make every shuffle again. Keys of 512 bits reach every order of every deck here.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SECRET_BYTES = 64
NONCE_BYTES = 16


def commitment(secret: bytes, match: str) -> str:
    """What is published before the deal: SHA-512 of secret and match id, in hex."""
    return hashlib.sha512(secret + match.encode()).hexdigest()


def simulated_secret(seed: int, number: int) -> bytes:
    """The secret of a simulated match: anybody may know it, so that a seed repeats a simulation."""
    return hashlib.sha512(b"\0".join([b"brelan-simulate", str(seed).encode(), str(number).encode()])).digest()


@dataclass(frozen=True, slots=True)
class Chance:
    """All the chance of one match: a secret, the match's id and the seats' nonces, in their order."""

    secret: bytes
    match: str
    nonces: tuple[bytes, ...]

    def header(self) -> dict[str, object]:
        """What a record's header says of it; the secret stands in the footer only."""
        return {
            "match": self.match,
            "commit": commitment(self.secret, self.match),
            "nonces": [nonce.hex() for nonce in self.nonces],
        }

    def order(self, number: int, cards: Iterable[str]) -> list[str]:
        """The cards of shuffle `number` (0, 1, …) of the match, as texts, from top to bottom."""
        pile = sorted(cards)
        stream = self._numbers(number)
        for i in range(len(pile) - 1, 0, -1):
            j = _below(i + 1, stream)
            pile[i], pile[j] = pile[j], pile[i]
        return pile

    def _numbers(self, number: int) -> Iterator[int]:
        """The random stream of one shuffle, as unsigned numbers of 64 bits."""
        nonces = b"".join(self.nonces)
        words = b"\0".join([b"brelan-shuffle-1", self.match.encode(), nonces + number.to_bytes(8, "big")])
        key = hmac.digest(self.secret, words, "sha512")
        count = 0
        while True:
            block = hmac.digest(key, count.to_bytes(8, "big"), "sha512")
            for place in range(0, 64, 8):
                yield int.from_bytes(block[place : place + 8], "big")
            count += 1


def _below(n: int, stream: Iterator[int]) -> int:
    """A number below n without bias: what lies above the last whole multiple of n is thrown away."""
    limit = 2**64 - 2**64 % n
    return next(x for x in stream if x < limit) % n
