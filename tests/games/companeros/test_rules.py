"""Each decision on Compañeros, by its id."""

from __future__ import annotations

import pytest

from brelan.errors import Refusal
from brelan.games.companeros import GAME
from brelan.games.companeros.rules import OVER, PLAYING, SHUFFLE, TAKING, asked, due, over, score, wins

from .positions import a_set, deal_round, dealt, line, moves, played_out, texts

SHEET_POT = "Y7 Y4 R8 R1 G6 B4"
ANNA, BOB, CECILE, DORO, ERIC, FRANCK = range(6)

THREE = "R1 Y1 G1"  # a pot of three players


def test_c1_the_sheets_example_with_bobs_card_green() -> None:
    s = line(dealt(SHEET_POT, "G7 G2 Y9 R5 B10 R6"), "G7", "G2", "Y9", "R5", "B10", "R6")
    assert (s.phase, s.turn) == (TAKING, FRANCK)
    line(s, "take Y")
    assert s.turn == DORO
    line(s, "take R")
    assert s.turn == ERIC
    assert moves(s, ERIC) == ["take G", "take B"]
    line(s, "take G")
    assert [texts(cards) for cards in s.captured] == [[], [], [], ["R1", "R8"], ["G6"], ["Y4", "Y7"]]
    assert s.pot == a_set("B4 G7 G2 Y9 R5 B10 R6")
    assert (s.phase, s.turn, s.leader) == (PLAYING, FRANCK, FRANCK)


def test_c1_read_literally_nobody_would_take() -> None:
    s = line(dealt(SHEET_POT, "G7 Y2 Y9 R5 B10 R6"), "G7", "Y2", "Y9", "R5", "B10", "R6")
    assert s.captured == [0] * 6
    assert s.pot == a_set(SHEET_POT + " G7 Y2 Y9 R5 B10 R6")
    assert (s.phase, s.turn) == (PLAYING, ANNA)


@pytest.mark.parametrize(
    ("trick", "order"),
    [
        ("R10 Y9 G8 B7", [0, 1, 2, 3]),
        ("R2 R3 Y4 G6", [3, 1, 0, 2]),  # green 6, red 5 with the 3 first, yellow 4
        ("R5 Y5 G8 B2", [2]),  # the tie at 5 also stops the blue 2
        ("R5 Y5 G5 B9", [3]),
        ("R9 Y9 G8 B7", []),
        ("R2 R3 Y5 G1", []),  # a sum may tie with a single card
        ("R1 R2 R3 R4", [3, 2, 1, 0]),
        ("R9 G8 Y2 B2", [0, 1]),  # a tie below costs those above nothing
        ("R4 R6 Y3 Y7", []),
    ],
)
def test_c2_the_walk_down_the_sums_stops_at_the_first_tie(trick: str, order: list[int]) -> None:
    s = dealt("R8 Y8 G9 B8", trick)
    line(s, *trick.split())
    served = []
    while s.phase == TAKING:
        served.append(s.turn)
        line(s, moves(s, s.turn)[0])
    assert served == order


def test_c3_played_cards_join_the_pot_after_the_taking() -> None:
    s = line(dealt(THREE, "R10 Y9 G8"), "R10", "Y9", "G8", "take Y")
    assert s.pot == a_set("R1 G1")
    assert s.trick == a_set("R10 Y9 G8")
    line(s, "take R")
    assert moves(s, 2) == ["take G"]  # the trick's own red and yellow are not on offer
    line(s, "take G")
    assert s.pot == a_set("R10 Y9 G8")
    assert s.trick == 0


def test_c4_an_empty_pot_ends_the_count() -> None:
    s = line(dealt("R1 R2 R3", "R10 Y9 G8"), "R10", "Y9", "G8", "take R")
    assert s.phase == PLAYING
    assert [texts(cards) for cards in s.captured[:3]] == [["R1", "R2", "R3"], [], []]
    assert s.pot == a_set("R10 Y9 G8")


def test_c5_what_nobody_took_stays() -> None:
    s = line(dealt(THREE, "R10 Y9 G9"), "R10", "Y9", "G9", "take G")
    assert s.pot == a_set("R1 Y1 R10 Y9 G9")
    assert (s.phase, s.turn) == (PLAYING, 0)


def test_c6_taking_is_mandatory_and_only_colours_of_the_pot_are_legal() -> None:
    s = line(dealt("R1 R2 G3", "R10 Y9 G8"), "R10", "Y9", "G8")
    assert moves(s, 0) == ["take R", "take G"]
    line(s, "take R")
    assert texts(s.captured[0]) == ["R1", "R2"]


def test_c7_any_card_of_the_hand_may_follow() -> None:
    s = line(dealt(THREE, "R10 Y9 G8 R9 R8"), "R10")
    assert moves(s, 1) == [f"play {card}" for card in texts(s.hand[1])]
    assert a_set("R8 Y9") & s.hand[1] == a_set("R8 Y9")


@pytest.mark.parametrize("first", range(3))
def test_c8_the_first_seat_leads(first: int) -> None:
    s = dealt(THREE, "R10", first)
    assert (s.turn, asked(s)) == (first, 1 << first)
    assert s.hand[first] & a_set("R10")


def test_c9_if_nobody_took_the_same_seat_leads_again() -> None:
    s = line(dealt(THREE, "R9 Y9 G8", 1), "R9", "Y9", "G8")
    assert (s.phase, s.turn, s.tricks) == (PLAYING, 1, 1)


def test_c9_who_took_first_leads() -> None:
    s = line(dealt(THREE, "R4 Y9 G8"), "R4", "Y9", "G8", "take R", "take Y", "take G")
    assert s.turn == 1


def test_c10_the_last_trick_and_what_is_left_score_for_nobody() -> None:
    s = played_out(dealt(THREE, "R10 Y9 G8"))
    assert s.tricks == 9
    assert s.pot & s.captured[0] | s.pot & s.captured[1] | s.pot & s.captured[2] == 0
    assert sum(s.gain) + points_of(s.pot) == 3 * 55
    assert all(s.pot >> s.played[seat] & 1 for seat in range(3))


def points_of(cards: int) -> int:
    return sum(int(text[1:]) for text in texts(cards))


def test_c11_as_many_colours_as_players_the_first_by_default() -> None:
    assert [GAME.settle(players)["colours"] for players in range(3, 7)] == ["RYG", "RYGB", "RYGBP", "RYGBPO"]
    assert GAME.settle(3, given={"colours": "OPB"})["colours"] == "OPB"
    out = [0] * 60
    s = GAME.new(3, given={"colours": "OPB"})
    assert texts(sum(1 << card for card in out[: due(s, out)])) == [f"{c}{v}" for c in "BPO" for v in range(1, 11)]


@pytest.mark.parametrize("colours", ["RY", "RYGB", "RRY", "RYX", "ryg", "", 3, None, ["R", "Y", "G"]])
def test_c11_other_colours_are_refused(colours: object) -> None:
    with pytest.raises(Refusal):
        GAME.settle(3, given={"colours": colours})


def test_c12_all_with_the_highest_total_win() -> None:
    s = played_out(dealt(THREE, ""))
    s.total[:3] = [50, 61, 61]
    assert (s.phase, over(s), wins(s)) == (OVER, 1, 0b110)


@pytest.mark.parametrize(
    ("ahead", "opener", "leads"),
    [
        ([0, 0, 1000, 0], 0, 2),
        ([1000, 0, 0, 0], 3, 0),
    ],
)
def test_c13_the_leader_in_the_total_of_all_rounds_opens_the_next(ahead: list[int], opener: int, leads: int) -> None:
    s = dealt("R1 Y1 G1 B1", "", opener, rounds=2)
    s.total[:4] = ahead
    played_out(s)
    assert (s.phase, s.opener) == (SHUFFLE, leads)
    deal_round(s, "R1 Y1 G1 B1", "R10")
    assert s.turn == leads
    assert s.hand[leads] & a_set("R10")


@pytest.mark.parametrize(("opener", "leads"), [(0, 1), (1, 1), (2, 3), (3, 3)])
def test_c13_of_tied_leaders_the_first_clockwise_from_the_last_opener(opener: int, leads: int) -> None:
    s = dealt("R1 Y1 G1 B1", "", opener, rounds=2)
    gains = played_out(s.copy()).gain
    s.total[:4] = [0, 1000 - gains[1], 0, 1000 - gains[3]]
    assert played_out(s).opener == leads


def test_c14_the_match_has_as_many_rounds_as_agreed() -> None:
    s = played_out(dealt(THREE, "", rounds=2))
    assert (s.finished, over(s), wins(s), asked(s)) == (1, 0, 0, 0)
    first = s.gain[:3]
    played_out(deal_round(s, THREE, ""))
    assert (s.finished, over(s)) == (2, 1)
    assert [score(s, seat) for seat in range(3)] == [a + b for a, b in zip(first, s.gain, strict=False)]
    assert GAME.settle(3)["rounds"] == 1


@pytest.mark.parametrize("rounds", [0, -1, True, "2", 1.0])
def test_c14_other_numbers_of_rounds_are_refused(rounds: object) -> None:
    with pytest.raises(Refusal):
        GAME.settle(3, given={"rounds": rounds})


def test_c16_deal_and_play_go_clockwise() -> None:
    s = dealt("R1 Y1 G1 B1", "R2 Y2 G2 B2 R3", 2)
    assert all(s.hand[seat] & a_set(card) for seat, card in ((2, "R2"), (3, "Y2"), (0, "G2"), (1, "B2"), (2, "R3")))
    assert all(len(texts(hand)) == 9 for hand in s.hand[:4])
    turns = []
    for card in ("R2", "Y2", "G2", "B2"):
        turns.append(s.turn)
        line(s, card)
    assert turns == [2, 3, 0, 1]


def test_c17_a_hand_has_no_order() -> None:
    assert dealt(THREE, "R2 Y2 G2 R3 Y3 G3") == dealt(THREE, "R3 Y3 G3 R2 Y2 G2")


def test_o_c1_the_only_colour_left_is_asked_an_empty_pot_is_not() -> None:
    s = line(dealt("R1 R2 G3", "R10 Y9 G8"), "R10", "Y9", "G8", "take R")
    assert (asked(s), moves(s, 1)) == (0b010, ["take G"])
    line(s, "take G")
    assert s.phase == PLAYING


def test_o_c2_it_is_the_total_that_leads_not_the_last_round() -> None:
    s = dealt(THREE, "", rounds=3)
    gains = played_out(s.copy()).gain
    best = max(range(3), key=lambda seat: gains[seat])
    other = (best + 1) % 3
    s.total[other] = 1000
    assert played_out(s).opener == other


def test_o_c3_the_next_shuffle_is_due_at_once_and_holds_all_cards() -> None:
    s = played_out(dealt(THREE, "", rounds=2))
    out = [0] * 60
    assert due(s, out) == 30
    assert (asked(s), moves(s, s.turn)) == (0, [])
    assert due(played_out(dealt(THREE, "")), out) == 0
