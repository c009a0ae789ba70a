"""Tuning a policy's weights by the cross-entropy method, on equal deals against the weights that it started from.

Each generation draws a population of weights around a mean, lets every one of them sit once in each seat among players
by a champion's weights, and the champion among its like, on the same deals, and moves the mean and the spread towards
the best (Rubinstein 1999; for games Szita and Lőrincz 2006). Who is judged only alone among others learns to be unlike
them, and at a table of its like anybody else wins. Now and then the mean becomes the champion, if it is surely better
than the last one. The champions are met by turns, and a new one must be better against all of them: where each style
has another that beats it, who only chases the last one runs in circles. Levels that are named `beside` are met as well,
and all that at every size of the table that is named; what counts is the mean.
With `against`, a version of a level is the target of all and never changes: what the best weights gain over it, within
the matches of the plan, is how far it can be exploited by a player of its own kind. Such a player begins as the target
itself, which gains nothing; where it searches, it takes the target to play by its own weights, as a level takes others.
What a run comes to depends on its plan alone; after every generation it writes down where it stands, and goes on there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from brelan import cards, games
from brelan.bots.levels import Mind, find, weights
from brelan.bots.thinker import DEALS, Thinker, check_seed
from brelan.errors import Refusal, at_least
from brelan.folders import write
from brelan.game import CARELESS, TUNED
from brelan.lab.duels import Deals, Shares, by_deal, rotations
from brelan.lab.runs import of_a_run

ELITE = 4
"""One of so many is among the best."""

CALM = 0.6
"""How much of the new mean and spread is taken. The spread is that around the old mean: the best lie to one side of it
as long as there is a way to go, and it does not shrink before its time (as in CMA-ES, Hansen 2001)."""

CROWN, JUDGED, ASSURED = 5, 4, 20
"""After so many generations the mean is compared with the champion, on so many times the deals of a candidate; what is
published of the last champion, on so many."""

LUCK = 2**20
"""Generations of a seed that draw by a luck of their own."""

MOST = 10**5
"""The largest population, and the most deals for each of it: what ASSURED times so many come to is held in memory."""

SPREAD = 0.3
"""The first standard deviation of a weight, in parts of it."""

FINAL = 1000
"""Added to the seed for the deals by which a champion is judged: never those it was tuned on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be tuned. A seed of 0 to 999 fixes everything."""

    game: str
    players: tuple[int, ...]  # the sizes of the table
    preset: str = "sheet"
    seed: int = 1
    start: str = ""  # a set of weights in the game's levels.toml; none: those set by hand
    generations: int = 30  # how often a population is drawn
    population: int = 24
    deals: int = 1000  # for each of a population
    against: str = ""  # a level that stays as it is; none: the champions
    beside: tuple[str, ...] = ()  # levels that are met as well

    def check(self) -> None:
        """Refuse what cannot be tuned, before anything is played."""
        game = games.find(self.game)
        for players in self.players:
            game.settle(players, self.preset)
        if len(game.policy.START) <= CARELESS + 1:  # every candidate would play the same
            raise Refusal("tune_bare", game=game.title)
        by = self.by_version()
        met: list[Any] = [*by.players, by.against, *by.beside]
        if twice := [one for one in met if met.count(one) > 1]:  # it would weigh twice as much as the others
            raise Refusal("named_twice", given=twice[0])
        if self.start:
            weights(game, self.start)
        at_least(1, MOST, deals=self.deals)
        at_least(2, MOST, population=self.population)
        at_least(1, self.most, generations=self.generations)
        check_seed(self.seed, FINAL - 1)

    def by_version(self) -> Plan:
        """The same with its levels by their versions, which the next release may not have as its newest."""
        against = self.against and self._named(self.against)
        return replace(self, against=against, beside=tuple(map(self._named, self.beside)))

    def _named(self, level: str) -> str:
        return find(games.find(self.game), level, self.preset).id

    @property
    def most(self) -> int:
        """The generations for which a run has deals by which to judge the mean, and a seed luck of its own for each."""
        return min(DEALS // (JUDGED * self.deals), LUCK) - 1


@dataclass(slots=True)
class Standing:
    """Where a run stands after a generation."""

    generation: int
    mean: list[float]
    spread: list[float]
    champions: list[list[int]]  # the start, and each that was crowned
    matches: int = 0  # played so far
    gain: float = 0.0  # of the last mean that stood for the crown, as parts of an equal share of the wins
    history: list[float] = field(default_factory=list)


class Tuning:
    """A run; `file` is where it writes down how it stands."""

    def __init__(self, plan: Plan, file: Path | None = None) -> None:
        self.plan, self.file = plan.by_version(), file
        self.game = games.find(plan.game)
        self.thinker = Thinker(self.game)
        self.target = find(self.game, plan.against, plan.preset).mind if plan.against else None
        self.beside = [find(self.game, level, plan.preset).mind for level in plan.beside]
        self.start = self._start()
        self.standing = self._resumed() or self._begun()

    def _start(self) -> list[int]:
        """The weights named, else the target's without its mistakes, else those set by hand."""
        if self.plan.start:
            return list(weights(self.game, self.plan.start))
        if self.target and self.target.kind == TUNED:
            return [0 if i <= CARELESS else weight for i, weight in enumerate(self.target.weights)]
        return list(self.game.policy.START)

    def _begun(self) -> Standing:
        first = [float(w) for w in self.start]
        spread = [SPREAD * max(abs(w), 2.0) if i > CARELESS else 0.0 for i, w in enumerate(first)]
        return Standing(0, first, spread, [[round(w) for w in first]])

    def _resumed(self) -> Standing | None:
        if not self.file or not self.file.exists():
            return None
        with of_a_run(self.file):
            kept = json.loads(self.file.read_text("utf-8"))
            if kept["plan"] != self._written():
                raise Refusal("run_other", file=self.file)
            return Standing(**kept["standing"])

    def _write(self) -> None:
        """Write down how the run stands, whole or not at all."""
        if self.file:
            kept = {"plan": self._written(), "standing": asdict(self.standing)}
            write(self.file, json.dumps(kept, indent=1))

    def _written(self) -> dict[str, Any]:
        """What the run hangs on, as its file says it: the plan but its length, the rules, the weights at its start."""
        said = {name: value for name, value in asdict(self.plan).items() if name != "generations"}
        listed = {"players": [*self.plan.players], "beside": [*self.plan.beside]}
        return said | listed | {"revision": self.game.revision, "begins": self.start}

    def run(self) -> Iterator[Standing]:
        """Generation after generation, as far as the plan goes."""
        while self.standing.generation < self.plan.generations:
            self._generation()
            if self.standing.generation % CROWN == 0:
                self._crown()
            self._write()
            yield self.standing

    def _generation(self) -> None:
        at = self.standing
        random = [0]
        cards.seed(random, self.plan.seed * LUCK + at.generation)
        around = list(zip(at.mean, at.spread, strict=True))
        drawn = [[round(m + s * normal(random)) for m, s in around] for _ in range(self.plan.population)]
        first = at.generation * self.plan.deals
        judged = sorted(drawn, key=self._judge(first), reverse=True)
        best = judged[: max(2, self.plan.population // ELITE)]
        for i, values in enumerate(zip(*best, strict=True)):
            at.spread[i] += CALM * (sqrt(fmean((value - at.mean[i]) ** 2 for value in values)) - at.spread[i])
            at.mean[i] += CALM * (fmean(values) - at.mean[i])
        at.generation += 1

    def _judge(self, first: int) -> Callable[[list[int]], float]:
        """What a candidate gains, by the deals of this generation: over the champion whose turn it is, and all else."""
        on, champions = (self.plan.seed, first, self.plan.deals), self.champions
        rivals = [champions[self.standing.generation % len(champions)], *self.beside]
        return lambda drawn: fmean(float(self._ahead(*found).mean()) for found in self._met(drawn, rivals, *on))

    @property
    def champions(self) -> list[Mind]:
        """Whom candidates are to beat: the target, or all champions."""
        return [self.target] if self.target else [Mind(TUNED, tuple(held)) for held in self.standing.champions]

    def _met(self, drawn: list[int], rivals: list[Mind], seed: int, first: int, deals: int) -> list[tuple[int, Deals]]:
        """What weights come to among each of these, at each size of the table: matches of the run, and counted."""
        self.standing.matches += sum(len(self._order(n)) for n in self.plan.players) * deals * len(rivals)
        return [(n, self.compared(drawn, rival, n, seed, first, deals)) for n in self.plan.players for rival in rivals]

    def _crown(self) -> None:
        """The mean becomes the champion if it is better than the last one by two standard errors, on deals of its own.

        Against a target it does if it gains anything, and more than any before.
        """
        at = self.standing
        mean = [round(m) for m in at.mean]
        at.gain, error = self._better(mean)
        if at.gain > (max([0.0, *at.history]) if self.target else 2 * error):
            at.champions.append(mean)
        at.history.append(at.gain)

    def _better(self, drawn: list[int]) -> tuple[float, float]:
        """What weights gain over a target, or more than the last champion does over all; its standard error.

        Everybody is met on the same deals, so what was gained in one deal over all of them is one observation.
        """
        deals = JUDGED * self.plan.deals
        on = [*self.champions, *self.beside], self.plan.seed + FINAL, self.standing.generation * deals, deals
        met = self._met(drawn, *on)
        held = [] if self.target else self._met(self.standing.champions[-1], *on)
        mine, theirs = (sum(self._ahead(*found) for found in some) for some in (met, held))
        gains = (mine - theirs) / len(met)
        return float(gains.mean()), float(gains.std(ddof=1)) / sqrt(deals)

    def compared(self, a: list[int], b: Mind, players: int, seed: int, first: int, deals: int) -> Deals:
        """Weights `a`, by a player who thinks as the target does, against players of mind `b`."""
        order = self._order(players)
        minds = [replace(self.target or Mind(), kind=TUNED, weights=tuple(a)), b]
        batch = self.thinker.duels(minds, order, seed, first, deals, self.plan.preset, cores=None)
        return by_deal(batch, players, order)

    def _order(self, players: int) -> list[list[int]]:
        """Alone among the others, and one of them alone among its like; who attacks a target is alone."""
        return rotations(players)[: players if self.target else None]

    def _ahead(self, players: int, found: Deals) -> Any:
        """In each deal, what one wins more than an equal share, less what one of the others alone among its like does,
        halved.

        In equal shares; of an attack what one wins alone, and so between two players, where both are the same matches.
        """
        if self.target or players == 2:
            return players * found.wins
        return players * (found.wins + (players - 1) * found.few) / 2

    @property
    def crowned(self) -> bool:
        """Whether any mean became champion."""
        return len(self.standing.champions) > 1

    @property
    def found(self) -> list[int]:
        """The last champion; of an attack that crowned none, the mean that it came to: what that loses is told, too."""
        at = self.standing
        return [round(m) for m in at.mean] if self.target and not self.crowned else at.champions[-1]

    @property
    def rivals(self) -> dict[str, Mind]:
        """With whom it is compared at the end: the target or, unless it is itself what was found, the start; and those
        beside.
        """
        first = {self.plan.against or "the start": self.target or Mind(TUNED, tuple(self.start))}
        return (first if self.target or self.crowned else {}) | dict(zip(self.plan.beside, self.beside, strict=True))

    def final(self) -> Iterator[tuple[str, Shares]]:
        """What was found against each rival at each size of the table, on deals that no generation saw.

        Of each it plays ASSURED times the deals of a candidate, which are no matches of the run.
        """
        on = self.plan.seed + 2 * FINAL, 0, ASSURED * self.plan.deals
        for players in self.plan.players:
            for name, rival in self.rivals.items():
                yield f"{name} at {players}", self.compared(self.found, rival, players, *on).sums


def normal(random: list[int]) -> float:
    """A number near enough to normally distributed: mean 0, standard deviation 1."""
    return sum(cards.below(random, 1 << 20) for _ in range(12)) / (1 << 20) - 6


def told(run: Tuning, final: Mapping[str, Shares]) -> dict[str, Any]:
    """What was found with its lineage, as `levels.toml` holds it: a run that went on for longer than asked says so."""
    plan, stood, spent = run.plan, run.standing.generation, run.standing.matches
    players = ",".join(map(str, plan.players))
    command = f"brelan tune {plan.game} --players {players} --preset {plan.preset} --seed {plan.seed}"
    command += f" --generations {stood} --population {plan.population} --deals {plan.deals}"
    command += f" --start {plan.start}" if plan.start else ""
    command += f" --against {plan.against}" if plan.against else ""
    command += f" --beside {','.join(plan.beside)}" if plan.beside else ""
    gains = ", ".join(f"{gain(one)} over {name}" for name, one in final.items())
    crown = "" if run.crowned else f"nobody was crowned: {'the mean' if run.target else 'the start as it was'}, "
    won = f"share of wins {gains}, {ASSURED * plan.deals:,} deals, " if gains else ""
    figures = f"{crown}{won}after {spent:,} matches"
    return {"values": run.found, "command": command, "figures": figures}


def gain(found: Shares) -> str:
    """A gain with its interval."""
    low, high = found.interval()
    return f"{found.mean():+.4f} ({low:+.4f} to {high:+.4f})"
