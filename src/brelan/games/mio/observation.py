"""What a seat of Mio knows, as numbers."""

from __future__ import annotations

from brelan.games.mio.discards import laid_of
from brelan.games.mio.fits import CARDS, LYING
from brelan.games.mio.rules import DECK, State, asked, top
from brelan.pieces import (
    SEATS,
    Piece,
    counts,
    each,
    flags,
    number,
    one_of,
    points,
    seats,
)

PIECES: tuple[Piece, ...] = (
    flags("phase", 4, tells="shuffle, playing, drawing, over"),
    flags("asked", SEATS, tells="whose turn it is"),
    counts(
        "hand",
        31,
        most=10,
        own=True,
        tells="how many the viewer holds of each card: red 1 2 3 4 5 *, Y, B, G, S; the joker",
    ),
    flags("drawn", 31, own=True, tells="the card the viewer drew last in this turn, which alone may be laid (M10)"),
    flags("aside", 31, own=True, tells="the viewer's card that is set aside (M19)"),
    flags("penalty", SEATS, tells="whose card is set aside"),
    flags("top", 36, tells="what lies on top: a card, a joker without a colour, or with R Y B G S named"),
    counts("discards", 31, most=10, tells="how many of each card have been laid"),
    counts("stock", most=55, tells="cards left in the stock"),
    counts("size", SEATS, most=55, tells="cards in each hand, the one set aside not among them"),
    counts("passes", tells="turns passed since a card was laid (O-M1)"),
    counts("round", tells="rounds ended"),
    points("scores", SEATS, tells="points of the match, of which few are good"),
)


def observe(s: State, seat: int, out: list[int]) -> int:
    """Write the pieces, in their order; how many numbers they are."""
    own = max(seat, 0)
    at = one_of(out, 0, s.phase, 4)
    at = seats(out, at, asked(s), seat, s.players)
    for card in range(CARDS):
        out[at + card] = s.hand[own][card] if seat >= 0 else 0
    at = one_of(out, at + CARDS, s.drawn if s.turn == seat else -1, CARDS)
    at = one_of(out, at, s.aside[own] if s.penalty >> own & 1 and seat >= 0 else -1, CARDS)
    at = seats(out, at, s.penalty, seat, s.players)
    at = discards(s, out, at)
    at = number(out, at, DECK - s.next)
    at = each(out, at, s.size, seat, s.players)
    at = number(out, at, s.passes)
    at = number(out, at, s.finished)
    return each(out, at, s.total, seat, s.players)


def discards(s: State, out: list[int], at: int) -> int:
    """The top, and how many of each card lie there; nothing before the first deal."""
    at = one_of(out, at, top(s) if s.laid else -1, LYING)
    for card in range(CARDS):
        out[at + card] = laid_of(s, 1 << card)
    return at + CARDS
