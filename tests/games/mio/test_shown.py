"""What Mio shows, says and hides."""

import pytest

from brelan.errors import Illegal
from brelan.games.mio import GAME, notation
from brelan.play.match import Match
from brelan.words import LANGUAGES, Words
from tests.games.mio.written import say, table
from tests.games.written import last

COLOURS = "RYBGS"


def test_between_two_rounds_the_hands_lie_open_and_the_stock_does_not():
    match = say(table("R3", "R1 J", top="R2", stock="G1"), "play R3")
    scene = GAME.view.scene(GAME.view.redact(match.state, 0), 0, Words("en", "mio"))
    shown = {zone.id: [card.face for card in zone.cards] for zone in scene.zones}
    assert shown == {"stock": [None], "discards": ["R3"], "hand:0": [], "hand:1": ["R1", "J"]}


def test_m21_between_two_rounds_a_card_set_aside_counts_and_nobody_must_draw_for_it():
    match = say(table("R1 R2", "R5", top="R3", stock="G1 G2"), "play R1", "play R5")
    scene = GAME.view.scene(GAME.view.redact(match.state, 1), 1, Words("en", "mio"))
    assert last(match) == ("out", [2, 0])
    assert [(note.words, note.rule, note.seat) for note in scene.notes] == [("Points in hand: 2", "M23", 0)]


def test_the_scene_offers_a_drawn_card_apart_and_shuts_the_hand():
    match = say(table("R4 R2", "Y1", top="R3", stock="R4 G1"), "draw")
    scene = GAME.view.scene(GAME.view.redact(match.state, 0), 0, Words("en", "mio"))
    zones = {zone.id: zone for zone in scene.zones}
    assert [(card.face, card.state) for card in zones["drawn:0"].cards] == [("R4", "bright")]
    assert [(card.face, card.state, card.rule) for card in zones["hand:0"].cards] == [
        ("R2", "dim", "M10"),
        ("R4", "dim", "M10"),
    ]
    assert {choice.move for choice in scene.choices} == {"play R4", "play R4 mio", "draw"}


def test_the_stock_is_a_pile_of_nobodys_and_that_it_is_empty_is_written_beside_the_top():
    for stock, backs in (("R4 G1", [None]), ("", [])):
        match = table("R4 R*", "Y1", top="R3", stock=stock)
        scene = GAME.view.scene(GAME.view.redact(match.state, 0), 0, Words("en", "mio"))
        pile = scene.zones[0]
        assert (pile.id, pile.kind, pile.owner) == ("stock", "pile", None)
        assert (pile.count, [card.face for card in pile.cards]) == (len(stock.split()), backs)
        dry = [(note.words, note.rule, note.zone) for note in scene.notes if note.rule == "M13"]
        assert dry == ([] if stock else [("The stock is empty", "M13", "discards")])
        hand = next(zone for zone in scene.zones if zone.id == "hand:0")
        assert [card.alt for card in hand.cards] == ["red 4", "red star"]


def test_both_copies_of_a_card_can_be_picked():
    match = table("R4 R4 R2", "Y1", top="R3", stock="G1")
    scene = GAME.view.scene(GAME.view.redact(match.state, 0), 0, Words("en", "mio"))
    assert [choice.cards for choice in scene.choices if choice.move == "play R4"] == [["R4"], ["R4#2"]]


def test_what_a_drawn_card_could_be_is_told_as_long_as_one_may_be_drawn_or_lies_there():
    told = [
        table("B2 B3 B*", "Y1 Y3", top="G*", stock="R4"),
        say(table("B2 B3", "Y1 Y3", top="G*", stock="G4"), "draw"),
        table("B2 B3 B*", "Y1 Y3", top="G*"),
    ]
    scenes = [GAME.view.scene(GAME.view.redact(match.state, 0), 0, Words("en", "mio")) for match in told]
    drawn = "From the hand: a star. Drawn: green, a star, a joker"
    assert [scene.notes[0].words for scene in scenes] == [drawn, drawn, "Fits: a star"]


@pytest.mark.parametrize(("language", "words"), [("en", "joker, colour blue"), ("fr", "joker (bleu)")])
def test_a_joker_is_offered_once_for_each_colour(language, words):
    match = table("J R1 R2", "Y1", top="S3", stock="G1")
    scene = GAME.view.scene(GAME.view.redact(match.state, 0), 0, Words(language, "mio"))
    offered = [choice for choice in scene.choices if choice.cards == ["J"] and not choice.move.endswith("mio")]
    assert [choice.move for choice in offered] == [f"play J {colour}" for colour in COLOURS]
    assert words in offered[COLOURS.index("B")].words


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_words(language):
    match = table("R1 B2", "Y1", top="R3", stock="G1")
    with pytest.raises(Illegal) as refused:
        match.move(0, "play B2")
    assert refused.value.rule == "M4"
    assert "(M4)" in Words(language).refusal(refused.value)


def test_before_the_first_deal_everything_is_stock_and_nothing_can_be_imagined():
    state = Match(GAME, 3).state
    zones = GAME.view.zones(state)
    assert {zone: len(held) for zone, held in zones.items() if held} == {"stock": 55}
    assert GAME.view.scene(GAME.view.redact(state, 0), 0, Words("en", "mio")).zones[0].count == 55
    world = state.copy()
    GAME.rules.imagine(world, 0, [1])
    assert world == state


def test_everybody_hears_every_move_and_no_drawn_card():
    assert [GAME.view.heard(notation.move_of(text), 0, 1) for text in ("play J B mio", "draw")] == [
        "play J B mio",
        "draw",
    ]


def test_nobody_leads_before_a_round_has_been_counted():
    match = table("R3", "R1 J", top="R2", stock="G1")
    assert GAME.view.scene(match.state, 0, Words("en", "mio")).leaders == []
    assert GAME.view.scene(say(match, "play R3").state, 0, Words("en", "mio")).leaders == [0]


def test_at_the_end_everything_is_public():
    match = say(table("R3", "R1 J", top="R2", stock="G1", target=5), "play R3")
    assert GAME.view.redact(match.state, 1) == match.state
    scene = GAME.view.scene(match.state, 1, Words("en", "mio"))
    assert (scene.over, scene.leaders, scene.turn) == (True, [0], [])


def test_an_over_match_refuses_by_m23():
    match = say(table("R3", "R1 J", top="R2", stock="G1", target=5), "play R3")
    assert GAME.view.why_not(match.state, 0, notation.move_of("draw")) == "M23"
