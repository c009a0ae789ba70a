"""What a seat knows, as a row of numbers: the pieces it is made of, and the few things an `observation.py` calls.

A game declares its pieces in `PIECES` and writes them, in that order, by `observe(s, seat, out)`, in the dialect of
the rules: the same source serves a person's notebook and the compiled environments. Seats are counted from the viewer,
its own first, then clockwise; a spectator counts from seat 0 and holds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, TypeVar

from brelan.errors import Refusal

if TYPE_CHECKING:
    import numpy as np  # noqa: TID251  (for its types)
    from numpy.typing import NDArray  # noqa: TID251

Kind = TypeVar("Kind", bound="np.generic")

SEATS = 0
"""In the shape of a piece: as many as there are players."""

MOST = 10**9
"""What no number of an observation exceeds: larger ones are written as this."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A named part of an observation: its shape, the least and most of its numbers, and what they tell."""

    name: str
    shape: tuple[int, ...]
    least: int
    most: int
    tells: str
    own: bool = False  # something in it is known to the viewer alone

    def shape_for(self, players: int) -> tuple[int, ...]:
        """The shape at a table of so many."""
        return tuple(players if length == SEATS else length for length in self.shape)

    def size(self, players: int) -> int:
        """How many numbers those are."""
        return prod(self.shape_for(players))


def flags(name: str, *shape: int, tells: str, own: bool = False) -> Piece:
    """A piece of zeros and ones."""
    return Piece(name, shape, 0, 1, tells, own)


def counts(name: str, *shape: int, most: int = MOST, tells: str, own: bool = False) -> Piece:
    """A piece of whole numbers from 0."""
    return Piece(name, shape, 0, most, tells, own)


def points(name: str, *shape: int, tells: str) -> Piece:
    """A piece of whole numbers of either sign."""
    return Piece(name, shape, -MOST, MOST, tells)


def size_of(pieces: Sequence[Piece], players: int) -> int:
    """How many numbers an observation has."""
    return sum(piece.size(players) for piece in pieces)


def split(pieces: Sequence[Piece], players: int, observation: NDArray[Kind]) -> dict[str, NDArray[Kind]]:
    """The pieces of an array of observations by name: views of it, the last axis replaced by each piece's shape."""
    size, given = size_of(pieces, players), observation.shape[-1]
    if given != size:
        raise Refusal("observation", players=players, size=size, given=given)
    found, at = {}, 0
    for piece in pieces:
        end = at + piece.size(players)
        shape = (*observation.shape[:-1], *piece.shape_for(players))
        found[piece.name] = observation[..., at:end].reshape(shape)
        at = end
    return found


# ---------------------------------------------------------------- what `observe` calls: each answers the next place


def bits(out: list[int], at: int, members: int, length: int) -> int:
    """A set, as a zero or a one for each of the first `length` things it may hold."""
    for i in range(length):
        out[at + i] = members >> i & 1
    return at + length


def one_of(out: list[int], at: int, value: int, length: int) -> int:
    """A one at the place of a value, all zeros where it is none of them."""
    for i in range(length):
        out[at + i] = 0
    if value >= 0 and value < length:
        out[at + value] = 1
    return at + length


def number(out: list[int], at: int, value: int) -> int:
    """A number, held within MOST."""
    out[at] = min(max(value, -MOST), MOST)
    return at + 1


def nothing(out: list[int], at: int, length: int) -> int:
    """So many zeros."""
    for i in range(length):
        out[at + i] = 0
    return at + length


def round_table(seat: int, i: int, players: int) -> int:
    """The i-th seat as the viewer counts them."""
    return (max(seat, 0) + i) % players


def seats(out: list[int], at: int, members: int, seat: int, players: int) -> int:
    """A set of seats, the viewer's own first."""
    for i in range(players):
        out[at + i] = members >> round_table(seat, i, players) & 1
    return at + players


def one_seat(out: list[int], at: int, member: int, seat: int, players: int) -> int:
    """A one for one seat, the viewer's own first; all zeros where `member` is none."""
    return seats(out, at, 1 << member if member >= 0 else 0, seat, players)


def each(out: list[int], at: int, values: list[int], seat: int, players: int) -> int:
    """A number for each seat, the viewer's own first."""
    for i in range(players):
        number(out, at + i, values[round_table(seat, i, players)])
    return at + players


def sets(out: list[int], at: int, values: list[int], length: int, seat: int, players: int) -> int:
    """A set for each seat, the viewer's own first."""
    for i in range(players):
        at = bits(out, at, values[round_table(seat, i, players)], length)
    return at
