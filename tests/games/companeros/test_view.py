"""What each seat sees of Compañeros, what it is told, and why a move is refused."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from brelan.cards import HIDDEN, SPECTATOR
from brelan.game import legal_moves
from brelan.games.companeros import GAME
from brelan.games.companeros.notation import move_of
from brelan.games.companeros.rules import ACTIONS, State
from brelan.games.companeros.view import heard, redact, scene, tally, why_not, zones
from brelan.scene import Scene
from brelan.words import LANGUAGES, Words, catalogue
from tests.games.led import led

from .positions import deal_round, dealt, line, played_out, texts

POT, TRICK = "Y7 Y4 R8 R1 G6 B4", "G7 G2 Y9 R5 B10 R6"
FRANCK = 5


def sheet(*moves: str) -> State:
    """The sheet's example, all cards of the trick played and some of the pot taken."""
    return line(dealt(POT, TRICK), *TRICK.split(), *moves)


def seen(s: State, seat: int, language: str = "en") -> Scene:
    return scene(redact(s, seat), seat, Words(language, "companeros"))


def words_of(shown: Scene) -> list[str]:
    return [note.words.replace("\xa0", " ") for note in shown.notes]


# ---------------------------------------------------------------- knowledge


def test_redact_hides_the_other_hands_and_nothing_else() -> None:
    s = sheet("take Y")
    for seat in (*range(6), SPECTATOR):
        v = redact(s, seat)
        assert [v.hand[other] for other in range(6)] == [s.hand[other] if other == seat else 0 for other in range(6)]
        v.hand[:] = s.hand
        assert v == s


def test_redact_does_not_depend_on_what_is_hidden() -> None:
    s, t = sheet("take Y"), sheet("take Y")
    t.hand[1], t.hand[2] = s.hand[2], s.hand[1]
    assert redact(s, 0) == redact(t, 0)
    assert redact(s, SPECTATOR) == redact(t, SPECTATOR)
    assert redact(s, 1) != redact(t, 1)


def test_a_redacted_state_counts_the_hidden_hands() -> None:
    found = zones(redact(line(dealt(POT, TRICK), "G7", "G2"), 0))
    assert found["hand:1"] == [HIDDEN] * 8
    assert found["hand:2"] == [HIDDEN] * 9
    assert len(found["hand:0"]) == 8
    assert HIDDEN not in found["hand:0"]


def test_every_move_is_heard_by_all() -> None:
    assert {heard(move_of("take Y"), 5, viewer) for viewer in (*range(6), SPECTATOR)} == {"take Y"}


def test_all_cards_in_play_stand_in_the_stock_while_a_shuffle_is_due() -> None:
    assert len(zones(GAME.new(3))["stock"]) == 30  # type: ignore[arg-type]
    between = played_out(dealt("R1 Y1 G1", "", rounds=2))
    found = zones(between)
    assert len(found["stock"]) == 30
    assert sum(map(len, found.values())) == 30


# ---------------------------------------------------------------- the scene


def test_the_trick_is_added_up_and_the_order_of_taking_told() -> None:
    shown = seen(sheet(), 0)
    assert words_of(shown)[:5] == [
        "red 5 + 6 = 11",
        "blue 10",
        "yellow 9",
        "green 2 + 7 = 9",
        "yellow and green tie: nothing for 9 or less",
    ]
    order = [(note.seat, note.words) for note in shown.notes[5:]]
    assert order == [(5, "picks as no. 1"), (3, "picks as no. 2"), (4, "picks as no. 3")]
    assert all(note.rule in ("C1", "C2") for note in shown.notes)


def test_colours_that_tie_are_told_as_one_phrase() -> None:
    tied = line(dealt("R1 Y1 G1", "R9 Y9 G9"), "R9", "Y9", "G9")
    assert words_of(seen(tied, 0))[-1] == "red, yellow and green tie: nothing for 9 or less"
    assert words_of(seen(tied, 0, "fr"))[-1] == "rouge, jaune et vert à égalité : rien à 9 ou moins"


def test_while_the_trick_is_played_the_order_is_a_forecast() -> None:
    shown = seen(line(dealt(POT, TRICK), "G7", "G2", "Y9"), 0)
    assert words_of(shown) == ["yellow 9", "green 2 + 7 = 9", "yellow and green tie: nothing for 9 or less"]
    shown = seen(line(dealt(POT, TRICK), "G7", "G2"), 0)
    assert words_of(shown) == ["green 2 + 7 = 9", "no. 1 to pick", "no. 2 to pick"]


def test_a_line_ends_in_a_sum_only_before_a_plus() -> None:
    trick = seen(line(dealt(POT, TRICK), "G7", "G2"), 0, "fr").notes[0]
    assert trick.words.split(" ") == ["vert\xa02", "+\xa07\xa0=\xa09"]


def test_cards_that_take_are_marked() -> None:
    zones = {zone.id: zone for zone in seen(sheet(), 0).zones}
    assert [zones[f"trick:{seat}"].cards[0].state for seat in range(6)] == ["", "", "", "marked", "marked", "marked"]
    assert [zones[f"trick:{seat}"].owner for seat in range(6)] == list(range(6))


def test_a_colour_is_taken_by_its_row_of_the_pot() -> None:
    shown = seen(sheet(), FRANCK)
    assert [(c.move, c.words.replace("\xa0", " "), c.cards, c.target) for c in shown.choices] == [
        ("take R", "Take red 1 + 8 = 9", [], "pot:R"),
        ("take Y", "Take yellow 4 + 7 = 11", [], "pot:Y"),
        ("take G", "Take green 6", [], "pot:G"),
        ("take B", "Take blue 4", [], "pot:B"),
    ]
    rows = {zone.id: zone for zone in shown.zones}
    assert [card.face for card in rows["pot:Y"].cards] == ["Y4", "Y7"]
    assert {card.state for card in rows["pot:Y"].cards} == {"bright"}
    assert {(card.state, card.rule) for card in rows["hand:5"].cards} == {("dim", "C6")}
    assert seen(sheet(), 0).choices == []


def test_a_card_is_played_from_the_hand() -> None:
    shown = seen(dealt("R1 Y1 G1", "R10"), 0)
    choice = next(choice for choice in shown.choices if choice.move == "play R10")
    assert (choice.words, choice.cards, choice.target) == ("Play the red 10", ["R10"], "trick:0")
    hand = next(zone for zone in shown.zones if zone.id == "hand:0")
    assert {card.state for card in hand.cards} == {"bright"}


def test_c15_captured_cards_show_a_count_only_their_owner_included() -> None:
    s = sheet("take Y", "take R")
    for seat in (*range(6), SPECTATOR):
        piles = {zone.id: zone for zone in seen(s, seat).zones if zone.id.startswith("captured")}
        assert [piles[f"captured:{owner}"].count for owner in range(6)] == [0, 0, 0, 2, 0, 2]
        assert [card.face for pile in piles.values() for card in pile.cards] == [None, None]


def test_c15_they_are_turned_up_when_the_round_has_ended() -> None:
    s = played_out(dealt("R1 Y1 G1", "", rounds=2))
    for shown in (seen(s, 1), seen(played_out(deal_round(s.copy(), "R1 Y1 G1", "")), 1)):
        piles = [zone for zone in shown.zones if zone.id.startswith("captured")]
        assert all(card.face for pile in piles for card in pile.cards)
        assert sum(pile.count for pile in piles) > 0


def test_a_trick_that_nobody_took_is_told_after_it_is_gone() -> None:
    s = line(dealt("R1 Y1 G1", "R9 Y9 G8"), "R9", "Y9", "G8")
    assert words_of(seen(s, 0)) == [
        "Last trick: red 9, yellow 9, green 8",
        "red and yellow tie: nothing for 9 or less",
    ]


def test_who_takes_and_in_which_order_is_told() -> None:
    s = dealt(POT, TRICK)
    *plays, last = [f"play {card}" for card in TRICK.split()]
    assert led(GAME, s, *plays) == []
    assert led(GAME, s, last) == [("Takers, in order: Fay, Dora and Emil.", "C2")]
    assert led(GAME, s, "take Y", "take R", "take G") == []


def test_who_takes_nothing_is_told() -> None:
    tied = dealt("R1 Y1 G1", "R9 Y9 G8")
    told = [("Personne ne prend dans le pot.", "C9")]
    assert led(GAME, tied, "play R9", "play Y9", "play G8", language="fr") == told
    poor = dealt("R1 R2 R3", "R9 Y8 G7")
    assert led(GAME, poor, "play R9", "play Y8", "play G7", "take R") == [("Nothing is left for Ben and Cleo.", "C4")]


def test_a_scene_names_no_card_that_its_viewer_may_not_know() -> None:
    s = sheet("take Y")
    for seat in (*range(6), SPECTATOR):
        faces = {card.face for zone in seen(s, seat).zones for card in zone.cards if card.face}
        others = [hand for other, hand in enumerate(s.hand) if other != seat]
        assert not faces & {text for hand in others for text in texts(hand)}
        keys = [card.key for zone in seen(s, seat).zones for card in zone.cards]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize(("totals", "leaders"), [([0, 0, 0], []), ([6, 6, 6], []), ([3, 9, 9], [1, 2])])
def test_who_leads_is_shown(totals: list[int], leaders: list[int]) -> None:
    s = dealt("R1 Y1 G1", "")
    s.total[:3] = totals
    assert (seen(s, 0).scores, seen(s, 0).leaders) == (totals, leaders)


def test_the_tally_tells_who_leads_and_who_won() -> None:
    s = played_out(dealt("R1 Y1 G1", "", rounds=2))
    told = tally(s)
    assert (told.points, told.reason, told.rule) == (s.gain[:3], "round", "O-C2")
    s = played_out(deal_round(s, "R1 Y1 G1", ""))
    s.total[:3] = [70, 70, 1]
    told = tally(s)
    assert (told.reason, told.rule, told.values["seats"], told.values["points"]) == ("match", "C12", [0, 1], 70)
    words = Words("en", "companeros")
    assert words(f"result.{told.reason}", **told.values | {"seats": "A, B"}).startswith("A, B share the victory")


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("state", "seat", "move", "rule"),
    [
        ("new", 0, "play R1", "O-C3"),
        ("lead", 1, "play R2", "C16"),
        ("lead", 0, "play G9", "C7"),
        ("lead", 0, "play O9", "C11"),
        ("lead", 0, "take R", "C2"),
        ("lead", 0, "take O", "C11"),
        ("taking", 1, "take R", "C2"),
        ("taking", 0, "play R8", "C6"),
        ("taking", 0, "play O9", "C11"),
        ("taking", 0, "take O", "C11"),
        ("taking", 0, "take Y", "C3"),
        ("taking", 0, "take B", "C6"),
        ("over", 0, "play R1", "C14"),
    ],
)
def test_a_refusal_names_its_rule(state: str, seat: int, move: str, rule: str) -> None:
    lead = dealt("R1 R2 G3 G4", "R10 Y9 G8 R9")
    s = {
        "new": lambda: GAME.new(4),
        "lead": lambda: lead,
        "taking": lambda: line(lead, "R10", "Y9", "G8", "R9"),
        "over": lambda: played_out(lead),
    }[state]()
    assert why_not(s, seat, move_of(move)) == rule  # type: ignore[arg-type]


def test_every_refused_move_gets_a_reason_in_every_language() -> None:
    s = sheet()
    states = [GAME.new(6), dealt(POT, TRICK), s, sheet("take Y"), played_out(sheet("take Y"))]
    for state in states:
        for seat in range(6):
            refused = set(range(ACTIONS)) - set(legal_moves(GAME.rules, state, seat))  # type: ignore[arg-type]
            rules = {why_not(redact(state, seat), seat, move) for move in refused}  # type: ignore[arg-type]
            assert all(f"why.{rule}" in Words(language, "companeros") for rule in rules for language in LANGUAGES)


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("language", LANGUAGES)
def test_scenes_are_told_in_every_language(language: str) -> None:
    s = GAME.new(3, given={"rounds": 2})
    for state in (s, dealt(POT, TRICK), sheet(), sheet("take Y"), played_out(dealt("R1 Y1 G1", ""))):
        for seat in (*range(3), SPECTATOR):
            shown = seen(state, seat, language)  # type: ignore[arg-type]
            assert shown.prompt
            assert all(zone.caption for zone in shown.zones)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rulebook_settles_every_rule_once(language: str) -> None:
    book = resources.files("brelan.games.companeros").joinpath(f"rulebook.{language}.md").read_text("utf-8")
    anchors = re.findall(r'<a id="([^"]+)"></a>', book)
    assert len(anchors) == len(set(anchors))
    decided = {f"C{n}" for n in range(1, 18)} | {"O-C1", "O-C2", "O-C3"}
    refusals = {key[4:] for key in catalogue(language, "companeros") if key.startswith("why.")}
    assert decided | refusals | {option.rule for option in GAME.options} <= set(anchors)
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", book, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert "Steffen Brückner" in book
    assert "HUCH! & friends" in book
