"""A table as it is: who sits there, its match and its chance, and what may be asked of it.

Nothing here changes it; what makes it so are its events (`past`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from brelan.cards import SPECTATOR
from brelan.errors import WrongSeat
from brelan.game import Courtesy, Game
from brelan.play.claims import Trip, Window, near
from brelan.play.clocks import Clocks
from brelan.play.customs import Customs
from brelan.play.dealt import Dealt
from brelan.play.match import Match
from brelan.play.seats import Encore, Event, Full, Kept, Pause, Sealed, Seat, Status, bot_name, place_of
from brelan.play.shuffle import Chance
from brelan.play.undo import Slips
from brelan.play.whatif import Origin
from brelan.scene import Outcome
from brelan.words import Said

SEAT_CHANGES = 1000  # between two shuffles, at most: nobody fills the store by coming and going

Draw = Callable[[int], bytes]
"""The system's generator: that many random bytes."""

zeros: Draw = bytes
"""Where nothing is drawn any more: for a table that only tells what was, or whose shuffles are written."""


class Present:
    """What is so at a table."""

    code: str
    host: str
    game: Game
    preset: str
    options: Any
    manner: str | None
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
        self.window: Window | None = None  # while time to speak runs
        self.clocks: Clocks | None = None  # of a match at a pace
        self.steps: list[Event] = []  # what each line of the match came from, its header apart
        self.slips = Slips.none(0)
        self.indulged: set[int] = set()  # the seats that had a hint, or took back what they may have learned from
        self.told: dict[int, dict[str, Said]] = {}  # of a move's event -> what its sentence says more
        self.outcomes: dict[int, list[Outcome]] = {}  # the number of an event -> what it led to, if anything
        self.away: dict[str, float] = {}  # who holds a seat, or is a host who never did, and is not here -> since when
        self.aways: list[tuple[float, float]] = []  # from when until when the house was away of late
        self.who: dict[str, int] = {}  # a person -> the number of the event with which they first sat down
        self.renamed: dict[int, str] = {}  # the number of an event with which somebody kept their seat -> the old name
        self.sat: dict[int, list[Seat]] = {}  # of a match's end, wishes and words, by event -> who sat there then
        self.victors: list[list[str]] = []  # of each match that is over: who won it, as persons or bots of their seats
        self.tallied: dict[int, int] = {}  # the number of an event that ended a round -> the round, from 0
        self._dealt: Dealt | None = None
        self._played: list[Seat] = []  # the seats as they were when the match was over, and who kept them then
        self._acks: dict[tuple[str, str], int] = {}
        self._restless = 0  # how often seats have changed, or a wish was taken back, since the last shuffle
        self.begun = 0  # the number of the event with which the last match was begun
        self.stage = 0  # the number of the last event that changed the match: what was thought before is out of date
        self._acted: list[int] = []  # of each seat, that of its last move, or an undo, or when a bot began to keep it
        self._asked_from: dict[int, int] = {}  # of each seat that is asked, the number of the event since which it is
        self._race: tuple[int, Event] | None = None  # the last race: the number of its start, and who won it

    @property
    def status(self) -> Status:
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

    def _seated(self) -> set[str]:
        """The persons who hold a seat."""
        return {seat.person for seat in self.seats if seat.kind == "person"}

    def names(self) -> dict[str, str]:
        """By what name each person sat down here last; "" of who wanted to be forgotten."""
        return {event.person: event.data["name"] for event in self.events if event.kind == "sat"}

    @property
    def match_seats(self) -> list[Seat]:
        """The seats of the match: of those who play it, or played the one that is over and may have left since."""
        return self._played or self.seats

    def player_of(self, person: str) -> int:
        """The seat from which a person plays or played the match, SPECTATOR for none."""
        return place_of(person, self.match_seats)

    def seats_at(self, event: Event) -> list[Seat]:
        """Who sat where when something of the match happened, or something was said."""
        return self.sat.get(event.number, self.match_seats)

    def leads(self, person: str) -> bool:
        """Whether somebody may do what the host may: the host, and whoever sits there while the host is away or has got
        up. A host who never sat leads from where they look on.
        """
        gone = self.host in self.away or (self.host in self.who and self.seat_of(self.host) == SPECTATOR)
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
        """The number of the last event that settled what a seat does, or had it asked: a move thought of before it is
        late. Of several that are asked at once each may answer what it saw before the others did.
        """
        return max(self._acted[seat], self._asked_from.get(seat, 0)) if self.match else 0

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
        """After a match: the seats of those who may be looking at its end, and have not said "again". By turns that is
        whoever will come at all: all but those who wanted to be forgotten.
        """
        people = {i: self.seats[i] for i in self.persons() if self.seats[i].person not in self.encore.said}
        days = self.customs.pace == "days"
        return [i for i, seat in people.items() if (seat.name if days else seat.person not in self.away)]

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
        return [] if self.window else [seat for seat in self.asked() if not self.seats[seat].by]

    def lent(self) -> list[int]:
        """The seats that would think if no bot kept them."""
        return [] if self.window else [seat for seat in self.asked() if self.seats[seat].kept]

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
