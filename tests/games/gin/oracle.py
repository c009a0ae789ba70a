"""Melds, deadwood and lay-offs the slow way: lists of cards as texts, every possibility tried in turn.

Shares nothing with `brelan.games.gin.melds`: a meld is what `is_meld` says, and the rest is enumeration.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

Cards = frozenset[str]

LINE = "A23456789TJQKA"


@cache
def is_meld(cards: Cards, high: bool) -> bool:
    """Three or four of a rank, or three or more neighbours of a suit; the ace also stands above the king if `high`."""
    ranks = "".join(sorted(card[0] for card in cards))
    if len(cards) in (3, 4) and len(set(ranks)) == 1:
        return True
    line = LINE if high else LINE[:13]
    rows = {"".join(sorted(line[i : i + len(cards)])) for i in range(len(line) - len(cards) + 1)}
    return len(cards) >= 3 and len({card[1] for card in cards}) == 1 and ranks in rows


@cache
def melds(cards: Cards, high: bool) -> list[Cards]:
    """Every meld that can be made of some of these cards."""
    alike = [[c for c in cards if c[0] == rank] for rank in LINE[:13]]
    suited = [[c for c in cards if c[1] == suit] for suit in "shdc"]
    some = {frozenset(p) for group in alike + suited for n in range(3, len(group) + 1) for p in combinations(group, n)}
    return [part for part in some if is_meld(part, high)]


def arrangements(cards: Cards, high: bool) -> Iterator[tuple[list[Cards], Cards]]:
    """Every way to lay these cards out in melds, with what is left over."""
    yield [], cards
    possible = sorted(melds(cards, high), key=sorted)
    for i, meld in enumerate(possible):
        for others, rest in _with(cards - meld, possible[i + 1 :]):
            yield [meld, *others], rest


def _with(cards: Cards, possible: list[Cards]) -> Iterator[tuple[list[Cards], Cards]]:
    yield [], cards
    for i, meld in enumerate(possible):
        if meld <= cards:
            for others, rest in _with(cards - meld, possible[i + 1 :]):
                yield [meld, *others], rest


def points(cards: Cards, ace: int) -> int:
    worth = {"A": ace, "T": 10, "J": 10, "Q": 10, "K": 10}
    return sum(worth[c[0]] if c[0] in worth else int(c[0]) for c in cards)


@cache
def deadwood(cards: Cards, high: bool, ace: int) -> int:
    """The least points left over by any arrangement."""
    return min(points(rest, ace) for _, rest in arrangements(cards, high))


def after_layoffs(hand: Cards, table: list[Cards], high: bool, ace: int) -> int:
    """The least deadwood after any chain of lay-offs, one card after another, on the melds on the table."""
    best = 10**9
    seen: set[tuple[Cards, frozenset[Cards]]] = set()
    waiting = [(hand, frozenset(table))]
    while waiting:
        cards, laid = waiting.pop()
        if (cards, laid) in seen:
            continue
        seen.add((cards, laid))
        best = min(best, deadwood(cards, high, ace))
        for card in cards:
            for meld in laid:
                if is_meld(meld | {card}, high):
                    waiting.append((cards - {card}, laid - {meld} | {meld | {card}}))
    return best


def answer(knocker: Cards, defender: Cards, high: bool, ace: int) -> int:
    """The defender's deadwood against the best arrangement of the knocker that leaves him most."""
    least = deadwood(knocker, high, ace)
    ways = {frozenset(laid) for laid, rest in arrangements(knocker, high) if points(rest, ace) == least}
    return max(after_layoffs(defender, list(laid), high, ace) for laid in ways)
