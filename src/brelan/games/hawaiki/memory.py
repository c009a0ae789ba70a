"""What everybody can remember of Hawaiki's cards, and the re-dealing of what a seat cannot know.

Since the last shuffle a card that nobody saw is either *old*: it was in a hand then; or *new*: it was in the stock.
Everybody knows the heap that was shuffled, how many new cards each seat has drawn, and what it has laid since. So an
opponent's unseen cards are old and new ones, in numbers that are known but for the laid cards that might be either.
At the deal all cards are new.

Unseen are all cards but those on the piles, those known to be in a hand (all but one where one card is hidden; else
only a sacrificed one that was drawn), those lying under the stock by a sacrifice, and one's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brelan.cards import shuffle
from brelan.games.hawaiki.bags import KINDS, drop, empty, fill, has, put, size

if TYPE_CHECKING:
    from brelan.games.hawaiki.state import State

SUNK = 70
"""The place in `stock` from which sacrificed cards lie; the shuffled ones end just before it."""

NONE = -2
"""In `hidden`: a seat that has no hidden card."""


def remember_draw(s: State, seat: int, card: int, place: int) -> None:
    """A card came from the stock: everybody saw it, or only its new owner."""
    if place >= SUNK:
        put(s.known[seat], card)
    elif s.one_hidden:
        put(s.known[seat], card)
        put(s.seen, card)
        drop(s.heap, card)
    else:
        put(s.mine[seat], card)
        s.drawn[seat] += 1


def remember_lay(s: State, seat: int, card: int) -> None:
    """A card was laid: one known to be in the hand goes first, as with one hidden the visible copy does (O-H9)."""
    if has(s.known[seat], card):
        drop(s.known[seat], card)
        return
    put(s.seen, card)
    if s.drawn[seat]:  # else it is old for certain
        put(s.laid[seat], card)


def remember_hiding(s: State, seat: int) -> None:
    """The first hiding: the five other cards of the hand lie open (H25)."""
    fill(s.known[seat], s.hand[seat])
    drop(s.known[seat], s.hidden[seat])
    empty(s.mine[seat])
    put(s.mine[seat], s.hidden[seat])
    for card in range(KINDS):
        for _ in range(has(s.known[seat], card)):
            put(s.seen, card)
            drop(s.heap, card)
    s.drawn[seat] = 1


def remember_shuffle(s: State) -> None:
    """A heap is shuffled: whatever the hands hold is old from now on."""
    empty(s.heap)
    for seat in range(s.players):
        empty(s.mine[seat])
        empty(s.laid[seat])
        s.drawn[seat] = 0


# ---------------------------------------------------------------- re-dealing


def unknown(s: State, seat: int) -> int:
    """How many cards of a hand its opponents do not know."""
    return s.count[seat] - size(s.known[seat])


def unseen(s: State, seat: int, card: int) -> int:
    """How many copies of a card `seat` does not see."""
    return 2 - has(s.seen, card) - has(s.hand[seat], card) + has(s.known[seat], card)


def new_unseen(s: State, seat: int, card: int) -> int:
    """How many copies of a card were new, and drawn by nobody whom `seat` saw."""
    return has(s.heap, card) - has(s.mine[seat], card)


def laid_by_others(s: State, seat: int, card: int) -> int:
    """How many copies others have laid since the shuffle that might have been new."""
    n = 0
    for other in range(s.players):
        if other != seat:
            n += has(s.laid[other], card)
    return n


def redeal(s: State, seat: int, random: list[int]) -> None:
    """Deal the unseen cards anew, so that everything `seat` knows still holds."""
    for other in range(s.players):
        if other != seat:
            empty(s.mine[other])
    sort_laid(s, seat, True)
    sort_laid(s, seat, False)
    top = min(s.next, SUNK)  # from here up the stock lies
    old = top  # stock[old:SUNK] will hold the old cards, then the new ones
    for other in range(s.players):
        if other != seat:
            old -= unknown(s, other)
    new = gather(s, seat, old)
    shuffle(s.stock, old, new, random)
    shuffle(s.stock, new, SUNK, random)
    deal_unknown(s, seat, old, top)


def deal_unknown(s: State, seat: int, old: int, new: int) -> None:
    """Fill the others' hands: old cards come from stock[old] on, new ones from below stock[new]."""
    for other in range(s.players):
        if other != seat:
            fill(s.hand[other], s.known[other])
            hidden = unknown(s, other)
            fresh = min(max(s.drawn[other] - size(s.mine[other]), 0), hidden)
            for i in range(hidden):
                if i < fresh:
                    new -= 1
                    give(s, other, s.stock[new])
                    put(s.mine[other], s.stock[new])
                else:
                    give(s, other, s.stock[old])
                    old += 1


def give(s: State, seat: int, card: int) -> None:
    """An unseen card for a hand; where one card is hidden, that one."""
    put(s.hand[seat], card)
    if s.hidden[seat] != NONE:
        s.hidden[seat] = card


def sort_laid(s: State, seat: int, forced: bool) -> None:
    """Decide which cards the others laid were new, and note those in `mine`; first where there is no choice."""
    for card in range(KINDS):
        laid = laid_by_others(s, seat, card)
        if laid:
            new = new_unseen(s, seat, card)
            old = unseen(s, seat, card) + laid - new
            if forced == (new == 0 or old == 0):
                sort_kind(s, seat, card, new, old)


def sort_kind(s: State, seat: int, card: int, new: int, old: int) -> None:
    """The same for one card: old, which was in a hand for certain, where the new one had to be drawn first; unless its
    owner has drawn more than they can still hold.
    """
    for other in range(s.players):
        if other != seat:
            for _ in range(has(s.laid[other], card)):
                if new and (old == 0 or s.drawn[other] - size(s.mine[other]) > unknown(s, other)):
                    new -= 1
                    put(s.mine[other], card)
                else:
                    old -= 1


def gather(s: State, seat: int, first: int) -> int:
    """Write all unseen cards into the stock, the old ones from `first` on; the place where the new ones begin."""
    last = SUNK
    for card in range(KINDS):
        fresh = new_unseen(s, seat, card)
        for other in range(s.players):
            if other != seat:
                fresh -= has(s.mine[other], card)
        for i in range(unseen(s, seat, card)):
            if i < fresh:
                last -= 1
                s.stock[last] = card
            else:
                s.stock[first] = card
                first += 1
    return last
