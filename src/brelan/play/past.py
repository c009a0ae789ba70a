"""A table as its events left it: seats, a match, its chance, and the numbered events that made them so.

Nothing else changes a table. So the stored events rebuild it exactly: after a crash, or when a write failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Self

from brelan.cards import SPECTATOR
from brelan.errors import Refusal, WrongSeat
from brelan.game import Courtesy
from brelan.games import find
from brelan.play.claims import Clock, Trip, near
from brelan.play.clocks import Clocks, shift
from brelan.play.customs import Customs
from brelan.play.dealt import Dealt
from brelan.play.match import Match, outcomes, told
from brelan.play.seats import CLOCK, Encore, Event, Full, Kept, Pause, Sealed, Seat, bot_name, bot_seat, place_of
from brelan.play.shuffle import Chance
from brelan.play.spans import past_matches
from brelan.play.undo import Before, Request
from brelan.play.whatif import Origin
from brelan.scene import Outcome
from brelan.words import Said

SEAT_CHANGES = 1000  # between two shuffles, at most: nobody fills the store by coming and going

Draw = Callable[[int], bytes]
"""The system's generator: that many random bytes."""


class Past:
    """What has happened at a table, and what is so because of it."""

    code: str
    host: str
    customs: Customs
    origin: Origin | None  # the match from which this table plays on, if it asks what if
    seats: list[Seat]

    def __init__(self, draw: Draw, trip: Trip = near) -> None:
        self.draw, self.trip = draw, trip
        self.events: list[Event] = []
        self.sealed: Sealed | None = None
        self.match: Match | None = None
        self.chance: Chance | None = None
        self.root: str | None = None  # of the last shuffle's leaves; none in matches begun before there were any
        self.pause: Pause | None = None
        self.encore = Encore()
        self.clock: Clock | None = None  # while time to speak runs
        self.clocks: Clocks | None = None  # of a match at a pace
        self.steps: list[Event] = []  # what each line of the match came from, its header apart
        self.before: Before | None = None  # the last line, if it is a move, and what was before it
        self.request: Request | None = None  # to take moves back
        self.undos: list[int] = []  # how often each seat has taken moves back
        self.indulged: set[int] = set()  # the seats that had a hint, or took back what they may have learned from
        self.told: dict[int, dict[str, Said]] = {}  # of a move's event -> what its sentence says more
        self.outcomes: dict[int, list[Outcome]] = {}  # the number of an event -> what it led to, if anything
        self.away: dict[str, float] = {}  # who holds a seat and is not here -> since when, as far as anybody saw
        self.renamed: dict[int, str] = {}  # the number of an event with which somebody kept their seat -> the old name
        self.sat: dict[int, list[Seat]] = {}  # of events that are told for longer than a match -> who sat there then
        self.tallied: dict[int, int] = {}  # the number of an event that ended a round -> the round, from 0
        self._dealt: Dealt | None = None
        self._played: list[Seat] = []  # the seats as they were when the match was over
        self._acks: dict[tuple[str, str], int] = {}
        self._restless = 0  # how often seats have changed, or were kept, since the last shuffle
        self.begun = 0  # the number of the event with which the last match was begun
        self.stage = 0  # the number of the last event that changed the match: what was thought before is out of date
        self._acted: list[int] = []  # of each seat, that of its last move
        self._asked_at: list[int] = []  # of each seat, the line's after which it asked to take moves back
        self._race: tuple[int, Event] | None = None  # the last race: the number of its start, and who won it

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

    # ------------------------------------------------------------ what may be asked of it

    @property
    def status(self) -> str:
        if self.sealed is None:
            return "open"
        return "over" if self.match and self.match.over else "playing"

    @property
    def number(self) -> int:
        """Of the last event."""
        return len(self.events)

    def seat_of(self, person: str) -> int:
        """The seat of a person, SPECTATOR for none."""
        return place_of(person, self.seats)

    @property
    def players(self) -> list[Seat]:
        """The seats of the match: of those who play it, or played the one that is over and may have left since."""
        return self._played or self.seats

    def player_of(self, person: str) -> int:
        """The seat from which a person plays or played the match, SPECTATOR for none."""
        return place_of(person, self.players)

    def seats_at(self, event: Event) -> list[Seat]:
        """Who sat where when something of the match happened, or something was said."""
        return self.sat.get(event.number, self.players)

    def leads(self, person: str) -> bool:
        """Whether somebody may do what the host may: the host, and whoever sits there while the host does not."""
        gone = self.seat_of(self.host) == SPECTATOR or self.host in self.away
        return person == self.host or (gone and self.seat_of(person) != SPECTATOR)

    def _seat(self, person: str) -> int:
        """The seat of a person who has something to say there, or the refusal that there is none."""
        seat = self.seat_of(person)
        if seat == SPECTATOR:
            raise WrongSeat("table.standing")
        return seat

    def _actor(self, person: str) -> int:
        """The seat for which somebody acts: a person for their own, unless a bot keeps it, and that bot for it."""
        for i, seat in enumerate(self.seats):
            if seat.kept and person == bot_name(i):
                return i
        own = self._seat(person)
        if self.seats[own].kept:
            raise Kept("table.kept")
        return own

    def acted(self, seat: int) -> int:
        """The number of the last event that settled what a seat does: a move thought of before it is late."""
        return self._acted[seat] if self.match else 0

    def _check_rest(self, person: str) -> None:
        """The host may go on for as long again: whoever comes and goes keeps nobody's table from beginning."""
        if self._restless >= SEAT_CHANGES * (2 if person == self.host else 1):
            raise Full("table.restless")

    def wants_nonce(self, seat: int) -> bool:
        """Whether that seat's nonce is awaited now."""
        return bool(self.sealed and not self.match and seat != SPECTATOR and self.sealed.nonces[seat] is None)

    def waits_for(self) -> list[int]:
        """The persons' seats that have not said "next" yet, or "again" once somebody has."""
        if self.encore.said:
            return self.undecided()
        return [i for i in self.persons() if i not in self.pause.said] if self.pause else []

    def undecided(self) -> list[int]:
        """After a match: the seats of those who may be looking at its end, and have not said "again"."""
        return [i for i in self.persons() if self.seats[i].person not in self.encore.said | self.away.keys()]

    @property
    def is_full(self) -> bool:
        """Whether no seat is open."""
        return all(seat.kind != "open" for seat in self.seats)

    def persons(self) -> list[int]:
        """The seats whose persons act for themselves."""
        return [i for i, seat in enumerate(self.seats) if seat.kind == "person" and not seat.kept]

    def asked(self) -> list[int]:
        """The seats that may act now, the one asked first before the others; none while a result is looked at."""
        return self.match.asked() if self.match and not self.pause else []

    def thinking(self) -> list[int]:
        """The persons' seats that are asked, and not in a hurry anyway: their time runs, where there are clocks."""
        return [] if self.clock else [seat for seat in self.asked() if not self.seats[seat].by]

    def consents(self) -> list[int]:
        """The seats that have still to say whether moves may be taken back."""
        request = self.request
        return [i for i in self.persons() if i != request.seat and i not in request.agreed] if request else []

    def hides_from(self, seat: int) -> bool:
        """Whether the match is nobody's business but theirs who play it, and that viewer does not."""
        return seat == SPECTATOR and not self.customs.watch and self.status == "playing"

    def courtesy_of(self, seat: int) -> Courtesy | None:
        """What the table says aloud for that seat; a bot, or a person who is away, never forgets to."""
        sitting = self.seats[seat]
        for_it = self.manner != "claim" or bool(sitting.by) or self.trip(sitting.person) is None
        return self.game.courtesy if for_it else None

    def seen_by(self, seat: int) -> Any:
        """The match's state as that seat, or SPECTATOR, may know it: all that ever leaves a table about cards."""
        assert self.match
        return self.match.game.view.redact(self.match.state, seat)

    def silences(self) -> dict[int, int]:
        """The seats that are asked to speak in time, each with what stands for its silence."""
        courtesy, match = self.game.courtesy, self.match
        if self.manner != "claim" or not courtesy or not match:
            return {}
        words = {seat: courtesy.silence(match.state, seat) for seat in self.asked()}
        return {seat: word for seat, word in words.items() if word >= 0}

    @property
    def dealt(self) -> Dealt:
        """Who was dealt what in this match."""
        assert self.match
        if self._dealt is None or self._dealt.match is not self.match:
            self._dealt = Dealt(self.match)
        return self._dealt

    # ------------------------------------------------------------ events

    def _happen(self, kind: str, now: float, person: str = "", key: str = "", **data: Any) -> None:
        self._add(Event(self.number + 1, now, kind, person, key, data))

    def _add(self, event: Event) -> None:
        """Let an event happen: the only place where a table changes."""
        getattr(self, f"_was_{event.kind}")(event, **event.data)
        self._note(event)
        if self.clocks:
            self.clocks.run(event.at, self.thinking())

    def _note(self, event: Event) -> None:
        """Count an event, and know whose message it answers."""
        self.events.append(event)
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
        self.game, self.preset, self.options, self.manner = find(game), preset, options, manner
        self.customs = Customs(**(customs or {}))
        self.origin = Origin(**origin) if origin else None
        self.seats = [Seat() for _ in range(players)]

    def _was_sat(self, event: Event, seat: int, name: str) -> None:
        old = self.seat_of(event.person)
        if old != SPECTATOR:
            if old == seat:
                self.renamed[event.number] = self.seats[old].name
            self.seats[old] = Seat()
        self.seats[seat] = Seat(event.person, name)
        self._reseated(event)

    def _was_stood(self, event: Event, seat: int) -> None:
        self.seats[seat] = Seat()
        self._reseated(event)

    def _was_bot(self, event: Event, seat: int, level: str | None) -> None:
        self.seats[seat] = bot_seat(seat, level)
        self._reseated(event)

    def _reseated(self, event: Event) -> None:
        """Others sit there than before: of those who would like to play again they have as long to think anew."""
        self._restless += 1
        self.encore = Encore(event.at, {seat.person for seat in self.seats} & self.encore.said)

    def _was_started(self, event: Event, match: str, secret: str, first: int, nonces: list[str | None]) -> None:
        of = self.origin.header["match"] if self.origin else ""
        self.sealed = Sealed(match, bytes.fromhex(secret), first, event.at, list(nonces), of)
        self.match = self.chance = self.pause = self.root = self._race = None
        self.before = self.request = self.clocks = None
        self.encore = Encore()
        self._played, self.begun = [], event.number
        self.told, self.outcomes, self.tallied, self.steps, self.indulged = {}, {}, {}, [], set()
        self._acted, self._asked_at, self.undos = ([0] * len(self.seats) for _ in range(3))

    def _was_nonce(self, event: Event, seat: int, nonce: str) -> None:
        assert self.sealed
        self.sealed.nonces[seat] = nonce

    def _was_header(self, event: Event, **header: Any) -> None:
        assert self.sealed
        if header["revision"] != self.game.revision:
            raise Refusal("record_revision", given=header["revision"], known=self.game.revision)
        self.match = Match(self.game, header["players"], header["first"], header["preset"], header["options"])
        self.chance = self.sealed.chance()
        self.clocks = Clocks(self.customs, len(self.seats)) if self.customs.pace != "none" else None

    def _was_shuffle(self, event: Event, shuffle: list[str], root: str | None = None) -> None:
        assert self.match
        self.match.shuffle(shuffle)
        self.root = root
        self.pause = self.before = self.request = None
        self.steps.append(event)
        self.stage, self._restless = event.number, 0

    def _was_move(self, event: Event, seat: int, move: str, by: str | None = None) -> None:
        assert self.match
        clock = self.clock
        if clock and clock.is_claim(seat, self.game.notation.move_of(move)):
            self._race = clock.number, event
        self.before, self.request, self.pause = Before(self.match.state.copy(), event), None, None
        self.match.move(seat, move, by)
        self.seats[seat].again = False
        if by and by != Customs().keeper:  # it may play better than the seat's person
            self.indulged.add(seat)
        if said := told(self.game, self.before.state, self.game.notation.move_of(move)):
            self.told[event.number] = said
        if led := outcomes(self.game, self.before.state, self.match.state):
            self.outcomes[event.number] = led
        self.steps.append(event)
        if clock and not clock.runs_for(self.silences()):
            self.clock = None
        if self.clocks:
            self.clocks.moved(seat, event.at, own=bool(event.person) and not by and not clock)
        self.stage = self._acted[seat] = event.number
        rounds = len(self.match.tallies)
        if rounds > len(self.tallied):
            self.tallied[event.number] = rounds - 1
            self.pause = Pause(event.at, event.number)

    def _was_clock(self, event: Event, until: float) -> None:
        self.clock = Clock(event.number, event.at, until, self.silences())

    def _was_next(self, event: Event, seat: int) -> None:
        assert self.pause
        self.pause.said.add(seat)

    def _was_onward(self, event: Event) -> None:
        """Where the seats have something to do before the next deal."""
        self.pause = None

    def _was_over(self, event: Event, **footer: Any) -> None:
        self.pause = None
        for seat in self.seats:
            seat.kept, seat.why, seat.since, seat.again = None, "", 0.0, False
        self._played = self.sat[event.number] = [replace(seat) for seat in self.seats]

    def _was_again(self, event: Event, seat: int | None) -> None:
        """Somebody would like to play again, from that seat if they hold one."""
        self.encore.at = self.encore.at if self.encore.said else event.at
        self.encore.said.add(event.person)
        self.sat[event.number] = list(self.seats)

    def _was_lapsed(self, event: Event) -> None:
        """Whoever would have liked to play again has gone since."""
        self.encore = Encore()

    def _was_kept(self, event: Event, seat: int, level: str, why: str) -> None:
        self.seats[seat].kept, self.seats[seat].why, self.seats[seat].since = level, why, event.at
        self._acted[seat] = event.number
        self._restless += 1

    def _was_back(self, event: Event, seat: int) -> None:
        if self.clocks and self.seats[seat].why == CLOCK:
            self.clocks.back(seat)
            self.seats[seat].again = True
        self.seats[seat].kept, self.seats[seat].why = None, ""

    def _was_resumed(self, event: Event, since: float) -> None:
        """The house was away, or its clock was set back: that time was nobody's."""
        if self.clocks:
            self.clocks.stand(since, event.at)
        if self.clock:
            put_off = shift(self.clock.began, since, event.at)
            self.clock = replace(self.clock, until=self.clock.until + put_off)
        for waits in (self.encore,) if self.encore.said else (self.pause, self.sealed):
            if waits:
                waits.at += shift(waits.at, since, event.at)

    def _was_undo_asked(self, event: Event, seat: int, lines: int) -> None:
        self.request = Request(seat, lines, event.number)
        self._asked_at[seat] = self.stage

    def _was_consented(self, event: Event, seat: int, agree: bool) -> None:
        assert self.request
        if agree:
            self.request.agreed.add(seat)
        else:
            self.request = None

    def _was_undone(self, event: Event, seat: int, lines: int, free: bool) -> None:
        assert self.match
        if self.clocks:
            self.clocks.undo([step.data["seat"] for step in self.steps[-lines:]])
        del self.steps[-lines:]
        last, self.before = self.steps[-1], None
        if free and last.data.get("seat") == seat:  # one slip after the other: still nobody has learned anything
            self.match.back(lines + 1)
            self.before = Before(self.match.state.copy(), last)
            self.match.move(seat, last.data["move"], last.data.get("by"))
        else:
            self.match.back(lines)
        self.request = self.clock = self._race = None
        if not free:
            self.indulged.add(seat)
        self.undos[seat] += 1
        self.stage = event.number
        self._acted = [event.number] * len(self.seats)

    def _was_hinted(self, event: Event, seat: int) -> None:
        """What a strong bot would do is not the seat's own skill."""
        self.indulged.add(seat)

    def _was_said(self, event: Event, **said: Any) -> None:
        """Words change nothing, but people come and go."""
        self.sat[event.number] = list(self.seats)

    def _was_forgotten(self, event: Event) -> None:
        """Somebody wanted to be forgotten: the events before this one are no longer as they were; all else is."""
