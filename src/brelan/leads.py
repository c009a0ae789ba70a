"""How a lead in points becomes a hope of staying ahead, for games whose seats gather points over a number of rounds."""

from __future__ import annotations

from math import erf, sqrt

SURE = 1024
"""A hope that is certain."""


def ahead_table(spread: int, blunt: int, far: int, rounds: int) -> list[int]:
    """For 0 to so many rounds left, each lead from -far to far: the hope, of SURE, to stay before one other seat.

    `spread` is the standard deviation of the difference of two seats' points in a round; `blunt` that as which a lead
    counts when the match is over: a clear win is the end of a better line of play.
    """
    return [
        round(SURE * (1 + erf(lead / sqrt(spread * spread * left + blunt * blunt) / sqrt(2))) / 2)
        for left in range(rounds + 1)
        for lead in range(-far, far + 1)
    ]
