"""Each game's engine, compiled and interpreted, made once; and the tests' own drivers.

The drivers have twins of their own: an engine made with them would be another one than everybody's, compiled anew.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from brelan import games
from brelan.fast import Engine, playouts
from brelan.fast.twins import Twins
from tests.fast import worlds


def engine(game, compiled=True):
    return made(game.id, compiled)


@cache
def made(game_id, compiled):
    return Engine(games.find(game_id), compiled=compiled)


@cache
def drivers(game_id, compiled):
    return Twins(games.find(game_id), playouts, worlds, compiled=compiled)


class Trace(NamedTuple):
    """One match: its states, one more than plies, and for each ply seat, move, number of legal moves, and those."""

    states: Any
    log: list[list[int]]


def trace(table, compiled, run, match, who, limit):
    """One match of a run, ply by ply, as an engine's `matches` plays it; at most so many plies."""
    game, made, twins = table.game, engine(table.game, compiled), drivers(table.game.id, compiled)
    starts = game.starts(table.players, table.preset, table.options)
    plies = np.zeros(limit + 1, made.dtype) if compiled else starts[:1] * (limit + 1)
    log, moves, seats = made.ints(limit, 2), made.ints(game.rules.ACTIONS), np.resize(who, table.players)
    n = twins[worlds.trace](made.rows(starts[:1] + starts), run, match, plies, log, seats, *made.buffers())
    rows = []
    for i in range(n):
        count = twins[worlds.legal_at](plies, i, log[i][worlds.SEAT], moves)
        rows.append([int(x) for x in (*log[i], count, *moves[:count])])
    return Trace(plies[: n + 1], rows)


def column(states, field, compiled):
    """One field of all states, as plain numbers."""
    return states[field.name].tolist() if compiled else [getattr(state, field.name) for state in states]


def assert_same(game, compiled, plain, where):
    """Field by field; a difference is reported by the first state it shows in."""
    for field in game.rules.State.fields:
        fast, slow = column(compiled, field, True), column(plain, field, False)
        if fast != slow:
            ply = next(i for i, (a, b) in enumerate(zip(fast, slow, strict=True)) if a != b)
            raise AssertionError(f"{where}, ply {ply}, field {field.name}: compiled {fast[ply]}, plain {slow[ply]}")
