"""One test for each row of the details settled for Hawaiki (O-H1 to O-H15, O-A2 to O-A6), named for it."""

import pytest

from brelan.errors import Refusal
from brelan.fast import playouts, search
from brelan.fast.twins import Twins
from brelan.game import due_cards
from brelan.games.hawaiki import GAME, notation
from brelan.play.match import Match
from tests.games.hawaiki.written import DECK, cards, counts, dealt, legal, say, table, why
from tests.games.written import without

FIRST = "P1 P2 P3 P4 P5 P6"


def test_oa2_closing_words_are_asked_only_beside_something_else():
    match = table("P3 B7 B6", "O1", piles="P4|Y1|G6", second_chance=True, tokens=1)
    assert legal(say(match, "play P3 1")) == {"again", "end"}
    match = table("P3 B7 B6", "O1", piles="P4|Y1|G6")
    assert say(match, "play P3 1").state.turn == 1  # no `end` where nothing can be bought
    assert why(match, "let") == "O-H4"


def test_oa4_the_window_and_the_first_hiding_ask_several_seats_in_any_order():
    match = say(table("P3 B7", "O1", "O2", piles="P3|P5|G3"), "play P3 1")
    match.move(0, "let")
    match.move(2, "let")
    assert match.asked() == [1]
    match.move(1, "let")
    assert match.state.turn == 1
    match = dealt(FIRST, "", "", tops="G1 O2 Y3", first=1, one_hidden=True)
    assert match.asked() == [1, 2, 0]
    match.move(0, match.legal(0)[0])
    match.move(2, match.legal(2)[0])
    assert match.asked() == [1]


def test_oa5_a_shuffle_stands_where_it_is_due():
    match = Match(GAME, 2)
    assert len(match.due()) == 70
    assert why(match, "draw", 0) == "O-A5"
    match = table("O1 O2", "B7", piles="P1|P2|G3", rest="pile")
    say(match, "draw")
    assert len(match.due()) == 64
    assert why(match, "draw", 0) == "O-A5"


def test_oa6_options_are_switches_and_a_number():
    settled = GAME.settle(4)
    assert settled == {"tokens": 10, "one_hidden": False, "sacrifice": False, "second_chance": False}
    for wrong in ({"tokens": True}, {"one_hidden": 1}, {"duration": 6}):
        with pytest.raises(Refusal):
            GAME.settle(4, given=wrong)


def test_oh1_names_are_lines_even_with_one_opponent_and_stand_before_the_answers():
    match = say(table("P3 B7", "O1", piles="P1|P2|G3"), "play P3 3 colour")
    assert legal(match) == {"name 1"}
    say(match, "name 1")
    assert legal(match) == {"name 1"}
    say(match, "name 1")
    assert legal(match) == {"thanks", "thanks much", "silent"}
    match = say(table("P3 B7", "O1", piles="P1|Y2|P4"), "play P3 3 run")
    assert legal(match) == {"name 1"}
    assert why(match, "name 5") == why(match, "draw") == "O-H1"
    assert why(table("P3", "O1", piles="P1|Y2|P4"), "name 1") == "O-H1"


def test_oh2_each_seat_that_must_draw_is_asked_once():
    match = say(table("P3 B7", "O1", piles="P1|P2|G3"), "play P3 3 colour", "name 1", "name 1")
    assert match.asked() == [1]
    assert why(match, "draw", 1) == "O-H2"
    assert say(match, "thanks much").state.turn == 0
    assert why(match, "thanks", 0) == "O-H2"


def test_oh3_names_and_thanks_are_asked_though_no_card_is_left():
    match = table("P1 P3 P5 B7", "B7", "O7", piles="P1|Y2|P4", stock="", rest="hand")
    match.move(0, "play P1 1 pair")
    say(match, "play P3 3 run", "name 1", "silent")  # the two covered cards are all there is
    assert len(match.due()) == 2
    match.shuffle(match.due())
    say(match, "play P5 3")
    before = counts(match)
    say(match, "draw")
    match.shuffle(match.due())
    assert counts(match)[1] == before[1] + 1


def test_oh3_an_answer_that_finds_no_card_draws_none():
    match = table("P3 P5 B7", "B7", piles="P1|Y2|P4", rest="hand")
    say(match, "play P3 3 run", "name 1", "silent")
    assert match.due() == ["P4"]  # two to draw, one card to be had
    match.shuffle(["P4"])
    assert match.state.turn == 0
    assert counts(match)[0] == 2
    assert match.due() == []


def test_oh4_each_speaks_once_and_the_first_call_closes():
    match = say(table("P3 B7", "O1", "O2", piles="P3|P5|G3"), "play P3 1")
    assert {seat: legal(match, seat) for seat in range(3)} == {
        0: {"announce", "let"},
        1: {"contre", "let"},
        2: {"contre", "let"},
    }
    match.move(1, "let")
    assert why(match, "contre", 1) == "O-H4"
    assert why(match, "draw", 2) == "O-H4"
    match.move(2, "contre")
    assert counts(match) == [2, 1, 1]
    assert match.asked() == [1]


def test_oh5_the_window_after_the_last_card():
    match = say(table("P3", "O1", "O2", piles="P4|Y3|G3"), "play P3 1")
    match.move(0, "announce")
    say(match, "thanks", "thanks")
    assert match.tallies[-1].points == [0, -2, -2]
    match = say(table("P3", "O1", "O2", piles="P4|Y3|G3"), "play P3 1", "let", "let", "let")
    assert match.tallies[-1].points == [0, -1, -1]


def test_oh6_the_stock_is_rebuilt_in_the_middle_of_a_draw():
    match = table("P3 B7", "O1", piles="P1|P2|G3", stock="Y7", rest="pile")
    say(match, "play P3 3 colour", "name 1", "name 1", "thanks")  # three to draw, one in the stock
    assert counts(match) == [1, 2]
    due = match.due()
    assert due == sorted(without(DECK, ["B7", "O1", "Y7", "P1", "P2", "P3"]))
    match.shuffle(due)
    assert counts(match) == [1, 4]
    assert match.state.turn == 0
    assert len(cards(match, "stock").split()) == len(due) - 2


@pytest.mark.parametrize("tokens", [10, 4])
def test_oh6_the_last_cards_of_a_round_are_drawn_from_a_new_stock_too(tokens):
    """The round ends behind that shuffle, and the match with it where somebody has paid all."""
    match = table("P3", "O1", piles="P1|P2|G3", stock="Y7", rest="pile", tokens=tokens)
    say(match, "play P3 3 colour", "name 1", "name 1", "thanks")
    assert (match.asked(), match.tallies) == ([], [])
    match.shuffle(match.due())
    assert counts(match) == [0, 4]
    assert match.tallies[0].points == [0, -4]
    assert (match.over, len(match.due())) == (tokens == 4, 0 if tokens == 4 else len(DECK))


def test_oh6_no_search_looks_beyond_a_round_that_ends_behind_a_shuffle():
    match, room, random = table("P3", "O1", piles="P1|P2|G3", stock="Y7", rest="pile"), [0] * len(DECK), [1]
    say(match, "play P3 3 colour", "name 1", "name 1", "thanks")
    assert Twins(GAME, search, playouts, compiled=False)[search.round_seat](match.state, 0, room, random) == -1
    assert (match.state.finished, counts(match)) == (1, [0, 4])
    assert Twins(GAME, playouts, compiled=False)[playouts.next_seat](match.state, room, random) == 0
    assert counts(match) == [6, 6]


def test_oh6_the_stock_is_not_rebuilt_when_it_becomes_empty():
    match = say(table("P3 B7", "O1", piles="P1|P2|G3", stock="Y7", rest="pile"), "draw")
    assert match.due() == []
    assert match.state.turn == 1


def test_oh6_one_card_under_the_tops_is_a_shuffle_of_one_card():
    match = table("P3 B7", "O1", piles="P5|P2|G3", rest="hand")
    say(match, "play P3 1", "draw")
    assert match.due() == ["P5"]
    assert "P5" in cards(match.shuffle(["P5"]) or match, "hand:1").split()


def test_oh7_any_card_laid_or_drawn_ends_the_row_of_passes():
    match = table("P3 B7", "P5", "O1", piles="P1|P2|G3", rest="hand")
    say(match, "draw", "draw")
    assert match.state.passes == 2
    say(match, next(move for move in match.legal(2) if move.startswith("play") and move.count(" ") == 2))
    say(match, *["let"] * len(match.asked()) if len(match.asked()) > 1 else [])
    assert match.state.passes == 0
    assert match.state.finished == 0


def test_oh7_a_sacrificed_card_ends_the_row_of_passes():
    match = table("P3 B7", "P5 O6", "O1", piles="P1|P2|B5 G3", rest="hand", sacrifice=True)
    match.state.passes = 1
    say(match, "sacrifice 3")
    assert match.state.passes == 0
    say(match, "draw")
    assert cards(match, "hand:0").split() == ["P3", "G3", "B7"]


def test_oh7_a_turn_bought_and_passed_again_is_one_turn():
    match = table("P3 B7", "P5 O6", "O1", piles="P1|P2|G3", rest="hand", second_chance=True)
    say(match, "draw", "again", "draw")
    assert match.state.passes == 1
    assert match.state.turn == 1


def test_oh8_every_seat_hides_once_before_the_first_turn():
    match = dealt(FIRST, "", tops="G1 O2 Y3", one_hidden=True)
    assert len(match.legal(0)) == 6
    assert why(match, "show") == why(match, "draw") == "O-H8"
    say(match, "hide P1")
    assert why(match, "hide P2", 0) == "O-H8"
    assert cards(match, "hand:1", seat=0) == "? ? ? ? ? ?"


def test_oh9_of_two_equal_cards_the_visible_one_is_laid():
    match = dealt("P1 P1 P3 P4 P5 P6", "", tops="P7 O5 Y3", one_hidden=True)
    say(match, "hide P1", match.legal(1)[0], "play P1 1")
    assert cards(match, "hand:0", seat=1) == "P3 P4 P5 P6 ?"
    assert match.state.turn == 1
    say(match, "draw", "play P1 1 pair")
    assert legal(match) == {"hide P3", "hide P4", "hide P5", "hide P6", "show"}


def hidden_laid(*moves, **options):
    """Seat 0 lays its hidden card, which makes a pair."""
    match = dealt("P1 P2 P3 G5 G6 G7", "", tops="P1 O2 Y3", stock="B7 B6", one_hidden=True, **options)
    return say(match, "hide P1", match.legal(1)[0], *moves)


def test_oh10_another_card_is_hidden_when_all_is_settled_and_before_the_replay():
    match = hidden_laid("play P1 1 pair")
    assert legal(match) == {"hide P2", "hide P3", "hide G5", "hide G6", "hide G7", "show"}
    assert why(match, "hide B1") == "H25"
    assert why(match, "draw") == "O-H10"
    say(match, "hide G5")
    assert match.state.turn == 0
    assert "draw" in legal(match)
    assert cards(match, "hand:0", seat=1).split() == ["P2", "P3", "G5", "G6", "G7"]  # everybody saw which


def test_oh10_a_penalty_card_may_be_hidden():
    match = hidden_laid("play P1 1", "contre")
    assert "hide B7" in legal(match)
    say(match, "hide B7")
    assert match.state.turn == 1


def test_oh10_who_shows_hides_nothing_more_in_the_round():
    match = hidden_laid("play P1 1 pair", "show", "play P2 1")
    assert match.state.turn == 1
    assert cards(match, "hand:0", seat=1) == cards(match, "hand:0")


def test_oh10_the_question_comes_before_again():
    match = hidden_laid("play P1 1", "let", "let", second_chance=True)
    assert "show" in legal(match)
    assert legal(say(match, "show")) == {"again", "end"}


def test_oh10_not_when_the_round_is_over():
    match = hidden_laid()
    for card in ("P2", "P3", "G5", "G6", "G7"):
        take_from_hand(match, card)
    say(match, "play P1 1 pair")
    assert match.state.finished == 1


def take_from_hand(match, text):
    """The card goes under the stock, so that the hidden one is the last."""
    s, card = match.state, notation.card_of(text)
    for bag in (s.hand[0], s.known[0]):
        bag[0] &= ~(1 << card)
    s.count[0] -= 1
    s.stock[s.last] = card
    s.last += 1


def test_oh11_a_sacrifice_comes_before_any_action_of_the_turn():
    match = table("P3 B7 B6 B5", "O1", piles="P3|Y1|G6 O6", sacrifice=True, second_chance=True)
    say(match, "play P3 1 pair")
    assert "sacrifice 3" in legal(match)
    match = say(table("P2 B7 B6 B5", "O1", piles="P3|Y1|G6 O6", sacrifice=True, second_chance=True), "play P2 1")
    assert why(match, "sacrifice 3") == "O-H11"
    unsacrificed = say(table("P2 B7 B6 B5", "O1", piles="P3|Y1|G6 O6", second_chance=True), "play P2 1")
    assert why(unsacrificed, "sacrifice 3") == "H26"
    say(match, "again")
    assert {"sacrifice 1", "sacrifice 3"} <= legal(match)


def test_oh11_under_an_empty_stock_it_is_the_next_card_drawn():
    match = table("P3 B7 B6", "O1", piles="P3|Y1|G6 O6", rest="pile", sacrifice=True)
    say(match, "sacrifice 3", "draw")
    assert match.due() == []
    assert "O6" in cards(match, "hand:0").split()
    assert "O6" in cards(match, "hand:0", seat=1).split()  # everybody knows what was drawn


def test_oh12_again_is_asked_after_every_action_without_a_replay():
    options = {"second_chance": True}
    match = say(table("P3 B7", "O1", piles="P3|P5|G3", **options), "draw")
    assert legal(match) == {"again", "end"}
    assert why(match, "draw") == "O-H12"
    match = say(table("P3 B7 B6", "O1", piles="P3|P5|G3", **options), "play P3 1", "contre")
    assert legal(match) == {"again", "end"}
    match = say(table("P3 B7 B6", "O1", piles="P3|P5|G3", **options), "play P3 1", "let", "let")
    assert legal(match) == {"again", "end"}
    match = say(table("P3 B7 B6", "O1", piles="P3|P5|G3", **options), "play P3 1 pair")
    assert "draw" in legal(match)
    match = say(table("P3 B7", "O1", piles="P1|Y1|G4", rest="hand", **options), "draw")
    assert legal(match) == {"again", "end"}


def test_oh13_who_starts_after_a_countered_last_card_and_after_a_deadlock():
    match = say(table("P3", "O1", "O2", piles="P4|Y3|G3"), "draw", "draw", "draw")
    match = say(table("O1", "P3", "O2", piles="P4|Y3|G3"), "draw", "play P3 1", "let", "contre")
    assert match.state.finished == 1
    match.shuffle(match.due())
    assert match.state.turn == 1
    match = table("O1", "P3", "O2", piles="P4|Y3|G3", rest="hand", tokens=100)
    match.state.starter = 2
    say(match, "draw", "draw", "draw")
    match.shuffle(match.due())
    assert match.state.turn == 2


def test_oh14_the_last_token_spent_ends_the_match_with_the_round():
    match = table("P3 B7", "O1", "O2", piles="P4|Y1|G6 O6", sacrifice=True, tokens=1)
    say(match, "sacrifice 3", "play P3 1")
    assert match.scores == [0, 1, 1]
    assert not match.over
    say(match, "play O1 2")
    assert match.over
    assert match.winners == [1]
    assert why(match, "draw", 0) == "H21"


def test_nothing_is_left_of_the_round_before():
    fresh, used = GAME.new(3), GAME.new(3)
    used.made, used.owing[1], used.hidden[2], used.known[0][0], used.passes = 3, 2, 7, 1, 1
    for state in fresh, used:
        GAME.rules.deal(state, due_cards(GAME.rules, state))
    assert used == fresh


def test_oh15_there_is_no_cap_on_the_length_of_a_round():
    """Two who lay only while they hold more than four cards play for ever."""
    match = table("P3 B7", "G3 Y6", piles="P1|P2|O5")
    for _ in range(3000):
        if match.due():
            match.shuffle(match.due())
        moves = match.legal(match.state.turn)
        lays = [move for move in moves if move.startswith("play") and counts(match)[match.state.turn] > 4]
        say(match, [*lays, *(move for move in moves if move in ("draw", "let")), moves[0]][0])
    assert match.state.finished == 0
