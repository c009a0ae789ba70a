"""What has happened at a table: the numbered events that made it what it is.

The stored ones rebuild it exactly: after a crash, or when a write failed. Only who is away, when the house was and the
claims that wait are no events, and forgotten then, unless whoever rebuilds it still knows them (`recall`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from inspect import signature
from typing import Any, Self

from brelan.cards import SPECTATOR
from brelan.errors import Refusal
from brelan.games import find
from brelan.play.claims import Trip, Window, near
from brelan.play.clocks import Clocks, shift
from brelan.play.customs import Customs
from brelan.play.match import Match, outcomes, told
from brelan.play.present import Draw, Present
from brelan.play.seats import CLOCK, Encore, Event, Pause, Sealed, Seat, bot_seat
from brelan.play.spans import past_matches
from brelan.play.undo import Before, Request, Slips
from brelan.play.whatif import Origin


class Past(Present):
    """A table as its events left it."""

    @classmethod
    def rebuilt(cls, draw: Draw, events: Iterable[Event], trip: Trip = near) -> Self:
        """The table that these events left. Matches that are long over are not played again, only counted."""
        table, known = cls(draw, trip), list(events)
        passed = past_matches(known)
        for event in known:
            if event.number in passed:
                table._note(event)
            else:
                table._add(event)
        return table

    def _happen(self, kind: str, now: float, person: str = "", key: str = "", **data: Any) -> None:
        self._add(Event(self.number + 1, now, kind, person, key, data))

    def _add(self, event: Event) -> None:
        """Let an event happen: the only place where a table changes, but for who is away and which claims wait. What
        only another version knows is refused.
        """
        try:
            WAS[event.kind](self, event, **event.data)
        except (KeyError, TypeError) as error:
            if _is_known(event):
                raise
            raise Refusal("record_event", kind=event.kind) from error
        self._note(event)
        if self.clocks:
            self.clocks.run(event.at, self.thinking(), self.lent())

    def _note(self, event: Event) -> None:
        """Count an event, and know whose message it answers, and who won."""
        self.events.append(event)
        if event.kind == "over":
            self.victors.append([self.seats[seat].person for seat in event.data["winners"]])
        if event.key:
            self._acks[event.person, event.key] = event.number

    def _was_made(
        self,
        event: Event,
        code: str,
        game: str,
        players: int,
        preset: str,
        options: Any,
        manner: str | None = None,
        customs: dict[str, Any] | None = None,
        origin: dict[str, Any] | None = None,
    ) -> None:
        self.code, self.host = code, event.person
        self.away = {self.host: float("-inf")}  # nobody waits for a host who never comes
        self.game, self.preset, self.options, self.manner = find(game), preset, options, manner
        self.customs = Customs.kept(customs or {})
        self.origin = Origin(**origin) if origin else None
        self.seats = [Seat() for _ in range(players)]

    def _was_sat(self, event: Event, seat: int, name: str) -> None:
        old = self.seat_of(event.person)
        if old != SPECTATOR:
            if old == seat:
                self.renamed[event.number] = self.seats[old].name
            self.seats[old] = Seat()
        self.seats[seat] = Seat(event.person, name)
        self.who.setdefault(event.person, event.number)
        self.away.pop(event.person, None)
        self._reseated(event)

    def _was_stood(self, event: Event, seat: int) -> None:
        self._replaced(event, seat, Seat())

    def _was_bot(self, event: Event, seat: int, level: str | None) -> None:
        self._replaced(event, seat, bot_seat(seat, level))

    def _replaced(self, event: Event, seat: int, after: Seat) -> None:
        """Whoever sat there asks to play again no more; a host who looks on has left no seat, and still does."""
        self.encore.said.discard(self.seats[seat].person)
        self.seats[seat] = after
        self._reseated(event)

    def _reseated(self, event: Event) -> None:
        """Others sit there than before: to answer those who would like to play again they have as long anew."""
        self._restless += 1
        self.encore = Encore(event.at, self.encore.said)

    def _was_started(
        self,
        event: Event,
        match: str,
        secret: str,
        first: int,
        nonces: list[str | None],
        again: list[int] | None = None,  # the seats that had asked for it, where another match came before
    ) -> None:
        of = self.origin.header["match"] if self.origin else ""
        self.sealed = Sealed(match, bytes.fromhex(secret), first, event.at, list(nonces), of)
        self.match = self.chance = self.pause = self.root = self.clocks = self._race = None
        self.encore = Encore()
        self._played, self.begun = [], event.number
        self.told, self.outcomes, self.tallied, self.steps, self.indulged = {}, {}, {}, [], set()
        self._acted, self._asked_from, self.slips = [0] * len(self.seats), {}, Slips.none(len(self.seats))

    def _was_nonce(self, event: Event, seat: int, nonce: str) -> None:
        assert self.sealed
        self.sealed.nonces[seat] = nonce

    def _was_header(self, event: Event, **header: Any) -> None:
        assert self.sealed
        if header["revision"] != self.game.revision:
            raise Refusal("replay.outdated", given=header["revision"], known=self.game.revision)
        self.match = Match(self.game, header["players"], header["first"], header["preset"], header["options"])
        self.chance = self.sealed.chance()
        self.clocks = Clocks(self.customs, len(self.seats)) if self.customs.pace != "none" else None

    def _was_shuffle(self, event: Event, shuffle: list[str], root: str | None = None) -> None:
        assert self.match
        self.match.shuffle(shuffle)
        self.root = root
        self.pause = self.slips.before = self.slips.request = None
        self.steps.append(event)
        self.stage, self._restless = event.number, 0
        self._ask(event)
        self._rest(event)

    def _was_move(self, event: Event, seat: int, move: str, by: str | None = None) -> None:
        assert self.match
        window = self.window
        if window and window.is_claim(seat, self.game.notation.move_of(move)):
            self._race = window.number, event
        before = self.slips.before = Before(self.match.state.copy(), event)
        self.slips.request = self.pause = None
        self.match.move(seat, move, by)
        if self.match.lines[-1] == event.data:  # once is enough: it was a fifth of all that a table takes
            self.match.lines[-1] = event.data
        self.seats[seat].again = False
        if by and by != Customs().keeper:  # it may play better than the seat's person
            self.indulged.add(seat)
        if said := told(self.game, before.state, self.game.notation.move_of(move)):
            self.told[event.number] = said
        if led := outcomes(self.game, before.state, self.match.state):
            self.outcomes[event.number] = led
        self.steps.append(event)
        if window and not window.runs_for(self.silences()):
            self.window = None
        if self.clocks:
            self.clocks.moved(seat, event.at, own=bool(event.person) and not by and not window)
        self.stage = self._acted[seat] = event.number
        self._ask(event)
        self._rest(event)

    def _ask(self, event: Event) -> None:
        """Who is asked now has been since this event, unless they were before it."""
        assert self.match
        self._asked_from = {seat: self._asked_from.get(seat, event.number) for seat in self.match.asked()}

    def _rest(self, event: Event) -> None:
        """A result is looked at, if a round has ended."""
        assert self.match
        rounds = len(self.match.tallies)
        if rounds > len(self.tallied):
            self.tallied[event.number] = rounds - 1
            self.pause = Pause(event.at, event.number)

    def _was_clock(self, event: Event, until: float) -> None:
        self.window = Window(event.number, event.at, until, self.silences())

    def _was_next(self, event: Event, seat: int) -> None:
        assert self.pause
        self.pause.said.add(seat)

    def _was_onward(self, event: Event) -> None:
        """Where the seats have something to do before the next deal: it is what they are asked from here on."""
        self.pause, self._asked_from = None, {}
        self._ask(event)

    def _was_over(self, event: Event, **footer: Any) -> None:
        self.pause = None
        self._played = self.sat[event.number] = [replace(seat) for seat in self.seats]
        for seat in self.seats:
            seat.kept, seat.why, seat.since, seat.again = None, "", 0.0, False

    def _was_again(self, event: Event, seat: int | None, wish: bool = True) -> None:
        """Somebody would like to play again, from that seat if they hold one, or has thought better of it."""
        self.sat[event.number] = list(self.seats)
        if wish:
            self.encore.at = self.encore.at if self.encore.said else event.at
            self.encore.said.add(event.person)
        else:
            self.encore.said.discard(event.person)
            self._restless += 1

    def _was_lapsed(self, event: Event) -> None:
        """Whoever would have liked to play again has gone since."""
        self.encore = Encore()

    def _was_kept(self, event: Event, seat: int, level: str, why: str) -> None:
        self.seats[seat].kept, self.seats[seat].why, self.seats[seat].since = level, why, event.at
        self._acted[seat] = event.number

    def _was_back(self, event: Event, seat: int) -> None:
        up = self.seats[seat].why == CLOCK
        if self.clocks:
            self.clocks.back(seat, event.at, up)
            self.seats[seat].again |= up
        self.seats[seat].kept, self.seats[seat].why = None, ""

    def _was_resumed(self, event: Event, since: float) -> None:
        """The house was away, or its clock was set back: that time was nobody's."""
        if self.clocks:
            self.clocks.stand(since, event.at)
        if self.window:
            put_off = shift(self.window.began, since, event.at)
            self.window = replace(self.window, began=self.window.began + put_off, until=self.window.until + put_off)
        for waits in (self.encore,) if self.encore.said else (self.pause, self.sealed):
            if waits:
                waits.at += shift(waits.at, since, event.at)

    def _was_undo_asked(self, event: Event, seat: int, lines: int) -> None:
        self.slips.request = Request(seat, lines, event.number)
        self.slips.asked_at[seat] = self.stage

    def _was_consented(self, event: Event, seat: int, agree: bool) -> None:
        request = self.slips.request
        assert request
        if agree:
            request.agreed.add(seat)
        else:
            self.slips.refused[request.seat] += 1
            self.slips.request = None

    def _was_undone(self, event: Event, seat: int, lines: int, free: bool) -> None:
        assert self.match
        if self.clocks:
            self.clocks.undo([step.data["seat"] for step in self.steps[-lines:]], event.at)
        del self.steps[-lines:]
        last, self.slips.before = self.steps[-1], None
        if free and last.data.get("seat") == seat:  # one slip after the other: still nobody has learned anything
            self.match.back(lines + 1)
            self.slips.before = Before(self.match.state.copy(), last)
            self.match.move(seat, last.data["move"], last.data.get("by"))
        else:
            self.match.back(lines)
        self.slips.request = self.window = self._race = None
        if not free:
            self.indulged.add(seat)
        self.slips.undos[seat] += 1
        self.stage = event.number
        self._acted = [event.number] * len(self.seats)
        self._ask(event)

    def _was_hinted(self, event: Event, seat: int) -> None:
        """What a strong bot would do is not the seat's own skill."""
        self.indulged.add(seat)

    def _was_said(self, event: Event, **said: Any) -> None:
        """Words change nothing, but people come and go."""
        self.sat[event.number] = list(self.seats)

    def _was_forgotten(self, event: Event) -> None:
        """Somebody wanted to be forgotten: the events before this one are no longer as they were; all else is."""


WAS: dict[str, Callable[..., None]] = {
    "made": Past._was_made,
    "sat": Past._was_sat,
    "stood": Past._was_stood,
    "bot": Past._was_bot,
    "started": Past._was_started,
    "nonce": Past._was_nonce,
    "header": Past._was_header,
    "shuffle": Past._was_shuffle,
    "move": Past._was_move,
    "clock": Past._was_clock,
    "next": Past._was_next,
    "onward": Past._was_onward,
    "over": Past._was_over,
    "again": Past._was_again,
    "lapsed": Past._was_lapsed,
    "kept": Past._was_kept,
    "back": Past._was_back,
    "resumed": Past._was_resumed,
    "undo_asked": Past._was_undo_asked,
    "consented": Past._was_consented,
    "undone": Past._was_undone,
    "hinted": Past._was_hinted,
    "said": Past._was_said,
    "forgotten": Past._was_forgotten,
}
"""What each kind of event does to a table; it takes the event, and what the event's data says by name."""


def _is_known(event: Event) -> bool:
    """Whether this version knows the kind of an event, and all that it says."""
    try:
        signature(WAS[event.kind]).bind(None, event, **event.data)
    except (KeyError, TypeError):
        return False
    return True
