"""Gin Rami, as its sheet says it, and gin rummy as most play it (`classic`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

Cards = frozenset[str]

RANKS = "A23456789TJQK"
SUITS = "shdc"
DECK = sorted(rank + suit for rank in RANKS for suit in SUITS)
SHEET = {
    "ace_high_runs": True,  # G2
    "ace_value": 1,  # G3
    "upcard_offer": False,  # G4
    "knock_limit": 10,  # G6
    "gin_on_ten": False,  # G7
    "gin_bonus": 25,  # G8
    "big_gin_bonus": 0,
    "undercut_bonus": 10,  # G9
    "stock_end": 2,  # G13
    "turn_cap": 500,  # G13
    "target": 100,  # G16
}
USUAL = {"ace_high_runs": False, "upcard_offer": True, "gin_on_ten": True, "big_gin_bonus": 31, "undercut_bonus": 25}
REMEMBERED = 100_000
PRESETS = {"sheet": SHEET, "classic": SHEET | USUAL}


@cache
def all_melds(high: bool) -> frozenset[Cards]:
    """Three or four of a rank; three or more neighbours of a suit, the ace below the two, and above the king if `high`.

    The line has two ends: nothing goes round the ace (G2, G12).
    """
    alike = [frozenset(part) for rank in RANKS for n in (3, 4) for part in combinations([rank + s for s in SUITS], n)]
    line = RANKS + "A" * high
    spans = [line[low:end] for low in range(len(line)) for end in range(low + 3, len(line) + 1) if end - low <= 13]
    return frozenset(alike + [frozenset(rank + suit for rank in span) for span in spans for suit in SUITS])


@cache
def melds_with(card: str, high: bool) -> list[Cards]:
    return [meld for meld in all_melds(high) if card in meld]


@lru_cache(REMEMBERED)
def deadwood(cards: Cards, high: bool, ace: int) -> int:
    """The least that these cards can leave outside melds."""
    if not cards:
        return 0
    card = min(cards)
    least = value(card, ace) + deadwood(cards - {card}, high, ace)
    for meld in melds_with(card, high):
        if meld <= cards:
            least = min(least, deadwood(cards - meld, high, ace))
    return least


def value(card: str, ace: int) -> int:
    return ace if card[0] == "A" else min(10, RANKS.index(card[0]) + 1)


@lru_cache(REMEMBERED)
def melded(cards: Cards, high: bool) -> bool:
    """Whether none of these cards need be left outside melds, whatever an ace counts."""
    if not cards:
        return True
    return any(meld <= cards and melded(cards - meld, high) for meld in melds_with(min(cards), high))


def arrangements(cards: Cards, high: bool, ace: int) -> Iterator[tuple[frozenset[Cards], int]]:
    """Every way to lay these cards out: the melds, and what is left."""
    if not cards:
        yield frozenset(), 0
        return
    card = min(cards)
    for melds, left in arrangements(cards - {card}, high, ace):
        yield melds, left + value(card, ace)
    for meld in melds_with(card, high):
        if meld <= cards:
            for melds, left in arrangements(cards - meld, high, ace):
                yield melds | {meld}, left


@lru_cache(REMEMBERED)
def laid_off(melds: frozenset[Cards], hand: Cards, high: bool, ace: int) -> int:
    """The least a defender can be left with: own melds, and card after card laid off onto the knocker's (G10)."""
    found = [deadwood(hand, high, ace)]
    for card in hand:
        for meld in melds:
            if meld | {card} in all_melds(high):
                longer = melds - {meld} | {meld | {card}}
                found.append(laid_off(longer, hand - {card}, high, ace))
    return min(found)


def knocked(knocker: Cards, defender: Cards, high: bool, ace: int) -> tuple[int, int]:
    """What both are left with; of the knocker's best arrangements the one that leaves the defender most (G11)."""
    ways = list(arrangements(knocker, high, ace))
    least = min(left for _, left in ways)
    return least, max(laid_off(melds, defender, high, ace) for melds, left in ways if left == least)


class Reading:
    def __init__(self, players: int, first: int, preset: str, options: dict[str, Any]) -> None:
        """The first dealer is whoever does not begin (G14)."""
        self.options = PRESETS[preset] | options
        self.high, self.ace = self.options["ace_high_runs"], self.options["ace_value"]
        self.scores = [0, 0]
        self.over = False
        self.dealer = 1 - first
        self.undealt = True

    def due(self) -> list[str]:
        return DECK if self.undealt and not self.over else []

    def shuffle(self, cards: list[str]) -> None:
        """Ten cards each, the non-dealer first; the next is turned over (G15)."""
        self.undealt = False
        self.turn = 1 - self.dealer
        self.hands = [set(cards[seat != self.turn : 20 : 2]) for seat in (0, 1)]
        self.discards = cards[20:21]
        self.stock = cards[21:]
        self.thrown = 0
        self.taken = ""
        self.phase = "offer" if self.options["upcard_offer"] else "draw"

    def asked(self) -> list[int]:
        return [] if self.over or self.undealt else [self.turn]

    def legal(self, seat: int) -> list[str]:
        if seat not in self.asked():
            return []
        if self.phase in ("offer", "offer again"):  # G4
            return ["take", "pass"]
        if self.phase == "refused":
            return ["draw"]
        return ["draw", "take"] if self.phase == "draw" else self.throws(frozenset(self.hands[seat]))

    def throws(self, hand: Cards) -> list[str]:
        """What eleven cards allow; what was taken may not be thrown back, nor by a knock (G5)."""
        found = []
        for card in hand - {self.taken}:
            found.append(f"discard {card}")
            rest = hand - {card}
            if self.options["gin_on_ten"] and melded(rest, self.high):
                found.append(f"gin {card}")
            elif deadwood(rest, self.high, self.ace) <= self.options["knock_limit"]:  # G6
                found.append(f"knock {card}")
        if melded(hand, self.high) and (not self.options["gin_on_ten"] or self.options["big_gin_bonus"]):  # G7
            found.append("gin")
        return found

    def move(self, seat: int, text: str) -> None:
        verb, *cards = text.split()
        if verb == "pass":
            self.turn = 1 - seat
            self.phase = "offer again" if self.phase == "offer" else "refused"
        elif verb in ("draw", "take"):
            self.pick_up(verb == "take")
        else:
            self.hands[seat] -= set(cards)
            self.discards += cards
            self.put_down(verb, big=not cards)

    def pick_up(self, taken: bool) -> None:
        """Only the top of the discards may be taken (G17)."""
        card = self.discards.pop() if taken else self.stock.pop(0)
        self.taken = card if taken else ""
        self.hands[self.turn].add(card)
        self.phase = "throw"

    def put_down(self, verb: str, big: bool) -> None:
        if verb == "discard":
            self.discard()
            return
        mine, theirs = frozenset(self.hands[self.turn]), frozenset(self.hands[1 - self.turn])
        if verb == "gin":
            self.gin(theirs, big)
        else:
            self.knock(mine, theirs)
        self.end_hand()

    def discard(self) -> None:
        """The other's turn; or nobody scores, where the stock is at its end or this has lasted too long (G13)."""
        self.thrown += 1
        if len(self.stock) <= self.options["stock_end"] or self.thrown == self.options["turn_cap"]:
            self.end_hand()
            return
        self.turn = 1 - self.turn
        self.phase = "draw"

    def gin(self, theirs: Cards, big: bool) -> None:
        """The bonus and what the other's own melds leave; nothing is laid off (G8)."""
        bonus = "big_gin_bonus" if big and self.options["gin_on_ten"] else "gin_bonus"
        self.scores[self.turn] += self.options[bonus] + deadwood(theirs, self.high, self.ace)

    def knock(self, mine: Cards, theirs: Cards) -> None:
        """The difference; the defender who has no more has it, and the bonus (G9)."""
        knocker, defender = knocked(mine, theirs, self.high, self.ace)
        if defender <= knocker:
            self.scores[1 - self.turn] += knocker - defender + self.options["undercut_bonus"]
        else:
            self.scores[self.turn] += defender - knocker

    def end_hand(self) -> None:
        """The other deals, after a void hand too (G14), until somebody has enough (G16)."""
        self.over = max(self.scores) >= self.options["target"]
        self.dealer = 1 - self.dealer
        self.undealt = True

    @property
    def winners(self) -> list[int]:
        return [seat for seat in (0, 1) if self.scores[seat] == max(self.scores)]
