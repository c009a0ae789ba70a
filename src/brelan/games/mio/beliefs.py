"""What the others' draws tell of their hands: whoever draws at the start of a turn hardly holds a card that fits.

Everybody sees it, so the state keeps it: of each hand the set of cards that it `lacks`. A joker is among them only
where somebody had to pass: one may keep it although it fits (M10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brelan.cards import below
from brelan.games.mio.fits import FROM_HAND, JOKER, WHEN_DRAWN

if TYPE_CHECKING:
    from brelan.games.mio.rules import State

TRIES = 8
"""How often a card that a hand lacks is swapped for another one."""


def tell_draw(s: State, seat: int, top: int, first: bool) -> None:
    """A seat draws: as nothing in its hand fits, or as the card that it drew before does not (M10)."""
    if not first:
        s.lacks[seat] &= WHEN_DRAWN[top]
    elif not s.penalty >> seat & 1:
        s.lacks[seat] |= FROM_HAND[top] & ~(1 << JOKER)


def tell_pass(s: State, seat: int, top: int) -> None:
    """A seat has nothing to lay (M12). Behind a draw that shows no more than `tell_draw` knows, and too much is told of
    the hand: published versions answer by it, and are never changed (docs/bots.md).
    """
    if not s.penalty >> seat & 1:
        s.lacks[seat] |= FROM_HAND[top]


def tell_lay(s: State, seat: int, card: int) -> None:
    """A seat lays a card out of its hand; was that one to be lacking, nothing is known any more."""
    if s.lacks[seat] >> card & 1:
        s.lacks[seat] = 0


def settle(s: State, other: int, first: int, last: int, end: int, random: list[int]) -> None:
    """Swap what another seat lacks among stock[first:last], its imagined cards, for later ones, up to `end`.

    So hands in front of it are dealt too little of what it lacks, those behind it and the stock too much: published
    versions search in these worlds.
    """
    for i in range(first, last):
        tries = 0
        while tries < TRIES and s.lacks[other] >> s.stock[i] & 1:
            j = i + below(random, end - i)
            card = s.stock[i]
            s.stock[i] = s.stock[j]
            s.stock[j] = card
            tries += 1
