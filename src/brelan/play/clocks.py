"""What is left of each seat's time: a function of a match's events and of the moment somebody asks.

At a live pace a seat has a bank for the match, and each of its moves adds to it; in a match by turns each move has its
days. Time runs for those who are asked and have something to think about, and for nobody else. A clock that was set
back takes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from brelan.play.customs import Customs

DAY = 86400.0

AGAIN = {"live": 15.0, "days": 3600.0}
"""Seconds, at least, of who comes back after the time was up; by turns, of who had them and takes a move back."""


class Clocks:
    """The time of every seat in one match, in seconds."""

    def __init__(self, customs: Customs, seats: int) -> None:
        self.customs = customs
        self.whole = float(customs.bank) if customs.pace == "live" else customs.days * DAY
        self.left = [self.whole] * seats  # when each last stood still
        self.full = [self.whole] * seats  # by turns: what each has once it has moved
        self.running: dict[int, float] = {}  # the seats whose time runs -> since when
        self.lent: dict[int, float] = {}  # those that are asked while a bot keeps them -> since when
        self._gains: list[float] = []  # what each move since the header has added to its seat's time

    def left_at(self, seat: int, now: float) -> float:
        """The seconds a seat has left."""
        return max(0.0, self.left[seat] - max(0.0, now - self.running.get(seat, now)))

    @property
    def deadlines(self) -> dict[int, float]:
        """When the time of each seat that thinks is up."""
        return {seat: since + self.left[seat] for seat, since in self.running.items()}

    def run(self, at: float, seats: Iterable[int], lent: Iterable[int] = ()) -> None:
        """From now on time runs for these seats; for those that are lent to a bot it will have, if it does not move."""
        for seat in self.running:
            self.left[seat] = self.left_at(seat, at)
        self.running = dict.fromkeys(seats, at)
        self.lent = {seat: self.lent.get(seat, at) for seat in lent}

    def moved(self, seat: int, at: float, own: bool) -> None:
        """A seat has moved. A bank grows by the person's own moves, for which time ran; each move has days anew."""
        left = self.left_at(seat, at)
        live = float(self.customs.increment) if own else 0.0
        gain = live if self.customs.pace == "live" else max(0.0, self.full[seat] - left)
        self._gains.append(gain)
        self.left[seat], self.full[seat] = left + gain, self.whole
        self.lent.pop(seat, None)
        if seat in self.running:
            self.running[seat] = at

    def undo(self, seats: list[int], at: float) -> None:
        """The last moves, by these seats in their order, are taken back; the time that they took is not. By turns
        that may be all that is left: then a moment stays, and the next move brings back no more than there was.
        """
        self.run(at, self.running, self.lent)
        had = list(self.left)
        for seat in reversed(seats):
            self.left[seat] -= self._gains.pop()
            if self.customs.pace == "days":
                self.left[seat] = max(self.left[seat], min(had[seat], AGAIN["days"]))
                self.full[seat] = had[seat]

    def back(self, seat: int, at: float, up: bool) -> None:
        """A person takes the seat back. What they might have thought while no bot moved is theirs: else who leaves and
        comes back would think for nothing. Whose time was up has a moment.
        """
        spent = max(0.0, at - self.lent.get(seat, at))
        self.left[seat] = max(AGAIN[self.customs.pace] if up else 0.0, self.left[seat] - spent)

    def stand(self, since: float, until: float) -> None:
        """From then until then the house was away: that time was nobody's. If `until` is before `since`, the house's
        clock was set back by the difference.
        """
        for times in (self.running, self.lent):
            for seat, start in times.items():
                times[seat] = start + shift(start, since, until)


def shift(start: float, since: float, until: float) -> float:
    """By how much what runs since `start` is put off because the house was away, or its clock was set back."""
    return max(0.0, until - max(since, start)) if until >= since else until - since
