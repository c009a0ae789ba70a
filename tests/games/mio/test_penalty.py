"""Mio: saying MIO, forgetting it, and the penalty turn (M18-M21, O-M2, O-M3, O-M6, O-M8)."""

from brelan.games.mio import GAME, notation
from brelan.words import Words
from tests.games.led import led
from tests.games.mio.written import cards, dealt, jokers, legal, say, table, why
from tests.games.written import last


def test_m18_mio_is_due_when_one_card_is_left():
    match = table("R1 R2", "Y1", top="R3", stock="G1")
    assert legal(match) == {"play R1", "play R1 mio", "play R2", "play R2 mio", "draw"}
    assert legal(table("R1 J", "Y1", top="J R", stock="G1")) == {"play R1", "play R1 mio", "draw"} | jokers(mio=True)


def test_m18_who_says_mio_keeps_the_card_in_hand():
    match = say(table("R1 R2", "Y1 Y2", top="R3", stock="G1"), "play R1 mio")
    assert (cards(match, "hand:0"), cards(match, "aside:0")) == ("R2", "")


def test_m18_who_forgets_it_sets_the_card_aside():
    match = say(table("R1 R2", "Y1 Y2", top="R3", stock="G1"), "play R1")
    assert (cards(match, "hand:0"), cards(match, "aside:0")) == ("", "R2")


def test_m18_who_forgets_mio_and_has_the_card_back_is_told():
    match = table("R1 R2", "Y1 Y2 G3", top="R3", stock="B2 Y3 G2")
    assert led(GAME, match.state, "play R1") == [("Anna forgot MIO: the last card lies aside.", "M18")]
    assert led(GAME, match.state, "play Y1", "draw", "draw") == []
    assert led(GAME, match.state, "play Y3") == [("Anna takes back the card set aside.", "M19")]
    said = table("R1 R2", "Y1 Y2", top="R3", stock="G1")
    assert led(GAME, said.state, "play R1 mio") == []


def test_who_forgets_it_again_is_told_and_so_is_who_passes_for_it():
    match = forgotten("Y3 G2 G4")
    assert led(GAME, match.state, "draw", "play Y3") == [("Anna forgot MIO again: the card stays aside.", "M19")]
    empty = forgotten("")
    forgot = "Forgot MIO: passes, then takes the card back"
    assert [note.words for note in shown(empty).notes[-2:]] == [forgot, "Points in hand: 2"]
    assert (shown(empty).prompt, shown(empty).rule) == ("You can neither lay a card nor draw: pass.", "M20")
    assert led(GAME, empty.state, "pass") == [("Anna takes back the card set aside.", "M20")]


def shown(match):
    """What the seat that is asked sees."""
    seat = match.asked()[0]
    return GAME.view.scene(GAME.view.redact(match.state, seat), seat, Words("en", "mio"))


def test_om5_nothing_is_offered_to_draw_once_the_stock_is_empty():
    match = say(table("B2 B3 Y2", "Y1 Y3", top="G4", stock="R4"), "draw")
    assert shown(match).prompt == "The stock is empty and this card fits: lay it."


def test_om5_in_a_penalty_turn_nobody_is_said_to_pass_who_may_have_to_lay_the_last_card():
    match = say(forgotten("Y3"), "draw")
    assert legal(match) == {"play Y3", "play Y3 mio"}
    for seat in range(2):
        scene = GAME.view.scene(GAME.view.redact(match.state, seat), seat, Words("en", "mio"))
        assert [(note.words, note.rule) for note in scene.notes if note.zone == "aside:0"] == [("Forgot MIO", "M19")]


def test_m19_the_card_set_aside_is_shut_though_the_card_drawn_looks_alike():
    match = say(table("R1 Y3", "Y1 Y2 G3", top="R3", stock="Y3 G2"), "play R1", "play Y1", "draw")
    cards = [(zone.id, card.state, card.rule) for zone in shown(match).zones for card in zone.cards if zone.owner == 0]
    assert cards == [("aside:0", "dim", "M19"), ("drawn:0", "bright", None)]


def test_m20_the_card_set_aside_comes_back_with_the_pass_when_the_last_card_drawn_does_not_fit():
    match = say(forgotten("G2"), "draw")
    assert legal(match) == {"pass"}
    assert [(card.state, card.rule) for zone in shown(match).zones for card in zone.cards if zone.id == "aside:0"] == [
        ("dim", "M20")
    ]


def test_m3_a_joker_turned_up_by_the_deal_is_named_as_the_rule():
    assert shown(dealt("R1 R2", "Y1", up="J")).rule == "M3"


def forgotten(stock):
    """Seat 0 forgot MIO with R2 left; the other has laid Y1; it is seat 0's penalty turn."""
    return say(table("R1 R2", "Y1 Y2 G3", top="R3", stock=stock), "play R1", "play Y1")


def test_m19_the_penalty_turn_begins_by_drawing():
    match = forgotten("G1 Y3 G2")
    assert legal(match) == {"draw"}
    assert why(match, "play R2") == "M19"


def test_m19_the_card_comes_back_after_a_second_card_was_drawn():
    match = say(forgotten("B2 Y3 G2"), "draw")
    assert why(match, "play R2") == "M19"
    say(match, "draw", "play Y3")
    assert (cards(match, "hand:0"), cards(match, "aside:0")) == ("R2 B2", "")


def test_m19_the_first_drawn_card_laid_without_mio_leaves_it_aside():
    match = say(forgotten("Y3 G2 G4"), "draw")
    assert legal(match) == {"play Y3", "play Y3 mio", "draw"}
    say(match, "play Y3")
    assert (cards(match, "hand:0"), cards(match, "aside:0")) == ("", "R2")
    assert legal(say(match, "play Y2")) == {"draw"}


def test_m19_the_first_drawn_card_laid_with_mio_ends_the_penalty():
    match = say(forgotten("Y3 G2 G4"), "draw", "play Y3 mio")
    assert (cards(match, "hand:0"), cards(match, "aside:0")) == ("R2", "")
    assert match.tallies == []


def test_m19_a_star_strikes_in_a_penalty_turn_as_in_any_other():
    match = say(table("R1 R2", "R* Y2 G3", top="R3", stock="G1 Y* G2"), "play R1", "play R*", "draw")
    assert legal(match) == {"draw"}
    assert legal(say(match, "draw")) == {"play Y*", "draw"}


def test_m20_a_penalty_turn_with_an_empty_stock_is_a_pass_and_the_card_comes_back():
    match = say(table("R1 Y5", "Y1 Y2 G3", top="R3"), "play R1", "play Y1")
    assert legal(match) == {"pass"}
    assert why(match, "play Y5") == "M20"
    say(match, "pass")
    assert (cards(match, "hand:0"), cards(match, "aside:0")) == ("Y5", "")


def test_m20_the_stock_that_runs_out_in_a_penalty_turn_ends_it_as_well():
    match = say(forgotten("G2"), "draw")
    assert why(match, "play R2") == "M20"
    say(match, "pass")
    assert (cards(match, "hand:0"), cards(match, "aside:0")) == ("R2 G2", "")


def test_m21_a_card_set_aside_counts_when_somebody_goes_out():
    match = say(table("R1 J", "Y1", top="R3", stock="G1"), "play R1", "play Y1")
    assert last(match) == ("out", [10, 0])


def test_o_m2_mio_said_too_often_means_nothing_and_is_not_listed():
    match = table("R1 R2 R4", "Y1", top="R3", stock="G1")
    assert "play R1 mio" not in legal(match)
    assert why(match, "play R1 mio") == "O-M2"
    assert match.move(0, "play R1 mio") == "play R1"


def test_o_m2_mio_is_due_again_whenever_one_card_is_left_again():
    match = say(table("R1 R2", "Y1 Y2 Y4", top="R3", stock="Y5 G1"), "play R1 mio", "play Y1", "draw")
    assert legal(match) == {"play Y5", "play Y5 mio", "draw"}
    assert cards(say(match, "play Y5"), "aside:0") == "R2"


def test_o_m3_a_card_drawn_in_a_penalty_turn_may_be_declined():
    match = say(forgotten("Y3 Y4 G4"), "draw")
    assert "draw" in legal(match)
    assert legal(say(match, "draw")) == {"play Y4", "draw"}


def test_o_m6_the_card_set_aside_counts_as_one_that_is_left():
    match = say(forgotten("J G2 G4"), "draw")
    assert legal(match) == {"draw"} | jokers(mio=True)


def test_o_m8_setting_aside_and_taking_back_have_no_lines():
    match = say(forgotten("B2 Y3 G2"), "draw", "draw", "play Y3")
    moves = [line["move"] for line in match.lines[1:]]
    assert moves == ["play R1", "play Y1", "draw", "draw", "play Y3"]


def test_a_drawn_card_and_a_card_set_aside_are_known_to_their_owner_only():
    match = say(forgotten("Y3 G2 G4"), "draw")
    own, other = (GAME.view.redact(match.state, seat) for seat in range(2))
    assert GAME.view.zones(own)["aside:0"] == [notation.card_of("R2")]
    assert GAME.view.zones(other)["aside:0"] == [-1]
    assert (own.drawn, other.drawn) == (notation.card_of("Y3"), -1)
    assert own.penalty == other.penalty == 1
