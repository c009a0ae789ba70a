"""The proofs about hidden cards in short: `make leaks` is the long form."""

from itertools import islice

import pytest

from brelan.game import due_cards
from tests.proofs import canary, timing
from tests.proofs.leaks import caught_after, pairs
from tests.proofs.leaky import MUTANTS, ONLY
from tests.proofs.live import GAME_IDS, lives
from tests.proofs.pairs import Tally
from tests.proofs.sent import addresses
from tests.tables import at_every_preset

PAIRS = 250


@pytest.fixture(scope="module")
def web():
    with addresses() as opened:
        yield opened


@pytest.mark.parametrize("game", GAME_IDS)
def test_nobody_can_tell_worlds_apart_that_differ_in_what_is_hidden(game, web):
    tally = Tally()
    for _ in islice(pairs(game, 2, tally, web), PAIRS):
        pass
    assert tally.total == PAIRS
    assert min(tally.pairs["imagined"], tally.pairs["past"], tally.refusals, tally.answers) > 0
    assert len(tally.phases) > 1


@pytest.mark.parametrize(("number", "name"), list(enumerate(MUTANTS)), ids=list(MUTANTS))
def test_a_house_that_leaks_is_found_out(number, name):
    games = ONLY.get(name, GAME_IDS)
    game = games[number % len(games)]
    assert caught_after(game, name), game


@pytest.mark.parametrize("game", GAME_IDS)
def test_no_frame_names_a_card_that_its_reader_was_never_shown(game):
    hits = [hit for hit, _ in canary.search(next(lives(game, 3)), 0, 250) if hit]
    assert not hits


@pytest.mark.parametrize("name", canary.MUTANTS)
def test_the_search_finds_a_card_that_is_named(name):
    assert canary.caught("mio", name)


@at_every_preset
def test_every_face_of_every_game_can_be_searched_for(table):
    rules, state, faces = table.game.rules, table.match().state, canary.faces(table.game.id, "en")
    while cards := due_cards(rules, state):
        assert set(cards) <= faces.keys()
        rules.deal(state, cards)


def test_a_bots_pause_tells_nothing():
    assert timing.measure("gin", 4, 600) > timing.LEAST
    with timing.hesitant():
        assert timing.measure("gin", 4, 600) < timing.LEAST
