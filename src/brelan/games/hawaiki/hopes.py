"""What a seat of Hawaiki may hope for at the end of a round: its share of victory, by everybody's tokens.

A seat that has `gap` tokens less than the richest one wins in proportion to exp(-steep / (low + soft) * gap ** power),
where `low` is what the poorest has left, so how near the end is; the seat that starts the next round, a little more.
The numbers were fitted by maximum likelihood to 140,000 (two and three seats) or 75,000 ends of rounds between equal
players.
"""

from __future__ import annotations

from math import exp

from brelan.cards import popcount
from brelan.games.hawaiki.rules import wins
from brelan.games.hawaiki.state import OVER, State

WHOLE = 100_000
"""A victory."""

LOWS, GAPS = 20, 30
"""More tokens than these count as these."""

FITTED = [(3.15, 9.2, 1.0, 0.10), (0.82, 1.6, 1.24, 0.14), (0.45, 0.95, 1.48, 0.13), (0.27, 0.68, 1.73, 0.12),
          (0.17, 0.55, 2.0, 0.06)]  # fmt: skip
"""Steep, soft, power, and what starting adds, for two seats and more."""


def _likelihoods(steep: float, soft: float, power: float, _: float) -> list[list[int]]:
    return [[round(2**20 * exp(-steep / (low + soft) * gap**power)) for gap in range(GAPS)] for low in range(LOWS)]


LIKELY = [_likelihoods(*fitted) for fitted in FITTED]
"""By seats less two, lowest purse and gap: how likely victory is beside one without a gap, in 2**20ths."""

STARTING = [round(1000 * exp(fitted[3])) for fitted in FITTED]
"""How much more likely for the seat that starts, in thousandths."""


def hopes(s: State, seat: int) -> int:
    """The share of victory that a seat may hope for, out of WHOLE; at the end of the match, what it got."""
    if s.phase == OVER:
        won = wins(s)
        return WHOLE // popcount(won) if won >> seat & 1 else 0
    total = 0
    for other in range(s.players):
        total += likelihood(s, other)
    return likelihood(s, seat) * WHOLE // max(total, 1)


def likelihood(s: State, seat: int) -> int:
    """How likely a seat's victory is, in a unit that all seats share."""
    most = 0
    least = LOWS - 1
    for other in range(s.players):
        most = max(most, s.purse[other])
        least = min(least, s.purse[other])
    likely = LIKELY[s.players - 2][least][min(most - s.purse[seat], GAPS - 1)]
    return likely * STARTING[s.players - 2] if seat == s.starter else likely * 1000
