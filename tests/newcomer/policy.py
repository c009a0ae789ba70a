"""What Newcomer's bots know."""

from __future__ import annotations

from brelan.cards import lowest, put_first

from .rules import State, legal, score

START = [0, 0]
"""Blur and carelessness (`game.Policy`)."""


def novice(s: State, seat: int, random: list[int]) -> int:
    """The lowest card that beats all that lie there, else the lowest; who leads plays the highest."""
    best = -1
    for i in range(1, s.laid + 1):
        best = max(best, s.played[(seat - i) % s.players])
    chosen, rest = lowest(s.hand[seat]), s.hand[seat]
    while rest:
        card = lowest(rest)
        if card > best and (s.laid == 0 or chosen < best):
            chosen = card
        rest &= rest - 1
    return chosen


def tuned(s: State, seat: int, w: list[int], random: list[int]) -> int:
    """The move that the weights call best."""
    return novice(s, seat, random)


def shortlist(s: State, seat: int, w: list[int], out: list[int], random: list[int]) -> int:
    """The moves worth a thought, here all of them, the tuned one first; how many."""
    return put_first(out, legal(s, seat, out), tuned(s, seat, w, random))


def believe(s: State, seat: int, random: list[int]) -> None:
    """Nothing is read out of the others' moves."""


def outlook(s: State, seat: int) -> int:
    """How good the end of a round is for a seat: its points."""
    return score(s, seat)
