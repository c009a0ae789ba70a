"""Matches: many matches of one game side by side, in arrays; every environment here is a face of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from numbers import Real
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from brelan import cards, games
from brelan.envs import steps
from brelan.envs.steps import LEARNER, POINTS, WIN
from brelan.errors import Illegal, Refusal, at_least, integer
from brelan.fast import NOVICE, RANDOM, Engine
from brelan.fast.batch import cores_of
from brelan.fast.engine import run_of
from brelan.game import Game
from brelan.pieces import size_of

WHO = {"random": RANDOM, "novice": NOVICE, "self": LEARNER}
"""Who the others are: any legal move; the game's own cheap sensible player; the learner too, seat by seat."""

REWARDS = {"points": POINTS, "win": WIN}
"""What a step pays: what it changes in the rules' own score (less is better: its negative), or the share of victory."""

Opponents = Literal["random", "novice", "self"]
"""The names of `WHO`."""

Reward = Literal["points", "win"]
"""The names of `REWARDS`."""

Ints = NDArray[np.int64]


class Table(TypedDict, total=False):
    """What every environment may be told of its table, for who reads types; `Matches` says what is usual."""

    players: int | None
    preset: str
    options: Mapping[str, Any] | None
    reward: Reward
    first: int | None
    compiled: bool


@cache
def engine_of(game: str, compiled: bool) -> Engine:
    """The twins of a game with the steps: made once, for all its environments."""
    return Engine(games.find(game), steps, compiled=compiled)


def named(kind: str, given: str, known: Mapping[str, int]) -> int:
    """The number of a name, or a refusal that says which there are."""
    if given not in tuple(known):  # whatever it is: a list cannot be asked for in a mapping
        raise Refusal("argument", name=kind, given=given, allowed=" | ".join(known))
    return known[given]


def penalty_of(given: float | None) -> float | None:
    """What ends a match at an illegal action, if anything does, or the refusal of what is no number."""
    if given is None or (isinstance(given, Real) and not isinstance(given, bool)):
        return given
    raise Refusal("number", name="illegal_reward", given=repr(given))


def without_options(given: Mapping[str, Any] | None) -> None:
    """Refuse what a reset is asked for besides its seed: the rules are those of the environment."""
    if given:
        raise Refusal("reset_options", given=", ".join(map(str, given)))


def bounds(game: Game, players: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The least and the most of each number of an observation."""
    sizes = [piece.size(players) for piece in game.observation.PIECES]
    least = np.repeat([piece.least for piece in game.observation.PIECES], sizes)
    most = np.repeat([piece.most for piece in game.observation.PIECES], sizes)
    return least.astype(np.int32), most.astype(np.int32)


def refused(game: Game, state: Any, seat: int, action: int) -> Refusal:
    """Why an action of the seat that is asked is not legal."""
    if action not in range(game.rules.ACTIONS):
        return Refusal("argument", name="action", given=action, allowed=f"0 … {game.rules.ACTIONS - 1}")
    return Illegal(game.id, game.view.why_not(state, seat, action), game.notation.move_text(action))


class Matches:
    """`count` matches at one kind of table.

    After `begin` and after each `step`: `seats` (count) who is asked, -1 where the match is over; `gains` (count,
    players) what the last step brought each seat. With `opponents` other than "self" only seat 0 is ever asked. Who
    leads is `first`, or anybody (None). `cores`: how many to work on, all where None; the results do not depend on it.
    """

    def __init__(
        self,
        game: str,
        count: int,
        players: int | None = None,
        preset: str = "sheet",
        options: Mapping[str, Any] | None = None,
        opponents: Opponents = "self",
        reward: Reward = "points",
        first: int | None = None,
        cores: int | None = 1,
        compiled: bool = True,
    ) -> None:
        count = integer("count", count)
        at_least(1, count=count)
        cores = cores_of(cores)
        self.engine = engine_of(games.find(game).id, compiled)
        self.game, self.compiled = self.engine.game, self.engine.compiled
        self.players = self.game.seats[0] if players is None else integer("players", players)
        starts = self.game.starts(self.players, preset, options)
        self.options = self.game.settle(self.players, preset, options)
        self.first = -1 if first is None else integer("first", first)
        if first is not None and self.first not in range(self.players):
            raise Refusal("first", given=first, most=self.players - 1)
        self.reward = named("reward", reward, REWARDS)
        others = named("opponents", opponents, WHO)
        self.size, self.actions = size_of(self.game.observation.PIECES, self.players), self.game.rules.ACTIONS
        self._who = self.engine.ints(self.players)
        for seat in range(1, self.players):
            self._who[seat] = others
        self._who[0] = LEARNER
        self._starts = self.engine.rows(starts)
        self.states = self.engine.copies(starts[0], count)
        self._scores, self._random = self.engine.ints(count, self.players), self.engine.ints(count, 1)
        self.seats: Ints = np.full(count, steps.NOBODY)
        self.gains = np.zeros((count, self.players))
        self._illegal = np.zeros(count, np.bool_)
        self._blocks = blocks(count, min(cores, count) if self.compiled else 1)
        self._begin_threads()
        self._room = [self.engine.buffers()[:2] for _ in self._blocks]
        self.seed(0)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy plays on from: the engine is that of all matches, and threads cannot be copied."""
        return {name: held for name, held in vars(self).items() if name not in ("engine", "_pool")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self.engine = engine_of(self.game.id, self.compiled)
        self._begin_threads()

    def _begin_threads(self) -> None:
        """One for each block; none for a single one. They are this process's own: none comes along into a fork."""
        self._pool = ThreadPoolExecutor(len(self._blocks)) if len(self._blocks) > 1 else None
        self._process = os.getpid()

    def seed(self, run: int) -> None:
        """Start each row's own generator from 0 <= run < 2**30; it is 0 unless told."""
        for row in range(len(self.seats)):
            cards.seed(self._random[row], run_of(run) << 32 | row)

    def begin(self) -> None:
        """A new match in every row."""
        self.seats[:] = steps.NOBODY
        self.step(np.zeros(len(self.seats), np.int64))

    def step(self, actions: Ints, penalty: float | None = None) -> None:
        """Play an action in each row where somebody is asked, and begin a new match in the others.

        An illegal one is refused, and nothing is played; with a penalty it ends its match instead. Refused as well is
        a table at which the others end every match before the learner is asked.
        """
        actions = self._row("actions", actions)
        self._check(actions, penalty)
        begins = self.seats < 0
        twin, fine = self.engine.twins[steps.step_rows], float(penalty or 0)  # for a whole number all is compiled anew

        def work(a: int, b: int, moves: Any, deck: Any) -> None:
            row = (self.seats[a:b], self._scores[a:b], self.gains[a:b], self._who, self.reward)
            acted = (actions[a:b], self._illegal[a:b], fine)
            twin(self._part(a, b), self._starts, self.first, *row, *acted, moves, deck, self._random[a:b])

        self._in_blocks(work)
        if (self.seats[begins] < 0).any():
            raise Refusal("unasked", most=steps.TRIES)

    def look(self, viewers: Ints, observations: NDArray[np.int32], masks: NDArray[np.int8]) -> None:
        """Write what each row's viewer observes (count, size), and what it may do (count, actions)."""
        viewers = self._row("viewers", viewers)
        twin = self.engine.twins[steps.look_rows]

        def work(a: int, b: int, moves: Any, deck: Any) -> None:
            seen = (self.seats[a:b], viewers[a:b])
            twin(self._part(a, b), *seen, observations[a:b], masks[a:b], moves)

        self._in_blocks(work)

    def state(self, row: int) -> Any:
        """A row's match as a plain state, which its owner may change."""
        return self.game.rules.State.load(self.states[row]) if self.compiled else self.states[row].copy()

    def _row(self, name: str, given: Ints) -> Ints:
        """A number for each row, as the twins are compiled to read them; they look at no shape."""
        if given.shape != (len(self.seats),) or given.dtype.kind not in "iu":
            raise Refusal("numbers", name=name, wanted=self.seats.shape, kind=given.dtype, given=given.shape)
        return np.ascontiguousarray(given, np.int64)

    def _check(self, actions: Ints, penalty: float | None) -> None:
        twin = self.engine.twins[steps.illegal_row]
        row = twin(self.states, self.seats, actions, self._illegal, self._room[0][0])
        if row >= 0 and penalty is None:
            raise refused(self.game, self.state(row), int(self.seats[row]), int(actions[row]))

    def _part(self, a: int, b: int) -> Any:
        """Some of the states; interpreted there is one block only, for a slice of a list would be a copy."""
        return self.states[a:b] if self.compiled else self.states

    def _in_blocks(self, work: Callable[[int, int, Any, Any], None]) -> None:
        """The rows' work, a block for each core."""
        jobs = list(zip(self._blocks, self._room, strict=True))
        if self._pool is None:
            [((a, b), room)] = jobs
            work(a, b, *room)
        else:
            if self._process != os.getpid():
                self._begin_threads()
            for done in [self._pool.submit(work, a, b, *room) for (a, b), room in jobs]:
                done.result()

    def close(self) -> None:
        """Let go of the threads."""
        if self._pool:
            self._pool.shutdown()


def blocks(count: int, cores: int) -> Sequence[tuple[int, int]]:
    """range(count) in as many parts, all about as long."""
    edges = [count * core // cores for core in range(cores + 1)]
    return list(pairwise(edges))
