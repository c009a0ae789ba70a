"""What all have seen of the cards in Elements, and re-dealing what one seat has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brelan.cards import below, lowest, nth, popcount, shuffle

if TYPE_CHECKING:
    from brelan.games.elements.state import State

HAND = 11
"""Every round begins with so many cards in each hand (E20)."""


def seen(s: State) -> int:
    """Every card that all have seen in this round: on the table, won, or out of play until the refill (E21)."""
    found = s.drawn
    for seat in range(s.players):
        found |= s.shown[seat]
    return found


def face_down(s: State, seat: int) -> int:
    """The place where a card of `seat` lies face down, -1 if none does."""
    for at in range(5):
        if s.placer[at] == seat:
            return at
    return -1


def hand_size(s: State, seat: int) -> int:
    """How many cards a seat holds; everybody can count them."""
    return HAND - popcount(s.shown[seat]) - s.back[seat] - (1 if face_down(s, seat) >= 0 else 0)


def redeal(s: State, seat: int, unseen: int, old: int, random: list[int]) -> None:
    """Deal the unseen cards at random to the others and the stock, also those that lie face down or went back.

    What another seat kept before this deal is none of the `old` cards; so many of its own come from the others. (The
    memory goes back one round.)
    """
    top = spread(s, unseen, old, random)
    top = deal_kept(s, seat, old, top)
    shuffle(s.stock, top, 55, random)
    deal_hidden(s, seat, top)
    for other in range(s.players):
        if other != seat:
            lay_down(s, other, random)


def spread(s: State, unseen: int, old: int, random: list[int]) -> int:
    """Write the unseen cards to the end of the stock, first those that may have been kept; where they begin."""
    top = at = 55 - popcount(unseen)
    fresh = unseen & ~old
    rest = unseen & old
    while fresh:
        s.stock[at] = lowest(fresh)
        fresh &= fresh - 1
        at += 1
    shuffle(s.stock, top, at, random)
    while rest:
        s.stock[at] = lowest(rest)
        rest &= rest - 1
        at += 1
    return top


def deal_kept(s: State, seat: int, old: int, top: int) -> int:
    """Give each other seat the kept cards that it cannot have shown since; the new top.

    What it has shown that was not seen before counts as kept, though it may be fresh: hands so imagined hold a
    thirtieth too many of the old cards at three seats, and at four; at five everything else is known.
    """
    for other in range(s.players):
        if other != seat:
            s.hand[other] = 0
            for _ in range(s.kept[other] - popcount(s.shown[other] & ~old)):
                s.hand[other] |= 1 << s.stock[top]
                top += 1
    return top


def deal_hidden(s: State, seat: int, top: int) -> None:
    """Fill each other seat with all cards of its that nobody has seen in this round."""
    for other in range(s.players):
        if other != seat:
            for _ in range(HAND - popcount(s.shown[other]) - popcount(s.hand[other])):
                s.hand[other] |= 1 << s.stock[top]
                top += 1


def lay_down(s: State, seat: int, random: list[int]) -> None:
    """Choose among a seat's imagined cards the one that lies face down and those that went back."""
    at = face_down(s, seat)
    if at >= 0:
        s.beside[at] = nth(s.hand[seat], below(random, popcount(s.hand[seat])))
        s.hand[seat] ^= 1 << s.beside[at]
    s.returned[seat] = 0
    for _ in range(s.back[seat]):
        card = 1 << nth(s.hand[seat], below(random, popcount(s.hand[seat])))
        s.hand[seat] ^= card
        s.returned[seat] |= card
