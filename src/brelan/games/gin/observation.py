"""What a seat of gin knows, as numbers."""

from __future__ import annotations

from brelan.games.gin.rules import State, asked
from brelan.pieces import (
    SEATS,
    Piece,
    bits,
    counts,
    each,
    flags,
    nothing,
    number,
    one_of,
    one_seat,
    points,
    seats,
    sets,
)

PIECES: tuple[Piece, ...] = (
    flags("phase", 7, tells="shuffle, offer, last offer, must draw, drawing, throwing, over"),
    flags("asked", SEATS, tells="whose turn it is"),
    flags("dealer", SEATS, tells="who deals this hand"),
    flags("hand", 52, own=True, tells="the viewer's cards: 13 spades from the ace, hearts, diamonds, clubs"),
    flags("known", SEATS, 52, tells="cards of each hand that the other has seen"),
    flags("taken", 52, tells="the card just taken from the discards, which may not be thrown (G5)"),
    counts("discards", 52, most=52, tells="of each card its place in the discards, 1 on top; 0: it is not there"),
    counts("stock", most=52, tells="cards left in the stock"),
    counts("turns", tells="discards in this hand (O-G6)"),
    counts("round", tells="hands ended"),
    points("scores", SEATS, tells="points of the match"),
)


def observe(s: State, seat: int, out: list[int]) -> int:
    """Write the pieces, in their order; how many numbers they are."""
    at = one_of(out, 0, s.phase, 7)
    at = seats(out, at, asked(s), seat, 2)
    at = one_seat(out, at, s.dealer, seat, 2)
    at = bits(out, at, s.hand[seat] if seat >= 0 else 0, 52)
    at = sets(out, at, s.known, 52, seat, 2)
    at = one_of(out, at, s.taken, 52)
    at = discards(s, out, at)
    at = number(out, at, 52 - s.next)
    at = number(out, at, s.turns)
    at = number(out, at, s.finished)
    return each(out, at, s.total, seat, 2)


def discards(s: State, out: list[int], at: int) -> int:
    """The places of the discards while a hand is played: who ends it throws a card face down."""
    nothing(out, at, 52)
    if asked(s):
        for place in range(s.thrown):
            out[at + s.discards[place]] = s.thrown - place
    return at + 52
