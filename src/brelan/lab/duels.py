"""One bot against another on equal deals: who sits where, and what the matches say of the difference.

Each deal is played in every rotation: A alone among Bs, and B alone among As (at a table of two these are the same).
What is measured is A's share of the wins less what chance gives a seat; deals are the units of the interval, since
the matches of one deal are not independent of each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from brelan.errors import Refusal

Z = 1.959964
"""Standard errors to each side within which 95 percent of what is normal lies."""


def student(freedom: int) -> float:
    """The same where the error has so many degrees of freedom (Abramowitz and Stegun 26.7.5): from 3 on, within 1 %."""
    n = max(freedom, 1)
    terms = (Z**3 + Z) / 4, (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96, (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    return Z + terms[0] / n + terms[1] / n**2 + terms[2] / n**3


def rotations(players: int) -> list[list[int]]:
    """Who sits where: A is 0, B is 1. A alone in every seat, then, of more than two seats, B alone in every seat."""
    alone = [[int(seat != at) for seat in range(players)] for at in range(players)]
    return alone if players == 2 else alone + [[1 - who for who in row] for row in alone]


@dataclass(frozen=True, slots=True)
class Shares:
    """What A's shares came to over so many deals: sums, and sums of squares, which can be added."""

    deals: int = 0
    wins: float = 0.0  # the sum over deals of A's mean share of the wins, alone among Bs, less 1/N
    wins2: float = 0.0
    few: float = 0.0  # the same for the As when B is alone among them: the share of one of them, less 1/N
    few2: float = 0.0
    points: float = 0.0  # of one A more than of one B, in the game's own points
    points2: float = 0.0
    faults: int = 0  # matches that A lost by what was no move
    faults_b: int = 0
    endless: int = 0  # matches that did not end, and were shared
    why: Refusal | None = None  # what A's first fault was
    why_b: Refusal | None = None

    def __add__(self, other: Shares) -> Shares:
        *numbers, _, _ = self.__slots__
        sums: dict[str, Any] = {name: getattr(self, name) + getattr(other, name) for name in numbers}
        return Shares(**sums, why=self.why or other.why, why_b=self.why_b or other.why_b)

    def mean(self, name: str = "wins") -> float:
        return float(getattr(self, name)) / max(self.deals, 1)

    def error(self, name: str = "wins") -> float:
        """The standard error of the mean, clustered by deal."""
        if self.deals < 2:
            return float("inf")
        square: float = getattr(self, f"{name}2") / self.deals
        return sqrt(max(square - self.mean(name) ** 2, 0.0) / (self.deals - 1))

    def interval(self) -> tuple[float, float]:
        """95 percent of such intervals hold the truth."""
        mean, reach = self.mean(), self.reach()
        return mean - reach, mean + reach

    def reach(self, name: str = "wins") -> float:
        """Half the width of that interval; few deals need a wider one, since their error is a guess as well."""
        return student(self.deals - 1) * self.error(name)


class Deals(NamedTuple):
    """What A's shares came to in each deal, arrays of which `Shares` holds the sums and says what they are."""

    wins: Any
    few: Any
    points: Any

    @property
    def sums(self) -> Shares:
        sums: list[Any] = [float(x.sum()) for values in self for x in (values, values * values)]
        return Shares(len(self.wins), *sums)


def by_deal(batch: Any, players: int, order: list[list[int]]) -> Deals:
    """What a batch of duels says of each deal; its matches are deals times rotations, in that order."""
    won, points = batch.shares, batch.scores
    is_a = batch.mask(order)
    deals = len(won) // len(order)
    per_seat = won.reshape(deals, len(order), players)
    scores = points.reshape(deals, len(order), players)
    alone, rest = slice(0, players), slice(players, None)
    wins = (per_seat * is_a)[:, alone].sum((1, 2)) / players - 1 / players
    few = wins
    if len(order) > players:
        few = (per_seat * is_a)[:, rest].sum((1, 2)) / (players * (players - 1)) - 1 / players
    ours = (scores * is_a).sum((1, 2)) / is_a.sum()
    theirs = (scores * ~is_a).sum((1, 2)) / (~is_a).sum()
    return Deals(wins, few, ours - theirs)


def shares(batch: Any, players: int, order: list[list[int]]) -> Shares:
    """What a batch of duels says of all its deals."""
    return by_deal(batch, players, order).sums
