"""Live tables without a network, played by chance: the table, its guests, and a clock that is told what time it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

from brelan import bots
from brelan.errors import Refusal
from brelan.games import GAMES
from brelan.play.customs import CHOICES, Customs
from brelan.play.messages import Back, Bot, Consent, Leave, Move, Next, Nonce, Say, Sit, Start, Undo
from brelan.play.seats import bot_name
from brelan.play.table import Table
from tests.tables import TABLES, VARIANTS, generator
from tests.tables import Table as Case

NAMES = ("Anna", "Ben", "Chloé", "Dina", "Émile", "Farid")
BEGIN = 1_800_000_000.0
"""When it all begins, in seconds since 1970."""

BOTS = 0.3
"""The share of tables at which the last seat is a bot's."""

WATCHED = 0.9
"""The share of tables that anybody may watch."""

EXTRAS = 0.05
"""The share of things that are no part of the game."""


def cases(game: str) -> list[Case]:
    """The tables of a game at which proofs are made: each number of seats, preset, and pair of options."""
    return [case for case in TABLES + VARIANTS if case.game.id == game]


def person(seat: int) -> str:
    """Who sits there: a guest as the cookies name one."""
    return f"{seat + 10:032x}"


class Live:
    """A table at which everybody does at random what they may; `step` by step."""

    def __init__(self, case: Case, seed: int) -> None:
        self.random, self.chance = Random(seed), generator(seed)
        self.now, self.keys = BEGIN, 0
        manners, pace = [None, *case.game.manners], self.random.choice(CHOICES["pace"])
        manner = manners[seed % len(manners)]
        self.table = Table.made(
            self.random.randbytes,
            "abcdef",
            case.game.id,
            case.players,
            person(0),
            self.now,
            preset=case.preset,
            options=case.options,
            manner=manner,
            customs=Customs(
                pace="live" if manner == "claim" else pace, talk=True, watch=self.random.random() < WATCHED
            ),
        )
        self._sit(case.players)

    def _sit(self, players: int) -> None:
        last = players - 1 if self.random.random() < BOTS else players
        for seat in range(players):
            if seat < last:
                self.table.receive(person(seat), Sit(self.key(), seat, NAMES[seat]), self.now)
            else:
                self.table.receive(person(0), Bot(self.key(), seat, "novice"), self.now)
        self.table.receive(person(0), Start(self.key()), self.now)

    def key(self) -> str:
        self.keys += 1
        return f"{self.random.getrandbits(64):016x}-{self.keys}"

    @property
    def online(self) -> set[str]:
        return {seat.person for seat in self.table.seats if seat.kind == "person"}

    def positions(self, most: int) -> Iterator[Table]:
        """The table after each of the next things that happen, until the match is over."""
        for _ in range(most):
            yield self.table
            if self.table.status == "over":
                return
            self.step()

    def step(self) -> None:
        """One thing more that is due."""
        table = self.table
        self.now += self.random.uniform(0.1, 2.0)
        if table.match is None:
            self._nonce()
        elif self.random.random() < EXTRAS:
            self._extra()
        elif table.claims or (table.window and self.random.random() < 0.1):
            self._wait()
        elif table.pause:
            self._next()
        else:
            self._move()

    def _extra(self) -> None:
        """Somebody says something, goes or comes back, wants a move back or agrees to that; mostly it is not due."""
        asked = self.random.choice([Say("", "hello"), Say("", None, "Hm …"), Undo(""), Undo(""), Leave(""), Back("")])
        if self.table.slips.request:
            asked = Consent("", self.random.random() < 0.7)
        asked.key = self.key()
        with suppress(Refusal):
            self.table.receive(self.random.choice(sorted(self.online)), asked, self.now)

    def _nonce(self) -> None:
        waiting = [seat for seat in range(len(self.table.seats)) if self.table.wants_nonce(seat)]
        if waiting:
            self.table.receive(person(waiting[0]), Nonce(self.random.randbytes(16).hex()), self.now)

    def _next(self) -> None:
        waiting = self.table.waits_for()
        if waiting:
            self.table.receive(person(waiting[0]), Next(self.key()), self.now)
        else:
            self._wait()

    def _wait(self) -> None:
        """Until the table goes on by itself."""
        self.now = max(self.now, self.table.deadline or 0.0)
        self.table.tick(self.now)

    def _move(self) -> None:
        """One of those who are asked moves; what comes too late for a race is refused, and that is all right."""
        table = self.table
        assert table.match
        asked = table.match.asked()
        seat = self.random.choice(asked)
        bot = ("random", "novice")[self.keys // 11 % 2]
        move = bots.at_once(table.game, bot, table.seen_by(seat), seat, self.chance, table.preset)
        text = table.game.notation.move_text(move)
        sitting = table.seats[seat]
        who = bot_name(seat) if sitting.by else sitting.person
        try:
            table.receive(who, Move(self.key(), table.number, text), self.now)
        except Refusal:
            self._wait()


def lives(game: str, seed: int) -> Iterator[Live]:
    """Tables of a game without end, each a case drawn by its seed."""
    found = cases(game)
    while True:
        yield Live(Random(seed).choice(found), seed)
        seed += 1


GAME_IDS = tuple(game.id for game in GAMES)
