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


def hope(ahead: list[int], far: int, left: int, total: list[int], players: int, seat: int) -> int:
    """A seat's hope to win the match, in 1/2**20: to stay before each other seat, as if these were independent.

    `ahead` is a table up to leads of `far`, in which so many rounds are left; `total` the points of the seats.
    """
    found = SURE * SURE
    for other in range(players):
        if other != seat:
            lead = max(-far, min(total[seat] - total[other], far))
            found = found * ahead[left * (2 * far + 1) + far + lead] // SURE
    return found
