"""Fitting a net of `bots/values.py` to playouts: what the seats may hope for in positions that the policy brings about.

Block after block of positions is collected, each seen once before it is learnt from, so that its error is that on
positions the net does not know. The steps are Adam's (Kingma and Ba 2015), smaller and smaller as the plan ends.
What a run comes to depends on its plan alone, and on how sums are added up: on another processor, or with another
number of threads, a net's numbers differ by one here and there. After every block it writes down where it stands, and
goes on there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from math import cos, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from brelan import games
from brelan.bots import values
from brelan.bots.levels import find, weighed
from brelan.bots.thinker import check_seed
from brelan.errors import Refusal, at_least
from brelan.fast import Engine
from brelan.fast.batch import in_blocks
from brelan.folders import drafted
from brelan.game import SHORT, TUNED
from brelan.lab.runs import of_a_run
from brelan.pieces import size_of

BLOCK, PART = 8192, 1024
"""Positions that are learnt from before the run is written down, and those that one thread collects at a time."""

BATCH, PASSES = 256, 2
"""Positions of a step; how often each block is gone through."""

UNITS = 2, 4096
"""The fewest that a net has, whose last row holds two numbers, and the most."""

RATE = 0.002
"""The first steps' length."""

LONG = frozenset({"tuned", "shortlist", "imagine", "play", "legal", "observe"})
"""Functions that collecting calls in several places."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be learnt. A seed of 0 to 999 fixes everything but the last digits of sums."""

    game: str
    players: int
    preset: str = "sheet"
    seed: int = 1
    blocks: int = 300
    units: int = 64
    worlds: int = 4  # playouts of each position
    level: str = "skilled"  # whose weights all play by

    def check(self) -> None:
        """Refuse what cannot be learnt, before anything is played."""
        game = games.find(self.game)
        game.settle(self.players, self.preset)
        if find(game, self.level, self.preset).mind.kind != TUNED:
            raise Refusal("level", given=self.level, known=", ".join(weighed(game)))
        at_least(1, blocks=self.blocks, worlds=self.worlds)
        at_least(*UNITS, units=self.units)
        check_seed(self.seed, 999)

    def by_version(self) -> Plan:
        """The same with its level by its version, which the next release may not have as its newest."""
        return replace(self, level=find(games.find(self.game), self.level, self.preset).id)

    def check_net(self, file: Path) -> None:
        """Refuse a name by which nobody would find the net (`bots.levels.net_of`) or could ask for it."""
        if not re.fullmatch(rf"[^.,+]+\.{self.players}\.npz", file.name):
            raise Refusal("net_name", given=file, players=self.players)


@dataclass(slots=True)
class Standing:
    """Where a run stands: what was learnt, with the means of its gradients and of their squares."""

    block: int
    layers: list[Any]  # inputs by units, biases, output, what the answer begins with
    means: list[Any]
    squares: list[Any]
    scale: Any  # by what each input is divided
    middle: float  # what the outlook came to in the first block: mean
    spread: float  # and standard deviation
    unexplained: float = 1.0  # of the last block's variance, before it was learnt from

    def said(self, inputs: Any) -> Any:
        """What the net makes of inputs: the hidden units, and the answer."""
        weights, biases, output, begin = self.layers
        hidden = np.clip(inputs @ weights + biases, 0, 1)
        return hidden, hidden @ output + begin


class Training:
    """A run; `file` is where it writes down how it stands."""

    def __init__(self, plan: Plan, file: Path | None = None) -> None:
        self.plan, self.file = plan.by_version(), file
        self.game = games.find(plan.game)
        self.game.settle(plan.players, plan.preset)
        self.engine = Engine(self.game, values, apart=LONG)
        self.inputs = size_of(self.game.observation.PIECES, plan.players)
        self.standing = self._resumed() or self._begun()

    # ---------------------------------------------------------------- positions

    def positions(self, block: int) -> tuple[Any, Any]:
        """What is seen in a block's positions, and what came of them on the average."""
        plan, each = self.plan, BLOCK // PART
        rows = self.engine.ints(BLOCK, self.inputs + 1)
        starts = self.game.starts(plan.players, plan.preset)
        weights = np.array(find(self.game, plan.level, plan.preset).mind.weights, np.int64)
        width = max(SHORT, self.game.rules.ACTIONS, self.inputs) + 1
        gather = self.engine.twins[values.gather]

        def work(first: int, last: int) -> None:
            states, room = self.engine.rows([starts[0]] * values.STARTS + starts), self.engine.ints(values.ROOM, width)
            _, cards, random = self.engine.buffers()
            gatherer = values.Gatherer(states, weights, room, cards, random)
            for part in range(first, last):
                gather(gatherer, plan.seed, block * each + part, rows[part * PART : (part + 1) * PART], plan.worlds)

        in_blocks(work, each, None)
        return rows[:, :-1].astype(np.float32), (rows[:, -1] / plan.worlds).astype(np.float32)

    # ---------------------------------------------------------------- learning

    def _begun(self) -> Standing:
        """Hidden units half awake, whose answers cancel out."""
        seen, came = self.positions(0)
        random, units = np.random.default_rng(self.plan.seed), self.plan.units
        reach = 0.5 / sqrt((seen != 0).sum(1).mean())
        layers = [random.normal(0, reach, (self.inputs, units)), np.full(units, 0.5)]
        layers += [random.normal(0, 1 / sqrt(units), units), np.zeros(1)]
        layers = [layer.astype(np.float32) for layer in layers]
        means, squares = ([np.zeros_like(layer) for layer in layers] for _ in range(2))
        scale = np.maximum(1, np.abs(seen).max(0))
        return Standing(0, layers, means, squares, scale, float(came.mean()), float(came.std()) or 1.0)

    def run(self) -> Iterator[Standing]:
        """Block after block, as far as the plan goes."""
        while self.standing.block < self.plan.blocks:
            self._block()
            self._write()
            yield self.standing

    def _block(self) -> None:
        at = self.standing
        at.block += 1
        seen, came = self.positions(at.block)
        seen, came = seen / at.scale, (came - at.middle) / at.spread
        at.unexplained = float(np.mean((at.said(seen)[1] - came) ** 2) / came.var())
        steps = PASSES * (BLOCK // BATCH)
        for step in range(steps):
            first = step * BATCH % BLOCK
            self._step((at.block - 1) * steps + step, seen[first : first + BATCH], came[first : first + BATCH])

    def _step(self, step: int, seen: Any, came: Any) -> None:
        """One of Adam's, by the mean square error."""
        at = self.standing
        hidden, answer = at.said(seen)
        wrong = (answer - came) / BATCH
        back = np.outer(wrong, at.layers[2]) * ((hidden > 0) & (hidden < 1))
        slopes = [seen.T @ back, back.sum(0), hidden.T @ wrong, wrong.sum(keepdims=True)]
        rate = RATE * (1 + cos(pi * step / (self.plan.blocks * PASSES * (BLOCK // BATCH)))) / 2
        for layer, mean, square, slope in zip(at.layers, at.means, at.squares, slopes, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            root = np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-8
            layer -= rate * (mean / (1 - 0.9 ** (step + 1))) / root

    # ---------------------------------------------------------------- what is written down

    def _write(self) -> None:
        if self.file:
            at = self.standing
            kept = {f"{name}{i}": part for name in LAYERED for i, part in enumerate(getattr(at, name))}
            kept["numbers"] = np.array([at.block, at.middle, at.spread, at.unexplained])
            keep(self.file, plan=np.array(json.dumps(self._written())), scale=at.scale, **kept)

    def _written(self) -> dict[str, Any]:
        """What the run hangs on, as its file says it: the plan and the rules."""
        return asdict(self.plan) | {"revision": self.game.revision}

    def _resumed(self) -> Standing | None:
        if not self.file or not self.file.exists():
            return None
        with of_a_run(self.file), self.file.open("rb") as held, np.load(held) as kept:
            if json.loads(str(kept["plan"])) != self._written():
                raise Refusal("run_other", file=self.file)
            layers, means, squares = ([kept[f"{name}{i}"] for i in range(values.LAYERS + 1)] for name in LAYERED)
            block, middle, spread, unexplained = map(float, kept["numbers"])
            return Standing(int(block), layers, means, squares, kept["scale"], middle, spread, unexplained)

    def net(self) -> Any:
        """What was learnt as a net of whole numbers: `bots/values.py` says how it is read."""
        at = self.standing
        weights, biases, output, begin = at.layers
        output, first = output * at.spread, float(begin[0]) * at.spread + at.middle
        unit = int(max(np.abs(output).max(), abs(first)) // FULL) + 1
        rows = np.zeros((self.inputs + values.LAYERS, self.plan.units))
        rows[: self.inputs] = weights / at.scale[:, None] * values.ONE
        rows[self.inputs + values.BIASES] = biases * values.ONE
        rows[self.inputs + values.OUTPUT] = output / unit
        rows[self.inputs + values.LAST, :2] = first / unit, unit
        return np.clip(np.rint(rows), -FULL, FULL).astype(np.int16)

    def keep(self, file: Path) -> None:
        """Write the net down for bots to play by, as `<values>.<players>.npz` in the game's room."""
        keep(file, net=self.net())


def keep(file: Path, **arrays: Any) -> None:
    """Write arrays down under exactly this name, whole or not at all."""
    with drafted(file) as draft, draft.open("wb") as out:
        np.savez_compressed(out, **arrays)


LAYERED = ("layers", "means", "squares")
"""What a standing holds of each layer."""

FULL = np.iinfo(np.int16).max
"""The largest number of a net."""


def told(plan: Plan, standing: Standing, net: Path) -> dict[str, Any]:
    """A net's lineage, as `levels.toml` holds it; of its file only the name, whichever folder it was written to."""
    usual = Plan(plan.game, plan.players)
    command = f"brelan train {plan.game} --players {plan.players} --level {plan.level}"
    command += "".join(
        f" --{name} {value}"
        for name, value in asdict(plan).items()
        if name not in ("game", "players", "level") and value != getattr(usual, name)
    )
    command += f" --net {net.name}"
    figures = f"{standing.block * BLOCK:,} positions, {plan.worlds} playouts each by {plan.level}"
    unexplained = f"unexplained of their variance: {100 * standing.unexplained:.1f} %"
    return {"command": command, "figures": f"{figures}; {unexplained}"}
