"""What Mio's bots know. The novice: lay what can be laid, dear cards first, jokers last, and never forget MIO."""

from __future__ import annotations

from brelan.cards import below, lowest, popcount
from brelan.games.mio.fits import ALIKE, COLOURS, FROM_HAND, JOKER, NAMED, POINTS
from brelan.games.mio.rules import DECK, DRAW, MIO, PASS, State, layable, owned, score

START = [0, 0]
"""Blur and carelessness (`game.Policy`)."""


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
    return novice(s, seat, random)


def shortlist(s: State, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
    """The moves worth a thought, the tuned one first; how many."""
    out[0] = tuned(s, seat, w, random)
    return 1


def outlook(s: State, seat: int) -> int:
    """How good the end of a round is for a seat: the points it has more than the others, on the mean."""
    total = 0
    for other in range(s.players):
        total += score(s, other)
    return -(s.players * score(s, seat) - total)
