"""One test for each decision about the rules, named after it."""

from __future__ import annotations

import pytest

from brelan.cards import HIDDEN
from brelan.errors import Illegal, Refusal, WrongSeat
from brelan.games.elements import GAME, notation
from brelan.games.elements.state import OVER, PLACING, RETURNING, SHUFFLE
from brelan.play.match import Match

from .written import all_ready, auction, deck, lay_any, passed, say, spent, table, texts, why, zone


def test_e1_three_to_five_play():
    for players in (2, 6):
        with pytest.raises(Refusal, match="3 to 5"):
            Match(GAME, players)
    for players in (3, 4, 5):
        match = Match(GAME, players)
        assert len(match.due()) == 5
        match.shuffle(list("RYGBP"))
        assert len(match.due()) == 55


def test_e2_lone_elements_are_set_aside_by_the_sheet_and_filled_from_the_stock_by_adlung():
    placing = ("place R7 2", "place Y9 4", "place G3 5")
    hands = ("R7", "Y9", "G3")
    assert zone(say(table(*hands, stock="B8 P1"), *placing), "points") == "Y9 R7 G3"
    assert zone(say(table(*hands, stock="B8 P1", preset="adlung"), *placing), "points") == "Y9 B8 R7 G3 P1"


def test_e3_elements_set_aside_are_weakest_in_their_order_and_stay_so():
    match = say(table("R7", "Y9", "G3"), "place R7 2", "place Y9 4", "place G3 5")
    assert zone(match, "row") == "B Y P R G"
    all_ready(passed(match))
    match.shuffle(match.due())
    assert match.state.phase == PLACING
    assert zone(match, "row") == "B Y P R G"


def test_e4_the_row_begins_as_shuffled():
    match = Match(GAME, 3)
    assert match.due() == sorted("RYGBP")
    assert zone(match, "elements") == "R Y G B P"
    match.shuffle(list("GPRBY"))
    assert zone(match, "row") == "G P R B Y"
    assert zone(match, "elements") == ""


def test_e5_the_header_names_the_first_player():
    match = table("R1", "Y1", "G1", first=2)
    assert match.asked() == [2]
    assert "R1" in texts(match.state.hand[2])
    assert "Y1" in texts(match.state.hand[0])


def test_e6_a_placed_card_is_secret_its_place_is_not():
    match = say(table("R7", "Y9", "G3"), "place R7 4")
    assert GAME.view.redact(match.state, 0).beside[3] == notation.card_of("R7")
    for viewer in (1, 2, -1):
        seen = GAME.view.redact(match.state, viewer)
        assert seen.beside[3] == HIDDEN
        assert seen.placer[3] == 0
    assert not [move for move in match.legal(1) if move.endswith(" 4")]
    assert why(match, 1, "place Y9 4") == "E6"


def test_e6_the_last_of_five_players_has_one_element_left():
    match = say(
        table("R7", "Y9", "G3", "B3", "P4"), *[f"place {c} {i}" for i, c in enumerate(["R7", "Y9", "G3", "B3"], 2)]
    )
    assert {move[-1] for move in match.legal(4)} == {"1"}
    assert len(match.legal(4)) == 11


def test_e7_of_equal_values_the_one_nearer_the_box_stays_nearer():
    match = say(table("R5", "Y8", "G5", "B8"), "place R5 1", "place Y8 2", "place G5 3", "place B8 5")
    assert zone(match, "row") == "Y P R G B"
    assert zone(match, "points") == "Y8 B8 R5 G5"


def test_e8_a_zero_is_no_point_card_and_comes_back_with_the_next_shuffle():
    match = say(table("R0", "Y9", "G3"), "place R0 1", "place Y9 4", "place G3 5")
    assert zone(match, "row") == "B P R Y G"
    assert zone(match, "points") == "Y9 G3"
    assert "R0" in zone(match, "stock").split()
    passed(match)
    assert "R0" in all_ready(match).due()


def test_e9_the_weakest_card_is_played_for_first():
    match = auction("R1", "Y1", "G1", points="B9 B5 B7")
    for expected in ("B5", "B7", "B9"):
        assert notation.card_text(match.state.beside[match.state.auction]) == expected
        say(match, "pass", "pass", "pass")
    assert match.state.finished == 1


def test_e10_one_card_then_one_then_two():
    match = auction("R1 R2 R3 R4", "Y1 Y2 Y3", "G1", points="B9 B5 B7")
    assert len(match.legal(0)) == 1 + 10
    say(match, "R1", "Y1", "pass")
    assert len(match.legal(0)) == 1 + 9
    say(match, "R2", "Y2")
    assert len(match.legal(0)) == 1 + 8 * 7 // 2
    assert why(match, 0, "lay R3") == "E10"
    say(match, "R3 R4")
    assert why(match, 1, "lay Y3 Y3") == "E10"
    assert match.state.laid[0].bit_count() == 4


def test_e10_with_one_card_left_there_is_no_third_turn():
    match = auction("", "", "", "", points="B10 B6 B9 B8")
    for turns in (3, 2, 1):  # of ten cards, four, two and one are laid
        for _ in range(4 * turns):
            lay_any(match)
        while turns < 3 and match.state.laid != [0] * 5:
            say(match, "pass")
    assert [match.state.hand[seat].bit_count() for seat in range(4)] == [3] * 4
    for _ in range(8):
        assert match.state.finished == 0
        lay_any(match)
    assert [match.state.hand[seat].bit_count() for seat in range(4)] == [1] * 4
    assert match.state.finished == 1


def test_e11_who_passed_still_competes():
    match = auction("R10", "Y1 Y2", "G1", points="B9 B5 B7")
    say(match, "R10", "Y1", "G1", "pass", "pass", "pass")
    assert zone(match, "won:0") == "B5"
    match = say(auction("R10", "Y1 Y2", "G1", points="B9 B5 B7"), "R10", "Y1", "G1", "pass")
    assert why(match, 0, "lay R9") == "E11"


def test_e12_the_last_one_left_is_asked_and_may_pass():
    match = auction("R1 R2", "Y1", "G1", points="B9 B5 B7")
    say(match, "R1", "pass", "pass")
    assert match.asked() == [0]
    assert "pass" in match.legal(0)
    assert "lay R2" in match.legal(0)
    say(match, "pass")
    assert zone(match, "won:0") == "B5"


def test_e13_other_cards_are_no_kickers_and_two_pairs_are_one_pair():
    match = auction("R9 Y9 R2 Y2", "G10 P10 P1 P3", "B1", points="B8 B5 B7", row="RYGBP")
    say(match, "R9", "G10", "pass", "Y9", "P10", "R2 Y2", "pass")
    assert zone(match, "won:1") == "B5"  # a pair of 10s beats 9s and 2s together


def test_e14_the_higher_number_then_the_strongest_colour_wins():
    match = auction("Y7 G7", "R7 P7", "B8 P8", points="B10 B6 B9")
    say(match, "Y7", "R7", "B8", "G7", "P7", "P8", "pass", "pass", "pass")
    assert zone(match, "won:2") == "B6"
    match = auction("R7 P7", "B7 G7", "Y1", points="B10 B6 B9", row="GPYRB")
    assert zone(match, "row") == "G Y P R B"
    say(match, "R7", "B7", "pass", "P7", "G7", "pass", "pass")
    assert zone(match, "won:1") == "B6"


def test_e15_the_stronger_colour_then_the_highest_card_of_the_combination_wins():
    match = auction("R1 R2", "Y9 Y10", "G1", points="B10 B6 B9")
    say(match, "R1", "Y9", "pass", "R2", "Y10", "pass", "pass")
    assert zone(match, "won:0") == "B6"
    match = auction("R1 R8", "R2 R7", "G1", points="B10 B6 B9")
    say(match, "R1", "R2", "pass", "R8", "R7", "pass", "pass")
    assert zone(match, "won:0") == "B6"


def test_e16_of_single_cards_the_stronger_colour_then_the_higher_value_wins():
    match = say(auction("Y10", "R0", "R3", points="B10 B6 B9"), "Y10", "R0", "R3", "pass", "pass", "pass")
    assert zone(match, "won:2") == "B6"


def test_e17_the_kinds_rank_by_size_then_numbers_before_colours():
    match = auction("Y1 G1", "R8 R10", "B1 P2", points="B10 B6 B9")
    say(match, "Y1", "R8", "pass", "G1", "R10", "pass", "pass")
    assert zone(match, "won:0") == "B6"


def test_e18_a_card_nobody_plays_for_goes_to_the_stock_and_the_leader_stays():
    match = auction("R1", "Y1", "G1", points="B10 B6 B9")
    say(match, "pass", "Y1", "pass", "pass")
    assert match.asked() == [1]
    say(match, "pass", "pass", "pass")
    assert match.asked() == [1]
    assert "B9" in zone(match, "stock").split()
    assert [zone(match, f"won:{seat}") for seat in range(3)] == ["", "B6", ""]


def test_e19_the_values_of_the_cards_won_are_scored():
    match = auction("R1 R2", "Y1", "G1", points="B10 B6 B9")
    say(match, "R1", "pass", "pass", "pass", "R2", "pass", "pass", "pass", "pass", "Y1", "pass", "pass")
    assert match.scores == [15, 10, 0]
    assert match.tallies[0].points == [15, 10, 0]
    assert (match.tallies[0].reason, match.tallies[0].values) == ("scored", {"seats": [0], "points": 15})


def test_e20_any_cards_may_be_kept_and_hands_are_filled_up_to_eleven():
    match = passed(auction("R1", "Y1", "G1", points="B10 B6 B9"))
    assert match.state.phase == RETURNING
    kept = texts(match.state.hand[2])
    for card in texts(match.state.hand[1])[:4]:
        match.move(1, f"return {card}")
    all_ready(match)
    assert len(match.due()) == 55 - 10 - 6 - 10
    match.shuffle(match.due())
    assert [match.state.hand[seat].bit_count() for seat in range(3)] == [11, 11, 11]
    assert set(kept) < set(texts(match.state.hand[2]))


def test_e20_five_players_use_all_cards():
    match = passed(auction("R1", "Y1", "G1", "B1", "P1", points="R10 Y10 G10 B10 P10"))
    all_ready(match)
    assert len(match.due()) == 5
    match.shuffle(match.due())
    assert zone(match, "stock") == ""


def test_e21_cards_of_an_auction_are_out_of_play_until_the_refill():
    match = auction("R1 R2", "Y1", "G1", points="B10 B6 B9")
    say(match, "R1", "pass", "pass", "pass")
    assert "R1" in zone(match, "stock").split()
    assert "lay R1" not in match.legal(0)
    assert why(match, 0, "lay R1") == "E21"


def test_e22_each_is_first_once_and_then_the_match_is_over():
    match = table("R1", "Y1", "G1", first=1)
    for starter in (1, 2, 0):
        assert match.asked() == [starter]
        for place in range(1, 4):
            say(match, next(move for move in match.legal(match.asked()[0]) if move.endswith(str(place))))
        passed(match)
        if not match.over:
            all_ready(match)
            match.shuffle(match.due())
    assert match.over
    assert why(match, 0, "pass") == "E22"


def test_e23_all_with_the_highest_total_win():
    match = table("R1", "Y1", "G1")
    match.state.phase = OVER
    match.state.total[:3] = [7, 9, 9]
    assert match.winners == [1, 2]
    assert GAME.rules.wins(table("R1", "Y1", "G1").state) == 0


def test_e24_five_zeros_end_the_round_without_points():
    match = auction("R1", "Y1", "G1", "B1", "P1", points="R0 Y0 G0 B0 P0")
    assert match.state.phase == RETURNING
    assert match.tallies[0].points == [0] * 5
    assert match.tallies[0].reason == "nothing"


def test_e25_the_first_player_leads_the_first_auction():
    match = table("R1 R2", "Y1", "G1", first=2)
    say(match, "place R1 1", "place Y1 2")
    assert why(match, 1, "pass") == "E25"
    say(match, "place G1 3")
    assert match.asked() == [2]


def test_o_e1_who_cannot_lay_passes_without_a_line():
    match = spent(auction("", "", "", points="B10 B6 B9"), 2)
    assert [match.state.hand[seat].bit_count() for seat in range(3)] == [2] * 3
    lay_any(match)
    say(match, "pass", "pass")
    lines = len(match.lines)
    lay_any(match)  # the second card of the last player left in: there are no two for a third turn
    assert len(match.lines) == lines + 1
    assert match.state.finished == 1


def test_o_e1_auctions_that_nobody_can_play_end_without_a_line():
    match = spent(auction("", "", "", "", points="B10 B6 B9 B8"), 3)
    assert match.state.finished == 1
    assert match.state.phase == SHUFFLE
    assert sum(match.scores) == 6 + 8 + 9  # nobody had a card for B10


def test_o_e2_after_four_cards_a_seat_is_not_asked_again():
    match = auction("R1 R2 R3 R4", "Y1 Y2 Y3 Y4", "G1", points="B10 B6 B9")
    say(match, "R1", "Y1", "pass", "R2", "Y2", "R3 R4")
    assert match.asked() == [1]
    assert why(match, 0, "pass") == "O-E2"
    say(match, "Y3 Y4")
    assert zone(match, "won:0") == "B6"


def test_o_e3_cards_are_given_back_in_any_order():
    match = passed(auction("R1", "Y1", "G1", points="B10 B6 B9"))
    match.move(2, "return G1")
    match.move(0, "return R1")
    match.move(2, "ready")
    match.move(1, "ready")
    assert match.asked() == [0]


def test_o_e4_ready_is_final_and_comes_by_itself_with_the_last_card():
    match = passed(auction("R1", "Y1", "G1", points="B10 B6 B9"))
    match.move(2, "ready")
    with pytest.raises(WrongSeat):
        match.move(2, "return G1")
    assert why(match, 2, "return G1") == "O-E4"
    for card in texts(match.state.hand[1]):
        match.move(1, f"return {card}")
    assert match.asked() == [0]
    match.move(0, "ready")
    assert len(match.due()) == 55 - 20


def test_o_e4_without_cards_nobody_is_asked_and_the_shuffle_is_due_at_once():
    match = auction("", "", "", "", points="B10 B6 B9 B8")
    spent(match, 3)
    assert not match.asked()
    assert len(match.due()) == 55


def test_o_e5_the_shuffle_holds_all_but_the_kept_cards_and_the_elements():
    match = auction("R1 R2", "Y1", "G1", points="B10 B6 P0")
    say(match, "R1", "pass", "pass", "pass")
    passed(match)
    match.move(1, "return Y1")
    all_ready(match)
    held = [card for seat in range(3) for card in texts(match.state.hand[seat])]
    assert sorted(match.due() + held) == sorted(notation.NUMBERED)
    assert {"R1", "B6", "B10", "P0", "Y1"} <= set(match.due())
    assert sorted(zone(match, "stock").split()) == match.due()


def test_o_e6_the_refill_goes_clockwise_from_the_new_first_player_and_skips_full_hands():
    match = passed(auction("R1", "Y1", "G1", points="B10 B6 B9"))
    for card in texts(match.state.hand[2])[:2]:
        match.move(2, f"return {card}")
    all_ready(match)
    order = match.due()
    match.shuffle(order)  # seat 1 begins; one card fills it and seat 0, three go to seat 2
    seats = (1, 2, 0, 2, 2)
    for card, seat in zip(order, seats, strict=False):
        assert card in texts(match.state.hand[seat])
    assert zone(match, "stock").split() == order[5:]


def test_o_e7_stock_cards_go_to_vacant_elements_nearest_the_box_first_and_count_like_placed_ones():
    match = table("R7", "Y9", "G3", stock="B0 P10", preset="adlung")
    say(match, "place R7 2", "place Y9 4")
    assert match.state.beside[0] < 0
    say(match, "place G3 5")
    assert zone(match, "row") == "G B Y P R"  # P10 went beside the third, B0 beside the first
    assert zone(match, "points") == "P10 Y9 R7 G3"
    assert zone(match, "stock").split()[-1] == "B0"


def test_o_e8_a_leader_without_cards_leads_by_passing():
    match = auction("", "", "", "", points="B10 B6 B9 B8")
    for _ in range(3):  # seat 0 lays all it has, four, four and two cards, the others nothing
        say(lay_any(match), "pass", "pass", "pass")
        spent(match, 1)
    assert match.state.hand[0] == 0
    assert match.state.leader == 0
    assert match.asked() == [1]
    assert why(match, 0, "pass") == "O-E1"
    assert zone(match, "points") == "B10"


def test_o_e9_after_the_last_round_nothing_is_given_back():
    match = table("R1", "Y1", "G1")
    match.state.finished = 2  # the first player of the third round is seat 2
    match.state.turn = 2
    for place in range(1, 4):
        say(match, next(move for move in match.legal(match.asked()[0]) if move.endswith(str(place))))
    passed(match)
    assert match.over
    assert not match.asked()
    assert not match.due()


def test_o_a2_ready_is_asked_only_of_a_seat_that_holds_a_card():
    match = passed(auction("R1", "Y1", "G1", points="B10 B6 B9"))
    assert all("ready" in match.legal(seat) for seat in match.asked())
    for card in texts(match.state.hand[1]):
        match.move(1, f"return {card}")
    assert 1 not in match.asked()


def test_o_a3_two_cards_are_named_in_the_order_of_their_texts_and_accepted_in_the_other():
    match = auction("B10 B2 G7 P1", "Y1", "G1", points="Y10 Y6 Y9")
    say(match, "G7", "pass", "pass", "P1")
    assert "lay B10 B2" in match.legal(0)
    assert "lay B2 B10" not in match.legal(0)
    assert match.move(0, "lay B2 B10") == "lay B10 B2"
    assert match.lines[-1] == {"seat": 0, "move": "lay B10 B2"}


def test_o_a4_first_asked_is_the_next_first_player_then_clockwise():
    match = passed(auction("R1", "Y1", "G1", points="B10 B6 B9"))
    order = []
    while match.asked():
        order.append(match.asked()[0])
        say(match, "ready")
    assert order == [1, 2, 0]


def test_o_a5_until_the_cards_are_dealt_nobody_plays():
    match = Match(GAME, 3)
    assert why(match, 0, "pass") == "O-A5"
    match.shuffle(list("RYGBP"))
    with pytest.raises(Refusal, match="55"):
        match.shuffle(list("RYGBP"))
    match.shuffle(deck(("R1", "Y1", "G1")))
    with pytest.raises(Illegal):
        match.move(0, "pass")
