"""A game declares its state once, as a class body of annotations; everything else is derived.

    class State(Plain):
        total: int                          # an int of 64 bits, from 0 to MANY
        phase: int = within(0, 5)           # from 0 to 5
        turn: int = one_seat()              # one of the seats at the table
        hand: list[int] = ints(2)           # two of them
        taken: list[list[int]] = ints(6, 9) # six rows of nine
        stock: list[int] = cards(52)        # 52 cards, one byte each

From it come a slots class over ints and lists (what is played at a person's table), its copy,
equality, hash and JSON, and the layout of the numpy record that compiled code works on. Compiled
code looks at no bounds: a state that comes from elsewhere is held to what is declared here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Self

MANY = 10**12
"""More points, or rounds, than any match comes to, and far from what 64 bits do not hold."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a state: its name, numpy's code for its numbers, its shape, () for a plain int, and what they may
    be; the most of a seat's number is the last seat's at the table.
    """

    name: str
    code: str
    shape: tuple[int, ...]
    least: int
    most: int | None

    def zero(self) -> str:
        """The source of its first value."""
        source = "0"
        for length in reversed(self.shape):
            source = f"[0] * {length}" if source == "0" else f"[{source} for _ in range({length})]"
        return source

    def copied(self, value: str) -> str:
        """The source of a copy of its value."""
        if not self.shape:
            return value
        return f"{value}[:]" if len(self.shape) == 1 else f"[row[:] for row in {value}]"


@dataclass(frozen=True, slots=True)
class _Shape:
    code: str
    shape: tuple[int, ...]
    least: int = 0
    most: int | None = MANY


def within(least: int, most: int) -> Any:
    """A plain int with the least and the most that it may be."""
    return _Shape("i8", (), least, most)


def one_seat(least: int = 0) -> Any:
    """The number of a seat at the table, or what stands for none."""
    return _Shape("i8", (), least, None)


def ints(*shape: int, least: int = 0, most: int = MANY) -> Any:
    """A row of ints of 64 bits, or rows of them: card sets, scores, counts."""
    return _Shape("i8", shape, least, most)


def cards(*shape: int, least: int = -1, most: int = 127) -> Any:
    """A row of small ints from -128 to 127, one byte each: cards in their order, HIDDEN ones among them."""
    return _Shape("i1", shape, least, most)


def of_shape(value: Any, *sizes: int) -> bool:
    """Whether these are whole numbers, so many each way; one without any size."""
    if not sizes:
        return type(value) is int
    return isinstance(value, list) and len(value) == sizes[0] and all(of_shape(row, *sizes[1:]) for row in value)


def numbers_in(value: Any) -> Iterable[int]:
    """The numbers of a field, row after row."""
    return chain.from_iterable(map(numbers_in, value)) if isinstance(value, list) else [value]


class _StateType(type):
    """Turns annotations into slots and writes the code that must know every field."""

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _StateType:
        if not bases:
            return super().__new__(mcs, name, bases, body)
        fields = tuple(_fields(body))
        for field in fields:
            body.pop(field.name, None)
        body["__slots__"] = tuple(f.name for f in fields)
        body["fields"] = fields
        cls = super().__new__(mcs, name, bases, body)
        for method, code in _methods(cls, fields).items():
            setattr(cls, method, code)
        return cls


def _fields(body: dict[str, Any]) -> Iterable[Field]:
    annotated = _annotated(body)
    for name in body:
        if isinstance(body[name], _Shape) and name not in annotated:
            raise TypeError(f"{name}: a field is annotated, as “{name}: list[int] = ints(…)”")
    for name, said in annotated.items():
        kind = body.get(name, _Shape("i8", ()))
        if not isinstance(kind, _Shape) or (not kind.shape and str(said).startswith("list")):
            raise TypeError(f"{name}: a field is a plain int, ints(…) or cards(…)")
        if hasattr(Plain, name):
            raise TypeError(f"{name}: every State has something of this name; call the field otherwise")
        yield Field(name, kind.code, kind.shape, kind.least, kind.most)


def _annotated(body: dict[str, Any]) -> dict[str, Any]:
    """What a class says its fields are; since Python 3.14 that is worked out when it is asked for."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, call_annotate_function, get_annotate_from_class_namespace

        if made := get_annotate_from_class_namespace(body):
            return call_annotate_function(made, Format.FORWARDREF)
    return dict(body.get("__annotations__", {}))


def _methods(cls: type, fields: tuple[Field, ...]) -> dict[str, Any]:
    """__init__, copy and key, unrolled: an interpreted copy costs one instruction a field, not a loop."""
    lines = ["def __init__(s):"]
    lines += [f"    s.{f.name} = {f.zero()}" for f in fields]
    lines += ["def copy(s):", "    t = new(cls)"]
    lines += [f"    t.{f.name} = {f.copied(f's.{f.name}')}" for f in fields]
    lines += ["    return t", "def key(s):", "    return (" + ", ".join(f"s.{f.name}" for f in fields) + ",)"]
    space: dict[str, Any] = {"new": object.__new__, "cls": cls}
    exec("\n".join(lines), space)  # noqa: S102  (the text above, made of field names only)
    return {name: space[name] for name in ("__init__", "copy", "key")}


class Plain(metaclass=_StateType):
    """What every game's State inherits: the work that is the same whatever the fields are."""

    __slots__ = ()
    fields: ClassVar[tuple[Field, ...]]

    def copy(self) -> Self:
        """An independent copy."""
        raise NotImplementedError  # written for each State

    def key(self) -> tuple[Any, ...]:
        """Every field's value, in order; the lists are the state's own."""
        raise NotImplementedError  # written for each State

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and type(self) is type(other) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(repr(self.key()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.from_json({self.to_json()})"

    def to_json(self) -> dict[str, Any]:
        """The fields by name, as JSON holds them."""
        return {f.name: value for f, value in zip(self.fields, self.copy().key(), strict=True)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The state that `to_json` wrote; a ValueError names the field that is not as it is declared."""
        state = cls()
        for field in cls.fields:
            if not of_shape(data.get(field.name), *field.shape):
                raise ValueError(f"{field.name}: not whole numbers of the shape {field.shape}")
            most = data["players"] - 1 if field.most is None else field.most
            for number in numbers_in(data[field.name]):
                if not field.least <= number <= most:
                    raise ValueError(f"{field.name}: {number} is not from {field.least} to {most}")
            setattr(state, field.name, data[field.name])
        return state.copy()

    @classmethod
    def layout(cls) -> list[tuple[str, str, tuple[int, ...]]]:
        """What `numpy.dtype` needs for the record of this state; eight-byte fields first, so that none is padded."""
        order = sorted(cls.fields, key=lambda f: f.code, reverse=True)
        return [(f.name, f.code, f.shape) for f in order]

    def store(self, record: Any) -> None:
        """Write every field into a numpy record of `layout`."""
        for field in self.fields:
            record[field.name] = getattr(self, field.name)

    @classmethod
    def load(cls, record: Any) -> Self:
        """The plain state a numpy record of `layout` holds; no numpy number stays in it."""
        state = cls()
        for field in cls.fields:
            setattr(state, field.name, record[field.name].tolist())
        return state
