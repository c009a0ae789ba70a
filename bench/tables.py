"""What a table takes in memory, read anew as after a restart: `python -m bench.tables`; other work does not matter.

Each game at a table of persons, as many as four, who move by chance: dealt for the first time, after some moves, and at
the match's end. Counted is what Python holds for the table; whoever looks on comes besides.
"""

from __future__ import annotations

import gc
import json
import tracemalloc

import msgspec

from bench.past import begun
from brelan.games import GAMES
from brelan.play.present import zeros
from brelan.play.table import Table
from brelan.server.store.index import decoded

SEATS = 4
STAGES = {"dealt": 0, "12 moves": 12, "end": 800}
"""Moves, at most: a match of gin by chance may go on."""


def held(stored: list[bytes]) -> tuple[Table, int]:
    """A table from its stored events, and the bytes that it holds."""
    gc.collect()
    tracemalloc.start()
    table = Table.rebuilt(zeros, map(decoded, stored))
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return table, size


def main() -> None:
    """Print a line a game and stage, then one line of JSON."""
    figures: dict[str, float] = {}
    for game in GAMES:
        seats = min(SEATS, game.seats[-1])
        for stage, moves in STAGES.items():
            stored = [msgspec.json.encode(event) for event in begun("abcdef", game.id, 1, moves, seats).events]
            held(stored)  # what a game keeps for all its tables is there now
            table, size = held(stored)
            figures[f"{game.id}, {stage} KB"] = round(size / 1000, 1)
            print(f"{game.id}, {stage}: {table.number} events, {size / 1000:.1f} KB")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
