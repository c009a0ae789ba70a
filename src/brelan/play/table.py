"""A live table: what messages and time lead to, as numbered events.

Nothing here waits, writes or looks at a clock: a message comes in with the time, events come out, and whoever holds
the table stores them before anybody is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from brelan.cards import SPECTATOR
from brelan.errors import Illegal, Refusal, WrongSeat
from brelan.game import Game
from brelan.games import find
from brelan.play.chat import Talking
from brelan.play.claims import LEAD, Claim, Faster, Trip, near, said_at
from brelan.play.customs import Customs
from brelan.play.keeping import Keeping
from brelan.play.match import Match
from brelan.play.messages import (
    Again,
    Ask,
    Asking,
    Back,
    Bot,
    Consent,
    Hint,
    Leave,
    Malformed,
    Message,
    Move,
    Next,
    Nonce,
    Say,
    Sit,
    Stand,
    Start,
    Undo,
    is_older,
    last_seen,
)
from brelan.play.present import Draw
from brelan.play.seats import Answered, Event, Full, Late, NotHost, Seat, bot_seat, clean_name, told_apart
from brelan.play.whatif import Origin

RENAMES = 5  # that somebody may have between two matches
NONCE_WAIT = 3.0  # seconds for the nonces of persons; one that does not come counts as empty


class Table(Keeping, Talking):
    """One table. Only `receive`, `tick`, `here`, `resumed`, `follow` and `recall` change it; its attributes are to be
    read.
    """

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
        options: Mapping[str, Any] | None = None,
        manner: str | None = None,
        customs: Customs | None = None,
        trip: Trip = near,
        origin: Origin | None = None,
    ) -> Table:
        """A new table with open seats, or the refusal that says which choice is wrong; with an origin it plays on."""
        customs, settled = customs or Customs(), find(game).settle(players, preset, options)
        if not origin:  # bots and ladders go by its name; what plays on has the header of the match before
            preset = find(game).preset_of(players, preset, options)
            find(game).check_length(settled)
        manner = manner_at(find(game), manner, customs)
        table = cls(draw, trip)
        data: dict[str, Any] = {"code": code, "game": game, "players": players, "preset": preset, "options": settled}
        if origin:
            data["origin"] = asdict(origin)
        table._happen("made", now, host, **data, manner=manner, customs=customs.to_json())
        return table

    def bots_asked(self) -> list[int]:
        """The bots' seats that may act now, the one asked first before the others."""
        return [seat for seat in self._unheard() if self.seats[seat].by]

    @property
    def held(self) -> bool:
        """Whether a bot waits until one of those who are here says "next": where nobody else is asked. By turns nobody
        would be here to say it, and where time to speak runs it would be up.
        """
        if self.customs.tempo != "step" or self.customs.pace == "days" or self.window:
            return False
        is_here = any(self.seats[i].person not in self.away for i in self.persons())
        return is_here and bool(self.asked()) and not self.thinking()

    def lets_go(self, message: Message) -> bool:
        """Whether a message tells the bot that waits to move: nothing happens by that alone, and nothing is kept."""
        return isinstance(message, Next) and self.held and self.stage <= last_seen(message) <= self.number

    @property
    def deadline(self) -> float | None:
        """When the table goes on by itself, if nothing happens before."""
        return _first(self._due_at, *self.hand_overs().values())

    @property
    def wakes_at(self) -> float | None:
        """The same where nobody watches: who is away counts only while somebody is there to wait for them."""
        return _first(self._due_at, *(self.clocks.deadlines.values() if self.clocks else ()))

    @property
    def _due_at(self) -> float | None:
        """When the match itself goes on."""
        if self.claims:
            return min(claim.said for claim in self.claims) + LEAD
        if self.sealed and not self.match:
            return self.sealed.at + NONCE_WAIT
        return self.until

    # ------------------------------------------------------------ messages

    def receive(self, person: str, message: Message, now: float) -> Answered:
        """What a message leads to; a Refusal leaves the table as it was."""
        before = self.number
        key = message.key if isinstance(message, Asking) else ""
        if isinstance(message, Hint | Ask) or self.is_new(person, key):
            if self._is_so(person, message):
                return Answered(before, [])
            self._answer(person, message, now)
        elif (done := self._acks.get((person, key))) is not None and last_seen(message) >= done:
            # Whoever repeats something had not seen yet what came of it: this is something else, with an old key.
            raise Malformed("table.key_used")
        return Answered(self._acks.get((person, key)), self.events[before:])

    @property
    def hints(self) -> bool:
        """Whether hints may be asked for: where the table has that custom, or no second person has a seat."""
        return self.customs.hints or sum(seat.kind == "person" for seat in self.seats) < 2

    def tick(self, now: float) -> list[Event]:
        """What happens by itself at that time."""
        before = self.number
        if self._due_at is not None and now >= self._due_at:
            if self.claims:
                self._decide(now)
            elif self.pause:
                self._go_on(now)
            elif self.window:
                self._close(self.window, now)
            elif self.encore.said:
                self._settle_encore(now)
            else:
                self._begin(now)
        self._hand_over(now)
        return self.events[before:]

    def decided(self, person: str, key: str) -> int | None:
        """The number by which a claim is acknowledged, None while it waits; a Refusal if somebody else was faster."""
        if self.is_new(person, key):
            raise Faster(self._race[1]) if self._race else Late("table.late")
        return self._acks.get((person, key))

    def is_new(self, person: str, key: str) -> bool:
        """Whether nothing that was asked with that key is done, or waits."""
        return (person, key) not in self._acks and not self._holds(person, key)

    def is_due(self, person: str, message: Move) -> bool:
        """Whether a move is what the table waits for: by the seat that is asked, in time, legal, and new."""
        if message.seen > self.number or not self.is_new(person, message.key):
            return False
        try:
            self._judged(person, message)
        except Refusal:
            return False
        return True

    def _is_so(self, person: str, message: Message) -> bool:
        """Whether it is already as a message asks, so that nothing needs to happen."""
        seat = self.seat_of(person)
        match message:
            case Nonce():
                in_time = self.sealed is not None and self.sealed.nonces[seat] is not None
                return seat != SPECTATOR and (in_time or self.match is not None)  # a late one counts as none
            case Next() if self.customs.tempo == "step" and not self.pause and seat in self.persons():
                # Another has said it, or a minute was over.
                return self.lets_go(message) or 0 < last_seen(message) < self.stage
            case Again() if self.status == "over":
                return message.wish == (person in self.encore.said)
            case Again(wish=True) if self.leads(person) or seat != SPECTATOR:
                again = any(event.kind == "over" for event in self.events)
                return again and not any(step.kind == "move" for step in self.steps)
            case Sit(seat=at) | Bot(seat=at) if self.status != "playing" and at in range(len(self.seats)):
                if isinstance(message, Sit):
                    return self.seats[at] == Seat(person, self._named(person, message))
                return self.leads(person) and self.seats[at] == bot_seat(at, message.level)
        return False

    def _answer(self, person: str, message: Message, now: float) -> None:
        """Let its handler answer a message; those that have none are the line's business, not the table's."""
        if not (on := ON.get(type(message))):
            raise Malformed("table.malformed")
        if last_seen(message) > self.number:  # what never was here, or was before the house went back to an older copy
            raise Late("table.late")
        on(self, person, message, now)

    def _on_move(self, person: str, message: Move, now: float) -> None:
        seat, match, move = self._judged(person, message)
        if courtesy := self.courtesy_of(seat):
            move = courtesy.said(match.state, seat, move)
        if self.window and self.window.is_claim(seat, move):
            said = said_at(now, self.trip(person))
            self._hold(Claim(self.window.number, seat, move, person, message.key, said), now)
        else:
            self._move(seat, move, now, person, message.key)

    def _judged(self, person: str, message: Move) -> tuple[int, Match, int]:
        """By which seat a move is made, in which match, and which; or the refusal of one that is late or not legal."""
        seat, match = self._actor(person), self.match
        if not match:
            raise Late("table.not_begun")
        asked_at = self.window.number if self.window else 0  # it may have moved since, or been asked anew
        if message.seen < max(self.acted(seat), asked_at) or seat in self._claiming():  # or its claim waits
            raise self._late(message)
        if self.pause:
            raise Late("table.paused")
        try:
            return seat, match, match.read(seat, message.move)
        except (WrongSeat, Illegal):
            if message.seen < self.stage:
                raise self._late(message) from None
            raise

    def _on_next(self, person: str, message: Next, now: float) -> None:
        seat = self._actor(person)
        if is_older(message.seen, self.pause.number if self.pause else self.number):
            raise Late("table.late")
        if not self.pause:
            raise Late("table.not_due")
        self._happen("next", now, person, message.key, seat=seat)
        if not self.waits_for():
            self._go_on(now)

    def _on_hint(self, person: str, message: Hint, now: float) -> None:
        """Write down that a seat had a hint, once: what it said is nobody else's. Whoever asks again, by the same key
        too, is thought for anew, and so may be told no.
        """
        if not self.hints:
            raise Full("table.no_hints")
        seat = self._asked(person)
        if seat not in self.indulged:
            self._happen("hinted", now, person, message.key, seat=seat)

    def _on_ask(self, person: str, message: Ask, now: float) -> None:
        """Nothing happens, but for the refusal of who is not asked."""
        self._asked(person)

    def _asked(self, person: str) -> int:
        """The seat of a person who is to move now."""
        seat = self._actor(person)
        if seat not in self.asked():
            raise Late("table.nothing_asked")
        return seat

    def _on_nonce(self, person: str, message: Nonce, now: float) -> None:
        seat = self._seat(person)
        if not self.wants_nonce(seat):
            raise Late("table.not_due")
        self._happen("nonce", now, person, seat=seat, nonce=message.nonce)
        self._begin_if_sealed(now)

    def _on_sit(self, person: str, message: Sit, now: float) -> None:
        self._open_for_seats(person)
        name = self._named(person, message)
        if self._known(message.seat).kind != "open" and message.seat != self.seat_of(person):
            raise Full("table.taken")
        if not name:
            raise Malformed("table.name")
        self._check_names(person, name)
        self._happen("sat", now, person, message.key, seat=message.seat, name=name)
        self._start_if_agreed(now)

    def _named(self, person: str, message: Sit) -> str:
        """What somebody will be called who sits down, so that everybody knows who is meant, also of those who have won
        there and got up.
        """
        won = {winner for winners in self.victors for winner in winners} - {person}
        others = [seat.name for seat in self.seats if seat.person != person]
        others += [name for gone, name in self.names().items() if gone in won]
        return told_apart(clean_name(message.name), others, len(self.seats))

    def _check_names(self, person: str, name: str) -> None:
        """Nobody speaks by names where people use the ready-made sentences: each is told to all, and in the lobby."""
        own = [event for event in self.events[self.begun :] if event.kind == "sat" and event.person == person]
        names = [*(event.data["name"] for event in own), name]
        if sum(old != new for old, new in pairwise(names)) > RENAMES:
            raise Full("table.renamed_often")

    def _on_stand(self, person: str, message: Stand, now: float) -> None:
        self._open_for_seats(person)
        self._happen("stood", now, person, message.key, seat=self._seat(person))

    def _on_bot(self, person: str, message: Bot, now: float) -> None:
        self._only_host(person, now)
        self._open_for_seats(person)
        self._check_chair(self._known(message.seat), person, now)
        self._happen("bot", now, person, message.key, seat=message.seat, level=message.level)
        self._start_if_agreed(now)

    def _on_start(self, person: str, message: Start, now: float) -> None:
        self._only_host(person, now)
        if self.status != "open":
            raise Late("table.begun")
        self._start(person, now, message.key, int.from_bytes(self.draw(8), "big") % len(self.seats))

    def _on_again(self, person: str, message: Again, now: float) -> None:
        """Once more, as soon as all have said so who may be looking at the end of the match; till then anybody may
        think better of it.
        """
        seat = self.seat_of(person) if person == self.host else self._seat(person)
        at = {"seat": None if seat == SPECTATOR else seat}
        if self.status != "over":
            raise Late("table.begun" if self.status == "playing" else "table.not_begun")
        if not message.wish:
            self._check_rest(person)
            self._happen("again", now, person, message.key, **at, wish=False)
            return
        self._check_full()
        if set(self.undecided()) - {seat}:
            self._happen("again", now, person, message.key, **at)
        else:
            self._start_again(now, person, message.key)

    # ------------------------------------------------------------ what may not be done

    def _late(self, message: Move) -> Late:
        """Why a move answers an older table: somebody was faster in the race that it was for, or the table went on."""
        if self._race and self._race[0] <= message.seen < self._race[1].number:
            return Faster(self._race[1])
        return Late("table.late")

    def _known(self, seat: int) -> Seat:
        if seat not in range(len(self.seats)):
            raise Malformed("no_seat", given=seat, most=len(self.seats) - 1)
        return self.seats[seat]

    def _only_host(self, person: str, now: float) -> None:
        if not self.leads(person):
            raise NotHost("table.not_host")
        if person != self.host and self.host in self.away:
            self._check_grace(self.host, now)

    def _open_for_seats(self, person: str) -> None:
        if self.status == "playing":
            raise Late("table.begun")
        self._check_rest(person)


ON: dict[type[Message], Callable[[Table, str, Any, float], None]] = {
    Move: Table._on_move,
    Next: Table._on_next,
    Hint: Table._on_hint,
    Ask: Table._on_ask,
    Nonce: Table._on_nonce,
    Sit: Table._on_sit,
    Stand: Table._on_stand,
    Bot: Table._on_bot,
    Start: Table._on_start,
    Again: Table._on_again,
    Undo: Table._on_undo,
    Consent: Table._on_consent,
    Leave: Table._on_leave,
    Back: Table._on_back,
    Say: Table._on_say,
}
"""Who answers which message of a person, and when."""


def _first(*times: float | None) -> float | None:
    """The first of these times, those that never come left out."""
    return min((at for at in times if at is not None), default=None)


def manner_at(game: Game, manner: str | None, customs: Customs) -> str | None:
    """How things are said aloud: in a match by turns over days the table does it, for nobody could be the first."""
    if customs.pace != "days" or not game.manners:
        return game.manner(manner)
    if manner == "claim":
        raise Refusal("customs_claim")
    return game.manner(manner or "turns")
