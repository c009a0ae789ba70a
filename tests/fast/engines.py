"""Each game's engine, compiled and interpreted, made once; and the tests' own drivers.

The drivers have twins of their own: an engine made with them would be another one than everybody's, compiled anew.
"""

from functools import cache

from brelan import games
from brelan.fast import Engine
from brelan.fast.twins import Twins
from tests.fast import worlds


def engine(game, compiled=True):
    return made(game.id, compiled)


@cache
def made(game_id, compiled):
    return Engine(games.find(game_id), compiled=compiled)


@cache
def drivers(game_id, compiled):
    return Twins(games.find(game_id), worlds, compiled=compiled)


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
