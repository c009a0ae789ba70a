"""Hypothesis at a table: people come, go, play, hesitate, take moves back and talk, and the house falls over.

All in any order; `BRELAN_EVENINGS` says how often.
"""

import json
import os
from types import SimpleNamespace

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from brelan.errors import Refusal
from brelan.games import GAMES
from brelan.play.clocks import DAY
from brelan.play.customs import Customs
from brelan.play.flow import BOTS_PAUSE, PAUSE, UNHURRIED
from brelan.play.match import Match
from brelan.play.messages import Again, Back, Consent, Leave, Move, Next, Nonce, Say, Undo
from brelan.play.seats import Event, bot_name
from brelan.play.table import Table
from tests.play.scripts import NONCE, begun, drawing, viewed
from tests.tables import generator

EXAMPLES = int(os.environ.get("BRELAN_EVENINGS", "100"))

WISHES = ["undo", "leave", "back", "next", "again", "enough", "nonce", "say"]
PEOPLE = ("anna", "ben", "cleo")
PACES = {
    "none": Customs(grace=10),
    "live": Customs(pace="live", bank=60, increment=5, grace=10, talk=True),
    "days": Customs(pace="days", days=1),
}


class Evening(RuleBasedStateMachine):
    """One table; whatever is done to it, its events tell it whole, and nobody moves for anybody else."""

    @initialize(data=st.data(), game=st.sampled_from(GAMES), pace=st.sampled_from(sorted(PACES)))
    def sit_down(self, data, game, pace):
        players = data.draw(st.sampled_from(list(game.seats)[:3]))
        persons = data.draw(st.integers(1, min(3, players)))
        manner = data.draw(st.sampled_from(game.manners)) if game.manners and pace != "days" else None
        self.now, self.random = 1000.0, generator(data.draw(st.integers(0, 1000)))
        self.table = begun(game.id, players, persons, self.now, customs=PACES[pace], manner=manner)
        self.people, self.here = PEOPLE[:persons], set(PEOPLE[:persons])
        self.thought = []  # moves that somebody has thought of and not said yet
        self.table.here(self.here, self.now)

    def ask(self, person, message, **more):
        """Whether the table did it; a refusal changes nothing."""
        before, lines = self.table.number, len(self.table.match.lines) if self.table.match else 0
        try:
            self.table.receive(person, message, self.now, **more)
        except Refusal:
            assert self.table.number == before
            assert lines == (len(self.table.match.lines) if self.table.match else 0)
            return False
        return True

    def key(self, what):
        return f"{what} {self.table.number} {len(self.thought)}"

    # ------------------------------------------------------------ what people and bots do

    @rule(data=st.data(), times=st.integers(1, 6))
    def play(self, data, times):
        """Whoever is asked moves, a bot where one acts for the seat."""
        for _ in range(times):
            table = self.table
            if not table.match or not table.match.asked():
                return
            seat = data.draw(st.sampled_from(table.match.asked()))
            person = bot_name(seat) if table.seats[seat].by else table.seats[seat].person
            text = data.draw(st.sampled_from(table.match.legal(seat)))
            self.ask(person, Move(self.key("move"), table.number, text))

    @rule(data=st.data())
    def think(self, data):
        """Somebody, or the bot that keeps the seat, chooses a move, and will say it later."""
        table = self.table
        if table.match and table.match.asked():
            seat = data.draw(st.sampled_from(table.match.asked()))
            who = data.draw(st.sampled_from([table.seats[seat].person, bot_name(seat)]))
            text = data.draw(st.sampled_from(table.match.legal(seat)))
            message = Move(self.key("thought"), table.number, text)
            self.thought.append(SimpleNamespace(seat=seat, who=who, message=message, acted=table.acted(seat)))

    @rule(data=st.data())
    def say_what_was_thought(self, data):
        """An old thought counts only for who acts for the seat, and if the seat has not acted since."""
        if not self.thought:
            return
        old, table = self.thought.pop(data.draw(st.integers(0, len(self.thought) - 1))), self.table
        acts = table.seats[old.seat].kept if old.who == bot_name(old.seat) else not table.seats[old.seat].kept
        acts = acts or table.seats[old.seat].level
        fresh = table.match and table.acted(old.seat) == old.acted
        since = table.number
        done = self.ask(old.who, old.message)
        moved = [event for event in table.events[since:] if event.kind == "move" and event.key == old.message.key]
        assert not (done and moved) or (acts and fresh)

    @rule(who=st.sampled_from(PEOPLE), what=st.sampled_from(WISHES))
    def want(self, who, what):
        key = self.key(what)
        kinds = {"undo": Undo, "leave": Leave, "back": Back, "next": Next, "again": Again}
        others = {"nonce": Nonce(NONCE), "say": Say(key, "hello"), "enough": Again(key, wish=False)}
        self.ask(who, others.get(what) or kinds[what](key))

    @rule(who=st.sampled_from(PEOPLE), agree=st.booleans())
    def answer(self, who, agree):
        self.ask(who, Consent(self.key("consent"), agree))

    # ------------------------------------------------------------ who is there, and time

    @rule(here=st.sets(st.sampled_from(PEOPLE)))
    def come_and_go(self, here):
        self.here = here & set(self.people)
        for event in self.table.here(self.here, self.now):
            assert event.kind == "back"
            assert event.person in self.here

    @rule(seconds=st.sampled_from([0.5, 4.0, 11.0, 70.0, 90_000.0]))
    def wait(self, seconds):
        """Time goes on, and the table does what is due, each thing in its time."""
        end = self.now + seconds
        for _ in range(50):
            due = self.table.deadline
            if due is None or due > end:
                break
            self.now = max(self.now, due)
            events = self.table.tick(self.now)
            assert events
            assert all(self.away(event) for event in events if event.kind == "kept")
        self.now = end

    def away(self, event):
        """Whether that seat's person was away or out of time."""
        person = self.table.seats[event.data["seat"]].person
        return event.data["why"] == "clock" or person not in self.here

    @rule(seconds=st.sampled_from([10.0, 100_000.0]))
    def fall_over(self, seconds):
        """The house is away; nobody has less time for it, and nobody is kept for it."""
        self.table.tick(self.now)  # whoever has just come back may have no time left
        left = self.left()
        since = self.now
        self.now += seconds
        self.reload()
        table = self.table
        events = table.resumed([(since, self.now)], self.now)
        assert {event.kind for event in events} <= {"resumed"}
        assert self.left() == left
        table.here(self.here, self.now)
        assert not any(event.kind == "kept" for event in table.tick(self.now))

    def left(self):
        clocks = self.table.clocks
        return clocks and [clocks.left_at(seat, self.now) for seat in range(len(self.table.seats))]

    @rule()
    def reload(self):
        """The events tell the table whole."""
        events = msgspec.json.decode(msgspec.json.encode(self.table.events), type=list[Event])
        again, old = Table.rebuilt(drawing(), events), self.table
        again.away = old.away
        for part in ("seats", "sealed", "pause", "encore", "window", "slips", "indulged", "tallied"):
            assert getattr(again, part) == getattr(old, part), part
        for person in (*self.people, "watcher"):
            assert viewed(again, person) == viewed(old, person)
        self.table = again

    # ------------------------------------------------------------ always

    @invariant()
    def lines_are_what_was_done_and_not_taken_back(self):
        if not hasattr(self, "table") or not (match := self.table.match):
            return
        assert [step.data.get("move") for step in self.table.steps] == [line.get("move") for line in match.lines]
        for step, line in zip(self.table.steps, match.lines, strict=True):
            if step.kind == "move":
                assert (step.person == bot_name(step.data["seat"])) == bool(self.bot_of(step))
                assert line == step.data

    def bot_of(self, step):
        """The level of the bot that made a move."""
        return step.data.get("by") or (step.person and self.table.seats[step.data["seat"]].level)

    @invariant()
    def somebody_is_always_waited_for_and_nobody_for_ever(self):
        table = getattr(self, "table", None)
        if not table or not table.match or table.match.over:
            return
        assert bool(table.pause) != bool(table.asked())
        assert len(table.match.tallies) == table.match.state.finished
        assert not table.seats[0].level
        if table.pause:
            alone = len(table.persons()) == sum(seat.kind == "person" for seat in table.seats) == 1
            looks = {"none": UNHURRIED, "live": PAUSE, "days": DAY}[table.customs.pace]
            wait = None if alone else looks if table.persons() else BOTS_PAUSE
            assert table.until == (None if wait is None else table.pause.at + wait)
        assert set(table.waits_for()) <= set(table.persons())
        assert all(table.seats[seat].kind == "person" for seat in table.consents()), "no keeper agrees for them"
        for seat, kept in enumerate(seat.kept for seat in table.seats):
            assert not kept or seat not in table.thinking()

    @invariant()
    def time_is_never_negative_nor_more_than_was_won(self):
        table = getattr(self, "table", None)
        if not table or not table.clocks:
            return
        own = [sum(step.kind == "move" and step.data["seat"] == seat for step in table.steps) for seat in range(9)]
        for seat, left in enumerate(self.left()):
            most = table.clocks.whole + (5 * own[seat] if table.customs.pace == "live" else 0)
            backs = sum(event.kind == "back" and event.data["seat"] == seat for event in table.events)
            assert 0 <= left <= most + 15 * backs


def test_any_order_of_doings_keeps_a_table_whole():
    few = settings(
        max_examples=EXAMPLES, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(Evening, settings=few)


def test_what_is_taken_back_is_as_if_it_had_not_been():
    """The match that the lines tell is the match that is played."""
    table = begun("mio", 3, 3)
    for person in ("anna", "ben", "cleo"):
        seat = table.seat_of(person)
        if seat in table.match.asked():
            table.receive(person, Move("m", table.number, table.match.legal(seat)[0]), 20.0)
            table.receive(person, Undo("u"), 20.0)
    again = Match(table.game, 3, table.match.first, table.preset, table.options)
    for line in json.loads(json.dumps(table.match.lines)):
        again.shuffle(line["shuffle"]) if "shuffle" in line else again.move(line["seat"], line["move"])
    assert again.state == table.match.state
