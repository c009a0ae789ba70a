"""Seats whose persons are away, have left or have used up their time: a bot keeps each, until its person is back.

Being away is never better than playing: the match goes on, moves stand, time that was used is used.
"""

from __future__ import annotations

from math import ceil

from brelan.cards import SPECTATOR
from brelan.play.clocks import DAY, shift
from brelan.play.messages import Back, Leave
from brelan.play.seats import AWAY, CLOCK, LEFT, Event, Full, Late, Seat
from brelan.play.undoing import Undoing

SET_BACK = 5.0  # seconds by which a clock may be behind without having been set
LEAVES = 5  # times that somebody may leave a match: all are told of each
SAME = 5.0  # seconds within which several workers notice the end of one and the same absence


class Keeping(Undoing):
    """A table that knows who is there."""

    def here(self, people: set[str], now: float) -> list[Event]:
        """Hear who is there: who was only away gets their seat back at once."""
        before = self.number
        awaited = self._seated() | ({self.host} - self.who.keys())
        self.away = {person: min(now, self.away.get(person, now)) for person in sorted(awaited - people)}
        for i, seat in enumerate(self.seats):
            if seat.why == AWAY and seat.person in people:
                self._happen("back", now, seat.person, seat=i)
        return self.events[before:]

    def resumed(self, aways: list[tuple[float, float]], now: float) -> list[Event]:
        """Hear from when until when the house was away: whatever time ran meanwhile did not run.

        If the last event lies in the future, then the house's clock was set back, and time begins anew at it. What
        another worker has told of an absence is not told again.
        """
        self.aways, before, last = aways, self.number, self.events[-1].at
        back = max((until for _, until in aways), default=0.0)
        self.away = {person: max(at, back) for person, at in self.away.items()}  # nobody could come before
        waits = bool(self.encore.said) or self.status == "playing"
        if waits and now < last - SET_BACK:
            self._happen("resumed", now, since=last)
        elif waits and (self.clocks or self.window or self.pause or self.encore.said or not self.match):
            for since, until in (away for away in aways if away[1] > last):
                told = next((event.at for event in reversed(self.events) if event.kind == "resumed"), since)
                if told <= since or until - told > SAME:
                    self._happen("resumed", until, since=max(since, told))
        return self.events[before:]

    def hand_overs(self) -> dict[int, float]:
        """The seats that will be kept unless something happens, each with when."""
        if not self.match or self.match.over:
            return {}
        ends = dict(self.clocks.deadlines) if self.clocks else {}
        for seat, at in self._absences().items():
            ends[seat] = min(at, ends.get(seat, at))
        return ends

    def _absences(self) -> dict[int, float]:
        """The persons' seats that are empty, each with when its grace ends.

        Somebody who plays alone is waited for, unless there are clocks, or somebody has left: who is losing would only
        have to sit still until they do. In a match by turns people come and go. Who wanted to be forgotten, and so has
        no name, never comes.
        """
        begun = self.steps[0].at if self.steps else 0.0
        never = {i: begun for i in self.persons() if not self.seats[i].name}
        empty = [i for i in self.persons() if self.seats[i].person in self.away]
        waits = len(empty) == len(self.persons()) and all(seat.why != LEFT for seat in self.seats)
        if self.customs.pace == "days" or (self.customs.pace == "none" and waits):
            return never
        return {i: max(self.away[self.seats[i].person], begun) + self.customs.grace for i in empty} | never

    def _hand_over(self, now: float) -> None:
        """Let bots keep the seats whose time has come."""
        for seat, at in self.hand_overs().items():
            if now >= at:
                up = self.clocks.left_at(seat, now) == 0 if self.clocks and seat in self.clocks.running else False
                self._keep(seat, CLOCK if up else AWAY, now)

    def _keep(self, seat: int, why: str, now: float, person: str = "", key: str = "") -> None:
        """A bot keeps a seat, and what waited for its person goes on."""
        self._happen("kept", now, person, key, seat=seat, level=self.customs.keeper, why=why)
        if self.pause:
            if self.pause.said and not self.waits_for():
                self._go_on(now)
        elif self.match and not self.match.due():
            self._speak(now)

    def _check_chair(self, seat: Seat, leader: str, now: float) -> None:
        """The host may free the chair of who has gone at once, and anybody may fill one whose holder left the match;
        else whoever leads waits, by turns for the host too before anything changes on a chair.
        """
        if seat.kind == "person" and seat.person not in self.away:
            raise Full("table.taken")
        if leader == self.host or (seat.kind == "open" and self.status == "over"):
            return
        for person in filter(None, (self.host, seat.person)):
            if person in self.away:
                self._check_grace(person, now)
            if person in self.away or self.seat_of(person) == SPECTATOR:  # a host who only looks on, if that
                self._check_days(person, now)

    def _check_grace(self, person: str, now: float) -> None:
        """Who has gone is waited for as long as in a match: on a phone it is enough to send the table's link from
        elsewhere, and one is away.
        """
        left = self.away[person] + self.customs.grace - now
        if left > 0:
            raise Full("table.just_gone", n=ceil(left))

    def _check_days(self, person: str, now: float) -> None:
        """By turns nobody need stay: who has gone is waited for as long as a move may take, from the last that they did
        here, or from the end of a match that they have still to see, but for the time that the house was away.
        """
        if self.customs.pace == "days":
            since = max(event.at for event in self.events if event.person == person or event.kind == "over")
            left = since + self.customs.days * DAY + sum(shift(since, *away) for away in self.aways) - now
            if left > 0:
                raise Full("table.gone_days", n=ceil(left / DAY))

    def _on_leave(self, person: str, message: Leave, now: float) -> None:
        seat = self._seat(person)
        if not self.match or self.match.over:
            raise Late("table.not_begun")
        if self.seats[seat].kept:
            raise Late("table.kept")
        left = sum(event.kind == "kept" and event.person == person for event in self.events[self.begun :])
        if left >= LEAVES and self.seats[seat].name:  # who is forgotten leaves for good
            raise Full("table.left_often")
        self._keep(seat, LEFT, now, person, message.key)

    def _on_back(self, person: str, message: Back, now: float) -> None:
        seat = self._seat(person)
        if not self.seats[seat].kept:
            raise Late("table.not_kept")
        if self.seats[seat].why == CLOCK and self.seats[seat].again:  # each moment that is given costs a move
            raise Late("table.time_up")
        self._happen("back", now, person, message.key, seat=seat)
