"""Bags: Hawaiki's deck holds each of its 35 cards twice, so a heap of cards is two sets.

bag[0]      the cards of which it holds one or two
bag[1]      the cards of which it holds two
"""

from __future__ import annotations

from brelan.cards import popcount

KINDS = 35
ALL_KINDS = (1 << KINDS) - 1


def has(bag: list[int], card: int) -> int:
    """How many copies of a card a bag holds: 0, 1 or 2."""
    return (bag[0] >> card & 1) + (bag[1] >> card & 1)


def size(bag: list[int]) -> int:
    """How many cards a bag holds."""
    return popcount(bag[0]) + popcount(bag[1])


def put(bag: list[int], card: int) -> None:
    """One copy more; there are never more than two."""
    bag[1] |= bag[0] & 1 << card
    bag[0] |= 1 << card


def drop(bag: list[int], card: int) -> None:
    """One copy less of a card that is in the bag."""
    second = bag[1] & 1 << card
    bag[1] ^= second
    bag[0] ^= second ^ 1 << card


def fill(bag: list[int], other: list[int]) -> None:
    """Make a bag like another one."""
    bag[0] = other[0]
    bag[1] = other[1]


def empty(bag: list[int]) -> None:
    """Take everything out."""
    bag[0] = bag[1] = 0
