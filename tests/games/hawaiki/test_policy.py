"""The policy by weights: it plays a turn to its best end, says what is to be said, and knows no more than its seat."""

from __future__ import annotations

import itertools

import pytest

from brelan.cards import below
from brelan.game import BLUR, CARELESS, SHORT
from brelan.games.hawaiki import GAME, notation
from brelan.games.hawaiki.hopes import WHOLE, hopes
from brelan.games.hawaiki.policy import START, shortlist, tuned
from brelan.games.hawaiki.state import ACTING, ANSWERING, HIDING, NAMING, OVER, REHIDING, RETRYING, State
from brelan.games.hawaiki.view import redact
from brelan.play.match import Match
from tests.games.hawaiki.written import legal, say, table
from tests.tables import chance_of, generator

VARIANTS = [{}, {"one_hidden": True, "sacrifice": True, "second_chance": True}]


def choice(match: Match, weights: list[int] = START, luck: int = 1) -> str:
    seat = match.state.turn
    return notation.move_text(tuned(redact(match.state, seat), seat, weights, generator(luck)))


def changed(**weights: int) -> list[int]:
    row = START.copy()
    for name, value in weights.items():
        row[{"blur": BLUR, "careless": CARELESS}[name]] = value
    return row


def played(match: Match, most: int) -> list[str]:
    """What the seat in turn plays until another one is asked or the round is over."""
    seat, moves = match.state.turn, []
    while len(moves) < most and match.state.turn == seat and not match.due():
        moves.append(choice(match))
        say(match, moves[-1])
    return moves


def walk(players: int, options: dict[str, bool], plies: int):
    """The match before each of its first moves, played by the policy with a strong blur."""
    match, chance, random = Match(GAME, players, options=options), chance_of(9, players), generator(9)
    for _ in range(plies):
        match.deal(chance)
        if match.over:
            return
        yield match
        asked = match.asked()
        seat = asked[below(random, len(asked))]
        move = tuned(match.state, seat, changed(blur=400, careless=300), random)
        match.move(seat, notation.move_text(move))


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("options", VARIANTS, ids=["sheet", "variants"])
def test_it_is_blind_and_its_moves_are_legal(players, options):
    phases = set()
    for match in itertools.islice(walk(players, options, 240), 0, None, 2):
        phases.add(match.state.phase)
        for seat in match.asked():
            seen, out = redact(match.state, seat), [0] * SHORT
            move = tuned(seen, seat, START, generator(3))
            assert move == tuned(match.state, seat, START, generator(3))
            n = shortlist(seen, seat, START, out, generator(3))
            listed = [notation.move_text(m) for m in out[:n]]
            assert move in out[:n]
            assert set(listed) <= legal(match, seat)
            assert len(set(listed)) == n
    assert phases >= {ACTING, NAMING, ANSWERING} | ({HIDING, REHIDING, RETRYING} if options else set())


def test_a_turn_is_played_to_its_end():
    match = table("P4 G4", "O1", piles="P1|P2|P3")
    assert played(match, 1) == ["play P4 1 run"]
    say(match, "name 1")
    assert choice(match) == "thanks"
    assert choice(say(match, "thanks")) == "play G4 1"


def test_a_pair_first_keeps_a_card_less_than_a_card_at_once():
    assert choice(table("P3 B7 G6 G2", "O1 O2 O3", piles="P3|P5|G1")) == "play P3 1 pair"


def test_it_leaves_no_place_for_the_last_card_of_the_next_seat():
    match = table("G7 P5 Y1", "G1", piles="G5|O7|O6")
    match.state.known[1] = match.state.hand[1].copy()
    assert choice(match) == "play P5 1"


def test_who_has_most_tokens_draws():
    match = table("P4 B7 O2", "O1 G1 B1", "Y5 Y6 Y7", piles="P1|P2|P3")
    match.state.purse[1] = 3
    say(match, "play P4 1 run")
    assert choice(match) == "name 2"


def test_what_is_to_be_said_is_said():
    match = say(table("P3 B7", "O1 O2", "G1 G2", piles="P3|P5|G3"), "play P3 1")
    assert choice(match) == "contre"
    assert choice(say(match, "let", "let")) == "announce"


def test_a_token_is_given_for_the_rounds_end():
    hands, piles = ("G3 P3", "O1 O4"), "P1|G6 B7|O2"
    assert choice(table(*hands, piles=piles)) == "play P3 1"
    match = table(*hands, piles=piles, sacrifice=True)
    assert played(match, 3) == ["sacrifice 2", "play G3 2 run", "name 1"]
    assert choice(say(match, "thanks")) in ("play P3 1", "play P3 2")


def test_a_last_token_is_kept():
    match = table("G3 P3 B7", "O1 O4", piles="P1|G6|O2", stock="B5", second_chance=True, sacrifice=True)
    say(match, "draw")
    assert choice(match) == "again"
    match.state.purse[0] = 1
    assert choice(match) == "end"


def test_careless_is_so_often_of_a_thousand_times():
    match = say(table("P4 B7", "O1", piles="P1|P2|P3"), "play P4 1 run", "name 1")
    said = [choice(match, changed(careless=300), luck) for luck in range(1, 401)]
    assert 80 < said.count("silent") < 160
    assert said.count("silent") + said.count("thanks") == 400
    turn = table("P4 G4", "O1", piles="P1|P2|P3")
    unsaid = [choice(turn, changed(careless=300), luck) for luck in range(1, 401)].count("play P4 1")
    assert 80 < unsaid < 160


def test_blur_errs_the_less_the_dearer_the_error():
    match = table("P3 B7 G6 G2", "O1 O2 O3", piles="P3|P5|G1")
    choices = [[choice(match, changed(blur=blur), luck) for luck in range(1, 101)] for blur in (0, 50, 800)]
    best = [told.count(choices[0][0]) for told in choices]
    assert best[0] == 100
    assert best[0] >= best[1] > best[2]


def test_hopes_are_shares_of_victory():
    s = State()
    for purses in ([5, 5], [9, 1], [7, 3, 10], [10, 2, 4, 4, 1, 8]):
        s.players, s.purse[: len(purses)] = len(purses), purses
        shares = [hopes(s, seat) for seat in range(s.players)]
        assert WHOLE - s.players <= sum(shares) <= WHOLE
        assert max(shares) == shares[purses.index(max(purses))]
    s.phase = OVER
    assert [hopes(s, seat) for seat in range(6)] == [WHOLE, 0, 0, 0, 0, 0]
    s.purse[5] = 10
    assert [hopes(s, seat) for seat in (0, 5)] == [WHOLE // 2, WHOLE // 2]
