"""What each seat of gin may know, hears, is refused and is shown."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from brelan.cards import HIDDEN, SPECTATOR, popcount
from brelan.errors import Unreadable
from brelan.game import legal_moves
from brelan.games.gin import GAME, notation
from brelan.games.gin.melds import deadwood
from brelan.games.gin.rules import ACTIONS, KNOCKED, OVER, SHUFFLE, VOID, State, imagine
from brelan.games.gin.view import heard, redact, scene, table, why_not, zones
from brelan.play.match import Match, told
from brelan.play.told import move_told
from brelan.words import LANGUAGES, Words

from .written import DECK, idle, legal, mask, say, texts
from .written import table as dealt

GIN = "3s 4s 5s 8h 8d 8c Qd Qh Qc Qs"
MINE = "3s 4s 5s 8h 8d 8c Qd Qh Qc 5d"
THEIRS = "As 9s 2h 9h Kh 4d 7d Kd 3c Jc"
CLASSIC = {"upcard_offer": True, "gin_on_ten": True, "big_gin_bonus": 31}


def random_states(preset: str, seed: int, most: int = 1500, **options) -> Iterator[State]:
    """Every state of random play, also between hands and at the end; hands are often ended where they may be."""
    chance = random.Random(seed)
    match = Match(GAME, 2, seed % 2, preset, options)
    for _ in range(most):
        yield match.state
        if match.over:
            return
        if match.due():
            match.shuffle(chance.sample(DECK, 52))
        else:
            moves = legal(match)
            ends = [move for move in moves if move.startswith(("knock", "gin"))]
            say(match, chance.choice(ends if ends and chance.random() < 0.5 else moves))


WALKS = [
    ("sheet", {"target": 60}),
    ("classic", {"target": 60}),
    ("sheet", {"stock_end": 22, "knock_limit": 35, "target": 400}),
]
walks = pytest.mark.parametrize(("preset", "options"), WALKS, ids=["sheet", "classic", "loose"])

# ---------------------------------------------------------------- knowledge


def dealt_anew(s: State, seat: int, chance: random.Random) -> State:
    """The same with all cards that `seat` may not know exchanged among their places (SPECTATOR: both hands)."""
    other = s.copy()
    owners = [owner for owner in range(2) if owner != seat]
    open_hands = s.phase == SHUFFLE and s.ended != VOID
    secret = [0 if open_hands else s.hand[owner] & ~s.known[owner] for owner in owners]
    places = list(range(s.next, 52))
    cards = [card for part in secret for card in range(52) if part >> card & 1] + [s.stock[place] for place in places]
    chance.shuffle(cards)
    for owner, part in zip(owners, secret, strict=True):
        other.hand[owner] &= ~part
        for _ in range(popcount(part)):
            other.hand[owner] |= 1 << cards.pop()
    for place in places:
        other.stock[place] = cards.pop()
    return other


@walks
def test_a_view_does_not_depend_on_what_its_seat_may_not_know(preset, options):
    chance, words = random.Random(1), Words("en", "gin")
    changed = 0
    for s in random_states(preset, 3, **options):
        if s.phase == OVER or (s.phase == SHUFFLE and not s.finished):
            continue
        for seat in (0, 1, SPECTATOR):
            other = dealt_anew(s, seat, chance)
            changed += other != s
            assert redact(other, seat) == redact(s, seat)
            assert scene(redact(other, seat), seat, words) == scene(redact(s, seat), seat, words)
    assert changed > 500


def test_a_card_thrown_face_down_is_known_to_its_owner_only_and_the_next_hand_tells_nothing_of_it():
    ends, (preset, options) = set(), WALKS[2]
    for s in random_states(preset, 3, **options):
        if s.phase == OVER:
            continue
        for seat in (0, 1, SPECTATOR):
            discards = redact(s, seat).discards
            assert not any(discards[s.thrown :]), "what lay there before is no business of this hand"
            if s.phase == SHUFFLE and s.finished:
                ends.add(s.ended)
                hidden = s.ended != VOID and seat != s.ender
                assert discards[s.thrown - 1] == (HIDDEN if hidden else s.discards[s.thrown - 1])
    assert {VOID, KNOCKED} < ends


def test_big_gin_throws_nothing_and_hides_nothing():
    s = say(dealt(GIN, THEIRS, "6s", preset="classic", **CLASSIC), "take", "gin").state
    assert HIDDEN not in redact(s, 1).discards


@walks
def test_imagined_states_are_whole_and_agree_with_what_the_seat_knows(preset, options):
    for s in random_states(preset, 4, **options):
        for seat in (0, 1):
            seen = redact(s, seat)
            for start in (s, seen):
                world = start.copy()
                imagine(world, seat, [7])
                assert redact(world, seat) == seen
                assert sorted(card for cards in zones(world).values() for card in cards) == list(range(52))


@walks
def test_legal_moves_and_refusals_are_the_same_from_what_a_seat_knows(preset, options):
    for s in random_states(preset, 5, most=300, **options):
        for seat in (0, 1):
            seen = redact(s, seat)
            moves = legal_moves(GAME.rules, s, seat)
            assert legal_moves(GAME.rules, seen, seat) == moves
            for move in set(range(ACTIONS)) - set(moves):
                assert why_not(seen, seat, move) == why_not(s, seat, move)


def test_a_card_taken_stays_known_until_it_is_thrown():
    match = say(dealt(MINE, THEIRS, "6s"), "take", "discard 5d")
    assert texts(redact(match.state, 1).hand[0]) == texts(redact(match.state, SPECTATOR).hand[0]) == ["6s"]
    say(match, "draw", "discard Kh", "draw", "discard 6s")
    assert redact(match.state, 1).hand[0] == 0


def test_a_void_hand_stays_hidden_and_a_hand_that_ended_lies_open():
    void = idle(dealt(MINE, THEIRS, "2c", turn_cap=1), 1)
    assert redact(void.state, 1).hand[0] == 0
    knocked = say(dealt(MINE, THEIRS, "2c", "6c"), "draw", "knock 6c")
    for viewer in (0, 1, SPECTATOR):
        assert redact(knocked.state, viewer).hand == [mask(MINE), mask(THEIRS)]


def test_the_card_thrown_face_down_is_known_to_its_owner_only():
    match = say(dealt(MINE, THEIRS, "2c", "6c"), "draw", "knock 6c")
    tops = [table(redact(match.state, viewer))["discards"][-1] for viewer in (0, 1, SPECTATOR)]
    assert tops == [notation.card_of("6c"), HIDDEN, HIDDEN]


def test_nothing_is_hidden_once_the_match_is_over():
    match = say(dealt(MINE, THEIRS, "2c", "6c", target=1), "draw", "knock 6c")
    assert redact(match.state, SPECTATOR) == match.state


@pytest.mark.parametrize(
    ("text", "to_others"),
    [
        ("draw", "draw"),
        ("take", "take"),
        ("pass", "pass"),
        ("discard 7h", "discard 7h"),
        ("knock 7h", "knock ?"),
        ("gin", "gin"),
        ("gin 7h", "gin ?"),
    ],
)
def test_what_others_hear_of_a_move(text, to_others):
    move = notation.move_of(text)
    assert [heard(move, 0, viewer) for viewer in (0, 1, SPECTATOR)] == [text, to_others, to_others]


# ---------------------------------------------------------------- refusals

REFUSALS = [
    # options, moves so far, refused move, rule
    ({}, "", "pass", "G4"),
    ({}, "", "discard 5d", "O-G1"),
    ({}, "", "gin", "O-G1"),
    ({}, "draw", "draw", "O-G1"),
    ({}, "draw", "take", "O-G1"),
    ({}, "draw", "pass", "O-G1"),
    ({}, "draw", "discard As", "G1"),
    ({}, "draw", "knock As", "G1"),
    ({}, "draw", "gin As", "G1"),
    ({}, "draw", "knock 3s", "G6"),
    ({}, "draw", "gin", "G7"),
    ({}, "draw", "gin 5d", "G7"),
    ({}, "take", "discard 2c", "G5"),
    ({}, "take", "knock 2c", "G5"),
    (CLASSIC, "", "draw", "O-G4"),
    (CLASSIC, "", "discard 5d", "O-G4"),
    (CLASSIC, "pass", "draw", "O-G4"),
    (CLASSIC, "pass pass", "take", "O-G4"),
    (CLASSIC, "pass pass", "pass", "O-G4"),
    (CLASSIC, "take", "gin", "O-G2"),
    (CLASSIC, "take", "gin 5d", "O-G3"),
    (CLASSIC, "take", "gin 2c", "G5"),
    (CLASSIC | {"big_gin_bonus": 0}, "take", "gin", "O-G2"),
]


@pytest.mark.parametrize(("options", "moves", "refused", "rule"), REFUSALS)
def test_every_kind_of_refusal_names_its_rule(options, moves, refused, rule):
    match = say(dealt(MINE, THEIRS, "2c", "6c", **options), *moves.split())
    assert refused not in legal(match)
    assert why_not(match.state, match.asked()[0], notation.move_of(refused)) == rule


def test_refusals_where_nobody_or_another_is_asked():
    match = dealt(MINE, THEIRS, "2c", "6c", target=1)
    assert why_not(match.state, 1, notation.move_of("draw")) == "O-G1"
    say(match, "draw", "knock 6c")
    assert why_not(match.state, 0, notation.move_of("draw")) == "G16"
    assert why_not(Match(GAME, 2).state, 0, notation.move_of("draw")) == "G14"


@pytest.mark.parametrize("language", LANGUAGES)
@walks
def test_every_refusal_has_words_and_every_word_is_needed(preset, options, language):
    words = Words(language, "gin")
    for s in random_states(preset, 6, most=200, **options):
        for seat in (0, 1):
            for move in set(range(ACTIONS)) - set(legal_moves(GAME.rules, s, seat)):
                assert words(f"why.{why_not(s, seat, move)}")
    named = {rule for *_, rule in REFUSALS} | {"G14", "G16"}
    assert named == {key.removeprefix("why.") for key in words._sentences if key.startswith("why.")}


# ---------------------------------------------------------------- notation


def test_cards_and_moves_are_read_back_from_their_texts():
    assert [notation.card_of(notation.card_text(card)) for card in range(52)] == list(range(52))
    assert [notation.move_of(notation.move_text(move)) for move in range(ACTIONS)] == list(range(ACTIONS))
    assert len({notation.move_text(move) for move in range(ACTIONS)}) == ACTIONS
    assert notation.card_text(HIDDEN) == "?"


@pytest.mark.parametrize("text", ["?", "", "7", "7x", "10h", "7H", "7h "])
def test_what_is_no_card_is_unreadable(text):
    with pytest.raises(Unreadable):
        notation.card_of(text)


# ---------------------------------------------------------------- the scene


def seen(match: Match, seat: int, language: str = "en"):
    return scene(redact(match.state, seat), seat, Words(language, "gin"))


def zone(found, name: str):
    return next(zone for zone in found.zones if zone.id == name)


@pytest.mark.parametrize("language", LANGUAGES)
@walks
def test_scenes_offer_the_legal_moves_and_say_why_the_rest_is_shut(preset, options, language):
    words = Words(language, "gin")
    for s in random_states(preset, 7, most=400, **options):
        for seat in (0, 1, SPECTATOR):
            found = scene(redact(s, seat), seat, words)
            offered = [choice for choice in found.choices if not choice.why]
            legal = [notation.move_text(move) for move in legal_moves(GAME.rules, s, seat)]
            best = [c for c in offered if not c.cards and c.move.startswith(("knock ", "gin "))]
            assert [choice.move for choice in offered if choice not in best] == legal
            assert [choice.move for choice in best] == best_endings(s, legal)
            assert all(choice.rule for choice in found.choices if choice.why)
            cards = [card for zone in found.zones for card in zone.cards]
            assert all(card.why and card.rule for card in cards if card.state == "dim")
            assert {key for choice in offered for key in choice.cards} <= {card.key for card in cards if card.face}
            assert len({card.key for card in cards}) == len(cards)


def best_endings(s, legal):
    """The first of the moves that end the hand with least deadwood by throwing a card, if there is one."""
    endings = [move for move in legal if move.startswith(("knock ", "gin "))]
    left = {move: deadwood(s, s.hand[s.turn] ^ 1 << notation.card_of(move.split()[1])) for move in endings}
    return sorted(endings, key=left.get)[:1]


def test_the_card_taken_is_dim_and_says_why():
    found = seen(say(dealt(MINE, THEIRS, "6s"), "take"), 0)
    states = {card.face: (card.state, card.rule) for card in zone(found, "hand:0").cards}
    assert states.pop("6s") == ("dim", "G5")
    assert set(states.values()) == {("bright", None)}


def test_a_knock_out_of_reach_is_shown_shut_with_what_it_lacks():
    found = seen(say(dealt(THEIRS, MINE, "2c", "6c"), "draw"), 0)
    shut = [choice for choice in found.choices if choice.why]
    assert [(choice.move, choice.rule) for choice in shut] == [("knock", "G6")]
    assert shut[0].why == "Your best discard leaves 61: more than 10."  # 65 and the 6, without a king


def test_melds_stand_together_and_the_rest_behind_them():
    found = zone(seen(dealt("As Qs Ks 4h 4d 4c 9d 2c 6c Jc", "", "2d"), 0), "hand:0").cards
    assert [(card.face, card.group) for card in found] == [
        *((face, 1) for face in ("4h", "4d", "4c")),
        *((face, 2) for face in ("Qs", "Ks", "As")),
        *((face, 0) for face in ("9d", "2c", "6c", "Jc")),
    ]


def test_before_the_first_deal_the_scene_shows_a_stock_face_down():
    found = seen(Match(GAME, 2), 0)
    assert [(z.id, z.count, [card.face for card in z.cards]) for z in found.zones] == [
        ("stock", 52, [None]),
        ("discards", 0, []),
        ("hand:0", 0, []),
        ("hand:1", 0, []),
    ]


def test_between_two_hands_both_lie_open_with_what_layoffs_left():
    match = say(dealt(MINE, "2s 6s 7s 8s Qs Kh 4d Kd 3c Jc", "2c", "6c"), "draw", "knock 6c")
    found = seen(match, SPECTATOR)
    assert [note.words for note in found.notes] == [
        "Deadwood 5",
        "Lays off the 2 of spades, the queen of spades: deadwood 37",
    ]
    assert {card.face for card in zone(found, "hand:0").cards} == set(MINE.split())
    assert zone(found, "discards").cards[-1].face is None


def test_a_choice_names_its_card_in_the_viewers_language():
    match = dealt(MINE, THEIRS, "Ah")
    assert [choice.words for choice in seen(match, 0).choices] == ["Draw from the stock", "Take the ace of hearts"]
    assert [choice.words for choice in seen(match, 0, "fr").choices] == ["Piocher", "Prendre l’as de cœur"]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Anna takes the ace of hearts from the discards."), ("fr", "Anna prend l’as de cœur dans la défausse.")],
)
def test_a_card_that_is_taken_is_told_by_its_name(language, sentence):
    more = told(GAME, dealt(MINE, THEIRS, "Ah").state, notation.move_of("take"))
    assert move_told(GAME, ["Anna", "Ben"], "take", "Anna", Words(language, "gin"), more) == sentence


@pytest.mark.parametrize(
    ("moves", "prompts"),
    [
        ("", ("offer", "wait", "wait")),
        ("pass", ("wait", "offer", "wait")),
        ("pass pass", ("must_draw", "wait", "wait")),
        ("take", ("throw_or_end", "wait", "wait")),
        ("take gin", ("over", "over", "over")),
    ],
)
def test_the_prompt_says_what_is_asked_of_the_viewer(moves, prompts):
    match = say(dealt(GIN, THEIRS, "6s", target=1, **CLASSIC), *moves.split())
    words = Words("en", "gin")
    assert [seen(match, viewer).prompt for viewer in (0, 1, SPECTATOR)] == [words(f"prompt.{p}") for p in prompts]


def test_nobody_is_asked_to_end_a_hand_who_cannot():
    """The knock that is still shut says why; it is no choice."""
    assert seen(say(dealt("2s 6s 7s Qs 4h Kh 4d Kd 3c Jc", MINE, "9h"), "draw"), 0).prompt == "Discard a card."


def test_what_ends_the_hand_asks_once_more():
    found = seen(say(dealt(GIN, THEIRS, "6s"), "take"), 0)
    assert {choice.move.split()[0] for choice in found.choices if choice.confirm} == {"gin", "knock"}
    assert all(choice.target == "discards" for choice in found.choices if not choice.confirm)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ending_has_a_sentence(language):
    words = Words(language, "gin")
    sentences = {key: sentence for key, sentence in words._sentences.items() if key.startswith("result.")}
    reasons = {"void", "turns", "knocked", "undercut", "ginned", "big_ginned"}
    assert sentences.keys() == {f"result.{reason}" for reason in reasons}
    for key in sentences:
        assert "{" not in words(key, ender="Anna", other="Bob", points=12, left=3, answer=15)


@pytest.mark.parametrize(
    ("options", "drawn", "move", "expected"),
    [
        ({}, "6s", "gin", ("ginned", "G8", 0, 1, 90)),
        ({"gin_on_ten": True}, "6c", "gin 6c", ("ginned", "G8", 0, 1, 90)),
        ({"gin_on_ten": True, "big_gin_bonus": 31}, "6s", "gin", ("big_ginned", "O-G2", 0, 1, 96)),
        ({}, "6c", "knock 6c", ("knocked", "G10", 0, 1, 65)),
        ({"turn_cap": 1}, "6c", "discard 6c", ("turns", "O-G6", 0, 1, 0)),
        ({"stock_end": 30}, "6c", "discard 6c", ("void", "G13", 0, 1, 0)),
    ],
)
def test_the_tally_tells_who_ended_the_hand_how_and_by_which_rule(options, drawn, move, expected):
    tally = say(dealt(GIN, THEIRS, "2c", drawn, **options), "draw", move).tallies[-1]
    values = tally.values
    assert (tally.reason, tally.rule, values["ender"], values["other"], values["points"]) == expected
