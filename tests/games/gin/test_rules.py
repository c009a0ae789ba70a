"""One test for each decision of the rules (G1 …) and of the record format (O-G1 …)."""

from __future__ import annotations

import pytest

from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat
from brelan.games.gin import GAME
from brelan.games.gin.melds import deadwood
from brelan.play.match import Match
from tests.games.written import last

from .written import DECK, deck, idle, legal, mask, say, state, table, texts

MINE = "3s 4s 5s 8h 8d 8c Qd Qh Qc 5d"  # 5 left over
THEIRS = "As 9s 2h 9h Kh 4d 7d Kd 3c Jc"  # no meld: 65
GIN = "3s 4s 5s 8h 8d 8c Qd Qh Qc Qs"  # all ten melded
JUNK = "Ad 4h 6h Th Kc 2d 6d Jd 3h 9d"  # no meld


def left(hand: str, **options) -> int:
    return deadwood(state(**options), mask(hand))


# ---------------------------------------------------------------- the sheet


def test_g1_two_players_and_fifty_two_cards_without_joker():
    match = Match(GAME, 2)
    assert match.due() == sorted(rank + suit for rank in "A23456789TJQK" for suit in "shdc")
    for players in (1, 3):
        with pytest.raises(Refusal):
            Match(GAME, players)


def test_g2_the_ace_ends_a_run_below_and_above_but_never_stands_amid_it():
    assert left("As 2s 3s") == left("Qs Ks As") == 0
    assert left("Ks As 2s") == 13
    assert left("Ks As 2s 3s") == 10
    assert left("Qs Ks As 2s 3s") == 5, "one ace, one meld"
    assert left("Qs Ks As", ace_high_runs=False) == 21


def test_g3_an_ace_counts_one_or_what_the_table_says():
    assert left("As 2s 9h") == 12
    assert left("As 2s 9h", ace_value=15) == 26
    assert left("2s Js Qh Kd Tc") == 42, "pictures count ten"


def test_g4_the_first_turn_draws_from_either_pile_and_nobody_may_pass():
    match = table(MINE, THEIRS, "2c")
    assert match.asked() == [0]
    assert legal(match) == ["draw", "take"]
    with pytest.raises(Illegal, match="G4"):
        say(match, "pass")


def test_g5_the_card_taken_may_not_be_thrown_nor_knocked_with():
    match = say(table(MINE, THEIRS, "5c"), "take")
    assert "discard 5d" in legal(match)
    assert "knock 5d" in legal(match)
    for move in ("discard 5c", "knock 5c"):
        assert move not in legal(match)
        with pytest.raises(Illegal, match="G5"):
            say(match, move)


def test_g5_the_card_taken_may_be_thrown_a_turn_later_and_one_drawn_at_once():
    match = say(table(MINE, THEIRS, "6c", "7c"), "take", "discard 5d", "draw")
    assert "discard 7c" in legal(match)
    say(match, "discard 7c", "draw")
    assert "discard 6c" in legal(match)


@pytest.mark.parametrize(("spare", "may"), [("5d 5h", True), ("5d 6h", False), ("Td As", False), ("9d As", True)])
def test_g6_a_knock_leaves_at_most_ten(spare, may):
    match = say(table(f"3s 4s 5s 6s 8s 8h 8d 8c {spare}", "", "Kd", "Jc"), "draw")
    assert ("knock Jc" in legal(match)) is may
    assert {"discard Jc", *(f"discard {card}" for card in spare.split())} <= set(legal(match)), "never forced"


def test_g7_ten_melded_cards_only_knock():
    match = say(table(GIN, THEIRS, "2c", "7c"), "draw")
    assert [move for move in legal(match) if "gin" in move] == []
    assert "knock 7c" in legal(match)
    with pytest.raises(Illegal, match="G7"):
        say(match, "gin 7c")


def test_g7_eleven_melded_cards_are_gin_and_none_is_thrown():
    match = say(table(GIN, THEIRS, "2c", "6s"), "draw", "gin")
    assert last(match) == ("ginned", [25 + 65, 0])
    assert texts(match.state.hand[0]) == sorted((GIN + " 6s").split(), key=DECK.index)


def test_g8_gin_counts_what_the_opponent_cannot_meld():
    match = say(table(GIN, "9h 9d 9c 2s 7s As Ah Jd Kd Tc", "2c", "6s"), "draw", "gin")
    assert last(match) == ("ginned", [25 + 2 + 7 + 1 + 1 + 10 + 10 + 10, 0])


def test_g9_as_little_deadwood_as_the_knocker_undercuts():
    match = say(table(MINE, "Ah 2h 3h 9c Tc Jc Kh Kd Kc 5c", "7c", "7d"), "draw", "knock 7d")
    assert last(match) == ("undercut", [0, 10])
    assert match.scores == [0, 10]


def test_g10_cards_are_laid_off_one_upon_another():
    match = say(table("7s 8s 9s 2h 2d 2c Kd Kh Kc Ad", "Ts Js Qs 4h 6h 9d 3c 5c 7d 8c", "7c", "9h"), "draw", "knock 9h")
    assert last(match) == ("knocked", [4 + 6 + 9 + 3 + 5 + 7 + 8 - 1, 0])


def test_g10_the_knocker_lays_nothing_off():
    match = say(table("7s 8s 9s 2h 2d 2c Kd Kh Kc 4d", "5d 6d 7d Ah Ac As Jd Jh Jc 5h", "7c", "9h"), "draw", "knock 9h")
    assert last(match) == ("knocked", [5 - 4, 0]), "the 4 of diamonds would fit below 5 6 7"


def test_g11_the_knocker_melds_so_that_most_is_left_to_the_defender():
    hand = "4s 5s 6s 4h 5h 6h 4d 5d 6d 2c"
    runs = say(table(hand, "4c 5c Kd Qh Js 9c 8h As 3h Qs", "7c", "Jd"), "draw", "knock Jd")
    assert last(runs) == ("knocked", [70 - 3 - 2, 0])
    sets = say(table(hand, "3s 7h 8h Kd Qh Js 9c Tc As 3c", "7c", "Jd"), "draw", "knock Jd")
    assert last(sets) == ("knocked", [71 - 2, 0])


def test_g12_sets_of_a_rank_and_runs_of_one_suit_each_card_in_one_meld():
    assert left("4s 5s 6s") == left("4s 4h 4d") == left("4s 4h 4d 4c") == 0
    assert left("4s 5h 6s") == 15
    assert left("4s 5s") == 9
    assert left("4s 5s 6s 4h 4d") == 8, "the 4 of spades serves once"


def test_g13_the_hand_is_void_when_two_cards_are_left_and_nobody_ends_it():
    match = idle(table(MINE, THEIRS, "2c"), 28)
    assert match.due() == []
    assert idle(match, 1).tallies[-1].points == [0, 0]
    assert last(match)[0] == "void"
    assert len(match.due()) == 52


def test_g13_who_leaves_two_cards_may_still_end_the_hand():
    match = say(idle(table(MINE, THEIRS, "2c"), 28), "draw")
    knock = next(move for move in legal(match) if move.startswith("knock"))
    say(match, knock)
    assert last(match)[0] == "knocked"


def test_g14_the_deal_alternates_also_after_a_void_hand():
    match = table(MINE, THEIRS, "2c", stock_end=30)
    idle(match, 1)
    assert last(match)[0] == "void"
    for non_dealer in (1, 0):
        match.shuffle(deck(GIN, THEIRS, "2c", "6s"))
        assert match.asked() == [non_dealer]
        say(match, "draw", "gin")


def test_g14_the_first_seat_is_the_non_dealer():
    match = Match(GAME, 2, first=1)
    match.shuffle(deck(MINE, THEIRS, "2c"))
    assert match.asked() == [1]
    assert texts(match.state.hand[1]) == sorted(MINE.split(), key=DECK.index)


def test_g15_ten_cards_each_in_turn_and_the_next_one_turned_up():
    match = Match(GAME, 2)
    match.shuffle(DECK)
    zones = {name: [DECK[card] for card in cards] for name, cards in GAME.view.zones(match.state).items()}
    assert zones == {
        "hand:0": DECK[0:20:2],
        "hand:1": DECK[1:20:2],
        "discards": [DECK[20]],
        "stock": DECK[21:],
    }


def test_g16_the_first_to_a_hundred_wins_and_gets_nothing_more():
    match = Match(GAME, 2)
    for _ in range(2):  # seat 0, then seat 1, has gin against 65
        match.shuffle(deck(GIN, THEIRS, "2c", "6s"))
        say(match, "draw", "gin")
    assert (match.scores, match.over) == ([90, 90], False)
    match.shuffle(deck(GIN, "Ah 2h 3h 9c Tc Jc 7s 7h 7c Td", "2c", "6s"))
    say(match, "draw", "gin")
    assert match.over
    assert match.footer() == {"scores": [125, 90], "winners": [0]}


def test_g17_only_the_top_discard_is_taken():
    match = say(table(MINE, THEIRS, "2c", "7c"), "draw", "discard 7c", "take")
    assert texts(match.state.hand[1] & mask("2c 7c")) == ["7c"]
    say(match, "discard Kh", "take")
    assert texts(match.state.hand[0] & mask("2c 7c Kh")) == ["Kh"]
    assert GAME.view.zones(match.state)["discards"] == [DECK.index("2c")]


def test_g18_a_wrong_knock_is_refused_and_changes_nothing():
    match = say(table(JUNK, THEIRS, "2c", "7c"), "draw")
    before, lines = match.state.copy(), match.lines[:]
    with pytest.raises(Illegal, match="G6"):
        say(match, "knock 7c")
    assert match.state == before
    assert match.lines == lines


# ---------------------------------------------------------------- the record


def test_o_a1_a_forced_draw_is_still_a_move():
    match = say(table(MINE, THEIRS, "2c", upcard_offer=True), "pass", "pass")
    assert legal(match) == ["draw"]
    assert say(match, "draw").lines[-1] == {"seat": 0, "move": "draw"}


MISSPELT = ["discard  7h", " draw", "draw ", "Draw", "discard 7H", "discard 10h", "knock", "knock ?", "gin 1s", ""]


@pytest.mark.parametrize("text", MISSPELT)
def test_o_a3_one_spelling_and_no_other(text):
    with pytest.raises(Unreadable):
        say(table(MINE, THEIRS, "2c"), text)


def test_o_a5_a_shuffle_is_due_directly_after_the_hand_and_none_after_the_last():
    match = say(table(GIN, THEIRS, "2c", "6s"), "draw", "gin")
    assert len(match.due()) == 52
    assert match.asked() == []
    match = say(table(GIN, THEIRS, "2c", "6s", target=90), "draw", "gin")
    assert match.over
    assert match.due() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stock_end", 31),
        ("stock_end", -1),
        ("ace_value", 0),
        ("knock_limit", -1),
        ("turn_cap", -1),
        ("target", 0),
        ("gin_bonus", 2.5),
        ("gin_on_ten", 1),
        ("target", True),
        ("colours", "RY"),
    ],
)
def test_o_a6_an_option_out_of_range_or_unknown_is_refused(name, value):
    with pytest.raises(Refusal):
        Match(GAME, 2, options={name: value})


def test_o_g1_a_turn_is_a_card_in_and_then_a_card_out():
    match = table(MINE, THEIRS, "2c", "7c")
    for early in ("discard 5d", "knock 5d", "gin", "gin 5d"):
        with pytest.raises(Illegal, match="O-G1"):
            say(match, early)
    say(match, "draw")
    for late in ("draw", "take", "pass"):
        with pytest.raises(Illegal, match="O-G1"):
            say(match, late)
    say(match, "discard 7c")
    with pytest.raises(WrongSeat):
        match.move(0, "draw")


def test_o_g2_big_gin_is_for_tables_that_pay_for_it():
    plain = say(table(GIN, THEIRS, "2c", "6s", gin_on_ten=True), "draw")
    with pytest.raises(Illegal, match="O-G2"):
        say(plain, "gin")
    big = say(table(GIN, THEIRS, "2c", "6s", gin_on_ten=True, big_gin_bonus=31), "draw", "gin")
    assert last(big) == ("big_ginned", [31 + 65, 0])
    sheet = say(table(GIN, THEIRS, "2c", "6s", big_gin_bonus=31), "draw", "gin")
    assert last(sheet) == ("ginned", [25 + 65, 0]), "without gin_on_ten the bonus of big gin has no effect"


@pytest.mark.parametrize("preset", ["sheet", "classic"])
def test_o_g2_gin_is_a_choice_and_the_card_taken_may_be_melded(preset):
    match = say(table(GIN, THEIRS, "6s", preset=preset), "take")
    assert "gin" in legal(match)
    assert "discard 8h" in legal(match)
    assert ("gin 3s" if preset == "classic" else "knock 3s") in legal(match)


def test_o_g3_with_gin_on_ten_a_knock_leaves_something_unmelded():
    match = say(table(GIN, THEIRS, "2c", "6s", gin_on_ten=True), "draw")
    assert "gin 6s" in legal(match)
    assert "knock 6s" not in legal(match)
    with pytest.raises(Illegal, match="O-G3"):
        say(match, "knock 6s")
    with pytest.raises(Illegal, match="O-G3"):
        say(match, "gin 8h")


def test_o_g3_the_card_taken_may_not_be_thrown_for_gin():
    match = say(table(GIN, THEIRS, "6s", gin_on_ten=True), "take")
    with pytest.raises(Illegal, match="G5"):
        say(match, "gin 6s")


def test_o_g4_the_upcard_is_offered_to_the_non_dealer_then_to_the_dealer():
    match = table(MINE, THEIRS, "2c", "7c", upcard_offer=True)
    assert (match.asked(), legal(match)) == ([0], ["take", "pass"])
    say(match, "pass")
    assert (match.asked(), legal(match)) == ([1], ["take", "pass"])
    say(match, "pass")
    assert (match.asked(), legal(match)) == ([0], ["draw"])
    with pytest.raises(Illegal, match="O-G4"):
        say(match, "take")
    say(match, "draw", "discard 7c")
    assert (match.asked(), legal(match)) == ([1], ["draw", "take"])


@pytest.mark.parametrize(("refusals", "taker"), [(0, 0), (1, 1)])
def test_o_g4_who_takes_the_upcard_goes_on_and_then_the_other_has_an_ordinary_turn(refusals, taker):
    match = say(table(MINE, THEIRS, "2c", upcard_offer=True), *["pass"] * refusals, "take")
    assert match.asked() == [taker]
    assert "discard 2c" not in legal(match)
    say(match, next(move for move in legal(match) if move.startswith("discard")))
    assert (match.asked(), legal(match)) == ([1 - taker], ["draw", "take"])


def test_o_g4_refusals_are_no_turns():
    match = say(table(MINE, THEIRS, "2c", "7c", upcard_offer=True, turn_cap=1), "pass", "pass", "draw")
    assert match.due() == []
    say(match, "discard 7c")
    assert last(match)[0] == "turns"


def test_o_g5_layoffs_and_arrangement_need_no_line():
    match = say(table(MINE, "2s 6s 7s 8s Qs Kh 4d Kd 3c Jc", "7c", "6c"), "draw", "knock 6c")
    assert [line.get("move") for line in match.lines] == [None, "draw", "knock 6c"]
    assert last(match) == ("knocked", [37 - 5, 0])


def test_o_g6_the_last_turn_allowed_voids_the_hand_unless_it_ends_it():
    match = table(MINE, THEIRS, "2c", turn_cap=3)
    idle(match, 2)
    assert match.due() == []
    idle(match, 1)
    assert last(match) == ("turns", [0, 0])
    won = say(table(MINE, THEIRS, "2c", "7c", turn_cap=1), "draw", "knock 7c")
    assert last(won)[0] == "knocked"


def test_o_g7_with_three_cards_left_taking_discards_goes_on():
    match = idle(table(MINE, THEIRS, "2c"), 28)
    assert len(match.state.stock) - match.state.next == 3
    for _ in range(20):
        say(match, "take")
        say(match, next(move for move in legal(match) if move.startswith("discard")))
    assert match.due() == []


def test_o_g8_a_void_hand_scores_nothing_and_the_next_shuffle_follows():
    match = idle(table(MINE, THEIRS, "2c"), 29)
    assert match.scores == [0, 0]
    assert match.lines[-1]["move"].startswith("discard")
    assert len(match.due()) == 52
    assert match.state.dealer == 0
