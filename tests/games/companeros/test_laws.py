"""Laws on random play: cards are conserved, views are honest, what is imagined fits what is known."""

from __future__ import annotations

from itertools import pairwise

import pytest

from brelan.cards import below, seed, shuffle
from brelan.game import legal_moves
from brelan.games.companeros import GAME
from brelan.games.companeros.policy import dearest, novice
from brelan.games.companeros.rules import State, deal, due, imagine, legal, over, play, score, wins

from .positions import a_set, dealt, line

PLAYERS = range(3, 7)


def positions(players: int, number: int, rounds: int = 2, colours: str | None = None):
    """Every state of a random match, the shuffles included."""
    given = {"rounds": rounds} | ({"colours": colours} if colours else {})
    s: State = GAME.new(players, number % players, given=given)  # type: ignore[assignment]
    random, out = [0], [0] * 60
    seed(random, number)
    while not over(s):
        yield s, random
        if count := due(s, out):
            shuffle(out, 0, count, random)
            deal(s, out)
        else:
            play(s, s.turn, out[below(random, legal(s, s.turn, out))])
    yield s, random


def moves(s: State, seat: int) -> list[int]:
    return legal_moves(GAME.rules, s, seat)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_round_is_nine_tricks_and_every_point_is_won_or_left(players: int) -> None:
    for number in range(10):
        match = [s.copy() for s, _ in positions(players, number)]
        plays = sum(after.trick.bit_count() > before.trick.bit_count() for before, after in pairwise(match))
        closing = sum(after.tricks == before.tricks + 1 for before, after in pairwise(match))
        assert closing == 2 * 9
        assert plays >= 2 * 9 * (players - 1)  # a last card may be counted at once
        last = match[-1]
        assert [score(last, seat) == max(last.total) for seat in range(players)] == [
            bool(wins(last) >> seat & 1) for seat in range(players)
        ]


def test_every_split_of_the_hidden_cards_is_imagined_alike() -> None:
    s = dealt("R1 Y1 G1", "")
    random, held = [0], [0] * 60
    seed(random, 1)
    for _ in range(2000):
        imagine(s, 0, random)
        for card in range(60):
            held[card] += s.hand[1] >> card & 1
    assert all(900 < n < 1100 for n in held if n)
    assert sum(n > 0 for n in held) == 18


def test_the_novice_takes_the_dearest_colour() -> None:
    assert dearest(a_set("R10 Y5 Y6 B9")) == 1
    s = line(dealt("Y7 Y4 R8 R1 G6 B4", "G7 G2 Y9 R5 B10 R6"), "G7", "G2", "Y9", "R5", "B10", "R6")
    assert novice(s, 5, [1]) == 61


def test_the_novice_beats_random_play() -> None:
    share = sum(shared(number) for number in range(200)) / 200
    assert share > 0.5  # a third would be chance


def shared(number: int) -> float:
    """Seat `number` % 3 plays as the novice against two that play at random; its share of the victory."""
    own = number % 3
    s: State = GAME.new(3, number // 3 % 3)  # type: ignore[assignment]
    random, out = [0], [0] * 60
    seed(random, number)
    shuffle(out, 0, due(s, out), random)
    deal(s, out)
    while not over(s):
        count = legal(s, s.turn, out)
        play(s, s.turn, novice(s, own, random) if s.turn == own else out[below(random, count)])
    return (wins(s) >> own & 1) / wins(s).bit_count()
