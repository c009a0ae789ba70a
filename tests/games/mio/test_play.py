"""Mio at random, at every number of seats and with several decks: the laws, and a second opinion at each step."""

import pytest

from brelan import cards
from brelan.cards import HIDDEN, SPECTATOR
from brelan.games.mio import GAME, notation
from brelan.play.match import Match
from brelan.words import Words
from tests.games.mio.oracle import Oracle
from tests.games.mio.written import full_deck
from tests.tables import chance_of, generator

DECKS = [[1, 2, 2, 2, 2, 1], [2, 2, 2, 1, 1, 2], [1, 1, 1, 1, 1, 5], [0, 0, 0, 0, 0, 10], [10, 0, 0, 0, 0, 0]]

at_every_table = pytest.mark.parametrize("deck", DECKS, ids=str)
with_seats = pytest.mark.parametrize("players", GAME.seats)


def walk(players, deck, seed, most=400):
    """The match before each of its first moves; random play and the novice take turns, round by round."""
    match = Match(GAME, players, seed % players, options={"deck": deck})
    chance, random = chance_of(seed, players), generator(seed)
    match.deal(chance)
    for _ in range(most):
        if match.over:
            break
        yield match
        seat = match.state.turn
        texts = match.legal(seat)
        if (match.state.finished + seed) % 2:
            text = texts[cards.below(random, len(texts))]
        else:
            text = notation.move_text(GAME.policy.novice(GAME.view.redact(match.state, seat), seat, random))
        match.move(seat, text)
        match.deal(chance)
    yield match


@with_seats
@at_every_table
def test_the_engine_and_the_second_opinion_agree_on_every_line(players, deck):
    for seed in range(6):
        oracle, done, asked = Oracle(players, seed % players, 100), 0, []
        for match in walk(players, deck, seed, most=2000):
            for line in match.lines[done:]:
                if "shuffle" in line:
                    oracle.shuffle(line["shuffle"])
                else:
                    assert line["move"] in asked
                    oracle.move(line["move"])
            done = len(match.lines)
            assert oracle.scores == match.scores
            assert oracle.over == match.over
            if not match.over:
                asked = match.legal(oracle.turn)
                assert len(asked) == len(set(asked))
                assert set(asked) == oracle.legal()
                assert match.asked() == [oracle.turn]
        assert match.over
        assert match.winners == [i for i, total in enumerate(match.scores) if total == min(match.scores)]


@with_seats
@at_every_table
def test_every_card_is_somewhere_once_at_every_step(players, deck):
    whole = sorted(full_deck(deck))
    for match in walk(players, deck, 3):
        zones = GAME.view.zones(match.state)
        assert sorted(notation.card_text(card) for held in zones.values() for card in held) == whole
        for seat in range(players):
            owned = zones[f"hand:{seat}"]
            assert match.state.size[seat] == len(owned)
            assert match.state.held[seat] == sum(1 << card for card in set(owned))


@with_seats
@at_every_table
def test_a_seat_sees_its_own_cards_and_only_counts_of_the_others(players, deck):
    for match in walk(players, deck, 4, most=150):
        if match.over:
            continue
        true = GAME.view.zones(match.state)
        for viewer in [*range(players), SPECTATOR]:
            seen = GAME.view.zones(GAME.view.redact(match.state, viewer))
            for zone, held in seen.items():
                known = zone == "discards" or zone.endswith(f":{viewer}")
                assert held == (true[zone] if known else [HIDDEN] * len(true[zone]))


@with_seats
@at_every_table
def test_imagined_worlds_agree_with_what_is_known_and_with_nothing_else(players, deck):
    random, words = generator(8), Words("fr", "mio")
    whole, differ = sorted(full_deck(deck)), 0
    for match in walk(players, deck, 5, most=80):
        for viewer in range(players) if not match.over else []:
            seen = GAME.view.redact(match.state, viewer)
            world = seen.copy()
            GAME.rules.imagine(world, viewer, random)
            other = match.state.copy()
            GAME.rules.imagine(other, viewer, random)
            differ += other != match.state
            for made in (world, other):
                zones = GAME.view.zones(made)
                assert GAME.view.redact(made, viewer) == seen
                assert sorted(notation.card_text(card) for held in zones.values() for card in held) == whole
                assert made.drawn == HIDDEN or made.hand[made.turn][made.drawn]
            scenes = [GAME.view.scene(GAME.view.redact(s, viewer), viewer, words) for s in (other, match.state)]
            assert scenes[0] == scenes[1]
    assert differ


@with_seats
def test_equal_generators_imagine_the_same_from_the_state_and_from_the_view(players):
    for match in walk(players, DECKS[0], 6, most=80):
        for viewer in range(players) if not match.over else []:
            full, view = match.state.copy(), GAME.view.redact(match.state, viewer)
            GAME.rules.imagine(full, viewer, generator(1))
            GAME.rules.imagine(view, viewer, generator(1))
            assert GAME.view.zones(full) == GAME.view.zones(view)


@with_seats
@at_every_table
def test_the_scene_offers_every_legal_move_with_mio_and_without(players, deck):
    words = Words("en", "mio")
    for match in walk(players, deck, 7, most=150):
        for seat in range(players):
            scene = GAME.view.scene(GAME.view.redact(match.state, seat), seat, words)
            offered = {choice.move for choice in scene.choices}
            meant = {notation.move_text(notation.meant(match.state, seat, notation.move_of(m))) for m in offered}
            assert meant == set(match.legal(seat)) <= offered
            plays = {move for move in offered if move.startswith("play") and not move.endswith("mio")}
            assert {f"{move} mio" for move in plays} == {move for move in offered if move.endswith("mio")}
            check_cards(scene, match, seat)


def check_cards(scene, match, seat):
    """Keys stand once; whoever is asked sees each own card bright, or dim with a reason."""
    known = {card.key: card for zone in scene.zones for card in zone.cards}
    assert len(known) == sum(len(zone.cards) for zone in scene.zones)
    offered = {key for choice in scene.choices for key in choice.cards}
    assert offered == {key for key, card in known.items() if card.state == "bright"}
    for zone in scene.zones:
        for card in zone.cards if zone.owner == seat and seat in match.asked() else []:
            assert card.state == "bright" or (card.state == "dim" and card.why and card.rule)


@with_seats
@at_every_table
def test_the_novice_says_mio_and_plays_legal_moves_only(players, deck):
    random = generator(9)
    for match in walk(players, deck, 8):
        for seat in match.asked():
            move = GAME.policy.novice(GAME.view.redact(match.state, seat), seat, random)
            texts = match.legal(seat)
            assert notation.move_text(move) in texts
            assert f"{notation.move_text(move)} mio" not in texts


def test_every_card_and_move_is_read_back():
    for card in range(31):
        assert notation.card_of(notation.card_text(card)) == card
    for move in range(GAME.rules.ACTIONS):
        assert notation.move_of(notation.move_text(move)) == move
    assert set(full_deck([1] * 6)) == {notation.card_text(card) for card in range(31)}


@pytest.mark.parametrize("text", ["R6", "r1", "O1", "J R", "*", "", "?"])
def test_what_is_no_card_is_unreadable(text):
    with pytest.raises(ValueError, match="is not a card"):
        notation.card_of(text)
