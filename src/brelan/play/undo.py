"""Whether a move may be taken back: at once while nobody learned anything by it, else if everybody agrees.

What a seat learned is found without knowing the game: the move is played again in worlds that the seat could not tell
from the real one before it. If what the seat would see after it is the same in all of them, it learned nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from brelan.cards import seed
from brelan.game import Game
from brelan.play.match import outcomes
from brelan.play.seats import Event

WORLDS = 8
"""So many worlds are tried: what they do not show was nearly certain before."""


@dataclass(frozen=True, slots=True)
class Before:
    """The last line of a match, a move, and the state that it was made in."""

    state: Any
    event: Event


@dataclass(slots=True)
class Request:
    """A seat would take its last move back, and the lines after it; every other person is asked."""

    seat: int
    lines: int
    number: int  # of its event
    agreed: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Slips:
    """What may be taken back in a match, and how often each seat has asked for it."""

    undos: list[int]  # how often each seat has taken moves back
    refused: list[int]  # how often each has asked to, and it came to nothing
    asked_at: list[int]  # of each seat, the line's after which it asked to
    before: Before | None = None  # the last line, if it is a move, and what was before it
    request: Request | None = None

    @classmethod
    def none(cls, seats: int) -> Slips:
        """As a match begins."""
        return cls([0] * seats, [0] * seats, [0] * seats)


def is_free(game: Game, before: Before, after: Any) -> bool:
    """Whether a move showed its seat nothing, and touched no other seat's cards, no stock and no end of a round.

    Made of what the seat may know before and `after` it only; the same every time it is asked.
    """
    seat, move = before.event.data["seat"], game.notation.move_of(before.event.data["move"])
    known, seen = game.view.redact(before.state, seat), game.view.redact(after, seat)
    random = [0]
    seed(random, before.event.number)
    for _ in range(WORLDS):
        world = known.copy()
        game.rules.imagine(world, seat, random)
        was = game.view.zones(world)
        game.rules.play(world, seat, move)
        if world.finished > known.finished or not is_own(was, game.view.zones(world), seat):
            return False
        if game.view.redact(world, seat) != seen:
            return False
    return True


def is_told(game: Game, before: Before, after: Any) -> bool:
    """Whether the table told everybody something of who made the move: that MIO was forgotten, say, which would cost
    nothing if whoever reads it there could play again and say it.
    """
    return any(outcome.seat == before.event.data["seat"] for outcome in outcomes(game, before.state, after))


def is_own(was: dict[str, list[int]], now: dict[str, list[int]], seat: int) -> bool:
    """Whether neither the stock nor a zone of another seat changed. A kind of zone that seat 0 has, every seat has."""
    owned = {name.rpartition(":")[0] for name in was if name.endswith(":0")}
    changed = {name for name in was.keys() | now.keys() if not _are_same(was.get(name, []), now.get(name, []))}
    return all(
        name != "stock" and (name.rpartition(":")[0] not in owned or name.endswith(f":{seat}")) for name in changed
    )


def _are_same(some: list[int], others: list[int]) -> bool:
    """Whether two zones hold the same cards, in whatever order; mostly they are equal as they lie."""
    return some == others or sorted(some) == sorted(others)
