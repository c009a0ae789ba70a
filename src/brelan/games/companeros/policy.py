"""What the bots of Compañeros know.

The novice plays for the dearest colour within reach and takes what is worth most. The policy by weights (`judge`) looks
ahead to the end of the trick; the search compares every card and colour.
"""

from __future__ import annotations

from brelan.cards import below, happens, lowest, popcount, put_first
from brelan.game import BLUR, CARELESS
from brelan.games.companeros.hopes import AHEAD, FAR, LONG
from brelan.games.companeros.judge import POINT, SIGHT, START, best_card, hidden_from
from brelan.games.companeros.rules import (
    COLOUR,
    TAKE,
    TAKING,
    WORTH,
    State,
    counts,
    legal,
    strength,
    ties,
    worth,
)
from brelan.leads import hope

__all__ = ["START", "believe", "novice", "outlook", "shortlist", "tuned"]

HIGHEST = [cards.bit_length() for cards in range(1 << 10)]
"""The highest value among any cards of one colour."""


def novice(s: State, seat: int, random: list[int]) -> int:
    """A cheap sensible move; equal cards are chosen among at random."""
    if s.phase == TAKING:
        return TAKE + dearest(s.pot)
    best = -1
    most = -1
    rest = s.hand[seat]
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        # a point of the pot outweighs some of the card's own value, which would serve in a later trick
        hoped = (3 * promise(s, card) + 20 - card % 10) * 64 + below(random, 64)
        if hoped > most:
            most = hoped
            best = card
    return best


def dearest(pot: int) -> int:
    """The colour of the pot that is worth most."""
    best = 0
    for colour in range(1, 6):
        if worth(pot, colour) > worth(pot, best):
            best = colour
    return best


def promise(s: State, card: int) -> int:
    """Points that a card may bring: the trick is counted as if it ended here, less who may still come before."""
    trick = s.trick | 1 << card
    if not counts(trick, card, ties(trick)):
        return 0
    before = 0
    others = s.trick
    while others:
        before += strength(trick, lowest(others)) > strength(trick, card)
        others &= others - 1
    to_come = s.players - popcount(trick)
    before += to_come * max(0, 12 - worth(trick, card // 10)) // 12
    return prize(s.pot, before)


def prize(pot: int, before: int) -> int:
    """What the dearest colour is worth to who takes after `before` others have taken as well as they can."""
    rest = pot
    for _ in range(before):
        rest &= ~(COLOUR << 10 * dearest(rest))
    return worth(rest, dearest(rest))


def tuned(s: State, seat: int, w: list[int], random: list[int]) -> int:
    """The move that the weights call best. The careless forget who is still to play, and misread sums."""
    heedless = happens(random, w[CARELESS])
    if s.phase == TAKING:
        return TAKE + best_colour(s, heedless, w, random)
    return best_card(s, seat, 0 if heedless else hidden_from(s, seat), w, random)


def best_colour(s: State, heedless: bool, w: list[int], random: list[int]) -> int:
    """The colour of the pot that is worth most, to the heedless the one of its highest card."""
    best = -1
    most = -(1 << 60)
    for colour in range(6):
        cards = s.pot >> 10 * colour & COLOUR
        if cards:
            value = HIGHEST[cards] if heedless else WORTH[cards]
            chance = misread(cards, heedless, w)
            hoped = 16 * POINT * value - 8 * chance + below(random, 16 * chance + 16)
            if hoped > most:
                most = hoped
                best = colour
    return best


def misread(cards: int, heedless: bool, w: list[int]) -> int:
    """How much chance enters what cards of one colour are taken for: a sum may be misread, hardly a single card."""
    if w[SIGHT] and (heedless or popcount(cards) == 1):
        return 0
    return w[BLUR] * (64 - w[SIGHT]) // 64


def shortlist(s: State, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
    """Every legal move, the one that the weights call best first; how many."""
    return put_first(out, legal(s, seat, out), tuned(s, seat, w, random))


def outlook(s: State, seat: int) -> int:
    """How good the end of a round is for a seat: its hope to win the match, in 1/2**20."""
    return hope(AHEAD, FAR, min(s.rounds - s.finished, LONG), s.total, s.players, seat)


def believe(s: State, seat: int, random: list[int]) -> None:
    """Nothing is read out of the others' moves."""
