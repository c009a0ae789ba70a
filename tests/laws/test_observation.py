"""Observations: nothing but what a seat may know, and all that their pieces declare."""

import numpy as np

from brelan.cards import HIDDEN, SPECTATOR
from brelan.envs.matches import bounds
from brelan.pieces import SEATS, size_of, split
from tests.tables import Table, at_every_table, for_every_game, generator, walk

OPTIONS = {"hawaiki": {"one_hidden": True}}
"""Where a piece tells nothing without an option."""


def observed(game, state, seat):
    out = [HIDDEN] * size_of(game.observation.PIECES, state.players)
    assert game.observation.observe(state, seat, out) == len(out)
    return out


@at_every_table
def test_an_observation_is_that_of_the_redacted_state_and_keeps_its_ranges(table):
    """The leak test: what `observe` read beyond what a seat may know would differ once that is taken away."""
    game = table.game
    least, most = bounds(game, table.players)
    for match in walk(table, 5, 60, undealt=True):
        for seat in (SPECTATOR, *range(table.players)):
            found = observed(game, match.state, seat)
            assert found == observed(game, game.view.redact(match.state, seat), seat), (seat, match.lines)
            assert all((least <= found) & (found <= most))


@for_every_game
def test_worlds_that_a_seat_cannot_tell_apart_look_the_same(game):
    random = generator(8)
    for match in walk(Table(game, game.seats[-1]), 9, 100):
        for seat in range(match.players):
            world = match.state.copy()
            game.rules.imagine(world, seat, random)
            assert observed(game, world, seat) == observed(game, match.state, seat)


@for_every_game
def test_pieces_have_names_of_their_own_and_say_what_they_tell(game):
    names = [piece.name for piece in game.observation.PIECES]
    assert len(set(names)) == len(names)
    assert "hand" in names, f"{game.id}: no piece “hand”, by which `brelan balance` weighs the cards"
    assert all(piece.tells for piece in game.observation.PIECES)


def as_all_see(piece, players, values, viewer):
    """A piece with the seats counted from seat 0."""
    for axis, length in enumerate(piece.shape):
        if length == SEATS:
            values = np.roll(values, viewer, axis)
    return values.tolist()


@for_every_game
def test_only_a_piece_that_says_so_tells_a_viewer_what_others_do_not_know(game):
    told = set()
    table = Table(game, game.seats[-1], "sheet", OPTIONS.get(game.id, {}))
    for match in walk(table, 4, 120, levels=("random",), undealt=True):
        public = split(game.observation.PIECES, match.players, np.array(observed(game, match.state, SPECTATOR)))
        for seat in range(match.players):
            found = split(game.observation.PIECES, match.players, np.array(observed(game, match.state, seat)))
            for piece in game.observation.PIECES:
                if as_all_see(piece, match.players, found[piece.name], seat) != public[piece.name].tolist():
                    told.add(piece.name)
    own = {piece.name for piece in game.observation.PIECES if piece.own}
    assert told == own, "what is laid out from the viewer on has SEATS in its shape; what only the viewer knows is own"
