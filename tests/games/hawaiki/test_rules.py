"""One test for each decision on Hawaiki's sheet, named for it."""

import itertools

import pytest

from brelan.errors import Refusal
from brelan.games.hawaiki import GAME, notation
from brelan.games.hawaiki.combinations import COLOUR, FITS, NOTHING, PAIR, RUN, THREE, combination
from brelan.play.match import Match
from brelan.words import Words
from tests.games.hawaiki.written import DECK, cards, counts, dealt, deck, legal, say, table, why
from tests.games.led import led
from tests.games.written import without


def test_h1_the_designated_seat_starts_and_then_who_ended_the_round():
    match = dealt("P1", "", "", tops="G1 O2 Y3", first=2)
    assert match.state.turn == 2
    assert "P1" in cards(match, "hand:2")
    match = table("P5 P6", "G1", "O1", piles="P1|G5|O7")
    say(match, "draw")
    say(match, "play G1 1")
    assert match.state.finished == 1
    match.shuffle(deck("P1", "", "", tops="G1 O2 Y3"))
    assert match.state.turn == 1
    assert "P1" in cards(match, "hand:1")


def test_h2_a_combination_among_the_first_three_tops_has_no_effect():
    match = dealt("P5", "", tops="P1 P2 P3")
    assert "draw" in legal(match)
    assert say(match, "play P5 3").state.turn == 1  # still purple: no new combination, no replay


def test_h3_a_replay_is_judged_by_the_tops_it_finds():
    match = table("P4 G4 B7", "O1", piles="P1|P2|P3")
    say(match, "play P4 1 run", "name 1")  # 4 2 3
    say(match, "thanks")
    assert legal(match) >= {"play G4 1"}
    assert not [move for move in legal(match) if move.startswith("play G4") and move.count(" ") > 2]


@pytest.mark.parametrize(
    ("card", "pile", "piles", "said"),
    [
        ("P4", 1, "P1|G2|Y3", "run"),  # 123 -> 423
        ("P1", 3, "G2|O3|P4", "run"),  # 234 -> 231
        ("P5", 1, "P1|G6|O7", "run"),  # 675 in any order
        ("P1", 1, "P5|G6|O7", None),  # 7 and 1 are no neighbours
        ("G1", 1, "P1|G2|Y3", None),  # the same values
        ("P4", 1, "P1|P2|P6", None),  # the same colour
        ("G3", 1, "P3|Y3|O3", None),  # the same three
    ],
)
def test_h4_a_run_of_other_values_is_new_and_nothing_that_was_there(card, pile, piles, said):
    match = table(f"{card} B7", "O1", piles=piles)
    announced = {move for move in legal(match) if move.startswith(f"play {card} {pile} ")}
    assert announced == ({f"play {card} {pile} {said}"} if said else set())


def test_h5_a_pair_is_two_equal_cards_on_one_pile():
    match = table("P3 B7", "O1", piles="P3|P5|G3")
    assert {"play P3 1 pair", "play P3 2", "play P3 3"} <= legal(match)
    assert why(match, "play P3 2 pair") == why(match, "play P3 3 pair") == "H10"


def test_h6_playing_again_is_one_more_full_turn():
    match = table("P3 B7 G6", "O1", piles="P3|P5|G3")
    say(match, "play P3 1 pair")
    assert match.state.turn == 0
    assert {"draw", "play G6 3"} <= legal(match)
    assert say(match, "draw").state.turn == 1


def test_h7_one_may_draw_with_a_card_that_fits_and_does_not_play_what_one_drew():
    match = table("P3 B7", "O1", piles="P3|P5|G3", stock="P1")
    assert say(match, "draw").state.turn == 1
    assert cards(match, "hand:0") == "P1 P3 B7"


def test_h8_unannounced_and_unseen_is_without_effect_and_penalty():
    match = table("P3 B7", "O1", "O2", piles="P3|P5|G3")
    say(match, "play P3 1")
    assert match.asked() == [1, 2, 0]
    say(match, "let", "let", "let")
    assert match.state.turn == 1
    assert legal(match) >= {"draw"}
    assert counts(match) == [1, 1, 1]


def test_h8_contre_costs_a_card_and_the_replay():
    match = table("P3 B7", "O1", "O2", piles="P3|P5|G3", stock="Y7")
    say(match, "play P3 1", "let", "contre")
    assert cards(match, "hand:0") == "Y7 B7"
    assert match.state.turn == 1
    assert match.asked() == [1]


def test_h9_the_player_may_still_announce_until_somebody_called():
    match = table("P3 B7", "O1", "O2", piles="P3|P5|G3")
    say(match, "play P3 1", "let")
    match.move(0, "announce")
    assert match.asked() == [0]
    assert "draw" in legal(match, 0)
    match = say(table("P3 B7", "O1", piles="P3|P5|G3"), "play P3 1")
    assert why(match, "announce", 1) == "H9"
    assert why(match, "contre", 0) == "H9"


def test_h10_a_false_announcement_and_a_contre_without_cause_are_refused():
    match = table("P4 B7", "O1", piles="P3|G5|G1")
    assert why(match, "play P4 1 run") == "H10"
    with pytest.raises(Refusal):
        match.move(0, "play P4 1 pair")
    say(match, "play P4 1")
    assert why(match, "contre") == "O-H4"


def test_h11_the_penalty_card_needs_no_thanks():
    match = say(table("P3 B7", "O1", piles="P3|P5|G3"), "play P3 1", "contre")
    assert counts(match) == [2, 1]
    assert "thanks" not in legal(match)


def test_h12_after_a_three_everybody_else_draws_with_thanks():
    match = table("P3 B7", "O1", "O2", "O6", piles="P4|Y3|G3")
    say(match, "play P3 1 three")
    assert match.state.turn == 1
    say(match, "thanks", "silent", "thanks much")
    assert counts(match) == [1, 2, 3, 2]
    assert match.state.turn == 0


@pytest.mark.parametrize(
    ("hand", "piles", "sacrifice", "asked"),
    [
        ("P3 B7", "P4|Y3|G3", False, "Lay a card on a pile, or draw."),
        ("O1 O1", "P4|Y5|G6", False, "No card of yours fits: draw."),
        ("O1 O1", "P1 P4|Y5|G6", True, "No card of yours fits: draw, or pay a token for another top."),
    ],
)
def test_the_prompt_says_when_no_card_fits(hand, piles, sacrifice, asked):
    match = table(hand, "G1", piles=piles, sacrifice=sacrifice)
    assert any(move.startswith("play") for move in legal(match)) == ("fits" not in asked)
    assert seen(match).prompt == asked


def seen(match):
    """What the seat that is asked sees."""
    seat = match.asked()[0]
    return GAME.view.scene(GAME.view.redact(match.state, seat), seat, Words("en", "hawaiki"))


def test_oh7_where_nothing_is_left_to_draw_one_passes_and_is_told_so():
    match = table("O1 O1", "G1 G2", piles="P4|Y5|B6", rest="hand")
    assert seen(match).prompt == "No card of yours fits, and nothing is left to draw: pass."
    assert [(choice.move, choice.words) for choice in seen(match).choices] == [
        ("draw", "Pass: nothing is left to draw")
    ]
    assert led(GAME, match.state, "draw") == [("Nothing is left to draw: this turn is passed.", "O-H7")]
    again = table("O1 O1", "G1 G2", piles="P4|Y5|B6", rest="hand", second_chance=True)
    assert led(GAME, again.state, "draw") == [("Nothing is left to draw.", "O-H7")]  # another turn may be bought


def test_who_draws_and_how_many_is_told():
    match = table("P3 B7", "O1", "O2", "O6", piles="P4|Y3|G3")
    assert led(GAME, match.state, "play P3 1 three") == []
    assert led(GAME, match.state, "thanks") == [("Ben draws 1 card.", "H14")]
    assert led(GAME, match.state, "silent") == [("Cleo draws 2 cards.", "H14")]
    called = table("P3 B7", "O1", piles="P3|P5|G3", stock="Y7")
    assert led(GAME, called.state, "play P3 1", "contre", language="fr") == [("Anna pioche 1 carte.", "H8")]
    assert led(GAME, table("P3", "O1", piles="G1|G3|G6").state, "draw") == []


def test_cards_that_come_from_a_new_stock_are_told_with_the_others():
    """The drawing goes on behind the shuffle (O-H6), but everybody hears of it with the answer."""
    short = table("P3 B7", "O1", "O2", piles="P4|Y3|G3", stock="Y7", rest="pile")
    assert led(GAME, short.state, "play P3 1 three", "silent") == [("Ben draws 2 cards.", "H14")]
    assert len(short.due()) > 2
    called = table("P3 B7", "O1", piles="P3|P5|G3", rest="pile")
    assert led(GAME, called.state, "play P3 1", "contre") == [("Anna draws 1 card.", "H8")]
    empty = table("P3 B7", "O1", piles="P1|Y2|P4", rest="hand")
    assert led(GAME, empty.state, "play P3 3 run", "name 1", "silent") == [("Ben draws 1 card.", "H14")]
    assert empty.due() == ["P4"]


def test_h13_a_colour_names_opponents_once_or_twice():
    match = say(table("P3 B7", "O1", "O2", piles="P1|P2|G3"), "play P3 3 colour")
    assert legal(match) == {"name 1", "name 2"}
    assert why(match, "name 0") == "H13"
    say(match, "name 2", "name 1", "thanks", "thanks")
    assert counts(match) == [1, 2, 2]
    match = say(table("P3 B7", "O1", "O2", piles="P1|P2|G3"), "play P3 3 colour", "name 2", "name 2", "thanks much")
    assert counts(match) == [1, 1, 3]


@pytest.mark.parametrize(
    ("named", "said", "drawn"),
    [
        (1, "thanks", 1),
        (1, "thanks much", 1),
        (1, "silent", 2),
        (2, "thanks", 3),
        (2, "thanks much", 2),
        (2, "silent", 3),
    ],
)
def test_h14_what_the_answers_cost(named, said, drawn):
    match = table("P3 B7", "O1", piles="P1|P2|G3" if named == 2 else "P1|Y2|P4")
    say(match, "play P3 3 colour" if named == 2 else "play P3 3 run")
    say(match, *["name 1"] * named, said)
    assert counts(match) == [1, 1 + drawn]
    assert match.state.turn == 0


def test_h15_each_answers_and_draws_before_the_next_clockwise():
    match = table("O1", "P3 B7", "O2", piles="P4|Y3|G3", stock="Y1 B2 B3")
    say(match, "draw", "play P3 1 three")
    assert match.state.turn == 2
    say(match, "thanks")
    assert cards(match, "hand:2") == "O2 B2"
    assert match.state.turn == 0
    say(match, "thanks")
    assert cards(match, "hand:0") == "O1 Y1 B3"
    assert match.state.turn == 1


def test_h16_the_cards_under_the_tops_become_the_stock():
    match = table("O1 O2", "B7", piles="P1|P2|G3", rest="pile")
    say(match, "draw")
    assert match.due() == sorted(without(DECK, ["O1", "O2", "B7", "P1", "P2", "G3"]))
    assert match.asked() == []
    match.shuffle(list(reversed(match.due())))
    assert [len(cards(match, f"pile:{n}").split()) for n in (1, 2, 3)] == [1, 1, 1]
    assert len(cards(match, "stock").split()) == 63
    assert counts(match) == [3, 1]
    assert match.state.turn == 1


def test_h16_without_a_card_to_shuffle_the_draw_is_a_pass():
    match = table("P1 O1", "B7", piles="Y1|Y2|G3", rest="hand")
    before = counts(match)
    assert say(match, "draw").state.turn == 1
    assert counts(match) == before
    assert match.due() == []


def test_h17_a_full_circle_without_a_card_ends_the_round_and_everybody_pays():
    match = table("P1 O1", "B7 B7", "B6", piles="Y1|Y2|G3", rest="hand")
    say(match, "draw", "draw")
    assert match.state.finished == 0
    say(match, "draw")
    assert match.over  # the last seat holds far more than ten cards
    assert match.tallies[-1].reason == "deadlock"
    assert match.tallies[-1].points == [-2, -2, -10]
    assert match.scores == [8, 8, 0]


def test_h18_the_last_card_has_its_effect_and_no_replay():
    match = table("P3", "O1", "O2", piles="P4|Y3|G3")
    say(match, "play P3 1 three", "thanks")
    assert match.state.finished == 0
    say(match, "silent")
    assert match.state.finished == 1
    assert match.tallies[-1].points == [0, -2, -3]
    assert match.tallies[-1].reason == "out"


def test_h19_countered_on_the_last_card_the_round_ends_and_the_card_costs_a_token():
    match = say(table("P3", "O1", "O2 O2", piles="P4|Y3|G3"), "play P3 1", "let", "contre")
    assert match.state.finished == 1
    assert match.tallies[-1].points == [-1, -1, -2]
    assert match.tallies[-1].reason == "countered"


def test_h20_nobody_pays_more_than_they_have():
    match = say(table("P3", "O1 O2 O3", piles="P4|Y5|G6", tokens=2), "play P3 1")
    assert match.scores == [2, 0]
    assert match.tallies[-1].points == [0, -2]


def test_h21_the_match_ends_with_the_round_in_which_somebody_ran_out():
    match = say(table("P3", "O1 O2 O3", piles="P4|Y5|G6", tokens=3), "play P3 1")
    assert match.over
    assert match.winners == [0]
    match = say(table("P3", "O1 O2", piles="P4|Y5|G6", tokens=3), "play P3 1")
    assert not match.over
    assert len(match.due()) == 70


def test_h22_equal_tokens_share_the_victory():
    match = table("P1 P2", "P2 O7", "O6 O7", piles="Y1|Y2|G3", rest="hand", tokens=3)
    say(match, "draw", "draw", "draw")
    assert match.scores == [1, 1, 0]
    assert match.winners == [0, 1]


def test_h23_same_value_or_same_colour_as_the_covered_card():
    match = table("P3 B7", "O1", piles="P4|Y3|G6")
    assert legal(match) == {"draw", "play P3 1", "play P3 2"}
    assert why(match, "play P3 3") == why(match, "play B7 1") == why(match, "play O1 1") == "H23"
    for card, top in itertools.product(range(35), repeat=2):
        assert FITS[top] >> card & 1 == (card % 7 == top % 7 or card // 7 == top // 7)


def test_h24_ten_tokens_each_or_as_agreed():
    assert Match(GAME, 6).scores == [10] * 6
    assert Match(GAME, 3, options={"tokens": 6}).scores == [6] * 3
    with pytest.raises(Refusal):
        Match(GAME, 3, options={"tokens": 0})


def test_h25_each_hides_one_card_and_draws_openly():
    match = dealt("P1 P2 P3 P4 P5 P6", "", tops="G1 O2 Y3", stock="B7", one_hidden=True)
    assert why(match, "hide B7") == "H25"
    say(match, "hide P4", "hide " + cards(match, "hand:1").split()[0])
    assert cards(match, "hand:0", seat=1) == "P1 P2 P3 P5 P6 ?"
    say(match, "draw")
    assert cards(match, "hand:0", seat=1) == "P1 P2 P3 P5 P6 B7 ?"


def test_h26_a_sacrifice_goes_under_the_stock_once_a_round():
    match = table("P3 B7 B6", "O1", piles="P4|Y3|G6 O6", stock="Y7", sacrifice=True)
    assert {move for move in legal(match) if move.startswith("sacrifice")} == {"sacrifice 3"}
    assert why(match, "sacrifice 1") == "H26"  # it would leave no card
    say(match, "sacrifice 3")
    assert match.scores == [9, 10]
    assert match.state.turn == 0
    assert cards(match, "stock").split()[-1] == "O6"
    assert cards(match, "stock", seat=1).split()[-2:] == ["?", "O6"]
    assert "play B6 3" in legal(match)
    assert why(match, "sacrifice 1") == "H26"
    say(match, "play B6 3", "draw")
    assert not [move for move in legal(match) if move.startswith("sacrifice")]


@pytest.mark.parametrize(("hand", "on"), [("P3", True), ("P3 B7", False)])
def test_h26_not_with_one_card_and_only_where_it_is_played(hand, on):
    match = table(hand, "O1", piles="P4|Y3|G6 O6", sacrifice=on)
    assert why(match, "sacrifice 3") == "H26"


def test_h26_what_is_uncovered_is_what_the_next_card_is_judged_by():
    match = table("P3 B7 B6", "O1", piles="G3|O3|P5 Y3", sacrifice=True)
    say(match, "sacrifice 3")
    assert "play P3 3 three" in legal(match)


def test_h27_a_token_buys_another_turn_after_the_action():
    match = table("P3 P5 B7", "O1", piles="P4|Y1|G6", second_chance=True)
    assert why(match, "again") == "H27"
    say(match, "play P3 1")
    assert legal(match) == {"again", "end"}
    say(match, "again")
    assert match.scores == [9, 10]
    assert match.state.turn == 0
    say(match, "draw")  # once a round
    assert match.state.turn == 1


def test_h27_not_to_play_the_last_card():
    match = say(table("P3 P5", "O1", piles="P4|Y1|G6", second_chance=True), "play P3 1")
    assert match.state.turn == 1


def test_h28_play_goes_clockwise():
    match = table("P3 P5", "O1", "B1", piles="G4|Y1|O6")
    assert [say(match, "draw").state.turn for _ in range(4)] == [1, 2, 0, 1]
    assert why(match, "draw", 2) == "H28"


def test_theorem_one_card_makes_at_most_one_new_combination():
    """Every card on every three tops, the pile covered being the first: nothing else can be new."""
    found = dict.fromkeys((NOTHING, PAIR, RUN, COLOUR, THREE), 0)
    for top, left, right in itertools.product(range(35), repeat=3):
        before = existing(top, left, right)
        for card in range(35):
            if FITS[top] >> card & 1:
                new = existing(card, left, right) - before | ({PAIR} if card == top else set())
                kinds = [RUN if isinstance(kind, tuple) else kind for kind in new]
                made = combination(card, top, left, right)
                assert kinds == ([made] if made else [])
                found[made] += 1
    assert all(found.values())


def existing(*tops):
    """The combinations that three tops show; a run with its values, shifted past the other names."""
    values, colours = sorted(top % 7 for top in tops), {top // 7 for top in tops}
    found = {COLOUR} if len(colours) == 1 else set()
    if len(set(values)) == 1:
        found.add(THREE)
    if values == list(range(values[0], values[0] + 3)):
        found.add((RUN, values[0]))
    return found


def test_every_move_and_every_card_is_read_back_from_its_text():
    for move in range(GAME.rules.ACTIONS):
        assert notation.move_of(notation.move_text(move)) == move
    assert len({notation.move_text(move) for move in range(GAME.rules.ACTIONS)}) == GAME.rules.ACTIONS
    assert [notation.card_of(notation.card_text(card)) for card in range(35)] == list(range(35))
