"""Laws of states: cards are conserved, states are copied, compared and written down whole, matches end."""

import json

import numpy as np
import pytest

from brelan.game import legal_moves
from tests.tables import at_every_table, for_every_game, walk

PLIES = 100


@for_every_game
def test_a_state_has_the_fields_that_everything_else_knows(game):
    for name in ("players", "first", "turn", "finished"):
        assert hasattr(game.rules.State(), name), f"{game.id}: its State lacks “{name}” (see Rules.State in game.py)"


@for_every_game
def test_pages_and_lessons_have_room_for_all_who_play(game):
    assert game.seats[-1] <= 6


@at_every_table
def test_cards_are_conserved(table):
    deck = None
    for match in walk(table, 21, PLIES):
        found = sorted(card for cards in table.game.view.zones(match.state).values() for card in cards)
        deck = deck or found
        assert found == deck


@at_every_table
def test_whoever_is_asked_the_seat_in_turn_is_one_of_them(table):
    """Fast matches let it move next, whatever else may be said."""
    for match in walk(table, 24, PLIES):
        asked = match.asked()
        assert asked[:1] == [match.state.turn] * bool(asked)


@at_every_table
def test_states_are_copied_compared_and_written_whole(table):
    kind = table.game.rules.State
    for match in walk(table, 22, PLIES):
        state = match.state
        twin = state.copy()
        assert twin == state
        assert hash(twin) == hash(state)
        assert kind.from_json(json.loads(json.dumps(state.to_json()))) == state
        record = np.zeros(1, np.dtype(kind.layout(), align=True))
        state.store(record[0])
        assert kind.load(record[0]) == state


@at_every_table
def test_a_copy_is_independent(table):
    """Playing on in a copy leaves the original as it was."""
    rules = table.game.rules
    for match in walk(table, 23, 60):
        before = match.state.key().__repr__()
        for seat in match.asked():
            twin = match.state.copy()
            rules.play(twin, seat, legal_moves(rules, twin, seat)[0])
            assert twin != match.state
        assert repr(match.state.key()) == before


@at_every_table
def test_a_match_of_novices_ends_with_winners_and_one_tally_a_round(table):
    *_, match = walk(table, 24, 30_000, levels=("novice",))
    assert match.over
    assert match.winners
    assert len(match.tallies) == match.state.finished
    assert not match.due()
    assert not match.asked()
    with pytest.raises(ValueError, match="over"):
        match.move(0, table.game.notation.move_text(0))
