"""Engine: one game's rules compiled, behind a face of plain Python and numpy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from brelan import cards as quick
from brelan.errors import Refusal, at_least, at_table, integer
from brelan.fast import playouts, search
from brelan.fast.batch import in_blocks
from brelan.fast.playouts import DECISIONS, ENDLESS, ROUNDS, SCORES, WINNERS
from brelan.fast.twins import Twins
from brelan.game import NOVICE, RANDOM, Game, legal_moves, not_asked
from brelan.schema import Plain

RUNS = 2**30
"""Seeds: 0 to 2**30 - 1; each is a run of 2**32 matches that have no number in common with another run."""

PIECE = 4096
"""Matches that are played in one go on one core: compiled code cannot be interrupted, and nobody waits for more."""

Ints = NDArray[np.int64]


def net_in(file: Any, height: int) -> Any:
    """The net that a file holds. Compiled code would read on behind one that was made for another table."""
    packed = file.read_bytes()
    try:
        with np.load(BytesIO(packed)) as held:
            net = held["net"]
    except Exception:  # a spoilt archive fails in any of its layers, each with errors of its own
        raise Refusal("net_other", file=file) from None
    if net.dtype != np.int16 or net.ndim != 2 or len(net) != height:
        raise Refusal("net_other", file=file)
    return net


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Batch:
    """What became of many matches, a row each; the columns are named by the properties."""

    results: Ints

    @property
    def decisions(self) -> Ints:
        """Moves made in each match."""
        return self.results[:, DECISIONS]

    @property
    def rounds(self) -> Ints:
        """Rounds played in each match."""
        return self.results[:, ROUNDS]

    @property
    def winners(self) -> Ints:
        """A number for each match, with bit i set where seat i has won: 1 is seat 0 alone, 2 seat 1, 3 both."""
        return self.results[:, WINNERS]

    @property
    def scores(self) -> Ints:
        """The points of each match's seats, one column a seat."""
        return self.results[:, SCORES:]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each match's victory, one column a seat; a shared one counts as a part for each."""
        won = self.winners[:, None] >> np.arange(self.scores.shape[1]) & 1
        shares: NDArray[np.float64] = won / np.maximum(won.sum(1, keepdims=True), 1)
        return shares

    @property
    def wins(self) -> list[float]:
        """Victories of each seat."""
        return [float(n) for n in self.shares.sum(0)]

    def __eq__(self, other: object) -> bool:
        """Whether all their matches came to the same; of two arrays numpy would say it number by number."""
        return isinstance(other, Batch) and np.array_equal(self.results, other.results)

    def __repr__(self) -> str:
        """What there is, by name: the rows alone would not say which column is which."""
        return f"<{len(self.results)} matches, wins {self.wins}; decisions, rounds, winners, scores, shares by match>"

    @staticmethod
    def mask(order: Sequence[Sequence[int]]) -> Any:
        """Where the first of two sits, by rows of who sits where."""
        return np.array(order) == 0


class Engine:
    """A game at full speed. With `compiled=False` the same, interpreted: slow, and for checking.

    `modules` are further modules whose functions `twins` shall compile, such as a bot's; `apart` names those that are
    called and not put into their callers. Safe to use from several threads, the first calls too: twins are made by one
    at a time, and what is worked on is made anew for each call.
    """

    def __init__(self, game: Game, *modules: Any, compiled: bool = True, apart: frozenset[str] = frozenset()) -> None:
        self.game, self.compiled = game, compiled and not numba.config.DISABLE_JIT
        self.twins = Twins(game, playouts, search, *modules, compiled=self.compiled, apart=apart)
        self.dtype = np.dtype(game.rules.State.layout(), align=True)

    def prepare(self) -> None:
        """Compile what plays matches and searches, or fetch it from the cache."""
        self.matches(0, 0)
        self._search(self.game.new(self.game.seats[0]), 0, 0, 0, RANDOM)

    # ---------------------------------------------------------------- matches

    def matches(
        self,
        seed: int,
        count: int,
        players: int | None = None,
        preset: str = "sheet",
        options: Mapping[str, Any] | None = None,
        who: Sequence[int] = (RANDOM,),
        cores: int | None = 1,
    ) -> Batch:
        """Play matches 0 … count-1 of run `seed` on so many cores (None: all); `who` plays, repeated around the table.

        The first seat goes round the table from match to match. The results do not depend on the cores.
        """
        count = integer("count", count)
        at_least(0, count=count)
        starts = self._starts(players, preset, options)
        results = self.ints(count, SCORES + len(starts))
        play = self.twins[playouts.play_matches]
        seats = self._seats(who, len(starts))

        def work(first: int, last: int) -> None:
            table = self.rows(starts[:1] + starts)
            with hinting(self.compiled):
                check_end(play(table, run_of(seed), first, results[first:last], seats, *self.buffers()))

        if cores == 1:
            for first in range(0, count or 1, PIECE):  # none are played at least once: so `prepare` compiles
                work(first, min(first + PIECE, count))
        else:
            in_blocks(work, count, cores, PIECE)
        return self.batch(results)

    # ---------------------------------------------------------------- search

    def search(self, state: Any, seat: int, simulations: int, seed: int, who: int = NOVICE) -> int:
        """A good move for an asked seat, from what it may know; `who` plays the rounds out. Changes nothing.

        The state may be redacted for the seat or whole: what the seat cannot know is imagined anew in any case.
        """
        simulations, seed = integer("simulations", simulations), integer("seed", seed)
        at_least(1, simulations=simulations)
        seat = at_table(seat, state.players)
        if not legal_moves(self.game.rules, state, seat):
            raise not_asked(self.game.rules, state, seat)
        return self._search(state, seat, simulations, seed, baseline(who))

    def _search(self, state: Any, seat: int, simulations: int, seed: int, who: int) -> int:
        tree, room = self.copies(search.Node(), simulations + 1), self.buffers()
        path, gains, where = self.ints(simulations), self.ints(state.players), self.ints(self.game.rules.ACTIONS)
        walk = search.Walk(self.rows([state, state]), tree, path, gains, where, *room)
        quick.seed(walk.random, seed)
        return int(self.twins[search.search](walk, seat, who))

    # ---------------------------------------------------------------- what crosses the border

    def rows(self, states: Sequence[Plain]) -> Any:
        """Plain states as an array of records, which compiled code works on; interpreted: a list of copies."""
        if not self.compiled:
            return [state.copy() for state in states]
        rows = np.zeros(len(states), np.dtype(states[0].layout(), align=True) if states else self.dtype)
        for row, state in zip(rows, states, strict=True):
            state.store(row)
        return rows

    def copies(self, state: Plain, count: int) -> Any:
        """So many rows of one plain state."""
        return np.repeat(self.rows([state]), count) if self.compiled else self.rows([state] * count)

    def batch(self, results: Any) -> Batch:
        """Rows of results, as `ints` made them."""
        return Batch(np.asarray(results))

    def ints(self, *shape: int) -> Any:
        """Zeros, as an array of int64; interpreted: lists."""
        zeros = np.zeros(shape, np.int64)
        return zeros if self.compiled else zeros.tolist()

    def nets(self, files: Sequence[Any], height: int) -> Any:
        """The net of so many rows that each file holds, filled up with zeros; no file: zeros. Interpreted: lists."""
        read = [net_in(file, height) if file else np.zeros((1, 1), np.int16) for file in files]
        held = np.zeros((len(read), *np.max([net.shape for net in read], axis=0)), np.int16)
        for row, net in zip(held, read, strict=True):
            row[: len(net), : len(net[0])] = net
        return held if self.compiled else held.tolist()

    def buffers(self) -> tuple[Any, Any, Any]:
        """Room for legal moves, room for cards to shuffle, and a generator."""
        return self.ints(self.game.rules.ACTIONS + 1), self.ints(self.game.rules.DECK), self.ints(1)

    def _starts(self, players: int | None, preset: str, options: Mapping[str, Any] | None) -> list[Plain]:
        """The match about to begin, for each first seat."""
        players = self.game.seats[0] if players is None else players
        return self.game.starts(players, preset, options)

    def _seats(self, who: Sequence[int], players: int) -> Any:
        if not who:
            raise Refusal("who")
        at_least(1, players, who=len(who))
        seats = self.ints(players)
        for seat in range(players):
            seats[seat] = baseline(who[seat % len(who)])
        return seats


@contextmanager
def hinting(compiled: bool) -> Iterator[None]:
    """A fault of rules comes out of compiled code without its line."""
    try:
        yield
    except Exception as error:
        if compiled and not isinstance(error, Refusal):
            error.add_note("brelan: compiled=False plays the same interpreted, and names the line where it fails")
        raise


def check_end(match: int) -> None:
    """Refuse a match that compiled code names as one that does not end, as options may let it."""
    if match >= 0:
        raise Refusal("endless", match=int(match), most=ENDLESS)


def baseline(who: int) -> int:
    """Who plays out, or the refusal of anybody else: compiled code would take them for one who plays at random."""
    if who not in (RANDOM, NOVICE):
        raise Refusal("argument", name="who", given=who, allowed=f"{RANDOM} (RANDOM) | {NOVICE} (NOVICE)")
    return who


def run_of(seed: int) -> int:
    """The seed of a run, or the refusal of what is none."""
    if (run := integer("seed", seed)) not in range(RUNS):
        raise Refusal("seed", given=run, most=RUNS - 1)
    return run
