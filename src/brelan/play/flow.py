"""What a table does by itself: it starts a match, deals, says what is owed, and lets time to speak run out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from brelan.play.claims import Claim, Trip, Window, near, time_to_speak
from brelan.play.clocks import DAY
from brelan.play.leaves import Tree
from brelan.play.match import Match
from brelan.play.past import Past
from brelan.play.present import Draw
from brelan.play.seats import LEFT, Event, Open, bot_name
from brelan.play.shuffle import NONCE_BYTES, SECRET_BYTES

PAUSE = 20.0  # seconds between two rounds where several persons play, unless each says "next" before
UNHURRIED = 60.0  # the same at a table without a clock
ENCORE = 60.0  # seconds for which others may look at the end of a match once somebody would like to play again
RELOAD = 10.0  # seconds in which whoever was still asked, and is the last to go, may come back to it
BOTS_PAUSE = 5.0  # the same where only bots sit; one person among bots keeps nobody waiting, and has all the time


class Flow(Past):
    """A table that goes on: each step follows from what has happened."""

    def __init__(self, draw: Draw, trip: Trip = near) -> None:
        super().__init__(draw, trip)
        self.claims: list[Claim] = []  # not decided yet

    @property
    def until(self) -> float | None:
        """When a pause, a wish to play again or the time to speak ends by itself, as everybody may know; by turns that
        wish waits for every answer, and a pause for as long as a move may take: people sleep meanwhile.
        """
        if self.encore.said:
            return self._encore_ends() if self.is_full and self.customs.pace != "days" else None
        if self.pause:
            here, people = self.persons(), sum(seat.kind == "person" for seat in self.seats)
            if here and people == 1:
                return None
            looks = {"none": UNHURRIED, "live": PAUSE, "days": self.customs.days * DAY}[self.customs.pace]
            return self.pause.at + (looks if here else BOTS_PAUSE)
        return self.window.until if self.window else None

    def _encore_ends(self) -> float:
        """When nobody is asked any more whether to play again: no later than that, if they all have gone."""
        last, gone = self.encore.at + ENCORE, (self._seated() & self.away.keys()) - self.encore.said
        if self.undecided() or not gone or self.encore.said <= self.away.keys():
            return last
        return min(last, max(self.away[person] for person in gone) + RELOAD)

    def follow(self, events: Iterable[Event]) -> None:
        """Let happen here what happened over another worker; a race that went on there is decided."""
        for event in events:
            self._add(event)
        self.recall(self.away, self.aways, self.claims)

    def recall(self, away: dict[str, float], aways: list[tuple[float, float]], claims: Iterable[Claim]) -> None:
        """Know again what is no event: who is away, when the house was, and the claims that wait, as far as the race is
        the same, though it may last longer now, and nobody has spoken for their seats since.
        """
        self.away, self.aways, race = away, aways, self.window and self.window.number
        asked = {(race, seat, self.seats[seat].person) for seat in self.asked()}  # not by the name of who was forgotten
        self.claims = [claim for claim in claims if (claim.race, claim.seat, claim.person) in asked]

    # ------------------------------------------------------------ from the start to the end

    def _start(self, person: str, now: float, key: str, first: int) -> None:
        """Commit to a secret and to the bots' nonces, which every view shows; those of persons are awaited."""
        self._check_full()
        secret, match = self.draw(SECRET_BYTES).hex(), f"{self.code}-{self.draw(8).hex()}"
        nonces = [self.draw(NONCE_BYTES).hex() if seat.level else None for seat in self.seats]
        if self.origin:
            secret, first, nonces = self.origin.secret, self.origin.header["first"], self.origin.header["nonces"]
        asked = {*self.encore.said, person}
        again = {} if self.status == "open" else {"again": [i for i in self.persons() if self.seats[i].person in asked]}
        self._happen("started", now, person, key, match=match, secret=secret, first=first, nonces=nonces, **again)
        self._begin_if_sealed(now)

    def _check_full(self) -> None:
        if not self.is_full:
            raise Open("table.open")

    def _start_again(self, now: float, person: str = "", key: str = "") -> None:
        """Once more with the same seats; the next seat begins."""
        assert self.match
        self._start(person, now, key, (self.match.first + 1) % len(self.seats))

    def _start_if_agreed(self, now: float) -> None:
        """Once more, where nobody is left to ask and somebody plays."""
        if self.encore.said and self.is_full and self.persons() and not self.undecided():
            self._start_again(now)

    def _settle_encore(self, now: float) -> None:
        """Those who look at the end of a match have had their time; nobody plays again for somebody who has gone, nor
        for a host who looks on where no player is left.
        """
        is_here = any(self.seats[i].person not in self.away for i in self.persons())
        if is_here and self.encore.said - self.away.keys():
            self._start_again(now)
        else:
            self._happen("lapsed", now)

    def _begin_if_sealed(self, now: float) -> None:
        assert self.sealed
        if None not in self.sealed.nonces:
            self._begin(now)

    def _begin(self, now: float) -> None:
        """The header stands: from here on nobody can change any shuffle."""
        assert self.sealed
        match = Match(self.game, len(self.seats), self.sealed.first, self.preset, self.options)
        header: dict[str, Any] = {**match.header(), **self.sealed.chance().header()}
        if self.origin:
            header |= self.origin.mark(self.sealed.match)
        self._happen("header", now, **header)
        for line in self.origin.lines if self.origin else []:
            self._happen("shuffle" if "shuffle" in line else "move", now, **line)
        if not self.pause:
            self._deal(now)

    def _move(self, seat: int, move: int, now: float, person: str = "", key: str = "") -> None:
        """A move, and what follows it by itself."""
        match, kept = self.match, self.seats[seat].kept
        assert match
        by = {"by": kept} if kept and person == bot_name(seat) else {}
        self._happen("move", now, person, key, seat=seat, move=match.game.notation.move_text(move), **by)
        if match.over:
            self._end(now)
        elif not self.pause:
            self._deal(now)

    def _end(self, now: float) -> None:
        """The match is over: its secret is opened. Whoever left it holds no seat in the next."""
        assert self.match
        assert self.chance
        left = [i for i, seat in enumerate(self.seats) if seat.why == LEFT]
        self._happen("over", now, **self.match.footer(), secret=self.chance.secret.hex())
        for i in left:
            self._happen("stood", now, self.seats[i].person, seat=i)

    def _go_on(self, now: float) -> None:
        """The result has been seen: the next deal, or what the seats have still to do before it."""
        assert self.match
        if not self.match.due():
            self._happen("onward", now)
        self._deal(now)

    def _deal(self, now: float) -> None:
        """Shuffle by the match's own chance until somebody is asked, and may speak, or a round has ended."""
        match, chance = self.match, self.chance
        assert match
        assert chance
        while due := match.due():
            order = chance.order(match.shuffles, due)
            self._happen("shuffle", now, shuffle=order, root=Tree(chance, match.shuffles, order).root)
            if match.over:
                return self._end(now)
            if self.pause:
                return None
        return self._speak(now)

    # ------------------------------------------------------------ what is said aloud

    def _speak(self, now: float) -> None:
        """What courteous seats say without being told to; then time runs for those who must say it themselves."""
        assert self.match
        for seat in self.match.asked():
            courtesy = self.courtesy_of(seat)
            word = courtesy.owed(self.match.state, seat) if courtesy else -1
            if word >= 0:
                self._move(seat, word, now)
                return
        silences = self.silences()
        if silences and not self.window:
            trips = [self.trip(self.seats[seat].person) for seat in silences]
            self._happen("clock", now, until=now + time_to_speak(len(silences) > 1, trips))

    def _close(self, window: Window, now: float) -> None:
        """Time is up: what stands for silence is said for everybody, in the order in which they are asked."""
        while self.match and self.window is window:
            seat = self.match.asked()[0]
            self._move(seat, window.silences[seat], now)

    def _hold(self, claim: Claim, now: float) -> None:
        """A claim waits while a person who has not spoken may have been earlier."""
        self.claims.append(claim)
        silent = [self.seats[seat] for seat in self._unheard()]
        if not any(not seat.by and self.trip(seat.person) is not None for seat in silent):
            self._decide(now)

    def _decide(self, now: float) -> None:
        """The earliest claim wins; of equal ones that of the seat asked first."""
        assert self.match
        order = self.match.asked()
        claim = min(self.claims, key=lambda claim: (claim.said, order.index(claim.seat)))
        self.claims = []
        self._move(claim.seat, claim.move, now, claim.person, claim.key)

    def _unheard(self) -> list[int]:
        """The seats that may act now and whose claim does not wait already, the one asked first before the others."""
        return [seat for seat in self.asked() if seat not in self._claiming()]

    def _claiming(self) -> set[int]:
        return {claim.seat for claim in self.claims}

    def _holds(self, person: str, key: str) -> bool:
        return any((claim.person, claim.key) == (person, key) for claim in self.claims)
