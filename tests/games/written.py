"""What written deals of several games need: decks, and how a round ended."""

from __future__ import annotations

from brelan.play.match import Match


def without(cards: list[str], taken: list[str]) -> list[str]:
    """What is left once these cards have been taken out."""
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


def last(match: Match) -> tuple[str, list[int]]:
    """How the last round ended, and the points of each seat in it."""
    tally = match.tallies[-1]
    return tally.reason, tally.points
