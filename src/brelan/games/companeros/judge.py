"""What a card of Compañeros is worth to who thinks of playing it: a look ahead to the end of the trick.

Whoever is still to play holds some of the cards not yet seen. Counting those that would bring another colour above the
card's own, or level with it, tells about how many will take from the pot before it, and how likely a tie shuts it out.
What a card may do in a later trick is the price of playing it now.
"""

from __future__ import annotations

from brelan.cards import below, lowest, popcount
from brelan.game import BLUR
from brelan.games.companeros.rules import COLOUR, TRICKS, State, cards_in_play, counts, strength, ties, worth

OVERTAKEN = 2  # how much a follower prefers cards that come before one's own, in 1/64 of a chance player's
TIED = 3  # how much he prefers cards that tie with one's own, in 1/64 of a chance player's
RICH = 4  # more of the first for each point above 15 of the pot's dearest colour, in 1/16
DENIAL = 5  # who plays last: what the others get counts against it, each with a part; in 1/64
SAVING = 6  # price of each point of the card while tricks follow, in 1/512 of a point
LATER = 7  # and for each trick that follows
CURVE = 8  # more for high cards: its value squared, for each trick that follows, in 1/4096 of a point
MATES = 9  # price of each card held of the colour, for each trick that follows, in 1/512 of a point
SIGHT = 10  # so many 64ths of all blur do not touch the choice of a colour, and single cards are not misread at all

POINT = 512
"""What cards are judged in: so many parts of a point."""

START = [0, 0, 48, 43, 14, 54, 63, 81, 67, -22, 0]


def prizes(pot: int) -> int:
    """What the first, the second … taker gets if each takes the dearest colour: six bits each, the first lowest."""
    packed = 0
    for colour in range(6):
        packed = insert(packed, worth(pot, colour))
    return packed


def insert(packed: int, value: int) -> int:
    """Put a value of six bits in its place among values that fall from the low end."""
    at = 0
    while packed >> at & 63 > value:
        at += 6
    low = packed & (1 << at) - 1
    return (packed ^ low) << 6 | value << at | low


def share(packed: int, before: int) -> int:
    """What is left after `before` (in 1/64) others have taken, in 1/64 points."""
    before = max(before, 0)  # weights below nothing may make it less
    rest = packed >> 6 * min(before >> 6, 6)
    part = before & 63
    return (rest & 63) * (64 - part) + (rest >> 6 & 63) * part


def taken(packed: int, takers: int) -> int:
    """What so many takers get together, in points."""
    total = 0
    for i in range(min(takers, 6)):
        total += packed >> 6 * i & 63
    return total


def taking(trick: int) -> int:
    """How many seats a whole trick lets take."""
    tied = ties(trick)
    n = 0
    rest = trick
    while rest:
        n += counts(trick, lowest(rest), tied)
        rest &= rest - 1
    return n


def stronger(trick: int, card: int) -> int:
    """How many cards of a trick come before one of it."""
    mine = strength(trick, card)
    n = 0
    rest = trick
    while rest:
        n += strength(trick, lowest(rest)) > mine
        rest &= rest - 1
    return n


def overtaking(trick: int, card: int, unseen: int) -> int:
    """How many others the unseen cards, each played alone, would bring before a card of a trick."""
    mine = worth(trick, card // 10)
    n = 0
    for colour in range(6):
        gap = mine - worth(trick, colour)
        if 0 < gap < 10:
            n += popcount(unseen >> 10 * colour + gap & COLOUR >> gap) * (1 + popcount(trick >> 10 * colour & COLOUR))
    return n


def tying(trick: int, card: int, unseen: int) -> int:
    """How many of the unseen cards would bring another colour level with that of a card of a trick."""
    mine = worth(trick, card // 10)
    n = 0
    for colour in range(6):
        gap = mine - worth(trick, colour)
        if 0 < gap <= 10:
            n += unseen >> 10 * colour + gap - 1 & 1
    return n


def hope(trick: int, card: int, left: int, unseen: int, packed: int, w: list[int]) -> int:
    """What a card of a trick is likely to bring when so many are still to play, in 1/64 points."""
    if not counts(trick, card, ties(trick)):
        return 0
    before = stronger(trick, card) * 64
    if left == 0:
        return share(packed, before)
    hidden = max(popcount(unseen), 1)
    keen = w[OVERTAKEN] * max(64 + w[RICH] * ((packed & 63) - 15) // 16, 0) // 64
    before += keen * overtaking(trick, card, unseen) * left // hidden
    shut_out = min(w[TIED] * tying(trick, card, unseen) * left // hidden, 64)
    return share(packed, before) * (64 - shut_out) // 64


def price(s: State, card: int, w: list[int]) -> int:
    """What a card may do in the tricks that follow, in 1/512 points."""
    later = TRICKS - 1 - s.tricks
    if later == 0:
        return 0
    value = card % 10
    mates = popcount(s.hand[s.turn] >> 10 * (card // 10) & COLOUR)
    return w[SAVING] * value + (w[LATER] * value + w[CURVE] * value * value // 8 + w[MATES] * mates) * later


def judge(s: State, card: int, unseen: int, packed: int, w: list[int]) -> int:
    """What playing a card is worth to the seat whose turn it is, in 1/512 points."""
    trick = s.trick | 1 << card
    left = s.players - popcount(trick)
    mine = hope(trick, card, left, unseen, packed, w)
    gain = 8 * mine - price(s, card, w)
    if left == 0:
        gain -= w[DENIAL] * (64 * taken(packed, taking(trick)) - mine) // (8 * (s.players - 1))
    return gain


def hidden_from(s: State, seat: int) -> int:
    """The cards that the other seats hold."""
    unseen = cards_in_play(s) & ~(s.pot | s.trick | s.hand[seat])
    for other in range(s.players):
        unseen &= ~s.captured[other]
    return unseen


def best_card(s: State, seat: int, unseen: int, w: list[int], random: list[int]) -> int:
    """The card of the hand that the weights call best, where the others hold these cards."""
    packed = prizes(s.pot)
    best = -1
    most = -(1 << 40)
    rest = s.hand[seat]
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        hoped = 16 * judge(s, card, unseen, packed, w) + below(random, 16 * w[BLUR] + 16)
        if hoped > most:
            most = hoped
            best = card
    return best
