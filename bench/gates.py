"""How many worlds and which gate: what a search gains, played again and again with the worlds of one long look.

    python -m bench.gates [--game mio] [--positions 200] [--patience 8 64] [--points]

At positions of the policy's matches against itself every move of the shortlist is played in many worlds. A search draws
some of them, drops moves and asks its gate as `bots.minds` does; the mean over the worlds that it did not draw stands
for the truth, by which it gains what its move is better than the policy's own. Told as a part of what the best moves
gain by the mean over all worlds, which is a little too high, since that chose them; and in brackets in how many of a
hundred looks the move is worse than the policy's: what people see as a mistake. Intervals are by match.
With --points the searches count a round's points, as gin's first versions did, whatever those are worth in the match;
not where few points are good.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, product
from math import inf, sqrt
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from brelan import bots, cards, games
from brelan.bots import minds
from brelan.bots.levels import Mind
from brelan.bots.thinker import Thinker
from brelan.lab.duels import student
from brelan.play.match import Match
from brelan.play.shuffle import simulated

SEED, LONG, AGAIN, SELDOM = 9201, 2048, 12, 30
"""The worlds of a long look; how often each search draws from them; one turn of so many is looked at."""

WORLDS, GATES = (64, 256, 512), (0.0, 0.5, 1.0, 1.5, 2.0)
TABLES = (("gin", 2, "classic"), ("mio", 2, "sheet"), ("hawaiki", 2, "sheet"), ("companeros", 3, "sheet"),
          ("elements", 3, "sheet"))  # fmt: skip


class Position(NamedTuple):
    """In a match: what its moves gain, a row for each world, the policy's own first; and as searches count it."""

    match: int
    gains: Any
    counted: Any


@dataclass(frozen=True, slots=True)
class Looker:
    """A table of the policy's, and what its long looks need."""

    thinker: Thinker
    players: int
    preset: str
    points: bool = False  # the searches count points

    def positions(self) -> Iterator[Position]:
        """One position after another."""
        game, skilled = self.thinker.game, bots.find(self.thinker.game, "skilled", self.preset).mind
        random = [0]
        cards.seed(random, SEED)
        for number in count():
            match = Match(game, self.players, number % self.players, self.preset)
            chance = simulated(f"gates-{number}", self.players, SEED, number)
            match.deal(chance)
            while not match.over:
                seat = match.asked()[0]
                if cards.below(random, SELDOM) == 0 and (gains := self.look(match.state, seat, skilled)) is not None:
                    yield Position(number, gains, self.counted(match.state, seat, skilled) if self.points else gains)
                move = self.thinker.move(match.state, seat, skilled, cards.below(random, 1 << 30))
                match.move(seat, game.notation.move_text(move))
                match.deal(chance)

    def counted(self, state: Any, seat: int, mind: Mind) -> Any:
        """What every move gains in points, in the same worlds."""
        return self.look(state, seat, replace(mind, hopes=0))

    def look(self, state: Any, seat: int, mind: Mind) -> Any:
        """What every move of the shortlist gains over the first in many worlds; None where there is no choice."""
        thinker = self.thinker
        who = thinker.numbered([mind], state.players)
        desk = thinker.desk([state] * minds.START, who, SEED)
        shortlist, look = (thinker.engine.twins[found] for found in (thinker.game.policy.shortlist, minds.look))
        n = shortlist(desk.states[minds.MATCH], seat, who.weights[0], desk.scales.moves, desk.random)
        if n < 2:
            return None
        gains = np.zeros((LONG, n))
        for world in gains:
            desk.scales.gains[:n] = [0] * n
            look(desk, who, seat, 0, n)
            world[:] = desk.scales.gains[:n]
        return gains


def searched(gains: Any, gate: float, patience: int) -> int:
    """The move that a search makes which sees these worlds, one after another (`minds.search`)."""
    count, worlds = gains.shape[1], patience
    sums, squares = gains.cumsum(0), (gains**2).cumsum(0)
    scales = minds.Scales(list(range(count)), [0] * count, [0] * count)

    def seen(worlds: int) -> None:
        left = scales.moves[:count]
        scales.gains[:count], scales.squares[:count] = (total[worlds - 1][left].tolist() for total in (sums, squares))

    while count > 1 and worlds <= len(gains):
        seen(worlds)
        count = minds.drop(scales, count, worlds)
        worlds *= 2
    seen(len(gains))
    best = minds.best_of(scales, count)
    return scales.moves[best] if scales.gains[best] > gate * minds.error(scales, best, len(gains)) else 0


class Found(NamedTuple):
    """What searches gain, as a part of what the best moves do; half of its 95 % interval; what part of them lose."""

    part: float
    reach: float
    worse: float


def gained(positions: list[Position], worlds: int, gate: float, patience: int) -> Found:
    """What searches of so many worlds find at all positions, each looked at again and again."""
    random = np.random.default_rng(SEED)
    most, found, worse = defaultdict[int, float](float), defaultdict[int, float](float), 0
    for match, gains, counted in positions:
        most[match] += AGAIN * gains.mean(0).max()
        for order in (random.permutation(LONG) for _ in range(AGAIN)):
            gain = gains[order[worlds:]].mean(0)[searched(counted[order[:worlds]], gate, patience)]
            found[match] += gain
            worse += gain < 0
    total, more = sum(most.values()), len(most) - 1
    part = sum(found.values()) / total
    spread = sum((found[match] - part * most[match]) ** 2 for match in most) * len(most)
    reach = student(more) * sqrt(spread / more) / total if more else inf
    return Found(part, reach, worse / (AGAIN * len(positions)))


def natural(given: str) -> int:
    """A whole number from 1 on."""
    number = int(given)
    if number < 1:
        raise ValueError(given)
    return number


def main() -> int:
    parser = argparse.ArgumentParser("python -m bench.gates")
    parser.add_argument("--game", choices=[name for name, *_ in TABLES], help="the only one that is looked at")
    parser.add_argument("--positions", type=natural, default=200, help="how many of each game (%(default)s)")
    parser.add_argument("--patience", type=natural, nargs="+", default=[Mind().patience], help="worlds before a drop")
    parser.add_argument("--points", action="store_true", help="searches count points, whatever those are worth")
    asked = parser.parse_args()
    print("| game | worlds | patience |" + "".join(f" gate {gate} |" for gate in GATES))
    print("|---|---|---|" + "---|" * len(GATES))
    for name, players, preset in TABLES:
        if asked.game in (None, name) and not (asked.points and games.find(name).lowest_wins):
            looks = Looker(bots.thinker_of(games.find(name)), players, preset, asked.points).positions()
            bar = tqdm(range(asked.positions), desc=name, file=sys.stderr, disable=None)
            positions = [next(looks) for _ in bar]
            for worlds, patience in product(WORLDS, asked.patience):
                found = [gained(positions, worlds, gate, patience) for gate in GATES]
                cells = "".join(
                    f" {100 * one.part:.0f} ± {100 * one.reach:.0f} % ({100 * one.worse:.1f}) |" for one in found
                )
                print(f"| {games.find(name).title} | {worlds} | {patience} |{cells}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
