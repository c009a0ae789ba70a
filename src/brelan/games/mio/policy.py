"""What Mio's bots know. The novice: lay what can be laid, dear cards first, jokers last, and never forget MIO.

The tuned policy weighs each card that may be laid, and drawing, in 1/16 of a point (`worth`).
"""

from __future__ import annotations

from brelan.cards import below, happens, insert, lowest, popcount
from brelan.game import BLUR, CARELESS
from brelan.games.mio.beliefs import settle
from brelan.games.mio.fits import ALIKE, COLOURS, FROM_HAND, JOKER, NAMED, POINTS
from brelan.games.mio.hopes import hopes
from brelan.games.mio.rules import DECK, DRAW, MIO, PASS, State, deal_unseen, first_unseen, layable, owned
from brelan.games.mio.worth import SIGHT, worth_of_draw, worth_of_lying

START = [0, 0, 15, 1, 15, 2, 3, 0, 4, 56, -220, 21, 44, -89, -48, 0, -60, 3, 0, 0]
"""The first weights: those set by hand, once tuned (`game.Policy`)."""

FEW = 8
"""A search looks at so many moves."""


def novice(s: State, seat: int, random: list[int]) -> int:
    """A cheap sensible move; among equal ones chosen at random."""
    cards = layable(s, seat)
    if cards == 0:
        return DRAW if s.next < DECK else PASS
    left = owned(s, seat) - 1
    card = best_card(s, seat, cards, random)
    move = NAMED + best_colour(s, seat, random) if card == JOKER and left else card
    return move + MIO if left == 1 else move


def best_card(s: State, seat: int, cards: int, random: list[int]) -> int:
    """The card that rids of most points and on which most of the hand fits; a joker only if there is no other."""
    best = JOKER
    most = -1
    rest = cards & ~(1 << JOKER)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        worth = (2 * POINTS[card] + 3 * popcount(s.held[seat] & FROM_HAND[card])) * 8 + below(random, 8)
        if worth > most:
            most = worth
            best = card
    return best


def best_colour(s: State, seat: int, random: list[int]) -> int:
    """The colour of which the hand holds most different cards."""
    best = 0
    most = -1
    for colour in range(COLOURS):
        worth = popcount(s.held[seat] & ALIKE[colour]) * 8 + below(random, 8)
        if worth > most:
            most = worth
            best = colour
    return best


def tuned(s: State, seat: int, w: list[int], random: list[int]) -> int:
    """The move that the weights call best."""
    cards = layable(s, seat)
    if cards == 0:
        return DRAW if s.next < DECK else PASS
    best = DRAW
    most = blurred(worth_of_draw(s, seat, w), w[BLUR], w, random) if s.next < DECK else -(1 << 60)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        for lying in range(first_lying(s, seat, card), last_lying(s, seat, card) + 1):
            worth = blurred(worth_of_lying(s, seat, lying, w), chance_of(lying, w), w, random)
            if worth > most:
                most = worth
                best = lying
    forgotten = happens(random, w[CARELESS])
    return best if forgotten else said(s, seat, best)


def chance_of(lying: int, w: list[int]) -> int:
    """How much chance enters the judgement of a card."""
    return w[BLUR] * (64 - w[SIGHT]) // 64 if lying >= NAMED else w[BLUR]


def blurred(worth: int, chance: int, w: list[int], random: list[int]) -> int:
    """A judgement with chance in it, as good on the mean as all others: what is equal is chosen among at random."""
    return worth * 8 + (w[BLUR] - chance) * 4 + below(random, chance * 8 + 8)


def first_lying(s: State, seat: int, card: int) -> int:
    """The first of the ways in which a card may be laid: a joker names a colour unless it is the last card."""
    return NAMED if card == JOKER and owned(s, seat) > 1 else card


def last_lying(s: State, seat: int, card: int) -> int:
    """The last of these ways."""
    return NAMED + COLOURS - 1 if card == JOKER and owned(s, seat) > 1 else card


def said(s: State, seat: int, move: int) -> int:
    """The same move, saying MIO where it is due."""
    return move + MIO if move < MIO and owned(s, seat) == 2 else move


def shortlist(s: State, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
    """The moves worth a thought, the best by weights first; how many."""
    cards = layable(s, seat)
    out[0] = tuned(s, seat, w, random)
    if cards == 0:
        return 1
    n = insert(out, 0, FEW, worth_of_draw(s, seat, w) << 8 | DRAW) if s.next < DECK else 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        for lying in range(first_lying(s, seat, card), last_lying(s, seat, card) + 1):
            n = insert(out, n, FEW, worth_of_lying(s, seat, lying, w) << 8 | said(s, seat, lying))
    for i in range(n):
        out[i] &= 255
    return n


def outlook(s: State, seat: int) -> int:
    """How good the end of a round is for a seat: its hopes of winning the match, in thousandths."""
    return hopes(s, seat)


def believe(s: State, seat: int, random: list[int]) -> None:
    """Change the other hands of an imagined world so that they hold what their draws tell."""
    place = first_unseen(s, seat)
    for other in range(s.players):
        if other != seat:
            settle(s, other, place, place + owned(s, other), DECK, random)
            place += owned(s, other)
    deal_unseen(s, seat)
