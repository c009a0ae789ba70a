"""Mio, as its sheet says it."""

from __future__ import annotations

from typing import Any

COLOURS = "RYBGS"
FACES = "12345*"
HAND = 5


def points(card: str) -> int:
    """Stars and jokers count ten (M23)."""
    return 10 if card[-1] in "*J" else int(card[1])


class Reading:
    def __init__(self, players: int, first: int, preset: str, options: dict[str, Any]) -> None:
        """The deck is a guess, and may be told (M1); the first player too (M22)."""
        self.players = players
        self.options = {"deck": [1, 2, 2, 2, 2, 1], "target": 100} | options
        copies = dict(zip(FACES, self.options["deck"], strict=True))
        self.deck = sorted([c + face for c in COLOURS for face in FACES for _ in range(copies[face])] + ["J"] * 5)
        self.scores = [0] * players
        self.over = False
        self.starter = first
        self.undealt = True

    def due(self) -> list[str]:
        return self.deck if self.undealt and not self.over else []

    def shuffle(self, cards: list[str]) -> None:
        """Five cards each; the next is turned over, and no colour was named if it is a joker (M3)."""
        self.undealt = False
        dealt = HAND * self.players
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        for place, card in enumerate(cards[:dealt]):
            self.hands[(self.starter + place) % self.players].append(card)
        self.aside = [""] * self.players
        self.top = cards[dealt]
        self.named = ""
        self.stock = cards[dealt + 1 :]
        self.turn = self.starter
        self.drawn: list[str] = []
        self.passes = 0

    def asked(self) -> list[int]:
        return [] if self.over or self.undealt else [self.turn]

    def owned(self, seat: int) -> int:
        """The cards that are somebody's: those of the hand, and the one set aside (M18)."""
        return len(self.hands[seat]) + bool(self.aside[seat])

    def fits(self, card: str, drawn: bool) -> bool:
        if self.top[-1] == "*":
            return self.fits_star(card, drawn)
        if self.top == "J":
            return not self.named or card == "J" or card[0] == self.named  # M3, M5
        return card == "J" or card[0] == self.top[0] or card[1] == self.top[1]  # M4

    def fits_star(self, card: str, drawn: bool) -> bool:
        """A star always (M6); the star's colour and jokers only when they were drawn (M7)."""
        return card[-1] == "*" or (drawn and (card == "J" or card[0] == self.top[0]))

    def legal(self, seat: int) -> list[str]:
        """Lay or draw; with an empty stock lay if one can, else pass (M12, M14)."""
        if seat not in self.asked():
            return []
        found = [text for card in self.layable(seat) for text in self.texts(seat, card)]
        if self.stock:
            return [*found, "draw"]
        return found or ["pass"]

    def layable(self, seat: int) -> set[str]:
        """Once one has drawn, only the last card drawn (M10, M11); who lies under a penalty must draw (M19)."""
        if self.drawn:
            return {card for card in self.drawn[-1:] if self.fits(card, drawn=True)}
        if self.aside[seat]:
            return set()
        return {card for card in self.hands[seat] if self.fits(card, drawn=False)}

    def texts(self, seat: int, card: str) -> list[str]:
        """A joker names a colour unless it is the last card (M24); who then has one card may say so (M18)."""
        left = self.owned(seat) - 1
        plain = [f"play J {colour}" for colour in COLOURS] if card == "J" and left else [f"play {card}"]
        return plain + [f"{text} mio" for text in plain if left == 1]

    def move(self, seat: int, text: str) -> None:
        verb, *words = text.split()
        if verb == "draw":
            self.drawn.append(self.stock.pop(0))
            self.hands[seat] += self.drawn[-1:]
        elif verb == "pass":
            self.give_up(seat)
        else:
            self.play(seat, *words)

    def give_up(self, seat: int) -> None:
        """The card set aside is taken back (M20); when all have passed and nobody can lay, it is over (M15)."""
        self.take_back(seat)
        self.passes += 1
        blocked = not any(self.fits(card, drawn=False) for hand in self.hands for card in hand)
        if self.passes >= self.players and blocked:
            self.end_round(1)
            return
        self.next_turn()

    def take_back(self, seat: int) -> None:
        if self.aside[seat]:
            self.hands[seat].append(self.aside[seat])
            self.aside[seat] = ""

    def play(self, seat: int, card: str, *said: str) -> None:
        self.hands[seat].remove(card)
        self.top = card
        self.named = said[0] if card == "J" and said else ""
        self.passes = 0
        if not self.owned(seat):
            self.end_round(2 if card == "J" else 1)  # M16, M17
            return
        self.set_aside(seat, forgot=self.owned(seat) == 1 and "mio" not in said)
        self.next_turn()

    def set_aside(self, seat: int, forgot: bool) -> None:
        """Who forgets to say it sets the one card aside; it comes back next turn, unless he forgets again (M19)."""
        if not forgot:
            self.take_back(seat)
        elif self.hands[seat]:
            self.aside[seat] = self.hands[seat].pop()

    def next_turn(self) -> None:
        self.turn = (self.turn + 1) % self.players
        self.drawn = []

    def end_round(self, times: int) -> None:
        """What is held counts, and what is set aside (M21); the lowest wins when somebody has enough (M23)."""
        for seat in range(self.players):
            self.take_back(seat)
            self.scores[seat] += times * sum(points(card) for card in self.hands[seat])
        self.over = max(self.scores) >= self.options["target"]
        self.starter = (self.starter + 1) % self.players  # M22
        self.undealt = True

    @property
    def winners(self) -> list[int]:
        return [seat for seat in range(self.players) if self.scores[seat] == min(self.scores)]
