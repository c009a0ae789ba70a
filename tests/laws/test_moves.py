"""Laws of moves: legal moves can be played and written down, others are refused and change nothing."""

import random as chance

import pytest

from brelan.errors import Illegal, Refusal, Unreadable, WrongSeat
from brelan.words import LANGUAGES, Words
from tests.tables import at_every_table, for_every_game, walk

PLIES = 120


@at_every_table
def test_whoever_is_asked_has_a_legal_move_and_nobody_else_has(table):
    for match in walk(table, 1, PLIES):
        asked = match.asked()
        assert bool(asked) != match.over
        for seat in range(match.players):
            assert bool(match.legal(seat)) == (seat in asked)


@at_every_table
def test_legal_moves_have_unique_texts_that_are_read_back(table):
    notation = table.game.notation
    for match in walk(table, 2, PLIES):
        for seat in match.asked():
            texts = match.legal(seat)
            assert len(set(texts)) == len(texts)
            assert [notation.move_text(notation.move_of(text)) for text in texts] == texts


@for_every_game
def test_every_move_is_read_back_from_its_text(game):
    texts = [game.notation.move_text(move) for move in range(game.rules.ACTIONS)]
    assert len(set(texts)) == len(texts)
    for move, text in enumerate(texts):
        assert text == " ".join(text.split())
        assert game.notation.move_of(text) == move


@pytest.mark.parametrize(
    "text", ["", " ", "draw ", " draw", "fly", "discard  7h", "DRAW", "discard", "play", "ß", "draw\n"]
)
@for_every_game
def test_what_is_no_move_is_unreadable(game, text):
    with pytest.raises(Unreadable):
        game.notation.move_of(text)


@at_every_table
def test_any_other_move_is_refused_by_a_rule_with_words_for_it_and_changes_nothing(table):
    picks = chance.Random(3)
    words = [Words(language, table.game.id) for language in LANGUAGES]
    for match in walk(table, 3, PLIES):
        before, lines = match.state.copy(), len(match.lines)
        for _ in range(6):
            seat = picks.randrange(match.players)
            text = table.game.notation.move_text(picks.randrange(table.game.rules.ACTIONS))
            if not may(match, seat, text):
                with pytest.raises((Illegal, WrongSeat)) as refused:
                    match.move(seat, text)
                assert match.state == before
                assert len(match.lines) == lines
                assert all(w.refusal(refused.value) for w in words)
        for seat in match.asked():
            check_every_refusal_is_named(match, seat, words, picks)


def may(match, seat, text):
    """Whether the text means a legal move of the seat."""
    meant = match.game.notation.meant(match.state, seat, match.game.notation.move_of(text))
    return match.game.notation.move_text(meant) in match.legal(seat)


def check_every_refusal_is_named(match, seat, words, picks):
    game = match.game
    legal = set(match.legal(seat))
    for move in picks.sample(range(game.rules.ACTIONS), min(25, game.rules.ACTIONS)):
        text = game.notation.move_text(move)
        meant = game.notation.meant(match.state, seat, move)
        if game.notation.move_text(meant) not in legal:
            rule = game.view.why_not(match.state, seat, move)
            assert all(f"why.{rule}" in w for w in words), (text, rule)


@at_every_table
def test_a_seat_that_is_not_at_the_table_is_refused(table):
    match = next(walk(table, 4, 1))
    text = match.legal(match.asked()[0])[0]
    for seat in (-1, match.players, True, None, "0", 0.0):
        with pytest.raises(Refusal):
            match.move(seat, text)
