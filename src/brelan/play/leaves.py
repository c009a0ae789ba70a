"""Leaves: every card of a shuffle sealed by itself, under one root that is published with the shuffle.

The opened secret proves all shuffles of a match, but only when it is over. Until then the root holds the house to
each card at its place: whoever may know a card is given its salt and its path, and checks it at once, while nothing is
said of any other card. A salt is drawn from the secret for its place alone, and so is no help in guessing its
neighbours. To the letter in docs/records.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha512

from brelan.play.shuffle import Chance, keyed

LEAF, NODE = b"\0", b"\1"
"""What is hashed begins with one of them, so that no node can be passed off as a leaf."""

SALTS = "brelan-leaves-1"
"""The label of the salts' key."""

HASH = re.compile("[0-9a-f]{128}")
MOST = 1 << 31
"""Far more than there are shuffles in a match and cards in a deck."""


@dataclass(frozen=True, slots=True)
class Proof:
    """That a card lies at a place of a shuffle: with the root, all that is needed to check it."""

    shuffle: int  # from 0
    position: int  # from 0, the top
    of: int  # how many cards were shuffled
    card: str
    zone: str  # where it was dealt
    salt: str  # 64 bytes in hex
    path: list[str]  # hashes in hex, from the leaf's partner upwards

    def holds(self, root: str) -> bool:
        """Whether the root says the same; else the card was changed after the root was published, or the proof was."""
        if not self._is_proof():
            return False
        place, row, path = self.position, self.of, list(self.path)
        found = leaf(bytes.fromhex(self.salt), self.shuffle, place, self.card)
        while row > 1:
            if place ^ 1 < row:  # else it has no partner, and goes up as it is
                if not path:
                    return False
                partner = bytes.fromhex(path.pop(0))
                found = node(partner, found) if place & 1 else node(found, partner)
            place, row = place // 2, (row + 1) // 2
        return not path and found.hex() == root

    def _is_proof(self) -> bool:
        """Whether each part is of its kind, whoever wrote it."""
        return (
            all(type(n) is int and 0 <= n < MOST for n in (self.shuffle, self.position, self.of))
            and self.position < self.of
            and (isinstance(self.card, str) and self.card.isprintable())
            and isinstance(self.path, list)
            and all(isinstance(text, str) and HASH.fullmatch(text) for text in (self.salt, *self.path))
        )


class Tree:
    """The leaves of shuffle `number` of a match, and the tree over them; `cards` from top to bottom."""

    def __init__(self, chance: Chance, number: int, cards: Sequence[str]) -> None:
        self.number, self.cards = number, cards
        salt = keyed(chance.key(SALTS, number))
        self.salts = [salt(position) for position in range(len(cards))]
        row = [leaf(self.salts[place], number, place, card) for place, card in enumerate(cards)]
        self.rows = [row]
        while len(row) > 1:
            row = [node(*row[i : i + 2]) if i + 1 < len(row) else row[i] for i in range(0, len(row), 2)]
            self.rows.append(row)

    @property
    def root(self) -> str:
        """What is published, in hex."""
        return self.rows[-1][0].hex()

    def proof(self, position: int, zone: str) -> Proof:
        """What whoever may know the card at that place is given."""
        path, place = [], position
        for row in self.rows[:-1]:
            if place ^ 1 < len(row):
                path.append(row[place ^ 1].hex())
            place //= 2
        card, salt = self.cards[position], self.salts[position].hex()
        return Proof(self.number, position, len(self.cards), card, zone, salt, path)


def leaf(salt: bytes, number: int, position: int, card: str) -> bytes:
    """A card at its place, sealed."""
    place = number.to_bytes(8, "big") + position.to_bytes(8, "big")
    return sha512(LEAF + salt + b"\0" + place + card.encode()).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Two leaves or nodes under one."""
    return sha512(NODE + left + right).digest()
