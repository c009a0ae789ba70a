"""A live table: seats, a match, its chance, and everything that happened there as numbered events.

Nothing here waits, writes or looks at a clock: a message comes in with the time, events come out, and whoever holds
the table stores them before anybody is told. A table changes only by its events, so the stored ones rebuild it
exactly: after a crash, or when a write failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from brelan.cards import SPECTATOR
from brelan.errors import Illegal, Refusal, WrongSeat
from brelan.games import find
from brelan.play.match import Match
from brelan.play.messages import Again, Asking, Bot, Malformed, Message, Move, Next, Nonce, Sit, Stand, Start
from brelan.play.seats import Event, Full, Late, NotHost, Open, Outcome, Pause, Sealed, Seat, bot_name, clean_name
from brelan.play.shuffle import NONCE_BYTES, SECRET_BYTES, Chance

NONCE_WAIT = 3.0  # seconds for the nonces of persons; one that does not come counts as empty
PAUSE = 20.0  # seconds between two rounds, unless every person says "next" before
BOTS_PAUSE = 5.0  # the same where only bots sit

Draw = Callable[[int], bytes]
"""The system's generator: that many random bytes."""


class Table:
    """One table. Ask `receive`, `tick` and the attributes; never change it otherwise."""

    code: str
    host: str
    seats: list[Seat]

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.events: list[Event] = []
        self.sealed: Sealed | None = None
        self.match: Match | None = None
        self.chance: Chance | None = None
        self.pause: Pause | None = None
        self.tallied: dict[int, int] = {}  # the number of an event that ended a round -> the round, from 0
        self._acks: dict[tuple[str, str], int] = {}
        self._line = 0  # the number of the last event that changed the match
        self._acted: list[int] = []  # of each seat, that of its last move

    @classmethod
    def made(
        cls,
        draw: Draw,
        code: str,
        game: str,
        players: int,
        host: str,
        now: float,
        preset: str = "sheet",
        options: dict[str, Any] | None = None,
    ) -> Table:
        """A new table with open seats, or the refusal that says which choice is wrong."""
        settled = find(game).settle(players, preset, options)
        table = cls(draw)
        data: dict[str, Any] = {"code": code, "game": game, "players": players, "preset": preset, "options": settled}
        table._happen("made", now, host, **data)
        return table

    @classmethod
    def rebuilt(cls, draw: Draw, events: Iterable[Event]) -> Table:
        """The table that these events left."""
        table = cls(draw)
        for event in events:
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
        return next((i for i, seat in enumerate(self.seats) if person and seat.person == person), SPECTATOR)

    def wants_nonce(self, seat: int) -> bool:
        """Whether that seat's nonce is awaited now."""
        return bool(self.sealed and not self.match and seat != SPECTATOR and self.sealed.nonces[seat] is None)

    def waits_for(self) -> list[int]:
        """The persons' seats that have not said "next" yet."""
        if not self.pause:
            return []
        return [i for i, seat in enumerate(self.seats) if seat.kind == "person" and i not in self.pause.said]

    def bots_asked(self) -> list[int]:
        """The bots' seats that may act now, the one asked first before the others."""
        return [seat for seat in self.match.asked() if self.seats[seat].level] if self.match else []

    def seen_by(self, seat: int) -> Any:
        """The match's state as that seat, or SPECTATOR, may know it: all that ever leaves a table about cards."""
        assert self.match
        return self.match.game.view.redact(self.match.state, seat)

    @property
    def deadline(self) -> float | None:
        """When the table goes on by itself, if nothing happens before."""
        if self.sealed and not self.match:
            return self.sealed.at + NONCE_WAIT
        if self.pause:
            return self.pause.at + (PAUSE if any(seat.kind == "person" for seat in self.seats) else BOTS_PAUSE)
        return None

    # ------------------------------------------------------------ messages

    def receive(self, person: str, message: Message, now: float) -> Outcome:
        """What a message leads to; a Refusal leaves the table as it was."""
        before = self.number
        key = message.key if isinstance(message, Asking) else ""
        if (person, key) in self._acks:
            return Outcome(self._acks[person, key], [])
        self._answer(person, message, now, key)
        return Outcome(before + 1, self.events[before:])

    def tick(self, now: float) -> list[Event]:
        """What happens by itself at that time."""
        before = self.number
        if self.deadline is not None and now >= self.deadline:
            if self.pause:
                self._deal(now)
            else:
                self._begin(now)
        return self.events[before:]

    def _answer(self, person: str, message: Message, now: float, key: str) -> None:
        match message:
            case Move():
                self._on_move(person, message, now)
            case Next():
                self._on_next(person, now, key)
            case Nonce():
                self._on_nonce(person, message, now)
            case Sit():
                self._on_sit(person, message, now)
            case Stand():
                self._open_for_seats()
                self._happen("stood", now, person, key, seat=self._seat(person))
            case Bot():
                self._on_bot(person, message, now)
            case Start():
                self._on_start(person, now, key)
            case Again():
                self._on_again(person, now, key)
            case _:
                raise Malformed("table.malformed")

    def _on_move(self, person: str, message: Move, now: float) -> None:
        seat, match = self._seat(person), self.match
        if not match:
            raise Late("table.not_begun")
        if message.seen < self._acted[seat]:
            raise Late("table.late")
        try:
            text = match.game.notation.move_text(match.read(seat, message.move))
        except (WrongSeat, Illegal):
            if message.seen < self._line:
                raise Late("table.late") from None
            raise
        self._happen("move", now, person, message.key, seat=seat, move=text)
        if match.over:
            assert self.chance
            self._happen("over", now, **match.footer(), secret=self.chance.secret.hex())
        elif not self.pause:
            self._deal(now)

    def _on_next(self, person: str, now: float, key: str) -> None:
        seat = self._seat(person)
        if not self.pause:
            raise Late("table.late")
        self._happen("next", now, person, key, seat=seat)
        if not self.waits_for():
            self._deal(now)

    def _on_nonce(self, person: str, message: Nonce, now: float) -> None:
        seat = self._seat(person)
        if not self.wants_nonce(seat):
            raise Late("table.late")
        self._happen("nonce", now, person, seat=seat, nonce=message.nonce)
        self._begin_if_sealed(now)

    def _on_sit(self, person: str, message: Sit, now: float) -> None:
        self._open_for_seats()
        name = clean_name(message.name)
        if self._known(message.seat).kind != "open" and message.seat != self.seat_of(person):
            raise Full("table.taken")
        if not name:
            raise Malformed("table.name")
        self._happen("sat", now, person, message.key, seat=message.seat, name=name)

    def _on_bot(self, person: str, message: Bot, now: float) -> None:
        self._only_host(person)
        self._open_for_seats()
        if self._known(message.seat).kind == "person":
            raise Full("table.taken")
        self._happen("bot", now, person, message.key, seat=message.seat, level=message.level)

    def _on_start(self, person: str, now: float, key: str) -> None:
        self._only_host(person)
        if self.status != "open":
            raise Late("table.begun")
        self._start(person, now, key, int.from_bytes(self.draw(8), "big") % len(self.seats))

    def _on_again(self, person: str, now: float, key: str) -> None:
        """Once more with the same seats; the next seat begins."""
        if person != self.host:
            self._seat(person)
        if self.status != "over":
            raise Late("table.late")
        assert self.match
        self._start(person, now, key, (self.match.first + 1) % len(self.seats))

    # ------------------------------------------------------------ what may not be done

    def _seat(self, person: str) -> int:
        seat = self.seat_of(person)
        if seat == SPECTATOR:
            raise WrongSeat("table.standing")
        return seat

    def _known(self, seat: int) -> Seat:
        if seat not in range(len(self.seats)):
            raise Malformed("no_seat", given=seat, most=len(self.seats) - 1)
        return self.seats[seat]

    def _only_host(self, person: str) -> None:
        if person != self.host:
            raise NotHost("table.not_host")

    def _open_for_seats(self) -> None:
        if self.status == "playing":
            raise Late("table.begun")

    # ------------------------------------------------------------ what the table does by itself

    def _start(self, person: str, now: float, key: str, first: int) -> None:
        """Commit to a secret; the bots' nonces are there at once, those of persons are awaited."""
        if any(seat.kind == "open" for seat in self.seats):
            raise Open("table.open")
        secret, match = self.draw(SECRET_BYTES).hex(), f"{self.code}-{self.draw(8).hex()}"
        nonces = [self.draw(NONCE_BYTES).hex() if seat.level else None for seat in self.seats]
        self._happen("started", now, person, key, match=match, secret=secret, first=first, nonces=nonces)
        self._begin_if_sealed(now)

    def _begin_if_sealed(self, now: float) -> None:
        assert self.sealed
        if None not in self.sealed.nonces:
            self._begin(now)

    def _begin(self, now: float) -> None:
        """The header stands: from here on nobody can change any shuffle."""
        assert self.sealed
        made = self.events[0].data
        match = Match(find(made["game"]), made["players"], self.sealed.first, made["preset"], made["options"])
        header: dict[str, Any] = {**match.header(), **self.sealed.chance().header()}
        self._happen("header", now, **header)
        self._deal(now)

    def _deal(self, now: float) -> None:
        """Every shuffle that is due, by the match's own chance."""
        match, chance = self.match, self.chance
        assert match
        assert chance
        while due := match.due():
            self._happen("shuffle", now, shuffle=chance.order(match.shuffles, due))

    # ------------------------------------------------------------ events

    def _happen(self, kind: str, now: float, person: str = "", key: str = "", **data: Any) -> None:
        self._add(Event(self.number + 1, now, kind, person, key, data))

    def _add(self, event: Event) -> None:
        """Let an event happen: the only place where a table changes."""
        getattr(self, f"_was_{event.kind}")(event, **event.data)
        self.events.append(event)
        if event.key:
            self._acks[event.person, event.key] = event.number

    def _was_made(self, event: Event, code: str, game: str, players: int, preset: str, options: Any) -> None:
        self.code, self.host = code, event.person
        self.game, self.preset, self.options = find(game), preset, options
        self.seats = [Seat() for _ in range(players)]

    def _was_sat(self, event: Event, seat: int, name: str) -> None:
        old = self.seat_of(event.person)
        if old != SPECTATOR:
            self.seats[old] = Seat()
        self.seats[seat] = Seat(event.person, name)

    def _was_stood(self, event: Event, seat: int) -> None:
        self.seats[seat] = Seat()

    def _was_bot(self, event: Event, seat: int, level: str | None) -> None:
        self.seats[seat] = Seat(bot_name(seat), "", level) if level else Seat()

    def _was_started(self, event: Event, match: str, secret: str, first: int, nonces: list[str | None]) -> None:
        self.sealed = Sealed(match, bytes.fromhex(secret), first, event.at, list(nonces))
        self.match = self.chance = self.pause = None
        self.tallied = {}
        self._acted = [0] * len(self.seats)

    def _was_nonce(self, event: Event, seat: int, nonce: str) -> None:
        assert self.sealed
        self.sealed.nonces[seat] = nonce

    def _was_header(self, event: Event, **header: Any) -> None:
        assert self.sealed
        if header["revision"] != self.game.revision:
            raise Refusal("record_revision", given=header["revision"], known=self.game.revision)
        self.match = Match(self.game, header["players"], header["first"], header["preset"], header["options"])
        self.chance = self.sealed.chance()

    def _was_shuffle(self, event: Event, shuffle: list[str]) -> None:
        assert self.match
        self.match.shuffle(shuffle)
        self.pause = None
        self._line = event.number

    def _was_move(self, event: Event, seat: int, move: str) -> None:
        assert self.match
        self.match.move(seat, move)
        self._line = self._acted[seat] = event.number
        rounds = len(self.match.tallies)
        if rounds > len(self.tallied):
            self.tallied[event.number] = rounds - 1
            if self.match.due():  # else the seats have still something to do before the next deal, and see the result
                self.pause = Pause(event.at)

    def _was_next(self, event: Event, seat: int) -> None:
        assert self.pause
        self.pause.said.add(seat)

    def _was_over(self, event: Event, **footer: Any) -> None:
        self.pause = None
