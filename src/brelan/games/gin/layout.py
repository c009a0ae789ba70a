"""How a hand is laid out for people: its melds, and what is laid off on the melds of the other."""

from __future__ import annotations

from dataclasses import dataclass

from brelan.cards import popcount
from brelan.games.gin.melds import ACES, board, deadwood, least_after_layoffs, loose, next_sets, runs_of, runs_on
from brelan.games.gin.rules import State
from brelan.scene import members


@dataclass(frozen=True, slots=True)
class Layout:
    """A hand in parts; what lies in none is deadwood."""

    melds: list[list[int]]  # sets, then runs
    off: int  # the cards laid off on the melds of who knocked (G10)


def best(s: State, hand: int) -> Layout:
    """A hand in its best melds."""
    return parted(s, hand, min(ways(hand), key=lambda sets: loose(s, hand ^ sets, 0)))


def knocker(s: State, mine: int, theirs: int) -> Layout:
    """The hand of who knocked: of its best melds those that leave the other most (O-G5)."""
    return parted(s, mine, hardest(s, mine, theirs))


def defender(s: State, mine: int, theirs: int) -> Layout:
    """The hand of the other, `theirs`: the best of own melds and lay-offs, with as few of these as that takes."""
    sets = hardest(s, mine, theirs)
    table = runs_of(s, mine ^ sets)
    open_ranks = [ACES << rank for rank in range(13) if popcount(sets & ACES << rank) == 3]
    offers = subsets(theirs & sum(open_ranks))
    found = [(off, own) for off in offers for own in ways(theirs ^ off)]
    off, own = min(found, key=lambda way: (loose(s, theirs ^ way[0] ^ way[1], table), popcount(way[0])))
    return parted(s, theirs, own, off, table)


def hardest(s: State, mine: int, theirs: int) -> int:
    """The sets in those best melds of `mine` that leave `theirs` most."""
    least = deadwood(s, mine)
    among = [sets for sets in ways(mine) if loose(s, mine ^ sets, 0) == least]
    return max(among, key=lambda sets: least_after_layoffs(s, theirs, sets, runs_of(s, mine ^ sets)))


def ways(hand: int) -> list[int]:
    """The ways to choose the sets of a hand: in each the cards that go into them."""
    found = [0]
    while sets := next_sets(hand, found[-1]):
        found.append(sets)
    return found


def subsets(cards: int) -> list[int]:
    """Every set of some of these cards."""
    found = [0]
    for card in members(cards):
        found += [some | 1 << card for some in found]
    return found


def parted(s: State, hand: int, sets: int, off: int = 0, table: int = 0) -> Layout:
    """A hand whose sets, and cards laid off on sets, are chosen: the rest lies in runs, own or on the table."""
    left = hand ^ sets ^ off
    runs = runs_among(s, left, table)
    own = sum(1 << card for run in runs for card in run)
    lengthening = lengthened(s, left, table) & ~own
    melds = [list(members(sets & ACES << rank)) for rank in range(13) if sets & ACES << rank]
    return Layout(melds + runs, off | lengthening)


def runs_among(s: State, cards: int, table: int) -> list[list[int]]:
    """The runs that lie in some cards, each from its lowest; an ace stands where it does beside those on the table."""
    own = board(s, cards)
    rows = runs_on(own & runs_on(own | table))
    found: list[list[int]] = []
    for suit in range(4):
        run: list[int] = []
        for place in range(15):  # the ace stands at 0 and at 13; 14 closes the last run
            if place < 14 and rows >> 14 * suit + place & 1:
                run.append(13 * suit + place % 13)
            elif run:
                found.append(run)
                run = []
    return found


def lengthened(s: State, cards: int, table: int) -> int:
    """Those of the cards that lie in a run, alone or together with runs on the table (a board)."""
    places = members(runs_on(board(s, cards) | table))
    return cards & sum(1 << card for card in {place // 14 * 13 + place % 14 % 13 for place in places})
