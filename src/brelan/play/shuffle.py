"""The provable shuffle, to the letter of the record format.

The house commits itself to a secret before the deal, every seat adds a nonce after it, and the secret is opened when
the match is over: then anybody can make every shuffle again. Keys of 512 bits reach every order of every deck here.
"""

from __future__ import annotations

import hmac
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha512
from struct import Struct

SECRET_BYTES = 64
NONCE_BYTES = 16
COMMIT_BYTES = 64


def commitment(secret: bytes, match: str) -> str:
    """What is published before the deal: SHA-512 of secret and match id, in hex."""
    return sha512(secret + match.encode()).hexdigest()


def simulated_secret(seed: int, number: int) -> bytes:
    """The secret of a simulated match: anybody may know it, so that a seed repeats a simulation."""
    return sha512(b"\0".join([b"brelan-simulate", str(seed).encode(), str(number).encode()])).digest()


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
        stream = self.numbers(number)
        for i in range(len(pile) - 1, 0, -1):
            j = _below(i + 1, stream)
            pile[i], pile[j] = pile[j], pile[i]
        return pile

    def numbers(self, number: int) -> Iterator[int]:
        """The random stream of shuffle `number`, as unsigned numbers of 64 bits."""
        block = keyed(self.key("brelan-shuffle-1", number))
        for count in itertools.count():
            yield from _EIGHT.unpack(block(count))

    def key(self, label: str, number: int) -> bytes:
        """The key of 64 bytes that shuffle `number` has for one use; another use has another label."""
        nonces = b"".join(self.nonces)
        words = b"\0".join([label.encode(), self.match.encode(), nonces + number.to_bytes(8, "big")])
        return hmac.digest(self.secret, words, "sha512")


def simulated(match: str, players: int, seed: int, number: int = 0) -> Chance:
    """The chance of a simulated match, one of many by a seed."""
    return Chance(simulated_secret(seed, number), match, (b"",) * players)


def keyed(key: bytes) -> Callable[[int], bytes]:
    """HMAC-SHA512 of whole numbers under one key, which is begun once and copied for each."""
    begun = hmac.new(key, digestmod="sha512")

    def digest(number: int) -> bytes:
        block = begun.copy()
        block.update(number.to_bytes(8, "big"))
        return block.digest()

    return digest


_EIGHT = Struct(">8Q")


def _below(n: int, stream: Iterator[int]) -> int:
    """A number below n without bias: what lies above the last whole multiple of n is thrown away."""
    x = next(stream)
    while x >= _LIMITS[n]:
        x = next(stream)
    return x % n


_LIMITS = [0, *(2**64 - 2**64 % n for n in range(1, 257))]  # of piles of so many cards
