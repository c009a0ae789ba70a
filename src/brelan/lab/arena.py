"""Every bot against every other on equal deals, in blocks that any engine may play and that are written down."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from itertools import chain, combinations, count, islice
from math import inf, isfinite
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from brelan import bots, games
from brelan.bots.levels import COMMAND, Level, net_of
from brelan.bots.program import SECONDS
from brelan.bots.thinker import check_seed
from brelan.errors import Refusal, at_least, integer
from brelan.lab import runs
from brelan.lab.duels import Shares, rotations, shares
from brelan.lab.ladder import ladder
from brelan.lab.players import ASKING, FAULTY, Player, check_player, duel, level_of, luck, player
from brelan.play.match import Match
from brelan.play.shuffle import Chance, simulated

BLOCK, STARTED = 25, 5
"""Deals of a block, unless the plan says otherwise: the second where programs are started for it, and one where
somebody of ours searches, which takes time.
"""

BLOCKS = 10**6
"""Blocks of a run, at most: each is held in memory with what it came to, in about 1 KB."""

SAME = 1e-6
"""Of a smaller reach only rounding is left: every deal came to the same."""

TIMED, ENOUGH = 200, 10.0
"""Moves of each bot whose time is taken, and the seconds after which those of a program are enough."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays what, on which deals. Nothing else has a say in the result."""

    game: str
    bots: tuple[str, ...]
    players: int
    preset: str = "sheet"
    options: Mapping[str, Any] = field(default_factory=dict)
    deals: int = 1000
    seed: int = 8192
    pairs: tuple[tuple[str, str], ...] = ()  # who meets whom; none named: everybody everybody
    block: int = 0  # deals that are played between two entries in the file; 0: by who plays them
    seconds: float = SECONDS  # that a program has for a move; no file holds what programs came to, so none tells them
    salt: str = ""  # in the keys of programs' shuffles: who does not know it cannot make their deals again

    def check(self) -> None:
        """Refuse what cannot be played, before anything is."""
        game = games.find(self.game)
        game.settle(self.players, self.preset, self.options)
        check_seed(self.seed)
        named = [self.named(bot) for bot in self.bots]
        if twice := [bot for bot in named if named.count(bot) > 1]:
            raise Refusal("named_twice", given=twice[0])
        if len(named) < 2:
            raise Refusal("arena_bots")
        if bare := [bot for bot in self.bots if self.asks_in_vain(bot)]:
            raise Refusal("net_missing", given=bare[0], players=self.players)
        at_least(1, self.most, deals=integer("deals", self.deals))
        for bot in self.bots:
            check_player(bot, game, self.seconds)

    def level(self, bot: str) -> Level:
        return level_of(games.find(self.game), bot, self.preset)

    def asks_in_vain(self, bot: str) -> bool:
        """Whether a net was named for it, and there is none for this table, where it would play as if without."""
        asked = ASKING in bot and not bot.startswith(COMMAND)
        return asked and net_of(games.find(self.game), self.level(bot).mind.values, self.players) is None

    @property
    def met(self) -> tuple[tuple[str, str], ...]:
        """Who meets whom."""
        return self.pairs or tuple(combinations(self.bots, 2))

    @property
    def in_all(self) -> int:
        """The matches of all pairs."""
        return len(self.met) * self.deals * len(rotations(self.players))

    @property
    def most(self) -> int:
        """The deals of which there are BLOCKS."""
        return int(BLOCKS / sum(1 / self.size(*pair) for pair in self.met))

    def blocks(self, played: Mapping[tuple[str, str], int] | None = None) -> list[Block]:
        """All there is to play behind the deals that pairs have played: by turns, so that all have early figures."""
        starts = {pair: range((played or {}).get(pair, 0), self.deals, self.size(*pair)) for pair in self.met}
        blocks = [
            Block(*pair, at, min(firsts.step, self.deals - at)) for pair, firsts in starts.items() for at in firsts
        ]
        return sorted(blocks, key=lambda block: block.first)

    def size(self, *pair: str) -> int:
        """Deals of a block of a pair."""
        if self.block or any(bot.startswith(COMMAND) for bot in pair):
            return self.block or STARTED
        return 1 if any(self.level(bot).mind.worlds for bot in pair) else BLOCK

    def decides(self, block: Block) -> dict[str, Any]:
        """What a block's result hangs on: the rules, the table, the seed, its deals, the versions of its two bots."""
        game = games.find(self.game)
        options = game.changes(self.players, self.preset, self.options)
        table = {"game": self.game, "players": self.players, "preset": self.preset, "options": options}
        by = {"revision": game.revision, "seed": self.seed}
        return {**table, **by, **asdict(block), "a": self.named(block.a), "b": self.named(block.b)}

    def chance(self, deal: int) -> Chance:
        """The chance of a deal that is played move by move."""
        name = f"duel-{self.seed}-{deal}"
        return simulated(f"{name}-{self.salt}" if self.salt else name, self.players, self.seed, deal)

    def named(self, bot: str) -> str:
        """A bot by its version, which the next release may not have as its newest."""
        return bot if bot.startswith(COMMAND) else self.level(bot).id


@dataclass(frozen=True, slots=True)
class Block:
    """Some deals of a pair."""

    a: str
    b: str
    first: int
    deals: int

    @property
    def by_program(self) -> bool:
        """Whether somebody's program plays in it."""
        return self.a.startswith(COMMAND) or self.b.startswith(COMMAND)


def play(plan: Plan, block: Block) -> Shares:
    """Play a block in this thread: compiled as a whole, or move by move where somebody's program plays."""
    if block.by_program:
        return by_moves(plan, block)
    order = rotations(plan.players)
    who = [plan.level(block.a).mind, plan.level(block.b).mind]
    options = dict(plan.options)
    batch = bots.thinker_of(games.find(plan.game)).duels(
        who, order, plan.seed, block.first, block.deals, plan.preset, options
    )
    return shares(batch, plan.players, order)


def by_moves(plan: Plan, block: Block, player: Callable[[str, float], Player] = player) -> Shares:
    """The same, one move after another, by a player for each seat, which knows what that seat may know.

    Who does not answer with a legal move in time has lost, and begins anew. A match that does not end is everybody's.
    """
    game, order = games.find(plan.game), rotations(plan.players)
    who = [[player(name, plan.seconds) for _ in range(plan.players)] for name in (block.a, block.b)]
    faults, endless = [0, 0], 0
    whys: list[Refusal | None] = [None, None]
    rows: list[list[int]] = []
    try:
        for deal in range(block.first, block.first + block.deals):
            for at in order:
                table = [who[mind][seat] for seat, mind in enumerate(at)]
                match, fault = duel(game, table, deal % plan.players, plan.preset, plan.options, plan.chance(deal))
                if not fault:
                    rows.append(row_of(match, match.winners if match.over else range(plan.players)))
                    endless += not match.over
                else:  # the others have won: those who play the same lose with it, or whoever is lost would gain by it
                    lost = at[fault.seat]
                    rows.append(row_of(match, [seat for seat, mind in enumerate(at) if mind != lost]))
                    faults[lost] += 1
                    FAULTY.add((block.a, block.b)[lost])
                    whys[lost] = whys[lost] or Refusal("bot_lost", deal=deal, seat=fault.seat, why=fault.why)
                    table[fault.seat].close()
    finally:
        for one in chain(*who):
            one.close()
    found = shares(bots.thinker_of(games.find(plan.game)).engine.batch(rows), plan.players, order)
    return replace(found, faults=faults[0], faults_b=faults[1], endless=endless, why=whys[0], why_b=whys[1])


def row_of(match: Match, winners: Sequence[int]) -> list[int]:
    """A match as a row of a batch, won by these seats."""
    won = sum(1 << seat for seat in winners)
    scores = [match.game.rules.score(match.state, seat) for seat in range(match.players)]
    return [len(match.lines) - match.shuffles, match.state.finished, won, *scores]


def run(plan: Plan, engine: str = "here", file: Path | None = None) -> Iterator[tuple[Block, Shares]]:
    """Every block with what it came to: first those that the file holds, then the others as they are played.

    Those of a program are always played: behind the same command it may be another one by now.
    """
    plan.check()
    return runs.run(plan, play, block_read, engine, file, lasts=lambda block: not block.by_program)


def block_read(**came: Any) -> Shares:
    """What a file says that a block came to; what programs lost by stands in none."""
    found = Shares(**came)
    *numbers, why, why_b = astuple(found)
    if not all(map(isfinite, numbers)) or why or why_b:
        raise ValueError("no number")
    return found


# ---------------------------------------------------------------- time


@dataclass(frozen=True, slots=True)
class Pace:
    """Milliseconds that a bot's moves take, on one core."""

    median: float
    p99: float
    most: float


def pace(plan: Plan, bot: str, moves: int = TIMED, clock: Callable[[], float] = time.perf_counter) -> Pace | None:
    """The time of a bot's moves at a table where all play as it does, of moves that leave a choice; None: it failed.

    Our own bots can be timed by the processor's clock (`time.thread_time`), which others' work does not disturb.
    """
    table = [player(bot, plan.seconds) for _ in range(plan.players)]
    try:
        times = islice(_times(plan, table, clock), moves + 1)
        next(times)  # it waited for the compiler
        taken = list(_in_time(times, ENOUGH if bot.startswith(COMMAND) else inf))
    except Refusal:
        return None
    finally:
        for one in table:
            one.close()
    return Pace(median(taken), quantiles(taken, n=100, method="inclusive")[98], max(taken))


def _in_time(times: Iterator[float], seconds: float) -> Iterator[float]:
    """Those that come in so many seconds, but two at least: of fewer there are no percentiles."""
    until = time.monotonic() + seconds
    yield from islice(times, 2)
    while time.monotonic() < until and (took := next(times, None)) is not None:
        yield took


def _times(plan: Plan, table: Sequence[Player], clock: Callable[[], float]) -> Iterator[float]:
    """Milliseconds of move after move, in match after match."""
    game = games.find(plan.game)
    for number in count():
        match = Match(game, plan.players, number % plan.players, plan.preset, dict(plan.options))
        chance = simulated(f"pace-{number}", plan.players, plan.seed, number)
        match.deal(chance)
        while not match.over:
            seat = match.asked()[0]
            choice = len(match.legal(seat)) > 1
            began = clock()
            move = table[seat].move(match, seat, luck(chance, match))
            took = 1000 * (clock() - began)
            match.move(seat, move)
            match.deal(chance)
            if choice:
                yield took


# ---------------------------------------------------------------- what it came to


@dataclass(slots=True)
class Table:
    """What every block came to, and what follows for every pair."""

    plan: Plan
    came: dict[Block, Shares] = field(default_factory=dict)

    def of(self, a: str, b: str) -> Shares:
        """A pair's blocks, added in the order of their deals: the same to the last digit, however they came."""
        found = sorted((block.first, came) for block, came in self.came.items() if (block.a, block.b) == (a, b))
        return sum((came for _, came in found), Shares())

    def alone(self, a: str, b: str) -> tuple[float, float, int] | None:
        """The share of wins of one `a` among `b`s, half the width of its 95 % interval, and deals; None: never met.

        Of a pair that was played as b and a, what each b won beside the lone a says what that one kept.
        A share that was the same in every deal, or in the only one, may still lie three deals in all away from the
        truth (rule of three); no share lies farther from it than all wins from none.
        """
        chance, rest = 1 / self.plan.players, self.plan.players - 1
        if (found := self.of(a, b)).deals:
            share, reach = chance + found.mean(), found.reach()
        elif (found := self.of(b, a)).deals:
            # here b is the A of the duels: `few` tells what one b won beside the lone a, and the rest was that one's
            share, reach = 1 - rest * (chance + found.mean("few")), rest * found.reach("few")
        else:
            return None
        told = SAME < reach < inf
        return share, min(1.0, reach if told else 3 / found.deals), found.deals

    @property
    def met(self) -> dict[tuple[str, str], tuple[float, float, int]]:
        """What was found of all who met, one alone among the others."""
        bots = self.plan.bots
        pairs = {(a, b): self.alone(a, b) for a in bots for b in bots if a != b}
        return {pair: found for pair, found in pairs.items() if found}

    def ratings(self) -> dict[str, float]:
        """Points on the ladder."""
        return ladder(self.plan.bots, self.met, self.plan.players)

    def faults(self) -> dict[str, int]:
        """The matches that bots lost by what was no move, of those who did."""
        return self._counted(lambda came: (came.faults, came.faults_b))

    def endless(self) -> dict[str, int]:
        """The matches of bots that did not end, of those who had some."""
        return self._counted(lambda came: (came.endless, came.endless))

    def _counted(self, of: Callable[[Shares], tuple[int, int]]) -> dict[str, int]:
        """How many matches there were of what is counted for both of a block, by bot."""
        found = dict.fromkeys(self.plan.bots, 0)
        for block, came in self.came.items():
            for bot, n in zip((block.a, block.b), of(came), strict=True):
                found[bot] += n
        return {bot: n for bot, n in found.items() if n}

    def whys(self) -> dict[str, Refusal]:
        """What the first fault was of each who had one."""
        first: dict[str, Refusal | None] = {}
        for block, came in sorted(self.came.items(), key=lambda item: item[0].first):
            for bot, why in ((block.a, came.why), (block.b, came.why_b)):
                first[bot] = first.get(bot) or why
        return {bot: why for bot, why in first.items() if why}
