"""How strong somebody is at a game: a skill and how sure we are of it, for persons and bots on one scale.

A match is a placing of its seats, ties included. Of Weng and Lin's models (JMLR 12, 2011, as openskill has them) we
take the full Bradley-Terry: it compares each two seats, and a tie is half a win. Their Plackett-Luce model, the usual
choice for several seats, reads a placing from the top and cannot see a tie: after a first match that two of four win
together, it rates the third as high as the winners. Here joint winners are common.

It takes a player's comparisons in a match for independent. They share one performance of that player, so that the sum
of those of N seats varies (N + 1) / 3 times as much as it reckons: a match of six would teach more than it knows. So a
rating goes only that part of the way; at two seats, all of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

from openskill.models import BradleyTerryFull

POINTS = 40
"""Points shown for one unit of skill, so that everybody begins at 1000 and whole numbers say enough."""

SURE = 10
"""Rated matches before a rating is more than provisional."""

_model = BradleyTerryFull()


@dataclass(frozen=True, slots=True)
class Rating:
    """A skill: its mean and standard deviation in units of the model, and how many matches they rest on."""

    mu: float = _model.mu
    sigma: float = _model.sigma
    matches: int = 0

    @property
    def points(self) -> int:
        return round(POINTS * self.mu)

    @property
    def margin(self) -> int:
        """The true skill is within so many points of `points`, 19 times out of 20."""
        return round(POINTS * 2 * self.sigma)

    @property
    def least(self) -> int:
        """What the ladder is ordered by: the skill that somebody has shown to have, not what they may yet have."""
        return self.points - self.margin

    @property
    def provisional(self) -> bool:
        return self.matches < SURE


def after(placing: Sequence[tuple[str, int]], known: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings after a match of (who, place from 1) for each seat; who is not known yet begins.

    A bot's level may have several seats. It is one player all the same: it learns from the match what its seats learnt
    on the average.
    """
    before = {who: known.get(who, Rating()) for who, _ in placing}
    part = 3 / (len(placing) + 1)
    teams = [[_model.rating(before[who].mu, before[who].sigma)] for who, _ in placing]
    learnt: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for (who, _), (new,) in zip(placing, _model.rate(teams, ranks=[place for _, place in placing]), strict=True):
        old = before[who]
        sigma = sqrt(old.sigma**2 + part * (new.sigma**2 - old.sigma**2))
        learnt[who].append((old.mu + part * (new.mu - old.mu), sigma))
    return {who: _mean(seats, before[who].matches + 1) for who, seats in learnt.items()}


def _mean(seats: list[tuple[float, float]], matches: int) -> Rating:
    return Rating(fmean(mu for mu, _ in seats), fmean(sigma for _, sigma in seats), matches)
