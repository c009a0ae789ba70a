"""Elements, as its sheet says it, and as Adlung's (`adlung`)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

COLOURS = "RYGBP"
DECK = [f"{colour}{n}" for colour in COLOURS for n in range(11)]
PRESETS = {"sheet": {"unpaired": "aside"}, "adlung": {"unpaired": "stock"}}
HAND = 11

Rank = tuple[int, int, int, int]
"""How many cards, whether of one number (1) or of one colour (0), and what decides between equals, twice."""


def value(card: str) -> int:
    return int(card[1:])


class Reading:
    def __init__(self, players: int, first: int, preset: str, options: dict[str, Any]) -> None:
        """The row of elements comes first, in any order (E4); the tallest is told from outside (E5)."""
        self.players = players
        self.options = PRESETS[preset] | options
        self.scores = [0] * players
        self.over = False
        self.first = first
        self.rounds = 0
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.row: list[str] = []
        self.undealt = sorted(COLOURS)

    def clockwise(self, seat: int) -> list[int]:
        """All seats, beginning with this one."""
        return [(seat + place) % self.players for place in range(self.players)]

    def due(self) -> list[str]:
        return self.undealt

    def shuffle(self, cards: list[str]) -> None:
        if not self.row:
            self.row = cards
            self.undealt = sorted(DECK)
            return
        self.undealt = []
        self.stock = cards[:]
        self.fill_hands()
        self.phase = "place"
        self.placed: list[str] = [""] * len(COLOURS)
        self.turn = self.first

    def fill_hands(self) -> None:
        """One card at a time, from the first player on, to whoever lacks some (E20)."""
        while any(len(hand) < HAND for hand in self.hands):
            for seat in self.clockwise(self.first):
                if len(self.hands[seat]) < HAND:
                    self.hands[seat].append(self.stock.pop(0))

    def asked(self) -> list[int]:
        if self.over or self.undealt:
            return []
        if self.phase == "return":
            return [seat for seat in self.clockwise(self.first + 1) if not self.ready[seat]]
        return [self.turn]

    def legal(self, seat: int) -> list[str]:
        if seat not in self.asked():
            return []
        hand = self.hands[seat]
        if self.phase == "place":
            free = [place for place, card in enumerate(self.placed, 1) if not card]
            return [f"place {card} {place}" for card in hand for place in free]
        if self.phase == "return":
            return [*(f"return {card}" for card in hand), "ready"]
        if len(self.laid[seat]) < 2:
            return [*(f"lay {card}" for card in hand), "pass"]
        return [*("lay " + " ".join(sorted(two)) for two in combinations(hand, 2)), "pass"]

    def move(self, seat: int, text: str) -> None:
        verb, *words = text.split()
        if verb == "place":
            self.place(seat, words[0], int(words[1]))
        elif verb == "lay":
            self.lay(seat, words)
        elif verb == "pass":
            self.passed[seat] = True
            self.go_on()
        else:
            self.give_back(seat, words)

    def place(self, seat: int, card: str, place: int) -> None:
        """Face down beside an element; when everybody has done so all are turned over together (E6)."""
        self.hands[seat].remove(card)
        self.placed[place - 1] = card
        self.turn = (seat + 1) % self.players
        if self.turn == self.first:
            self.reveal()

    def reveal(self) -> None:
        """The highest card's element is strongest, equals stay as they lay (E7); those alone are weaker still (E3)."""
        if self.options["unpaired"] == "stock":  # E2
            self.placed = [card or self.stock.pop(0) for card in self.placed]
        pairs = [(colour, card) for colour, card in zip(self.row, self.placed, strict=True) if card]
        alone = [colour for colour, card in zip(self.row, self.placed, strict=True) if not card]
        pairs.sort(key=lambda pair: -value(pair[1]))
        self.row = [colour for colour, _ in pairs] + alone
        self.points = [card for _, card in pairs if value(card) > 0]
        self.stock += [card for _, card in pairs if value(card) == 0]  # E8
        self.won: list[list[str]] = [[] for _ in range(self.players)]
        self.leader = self.first  # E25
        self.phase = "auction"
        self.begin_auction()

    def begin_auction(self) -> None:
        """The weakest point card next (E9); without one the round is over, at once if all were zeros (E24)."""
        if not self.points:
            self.end_round()
            return
        self.laid: list[list[str]] = [[] for _ in range(self.players)]
        self.passed = [False] * self.players
        self.turn = (self.leader - 1) % self.players
        self.go_on()

    def go_on(self) -> None:
        """The next who can lay something; who could but has too few cards passes (E10, E12)."""
        for seat in self.clockwise(self.turn + 1):
            if self.can_lay(seat):
                self.turn = seat
                return
            self.passed[seat] = True
        self.end_auction()

    def can_lay(self, seat: int) -> bool:
        """One card, one card, then two at once: 0, 1, 2 or 4 lie there (E10)."""
        laid = len(self.laid[seat])
        return not self.passed[seat] and laid < 4 and len(self.hands[seat]) >= (2 if laid == 2 else 1)

    def lay(self, seat: int, cards: list[str]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
            self.laid[seat].append(card)
        self.go_on()

    def end_auction(self) -> None:
        """The best combination wins, of those who passed as well (E11); what was laid goes to the stock (E21)."""
        card = self.points.pop()
        laid = [seat for seat in range(self.players) if self.laid[seat]]
        if laid:
            self.leader = max(laid, key=lambda seat: self.best(self.laid[seat]))
            self.won[self.leader].append(card)
        else:
            self.stock.append(card)  # and the same player leads again (E18)
        for cards in self.laid:
            self.stock += cards
        self.begin_auction()

    def best(self, cards: list[str]) -> Rank:
        """The best combination among these cards; the others count for nothing (E13)."""
        some = [part for n in range(1, len(cards) + 1) for part in combinations(cards, n)]
        return max(rank for part in some for rank in self.ranks(part))

    def ranks(self, cards: tuple[str, ...]) -> list[Rank]:
        """What these cards are all together (E17)."""
        strengths = [-self.row.index(card[0]) for card in cards]
        values = [value(card) for card in cards]
        found = []
        if len(cards) > 1 and len(set(values)) == 1:
            found.append((len(cards), 1, values[0], max(strengths)))  # the number, then the strongest colour (E14)
        if len(set(strengths)) == 1:
            found.append((len(cards), 0, strengths[0], max(values)))  # the colour, then the highest card (E15, E16)
        return found

    def end_round(self) -> None:
        """As many rounds as seats, and nothing is given back after the last (E19, E22)."""
        for seat, cards in enumerate(self.won):
            self.scores[seat] += sum(value(card) for card in cards)
        self.rounds += 1
        if self.rounds == self.players:
            self.over = True
            return
        self.phase = "return"
        self.ready = [not hand for hand in self.hands]
        self.gather()

    def give_back(self, seat: int, words: list[str]) -> None:
        """One card, or that these are all; who has none left is ready (E20)."""
        for card in words:
            self.hands[seat].remove(card)
            self.stock.append(card)
        self.ready[seat] = not words or not self.hands[seat]
        self.gather()

    def gather(self) -> None:
        """Once everybody is ready all that is not in a hand is shuffled, and the next player is first (E20)."""
        if not all(self.ready):
            return
        self.undealt = sorted(self.stock + [card for cards in self.won for card in cards])
        self.first = (self.first + 1) % self.players

    @property
    def winners(self) -> list[int]:
        """All who have most (E23)."""
        return [seat for seat in range(self.players) if self.scores[seat] == max(self.scores)]
