"""The state of Elements, and the numbers of its moves.

A card is 11 * colour + value, colours R Y G B P; the element cards follow, 55 + colour. A move is a number:

    5 * c + p          place c beside the element at place p, 0 nearest the box
    LAY + c            lay c                      PASS     leave this auction
    LAY_TWO + 55 a + b lay a and b together       READY    no more cards go back
    RETURN + c         give c back before the refill
"""

from __future__ import annotations

from itertools import product

from brelan.schema import Plain, cards, ints, one_seat, within

LAY, RETURN, PASS, READY, LAY_TWO, ACTIONS = 275, 330, 385, 386, 387, 3412
DECK = 55
ELEMENT = 55  # the element card of colour 0
ALL_CARDS = (1 << 55) - 1

ELEMENTS, SHUFFLE, PLACING, AUCTION, RETURNING, OVER = 0, 1, 2, 3, 4, 5
"""Phases: the element cards, then the cards wait for a shuffle; the three phases of a round; the end."""

NUMBERED = [f"{colour}{value}" for colour in "RYGBP" for value in range(11)]
"""The texts of the cards; those of the element cards are their colours alone."""

PAIR = [
    LAY_TWO + 55 * min(two, key=NUMBERED.__getitem__) + max(two, key=NUMBERED.__getitem__)
    for two in product(range(55), repeat=2)
]
"""For two cards, 55 * a + b in either order: the move that lays both, in the order of their texts (O-A3)."""


class State(Plain):
    players: int
    first: int = one_seat()
    turn: int = one_seat()
    phase: int = within(0, OVER)
    finished: int = within(0, 5)  # rounds ended; the round's first player is this many seats after `first`
    unpaired: int = within(0, 1)  # 1: a stock card goes beside each vacant element (E2)
    auction: int = within(-1, 4)  # the place in the row whose point card is played for, -1 outside auctions
    leader: int = one_seat()  # who led this auction
    passed: int = within(0, 31)  # seats that passed in it, as a set
    ready: int = within(0, 31)  # seats that give nothing more back, as a set
    next: int = within(0, 55)  # stock[next] is the top of the stock
    drawn: int = within(0, ALL_CARDS)  # stock cards laid beside vacant elements in this round
    stale: int = within(0, ALL_CARDS)  # cards that all saw in the round before: nobody kept one of them
    hand: list[int] = ints(5, most=ALL_CARDS)  # sets of cards
    laid: list[int] = ints(5, most=ALL_CARDS)  # in this auction
    won: list[int] = ints(5, most=ALL_CARDS)  # point cards of this round
    shown: list[int] = ints(5, most=ALL_CARDS)  # cards of the hand that all have seen in this round
    returned: list[int] = ints(5, most=ALL_CARDS)  # given back before this deal or, at a round's end, before the next
    back: list[int] = ints(5, most=11)  # how many went back since this round's end
    kept: list[int] = ints(5, most=11)  # how many were kept before this deal
    gain: list[int] = ints(5)  # points won in the last round
    total: list[int] = ints(5)  # points won in the match
    row: list[int] = cards(5, least=0, most=4)  # colours, nearest the box, that is strongest, first
    beside: list[int] = cards(5, least=-2, most=54)  # the card beside each, or NONE
    placer: list[int] = cards(5, most=4)  # the seat whose card lies there face down, -1 if none
    stock: list[int] = cards(55, most=54)  # as shuffled; what stands before `next` has left it


def starter(s: State) -> int:
    """The round's first player; at the end of a round already the next one's (E22)."""
    return (s.first + s.finished) % s.players


def left_of(s: State, seat: int) -> int:
    """The next seat, clockwise."""
    return seat + 1 if seat + 1 < s.players else 0
