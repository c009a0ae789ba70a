"""How the totals of a match let its seats hope: the chance of each to have fewest points at the end."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from brelan.cards import popcount

if TYPE_CHECKING:
    from brelan.games.mio.rules import State

SPREAD = [7, 10, 13, 16, 18, 20, 22, 24, 26, 28, 30]
"""By how many points one must lie behind to have 1/e of the other's chance, when 0, 10, 20 … points are wanting to the
match's end."""

CHANCE = [round(65536 * exp(-k / 16)) for k in range(160)]
"""65536 * exp(-k / 16)."""


def ahead(s: State, seat: int, most: int) -> int:
    """The weight of a seat's chance, of 65536, the first's being that."""
    least = s.total[seat]
    for other in range(s.players):
        least = min(least, s.total[other])
    spread = SPREAD[min((s.target - most + 5) // 10, 10)]
    return CHANCE[min((s.total[seat] - least) * 16 // spread, 159)]


def hopes(s: State, seat: int) -> int:
    """The hopes of a seat between two rounds, or its share of the victory, in thousandths."""
    most = 0
    for other in range(s.players):
        most = max(most, s.total[other])
    if most >= s.target:
        return shared(s, seat)
    every = 0
    for other in range(s.players):
        every += ahead(s, other, most)
    return 1000 * ahead(s, seat, most) // every


def shared(s: State, seat: int) -> int:
    """The victory of those with fewest points, in thousandths for each."""
    least = s.total[seat]
    for other in range(s.players):
        least = min(least, s.total[other])
    winners = 0
    for other in range(s.players):
        winners |= (s.total[other] == least) << other
    return 1000 // popcount(winners) if winners >> seat & 1 else 0
