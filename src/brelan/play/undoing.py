"""Taking moves back at a live table: at once, or when everybody has agreed."""

from __future__ import annotations

from typing import Any, NamedTuple

from brelan.errors import Refusal
from brelan.play.claims import Trip, near
from brelan.play.flow import Flow
from brelan.play.messages import Consent, Undo, is_older
from brelan.play.present import Draw
from brelan.play.seats import LEFT, Full, Late
from brelan.play.undo import Before, is_free, is_own, is_told

UNDOS = 30  # that a seat may have in a match
REFUSED = 3  # times that a seat may ask in vain, or think better of it; then it takes back only what is free


class Found(NamedTuple):
    """Whether a move touched no other seat's cards and no stock, as everybody saw, and the table told nothing of its
    seat: without that none is free.
    """

    number: int  # of its event
    own: bool
    zones: dict[str, list[int]]  # as they lay after it


class Undoing(Flow):
    """A table where a slip may be mended; what was shuffled or counted stays."""

    def __init__(self, draw: Draw, trip: Trip = near) -> None:
        super().__init__(draw, trip)
        self._found = Found(0, False, {})

    def undo_lines(self, seat: int) -> int:
        """How many lines would go with the seat's own last move; 0 if it has none that may be taken back."""
        if not self.match or self.match.over or self.pause or self.window or self.claims:
            return 0
        person = self.seats[seat].person
        for lines, step in enumerate(reversed(self.steps), 1):
            if step.kind == "shuffle" or step.number in self.tallied:
                return 0
            if step.data["seat"] == seat and step.person == person:
                return lines
        return 0

    def is_free(self, seat: int) -> bool:
        """Whether a seat may take its last move back without asking: nobody has learned or done anything since."""
        before = self.slips.before
        if not self.match or not before or not self.seems_free(seat):
            return False
        return is_free(self.game, before, self.match.state)

    def seems_free(self, seat: int) -> bool:
        """The same at a glance, for every view: nobody has done anything since, only own cards were touched, and the
        table told nothing.
        """
        before = self.slips.before
        if not self.match or not before or before.event.data["seat"] != seat or self.undo_lines(seat) != 1:
            return False
        if self._found.number != before.event.number:
            self._found = self._find(before, self.match.state)
        return self._found.own

    def _find(self, before: Before, state: Any) -> Found:
        """Look at the last move; how the cards lay before it is known if the one before was looked at, too."""
        is_next = len(self.steps) > 1 and self.steps[-2].number == self._found.number
        was = self._found.zones if is_next else self.game.view.zones(before.state)
        now = self.game.view.zones(state)
        own = is_own(was, now, before.event.data["seat"]) and not is_told(self.game, before, state)
        return Found(before.event.number, own, now)

    def may_undo(self, seat: int) -> bool:
        """Whether a seat may take its last move back, or ask for it."""
        if self.seats[seat].kept or not self.undo_lines(seat):
            return False
        return self.slips.undos[seat] < UNDOS and (self._may_ask(seat) or self.seems_free(seat))

    def _may_ask(self, seat: int) -> bool:
        """Whether it may ask for what is not free: once before others go on, not for ever in vain, and not while
        somebody who has left would have to agree.
        """
        if any(other.why == LEFT and other.name for other in self.seats):
            return False
        return self.slips.asked_at[seat] < self.stage and self.slips.refused[seat] < REFUSED

    def consents(self) -> list[int]:
        """The seats that have still to say whether moves may be taken back. No keeper agrees in somebody's place: they
        would come back to a match in which another has looked at a card and put it back. Nor is anybody asked who never
        comes, since they wanted to be forgotten, and so have no name.
        """
        if not (request := self.slips.request):
            return []
        people = [i for i, seat in enumerate(self.seats) if seat.kind == "person" and seat.name]
        return [i for i in people if i != request.seat and i not in request.agreed]

    def _on_undo(self, person: str, message: Undo, now: float) -> None:
        seat = self._actor(person)
        if not self.match:
            raise Late("table.no_undo")
        if not self.may_undo(seat):
            raise self._no_undo(seat)
        if is_older(message.seen, self.stage):
            raise Late("table.no_undo")
        lines = self.undo_lines(seat)
        if self.is_free(seat):
            self._undo(seat, lines, True, now, person, message.key)
        elif not self._may_ask(seat):
            raise self._no_undo(seat)
        else:
            self._happen("undo_asked", now, person, message.key, seat=seat, lines=lines)
            self._grant(now)

    def _no_undo(self, seat: int) -> Refusal:
        """Why a seat takes no move back, nor asks for it."""
        if self.slips.undos[seat] >= UNDOS:
            return Full("table.undo_often")
        return Full("table.undo_refused") if self.slips.refused[seat] >= REFUSED else Late("table.no_undo")

    def _on_consent(self, person: str, message: Consent, now: float) -> None:
        seat, request = self._actor(person), self.slips.request
        if not request or is_older(message.seen, request.number):
            raise Late("table.no_request")
        withdraws = seat == request.seat and not message.agree
        if seat not in self.consents() and not withdraws:
            raise Late("table.no_request")
        self._happen("consented", now, person, message.key, seat=seat, agree=message.agree)
        self._grant(now)

    def _grant(self, now: float) -> None:
        """Take back what was asked for, once nobody is left to agree; bots always do."""
        if (request := self.slips.request) and not self.consents():
            self._undo(request.seat, request.lines, False, now)

    def _undo(self, seat: int, lines: int, free: bool, now: float, person: str = "", key: str = "") -> None:
        self._happen("undone", now, person, key, seat=seat, lines=lines, free=free)
        self._speak(now)
