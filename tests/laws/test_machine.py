"""Hypothesis plays every game: moves, refusals, reloads from the record and imagined worlds in any order."""

import json
import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from brelan.errors import Refusal
from brelan.game import legal_moves
from brelan.play.match import Match
from tests.tables import TABLES, VARIANTS, chance_of, for_every_game, generator

EXAMPLES = int(os.environ.get("BRELAN_EXAMPLES", "15"))  # a game; `make nightly` asks for more


class Playing(RuleBasedStateMachine):
    """One match; whatever is done to it, its record and its state stay one thing."""

    tables = TABLES

    @initialize(data=st.data(), seed=st.integers(0, 10_000))
    def sit_down(self, data, seed):
        self.table = data.draw(st.sampled_from(self.tables))
        self.chance = chance_of(seed, self.table.players)
        self.random = generator(seed)
        self.match = self.table.match(seed % self.table.players)
        self.match.deal(self.chance)

    @rule(data=st.data(), times=st.integers(1, 12))
    def play(self, data, times):
        for _ in range(times):
            if self.match.over:
                return
            seat = data.draw(st.sampled_from(self.match.asked()))
            self.match.move(seat, data.draw(st.sampled_from(self.match.legal(seat))))
            self.match.deal(self.chance)

    @rule(data=st.data())
    def try_any_move(self, data):
        game = self.table.game
        seat = data.draw(st.integers(0, self.table.players - 1))
        text = game.notation.move_text(data.draw(st.integers(0, game.rules.ACTIONS - 1)))
        before, written = self.match.state.copy(), len(self.match.lines)
        try:
            self.match.move(seat, text)
        except Refusal:
            assert self.match.state == before
            assert len(self.match.lines) == written
        self.match.deal(self.chance)

    @rule()
    def reload(self):
        """A match played again from its record is the same match."""
        lines = json.loads(json.dumps(self.match.lines))
        again = Match(self.table.game, self.table.players, self.match.first, self.table.preset, self.match.options)
        for line in lines:
            if "shuffle" in line:
                again.shuffle(line["shuffle"])
            else:
                again.move(line["seat"], line["move"])
        assert again.state == self.match.state
        self.match = again

    @rule(data=st.data())
    def imagine(self, data):
        """A world a seat imagines from its view can be played on by everybody."""
        if self.match.over:
            return
        game = self.table.game
        seat = data.draw(st.integers(0, self.table.players - 1))
        world = game.view.redact(self.match.state, seat)
        game.rules.imagine(world, seat, self.random)
        for other in self.match.asked():
            moves = legal_moves(game.rules, world, other)
            assert moves
            twin = world.copy()
            game.rules.play(twin, other, data.draw(st.sampled_from(moves)))

    @invariant()
    def cards_are_conserved(self):
        if hasattr(self, "match"):
            zones = self.table.game.view.zones(self.match.state)
            deck = sorted(card for cards in zones.values() for card in cards)
            assert deck == getattr(self, "deck", deck)
            self.deck = deck


@for_every_game
def test_any_order_of_doings_keeps_a_match_whole(game):
    machine = type("PlayingOne", (Playing,), {"tables": [t for t in TABLES + VARIANTS if t.game is game]})
    few = settings(
        max_examples=EXAMPLES, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(machine, settings=few)
