"""Compiled play with every index checked: run with NUMBA_BOUNDSCHECK=1, which has to stand before numba is imported.

Without it a compiled rule that reads past the end of a field gets garbage and goes on. With `--minds` bots think there
as well, which takes some minutes to compile.
"""

import sys

from brelan import bots
from brelan.fast import NOVICE, RANDOM
from brelan.game import Game
from brelan.games import GAMES
from tests.bots.minds import minds
from tests.fast import worlds
from tests.fast.engines import drivers, engine
from tests.tables import TABLES, VARIANTS, Table, walk

MATCHES = 30  # at each table
PLIES = 40  # of a match whose states are searched


def is_checked(game: Game) -> bool:
    """Whether a read past the end is an error here."""
    try:
        drivers(game.id, True)[worlds.number_at](engine(game).ints(3), 3)
    except IndexError:
        return True
    return False


def play(table: Table) -> None:
    """Matches, searches and what bots think at a table; an index out of bounds is an IndexError."""
    fast = engine(table.game)
    fast.matches(1, MATCHES, table.players, table.preset, table.options, (NOVICE, RANDOM))
    for ply, match in enumerate(walk(table, 1, PLIES)):
        if ply % 8 == 0 and not match.over:
            seat = match.asked()[0]
            seen = match.game.view.redact(match.state, seat)
            fast.search(seen, seat, 40, seed=ply)
            for mind in minds(table.game, table.preset) if "--minds" in sys.argv else []:
                bots.thinker_of(table.game).found(seen, seat, mind, ply)


def main() -> None:
    for game in GAMES:
        assert is_checked(game), "indices are not checked"
        for table in TABLES + VARIANTS:
            if table.game is game:
                play(table)
        print(game.id, flush=True)


if __name__ == "__main__":
    main()
