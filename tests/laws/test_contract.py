"""Laws of the contract: what `game.Rules`, `Policy` and `Courtesy` say of their functions holds along any match."""

import pytest

from brelan.game import SHORT, due_cards, legal_moves
from brelan.games import GAMES
from brelan.scene import members
from tests.tables import at_every_preset, at_every_table, generator, tables_of, walk

PLIES = 120


@at_every_table
def test_a_match_always_waits_for_one_thing(table):
    """A shuffle, a seat, or nothing more; behind a deal that ended a round too."""
    rules = table.game.rules
    for match in walk(table, 31, PLIES, undealt=True):
        state, due = match.state, match.due()
        assert bool(due) + bool(rules.asked(state)) + rules.over(state) == 1
        assert len(due) <= rules.DECK
        assert all(seat < match.players for seat in members(rules.asked(state)))


@at_every_table
def test_rounds_are_counted_one_by_one(table):
    """Whoever watches `finished` sees each round end, whether a move or a deal ended it."""
    rules, rounds = table.game.rules, 0
    for match in walk(table, 32, PLIES, undealt=True):
        assert 0 <= match.state.finished - rounds <= 1
        rounds = match.state.finished
        assert not rules.over(match.state) or rounds >= 1


@at_every_table
def test_listing_asking_and_counting_change_nothing(table):
    rules = table.game.rules
    for match in walk(table, 33, PLIES, undealt=True):
        before = match.state.copy()
        due_cards(rules, match.state)
        for seat in range(match.players):
            legal_moves(rules, match.state, seat)
            rules.score(match.state, seat)
        rules.asked(match.state)
        rules.over(match.state)
        assert match.state == before


@at_every_preset
def test_a_policy_answers_with_legal_moves_and_changes_nothing(table):
    game, random, w = table.game, generator(34), list(table.game.policy.START)
    for match in walk(table, 34, PLIES):
        for seat in match.asked():
            view = game.view.redact(match.state, seat)
            before, out = view.copy(), [0] * SHORT
            short = out[: game.policy.shortlist(view, seat, w, out, random)]
            assert short
            assert len(set(short)) == len(short)
            moves = {*short, game.policy.novice(view, seat, random), game.policy.tuned(view, seat, w, random)}
            assert moves <= {*legal_moves(game.rules, view, seat)}
            assert view == before


@pytest.mark.parametrize("table", [t for game in GAMES if game.courtesy for t in tables_of(game)], ids=str)
def test_what_courtesy_says_may_be_said(table):
    """Nothing is left to be said of a move that has been made courteous; silence and thanks are moves like any."""
    game = table.game
    for match in walk(table, 35, PLIES):
        for seat in match.asked():
            legal = legal_moves(game.rules, match.state, seat)
            polite = [game.courtesy.said(match.state, seat, move) for move in legal]
            assert {*polite} <= {*legal}
            assert [game.courtesy.said(match.state, seat, move) for move in polite] == polite
            assert {game.courtesy.owed(match.state, seat), game.courtesy.silence(match.state, seat)} <= {-1, *legal}
