"""Many matches with every option drawn at random, each verified strictly; `python -m tests.nightly 50` plays a few.

Seats are random, novice, or both by turns. A match that is not over after MOST moves (a table where hardly anything
ends a hand) is not recorded, but played again from its lines. What fails is told by its number, which repeats it.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from traceback import format_exc

from tqdm import tqdm

from brelan import games
from brelan.cards import below
from brelan.games import GAMES
from brelan.play.match import Match
from brelan.play.record import verify, written
from tests.tables import Table, chance_of, generator, walk
from tests.variants import tried

MATCHES = 1_000
MOST = 5_000
LEVELS = (("random",), ("novice",), ("random", "novice"))


def table_of(game_id: str, number: int) -> Table:
    """The table of a match: seats and every option by chance, each value that is tried as likely as the others."""
    game, random = games.find(game_id), generator(number)
    players = game.seats[below(random, len(game.seats))]
    options = {name: found[below(random, len(found))] for name, found in tried(game, players).items()}
    return Table(game, players, "sheet", options)


def played(table: Table, number: int) -> tuple[int, bool]:
    """Play and verify a match; its moves, and whether it came to its end."""
    *_, match = walk(table, number, MOST, LEVELS[number % len(LEVELS)])
    if match.over:
        (again,) = verify(written(match, chance_of(number, table.players)).encode(), strict=True)
    else:
        again = repeated(table, match)
    assert (again.state, again.lines) == (match.state, match.lines)
    assert [again.scores, again.winners] == [match.scores, match.winners]
    return len(match.lines), match.over


def repeated(table: Table, match: Match) -> Match:
    """The same match from its lines."""
    again = table.match(match.first)
    for line in match.lines:
        if "shuffle" in line:
            again.shuffle(line["shuffle"])
        else:
            again.move(line["seat"], line["move"])
    return again


def told(job: tuple[str, int]) -> tuple[str, int, bool, str]:
    """Game, moves, whether the match ended, and what failed."""
    game_id, number = job
    table = table_of(game_id, number)
    try:
        return game_id, *played(table, number), ""
    except Exception:
        return game_id, 0, False, f"match {number} at {table}:\n{format_exc()}"


def main(matches: int = MATCHES) -> int:
    failed: list[str] = []
    moves, ended = dict.fromkeys((game.id for game in GAMES), 0), dict.fromkeys((game.id for game in GAMES), 0)
    jobs = list(product(moves, range(matches)))
    with ProcessPoolExecutor() as pool:
        for game_id, count, over, failure in tqdm(pool.map(told, jobs, chunksize=10), total=len(jobs), unit=" matches"):
            moves[game_id] += count
            ended[game_id] += over
            failed += [failure] * bool(failure)
    for game_id in moves:
        failed += [f"{game_id}: fewer than half of its matches ended"] * (2 * ended[game_id] < matches)
        print(f"{game_id}: {matches} matches, {moves[game_id]} lines, {ended[game_id]} ended and strictly verified")
    print("\n".join(failed) or "nothing failed", file=sys.stderr if failed else sys.stdout)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
