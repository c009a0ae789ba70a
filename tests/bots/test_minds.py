"""Minds: the same compiled and interpreted, and what they search begins with what they would do without a search."""

import subprocess
import sys
from dataclasses import replace
from itertools import islice

from brelan import bots, games
from brelan.bots import minds as thinking
from brelan.bots.levels import Mind
from brelan.bots.thinker import Thinker
from brelan.game import BLUR, CARELESS, SHORT, TUNED
from tests.bots.minds import minds
from tests.tables import for_every_game, generator, tables_of, walk


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
    thinker = Thinker(games.find("gin"), compiled=False)
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


def test_of_eight_worlds_the_others_play_as_novices_in_as_many_as_a_mind_says():
    """In those it does not matter by whose weights they would play; in the rest these play otherwise."""
    state, seat, preset = next(positions(games.find("gin"), 1, 1, 1))
    for simple in (0, 2, 8):
        mind = replace(bots.find(games.find("gin"), "strong", preset).mind, simple=simple)
        usual, odd = (gains(state, seat, mind, others) for others in (mind.weights, [-w for w in mind.weights]))
        differ = {world for world in range(16) if usual[world] != odd[world]}
        assert differ == {world for world in range(16) if world % 8 >= simple}
