"""What a table is made of: its events, its seats, a match's sealed chance, and the refusals that only a table knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from brelan.errors import Refusal
from brelan.play.shuffle import Chance, commitment

NAME_LENGTH = 24


class Late(Refusal):
    """The table has gone on since."""


class NotHost(Refusal):
    """Only who made the table may do that."""


class Full(Refusal):
    """The seat is taken."""


class Open(Refusal):
    """A seat is still open."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a table: the `number`-th thing, from 1, at a time in seconds since 1970."""

    number: int
    at: float
    kind: str
    person: str  # who asked for it, "" for the table itself
    key: str  # of the message that asked for it
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a message led to: its number, None for a claim that waits (`Table.decided`), and new events, none if it
    came again.
    """

    number: int | None
    events: list[Event]


@dataclass(slots=True)
class Seat:
    """Who sits there: a person, a bot of some level, or nobody."""

    person: str = ""
    name: str = ""
    level: str | None = None

    @property
    def kind(self) -> str:
        return "bot" if self.level else "person" if self.person else "open"


@dataclass(slots=True)
class Sealed:
    """The chance of a match between its commitment and its header, while the nonces are collected."""

    match: str
    secret: bytes
    first: int
    at: float
    nonces: list[str | None]  # in hex, None while awaited

    @property
    def commit(self) -> str:
        return commitment(self.secret, self.match)

    def chance(self) -> Chance:
        return Chance(self.secret, self.match, tuple(bytes.fromhex(nonce or "") for nonce in self.nonces))


@dataclass(slots=True)
class Pause:
    """Between two rounds: since when, and which seats have said "next"."""

    at: float
    said: set[int] = field(default_factory=set)


def bot_name(seat: int) -> str:
    """By what name a bot's host speaks to the table; no person bears it."""
    return f"bot:{seat}"


def bot_seat(seat: int, level: str | None) -> Seat:
    """The seat with a bot of that level; open again for None."""
    return Seat(bot_name(seat), "", level) if level else Seat()


def clean_name(name: str) -> str:
    """A nickname as the table shows it: printable, single spaces, not too long."""
    shown = "".join(c if c.isprintable() else " " for c in name)
    return " ".join(shown.split())[:NAME_LENGTH]
