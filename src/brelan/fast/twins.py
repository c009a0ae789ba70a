"""Compiled twins of plain functions; the plain ones stay as they are.

    twins = Twins(game, playouts)
    legal = twins[game.rules.legal]     # the same function, compiled

A twin is the same code over other globals: every plain function that it calls by a global name is its twin too, a
module's list of ints is a constant array, and `popcount` and `lowest` are one instruction each. The drivers, written
once for all games, call the game as `rules`, `policy` and so on: names that are UNBOUND until the twins of one game
put that game there. All twins of a game are compiled together with `forceinline`, which makes them as fast as C: what
Python asks for is compiled whole, with all that it calls as `parts`. Functions named as `apart` are called and not put
into their callers: where several call the same long ones, that halves the compiling at no loss of speed.

With `compiled=False` the twins are interpreted: the drivers bound to the game, and nothing else changed.
"""

from __future__ import annotations

import dis
from threading import Lock
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from brelan import cards
from brelan.fast.parts import PartCompiler
from brelan.fast.shelf import Shelf, Sources
from brelan.game import Game

OPTIONS = {"nogil": True, "no_cfunc_wrapper": True, "_nrt": False}
"""Twins count no references (`_nrt`): they allocate nothing, and counting took more time than playing."""

BUILTINS = frozenset({"abs", "max", "min", "range"})
"""What rules may call beside functions of ours."""

UNBOUND: Any = None
"""What the names of the game hold in a driver's module, before it is bound to one."""


def copy_row(to: Any, i: int, source: Any, j: int) -> None:
    """to[i] becomes a copy of source[j]."""
    to[i] = source[j].copy()


def _copy_row(to: Any, i: int, source: Any, j: int) -> None:
    to[i] = source[j]  # a record is copied by being set


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(typing: Any, x: Any) -> Any:
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(typing: Any, x: Any) -> Any:
    never_zero = ir.Constant(ir.IntType(1), 1)
    return types.int64(types.int64), lambda context, builder, signature, args: builder.cttz(args[0], never_zero)


def _popcount(x: int) -> Any:
    return _ctpop(x)


def _lowest(x: int) -> Any:
    return _cttz(x)


STANDINS: dict[Any, Any] = {cards.popcount: _popcount, cards.lowest: _lowest, copy_row: _copy_row}


def constant(table: list[Any]) -> Any:
    """A table as the smallest signed array that holds it: an unsigned one would turn its neighbours unsigned. Each
    number has its negative there too, for a number's sign is turned at its own width.
    """
    array = np.array(table, np.int64)
    for kind in (np.int8, np.int16, np.int32):
        if -np.iinfo(kind).max <= array.min() and array.max() <= np.iinfo(kind).max:
            return array.astype(kind)
    return array


def check(twin: FunctionType) -> None:
    """Refuse what rules cannot name: numba would not tell where it stands, and would wait for ever at `print`."""
    for step in dis.get_instructions(twin):
        if step.opname == "LOAD_GLOBAL" and step.argval not in twin.__globals__ and step.argval not in BUILTINS:
            place = f"{twin.__code__.co_filename}:{step.positions and step.positions.lineno}"
            raise ValueError(f"{place}: {step.argval} is no function, whole number or table of them: it has no twin")


def is_table(value: Any) -> bool:
    """Whether it is a list of ints, or of such lists that are equally long."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(x, int) for x in value) or (all(map(is_table, value)) and len(set(map(len, value))) == 1)


class Twins:
    """The twins of one game and of the drivers bound to it, kept on a shelf of their own between two runs."""

    def __init__(self, game: Game, *drivers: Any, compiled: bool = True, apart: frozenset[str] = frozenset()) -> None:
        self.compiled, self.apart = compiled, apart
        self.bound = {
            "rules": game.rules,
            "policy": game.policy,
            "observation": game.observation,
            "better": game.better,
        }
        frozen = {"apart": sorted(apart), "better": self.bound["better"]}  # what no source that is read says
        self.sources = Sources([game.rules, game.policy, game.observation, *drivers], OPTIONS | frozen)
        self.shelf = Shelf(f"{game.id}-{self.sources.digest}")
        self._drivers = {driver.__name__ for driver in drivers}
        self._twins: dict[Any, Any] = {}
        self._spaces: dict[str, dict[str, Any]] = {}
        self._whole: dict[Any, Any] = {}  # those for Python, each from when it and all that it calls have their globals
        self._making = Lock()

    def __getitem__(self, plain: Any) -> Any:
        """The twin of a plain function out of the game's modules or the drivers', for Python to call."""
        if plain not in self._whole:
            with self._making:
                self.shelf.is_open &= self.sources.old
                self._whole[plain] = self._twin(plain, part=False)
        return self._whole[plain]

    def _twin(self, plain: Any, part: bool) -> Any:
        """The twin for Python to call, or the one that is a part of others."""
        if (plain, part) not in self._twins:
            if plain.__module__ not in self.sources.modules:
                raise ValueError(f"{plain.__module__}: twins are made with the modules of all their functions")
            standin = STANDINS.get(plain) if self.compiled else None
            body = standin or plain
            space = body.__globals__ if standin else self._space(plain)
            twin = FunctionType(body.__code__, space, plain.__name__, plain.__defaults__)
            twin.__module__ = plain.__module__
            self._twins[plain, part] = self._jitted(twin, part) if self.compiled else twin
            if not standin:
                self._fill(space, plain)
        return self._twins[plain, part]

    def _jitted(self, plain: FunctionType, part: bool) -> Any:
        plain.__qualname__ = f"{self.shelf.name}.{plain.__name__}"  # no two games' machine code under one name
        if part:
            inline = plain.__name__ not in self.apart
            twin = njit(plain, pipeline_class=PartCompiler, forceinline=inline, no_cpython_wrapper=True, **OPTIONS)
        else:
            twin = njit(plain, **OPTIONS)
            twin._cache = self.shelf.place(f"{plain.__module__}.{plain.__name__}")
        template = twin.get_call_template

        def typed(args: Any, kws: Any) -> Any:
            """One version of a function, not one for each literal number that it is called with."""
            if plain.__module__ not in self._drivers:
                check(plain)
            return template(tuple(map(types.unliteral, args)), {name: types.unliteral(kws[name]) for name in kws})

        twin.get_call_template = typed
        return twin

    def _space(self, plain: FunctionType) -> dict[str, Any]:
        """The globals of the twins of one module's functions."""
        if plain.__module__ not in self._spaces:
            kept = ("__name__", "__builtins__") if self.compiled else tuple(plain.__globals__)
            self._spaces[plain.__module__] = {name: plain.__globals__[name] for name in kept}
        return self._spaces[plain.__module__]

    def _fill(self, space: dict[str, Any], plain: FunctionType) -> None:
        """Give a space what a function of its module names."""
        for name in plain.__code__.co_names:
            if plain.__module__ in self._drivers and name in self.bound:
                space[name] = self._value(self.bound[name])
            elif name in plain.__globals__:
                value = self._value(plain.__globals__[name])
                if value is not None:
                    space[name] = value

    def _value(self, value: Any) -> Any:
        """What stands for a global's value in the twins; None for what they cannot use."""
        if isinstance(value, FunctionType):
            return self._twin(value, part=True) if value.__module__ in self.sources.modules else None
        if isinstance(value, ModuleType):
            return self._module(value) if value.__name__ in self.sources.modules else None
        if not self.compiled or isinstance(value, int | float | tuple | BuiltinFunctionType):
            return value
        return constant(value) if is_table(value) else None

    def _module(self, plain: ModuleType) -> ModuleType:
        """The game's module with its functions' twins in it."""
        twin = ModuleType(plain.__name__)
        for name, value in vars(plain).items():
            if isinstance(value, FunctionType | int) and not name.startswith("_"):
                vars(twin)[name] = self._value(value)
        return twin
