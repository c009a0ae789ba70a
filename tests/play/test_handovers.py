"""Persons and bots at one seat in the same millisecond, thousands of times: one of them moves, never both.

`BRELAN_HANDOVERS=10000 python -m pytest -s tests/play/test_handovers.py` does that many, and prints what happened.
"""

import os
from collections import Counter

from brelan.cards import below
from brelan.errors import Refusal
from brelan.games import GAMES
from brelan.play.customs import Customs
from brelan.play.messages import Again, Back, Leave, Move, Next, Nonce
from brelan.play.seats import bot_name
from tests.play.scripts import NONCE, begun
from tests.tables import generator

HANDOVERS = int(os.environ.get("BRELAN_HANDOVERS", "300"))
CUSTOMS = (Customs(grace=10), Customs(grace=10, pace="live", bank=60, increment=0), Customs(pace="days", days=1))


class Evening:
    """One table after the other, where people come and go as they like."""

    def __init__(self, number):
        self.random = generator(number)
        self.seen = Counter()
        self.sit(number)

    def sit(self, number):
        game = GAMES[number % len(GAMES)]
        players = game.seats[self.below(len(game.seats))]
        self.now = 1000.0
        self.table = begun(game.id, players, min(players, 2), self.now, customs=CUSTOMS[self.below(len(CUSTOMS))])
        self.people = {"anna", "ben"}
        self.table.here(self.people, self.now)

    def below(self, n):
        return below(self.random, n)

    def moves(self, seat):
        """The events by which a seat has moved."""
        return sum(event.kind == "move" and event.data["seat"] == seat for event in self.table.events)

    def chosen(self, seat):
        """A move for a seat, from what it may know."""
        table = self.table
        move = table.game.policy.novice(table.seen_by(seat), seat, self.random)
        return table.game.notation.move_text(move)

    def ask(self, person, message):
        """Whether the table took it."""
        try:
            self.table.receive(person, message, self.now)
        except Refusal as refusal:
            self.seen[refusal.key] += 1
            return False
        return True

    def go_on(self):
        """The match goes on by a step: somebody else's move, the next deal or another match."""
        table = self.table
        if table.status == "over":
            for person in ("anna", "ben"):
                self.ask(person, Again(f"again {table.number}"))
            for person in ("anna", "ben"):
                self.ask(person, Nonce(NONCE))
        elif table.pause:
            for seat in table.waits_for():
                self.ask(table.seats[seat].person, Next(f"next {seat} {table.number}"))
            if table.pause:
                self.now = max(self.now, table.until)
        elif table.match and table.match.asked():
            seat = table.match.asked()[self.below(len(table.match.asked()))]
            by = table.seats[seat].by
            person = bot_name(seat) if by else table.seats[seat].person
            self.ask(person, Move(f"{person} {table.number}", table.number, self.chosen(seat)))
        self.now += self.below(3)
        table.here(self.people, self.now)
        table.tick(self.now)

    def hand_over(self):
        """A seat is kept, wherever the match is; its person comes back as the bot moves. Whether there was a race."""
        table, seat = self.table, self.below(2)
        person = table.seats[seat].person
        self.lose(seat, person)
        for _ in range(self.below(4)):
            self.go_on()
        for _ in range(60):
            if table.seats[seat].kept and table.match and seat in table.match.asked():
                self.race(seat, person)
                break
            self.go_on()
        else:
            return False
        self.come(seat, person)
        assert not table.seats[seat].kept or table.seats[seat].again  # the bot moves before they have a second moment
        return True

    def lose(self, seat, person):
        """Somebody goes: by the line, by the clock or by their own will."""
        table = self.table
        if self.below(3) == 0:
            self.ask(person, Leave(f"leave {table.number}"))
        else:
            self.people = {"anna", "ben"} - {person}
            table.here(self.people, self.now)
            self.now += 10
            table.tick(self.now)
            if table.clocks and seat in table.clocks.running and self.below(2):
                self.now = table.clocks.deadlines[seat]
                table.tick(self.now)

    def come(self, seat, person):
        self.people = {"anna", "ben"}
        self.table.here(self.people, self.now)
        if self.table.seats[seat].kept:
            self.ask(person, Back(f"back {self.table.number}"))

    def race(self, seat, person):
        """Both have thought of a move at the same table; it hears them and the return in any order."""
        table, before, number = self.table, self.moves(seat), self.table.number
        mine = Move(f"mine {number}", number, self.chosen(seat))
        bots = Move(f"bots {number}", number, self.chosen(seat))
        done = {"mine": False, "bots": False}

        def come():
            self.come(seat, person)
            if self.below(4) and not done["bots"]:  # the person has seen that the seat is theirs, and nothing since
                mine.seen = table.number

        acts = [
            come,
            lambda: done.update(mine=self.ask(person, mine)),
            lambda: done.update(bots=self.ask(bot_name(seat), bots)),
            lambda: table.tick(self.now),
        ]
        while acts:
            acts.pop(self.below(len(acts)))()
        by_them = [e for e in table.events[number:] if e.kind == "move" and e.person in (person, bot_name(seat))]
        assert len(by_them) == sum(done.values()) <= 1
        assert self.moves(seat) - before <= len(by_them) + self.said(seat, number)
        assert all(("by" in event.data) == (event.person == bot_name(seat)) for event in by_them)
        self.seen["person moved" if done["mine"] else "bot moved" if done["bots"] else "nobody moved"] += 1
        for again in (mine, bots):  # whoever did not hear the answer says it again
            self.ask(person if again is mine else bot_name(seat), again)
        later = [e for e in table.events[number:] if e.kind == "move" and e.key in (mine.key, bots.key)]
        assert sum(done.values()) <= len(later) <= 1

    def said(self, seat, number):
        """What the table said for a seat since then."""
        return sum(e.kind == "move" and e.data["seat"] == seat and not e.person for e in self.table.events[number:])


def test_person_and_bot_never_both_move():
    done, seen, number = 0, Counter(), 0
    while done < HANDOVERS:
        number += 1
        evening = Evening(number)
        cycles = sum(evening.hand_over() for _ in range(10))
        done += cycles
        seen += evening.seen
        assert sum(event.kind == "kept" for event in evening.table.events) >= cycles
    print(f"{done} hand-overs at {number} tables; {dict(seen)}")
    assert min(seen["person moved"], seen["bot moved"]) > done // 10
