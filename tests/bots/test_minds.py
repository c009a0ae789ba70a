"""Minds: the same compiled and interpreted, and what they search begins with what they would do without a search."""

import subprocess
import sys
from dataclasses import replace
from itertools import islice
from math import ceil, floor

from brelan import bots, games
from brelan.bots import minds as thinking
from brelan.bots.levels import Mind
from brelan.bots.thinker import Thinker
from brelan.game import BLUR, CARELESS, SHORT, TUNED
from tests.bots.minds import minds
from tests.tables import Table, for_every_game, generator, tables_of, walk

GIN = games.find("gin")
STRONG = bots.find(GIN, "strong", "sheet").mind


def positions(game, tables, most, step):
    """Who is asked, in states of a match at each of so many tables: what the seat may know of it."""
    for number, table in enumerate(tables_of(game)[:tables]):
        for match in islice(walk(table, number, most), 0, None, step):
            if not match.over:
                seat = match.asked()[0]
                yield game.view.redact(match.state, seat), seat, table.preset


@for_every_game
def test_what_is_thought_is_the_same_compiled_and_interpreted(game):
    fast, slow = bots.thinker_of(game), Thinker(game, compiled=False)
    for ply, (state, seat, preset) in enumerate(positions(game, 2, 40, 13)):
        for mind in minds(game, preset):
            assert fast.found(state, seat, mind, ply) == slow.found(state, seat, mind, ply), (ply, preset, mind)


@for_every_game
def test_weights_below_nothing_mean_the_same_compiled_and_interpreted(game):
    """Such are drawn where weights are tuned."""
    fast, slow = bots.thinker_of(game), Thinker(game, compiled=False)
    odd = Mind(TUNED, tuple(-w if i > CARELESS else w for i, w in enumerate(game.policy.START)))
    for ply, (state, seat, preset) in enumerate(positions(game, 2, 40, 3)):
        assert fast.move(state, seat, odd, ply) == slow.move(state, seat, odd, ply), (ply, preset)


@for_every_game
def test_a_shortlist_begins_with_a_move_that_the_weights_call_best(game):
    """Of equal ones it may be another than is played without a search."""
    for state, seat, _ in positions(game, 4, 60, 3):
        weights, out = list(game.policy.START), [0] * max(SHORT, game.rules.ACTIONS)
        weights[BLUR] = weights[CARELESS] = 0
        game.policy.shortlist(state, seat, weights, out, generator(1))
        assert out[0] in {game.policy.tuned(state, seat, weights, generator(luck)) for luck in range(60)}


def test_a_search_ends_though_nothing_else_ends_a_round():
    """Without a cap on turns two policies of gin may take and throw for ever in an imagined hand."""
    match = "brelan.match('gin', seed=2, options={'turn_cap': 0})"
    subprocess.run([sys.executable, "-c", f"import brelan; {match}.bot('strong', moves=60)"], check=True, timeout=120)


def gains(state, seat, mind, others):
    """What moves gain in each of sixteen worlds, to a mind that takes the others to play by these weights."""
    thinker = Thinker(GIN, compiled=False)
    who = thinker.numbered([mind, replace(mind, weights=tuple(others))], state.players)
    who.how[0].others = 1
    desk = thinker.desk([state] * thinking.START, who)
    moves, totals = desk.scales.moves, desk.scales.gains
    count = thinker.game.policy.shortlist(state, seat, who.weights[0], moves, desk.random)
    found = []
    for world in range(16):
        totals[:count], desk.random[0] = [0] * count, world
        thinker.engine.twins[thinking.look](desk, who, seat, 0, count)
        found.append(totals[:count])
    return found


def test_a_mind_that_reads_looks_into_other_worlds():
    match = next(islice(walk(Table(GIN, 2), 3, 20), 17, None))
    read, not_read = (gains(match.state, match.asked()[0], replace(STRONG, reads=r), STRONG.weights) for r in (1, 0))
    assert read != not_read


def test_of_eight_worlds_the_others_play_as_novices_in_as_many_as_a_mind_says():
    """In those it does not matter by whose weights they would play; in the rest these play otherwise."""
    state, seat, _ = next(positions(GIN, 1, 1, 1))
    for simple in (0, 2, 8):
        mind = replace(STRONG, simple=simple)
        usual, odd = (gains(state, seat, mind, others) for others in (mind.weights, [-w for w in mind.weights]))
        differ = {world for world in range(16) if usual[world] != odd[world]}
        assert differ == {world for world in range(16) if world % 8 >= simple}


def searching(mind, seen):
    """Thinking, interpreted; this mind as the only one, and a desk on which it has seen so much."""
    thinker = Thinker(GIN, compiled=False)
    who = thinker.numbered([mind], 2)
    return thinker.engine.twins, who, thinker.desk([seen] * thinking.START, who, 1)


def in_gin(most):
    """Who is asked, in the first moves of a match of gin."""
    return [(match.state.copy(), match.asked()[0]) for match in islice(walk(Table(GIN, 2), 3, most), most)]


def searched(state, seat, gate):
    """The place of a search's move, that of the best one, and by how many hundredths of an error that is better."""
    twins, who, desk = searching(replace(STRONG, worlds=8, patience=99, gate=gate), state)
    move, s = twins[thinking.search](desk, who, seat, 0), desk.scales
    best = thinking.best_of(s, desk.left[thinking.COUNT])
    return s.moves.index(move), best, 100 * s.gains[best] / thinking.error(s, best, 8)


def test_a_gate_is_hundredths_of_a_standard_error():
    found = [(*one, *searched(*one, 0)[1:]) for one in in_gin(16)]
    tried = [one for one in found if one[2] and one[3] < 10**6]  # elsewhere all worlds agree
    for state, seat, best, sure in tried:
        assert [searched(state, seat, gate)[0] for gate in (floor(sure), ceil(sure))] == [best, 0]
    assert len(tried) > 1


def test_a_desk_that_was_thought_at_before_searches_as_much():
    for state, seat in in_gin(3):
        twins, who, desk = searching(replace(STRONG, worlds=4, patience=9), state)
        found = []
        for _ in range(2):
            desk.random[0] = 5
            move = twins[thinking.search](desk, who, seat, 0)
            found.append((move, list(desk.scales.gains), list(desk.left)))
        assert found[0] == found[1]


def test_the_same_move_twice_is_no_better_than_itself():
    for state, seat in in_gin(6):
        twins, who, desk = searching(STRONG, state)
        GIN.policy.shortlist(state, seat, list(STRONG.weights), desk.scales.moves, generator(1))
        desk.scales.moves[1] = desk.scales.moves[0]
        for _ in range(8):
            twins[thinking.look](desk, who, seat, 0, 2)
        assert desk.scales.squares[:2] == [0, 0]


def test_a_lead_is_over_the_best_of_the_others():
    mio = games.find("mio")
    state, lead = mio.new(3), Thinker(mio, compiled=False).engine.twins[thinking.lead]
    state.total[:3] = [50, 90, 20]
    assert [lead(state, seat) for seat in range(3)] == [-40, 40, -70]
