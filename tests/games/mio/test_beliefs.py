"""What draws tell in Mio: the sets that hands lack, the worlds imagined by them, and a policy that heeds them."""

import pytest

from brelan.cards import popcount
from brelan.games.mio import GAME, notation
from brelan.games.mio.fits import FROM_HAND, JOKER, WHEN_DRAWN
from brelan.games.mio.policy import START, believe, tuned
from brelan.games.mio.rules import owned
from brelan.games.mio.worth import BLOCK_TOLD
from tests.tables import TABLES, generator, walk

from .written import say, table

RED_2 = notation.card_of("R2")
NUMBERS = FROM_HAND[RED_2] & ~(1 << JOKER)


def test_who_draws_first_lacks_what_fits_but_perhaps_a_joker():
    match = say(table("Y1 Y5", "Y3 Y4", top="R2", stock="R1 G1"), "draw")
    assert match.state.lacks[:2] == [NUMBERS, 0]
    say(match, "play R1")
    assert match.state.lacks[0] == NUMBERS


def test_a_card_drawn_and_kept_lacks_only_what_fitted_when_it_came():
    match = table("Y1 Y5", "Y3 Y4", top="R2", stock="B4 R1 G1")
    match.state.lacks[0] = 1 << notation.card_of("B4") | 1 << notation.card_of("R3")
    say(match, "draw", "draw", "play R1")
    assert match.state.lacks[0] == NUMBERS == (NUMBERS | 1 << notation.card_of("B4")) & WHEN_DRAWN[RED_2]


def test_who_passes_has_no_joker_either():
    assert say(table("Y1 Y5", "Y3 Y4", top="R2"), "pass").state.lacks[0] == FROM_HAND[RED_2]


def test_who_lays_what_was_to_be_lacking_shows_that_draws_told_nothing():
    match = table("Y1 Y5 R5", "Y3 Y4", top="R2", stock="G1")
    match.state.lacks[0] = FROM_HAND[notation.card_of("R3")]
    assert say(match, "play R5").state.lacks[0] == 0


def test_a_draw_for_a_forgotten_mio_tells_nothing():
    match = say(table("R1 Y5", "R3 Y4 S1", top="R2", stock="R4 G1"), "play R1", "play R3", "draw")
    assert match.state.penalty == 1
    assert match.state.lacks[0] == 0


def test_a_new_round_forgets_what_was_told():
    match = say(table("Y5 Y1", "R3", top="R2", stock="R1 G1 G2"), "draw", "play R1", "play R3")
    match.shuffle(match.due())
    assert match.state.lacks == [0] * 6


@pytest.mark.parametrize("players", [2, 4, 6])
def test_worlds_hold_what_draws_tell_and_all_else_that_the_seat_knows(players):
    random, held, lacked = generator(9), 0, 0
    at = next(t for t in TABLES if t.game is GAME and t.players == players)
    for match in walk(at, 23, 150):
        for seat in match.asked():
            seen = GAME.view.redact(match.state, seat)
            world = seen.copy()
            GAME.rules.imagine(world, seat, random)
            uniform = world.copy()
            believe(world, seat, random)
            assert GAME.view.redact(world, seat) == seen
            assert sorted(all_cards(world)) == sorted(all_cards(uniform))
            for other in range(players):
                if other != seat:
                    held += popcount(world.held[other] & world.lacks[other])
                    lacked += popcount(uniform.held[other] & world.lacks[other])
    assert lacked > 40
    assert held < lacked / 4  # where the stock is short, not every hand can have what it needs


def all_cards(world):
    hands = [card for hand in world.hand for card, n in enumerate(hand) for _ in range(n)]
    asides = [world.aside[seat] for seat in range(world.players) if world.penalty >> seat & 1]
    assert len(hands) + len(asides) == sum(owned(world, seat) for seat in range(world.players))
    return hands + asides + world.stock[world.next :]


def test_the_policy_lays_what_the_next_hand_lacks():
    def laid(lacks: str) -> str:
        match = table("R1 G2 S4", "Y3 Y4 S2 S3", top="R2", stock="G1 G3")
        match.state.lacks[1] = FROM_HAND[notation.card_of(lacks)]
        weights = [*START[:BLOCK_TOLD], 30]
        return notation.move_text(tuned(match.state, 0, weights, generator(1)))

    assert [laid("R1"), laid("G2")] == ["play R1", "play G2"]
