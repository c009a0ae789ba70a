"""The few things every game's rules may call: sets of cards as ints, and a generator for bots and simulations.

A set of cards is an int, bit c for card c, of at most 62 cards. Compiled code replaces `popcount` and `lowest` by one
machine instruction each. No number here leaves 64 bits: where compiled code would wrap, interpreted code would not.
"""

from __future__ import annotations

HIDDEN = -1
"""Stands for a card that its viewer may not know."""

SPECTATOR = -1
"""The seat of a viewer who holds no cards."""

LOW32 = (1 << 32) - 1


def popcount(cards: int) -> int:
    """How many cards a set holds."""
    return cards.bit_count()


def lowest(cards: int) -> int:
    """The lowest card of a set that is not empty."""
    return (cards & -cards).bit_length() - 1


def nth(cards: int, n: int) -> int:
    """The card of a set that has n lower ones in it (0 <= n < popcount)."""
    while n:
        cards &= cards - 1
        n -= 1
    return lowest(cards)


def highest(points: list[int], players: int) -> int:
    """The seats with most points, as a set."""
    most = points[0]
    for seat in range(1, players):
        most = max(most, points[seat])
    seats = 0
    for seat in range(players):
        seats |= (points[seat] == most) << seat
    return seats


def hash32(x: int) -> int:
    """A well mixed bijection of the integers of 32 bits."""
    x = ((x ^ x >> 16) * 0x21F0AAAD) & LOW32
    x = ((x ^ x >> 15) * 0x735A2D97) & LOW32
    return x ^ x >> 15


def seed(random: list[int], number: int) -> None:
    """Start a generator (a list of one int) from any 0 <= number < 2**62; neighbours are unrelated."""
    low = hash32(number & LOW32)
    high = hash32((number >> 32) ^ low)
    low = hash32(low ^ high)
    random[0] = ((high & 0x3FFFFFFF) << 32 | low) + 1


def below(random: list[int], n: int) -> int:
    """A number from 0 to n-1, n < 2**31: multiply with carry, 31-bit multiplier, period about 2**62.

    Never the table's chance: that is the provable shuffle. The bias is below n / 2**32.
    """
    x = random[0]
    random[0] = (x & LOW32) * 0x7BB7659D + (x >> 32)
    return ((x & LOW32 ^ x >> 32) * n) >> 32


def happens(random: list[int], often: int) -> bool:
    """Whether what comes so often of a thousand times comes now; nothing is drawn for what never does."""
    return often > 0 and below(random, 1000) < often


def shuffle(cards: list[int], first: int, last: int, random: list[int]) -> None:
    """Bring cards[first:last] into random order (Fisher and Yates)."""
    i = last - 1
    while i > first:
        j = first + below(random, i - first + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
        i -= 1


def insert(out: list[int], n: int, most: int, item: int) -> int:
    """Put a number among the n highest, in falling order and at most so many; how many there are now."""
    place = n
    while place > 0 and out[place - 1] < item:
        if place < most:
            out[place] = out[place - 1]
        place -= 1
    if place < most:
        out[place] = item
    return min(n + 1, most)


def put_first(out: list[int], n: int, item: int) -> int:
    """Bring a number to the front of the n in `out`, or add it there; how many there are now."""
    place = 0
    while place < n and out[place] != item:
        place += 1
    out[place] = out[0]
    out[0] = item
    return max(n, place + 1)
