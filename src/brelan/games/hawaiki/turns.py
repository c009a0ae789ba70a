"""What a turn of Hawaiki may become: all of its chains are looked through, the best one counts.

Within a turn nothing is left to chance but what is drawn: cards are laid as long as each makes a combination, and then
one more, or a draw.

A position is few numbers: the hand, a bag as two sets (`bags`), and the tops (`tops`). A path is the lays that led to
it from where the look began, the last one in its lowest bits: its place, and the card that it covered.
"""

from __future__ import annotations

from brelan.games.hawaiki.bags import KINDS
from brelan.games.hawaiki.state import State
from brelan.games.hawaiki.tops import PLACES, covered, made_at, next_place
from brelan.games.hawaiki.worth import CARD, effect, standing

STEP = 13
"""Bits of the path that a lay takes; it begins with a 1, and four lays fit."""

REACH = 3
"""The most lays that are looked ahead; four find nothing more, one loses 0.7 % of the matches."""

GOING_OUT = 300
"""What the round's end by one's last card is worth, beside a hand's."""


def turn_worth(
    s: State, seat: int, w: list[int], held: int, double: int, tops: int, replay: int, once: int, twice: int, part: int
) -> int:
    """What a turn is worth from here on, depth first; `replay`: whether a card may be laid now."""
    best = -(1 << 60)
    gained = 0
    path = 1
    while True:
        worth = stop_worth(s, seat, w, held, double, tops, replay, once, twice, part)
        best = max(best, gained + worth)
        place = next_place(held, tops, 0) if replay and path >> STEP * REACH == 0 else PLACES
        while place == PLACES and path > 1:
            laid = path >> 6 & 127
            double |= held & 1 << laid % KINDS
            held |= 1 << laid % KINDS
            tops = uncovered(tops, laid, path & 63)
            gained -= effect(s, seat, w, made_at(tops, laid))
            path >>= STEP
            place = next_place(held, tops, laid + 1)
        if place == PLACES:
            return best
        replay = made_at(tops, place)
        gained += effect(s, seat, w, replay)
        path = path << STEP | place << 6 | tops >> 6 * (place // KINDS) & 63
        tops = covered(tops, place)
        held ^= 1 << place % KINDS & ~double
        double &= ~(1 << place % KINDS)


def uncovered(tops: int, place: int, card: int) -> int:
    """The tops as they were before a place was covered, when this card lay there."""
    return covered(tops, place // KINDS * KINDS + card)


def stop_worth(
    s: State, seat: int, w: list[int], held: int, double: int, tops: int, replay: int, once: int, twice: int, part: int
) -> int:
    """What it is worth to lay no more: the round is over, or the turn ends, with a draw if another card is due."""
    if held == 0:
        return GOING_OUT
    worth = standing(s, seat, w, held, double, tops, once, twice, part)
    return worth - CARD if replay else worth
