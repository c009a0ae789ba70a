"""How the totals of a match let its seats hope: the chance of each to have fewest points at the end."""

from __future__ import annotations

from math import exp

from brelan.cards import popcount
from brelan.games.mio.rules import State, fewest

SPREAD = [7, 8, 9, 11, 13, 15, 16, 18, 19, 21, 23]
"""By how many points one must lie behind to have 1/e of the other's chance, when 0, 10, 20 … points are wanting to the
match's end: from 3,000 matches of `skilled` each at 4 seats, one of them 8, 16 or 30 points ahead of the rest."""

WIDER = [0, 0, 16, 11, 8, 8, 8]
"""How many 1/8 of that it takes by the number of players: measured in the same way at 2."""

CHANCE = [round(65536 * exp(-k / 16)) for k in range(160)]
"""65536 * exp(-k / 16)."""


def ahead(s: State, seat: int, most: int) -> int:
    """What a seat's chance weighs, where that of the first weighs 65536; `most` is the highest total."""
    least = s.total[seat]
    for other in range(s.players):
        least = min(least, s.total[other])
    spread = SPREAD[min((s.target - most + 5) // 10, 10)] * WIDER[s.players]
    return CHANCE[min((s.total[seat] - least) * 128 // spread, 159)]


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
    winners = fewest(s)
    return 1000 // popcount(winners) if winners >> seat & 1 else 0
