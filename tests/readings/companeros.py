"""Compañeros, as its sheet says it."""

from __future__ import annotations

from typing import Any


def value(card: str) -> int:
    return int(card[1:])


class Reading:
    def __init__(self, players: int, first: int, preset: str, options: dict[str, Any]) -> None:
        """One round with the first colours unless told (C11, C14); who is eldest is told from outside (C8)."""
        self.players = players
        self.options = {"rounds": 1, "colours": "RYGBPO"[:players]} | options
        self.deck = sorted(f"{colour}{n}" for colour in self.options["colours"] for n in range(1, 11))
        self.scores = [0] * players
        self.over = False
        self.starter = first
        self.played = 0
        self.undealt = True

    def due(self) -> list[str]:
        return self.deck if self.undealt and not self.over else []

    def shuffle(self, cards: list[str]) -> None:
        """One card a seat into the pot, all others into the hands; the starter leads."""
        self.undealt = False
        self.pot = cards[: self.players]
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        for place, card in enumerate(cards[self.players :]):
            self.hands[(self.starter + place) % self.players].append(card)
        self.captured: list[list[str]] = [[] for _ in range(self.players)]
        self.leader = self.starter
        self.begin_trick()

    def begin_trick(self) -> None:
        self.trick: dict[int, str] = {}
        self.takers: list[int] = []
        self.took: list[int] = []

    def asked(self) -> list[int]:
        if self.over or self.undealt:
            return []
        if self.takers:
            return self.takers[:1]
        return [(self.leader + len(self.trick)) % self.players]

    def legal(self, seat: int) -> list[str]:
        """Any card of the hand (C7); of the pot any colour, and one must be taken (C6)."""
        if seat not in self.asked():
            return []
        if self.takers:
            return sorted({f"take {card[0]}" for card in self.pot})
        return [f"play {card}" for card in self.hands[seat]]

    def move(self, seat: int, text: str) -> None:
        verb, what = text.split()
        if verb == "play":
            self.play(seat, what)
        else:
            self.take(seat, what)

    def play(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.trick[seat] = card
        if len(self.trick) < self.players:
            return
        self.takers = self.counted()
        if not self.takers:
            self.end_trick()

    def counted(self) -> list[int]:
        """Who takes, one after the other: from the strongest colour down to where two are equally strong (C2)."""
        totals: dict[str, int] = {}
        for card in self.trick.values():
            totals[card[0]] = totals.get(card[0], 0) + value(card)
        takers: list[int] = []
        for total in sorted(set(totals.values()), reverse=True):
            colours = [colour for colour in totals if totals[colour] == total]
            if len(colours) > 1:
                break
            mates = [seat for seat, card in self.trick.items() if card[0] == colours[0]]
            takers += sorted(mates, key=lambda seat: -value(self.trick[seat]))
        return takers

    def take(self, seat: int, colour: str) -> None:
        """All cards of the colour; who finds the pot empty gets nothing (C4)."""
        self.captured[seat] += [card for card in self.pot if card[0] == colour]
        self.pot = [card for card in self.pot if card[0] != colour]
        self.took.append(seat)
        self.takers.pop(0)
        if not self.pot or not self.takers:
            self.end_trick()

    def end_trick(self) -> None:
        """What was played goes to what is left in the pot (C3, C5); who took first leads, else who led before (C9)."""
        if self.took:
            self.leader = self.took[0]
        self.pot += self.trick.values()
        self.begin_trick()
        if not any(self.hands):
            self.end_round()

    def end_round(self) -> None:
        """Each has what he captured, and nobody what is left in the pot (C10)."""
        for seat, cards in enumerate(self.captured):
            self.scores[seat] += sum(value(card) for card in cards)
        self.played += 1
        if self.played == self.options["rounds"]:
            self.over = True
            return
        while self.scores[self.starter] < max(self.scores):  # the leader met first, from the seat that started (C13)
            self.starter = (self.starter + 1) % self.players
        self.undealt = True

    @property
    def winners(self) -> list[int]:
        """All who have most (C12)."""
        return [seat for seat in range(self.players) if self.scores[seat] == max(self.scores)]
