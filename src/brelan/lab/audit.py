"""The audit of the shuffle: the very one of the tables, on every deck of every game, counted a great many times.

Four questions to each deck. Does every card come to every place as often? Does every card lie under every other as
often? Does the first hand hold the cards of a kind as often as it should? Do whole orders come back? An answer is how
far it lies from what a fair shuffle gives, in standard deviations; four or more would happen to a fair shuffle once in
16,000 answers. The same questions find wrong shuffles that people have really used (`MUTANTS`).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from brelan import __version__
from brelan.games import GAMES
from brelan.lab.engines import in_processes
from brelan.lab.orders import LETTERS, Chi, Counts, counted
from brelan.play.dealt import zones_of_places
from brelan.play.match import Match
from brelan.play.shuffle import Chance, simulated

LIMIT = 4.0
"""Standard deviations from which on a shuffle counts as unfair."""

BLOCK = 1000
"""Shuffles with one secret, counted at once; as many matches in a row would need them."""


@dataclass(frozen=True, slots=True)
class Deck:
    """What a game shuffles before the first move: so many cards, the places of the first hand, if it deals any, and
    how many of the cards are of one kind (their texts begin with the same letter).
    """

    game: str
    players: int
    size: int
    hand: tuple[int, ...]
    kind: int

    @property
    def name(self) -> str:
        return f"{self.game} {self.size}"


def decks() -> list[Deck]:
    """Every deck of every game, each size once."""
    found: dict[str, Deck] = {}
    for game in GAMES:
        for players in game.seats:
            for deck in _of(Match(game, players)):
                found.setdefault(deck.name, deck)
    return list(found.values())


def _of(match: Match) -> Iterator[Deck]:
    while due := match.due():
        zones = zones_of_places(match.game, match.state)
        hand = tuple(place for place, zone in enumerate(zones) if zone == f"hand:{match.first}")
        kind = sum(card[0] == due[0][0] for card in due)
        yield Deck(match.game.id, match.players, len(due), hand, kind)
        match.shuffle(due)


# ---------------------------------------------------------------- counting


Shuffle = Callable[[Chance, int, str], list[str]]
"""A way to shuffle: chance, number of the shuffle, cards."""


def count(deck: Deck, shuffles: int, seed: int, block: int, mutant: str = "") -> Counts:
    """Some shuffles of a deck; the seed repeats them."""
    number = int.from_bytes(hashlib.sha256(f"{deck.name}/{block}".encode()).digest()[:6], "big")
    chance = simulated(f"audit-{seed}-{number}", deck.players, seed, number)
    shuffle, cards = MUTANTS[mutant] if mutant else Chance.order, LETTERS[: deck.size]
    orders = ["".join(shuffle(chance, k, cards)) for k in range(shuffles)]
    return counted(orders, deck.hand, deck.kind)


# ---------------------------------------------------------------- the verdict


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the counts of a deck say: of each question the standard deviations from what is fair."""

    deck: Deck
    shuffles: int
    z: dict[str, float]

    @property
    def fair(self) -> bool:
        return all(abs(z) < LIMIT for z in self.z.values())

    def to_json(self) -> dict[str, Any]:
        z = {name: round(z, 2) + 0.0 for name, z in self.z.items()}  # never minus nothing
        deck = {"game": self.deck.game, "cards": self.deck.size, "players": self.deck.players}
        deck |= {"hand": len(self.deck.hand), "kind": self.deck.kind}
        return deck | {"shuffles": self.shuffles, "z": z, "fair": self.fair}


QUESTIONS = ("places", "pairs", "hands", "orders")
"""Card against place, card under card, kinds in the first hand, whole orders."""


def judged(deck: Deck, made: Counts) -> Verdict:
    """The verdict on a deck's counts."""
    z = {"places": deviations(made.by_place())}
    if deck.size > 2:  # of two, each lies under the other
        z["pairs"] = deviations(made.by_pair())
    if hands := made.by_hand(len(deck.hand)) if deck.hand else None:
        z["hands"] = deviations(hands)
    orders = made.by_order()
    z["orders"] = deviations(orders) if orders else repeats(made)
    return Verdict(deck, made.shuffles, z)


def deviations(chi: Chi) -> float:
    """χ² as standard deviations from its mean: Wilson and Hilferty's root, good also for few degrees of freedom."""
    value, freedom = chi
    small = 2 / (9 * freedom)
    return float(((value / freedom) ** (1 / 3) - 1 + small) / math.sqrt(small))


def repeats(made: Counts) -> float:
    """How surprising it is that whole orders came back; where none is expected, one lies beyond the limit."""
    pairs = made.shuffles * (made.shuffles - 1) / 2
    expected = pairs / min(math.factorial(made.size), 2**64)
    return (made.repeated() - expected) / math.sqrt(expected + 1 / (LIMIT + 1) ** 2)


# ---------------------------------------------------------------- the whole audit


@dataclass(frozen=True, slots=True)
class Plan:
    """How many shuffles of each deck are counted, from which seed; by which wrong shuffle, if not by ours."""

    shuffles: int
    seed: int
    engine: str = "cores"  # or here: in this process only
    mutant: str = ""

    @property
    def blocks(self) -> int:
        """Of each deck."""
        return -(-self.shuffles // BLOCK)

    def to_json(self, verdicts: list[Verdict]) -> dict[str, Any]:
        """What was asked, and the verdicts."""
        asked = {"version": __version__, "seed": self.seed, "limit": LIMIT, "mutant": self.mutant or None}
        return asked | {"fair": all(v.fair for v in verdicts), "decks": [v.to_json() for v in verdicts]}

    def run(self, chosen: list[Deck], tick: Callable[[], object] = lambda: None) -> list[Verdict]:
        """The verdict on each deck; `tick` is called after each block."""
        sizes = [min(BLOCK, self.shuffles - begin) for begin in range(0, self.shuffles, BLOCK)]
        tasks = [(deck, size, self.seed, block, self.mutant) for deck in chosen for block, size in enumerate(sizes)]
        found: dict[str, Counts] = {}
        counts = in_processes(self.engine, 4, count, *zip(*tasks, strict=True))
        for (deck, *_), made in zip(tasks, counts, strict=True):
            found[deck.name] = found[deck.name] + made if deck.name in found else made
            tick()
        return [judged(deck, found[deck.name]) for deck in chosen]


# ---------------------------------------------------------------- shuffles that are wrong


def naive(chance: Chance, number: int, cards: str) -> list[str]:
    """Each card changes places with any other: n^n ways lead to n! orders, which never share them evenly."""
    return _swapped(chance, number, cards, lambda x, i: x % len(cards))


def sattolo(chance: Chance, number: int, cards: str) -> list[str]:
    """The loop's end one too early (j < i): only cycles come out, and no card stays where it was."""
    return _swapped(chance, number, cards, lambda x, i: x % i)


def one_byte(chance: Chance, number: int, cards: str) -> list[str]:
    """A byte modulo i + 1, without throwing anything away: low numbers come more often."""
    return _swapped(chance, number, cards, lambda x, i: x % 256 % (i + 1))


def short_seed(chance: Chance, number: int, cards: str) -> list[str]:
    """A perfect shuffle from a seed of 16 bits: it has but 65,536 orders."""
    seed = chance.key("brelan-shuffle-1", number)[:2]
    return Chance(seed, "", ()).order(0, cards)


def _swapped(chance: Chance, number: int, cards: str, chosen: Callable[[int, int], int]) -> list[str]:
    """Fisher and Yates, but for how the other place is chosen."""
    pile = sorted(cards)
    stream = chance.numbers(number)
    for i in range(len(pile) - 1, 0, -1):
        j = chosen(next(stream), i)
        pile[i], pile[j] = pile[j], pile[i]
    return pile


MUTANTS: dict[str, Shuffle] = {"naive": naive, "sattolo": sattolo, "one_byte": one_byte, "short_seed": short_seed}
"""Wrong shuffles, to show that the questions find them."""
