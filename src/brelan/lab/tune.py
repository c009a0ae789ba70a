"""Tuning a policy's weights by the cross-entropy method, on equal deals against the weights that it started from.

Each generation draws a population of weights around a mean, lets every one of them sit once in each seat among players
by the champion's weights, on the same deals, and moves the mean and the spread towards the best (Rubinstein 1999;
for games Szita and Lőrincz 2006). Now and then the mean becomes the champion, if it beats the old one for sure.
With `against`, a version of a level is the target of all and never changes: what the best weights gain over it, within
the matches of the plan, is how far it can be exploited by a player of its own kind that knows it well. Such a player
begins as the target itself, which gains nothing.
What a run comes to depends on its plan alone; after every generation it writes down where it stands, and goes on there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from brelan import cards, games
from brelan.bots.levels import Mind, by_hand, find, weights
from brelan.bots.thinker import Thinker
from brelan.game import CARELESS, TUNED
from brelan.lab.duels import Shares, rotations, shares

ELITE = 4
"""One of so many is among the best."""

CALM = 0.6
"""How much of the new mean and spread is taken. The spread is that around the old mean: the best lie to one side of it
as long as there is a way to go, and it does not shrink before its time (as in CMA-ES, Hansen 2001)."""

CROWN, JUDGED, ASSURED = 5, 4, 20
"""After so many generations the mean is compared with the champion, on so many times the deals of a candidate; what is
published of the last champion, on so many."""

FINAL = 1000
"""Added to the seed for the deals by which a champion is judged: never those it was tuned on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be tuned. A seed of 0 to 999 fixes everything."""

    game: str
    players: int
    preset: str = "sheet"
    seed: int = 1
    start: str = ""  # a set of weights in the game's levels.toml; none: those set by hand
    generations: int = 30  # how often a population is drawn
    population: int = 24
    deals: int = 1000  # for each of a population
    spread: float = 0.3  # the first standard deviation of a weight, in parts of it
    against: str = ""  # a level that stays as it is; none: the champion

    @property
    def matches(self) -> int:
        """What the run costs: the matches of all candidates, and of the means that stood for the crown."""
        crowns = self.generations // CROWN * JUDGED
        return self.players * self.deals * (self.generations * self.population + crowns)


@dataclass(slots=True)
class Standing:
    """Where a run stands after a generation."""

    generation: int
    mean: list[float]
    spread: list[float]
    champion: list[int]
    gain: float = 0.0  # of the best candidates over the champion, share of wins
    history: list[float] = field(default_factory=list)


class Tuning:
    """A run; `file` is where it writes down how it stands."""

    def __init__(self, plan: Plan, file: Path | None = None, cores: int | None = None) -> None:
        self.plan, self.file, self.cores = plan, file, cores
        self.game = games.find(plan.game)
        self.game.settle(plan.players, plan.preset)
        self.thinker = Thinker(self.game)
        self.target = find(self.game, plan.against, plan.preset).mind if plan.against else None
        self.start = self._start()
        self.standing = self._resumed() or self._begun()

    def _start(self) -> list[int]:
        """The weights named, else the target's without its mistakes, else those set by hand."""
        if self.plan.start:
            return list(weights(self.game, self.plan.start))
        if self.target and self.target.kind == TUNED:
            return [0 if i <= CARELESS else weight for i, weight in enumerate(self.target.weights)]
        return list(by_hand(self.game).weights)

    def _begun(self) -> Standing:
        first = [float(w) for w in self.start]
        spread = [self.plan.spread * max(abs(w), 2.0) if i > CARELESS else 0.0 for i, w in enumerate(first)]
        return Standing(0, first, spread, [round(w) for w in first])

    def _resumed(self) -> Standing | None:
        if not self.file or not self.file.exists():
            return None
        kept = json.loads(self.file.read_text("utf-8"))
        return Standing(**kept["standing"]) if kept["plan"] == asdict(self.plan) else None

    def run(self) -> Iterator[Standing]:
        """Generation after generation, as far as the plan goes."""
        while self.standing.generation < self.plan.generations:
            self._generation()
            if self.standing.generation % CROWN == 0:
                self._crown()
            if self.file:
                kept = {"plan": asdict(self.plan), "standing": asdict(self.standing)}
                self.file.write_text(json.dumps(kept, indent=1), "utf-8")
            yield self.standing

    def _generation(self) -> None:
        at = self.standing
        random = [0]
        cards.seed(random, self.plan.seed << 20 | at.generation)
        drawn = [self._drawn(random) for _ in range(self.plan.population)]
        first = at.generation * self.plan.deals
        judged = sorted(drawn, key=self._judge(first), reverse=True)
        best = judged[: max(2, self.plan.population // ELITE)]
        for i, values in enumerate(zip(*best, strict=True)):
            at.spread[i] += CALM * (sqrt(fmean((value - at.mean[i]) ** 2 for value in values)) - at.spread[i])
            at.mean[i] += CALM * (fmean(values) - at.mean[i])
        at.generation += 1

    def _drawn(self, random: list[int]) -> list[int]:
        return [round(m + s * normal(random)) for m, s in zip(self.standing.mean, self.standing.spread, strict=True)]

    def _judge(self, first: int) -> Callable[[list[int]], float]:
        """What a candidate gains over the champion, by the deals of this generation."""
        champion, seed, deals = self.standing.champion, self.plan.seed, self.plan.deals
        return lambda drawn: self.compared(drawn, champion, seed, first, deals).mean()

    def _crown(self) -> None:
        """The mean becomes the champion if it beats the old one by two standard errors, on deals of their own.

        Against a target it does if it gains anything, and more than any before.
        """
        at = self.standing
        mean = [round(m) for m in at.mean]
        deals = JUDGED * self.plan.deals
        found = self.compared(mean, at.champion, self.plan.seed + FINAL, at.generation * deals, deals)
        at.gain = found.mean()
        if at.gain > (max([0.0, *at.history]) if self.target else 2 * found.error()):
            at.champion = mean
        at.history.append(at.gain)

    def compared(self, a: list[int], b: list[int], seed: int, first: int, deals: int) -> Shares:
        """One player by weights `a` among players by weights `b`, or among the targets."""
        order = rotations(self.plan.players)[: self.plan.players]
        kind = self.target or Mind(TUNED)
        minds = [replace(kind, weights=tuple(a)), self.target or replace(kind, weights=tuple(b))]
        batch = self.thinker.duels(minds, order, seed, first, deals, self.plan.preset, cores=self.cores)
        return shares(batch, self.plan.players, order)

    @property
    def found(self) -> list[int]:
        """The champion; of an attack that crowned none, the mean that it came to: how much that loses is told, too."""
        at = self.standing
        return [round(m) for m in at.mean] if self.target and not any(g > 0 for g in at.history) else at.champion

    def final(self) -> Shares:
        """What was found against the weights it started from, or the target, on deals that no generation saw."""
        deals = ASSURED * self.plan.deals
        return self.compared(self.found, list(self.start), self.plan.seed + 2 * FINAL, 0, deals)


def normal(random: list[int]) -> float:
    """A number near enough to normally distributed: mean 0, standard deviation 1."""
    return sum(cards.below(random, 1 << 20) for _ in range(12)) / (1 << 20) - 6


def told(plan: Plan, found: list[int], final: Shares) -> dict[str, Any]:
    """The weights with their lineage, as `levels.toml` holds them."""
    command = f"brelan tune {plan.game} --players {plan.players} --preset {plan.preset} --seed {plan.seed}"
    command += f" --generations {plan.generations} --population {plan.population} --deals {plan.deals}"
    command += f" --start {plan.start}" if plan.start else ""
    target = find(games.find(plan.game), plan.against, plan.preset).id if plan.against else ""
    command += f" --against {target}" if target else ""
    low, high = final.interval()
    gain = f"{final.mean():+.4f} ({low:+.4f} to {high:+.4f}) share of wins"
    figures = f"{gain} over {target or 'the start'}, {final.deals:,} deals, after {plan.matches:,} matches"
    return {"values": found, "command": command, "figures": figures}
