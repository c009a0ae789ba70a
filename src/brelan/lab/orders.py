"""Many shuffles of one deck counted in arrays, and how far the counts lie from those of a fair shuffle.

Every card counts as another, also where a deck holds copies: the test then sees more than any player could. Each
answer is χ² with its degrees of freedom, scaled exactly: the counts of whole shuffles lean on each other (a card that
lies here lies nowhere else), so that the textbook's χ² would come out too large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LETTERS = "".join(chr(code) for code in range(33, 256))
"""Texts of one letter for up to 223 cards, ascending: what is shuffled to be counted here."""

LEAST = 5.0
"""What a class of a χ² must be expected to hold at least; smaller ones are put together."""

Chi = tuple[float, int]
"""χ² and its degrees of freedom."""

_rng = np.random.default_rng(20080808)
_PRINT = (
    _rng.integers(1, 2**63, len(LETTERS), dtype=np.uint64) * 2 + 1
)  # what an order is multiplied with, place by place


@dataclass(slots=True)
class Counts:
    """What was seen in some shuffles of a deck of n cards, 0 to n-1."""

    size: int
    shuffles: int
    places: Any  # [place, card] how often
    follows: Any  # [card, card] how often the second lay under the first, the top counted as under the bottom
    hands: Any  # [k] how often a hand held k cards of one kind
    prints: Any  # a number of 64 bits for each order

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.size,
            self.shuffles + other.shuffles,
            self.places + other.places,
            self.follows + other.follows,
            self.hands + other.hands,
            np.concatenate([self.prints, other.prints]),
        )

    def by_place(self) -> Chi:
        """Place against card. For N permutations of n the sum of (seen - N/n)² is N/(n-1) times a χ²."""
        n, seen = self.size, self.places - self.shuffles / self.size
        return float((seen**2).sum() * (n - 1) / self.shuffles), (n - 1) ** 2

    def by_pair(self) -> Chi:
        """Which card lies under which. With the top under the bottom an order is a random cycle of n cards; there the
        even part of (seen - N/(n-1)) has the variance N/(n-1), the odd part n/(n-2) times as much.
        """
        n, expected = self.size, self.shuffles / (self.size - 1)
        seen = self.follows - expected * (1 - np.eye(n))
        even, odd = (seen + seen.T) / 2, (seen - seen.T) / 2
        chi = (even**2).sum() + (odd**2).sum() * (n - 2) / n
        return float(chi / expected), n * n - 3 * n + 1

    def by_hand(self, hand: int) -> Chi | None:
        """How many cards of one kind a hand of so many cards holds, against the hypergeometric distribution; None for
        shuffles so few that all fall into one class.
        """
        n, kind = self.size, len(self.hands) - 1
        most = min(kind, hand)
        ways = [math.comb(kind, k) * math.comb(n - kind, hand - k) for k in range(most + 1)]
        seen = [int(count) for count in self.hands[: most + 1]]
        chi, freedom = _fit(seen, [self.shuffles * way / math.comb(n, hand) for way in ways])
        return (chi, freedom) if freedom else None

    def by_order(self) -> Chi | None:
        """Whole orders, of a deck that has few enough of them to be seen all."""
        orders = math.factorial(self.size)
        if self.shuffles < LEAST * orders:
            return None
        _, seen = np.unique(self.prints, return_counts=True)
        expected = self.shuffles / orders
        return float((seen**2).sum() / expected - self.shuffles), orders - 1

    def repeated(self) -> int:
        """How many pairs of shuffles came to the same order."""
        _, seen = np.unique(self.prints, return_counts=True)
        return int((seen * (seen - 1) // 2).sum())


def counted(orders: Sequence[str], hand: Sequence[int], kind: int) -> Counts:
    """The counts of some orders of LETTERS: `hand` the places of a hand, `kind` how many of the first letters are
    of one kind.
    """
    size = len(orders[0])
    rows = np.frombuffer("".join(orders).encode("latin-1"), np.uint8).reshape(-1, size) - np.uint8(ord(LETTERS[0]))
    cards = rows.astype(np.int64)
    places = np.bincount((cards + size * np.arange(size)).ravel(), minlength=size * size)
    follows = np.bincount((cards * size + np.roll(cards, -1, axis=1)).ravel(), minlength=size * size)
    of_kind = (cards[:, list(hand)] < kind).sum(axis=1)
    return Counts(
        size,
        len(orders),
        places.reshape(size, size),
        follows.reshape(size, size),
        np.bincount(of_kind, minlength=kind + 1),
        (cards.astype(np.uint64) * _PRINT[:size]).sum(axis=1),
    )


def _fit(seen: list[int], expected: list[float]) -> Chi:
    """Counts against what is expected of them, rare classes put together with their neighbours."""
    classes: list[tuple[int, float]] = [(0, 0.0)]
    for count, mean in zip(seen, expected, strict=True):
        if classes[-1][1] >= LEAST:
            classes.append((0, 0.0))
        classes[-1] = classes[-1][0] + count, classes[-1][1] + mean
    if len(classes) > 1 and classes[-1][1] < LEAST:
        count, mean = classes.pop()
        classes[-1] = classes[-1][0] + count, classes[-1][1] + mean
    return sum((count - mean) ** 2 / mean for count, mean in classes), len(classes) - 1
