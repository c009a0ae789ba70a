"""Speaking up where the first counts: the time for it, and claims that wait in case an earlier one is on its way.

People do not sit at the same distance. So a claim counts from when it was probably said: half its line's round trip
before it arrived, but never more than `LEAD`. After that time nobody else can have been earlier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from brelan.play.seats import Event, Late

WINDOW = 3.5  # seconds in which the first to speak wins: three to think, and what writing and showing the question take
PATIENCE = 6.0  # seconds for what one seat alone must say
FARTHEST = 1.0  # seconds of the slowest round trip that are added to either
LEAD = 0.3  # seconds by which, at most, a claim counts as said before it arrived

Trip = Callable[[str], float | None]
"""The measured round trip to a person in seconds, None for who is away. It is the house that measures."""


def near(person: str) -> float | None:
    """Everybody sits here."""
    return 0.0


@dataclass(frozen=True, slots=True)
class Window:
    """Time runs for seats that are asked to speak: each with the move that stands for its silence."""

    number: int  # of the event that started it
    began: float
    until: float
    silences: dict[int, int]

    @property
    def race(self) -> bool:
        """Whether the first to speak wins."""
        return len(self.silences) > 1

    def is_claim(self, seat: int, move: int) -> bool:
        """Whether a move is one of those that win or lose the race."""
        return self.race and move != self.silences.get(seat, move)

    def runs_for(self, silences: dict[int, int]) -> bool:
        """Whether those who are asked now are still some of these, for the same question."""
        return bool(silences) and silences.items() <= self.silences.items()


@dataclass(frozen=True, slots=True)
class Claim:
    """A move of the race that is no event yet."""

    race: int  # the number of its window
    seat: int
    move: int
    person: str
    key: str
    said: float  # when, by our clock


class Faster(Late):
    """Somebody else spoke first: `event` is what was said."""

    def __init__(self, event: Event) -> None:
        self.event = event
        super().__init__("table.late")


def time_to_speak(race: bool, trips: Iterable[float | None]) -> float:
    """Seconds for those at the end of these lines."""
    slowest = max((trip for trip in trips if trip is not None), default=0.0)
    return (WINDOW if race else PATIENCE) + min(slowest, FARTHEST)


def said_at(arrived: float, trip: float | None) -> float:
    """When a claim was said that arrived over a line of that round trip."""
    return arrived - min((trip or 0.0) / 2, LEAD)
