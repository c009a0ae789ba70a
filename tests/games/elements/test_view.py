"""What seats of Elements may know, what a refusal names, and what the table shows."""

from __future__ import annotations

import pytest

from brelan.cards import HIDDEN, SPECTATOR, below, seed, shuffle
from brelan.errors import Unreadable
from brelan.games.elements import GAME, notation
from brelan.games.elements.memory import hand_size, seen
from brelan.games.elements.rules import asked, deal, due, imagine, legal, play
from brelan.games.elements.state import ACTIONS, AUCTION, LAY_TWO, OVER, PAIR, PLACING
from brelan.play.match import told
from brelan.play.told import move_told
from brelan.words import Words
from tests.games.led import led

from .written import all_ready, auction, lay_any, mask, passed, say, spent, table, texts, why, zone


def scene(match, seat, language="en"):
    words = Words(language, "elements")
    return GAME.view.scene(GAME.view.redact(match.state, seat), seat, words)


def notes(match, seat=0, language="en"):
    return {(note.words, note.rule, note.seat) for note in scene(match, seat, language).notes}


def positions(players, preset, number):
    """Every state of a random match in which seats that are asked at once move in any order."""
    s, random, out = GAME.new(players, number % players, preset), [0], [0] * 64
    seed(random, number)
    while not GAME.rules.over(s):
        if count := due(s, out):
            shuffle(out, 0, count, random)
            deal(s, out)
        else:
            yield s, random
            seats = [seat for seat in range(players) if asked(s) >> seat & 1]
            seat = seats[below(random, len(seats))]
            novice = below(random, 2)
            count = legal(s, seat, out)
            play(s, seat, GAME.policy.novice(s, seat, random) if novice else out[below(random, count)])


# ---------------------------------------------------------------- knowledge


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("preset", ["sheet", "adlung"])
def test_imagined_worlds_keep_to_what_was_seen_placed_kept_and_given_back(players, preset):
    kept = given = placed = 0
    for number in range(4):
        for s, random in positions(players, preset, number):
            seat = below(random, players)
            world = GAME.view.redact(s, seat)
            imagine(world, seat, random)
            in_round = s.phase in (PLACING, AUCTION)
            old = s.stale | (s.returned[seat] if in_round else 0)
            for other in {*range(players)} - {seat}:
                assert world.hand[other].bit_count() == s.hand[other].bit_count() == hand_size(s, other)
                assert not world.hand[other] & (seen(s) | s.hand[seat])
                held = world.hand[other] | world.shown[other]
                held |= sum(1 << world.beside[at] for at in range(5) if world.placer[at] == other)
                if not in_round:
                    assert not world.hand[other] & s.returned[seat]
                    assert world.returned[other].bit_count() == s.back[other]
                    held |= world.returned[other]
                    given += s.back[other]
                assert held.bit_count() == 11
                assert (held & ~old).bit_count() >= s.kept[other]
                kept += s.kept[other]
                placed += s.phase == PLACING
    assert kept
    assert given
    assert placed


def test_with_five_players_all_that_is_unseen_lies_in_the_other_hands():
    match = spent(auction("R1", "Y1", "G1", "B1", "P1", points="R10 Y10 G10 B10 P10"), 1)
    world = GAME.view.redact(match.state, 2)
    imagine(world, 2, [77])
    others = sum(world.hand[seat] for seat in (0, 1, 3, 4))
    assert others == sum(match.state.hand[seat] for seat in (0, 1, 3, 4))


def test_cards_given_back_are_known_to_their_owner_only_and_counted_by_all():
    match = passed(auction("R1", "Y1", "G1", points="B10 B6 B9"))
    match.move(1, "return Y1")
    own, other = (GAME.view.redact(match.state, seat) for seat in (1, 0))
    assert texts(own.returned[1]) == ["Y1"]
    assert other.returned[1] == 0
    assert other.back[1] == 1
    assert notation.card_of("Y1") in GAME.view.zones(own)["stock"]
    assert notation.card_of("Y1") not in GAME.view.zones(other)["stock"]
    assert ("1 card given back", "E20", 1) in notes(match)


def test_cards_kept_stay_hidden_after_the_refill():
    match = all_ready(passed(auction("R1", "Y1", "G1", points="B10 B6 B9")))
    match.shuffle(match.due())
    seen_by_0 = GAME.view.zones(GAME.view.redact(match.state, 0))
    assert seen_by_0["hand:1"] == [HIDDEN] * 11
    assert texts(match.state.stale) == texts(mask("B10 B6 B9"))


def test_played_cards_are_known_to_lie_in_the_stock():
    match = auction("R1 R2", "Y1", "G1", points="B10 B6 B0")
    say(match, "R1", "Y1", "pass", "pass", "pass")
    for viewer in (2, SPECTATOR):
        known = [card for card in GAME.view.zones(GAME.view.redact(match.state, viewer))["stock"] if card != HIDDEN]
        assert sorted(known) == [notation.card_of(card) for card in ("R1", "Y1", "B0")]


def test_others_hear_no_card_that_goes_face_down():
    assert notation.card_text(HIDDEN) == "?"
    cases = {"place G7 3": "place ? 3", "return G7": "return ?", "lay G7": "lay G7", "lay B7 G7": "lay B7 G7"}
    for text, heard in cases.items():
        move = notation.move_of(text)
        assert GAME.view.heard(move, 1, 1) == text
        assert GAME.view.heard(move, 1, 0) == GAME.view.heard(move, 1, SPECTATOR) == heard


@pytest.mark.parametrize("verb", ["place", "lay", "return", "pass", "ready"])
def test_each_move_that_names_a_card_face_down_is_heard_without_it_and_every_other_as_it_is(verb):
    moves = [move for move in range(ACTIONS) if notation.move_text(move).split()[0] == verb]
    assert moves
    for move in moves:
        _, *rest = text = notation.move_text(move).split()
        heard = [verb, "?", *rest[1:]] if verb in ("place", "return") else text
        assert GAME.view.heard(move, 1, 0) == " ".join(heard)


def test_before_the_deal_and_after_the_end_nothing_is_hidden_and_nothing_imagined():
    undealt, ended = GAME.new(3), passed(auction("R1", "Y1", "G1", points="B10 B6 B9")).state
    ended.phase = OVER
    for s in (undealt, ended):
        world = GAME.view.redact(s, 1)
        assert world == s
        imagine(world, 1, [77])
        assert world == s


# ---------------------------------------------------------------- notation


@pytest.mark.parametrize(
    "text", ["R11", "O1", "r1", "R01", "lay R11", "place R1 6", "place R1", "lay R1  R2", "ready "]
)
def test_other_texts_are_unreadable(text):
    for read in (notation.card_of, notation.move_of):
        with pytest.raises(Unreadable):
            read(text)


def test_of_two_cards_in_either_order_one_spelling_is_meant():
    s = table("R1", "Y1", "G1").state
    for move in range(LAY_TWO, ACTIONS):
        _, a, b = notation.move_text(move).split()
        canonical = f"lay {min(a, b)} {max(a, b)}"
        assert notation.move_text(notation.meant(s, 0, move)) == canonical
    assert len(set(PAIR)) == 55 * 54 // 2 + 55
    assert notation.meant(s, 0, notation.move_of("pass")) == notation.move_of("pass")


# ---------------------------------------------------------------- why not


def at(phase):
    """A match in a phase, with R1 in the hand of seat 0 and Y1 in that of seat 1."""
    match = table("R1 R2 R3 R4 R5 R6", "Y1", "G1") if phase == "placing" else None
    match = match or auction("R1 R2 R3 R4 R5 R6", "Y1", "G1", points="B10 B6 B9")
    return passed(match) if phase == "returning" else match


@pytest.mark.parametrize(
    ("phase", "seat", "text", "rule"),
    [
        ("placing", 0, "place Y1 3", "O-E6"),
        ("placing", 0, "lay R1", "E25"),
        ("placing", 0, "lay R1 R2", "E25"),
        ("placing", 0, "pass", "E25"),
        ("placing", 0, "ready", "E20"),
        ("placing", 0, "return R1", "E20"),
        ("placing", 1, "place Y1 3", "O-A1"),
        ("auction", 0, "place R1 3", "E7"),
        ("auction", 0, "lay Y1", "O-E6"),
        ("auction", 0, "lay B10", "E21"),
        ("auction", 0, "lay R1 R2", "E10"),
        ("auction", 0, "return R1", "E20"),
        ("auction", 0, "ready", "E20"),
        ("auction", 1, "lay Y1", "O-A1"),
        ("returning", 0, "place R1 3", "E7"),
        ("returning", 0, "lay R1", "E9"),
        ("returning", 0, "pass", "E9"),
        ("returning", 0, "return Y1", "O-E6"),
        ("returning", 0, "return B9", "E21"),
    ],
)
def test_a_refusal_names_the_rule(phase, seat, text, rule):
    match = at(phase)
    assert text not in match.legal(seat)
    assert why(match, seat, text) == rule


def test_a_refused_pair_names_the_rule():
    match = say(at("auction"), "R1", "pass", "pass", "R2")
    assert why(match, 0, "lay R3") == "E10"
    assert why(match, 0, "lay R3 R3") == "E10"
    assert why(match, 0, "lay R4 R3") == "O-A3"
    assert why(match, 0, "lay R3 Y1") == "O-E6"
    assert why(match, 0, "lay R2 R3") == "E21"


# ---------------------------------------------------------------- the scene


def test_the_row_shows_strengths_point_cards_and_the_auction():
    zones = scene(auction("R1", "Y1", "G1", points="B10 B6 B9"), 0).zones
    row = [zone for zone in zones if zone.id.startswith("element:")]
    assert [zone.caption for zone in row] == [
        "red, strength 5",
        "green, strength 4",
        "yellow, strength 3",
        "blue, strength 2",
        "purple, strength 1",
    ]
    assert [[card.face for card in zone.cards] for zone in row] == [
        ["R", "B10"],
        ["G", "B9"],
        ["Y", "B6"],
        ["B"],
        ["P"],
    ]
    assert [card.face for zone in zones for card in zone.cards if card.state == "marked"] == ["B6"]


def test_placing_is_a_card_and_an_element_and_asks_once_more():
    match = say(table("R7", "Y9", "G3"), "place R7 4")
    found = {choice.move: choice for choice in scene(match, 1).choices}
    choice = found["place Y9 3"]
    assert (choice.cards, choice.target, choice.confirm) == (["Y9"], "element:3", True)
    assert choice.words == "Place the yellow 9 beside the green element"
    assert choice.brief == next(zone.caption for zone in scene(match, 1).zones if zone.id == "element:3")
    bright = {zone.owner for zone in scene(match, 1).zones if any(card.state == "bright" for card in zone.cards)}
    assert bright == {1}, "who is asked may use any card of the hand"
    cards = next(zone for zone in scene(match, 1).zones if zone.id == "element:4").cards
    assert [card.face for card in cards] == ["B", None]
    assert next(zone for zone in scene(match, 0).zones if zone.id == "element:4").cards[1].face == "R7"


def test_laying_two_is_two_cards():
    match = say(auction("B10 B2 G7 P1", "Y1", "G1", points="Y10 Y6 Y9"), "G7", "pass", "pass", "P1")
    choice = next(choice for choice in scene(match, 0).choices if choice.move == "lay B10 B2")
    assert (choice.cards, choice.target) == (["B10", "B2"], "laid:0")
    assert choice.words == "Lay the blue 10 and the blue 2"
    assert scene(match, 0).prompt == "Lay two cards at once for the yellow 6, or pass."
    assert scene(match, 1).prompt == "Another player is to act."


@pytest.mark.parametrize(
    ("moves", "english", "french", "rule"),
    [
        (["B7"], "single card: blue 7", "carte seule\u00a0: 7 bleu", "E16"),
        (["B7", "B9"], "pair of blue, 9 high", "paire en bleu, hauteur 9", "E15"),
        (["B7", "P7"], "pair of 7s, blue", "paire de 7, dont le bleu", "E14"),
        (["B7", "P7", "B8 B9"], "three of blue, 9 high", "brelan en bleu, hauteur 9", "E15"),
        (["B7", "P7", "B8 Y7"], "three 7s", "brelan de 7", "E14"),
        (["B7", "B8", "B9 B1"], "four of blue, 9 high", "carré en bleu, hauteur 9", "E15"),
        (["B7", "P7", "G7 Y7"], "four 7s", "carré de 7", "E14"),
    ],
)
def test_what_laid_cards_make_is_told(moves, english, french, rule):
    match = auction("B7 P7 Y7 G7 B8 B9 B1", "Y1", "R1 G1", points="R10 R8 R9")
    say(match, moves[0], "Y1", "R1", *[text for move in moves[1:2] for text in (move, "pass", "G1")], *moves[2:])
    assert (english, rule, 0) in notes(match)
    assert (french, rule, 0) in notes(match, language="fr")


def test_a_card_that_is_picked_tells_what_it_would_make_with_those_that_lie():
    match = say(auction("B7 P7 B9 G7 P2", "Y1", "R1", points="R10 R8 R9"), "B7", "pass", "pass")
    would = {choice.move: choice.brief for choice in scene(match, 0).choices if choice.cards}
    assert (would["lay P7"], would["lay B9"]) == ("pair of 7s, blue", "pair of blue, 9 high")
    assert would["lay P2"] == "", "what lies would still be the blue 7"
    say(match, "P7")
    assert next(c for c in scene(match, 0).choices if c.move == "lay B9 G7").brief == "three 7s"


def test_who_leads_and_who_passed_is_told():
    match = say(auction("G1", "R1", "Y1", points="B10 B6 B9"), "G1", "R1", "pass")
    assert ("Best so far", "E17", 1) in notes(match)
    assert ("Has passed", "E11", 2) in notes(match)
    assert ("The blue 6 is played for.", "E9", None) in notes(match)


def test_the_order_of_the_row_is_told_once_all_is_turned_up():
    """With what put it in that order; the elements that got no card stand last."""
    match = table("B10", "B0", "B9")
    assert led(GAME, match.state, "place B10 1", "place B0 2") == []
    row = "Turned up, strongest first: red (10), green (9), yellow (0), blue, purple."
    assert led(GAME, match.state, "place B9 3") == [(row, "E7")]


def test_where_the_stock_fills_the_gaps_its_cards_are_told_too():
    match = table("B10", "B0", "B9", preset="adlung")
    ((row, rule),) = led(GAME, match.state, "place B10 1", "place B0 2", "place B9 3")
    assert (row.count("("), rule) == (5, "E7")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Anna places beside the green element: a card face down."),
        ("fr", "Anna place près de l’élément vert\u00a0: une carte face cachée."),
    ],
)
def test_a_card_that_is_placed_is_told_with_its_element(language, sentence):
    match = table("B10", "B6", "B9")
    more = told(GAME, match.state, notation.move_of("place B10 3"))
    assert move_told(GAME, ["Anna", "Ben", "Cleo"], "place ? 3", "Anna", Words(language, "elements"), more) == sentence


def test_who_wins_a_point_card_is_told_and_with_what():
    match = auction("G1 G2 G3", "R1 R2", "Y1", points="B10 B6 B9")
    assert led(GAME, match.state, "lay G1", "lay R1", "pass", "lay G2", "lay R2", "pass") == []
    assert led(GAME, match.state, "pass") == [("Ben wins the blue 6 – pair of red, 2 high.", "E15")]
    assert led(GAME, match.state, "pass", "pass", "lay G3") == []
    won = [("Anna gagne le 9 bleu – carte seule\u00a0: 3 vert.", "E16")]
    assert led(GAME, match.state, "pass", language="fr") == won


def test_a_card_that_nobody_played_for_is_told():
    match = auction("G1", "R1", "Y1", points="B10 B6 B9")
    told = [("Nobody played for the blue 6: it goes to the stock.", "E18")]
    assert led(GAME, match.state, "pass", "pass", "pass") == told
    passed(match)
    assert led(GAME, match.state, "ready", "ready", "ready") == []


def test_where_nobody_has_a_card_left_each_auction_that_ends_so_is_told():
    match = spent(auction("", "", "", "", points="B10 B6 B9 B7"), 2)
    told = []
    while not told:
        told = led(GAME, match.state, match.legal(match.asked()[0])[-1])
    assert [rule for _, rule in told][1:] == ["E18"]
    assert told[-1][0].startswith("Nobody played for the ")


def test_points_won_stay_in_sight_until_the_refill():
    match = auction("R1", "Y1", "G1", points="B10 B6 B9")
    say(match, "R1", "pass", "pass", "pass")
    passed(match)
    assert ("6 points this round", "E19", 0) in notes(match)
    all_ready(match)
    shown = scene(match, SPECTATOR)
    assert [card.face for zone in shown.zones if zone.id == "won:0" for card in zone.cards] == ["B6"]
    assert zone(match, "won:0") == ""


def test_giving_back_is_one_card_at_a_time_and_ready():
    match = passed(auction("R1", "Y1", "G1", points="B10 B6 B9"))
    choices = {choice.move: choice for choice in scene(match, 1).choices}
    assert len(choices) == 11
    assert (choices["return Y1"].cards, choices["return Y1"].target) == (["Y1"], "stock")
    assert choices["ready"].confirm
    assert scene(match, SPECTATOR).choices == []


# ---------------------------------------------------------------- the novice


def test_the_novice_lays_what_goes_together_and_passes_when_the_card_is_won():
    match = auction("R7 Y7 G7", "Y1", "G1", points="B10 B6 B9")
    novice = GAME.policy.novice(match.state, 0, [5])
    assert notation.move_text(novice).split()[0] == "lay"
    say(lay_any(match), "pass", "pass")
    assert notation.move_text(GAME.policy.novice(match.state, 0, [5])) == "pass"


def test_the_novice_beats_random_players():
    won = 0
    for number in range(60):
        s, random, out = GAME.new(3), [0], [0] * 64
        seed(random, number)
        while not GAME.rules.over(s):
            if count := due(s, out):
                shuffle(out, 0, count, random)
                deal(s, out)
            else:
                count, seat = legal(s, s.turn, out), s.turn
                play(s, seat, GAME.policy.novice(s, seat, random) if seat == number % 3 else out[below(random, count)])
        won += GAME.rules.wins(s) >> number % 3 & 1
    assert won >= 50
