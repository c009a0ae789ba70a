"""A game's minds at work, compiled: one move, or many matches between minds on equal deals."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

from brelan import cards as quick
from brelan.bots import minds, values
from brelan.bots.levels import Mind, net_of
from brelan.errors import Refusal
from brelan.fast import Engine
from brelan.fast.batch import in_blocks
from brelan.fast.engine import Batch, check_end
from brelan.fast.playouts import SCORES
from brelan.game import NOVICE, SHORT, Game, due_cards
from brelan.pieces import size_of

RUNS, DEALS = 2**14, 2**32
"""Seeds of duels: 0 to 2**14 - 1; each is a run of 2**32 deals."""

LONG = frozenset({"tuned", "shortlist", "novice", "imagine", "play", "legal", "observe"})
"""Functions that thinking calls in several places, or that are long."""


def check_seed(seed: int, most: int = RUNS - 1) -> None:
    """Refuse what is no seed of duels, or none that leaves room for others."""
    if seed not in range(most + 1):
        raise Refusal("seed", given=seed, most=most)


def how_of(mind: Mind, place: int, asks: bool) -> minds.How:
    """What compiled code knows of a mind whose weights stand at `place`, and which has a net to ask or has none."""
    how = minds.How()
    how.others = place
    for field in minds.How.fields:
        if field.name != "others":
            setattr(how, field.name, getattr(mind, field.name))
    if not asks:
        how.depth = -1
    elif how.depth >= 0:
        how.hopes = 1  # what a net answers are hopes, and cannot be weighed against points
    return how


class Found(NamedTuple):
    """A mind's move, after so many worlds; and the other moves that these could not tell from it, the best first."""

    move: int
    worlds: int
    close: list[int]


class Thinker:
    """What minds do in one game, and what `drivers` do with them. With `compiled=False` the same, interpreted.

    Safe to use from several threads.
    """

    def __init__(self, game: Game, compiled: bool = True, *drivers: ModuleType) -> None:
        self.game = game
        self.engine = Engine(game, minds, values, *drivers, compiled=compiled, apart=LONG)
        self._nets: dict[tuple[Any, ...], Any] = {}

    def prepare(self) -> None:
        """Compile what `move` needs, or fetch it from the cache."""
        game = self.game
        state: Any = game.new(game.seats[0])
        game.rules.deal(state, due_cards(game.rules, state))
        self.move(state, state.turn, Mind(NOVICE), 0)

    def move(self, state: Any, seat: int, mind: Mind, seed: int) -> int:
        """The move of a mind for an asked seat, from what it may know: a redacted state, or a whole one."""
        return self.found(state, seat, mind, seed).move

    def found(self, state: Any, seat: int, mind: Mind, seed: int) -> Found:
        """The same move, and what else it might have been."""
        alone = self.numbered([mind], state.players)
        desk = self.desk([state] * minds.START, alone, seed)
        move = int(self.engine.twins[minds.think](desk, alone, seat, 0))
        scales, worlds, count = desk.scales, int(desk.left[minds.LOOKS]), int(desk.left[minds.COUNT])
        left = sorted(range(count), key=lambda i: scales.gains[i], reverse=True)
        if left and left[0] and scales.gains[left[0]] > minds.SURE * minds.error(scales, left[0], worlds):
            left.remove(0)  # the policy's own, over which gains are: no search drops it, however far it lies behind
        others = [int(scales.moves[i]) for i in left]
        return Found(move, worlds, [other for other in others if other != move])

    def duels(
        self,
        who: Sequence[Mind],
        order: Sequence[Sequence[int]],
        seed: int,
        first: int,
        deals: int,
        preset: str = "sheet",
        options: dict[str, Any] | None = None,
        cores: int | None = 1,
    ) -> Batch:
        """Play deals first … first+deals-1 of a run, each once for every row of `order` (a mind's place for each seat).

        Match i of the batch is deal first + i // len(order) by row i % len(order). The first seat goes round the table
        from deal to deal. The results do not depend on the cores.
        """
        check_seed(seed)
        players, each = len(order[0]), len(order)
        starts = self.game.starts(players, preset, options)
        results = self.engine.ints(deals * each, SCORES + players)
        rows, both = self.table(order), self.numbered(who, players)
        play = self.engine.twins[minds.play_duels]

        def work(begin: int, end: int) -> None:
            desk = self.desk([starts[0]] * minds.START + starts, both)
            check_end(play(desk, both, seed, (first + begin) * each, rows, results[begin * each : end * each]))

        if cores == 1:
            work(0, deals)
        else:
            in_blocks(work, deals, cores)
        return self.engine.batch(results)

    def desk(self, states: Sequence[Any], who: minds.Minds, seed: int = 0) -> minds.Desk:
        """Room for these minds to think about these states, rows as `minds` names them; a seed begins their luck."""
        engine, game = self.engine, self.game
        scales = minds.Scales(*(engine.ints(max(SHORT, game.rules.ACTIONS) + 1) for _ in range(3)))
        seen = size_of(game.observation.PIECES, states[0].players)
        net = engine.ints(values.ROOM, max(seen, len(who.nets[0][0])))
        moves, cards, random = engine.buffers()
        quick.seed(random, seed)
        chance, left = engine.ints(1), engine.ints(2)
        return minds.Desk(engine.rows(states), scales, left, net, moves, cards, chance, random)

    def numbered(self, who: Sequence[Mind], players: int) -> minds.Minds:
        """What compiled code knows of them at a table of so many."""
        files = tuple(net_of(self.game, mind.values, players) for mind in who)
        if files not in self._nets:
            seen = size_of(self.game.observation.PIECES, players)
            self._nets[files] = self.engine.nets(files, seen + values.LAYERS)
        how = [how_of(mind, i, file is not None) for i, (mind, file) in enumerate(zip(who, files, strict=True))]
        weights = self.table([mind.weights for mind in who])
        return minds.Minds(self.engine.rows(how), weights, self._nets[files])

    def table(self, rows: Sequence[Sequence[int]]) -> Any:
        """Rows of numbers for compiled code; interpreted: lists."""
        filled = self.engine.ints(len(rows), max(map(len, rows)))
        for i, row in enumerate(rows):
            filled[i][: len(row)] = list(row)
        return filled
