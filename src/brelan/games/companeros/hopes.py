"""How a lead in points becomes a hope of winning the match of Compañeros."""

from __future__ import annotations

from brelan.leads import ahead_table

SPREAD = 31
"""Standard deviation of the difference of two seats' points in a round: 28 at three seats, 33 at six, P against P."""

BLUNT = 12
"""Standard deviation as which a lead counts when the match is over: a clear win is the end of a better line of play."""

FAR = 127
"""Leads beyond count as this one: 1.4 standard deviations where LONG rounds are left, so that far ahead or behind in a
match of ten rounds and more a search sees no difference, and plays as P does. Published versions play by it."""

LONG = 8
"""So many rounds or more are left."""

AHEAD = ahead_table(SPREAD, BLUNT, FAR, LONG)
"""For each number of rounds left and each lead from -FAR: the hope to stay before that one other seat."""
