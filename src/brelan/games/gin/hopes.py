"""What the points of a match of gin let its seats hope for: how likely each is the first at the target.

Solved from the match's end backwards: each seat wins the next hand as often as the other, by as much as `skilled` wins
against itself, and then the same is asked of what both still need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brelan.games.gin.rules import State

WHOLE = 100_000
"""A victory."""

STEP, STEPS = 3, 33
"""Solved for needs of 1, 4, … 100 points; between them what lies between."""

FAR = STEP * STEPS
"""Who needs more than one point and so many is seen in a smaller scale, and the other with him."""

GAINS = [
    [0, 129, 130, 138, 133, 92, 72, 60, 51, 43, 33, 26, 20, 16, 13, 12, 9, 7, 5, 4, 3, 2, 1, 1],
    [0, 47, 47, 48, 47, 45, 42, 39, 40, 210, 141, 104, 58, 35, 26, 18, 14, 11, 8, 6, 4, 3, 2, 2, 1, 1, 1],
]
"""Of 1,000 hands so many are won by 1 to 4 points, 5 to 7, 8 to 10, …: where gin takes eleven cards (the sheet), and
where ten are enough (`classic`); counted in 40,000 hands each of `skilled@2`."""


def solved(gains: list[int]) -> list[int]:
    """For each number of steps that a seat needs besides its last point, and each that the other needs: its hope."""
    hope = [[0.5] * (STEPS + 1) for _ in range(STEPS + 1)]
    for mine in range(STEPS + 1):
        for theirs in range(STEPS + 1):
            if mine > theirs:
                hope[mine][theirs] = 1 - hope[theirs][mine]
            elif mine < theirs:
                hope[mine][theirs] = _before(hope, mine, theirs, gains)
    return [round(WHOLE * value) for row in hope for value in row]


def _before(hope: list[list[float]], mine: int, theirs: int, gains: list[int]) -> float:
    """The hope before a hand, by the hopes behind it."""
    won = sum(often * hope[mine - k][theirs] for k, often in enumerate(gains[: mine + 1])) + sum(gains[mine + 1 :])
    lost = sum(often * hope[mine][theirs - k] for k, often in enumerate(gains[: theirs + 1]))
    return (won + lost) / 2 / sum(gains)


HOPES = [solved(gains) for gains in GAINS]
"""The same for each of them."""


def hopes(s: State, seat: int) -> int:
    """The hope of a seat between two hands, or its victory, of WHOLE."""
    mine = s.target - s.total[seat] - 1
    theirs = s.target - s.total[1 - seat] - 1
    if mine < 0 or theirs < 0:
        return WHOLE if mine < 0 else 0
    most = max(mine, theirs, FAR)
    return between(HOPES[s.gin_on_ten], mine * FAR // most, theirs * FAR // most)


def between(table: list[int], mine: int, theirs: int) -> int:
    """The hope where these points are needed besides the last one: as much of each corner as it is near."""
    i = min(mine // STEP, STEPS - 1)
    j = min(theirs // STEP, STEPS - 1)
    a = mine - STEP * i
    b = theirs - STEP * j
    place = i * (STEPS + 1) + j
    near = (STEP - b) * table[place] + b * table[place + 1]
    far = (STEP - b) * table[place + STEPS + 1] + b * table[place + STEPS + 2]
    return ((STEP - a) * near + a * far) // (STEP * STEP)
