"""Who was dealt what: where each place of a shuffle went, and which places a seat may therefore know.

No game is asked which one it is. What a deal does with a place is seen by dealing other orders of the same cards: the
one zone that holds, each time, the card that lay there is where that place goes. The order that was really dealt is
not among them, so that neither the answer nor the time it takes depends on what is hidden.

A seat may know a place if it went to a zone whose every card it saw right after the deal: its own hand, or what was
turned up for all. That is settled at the deal, for good. A card that somebody else plays later is never proven: its
place would tell whether it had been dealt in this round or kept in hand since an earlier one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

from brelan import cards
from brelan.cards import SPECTATOR
from brelan.game import Game, due_cards
from brelan.play.leaves import Proof, Tree
from brelan.play.match import Line, Match
from brelan.play.shuffle import Chance

ORDERS = 64
"""So many orders are tried at most; a place that they do not tell apart from another is proven to nobody."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Where the places of one shuffle went, and which zones each viewer saw whole."""

    order: list[str]
    zones: list[str]  # of each place, "" where it cannot be told
    seen: dict[int, set[str]]  # viewer -> zones

    def places(self, viewer: int) -> Iterator[int]:
        """The places that a seat, or SPECTATOR, may know."""
        return (place for place, zone in enumerate(self.zones) if zone in self.seen[viewer])


class Dealt:
    """All deals of a match, each looked at when somebody asks for it first."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._again = Match(match.game, match.players, match.first, match.preset, match.options)
        self._deals: list[Deal] = []
        self._walking = Lock()

    def until(self, shuffles: int) -> Callable[[], list[Deal]]:
        """What looks at the first so many, all made by now: any thread may ask it, while the match goes on."""
        return partial(self._walked, self.match.lines, shuffles)

    def _walked(self, lines: list[Line], shuffles: int) -> list[Deal]:
        """It walks after the match as far as a shuffle: what is undone lies behind the last."""
        with self._walking:
            while len(self._deals) < shuffles:
                line = lines[len(self._again.lines)]
                if "shuffle" in line:
                    self._deals.append(self._deal(line))
                else:
                    self._again.move(line["seat"], line["move"])
            return self._deals[:shuffles]

    def _deal(self, line: Line) -> Deal:
        match, order = self._again, list(line["shuffle"])
        where = zones_of_places(match.game, match.state)
        match.shuffle(order)
        return Deal(order, where, {viewer: open_to(match, viewer) for viewer in (SPECTATOR, *range(match.players))})


def proofs_of(deals: Iterable[Deal], chance: Chance, seat: int, since: int) -> list[Proof]:
    """The proofs of what a seat was dealt in deals that are numbered from `since`; it needs no table, and any thread
    may make them.
    """
    found = []
    for number, deal in enumerate(deals, since):
        tree = Tree(chance, number, deal.order)
        found += [tree.proof(place, deal.zones[place]) for place in deal.places(seat)]
    return found


def zones_of_places(game: Game, state: Any) -> list[str]:
    """The zone to which each place of the shuffle that is due goes; "" where the cards are too alike to tell."""
    order = sorted(due_cards(game.rules, state))
    may: list[set[str]] = [set() for _ in order]
    had = {zone: Counter(there) for zone, there in game.view.zones(state).items() if zone != "stock"}
    random = [0]
    for number in range(ORDERS):
        cards.seed(random, number)
        cards.shuffle(order, 0, len(order), random)
        held = {zone: there - had.get(zone, Counter()) for zone, there in zones_after(game, state, order).items()}
        for place, card in enumerate(order):
            here = {zone for zone, there in held.items() if card in there}
            may[place] = here if number == 0 else may[place] & here
        if all(len(zones) == 1 for zones in may):
            break
    return [min(zones) if len(zones) == 1 else "" for zones in may]


def zones_after(game: Game, state: Any, order: list[int]) -> dict[str, Counter[int]]:
    """What would lie in each zone if that order were dealt."""
    dealt = state.copy()
    game.rules.deal(dealt, order)
    return {zone: Counter(there) for zone, there in game.view.zones(dealt).items()}


def open_to(match: Match, viewer: int) -> set[str]:
    """The zones of which a viewer sees every card."""
    view = match.game.view
    whole, shown = view.zones(match.state), view.zones(view.redact(match.state, viewer))
    return {zone for zone, there in whole.items() if there and sorted(shown.get(zone, [])) == sorted(there)}
