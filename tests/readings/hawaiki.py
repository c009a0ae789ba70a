"""Hawaiki, as its sheet says it."""

from __future__ import annotations

from typing import Any

COLOURS = "PGOYB"
DECK = sorted(f"{colour}{n}" for colour in COLOURS for n in range(1, 8) for _ in range(2))
HAND = 6
SHEET = {"tokens": 10, "one_hidden": False, "sacrifice": False, "second_chance": False}

Step = tuple[str, int, int]
"""What is still to be done: a word, and two numbers of its own."""


def values(tops: list[str]) -> list[int]:
    return sorted(int(card[1]) for card in tops)


def is_run(numbers: list[int]) -> bool:
    """Three in a row; nothing goes round from seven to one (H4)."""
    return numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]


def combination(before: list[str], place: int, card: str) -> str:
    """What a card makes on that pile, compared with the tops just before (H3); one placement makes one at most."""
    after = [*before[:place], card, *before[place + 1 :]]
    if before[place] == card:  # the very card that is covered (H5)
        return "pair"
    if is_run(values(after)) and values(after) != values(before):  # H4
        return "run"
    if len({top[0] for top in after}) == 1 < len({top[0] for top in before}):
        return "colour"
    if len({top[1] for top in after}) == 1 < len({top[1] for top in before}):
        return "three"
    return ""


class Reading:
    def __init__(self, players: int, first: int, preset: str, options: dict[str, Any]) -> None:
        """So many tokens each; who begins is told from outside (H1, H24)."""
        self.players = players
        self.options = SHEET | options
        self.scores = [self.options["tokens"]] * players
        self.over = False
        self.first = first
        self.begin_round()

    def begin_round(self) -> None:
        self.new_round = True
        self.undealt = DECK

    def others(self, seat: int) -> list[int]:
        """Clockwise, from the left neighbour on (H28)."""
        return [(seat + step) % self.players for step in range(1, self.players)]

    def due(self) -> list[str]:
        return self.undealt

    def shuffle(self, cards: list[str]) -> None:
        self.undealt = []
        if self.new_round:
            self.deal(cards)
        else:
            self.stock = cards[:]
            self.go_on()

    def deal(self, cards: list[str]) -> None:
        """Six cards each, and three piles of one."""
        self.new_round = False
        dealt = HAND * self.players
        self.hands: list[list[str]] = [[] for _ in range(self.players)]
        for place, card in enumerate(cards[:dealt]):
            self.hands[(self.first + place) % self.players].append(card)
        self.piles = [[card] for card in cards[dealt : dealt + 3]]
        self.stock = cards[dealt + 3 :]
        self.hidden = [""] * self.players
        self.sacrificed = [False] * self.players
        self.chanced = [False] * self.players
        self.turn = self.first
        self.steps: list[Step] = []
        self.passes = 0
        self.phase = "hide first" if self.options["one_hidden"] else "turn"

    def asked(self) -> list[int]:
        if self.over or self.undealt:
            return []
        if self.phase == "hide first":
            return [seat for seat in [self.first, *self.others(self.first)] if not self.hidden[seat]]
        if self.phase == "window":
            return self.silent
        return [self.answering] if self.phase == "answer" else [self.turn]

    def legal(self, seat: int) -> list[str]:
        if seat not in self.asked():
            return []
        if self.phase == "turn":
            return [*self.placements(seat), *self.sacrifices(seat), "draw"]
        if self.phase in ("hide first", "hide"):
            return sorted({f"hide {card}" for card in self.hands[seat]}) + ["show"] * (self.phase == "hide")
        if self.phase == "window":
            return ["announce" if seat == self.turn else "contre", "let"]
        if self.phase == "name":
            return [f"name {other}" for other in self.others(seat)]  # H13
        return ["thanks", "thanks much", "silent"] if self.phase == "answer" else ["again", "end"]

    def placements(self, seat: int) -> set[str]:
        """The covered card's colour or value (H23); only what is so can be announced with it (H8, H10)."""
        found = set()
        tops = [pile[-1] for pile in self.piles]
        for card in self.hands[seat]:
            for place, top in enumerate(tops):
                if card[0] == top[0] or card[1] == top[1]:
                    text = f"play {card} {place + 1}"
                    found |= {text, f"{text} {combination(tops, place, card)}".strip()}
        return found

    def sacrifices(self, seat: int) -> list[str]:
        """Before one's action, once a round, of a pile that stays; with a token, and not with one card left (H26)."""
        may = self.options["sacrifice"] and not self.sacrificed[seat]
        if not may or not self.scores[seat] or len(self.hands[seat]) == 1:
            return []
        return [f"sacrifice {place}" for place, pile in enumerate(self.piles, 1) if len(pile) > 1]

    def move(self, seat: int, text: str) -> None:
        verb, *words = text.split()
        match self.phase:
            case "hide first" | "hide":
                self.hide(seat, words)
            case "window":
                self.speak(seat, verb)
            case "name":
                self.name(int(words[0]))
            case "answer":
                self.answer(seat, text)
            case "again":
                self.choose_again(seat, verb)
            case _:
                self.act(seat, verb, words)

    def act(self, seat: int, verb: str, words: list[str]) -> None:
        """What a turn is made of; to draw is to end it (H7)."""
        if verb == "play":
            self.play(seat, *words)
        elif verb == "sacrifice":
            self.sacrifice(seat, int(words[0]))
        else:
            self.drew = False
            self.do(("draw", seat, 1), ("turn over", 0, 0))

    def do(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.go_on()

    def hide(self, seat: int, words: list[str]) -> None:
        """Each hides a card of those dealt; who has laid the hidden one may hide another (H25)."""
        if words:
            self.hidden[seat] = words[0]
        if self.phase == "hide":
            self.go_on()
        elif all(self.hidden):
            self.phase = "turn"

    def play(self, seat: int, card: str, pile: str, *said: str) -> None:
        place = int(pile) - 1
        self.made = combination([pile[-1] for pile in self.piles], place, card)
        self.hands[seat].remove(card)
        self.laid_hidden = self.hidden[seat] == card and card not in self.hands[seat]
        if self.laid_hidden:
            self.hidden[seat] = ""
        self.piles[place].append(card)
        self.passes = 0
        self.drew = True
        self.last = not self.hands[seat]
        if said:
            self.effect()
        elif self.made:
            self.phase = "window"
            self.silent = [*self.others(seat), seat]
        else:
            self.do(("laid", 0, 0))

    def speak(self, seat: int, verb: str) -> None:
        """Who laid may still announce (H9); the first other to call makes him draw (H8, H11); or nobody says a word."""
        self.silent.remove(seat)
        if verb == "announce":
            self.effect()
        elif verb == "contre":
            self.do(("draw", self.turn, 1), ("laid", 0, 0))
        elif not self.silent:
            self.do(("laid", 0, 0))

    def effect(self) -> None:
        """A pair replays; a run gives one card, a colour two, three alike one to everybody, and then one replays."""
        self.named: list[int] = []
        if self.made == "pair":
            self.do(("laid", 1, 0))
        elif self.made == "three":
            self.give(self.others(self.turn))  # H12
        else:
            self.to_name = 1 if self.made == "run" else 2
            self.phase = "name"

    def name(self, seat: int) -> None:
        """Two cards go to one, or to two (H13)."""
        self.named.append(seat)
        if len(self.named) == self.to_name:
            self.give(self.named)

    def give(self, seats: list[int]) -> None:
        """Clockwise, each answers and draws (H15)."""
        asks = [("ask", seat, seats.count(seat)) for seat in self.others(self.turn) if seat in seats]
        self.do(*asks, ("laid", 1, 0))

    def answer(self, seat: int, text: str) -> None:
        """Thanks for one card, much thanks for two; more is well, less is a fault and costs a card (H14)."""
        fault = text == "silent" or (self.to_draw == 2 and text == "thanks")
        self.steps.insert(0, ("draw", seat, self.to_draw + fault))
        self.go_on()

    def go_on(self) -> None:
        """One step after the other, until somebody is asked, or cards are to be shuffled, or the round is over."""
        self.phase = ""
        while self.steps and not self.phase and not self.undealt:
            word, one, two = self.steps.pop(0)
            match word:
                case "ask":
                    self.phase, self.answering, self.to_draw = "answer", one, two
                case "draw":
                    self.draw(one, two)
                case "laid":
                    self.after_laying(one)
                case "replay":
                    self.phase = "turn"  # one more full turn (H6)
                case "turn over":
                    self.after_acting()

    def draw(self, seat: int, cards: int) -> None:
        """From the stock; from what lies under the tops if that is empty, and as many as there are (H16)."""
        if not cards:
            return
        under = [card for pile in self.piles for card in pile[:-1]]
        if self.stock:
            self.hands[seat].append(self.stock.pop(0))
            self.passes = 0
            self.drew = True
            self.steps.insert(0, ("draw", seat, cards - 1))
        elif under:
            self.undealt = sorted(under)
            self.piles = [pile[-1:] for pile in self.piles]
            self.steps.insert(0, ("draw", seat, cards))

    def after_laying(self, replay: int) -> None:
        """The last card ends the round, with its draws and without another turn (H18, H19)."""
        if self.last:
            self.steps = []
            self.end_round(self.turn)
            return
        self.steps = [("replay" if replay else "turn over", 0, 0)]
        if self.laid_hidden:
            self.phase = "hide"

    def after_acting(self) -> None:
        """A second chance costs a token, once a round, and is not for one's last card (H27)."""
        seat = self.turn
        may = self.options["second_chance"] and not self.chanced[seat]
        if may and self.scores[seat] and len(self.hands[seat]) != 1:
            self.phase = "again"
        else:
            self.pass_on()

    def choose_again(self, seat: int, verb: str) -> None:
        if verb == "end":
            self.pass_on()
            return
        self.scores[seat] -= 1
        self.chanced[seat] = True
        self.phase = "turn"

    def sacrifice(self, seat: int, pile: int) -> None:
        """A token puts the top under the stock; what it uncovers is no combination, but what comes before (H26)."""
        self.scores[seat] -= 1
        self.sacrificed[seat] = True
        self.stock.append(self.piles[pile - 1].pop())
        self.passes = 0

    def pass_on(self) -> None:
        """When all in turn have found nothing to draw the round ends, and the same begins again (H17)."""
        self.passes += not self.drew
        if self.passes >= self.players:
            self.end_round(self.first)
            return
        self.turn = (self.turn + 1) % self.players
        self.phase = "turn"

    def end_round(self, starter: int) -> None:
        """A token a card, as long as there are some (H20); who has none left ends the match (H21)."""
        self.scores = [max(0, had - len(hand)) for had, hand in zip(self.scores, self.hands, strict=True)]
        self.over = min(self.scores) == 0
        self.first = starter
        if not self.over:
            self.begin_round()

    @property
    def winners(self) -> list[int]:
        """All who have most (H22)."""
        return [seat for seat in range(self.players) if self.scores[seat] == max(self.scores)]
