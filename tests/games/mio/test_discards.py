"""Cards counted by digits are what one finds who counts them one by one."""

from __future__ import annotations

import pytest

from brelan import cards
from brelan.games.mio import GAME, rules
from brelan.games.mio.discards import deck_of, hand_of, laid_of, lie, unseen_of
from brelan.games.mio.fits import CARDS, JOKER
from tests.tables import Table, generator, walk

DECKS = (  # the sheet's, one card ten times, few kinds
    [1, 2, 2, 2, 2, 1],
    [10, 0, 0, 0, 0, 0],
    [0, 7, 0, 0, 0, 3],
)


def one_by_one(s, seat, wanted):
    """The same, slowly: how many the deck, the discards and a hand hold of a set of cards."""
    among = [card for card in range(CARDS) if wanted >> card & 1]
    laid = [min(lying, JOKER) for lying in s.discards[: s.laid]]
    return (
        sum(rules.copies(s, card) for card in among),
        sum(laid.count(card) for card in among),
        sum(s.hand[seat][card] for card in among),
    )


@pytest.mark.parametrize("deck", DECKS)
def test_sets_of_cards_are_counted_as_one_by_one(deck):
    random = generator(7)
    for match in walk(Table(GAME, 2, options={"deck": deck}), 7, 300):
        s = match.state
        wanted = cards.below(random, 1 << 30) << 1 | cards.below(random, 2)
        found = one_by_one(s, 0, wanted)
        assert (deck_of(s, wanted), laid_of(s, wanted), hand_of(s, 0, wanted)) == found
        assert unseen_of(s, 0, wanted) == found[0] - found[1] - found[2]


def test_ten_of_a_card_are_counted_and_none_of_its_neighbours():
    s = rules.State()
    for n in range(1, 11):
        for card in (0, 17, JOKER):
            lie(s, card)
        assert [laid_of(s, 1 << card) for card in range(CARDS)] == [
            n * (card in (0, 17, JOKER)) for card in range(CARDS)
        ]
