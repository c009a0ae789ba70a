"""What a seat of Hawaiki knows, as numbers."""

from __future__ import annotations

from brelan.games.hawaiki.bags import KINDS, has, size
from brelan.games.hawaiki.memory import NONE, SUNK
from brelan.games.hawaiki.moves import asked
from brelan.games.hawaiki.state import State
from brelan.pieces import (
    SEATS,
    Piece,
    counts,
    each,
    flags,
    nothing,
    number,
    one_of,
    one_seat,
    points,
    round_table,
    seats,
)

BELOW = 6
"""Cards shown in their order under each top: no more can come to light between two shuffles by sacrifices alone."""

PIECES: tuple[Piece, ...] = (
    flags("phase", 10, tells="shuffle, rebuild, hiding, acting, window, naming, answering, rehiding, retrying, over"),
    flags("asked", SEATS, tells="who may act"),
    flags("actor", SEATS, tells="whose turn it is"),
    flags("starter", SEATS, tells="who starts the round, or will start the next"),
    flags("made", 5, tells="what the last card made: nothing, pair, run, colour, three"),
    flags("passing", 4, tells="the last card was laid; the hidden card was laid; another turn follows; no card found"),
    counts("naming", most=2, tells="names still to be said"),
    counts("passes", most=6, tells="turns in a row that found no card (H17)"),
    counts("owing", SEATS, most=2, tells="cards each must draw with thanks"),
    flags("sacrificed", SEATS, tells="who has sacrificed in this round (H26)"),
    flags("retried", SEATS, tells="who has taken a second chance in this round (H27)"),
    counts(
        "hand", 35, most=2, own=True, tells="how many the viewer holds of each card: seven P from the 1, G, O, Y, B"
    ),
    counts("mine", 35, most=2, own=True, tells="what the viewer drew unseen since the last shuffle"),
    counts("known", SEATS, 35, most=2, tells="what everybody knows of each hand"),
    flags("hides", SEATS, tells="who has a hidden card (H25)"),
    flags("hidden", SEATS, 35, own=True, tells="the hidden card where the viewer knows it"),
    counts("count", SEATS, most=70, tells="cards in each hand"),
    flags("tops", 3, 35, tells="the card on top of each pile"),
    counts("below", 3, 6, most=35, tells="the six cards under it, 1 + the card's number; 0: none"),
    counts("piles", 3, 35, most=2, tells="what lies on each pile"),
    counts("sunk", 6, most=35, tells="cards sacrificed under the stock, 1 + the card's number; 0: none"),
    counts("stock", most=76, tells="cards left in the stock"),
    counts("heap", 35, most=2, tells="what was shuffled last, less what everybody saw being drawn of it"),
    counts("drawn", SEATS, most=70, tells="unseen cards each drew since then"),
    counts("laid", SEATS, 35, most=2, tells="what each laid since then that could be of those"),
    counts("round", tells="rounds ended"),
    points("scores", SEATS, tells="tokens left"),
)


def observe(s: State, seat: int, out: list[int]) -> int:
    """Write the pieces, in their order; how many numbers they are."""
    at = progress(s, seat, out)
    at = hands(s, seat, out, at)
    at = piles(s, out, at)
    at = number(out, at, s.last - s.next)
    at = bag(out, at, s.heap)
    at = each(out, at, s.drawn, seat, s.players)
    for i in range(s.players):
        at = bag(out, at, s.laid[round_table(seat, i, s.players)])
    at = number(out, at, s.finished)
    return each(out, at, s.purse, seat, s.players)


def progress(s: State, seat: int, out: list[int]) -> int:
    """What is going on, from `phase` to `retried`."""
    at = one_of(out, 0, s.phase, 10)
    at = seats(out, at, asked(s), seat, s.players)
    at = one_seat(out, at, s.actor, seat, s.players)
    at = one_seat(out, at, s.starter, seat, s.players)
    at = one_of(out, at, s.made, 5)
    at = number(out, at, s.out)
    at = number(out, at, s.bared)
    at = number(out, at, s.replay)
    at = number(out, at, s.idle)
    at = number(out, at, s.naming)
    at = number(out, at, s.passes)
    at = each(out, at, s.owing, seat, s.players)
    at = seats(out, at, s.sacrificed, seat, s.players)
    return seats(out, at, s.retried, seat, s.players)


def hands(s: State, seat: int, out: list[int], at: int) -> int:
    """The hands, from `hand` to `count`."""
    own = max(seat, 0)
    at = bag(out, at, s.hand[own]) if seat >= 0 else nothing(out, at, KINDS)
    at = bag(out, at, s.mine[own]) if seat >= 0 else nothing(out, at, KINDS)
    hiding = 0
    for i in range(s.players):
        other = round_table(seat, i, s.players)
        at = bag(out, at, s.known[other])
        hiding |= (s.hidden[other] != NONE) << other
    at = seats(out, at, hiding, seat, s.players)
    for i in range(s.players):
        at = one_of(out, at, hidden(s, seat, round_table(seat, i, s.players)), KINDS)
    return each(out, at, s.count, seat, s.players)


def hidden(s: State, seat: int, other: int) -> int:
    """The hidden card of a seat where the viewer knows it: its own, or one that all had seen; else none."""
    return s.hidden[other] if other == seat or s.count[other] <= size(s.known[other]) else -1


def piles(s: State, out: list[int], at: int) -> int:
    """The piles, and what lies under the stock, from `tops` to `sunk`."""
    for pile in range(3):
        at = one_of(out, at, s.pile[pile][s.height[pile] - 1] if s.height[pile] else -1, KINDS)
    for pile in range(3):
        for depth in range(2, 2 + BELOW):
            place = s.height[pile] - depth
            at = number(out, at, s.pile[pile][place] + 1 if place >= 0 else 0)
    for pile in range(3):
        nothing(out, at, KINDS)
        for place in range(s.height[pile]):
            out[at + s.pile[pile][place]] += 1
        at += KINDS
    for i in range(6):
        place = max(s.next, SUNK) + i
        at = number(out, at, s.stock[place] + 1 if place < s.last else 0)
    return at


def bag(out: list[int], at: int, cards: list[int]) -> int:
    """How many of each card a bag holds."""
    for card in range(KINDS):
        out[at + card] = has(cards, card)
    return at + KINDS
