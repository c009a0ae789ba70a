"""Long measurements, kept as sums beside their tables: whoever has the source goes on with them, on any machine.

A file holds a line for each pair of bots that has met: at which table, by which versions, over how many deals from the
first one on, and what that came to (`duels.Shares`). Deals are played in their order, so that the sum of the first n
of them says all that the next ones need to know.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from brelan.folders import write
from brelan.lab import runs
from brelan.lab.arena import Block, Plan, Table, play
from brelan.lab.duels import Shares
from brelan.lab.engines import done

Thing = TypeVar("Thing")

Play = Callable[[Plan, Block], Shares]
"""What plays a block."""


def go_on(
    table: Table, plans: Sequence[Plan], file: Path, until: float, play: Play = play, engine: str = "cores"
) -> bool:
    """Play what the plans still want, each for its share of the time, noting every block; whether it is all."""
    for plan in plans:
        held(table, plan, file)
    for plan, share in in_shares(plans, until):
        blocks = left(table, plan)
        came = done(engine, play, plan, begun(blocks, share))
        for block, shares in tqdm(came, total=len(blocks), desc=file.stem, file=sys.stderr, disable=None):
            table.came[block] = shares
            keep(table, file)
    table.came = dict(summed(table, *pair) for pair in pairs_of(table))
    return not any(left(table, plan) for plan in plans)


def begun(blocks: Sequence[Block], until: float) -> Iterator[Block]:
    """One block at least, and then as many as are begun in time: none that was played is lost."""
    for at, block in enumerate(blocks):
        if at and time.monotonic() > until:
            return
        yield block


def in_shares(things: Sequence[Thing], until: float) -> Iterator[tuple[Thing, float]]:
    """Each thing and when its share of the time is up; what has done early leaves time to the others."""
    for rest, thing in zip(range(len(things), 0, -1), things, strict=True):
        now = time.monotonic()
        yield thing, now + (until - now) / rest


def held(table: Table, plan: Plan, file: Path) -> None:
    """Put what a file holds of a plan's pairs into the table; what older versions came to is not theirs."""
    lines = list(runs.entries(file))
    for a, b in plan.met:
        nothing = plan.decides(Block(a, b, 0, 0))
        for of, came in lines:
            if {**of, "deals": 0} == nothing:
                table.came[Block(a, b, 0, of["deals"])] = Shares(**came)


def left(table: Table, plan: Plan) -> list[Block]:
    """What a plan still wants."""
    return plan.blocks({pair: summed(table, *pair)[0].deals for pair in plan.met})


def summed(table: Table, a: str, b: str) -> tuple[Block, Shares]:
    """A pair's blocks as one, as far as no deal is missing: two cores may leave a gap where they were stopped."""
    found = Shares()
    for block in sorted((block for block in table.came if (block.a, block.b) == (a, b)), key=lambda block: block.first):
        if block.first == found.deals:
            found += table.came[block]
    return Block(a, b, 0, found.deals), found


def pairs_of(table: Table) -> list[tuple[str, str]]:
    """Who has met."""
    return list(dict.fromkeys((block.a, block.b) for block in table.came))


def keep(table: Table, file: Path) -> None:
    """Write down every pair's sums, behind what the file holds of others: older versions, or who has not met now."""
    own = [(table.plan.decides(block), came) for block, came in (summed(table, *pair) for pair in pairs_of(table))]
    met = [of | {"deals": 0} for of, _ in own]
    others = [(of, Shares(**came)) for of, came in runs.entries(file) if of | {"deals": 0} not in met]
    lines = [runs.entry(runs.told(of), came) for of, came in others + own if came.deals]
    write(file, "".join(lines))
