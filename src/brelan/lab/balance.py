"""What a set of rules does to a match, and what one change of them does: many compiled matches, counted.

Of two sets of rules the same deals are played, so that a difference has a much narrower interval than two runs would
give it. All that is kept of the matches are sums of whole numbers: a run's figures depend on its plan alone, not on the
engine, the cores or interruptions, and its memory not on its length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import pairwise
from math import inf, sqrt
from pathlib import Path
from typing import Any

from brelan import games
from brelan.bots.levels import Level, Mind, find, measured, newest, strengths
from brelan.bots.thinker import RUNS, check_seed
from brelan.errors import Refusal, at_least
from brelan.game import Game
from brelan.lab import arena, course, runs
from brelan.lab.courses import COUNTED, courses_of, width
from brelan.lab.duels import student
from brelan.options import Option
from brelan.schema import of_shape

BLOCK = 5000
"""Matches that are played between two entries in the file."""

SURVEY = 200
"""Matches of which every round's end is told in words."""

SWEEP = 2000
"""Matches, at most, for each change of an option."""

CLEAR = 2.0
"""How many times its interval's half width a difference must measure before a change of an option counts as felt: about
four standard errors, since some twenty figures are looked at."""

APART = RUNS // 2
"""Added to a seed below it for the levels' own matches: levels were tuned on the deals of small seeds."""

FEW = 10
"""Of what is asked of some matches only, fewer than so many tell nothing: by chance alone they often come out alike."""

Row = list[int]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be weighed. Nothing else has a say in the result."""

    game: str
    players: int
    preset: str = "sheet"
    options: Mapping[str, Any] = field(default_factory=dict)
    against: str = ""  # the other side's preset; none: only one set of rules is weighed
    changed: Mapping[str, Any] = field(default_factory=dict)  # all the options of the other side that differ from it
    bots: tuple[str, ...] = ("novice",)  # a level per seat, repeated around the table
    matches: int = 10_000
    seed: int = 1

    @property
    def sides(self) -> list[tuple[str, dict[str, Any]]]:
        """One set of rules, or two."""
        first = (self.preset, dict(self.options))
        return [first, (self.against, dict(self.changed))] if self.against else [first]

    @property
    def in_all(self) -> int:
        """The matches of all sides."""
        return len(self.sides) * self.matches

    def check(self) -> None:
        """Refuse what cannot be played, before anything is."""
        game = games.find(self.game)
        settled = [game.settle(self.players, *side) for side in self.sides]
        at_least(1, self.players, bots=len(self.bots))
        self.levels(0)
        if len(settled) == 2 and settled[0] == settled[1]:
            raise Refusal("balance_same")
        at_least(2, matches=self.matches)
        check_seed(self.seed)

    def blocks(self) -> list[Block]:
        return [Block(first, min(BLOCK, self.matches - first)) for first in range(0, self.matches, BLOCK)]

    def decides(self, block: Block) -> dict[str, Any]:
        """What a block's result hangs on: all but how many there are, the rules, and the versions of the levels."""
        game = games.find(self.game)
        said = {name: value for name, value in asdict(self).items() if name != "matches"}
        rules = [game.changes(self.players, *side) for side in self.sides]
        levels = [level.id for side in range(len(self.sides)) for level in self.levels(side)]
        by = {"revision": game.revision, "bots": levels, "options": rules[0], "changed": rules[1:]}
        return {**said, **by, **asdict(block)}

    def levels(self, side: int) -> list[Level]:
        """Who plays on a side: the weights of a level may differ by preset."""
        return [find(games.find(self.game), level, self.sides[side][0]) for level in self.bots]

    def minds(self) -> list[list[Mind]]:
        """By what they play, on each side."""
        return [[level.mind for level in self.levels(side)] for side in range(len(self.sides))]


@dataclass(frozen=True, slots=True)
class Block:
    """Some matches of a run."""

    first: int
    matches: int


@dataclass(frozen=True, slots=True)
class Sums:
    """What matches came to, as `Courses.count` tells it: whole numbers, which can be added."""

    products: list[list[Row]]
    counts: list[dict[str, dict[str, int]]]
    worth: list[list[Row]]

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(_added(getattr(self, name), getattr(other, name)) for name in self.__slots__))

    def between(self, a: int, b: int) -> list[Row]:
        """The products of one side's facts with another's; a is not above b."""
        return self.products[a + b]

    def sum(self, side: int, fact: int) -> int:
        return self.between(side, side)[course.ONE][fact]

    @property
    def matches(self) -> int:
        return self.sum(0, course.ONE)


def _added(a: Any, b: Any) -> Any:
    if isinstance(a, dict):
        return {
            name: _added(a[name], b[name]) if name in a and name in b else a.get(name, b.get(name)) for name in a | b
        }
    return [_added(x, y) for x, y in zip(a, b, strict=True)] if isinstance(a, list) else a + b


def play(plan: Plan, block: Block) -> Sums:
    """Play a block in this thread."""
    counter = courses_of(plan.game)
    return Sums(**counter.count(plan.sides, plan.minds(), plan.players, plan.seed, block.first, block.matches))


def run(plan: Plan, engine: str = "here", file: Path | None = None) -> Iterator[tuple[Block, Sums]]:
    """Every block with what it came to: first those that the file holds, then the others as they are played."""
    return runs.run(plan, play, partial(block_read, plan), engine, file)


def block_read(plan: Plan, **came: Any) -> Sums:
    """What a file says that a block came to, where that is what is counted now: as many sides, facts and cards."""
    found, sides, facts = Sums(**came), len(plan.sides), width(plan.players)
    right = of_shape(found.products, sides * (sides + 1) // 2, facts, facts) and found.products[0][0][0] > 0
    right &= of_shape(found.worth, sides, 3, len(found.worth[0][0]))
    if not right or [set(counts) for counts in found.counts] != [set(COUNTED)] * sides:
        raise ValueError("counted in another way")
    return found


def total(came: Iterator[tuple[Block, Sums]], tick: Callable[[], object] = lambda: None) -> Sums:
    """All blocks together; `tick` is called after each."""
    found: Sums | None = None
    for _, sums in came:
        found = sums if found is None else found + sums
        tick()
    assert found is not None
    return found


# ---------------------------------------------------------------- figures and their intervals


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of many matches: the mean of one fact for each unit of another."""

    name: str
    top: int
    bottom: int = course.ONE
    scale: float = 1.0
    place: int = -1  # at the table, counted from the seat that opens the match, or the round


@dataclass(frozen=True, slots=True)
class Figure:
    """A value, and half the width of its 95 % interval."""

    value: float
    reach: float

    @property
    def clear(self) -> bool:
        """Whether it differs from nothing by more than chance does among many figures."""
        return abs(self.value) > CLEAR * self.reach + 1e-12


def measures(players: int, seconds: float) -> list[Measure]:
    """What is told of a match, where a move is taken to last so many seconds."""
    whole, table = 1 / course.WHOLE, course.TABLE
    return [
        Measure("decisions", course.DECISIONS),
        Measure("minutes", course.DECISIONS, scale=seconds / 60),
        Measure("rounds", course.ROUNDS),
        Measure("per_round", course.DECISIONS, course.ROUNDS),
        Measure("free", course.FREE, course.DECISIONS, 100),
        Measure("choices", course.CHOICES, course.DECISIONS),
        Measure("best", course.BEST),
        Measure("spread", course.SPREAD),
        Measure("margin", course.MARGIN),
        Measure("shared", course.SHARED, scale=100),
        Measure("changes", course.CHANGES),
        Measure("deficit", course.DEFICIT),
        Measure("turned", course.TURNED, scale=100),
        Measure("early", course.EARLY_WON, course.EARLY, 100 * whole),
        *(Measure("won", table + p, scale=100 * whole, place=p) for p in range(players)),
        *(Measure("points", table + players + p, place=p) for p in range(players)),
        *(Measure("opening", table + 2 * players + p, course.ROUNDS, place=p) for p in range(players)),
    ]


def figure(sums: Sums, measure: Measure, side: int = 0) -> Figure | None:
    """The measure on one side; None where too few matches tell it."""
    n = telling(sums, measure, side)
    if n < min(sums.matches, FEW):
        return None
    leans = residual(sums, measure, side)
    value = measure.scale * sums.sum(side, measure.top) / sums.sum(side, measure.bottom)
    return Figure(value, reach(n, n * n * paired(sums.between(side, side), leans, leans)))


def difference(sums: Sums, measure: Measure) -> Figure | None:
    """What the measure is more on the second side than on the first, by the same deals."""
    first, second = figure(sums, measure, 0), figure(sums, measure, 1)
    if first is None or second is None:
        return None
    ours, theirs = residual(sums, measure, 0), residual(sums, measure, 1)
    n = min(telling(sums, measure, side) for side in (0, 1))
    own = paired(sums.between(0, 0), ours, ours) + paired(sums.between(1, 1), theirs, theirs)
    both = own - 2 * paired(sums.between(0, 1), ours, theirs)
    return Figure(second.value - first.value, reach(n, n * n * both))


def telling(sums: Sums, measure: Measure, side: int) -> int:
    """How many matches tell the measure: all, but for what is asked of some only, of which each counts one."""
    return min(sums.matches, sums.sum(side, measure.bottom))


def residual(sums: Sums, measure: Measure, side: int) -> dict[int, float]:
    """How a match's facts move the measure (linearized, as is usual for ratios): a factor for each of two facts."""
    below = sums.sum(side, measure.bottom)
    ratio = sums.sum(side, measure.top) / below
    return {measure.top: measure.scale / below, measure.bottom: -measure.scale * ratio / below}


def paired(products: list[Row], ours: dict[int, float], theirs: dict[int, float]) -> float:
    """The sum over matches of the product of two such movements."""
    return sum(x * y * products[i][j] for i, x in ours.items() for j, y in theirs.items())


def reach(n: int, squares: float) -> float:
    """Half the width of the 95 % interval of a mean, by the sum of squares around it."""
    return student(n - 1) * sqrt(max(squares, 0.0) / n / (n - 1)) if n > 1 else inf


def alike(sums: Sums) -> bool:
    """Whether every match came to the same on both sides, fact by fact."""
    return all(
        sums.between(0, 0)[i][i] - 2 * sums.between(0, 1)[i][i] + sums.between(1, 1)[i][i] == 0
        for i in range(len(sums.products[0]))
    )


def worths(sums: Sums, side: int, players: int) -> list[tuple[int, Figure, int]]:
    """Of each card that hands held: how much better than the table's mean they did in that round, in points, and how
    many there were.

    Rounds count as independent here.
    """
    held, gains, squares = sums.worth[side]
    return [
        (card, Figure(gain / n / players, reach(n, square - gain * gain / n) / players), n)
        for card, (n, gain, square) in enumerate(zip(held, gains, squares, strict=True))
        if n > 1
    ]


# ---------------------------------------------------------------- how rounds end, options, skill


def endings(plan: Plan, side: int) -> list[tuple[str, str, Figure]]:
    """The reasons for which rounds ended, with their rules: shares of the rounds of the first matches, in percent."""
    game, who = games.find(plan.game), plan.minds()[side]
    rows: list[list[tuple[str, str]]] = []
    for match in range(min(plan.matches, SURVEY)):
        ends = courses_of(plan.game).ends(plan.sides[side], who, plan.players, plan.seed, match)
        rows.append([(tally.reason, tally.rule or "") for tally in map(game.view.tally, ends)])
    came = sorted({reason for row in rows for reason in row})
    return sorted(((*reason, share(rows, reason)) for reason in came), key=lambda told: -told[2].value)


def share(rows: list[list[tuple[str, str]]], what: tuple[str, str]) -> Figure:
    """The share of what among all that the rows hold, in percent; rows are independent, what is in them is not."""
    mean = sum(row.count(what) for row in rows) / sum(map(len, rows))
    squares = sum((row.count(what) - mean * len(row)) ** 2 for row in rows)
    return Figure(100 * mean, 100 * reach(len(rows), squares) * len(rows) / sum(map(len, rows)))


def others(option: Option, value: Any, players: int) -> list[Any]:
    """Other values for an option, not far from the one it has."""
    found: list[Any] = []
    if isinstance(value, bool):
        found = [not value]
    elif isinstance(value, int):
        found = [value // 2, 2 * value] if value else [10]
    elif option.kind == "choice":
        found = list(option.choices)
    elif isinstance(value, list):
        found = [moved(value, i) for i in range(len(value))]
    elif option.kind == "several":
        found = [value[:-1] + letter for letter in option.choices]
    return [other for other in found if other != value and option.check(other, players) is None]


def moved(value: list[int], i: int) -> list[int]:
    """One less at a place, one more at the next."""
    step = [0] * len(value)
    step[i], step[(i + 1) % len(value)] = -1, 1
    return [n + by for n, by in zip(value, step, strict=True)]


def sweep(plan: Plan) -> list[tuple[str, Any, Plan]]:
    """A plan for each change of each option."""
    game: Game = games.find(plan.game)
    settled = game.settle(plan.players, plan.preset, plan.options)
    small = replace(plan, against=plan.preset, matches=min(plan.matches, SWEEP))
    return [
        (option.name, value, replace(small, changed={**plan.options, option.name: value}))
        for option in game.options
        for value in others(option, settled[option.name], plan.players)
    ]


def felt(sums: Sums, players: int) -> list[tuple[Measure, Figure]]:
    """The measures that a change moved beyond chance, the surest first."""
    told = [(measure, difference(sums, measure)) for measure in measures(players, 60)]
    sure = [(measure, by) for measure, by in told if by is not None and by.clear and measure.name != "minutes"]
    return sorted(sure, key=lambda pair: -abs(pair[1].value) / (pair[1].reach + 1e-9))


def skill(plan: Plan) -> arena.Plan:
    """The levels that do not search, each against the next one in strength as it was measured, in a new game as they
    are named; on deals that none of them was tuned on.
    """
    game = games.find(plan.game)
    levels = [name for name in newest(game) if not find(game, name, plan.preset).mind.worlds]
    weighed = plan.preset if plan.preset in measured(game.id) else "sheet"
    points = strengths(game, weighed, plan.players)[1]
    levels.sort(key=lambda name: -inf if name == "random" else points.get(name, 0))
    pairs = tuple((better, worse) for worse, better in pairwise(levels))
    deals = min(max(plan.matches // 20, 4), 5000)
    seed = APART + plan.seed % APART
    return arena.Plan(plan.game, tuple(levels), plan.players, plan.preset, dict(plan.options), deals, seed, pairs)
