"""Many matches of a game played and counted, under one set of rules or under two on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from brelan import games
from brelan.bots import minds
from brelan.bots.levels import Mind
from brelan.bots.thinker import Thinker
from brelan.errors import Refusal, plain
from brelan.fast.engine import check_end
from brelan.game import Game
from brelan.lab import course
from brelan.lab.course import CHANGES, DECISIONS, DEFICIT, MARGIN, MEMORIES, ROUNDS, SPREAD, TABLE
from brelan.pieces import size_of

COUNTED = {
    "decisions": DECISIONS,
    "rounds": ROUNDS,
    "changes": CHANGES,
    "deficit": DEFICIT,
    "spread": SPREAD,
    "margin": MARGIN,
}
"""The facts of which every value is counted."""

ENDS = 1000
"""The most ends of rounds that are told of one match."""

VALUES = 4096
"""Values 0 to 4094 are counted each for itself, higher ones together."""

Rules = tuple[str, Mapping[str, Any]]
"""A preset and the options that differ from it."""


class Courses(Thinker):
    """The counters of one game. Safe to use from several threads."""

    def __init__(self, game: Game, compiled: bool = True) -> None:
        super().__init__(game, compiled, course)
        pieces = game.observation.PIECES
        self.hand = next(i for i, piece in enumerate(pieces) if piece.name == "hand")
        self.cards = pieces[self.hand].shape[0]

    def count(
        self, sides: Sequence[Rules], who: Sequence[Sequence[Mind]], players: int, seed: int, first: int, matches: int
    ) -> dict[str, Any]:
        """Matches first … first+matches-1 of run `seed` (below RUNS) under one set of rules or each of two, as numbers.

        `who`: for each side a mind for each seat, repeated around the table.
        `products`: for each pair of sides the sums of the products of their facts; `counts`: for each side and each
        of COUNTED how often each value came, by its text; `worth`: for each side three rows, a number a card. Numbers
        too large for that are refused.
        """
        rows = self.engine.ints(len(sides), matches, width(players))
        worth = [self.engine.ints(3, self.cards) for _ in sides]
        for side, rules in enumerate(sides):
            largest = self._play(rules, who[side], players, seed, first, rows[side], worth[side], [])
            check_sums(largest, max(plain(worth[side][course.HELD])))
            check_sums(max(abs(fact) for row in plain(rows[side]) for fact in row), matches)
        pairs = list(combinations_with_replacement(range(len(sides)), 2))
        return {
            "products": [self._products(rows[a], rows[b], width(players)) for a, b in pairs],
            "counts": [{name: self._counts(rows[i], at) for name, at in COUNTED.items()} for i in range(len(sides))],
            "worth": [plain(table) for table in worth],
        }

    def ends(self, rules: Rules, who: Sequence[Mind], players: int, seed: int, match: int) -> list[Any]:
        """The states in which the rounds of one match ended, at most ENDS of them."""
        blank = self.game.new(players, 0, *rules)
        ends = self.engine.rows([blank] * ENDS)
        rows = self.engine.ints(1, width(players))
        self._play(rules, who, players, seed, match, rows, self.engine.ints(3, self.cards), ends)
        found = ends[: rows[0][ROUNDS]]
        return [self.game.rules.State.load(end) for end in found] if self.engine.compiled else list(found)

    def _play(
        self, rules: Rules, who: Sequence[Mind], players: int, seed: int, first: int, rows: Any, worth: Any, ends: Any
    ) -> int:
        """Fill `rows`, `worth` and `ends`; the largest number by which cards were weighed."""
        starts = self.game.starts(players, *rules)
        table = self.numbered(who, players)
        desk = self.desk([starts[0]] * minds.START + starts, table)
        at = self.table([[seat % len(who) for seat in range(players)]])[0]
        counter = self._counter(players, worth, ends if len(ends) else self.engine.rows(starts[:0]))
        check_end(self.engine.twins[course.play_courses](desk, table, seed, first, at, rows, counter))
        return int(counter.memo[course.LARGEST])

    def _counter(self, players: int, worth: Any, ends: Any) -> course.Counter:
        """Room for a match's memory, its seats, an observation and the hands, before what is to be filled."""
        pieces, ints = self.game.observation.PIECES, self.engine.ints
        memo = ints(MEMORIES)
        memo[course.HAND] = size_of(pieces[: self.hand], players)
        seats, seen, held = ints(3, players), ints(size_of(pieces, players)), ints(players, self.cards)
        return course.Counter(memo, seats, seen, held, worth, ends)

    def _products(self, a: Any, b: Any, wide: int) -> list[list[int]]:
        products = self.engine.ints(wide, wide)
        self.engine.twins[course.add_products](products, a, b)
        return list(plain(products))

    def _counts(self, rows: Any, column: int) -> dict[str, int]:
        counts = self.engine.ints(VALUES)
        self.engine.twins[course.count_values](counts, rows, column)
        return {str(value): n for value, n in enumerate(plain(counts)) if n}


def check_sums(largest: int, count: int) -> None:
    """Refuse numbers of which so many squares may come to more than 64 bits hold, as those of wild options do."""
    if largest * largest * count >> 63:
        raise Refusal("balance_large", given=largest)


def width(players: int) -> int:
    """How many facts a match has."""
    return TABLE + 3 * players


@cache
def courses_of(game_id: str) -> Courses:
    """The counters of a game, one for each process."""
    return Courses(games.find(game_id))
