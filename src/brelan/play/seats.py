"""What a table is made of: its events, its seats, a match's sealed chance, and the refusals that only a table knows."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any, Literal
from unicodedata import category, normalize

from brelan.cards import SPECTATOR
from brelan.errors import Refusal, WrongSeat
from brelan.play.shuffle import Chance, commitment
from brelan.words import JOINS, LANGUAGES, Words, is_letter

NAME_LENGTH = 24
MARKS = 3  # on one letter, at most: two vowels and a tone in Burmese, as many points in Hebrew

Status = Literal["open", "playing", "over"]
"""How a table stands: before its match, in it, or after it."""

Sitter = Literal["open", "person", "bot"]
"""What sits on a seat; nobody on an open one."""

AWAY, CLOCK, LEFT = "away", "clock", "left"
"""Why a seat is kept. Who was away gets it back by coming; the others when they ask for it."""


class Late(Refusal):
    """The table has gone on since, or nothing is due that this could answer."""


class NotHost(Refusal):
    """Only who leads the table may do that."""


class Full(Refusal):
    """A seat that is taken; what is not to be had at this table; what was asked for too often."""


class Open(Refusal):
    """A seat is still open."""


class Kept(WrongSeat):
    """A bot keeps the seat; its person takes it back first."""


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
class Answered:
    """What a message led to: its number, None for a claim that waits (`Table.decided`), and new events, none if it
    came again.
    """

    number: int | None
    events: list[Event]


@dataclass(slots=True)
class Seat:
    """Who sits there: a person, a bot of some level, or nobody; a bot may keep a person's seat for a while."""

    person: str = ""
    name: str = ""
    level: str | None = None
    kept: str | None = None  # the level of the bot that keeps it
    why: str = ""  # it is kept: away, clock or left
    since: float = 0.0  # it is kept, in seconds since 1970
    again: bool = False  # it was taken back after its time was up, and has not moved since

    @property
    def kind(self) -> Sitter:
        return "bot" if self.level else "person" if self.person else "open"

    @property
    def by(self) -> str | None:
        """The level of the bot that acts for it, None where its person does."""
        return self.level or self.kept


@dataclass(slots=True)
class Sealed:
    """The sealed chance of a match, kept until the next one's; its nonces are collected until the header stands."""

    match: str
    secret: bytes
    first: int
    at: float
    nonces: list[str | None]  # in hex, None while awaited
    of: str = ""  # the match for which the secret was drawn, where this one plays on from another
    commit: str = field(init=False)  # every view shows it

    def __post_init__(self) -> None:
        self.commit = commitment(self.secret, self.of or self.match)

    def chance(self) -> Chance:
        return Chance(self.secret, self.of or self.match, tuple(bytes.fromhex(nonce or "") for nonce in self.nonces))


@dataclass(slots=True)
class Pause:
    """Between two rounds: since when and which event, and which seats have said "next"."""

    at: float
    number: int
    said: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Encore:
    """After a match: who would like to play again, if anybody, and since when the others are asked."""

    at: float = 0.0
    said: set[str] = field(default_factory=set)


def bot_name(seat: int) -> str:
    """By what name a bot's host speaks to the table; no person bears it."""
    return f"bot:{seat}"


def bot_seat(seat: int, level: str | None) -> Seat:
    """The seat with a bot of that level; open again for None."""
    return Seat(bot_name(seat), "", level) if level else Seat()


def place_of(person: str, seats: Sequence[Seat]) -> int:
    """Which of the seats a person holds, SPECTATOR for none."""
    return next((i for i, seat in enumerate(seats) if seat.person == person and person), SPECTATOR)


def clean_name(name: str) -> str:
    """A nickname as the table shows it: printable, single spaces, not too long. In brackets stands what the house says
    of somebody, a bot's level as well as a number.
    """
    shown = clean(name, NAME_LENGTH)
    while BRACKETS.search(shown):
        shown = clean(BRACKETS.sub(r" \1 ", shown), NAME_LENGTH)
    return shown


OPEN, SHUT = "(（﹙⁽₍︵❨❪⟮⦅｟⸨﴾", ")）﹚⁾₎︶❩❫⟯⦆｠⸩﴿"
BRACKETS = re.compile(rf"[{OPEN}](?!\d+\)$)(?:([^{OPEN}{SHUT}]*)[{SHUT}]|(?! \(\d+\)$)(?=[^{OPEN}{SHUT}]))")
"""A pair of them, or one that is never closed, unless it is a mouth at the end; but for the number with which the table
tells two of one name apart.
"""


UNSEEN = dict.fromkeys(
    [0x34F, 0x17B4, 0x17B5, *map(ord, JOINS), *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
)
UNSEEN |= dict.fromkeys([0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0], " ")
"""Letters that are printable, says Unicode, and that nobody sees, or sees as a space; some are parts of an emoji."""


def told_apart(name: str, others: Collection[str], seats: int) -> str:
    """A nickname that nobody else at the table bears, and no bot of so many seats in any language: with a number, if
    need be.
    """
    bots = [Words(language)("table.bot_name", n=i + 1) for language in LANGUAGES for i in range(seats)]
    taken, n = {alike(other) for other in (*others, *bots)}, 1
    found = name
    while found and alike(found) in taken:
        n += 1
        found = f"{cut(name, NAME_LENGTH - len(f' ({n})'))} ({n})"
    return found


LOOKS = str.maketrans(
    "авекмнорстухіјѕѵԁԛԝһӏհոսօαβεζηικμνορστυχıɡð0i1|", "abekmhopctyxljsvdqwhlhnuoabezhlkmnopctyxlgđolll"
)
"""Letters of other alphabets, and signs, that look like one of ours, small or large; O like 0, and I like l. A small ϲ
is σ.
"""


def alike(name: str) -> str:
    """A nickname as the eye reads it: those of two that are alike here are taken for one."""
    seen = normalize("NFKD", name.translate(UNSEEN)).casefold().translate(LOOKS)
    seen = re.sub("(?<=[lj])\u0307", "", seen)  # a second dot lies on the first, and one makes an i of an i without
    return " ".join(seen.split())


HALVES = "".join(map(chr, range(0x1F1E6, 0x1F200)))
"""Letters of which two are shown as a flag."""

SKINS = "".join(map(chr, range(0x1F3FB, 0x1F400)))
"""What gives the emoji before it another colour."""


def cut(text: str, most: int) -> str:
    """Its beginning, of so many signs at most, in which no letter or emoji of several is cut in two."""
    end = next((at for at in range(most, 0, -1) if not is_inside(text, at)), most)
    return text[:end].rstrip()


def is_inside(text: str, at: int) -> bool:
    """Whether what stands there belongs to what stands before it: a mark, a joint, a colour of skin, half a flag."""
    before, here = text[:at], text[at : at + 1]
    if not here or before.endswith("\u200d"):
        return bool(here)
    halves = len(before) - len(before.rstrip(HALVES))
    return category(here).startswith("M") or here in JOINS + SKINS or (here in HALVES and halves % 2 == 1)


def clean(text: str, most: int) -> str:
    """What somebody typed, as others may see it: printable, single spaces, not too long, and of marks on one letter no
    more than do not grow over the lines beside it; "" if it shows nothing.
    """
    shown = "".join(c if is_letter(c) else " " for c in text)
    runs = groupby(shown, lambda c: category(c) in ("Mn", "Me") or c in JOINS)
    shown = "".join(c for marks, run in runs for c in islice(run, MARKS if marks else None))
    shown = cut(" ".join(shown.split()), most)
    return shown if alike(shown) else ""
