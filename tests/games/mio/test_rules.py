"""Mio: one test for each decision, named after its id (M1-M25, O-M1-O-M9, O-A1, O-A3, O-A5)."""

import pytest

from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat
from brelan.games.mio import GAME, notation
from brelan.play.match import Match
from brelan.words import LANGUAGES, Words
from tests.games.mio.written import cards, dealt, full_deck, last, legal, say, table, why

COLOURS = "RYBGS"


def jokers(mio=False):
    """A joker with each colour; with and without MIO where it is due."""
    plain = {f"play J {colour}" for colour in COLOURS}
    return plain | {f"{move} mio" for move in plain} if mio else plain


# ---------------------------------------------------------------- the deck


def test_m1_the_deck_has_nine_numbers_and_a_star_of_each_colour_and_five_jokers():
    due = Match(GAME, 2).due()
    assert len(due) == 55
    assert [due.count(card) for card in ("R1", "R2", "S5", "G*", "J")] == [1, 2, 2, 1, 5]
    assert sorted(due) == sorted(full_deck([1, 2, 2, 2, 2, 1]))


def test_m1_the_deck_is_an_option():
    due = Match(GAME, 2, options={"deck": [1, 1, 1, 1, 1, 5]}).due()
    assert sorted(due) == sorted(full_deck([1, 1, 1, 1, 1, 5]))


@pytest.mark.parametrize(
    "deck",
    [[1, 2, 2, 2, 2], [1, 2, 2, 2, 2, 2], [2, 2, 2, 2, 3, -1], [10, 0, 0, 0, 0, True], "1222 21", None, [10.0] * 6],
)
def test_m1_a_deck_is_six_counts_that_make_ten(deck):
    with pytest.raises(Refusal, match="deck"):
        GAME.settle(2, given={"deck": deck})


def test_m1_a_card_that_is_not_in_the_hand_is_not_played():
    assert why(table("R1 R2", "Y1", top="R3", stock="G1"), "play R4") == "M1"


# ---------------------------------------------------------------- what fits


def test_m2_a_star_turned_up_by_the_deal_strikes_the_first_player():
    assert legal(dealt("R1 R2 R3 J Y2", "Y1", up="R*")) == {"draw"}
    assert legal(dealt("R1 R2 R3 J Y*", "Y1", up="R*")) == {"play Y*", "draw"}


def test_m3_on_a_joker_turned_up_by_the_deal_any_card_fits():
    match = dealt("R1 Y2 B* S5 J", "Y1", up="J")
    assert legal(match) == {"play R1", "play Y2", "play B*", "play S5", "draw"} | jokers()


def test_m4_on_a_number_its_colour_its_star_its_value_and_jokers_fit():
    match = table("R1 R* B3 B* G2 J", "Y1", top="R3", stock="G1")
    assert legal(match) == {"play R1", "play R*", "play B3", "draw"} | jokers()
    assert {why(match, f"play {card}") for card in ("B*", "G2")} == {"M4"}


def test_m5_on_a_joker_the_named_colour_its_star_and_jokers_fit():
    match = table("B1 B* R3 R* J", "Y1", top="J B", stock="G1")
    assert legal(match) == {"play B1", "play B*", "draw"} | jokers()
    assert {why(match, f"play {card}") for card in ("R3", "R*")} == {"M5"}


def test_m6_a_star_on_a_star_may_be_of_any_colour_and_strikes_the_next():
    match = table("Y* R1 R2", "Y3 J R4", top="R*", stock="G1 Y1 G2")
    say(match, "play Y*")
    assert match.asked() == [1]
    assert legal(match) == {"draw"}
    assert legal(say(match, "draw")) == {"draw"}
    assert legal(say(match, "draw")) == {"play Y1", "draw"}


def test_m7_from_the_hand_only_a_star_covers_a_star():
    match = table("R1 R2 J B*", "Y1", top="R*", stock="G1")
    assert legal(match) == {"play B*", "draw"}
    assert {why(match, f"play {card}") for card in ("R1", "J B")} == {"M7"}


@pytest.mark.parametrize("drawn", ["R1", "R*", "B*", "J"])
def test_m7_a_drawn_card_of_its_colour_a_star_or_a_joker_covers_a_star(drawn):
    match = say(table("B1 B2", "Y1", top="R*", stock=f"{drawn} G1", deck=[1, 1, 2, 2, 2, 2]), "draw")
    assert legal(match) == {"draw"} | (jokers() if drawn == "J" else {f"play {drawn}"})


def test_m7_a_drawn_card_of_another_colour_does_not():
    match = say(table("B1 B2", "Y1", top="R*", stock="G1 G2"), "draw")
    assert legal(match) == {"draw"}
    assert why(match, "play G1") == "M7"


def test_m8_a_star_that_is_covered_strikes_nobody_else():
    match = say(table("B1 B2", "R5 Y1 J", top="R*", stock="R2 G2"), "draw", "play R2")
    assert legal(match) == {"play R5", "draw"} | jokers()


def test_m8_a_star_stays_for_the_next_when_the_stock_runs_out():
    match = say(table("B1 B2", "R1 J", "Y1 Y*", top="R*", stock="G1"), "draw", "pass")
    assert legal(match) == {"pass"}
    assert legal(say(match, "pass")) == {"play Y*", "play Y* mio"}


def test_m9_a_star_need_not_be_used_and_is_locked_by_drawing():
    match = say(table("B* B2", "Y1", top="R*", stock="G1 G2"), "draw")
    assert legal(match) == {"draw"}
    assert why(match, "play B*") == "M10"


# ---------------------------------------------------------------- drawing


def test_m10_once_drawing_began_only_the_last_drawn_card_may_be_laid():
    match = say(table("R1 R2", "Y1", top="R3", stock="R4 R5 G1"), "draw")
    assert legal(match) == {"play R4", "draw"}
    assert why(match, "play R1") == "M10"
    assert legal(say(match, "draw")) == {"play R5", "draw"}
    assert why(match, "play R4") == "M10"


def test_m11_drawing_is_free_and_goes_on_until_a_card_is_laid():
    match = table("R1 R2", "Y1", top="R3", stock="R4 B1 R5 G1")
    assert "draw" in legal(match)
    for drawn in ("play R4", None, "play R5"):
        say(match, "draw")
        assert legal(match) == ({drawn, "draw"} if drawn else {"draw"})
        assert match.asked() == [0]
    assert cards(say(match, "play R5"), "hand:0") == "R1 R2 R4 B1"


def test_m12_whoever_draws_the_stock_out_keeps_the_cards_and_passes():
    match = say(table("R1 R2", "Y1 Y2", top="R3", stock="B1 G1"), "draw", "draw")
    assert legal(match) == {"pass"}
    say(match, "pass")
    assert (match.asked(), cards(match, "hand:0")) == ([1], "R1 R2 B1 G1")


def test_m12_a_last_stock_card_that_fits_must_be_laid():
    match = say(table("R1 R2", "Y1", top="R3", stock="B1 R4"), "draw", "draw")
    assert legal(match) == {"play R4"}
    assert why(match, "pass") == "O-M5"


def test_m13_the_stock_is_never_made_anew():
    match = say(table("R1 R2 B1", "Y1 Y3", top="R3", stock="G1"), "draw", "pass")
    assert match.due() == []
    assert why(match, "draw") == "M13"
    assert cards(match, "stock") == ""


def test_m14_with_an_empty_stock_who_can_lay_must():
    match = table("R1 R2 B1", "Y1", top="R3")
    assert legal(match) == {"play R1", "play R2"}
    assert why(match, "pass") == "M14"
    assert legal(table("R1 B* B1", "Y1", top="R*")) == {"play B*"}


# ---------------------------------------------------------------- blocked rounds


def test_m15_a_round_in_which_all_pass_is_counted_by_everybody_and_never_doubled():
    match = say(table("B1 J", "B2 B4", "S5 S5", top="R*"), "pass", "pass")
    assert match.tallies == []
    say(match, "pass")
    assert last(match) == ("blocked", [11, 6, 10])
    assert match.tallies[0].rule == "M15"
    assert match.scores == [11, 6, 10]


def test_o_m1_all_passed_but_a_card_locked_by_drawing_fits_so_play_goes_on():
    match = say(table("R1 B5", "G2 G4", top="R3", stock="S2"), "draw", "pass", "pass")
    assert match.tallies == []
    assert legal(match) == {"play R1"}
    say(match, "play R1", "pass", "pass")
    assert last(match) == ("blocked", [7, 6])


def test_o_m1_a_card_laid_sets_the_count_to_zero():
    match = say(table("R2 B1 B3", "G4 G5", "S4 S5", top="R3"), "play R2", "pass", "pass")
    assert match.tallies == []
    say(match, "pass")
    assert last(match)[0] == "blocked"


def test_o_m1_on_a_star_only_a_star_counts_as_a_card_that_fits():
    match = say(table("R1 J", "R2 J", top="R*"), "pass", "pass")
    assert last(match) == ("blocked", [11, 12])


# ---------------------------------------------------------------- going out


def test_m16_a_star_as_last_card_ends_the_round_before_anybody_draws():
    match = say(table("R*", "Y1 J", top="R3", stock="G1"), "play R*")
    assert last(match) == ("out", [0, 11])


def test_m17_a_joker_as_last_card_doubles_all_points():
    match = say(table("J", "Y1 J", "R*", top="R3", stock="G1"), "play J")
    assert last(match) == ("doubled", [0, 22, 20])
    assert match.tallies[0].rule == "M17"


def test_m17_a_star_as_last_card_does_not_double():
    assert last(say(table("R*", "S5", top="R3", stock="G1"), "play R*")) == ("out", [0, 5])


def test_m24_a_last_joker_names_no_colour():
    match = table("J", "Y1", top="R3", stock="G1")
    assert legal(match) == {"play J", "draw"}
    assert why(match, "play J B") == "M24"
    assert match.move(0, "play J B") == "play J"


# ---------------------------------------------------------------- MIO


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


def forgotten(stock, theirs="Y1 Y2 G3"):
    """Seat 0 forgot MIO with R2 left; the other has laid Y1; it is seat 0's penalty turn."""
    return say(table("R1 R2", theirs, top="R3", stock=stock), "play R1", "play Y1")


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
    match = say(forgotten("G2"), "draw", "pass")
    assert (cards(match, "hand:0"), cards(match, "aside:0")) == ("R2 G2", "")


def test_m21_a_card_set_aside_counts_when_somebody_goes_out():
    match = say(table("R1 J", "Y1", top="R3", stock="G1"), "play R1", "play Y1")
    assert last(match) == ("out", [10, 0])


# ---------------------------------------------------------------- rounds


def test_m22_the_seat_named_by_the_header_starts_and_cards_are_dealt_from_it():
    match = Match(GAME, 3, first=1)
    match.shuffle(full_deck([1, 2, 2, 2, 2, 1]))
    assert match.asked() == [1]
    assert cards(match, "hand:1") == "R1 R3 R4 R* Y2"  # of R1 R2 R2 R3 R3 R4 R4 R5 R5 R* Y1 Y2 Y2 Y3 Y3
    assert cards(match, "discards") == "Y4"


def test_o_m9_the_start_moves_one_seat_to_the_left_each_round_blocked_ones_included():
    match = say(table("B1", "B2", top="R*"), "pass", "pass")
    match.shuffle(full_deck([1, 2, 2, 2, 2, 1]))
    assert match.asked() == [1]
    match = say(table("R1", "B3", top="R*", stock="R2"), "draw", "play R2 mio")
    say(match, "pass", "play R1")
    match.shuffle(full_deck([1, 2, 2, 2, 2, 1]))
    assert match.asked() == [1]


def test_m23_numbers_count_their_value_stars_and_jokers_ten():
    assert last(say(table("R3", "R1 Y2 B3 G4 S5", "R* J", top="R2", stock="G1"), "play R3")) == ("out", [0, 15, 20])


def test_m23_points_add_up_until_somebody_reaches_the_target_and_the_lowest_total_wins():
    match = table("R3", "R1 Y2", "J", top="R2", stock="G1", target=13)
    match.state.total[:3] = [3, 0, 4]
    assert match.winners == []
    say(match, "play R3")
    assert (match.over, match.scores, match.winners) == (True, [3, 3, 14], [0, 1])
    assert match.due() == []
    assert match.asked() == []


def test_m23_below_the_target_the_match_goes_on():
    match = say(table("R3", "R1 Y2", "J", top="R2", stock="G1", target=11), "play R3")
    assert not match.over
    assert len(match.due()) == 55


def test_m25_six_players_leave_a_stock_of_twenty_four():
    match = dealt("R1", "Y1", "B1", "G1", "S1", "J", up="R3")
    assert len(GAME.view.zones(match.state)["stock"]) == 24


# ---------------------------------------------------------------- records


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


def test_o_m4_pass_only_when_nothing_else_is_left():
    match = table("B1 B2", "Y1", top="R3", stock="G1")
    assert why(match, "pass") == "O-M4"
    assert legal(say(match, "draw")) == {"pass"}
    assert match.asked() == [0]


def test_o_m5_the_last_stock_card_that_fits_is_forced_and_still_a_line():
    match = say(table("B1 B2", "Y1", top="R3", stock="R4"), "draw")
    assert legal(match) == {"play R4"}
    say(match, "play R4")
    assert match.lines[-1] == {"seat": 0, "move": "play R4"}


def test_o_m6_a_joker_names_a_colour_while_a_card_is_left():
    match = table("J B1", "Y1", top="R3", stock="G1")
    assert legal(match) == {"draw"} | jokers(mio=True)
    assert why(match, "play J") == why(match, "play J mio") == "O-M6"
    with pytest.raises(Unreadable):
        match.move(0, "play J O")


def test_o_m6_the_card_set_aside_counts_as_one_that_is_left():
    match = say(forgotten("J G2 G4"), "draw")
    assert legal(match) == {"draw"} | jokers(mio=True)


def test_o_m7_on_the_first_joker_any_drawn_card_fits_too():
    match = say(dealt("R1 R2 R3 R4 R5", "Y1", up="J", stock="G3"), "draw")
    assert legal(match) == {"play G3", "draw"}
    assert legal(say(match, "play G3")) >= {"draw"}


def test_o_m8_setting_aside_and_taking_back_have_no_lines():
    match = say(forgotten("B2 Y3 G2"), "draw", "draw", "play Y3")
    moves = [line["move"] for line in match.lines[1:]]
    assert moves == ["play R1", "play Y1", "draw", "draw", "play Y3"]


def test_o_a1_a_forced_pass_is_a_line_and_only_the_seat_in_turn_acts():
    match = table("B1", "Y1", top="R3")
    assert why(match, "draw") == "M13"
    assert GAME.view.why_not(match.state, 1, notation.move_of("pass")) == "O-A1"
    with pytest.raises(WrongSeat):
        match.move(1, "pass")
    assert say(match, "pass").lines[-1] == {"seat": 0, "move": "pass"}


def test_o_a3_a_last_joker_is_understood_with_a_colour_and_with_mio():
    for text in ("play J G", "play J mio", "play J G mio"):
        assert table("J", "Y1", top="R3", stock="G1").move(0, text) == "play J"


def test_o_a5_the_next_shuffle_is_due_directly_after_the_move_that_ended_the_round():
    match = say(table("R3", "R1", top="R2", stock="G1"), "play R3")
    assert len(match.due()) == 55
    assert match.asked() == []
    assert GAME.view.why_not(match.state, 0, notation.move_of("draw")) == "M22"


# ---------------------------------------------------------------- what is known and shown


def test_a_drawn_card_and_a_card_set_aside_are_known_to_their_owner_only():
    match = say(forgotten("Y3 G2 G4"), "draw")
    own, other = (GAME.view.redact(match.state, seat) for seat in range(2))
    assert GAME.view.zones(own)["aside:0"] == [notation.card_of("R2")]
    assert GAME.view.zones(other)["aside:0"] == [-1]
    assert (own.drawn, other.drawn) == (notation.card_of("Y3"), -1)
    assert own.penalty == other.penalty == 1


def test_between_two_rounds_the_hands_lie_open_and_the_stock_does_not():
    match = say(table("R3", "R1 J", top="R2", stock="G1"), "play R3")
    scene = GAME.view.scene(GAME.view.redact(match.state, 0), 0, Words("en", "mio"))
    shown = {zone.id: [card.face for card in zone.cards] for zone in scene.zones}
    assert shown == {"stock": [None], "discards": ["R3"], "hand:0": [], "hand:1": ["R1", "J"]}
    assert scene.between


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


def test_both_copies_of_a_card_can_be_picked():
    match = table("R4 R4 R2", "Y1", top="R3", stock="G1")
    scene = GAME.view.scene(GAME.view.redact(match.state, 0), 0, Words("en", "mio"))
    assert [choice.cards for choice in scene.choices if choice.move == "play R4"] == [["R4"], ["R4#2"]]


@pytest.mark.parametrize(("language", "words"), [("en", "joker, colour blue"), ("fr", "joker, couleur bleu")])
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


def test_at_the_end_everything_is_public():
    match = say(table("R3", "R1 J", top="R2", stock="G1", target=5), "play R3")
    assert GAME.view.redact(match.state, 1) == match.state
    scene = GAME.view.scene(match.state, 1, Words("en", "mio"))
    assert (scene.over, scene.leaders, scene.turn) == (True, [0], [])


def test_an_over_match_refuses_by_m23():
    match = say(table("R3", "R1 J", top="R2", stock="G1", target=5), "play R3")
    assert GAME.view.why_not(match.state, 0, notation.move_of("draw")) == "M23"
