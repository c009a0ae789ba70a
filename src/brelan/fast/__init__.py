"""The same rules at the speed of C: playouts, batches over all cores, search. Only this package knows numba.

    engine = Engine(games.find("gin"))
    engine.matches(seed=1, count=1000).wins        # played by uniformly random moves
    engine.search(state, seat=0, simulations=2000, seed=7)

An engine compiles each thing when it is first asked for; `prepare` compiles matches and search, for a thread in the
background.
"""

from brelan.fast.engine import Batch, Engine
from brelan.game import NOVICE, RANDOM

__all__ = ["NOVICE", "RANDOM", "Batch", "Engine"]
