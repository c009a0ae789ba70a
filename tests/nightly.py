"""Many matches with every option drawn at random, each verified strictly; `python -m tests.nightly 50` plays a few.

Seats are random, novice, or both by turns; a match that is not over after SOON moves (a table where chance hardly ever
ends a hand) is played to its end by novices. What fails is told by its number, which repeats it.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from traceback import format_exc

from tqdm import tqdm

from brelan import games
from brelan.cards import below
from brelan.games import GAMES
from brelan.play.record import verify, written
from tests.tables import Table, act, chance_of, generator, walk
from tests.variants import tried

MATCHES = 1_000
SOON = 5_000
LEVELS = (("random",), ("novice",), ("random", "novice"))


def table_of(game_id: str, number: int) -> Table:
    """The table of a match: seats and every option by chance, each value that is tried as likely as the others."""
    game, random = games.find(game_id), generator(number)
    players = game.seats[below(random, len(game.seats))]
    options = {name: found[below(random, len(found))] for name, found in tried(game, players).items()}
    return Table(game, players, "sheet", options)


def played(table: Table, number: int) -> int:
    """Play a match to its end and verify it strictly; its lines."""
    *_, match = walk(table, number, SOON, LEVELS[number % len(LEVELS)])
    chance, random = chance_of(number, table.players), generator(number)
    while not match.over:
        act(match, "novice", random)
        match.deal(chance)
    (again,) = verify(written(match, chance).encode(), strict=True)
    assert (again.state, again.lines) == (match.state, match.lines)
    return len(match.lines)


def told(job: tuple[str, int]) -> tuple[str, int, str]:
    """Game, lines, and what failed."""
    game_id, number = job
    table = table_of(game_id, number)
    try:
        return game_id, played(table, number), ""
    except Exception:
        return game_id, 0, f"match {number} at {table}:\n{format_exc()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "matches", nargs="?", type=int, default=MATCHES, help="of each; %(default)s unless told otherwise"
    )
    matches = parser.parse_args().matches
    failed: list[str] = []
    lines = dict.fromkeys((game.id for game in GAMES), 0)
    jobs = list(product(lines, range(matches)))
    with ProcessPoolExecutor() as pool:
        for game_id, count, failure in tqdm(pool.map(told, jobs, chunksize=10), total=len(jobs), unit=" matches"):
            lines[game_id] += count
            failed += [failure] * bool(failure)
    for game_id, count in lines.items():
        print(f"{game_id}: {matches} matches ended, {count} lines, strictly verified")
    print("\n".join(failed) or "nothing failed", file=sys.stderr if failed else sys.stdout)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
