"""What a seat of Elements knows, as numbers."""

from __future__ import annotations

from brelan.games.elements.memory import hand_size
from brelan.games.elements.rules import asked
from brelan.games.elements.state import ELEMENTS, State, starter
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
    flags("phase", 6, tells="elements, shuffle, placing, auction, returning, over"),
    flags("asked", SEATS, tells="who may act"),
    flags("starter", SEATS, tells="the round's first player; at its end the next one's (E22)"),
    flags("leader", SEATS, tells="who led this auction"),
    flags("passed", SEATS, tells="who passed in this auction"),
    flags("ready", SEATS, tells="who gives nothing more back"),
    flags("row", 5, 5, tells="the colour (R Y G B P) at each place of the row, nearest the box first"),
    flags("auction", 5, tells="the place whose point card is played for"),
    flags("beside", 5, 55, own=True, tells="the card beside each place that the viewer may know"),
    flags("placer", 5, SEATS, tells="whose card lies there face down"),
    flags("hand", 55, own=True, tells="the viewer's cards: eleven red from the 0, yellow, green, blue, purple"),
    flags(
        "returned",
        55,
        own=True,
        tells="what the viewer gave back before this deal or, at a round's end, before the next",
    ),
    flags("laid", SEATS, 55, tells="cards laid in this auction"),
    flags("won", SEATS, 55, tells="point cards won in this round"),
    flags("shown", SEATS, 55, tells="cards of each hand that all have seen in this round"),
    flags("drawn", 55, tells="stock cards laid beside vacant elements in this round (E2)"),
    flags("stale", 55, tells="cards that all saw in the round before: nobody kept one of them"),
    counts("held", SEATS, most=11, tells="cards in each hand"),
    counts("kept", SEATS, most=11, tells="cards that each kept before this deal"),
    counts("back", SEATS, most=11, tells="cards that each gave back since the round's end"),
    counts("round", most=5, tells="rounds ended"),
    points("scores", SEATS, tells="points of the rounds ended"),
)


def observe(s: State, seat: int, out: list[int]) -> int:
    """Write the pieces, in their order; how many numbers they are."""
    at = one_of(out, 0, s.phase, 6)
    at = seats(out, at, asked(s), seat, s.players)
    at = one_seat(out, at, starter(s), seat, s.players)
    at = one_seat(out, at, s.leader, seat, s.players)
    at = seats(out, at, s.passed, seat, s.players)
    at = seats(out, at, s.ready, seat, s.players)
    at = row(s, seat, out, at)
    at = bits(out, at, s.hand[seat] if seat >= 0 else 0, 55)
    at = bits(out, at, s.returned[seat] if seat >= 0 else 0, 55)
    at = sets(out, at, s.laid, 55, seat, s.players)
    at = sets(out, at, s.won, 55, seat, s.players)
    at = sets(out, at, s.shown, 55, seat, s.players)
    at = bits(out, at, s.drawn, 55)
    at = bits(out, at, s.stale, 55)
    for i in range(s.players):
        at = number(out, at, hand_size(s, round_table(seat, i, s.players)))
    at = each(out, at, s.kept, seat, s.players)
    at = each(out, at, s.back, seat, s.players)
    at = number(out, at, s.finished)
    return each(out, at, s.total, seat, s.players)


def row(s: State, seat: int, out: list[int], at: int) -> int:
    """The elements, the auction, the cards beside the elements, and who laid those that lie face down."""
    for place in range(5):
        at = one_of(out, at, s.row[place] if s.phase != ELEMENTS else -1, 5)
    at = one_of(out, at, s.auction, 5)
    for place in range(5):
        open_to_viewer = s.placer[place] < 0 or s.placer[place] == seat
        at = one_of(out, at, s.beside[place] if open_to_viewer else -1, 55)
    for place in range(5):
        at = one_seat(out, at, s.placer[place], seat, s.players)
    return at
