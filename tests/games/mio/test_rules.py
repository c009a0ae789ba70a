"""Mio: one test for each decision, named after its id (M1-M25, O-M1-O-M9, O-A1, O-A3, O-A5); MIO in test_penalty."""

import pytest

from brelan.errors import Refusal, Unreadable, WrongSeat
from brelan.games.mio import GAME, notation
from brelan.play.match import Match
from tests.games.mio.written import cards, dealt, full_deck, jokers, legal, say, table, why
from tests.games.written import last

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


def test_o_m7_on_the_first_joker_any_drawn_card_fits_too():
    match = say(dealt("R1 R2 R3 R4 R5", "Y1", up="J", stock="G3"), "draw")
    assert legal(match) == {"play G3", "draw"}
    assert legal(say(match, "play G3")) >= {"draw"}


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
    assert GAME.view.why_not(match.state, 0, notation.move_of("draw")) == "O-A5"
