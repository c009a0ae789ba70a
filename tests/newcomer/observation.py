"""What a seat of Newcomer knows, as numbers."""

from __future__ import annotations

from brelan.pieces import (
    SEATS,
    Piece,
    bits,
    counts,
    each,
    flags,
    number,
    one_seat,
    points,
    round_table,
)

from .rules import NONE, State, asked

PIECES: tuple[Piece, ...] = (
    flags("asked", SEATS, tells="whose turn it is"),
    flags("hand", 30, own=True, tells="the viewer's cards"),
    flags("gone", 30, tells="all cards that were played in this round"),
    counts("played", SEATS, most=30, tells="the card each has played in this trick; 0: none"),
    counts("tricks", most=5, tells="tricks ended in this round"),
    counts("rounds", most=3, tells="rounds ended"),
    points("gain", SEATS, tells="the points of this round or the one before"),
    points("scores", SEATS, tells="points"),
)


def observe(s: State, seat: int, out: list[int]) -> int:
    """Write the pieces, in their order; how many numbers they are."""
    at = one_seat(out, 0, s.turn if asked(s) else NONE, seat, s.players)
    at = bits(out, at, s.hand[seat] if seat >= 0 else 0, 30)
    at = bits(out, at, s.gone, 30)
    for i in range(s.players):
        other = round_table(seat, i, s.players)
        laid = asked(s) and (other - s.turn) % s.players >= s.players - s.laid
        at = number(out, at, s.played[other] + 1 if laid else 0)
    at = number(out, at, s.tricks)
    at = number(out, at, s.finished)
    at = each(out, at, s.gain, seat, s.players)
    return each(out, at, s.points, seat, s.players)
