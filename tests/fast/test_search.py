"""The search: legal moves, nothing changed, the same from the same seed, and better than chance."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from brelan import cards
from brelan.errors import Refusal, WrongSeat
from brelan.fast import NOVICE, RANDOM
from brelan.game import TUNED
from brelan.games import find
from tests.fast.engines import engine
from tests.tables import OF_THE_SHEETS, TABLES, for_every_game, generator, walk


def tables_of(game):
    return [table for table in TABLES if table.game is game]


@for_every_game
def test_it_makes_legal_moves_and_changes_nothing(game):
    for table in tables_of(game):
        for ply, match in enumerate(walk(table, 4, 120)):
            for seat in match.asked():
                seen = game.view.redact(match.state, seat)
                before = seen.copy()
                move = engine(game).search(seen, seat, 30, seed=ply)
                assert seen == before
                assert game.notation.move_text(move) in match.legal(seat), (str(table), ply)


@for_every_game
def test_interpreted_it_finds_the_same(game):
    for table in tables_of(game):
        for ply, match in enumerate(m for m in walk(table, 5, 9) if not m.over):
            seat, who = match.asked()[0], (RANDOM, NOVICE)[ply % 2]
            fast = engine(game).search(match.state, seat, 25, seed=ply, who=who)
            assert fast == engine(game, compiled=False).search(match.state, seat, 25, seed=ply, who=who)


@for_every_game
def test_what_it_may_not_know_does_not_matter(game):
    for table in tables_of(game):
        for ply, match in enumerate(m for m in walk(table, 6, 40) if not m.over):
            seat = match.asked()[0]
            seen = game.view.redact(match.state, seat)
            whole, redacted = (engine(game).search(state, seat, 50, seed=ply) for state in (match.state, seen))
            assert whole == redacted, (str(table), ply)


@for_every_game
def test_two_threads_may_search_at_once(game):
    match = next(iter(walk(tables_of(game)[0], 1, 1)))
    seat = match.asked()[0]
    engine(game).search(match.state, seat, 1, seed=0)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: engine(game).search(match.state, seat, 500, seed=9), range(8)))
    assert len(set(found)) == 1


@for_every_game
def test_a_seat_that_is_not_asked_is_refused(game):
    state = game.new(game.seats[0])
    with pytest.raises(WrongSeat, match="not asked"):
        engine(game).search(state, 0, 10, seed=0)


def test_no_simulations_and_no_such_seat_are_refused():
    """Interpreted, for nothing comes to be played: without a simulation the tree names no move."""
    fast = engine(find("gin"), compiled=False)
    state = next(iter(walk(tables_of(fast.game)[0], 1, 1))).state
    for simulations in (0, -1):
        with pytest.raises(Refusal, match="“simulations” must be at least 1"):
            fast.search(state, state.turn, simulations, seed=0)
    for seat in (-1, 2):
        with pytest.raises(WrongSeat, match=f"no seat {seat}; seats are 0 to 1"):
            fast.search(state, seat, 10, seed=0)
    with pytest.raises(Refusal, match="“who” may not be “2”"):
        fast.search(state, state.turn, 10, seed=0, who=TUNED)


def won(game, number):
    """The share of a match that a searching seat wins against random ones."""
    rules, fast, random = game.rules, engine(game), generator(number)
    players, me = game.seats[0], number % game.seats[0]
    s, out = game.new(players, number // players % players), [0] * (rules.ACTIONS + rules.DECK)
    while not rules.over(s):
        if count := rules.due(s, out):
            cards.shuffle(out, 0, count, random)
            rules.deal(s, out[:count])
        elif rules.asked(s) >> me & 1:
            rules.play(s, me, fast.search(s, me, 200, random[0] & 0xFFFF))
        else:
            seat = cards.lowest(rules.asked(s))
            rules.play(s, seat, out[cards.below(random, rules.legal(s, seat, out))])
    return (rules.wins(s) >> me & 1) / rules.wins(s).bit_count()


@for_every_game
def test_it_beats_chance(game):
    """Of a game that has just begun by less: in a short one luck decides much."""
    matches = 24
    share = sum(won(game, number) for number in range(matches)) / matches
    assert share >= (1.6 if game.id in OF_THE_SHEETS else 1.4) / game.seats[0], share
