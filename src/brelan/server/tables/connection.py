"""One viewer's line, as its table sees it."""

from __future__ import annotations

import time
from typing import Any

from brelan.cards import SPECTATOR
from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat
from brelan.play.claims import Faster
from brelan.play.messages import Malformed
from brelan.play.seats import Full, Kept, Late, NotHost, Open
from brelan.play.shown import Seen, Sight, Viewer, view
from brelan.play.table import Table
from brelan.play.told import Made, refusal_words
from brelan.server.ledger import metrics
from brelan.server.people.tokens import NoScope
from brelan.server.store import Conflict, Storage, to_visitors
from brelan.server.web.limits import TooMany

ERRORS: dict[type[Refusal], str] = {
    Unreadable: "unreadable",
    Illegal: "illegal",
    WrongSeat: "wrong_seat",
    Kept: "kept",
    Late: "late",
    Faster: "late",
    NotHost: "not_host",
    Full: "full",
    Open: "open",
    Malformed: "malformed",
    Storage: "storage",
    Conflict: "storage",
    TooMany: "limits",
    NoScope: "scope",
}

OTHER = "choice"
"""The error of any other refusal: something cannot be had."""

PROBES = 5
"""A line is as fast as its fastest probe of the last few: what a busy device adds is not the line's."""

PROBE_PAUSE = 2.0  # seconds, at least, between two of them


class Connection:
    """One viewer's line: answers go out in their order, of the views only the newest. Whoever sends says in `stir` what
    is done as soon as there is something to be sent.
    """

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.greeted = False  # whether its hello has come
        self.shown: Seen | None = None  # what is kept of the view sent last
        self.since = 0  # the number of the last event told
        self.told: tuple[int, set[str]] | None = None  # number and persons online of the newest view; None: show anew
        self.answers: list[dict[str, Any]] = []
        self.waiting: Sight | None = None  # to be sent next
        self.dismissed = False  # whether its line ends here
        self.measured = False  # whether it matters how long the line is
        self.probe: dict[str, Any] | None = None  # on its way
        self.probed = 0.0  # when the last one left, by the monotonic clock
        self.trips: tuple[float, ...] = ()

    @property
    def trip(self) -> float:
        """The round trip in seconds as we measured it, 0 before that."""
        return min(self.trips, default=0.0)

    def greet(self, since: int) -> None:
        """A hello has come: whoever says it has seen all up to that event, and is to be shown the table anew."""
        self.greeted, self.shown, self.told, self.since = True, None, None, since

    def stir(self) -> None:
        """There is something to be sent."""

    def answer(self, **answer: Any) -> None:
        self.answers.append(answer)
        self.stir()

    def refuse(self, key: str, refusal: Refusal, number: int, table: Table | None = None) -> None:
        """Say in one sentence why nothing was done."""
        refusal = to_visitors(refusal, "table.storage")
        words, error = self.viewer.words, ERRORS.get(type(refusal), OTHER)
        metrics.REFUSALS.labels(error).inc()
        seat = table.seat_of(self.viewer.person) if table else SPECTATOR
        self.answer(
            type="refused",
            key=key,
            error=error,
            rule=refusal.rule,
            words=refusal_words(table, refusal, seat, words) if table else words.refusal(refusal),
            number=number,
            **({"wait": refusal.wait} if isinstance(refusal, TooMany) else {}),
        )

    def show(self, table: Table, online: set[str], made: Made | None = None, now: float | None = None) -> None:
        """Make a view of the table as it is now, unless it was shown so; it replaces one that has not gone out yet.

        `made` holds the views of this moment: lines that look with the same eyes share one.
        """
        if not self.greeted or self.told == (table.number, online):
            return
        made, viewer = {} if made is None else made, self.viewer
        seat, is_host = table.seat_of(viewer.person), table.leads(viewer.person)
        link, shown = None if seat == SPECTATOR else viewer.link, self.shown.number if self.shown else None
        ears = None if table.customs.watch else viewer.person  # what was said was heard by those who sat there then
        eyes = seat, table.player_of(viewer.person), is_host, link, viewer.words.language, shown, self.since, ears
        if eyes not in made:
            made[eyes] = view(table, viewer, online, self.shown, self.since, now, made)
        self.measured = table.manner == "claim"
        self.told, self.waiting = (table.number, online), made[eyes]
        self.stir()

    def dismiss(self) -> None:
        """End the line, once what can be sent is sent."""
        self.dismissed = True
        self.stir()

    def outgoing(self) -> list[Any]:
        """What is to be sent now."""
        frames: list[Any] = [*self._probe(), *self.answers]
        self.answers.clear()
        if self.waiting:
            newest, self.shown = self.waiting
            frames.append(newest)
            self.since, self.waiting = newest.number, None
        return frames

    def _probe(self) -> list[dict[str, Any]]:
        """Before other frames, now and then: a client sends it back at once, and we look at our own clock."""
        now = time.monotonic()
        if not self.measured or self.probe or now < self.probed + PROBE_PAUSE:
            return []
        at = round(time.time(), 3)  # few digits: some readers of JSON spoil the last ones of many
        self.probe, self.probed = {"type": "probe", "at": at}, now
        return [self.probe]

    def echo(self, at: float) -> None:
        """A probe has come back; one that was spoilt on its way measures nothing, and stops no other."""
        if self.probe and at == self.probe["at"]:
            self.trips = (*self.trips[1 - PROBES :], time.monotonic() - self.probed)
        self.probe = None
