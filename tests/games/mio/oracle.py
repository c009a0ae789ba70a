"""A second opinion on Mio: the sheet told again over lists of texts, sharing no line with the engine."""

from __future__ import annotations

NUMBERS = "12345"


class Seat:
    def __init__(self) -> None:
        self.hand: list[str] = []
        self.aside: str | None = None

    def all(self) -> list[str]:
        return self.hand + ([self.aside] if self.aside else [])


class Oracle:
    """A match followed line by line; it knows every card and says what the seat whose turn it is may do."""

    def __init__(self, players: int, first: int, target: int) -> None:
        self.players, self.starter, self.target = players, first, target
        self.scores = [0] * players
        self.over = False

    def shuffle(self, cards: list[str]) -> None:
        self.seats = [Seat() for _ in range(self.players)]
        for i in range(5 * self.players):
            self.seats[(self.starter + i) % self.players].hand.append(cards[i])
        rest = cards[5 * self.players :]
        self.top, self.colour, self.stock = rest[0], rest[0][0], rest[1:]
        if self.top == "J":
            self.colour = "RYBGS"
        self.turn, self.in_a_row = self.starter, 0
        self.drawn: list[str] = []

    def fits(self, card: str, was_drawn: bool) -> bool:
        """Whether a card goes on the top."""
        if self.top.endswith("*"):
            return card.endswith("*") or (was_drawn and (card == "J" or card[0] == self.colour))
        if card == "J" or card[0] in self.colour:
            return True
        return self.top[1:] in NUMBERS and self.top != "J" and card[1:] == self.top[1:]

    def plays(self) -> set[str]:
        """The texts of all cards that may be laid."""
        seat = self.seats[self.turn]
        if self.drawn:
            cards = [card for card in self.drawn[-1:] if self.fits(card, True)]
        else:
            cards = [] if seat.aside else [card for card in seat.hand if self.fits(card, False)]
        left = len(seat.all()) - 1
        texts = set()
        for card in cards:
            texts |= {f"play J {c}" for c in "RYBGS"} if card == "J" and left else {f"play {card}"}
        return texts | {f"{text} mio" for text in texts} if left == 1 else texts

    def legal(self) -> set[str]:
        if self.stock:
            return self.plays() | {"draw"}
        return self.plays() or {"pass"}

    def move(self, text: str) -> None:
        verb, *rest = text.split()
        if verb == "draw":
            self.drawn.append(self.stock.pop(0))
            self.seats[self.turn].hand.append(self.drawn[-1])
            return
        if verb == "pass":
            self.end_turn(forgot=False)
            self.in_a_row += 1
            stuck = not any(self.fits(card, False) for seat in self.seats for card in seat.hand)
            if self.in_a_row >= self.players and stuck:
                self.count(1)
            return
        self.lay(rest[0], rest[1:])

    def lay(self, card: str, said: list[str]) -> None:
        seat = self.seats[self.turn]
        seat.hand.remove(card)
        self.top, self.colour, self.in_a_row = card, card[0], 0
        if card == "J" and said:
            self.colour = said[0]
        if not seat.all():
            self.count(2 if card == "J" else 1)
        else:
            self.end_turn(forgot=len(seat.all()) == 1 and "mio" not in said)

    def end_turn(self, forgot: bool) -> None:
        seat = self.seats[self.turn]
        if forgot and seat.hand:
            seat.aside = seat.hand.pop()
        if not forgot and seat.aside:
            seat.hand.append(seat.aside)
            seat.aside = None
        self.drawn = []
        self.turn = (self.turn + 1) % self.players

    def count(self, times: int) -> None:
        for i, seat in enumerate(self.seats):
            self.scores[i] += times * sum(int(c[1]) if c[1:] in NUMBERS and c != "J" else 10 for c in seat.all())
        self.over = max(self.scores) >= self.target
        self.starter = (self.starter + 1) % self.players
