"""What a seat of Compañeros knows, as numbers."""

from __future__ import annotations

from brelan.games.companeros.rules import State, asked
from brelan.pieces import (
    SEATS,
    Piece,
    bits,
    counts,
    each,
    flags,
    number,
    one_of,
    one_seat,
    points,
    round_table,
    seats,
    sets,
)

PIECES: tuple[Piece, ...] = (
    flags("phase", 4, tells="shuffle, playing, taking, over"),
    flags("asked", SEATS, tells="whose turn it is"),
    flags("leader", SEATS, tells="who leads the trick or, once it is counted, the next one"),
    flags("opener", SEATS, tells="who leads the round's first trick (C8, O-C2)"),
    flags("waiting", SEATS, tells="who may still take from the pot"),
    flags("hand", 60, own=True, tells="the viewer's cards: ten red from the 1, yellow, green, blue, purple, orange"),
    flags("pot", 60, tells="the cards in the pot"),
    flags("played", SEATS, 60, tells="the card each seat has played in this trick"),
    flags("captured", SEATS, 60, tells="the cards each seat has taken"),
    counts("tricks", most=9, tells="tricks ended in this round"),
    counts("rounds", tells="rounds still to end, this one among them"),
    points("scores", SEATS, tells="points of the rounds ended"),
)


def observe(s: State, seat: int, out: list[int]) -> int:
    """Write the pieces, in their order; how many numbers they are."""
    at = one_of(out, 0, s.phase, 4)
    at = seats(out, at, asked(s), seat, s.players)
    at = one_seat(out, at, s.leader, seat, s.players)
    at = one_seat(out, at, s.opener, seat, s.players)
    at = seats(out, at, s.waiting, seat, s.players)
    at = bits(out, at, s.hand[seat] if seat >= 0 else 0, 60)
    at = bits(out, at, s.pot, 60)
    for i in range(s.players):
        at = bits(out, at, s.trick & 1 << s.played[round_table(seat, i, s.players)], 60)
    at = sets(out, at, s.captured, 60, seat, s.players)
    at = number(out, at, s.tricks)
    at = number(out, at, s.rounds - s.finished)
    return each(out, at, s.total, seat, s.players)
