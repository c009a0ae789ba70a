"""What Hawaiki shows beside the cards: what is asked, what is owed, what lies hidden, where nothing is left to draw."""

import pytest

from brelan.cards import SPECTATOR
from brelan.games.hawaiki import GAME
from brelan.play.told import reason
from brelan.words import Words
from tests.games.hawaiki.written import dealt, say, table


def scene(match, seat):
    return GAME.view.scene(GAME.view.redact(match.state, seat), seat, Words("en", "hawaiki"))


def noted(match, seat):
    return [(note.words, note.rule, note.seat, note.zone) for note in scene(match, seat).notes]


def test_whoever_must_draw_has_it_written_beside_them_and_nobody_else():
    match = say(table("P3 B7", "O1", "O2", piles="P1|Y3|O3"), "play P3 1 three")
    for viewer in (0, 1, SPECTATOR):
        assert noted(match, viewer) == [("Must draw 1 card", "O-H2", seat, f"hand:{seat}") for seat in (1, 2)]
    say(match, "thanks")
    assert noted(match, 1) == [("Must draw 1 card", "O-H2", 2, "hand:2")]
    say(match, "silent")
    assert noted(match, 1) == []
    assert match.state.turn == 0


def test_nobody_leads_while_all_have_as_many_tokens():
    match = table("P3 B7", "O1", "O2", piles="P1|Y3|O3")
    assert scene(match, 0).leaders == []
    match.state.purse[1] -= 1
    assert scene(match, 0).leaders == [0, 2]


def test_ones_own_hidden_card_is_named_to_nobody_else():
    match = dealt("P1 P2 P3 P4 P5 P6", "", tops="G1 O2 Y3", one_hidden=True)
    match.move(0, "hide P4")
    assert noted(match, 0) == [("Hidden: purple 4", "H25", 0, "hand:0")]
    assert noted(match, 1) == noted(match, SPECTATOR) == []


@pytest.mark.parametrize(
    ("lying", "asks", "offers"),
    [
        ("pile", "No card of yours fits: draw.", "Draw a card"),
        ("hand", "No card of yours fits, and nothing is left to draw: pass.", "Pass: nothing is left to draw"),
    ],
)
def test_an_empty_stock_is_told_and_one_passes_only_where_no_card_lies_under_the_tops_either(lying, asks, offers):
    seen = scene(table("O1 O2", "B7", piles="P3|P4|G5", rest=lying), 0)
    assert [(note.words, note.rule, note.zone) for note in seen.notes] == [("The stock is empty", "H16", "stock")]
    assert (seen.prompt, [choice.words for choice in seen.choices]) == (asks, [offers])


def test_the_stock_shows_one_back_and_how_many_lie_there():
    for stock, backs in (("", 0), ("Y7", 1), ("Y7 Y6 Y5", 1)):
        zone = scene(table("O1 O2", "B7", piles="P3|P4|G5", stock=stock, rest="pile"), 0).zones[0]
        stocked = 0 if not stock else len(stock.split())
        assert (zone.id, zone.caption, zone.count) == ("stock", "Stock", stocked)
        assert [card.face for card in zone.cards] == [None] * backs


def test_in_ones_turn_what_fits_no_top_is_dim_and_says_why():
    match = table("P3 B7", "O1", piles="P1|Y2|G4")
    hand = next(zone for zone in scene(match, 0).zones if zone.id == "hand:0")
    assert {card.face: (card.state, card.rule) for card in hand.cards} == {"P3": ("bright", None), "B7": ("dim", "H23")}


def test_what_costs_a_token_is_asked_once_more():
    match = table("P3 B7 B6", "O1", piles="P4|Y1 Y2|G6", second_chance=True, sacrifice=True)
    costs = {choice.move for choice in scene(match, 0).choices if choice.confirm}
    assert costs == {"sacrifice 2"}
    say(match, "play P3 1")
    assert {choice.move for choice in scene(match, 0).choices if choice.confirm} == {"again"}


def test_how_a_round_ended_does_not_say_that_anybody_pays_tokens_they_do_not_have():
    match = say(table("P3", "O1 O2 O3", piles="P4|Y5|G6", tokens=2), "play P3 1")
    told = reason(["Anna", "Ben"], match.tallies[-1], Words("en", "hawaiki"))
    assert told == "Anna laid the last card; everybody pays a token for each card left, as long as they have tokens."
