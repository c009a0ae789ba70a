"""The learned value: a net reads what its seat sees and nothing else, and a search that asks it plays by it."""

import io
from dataclasses import replace

import numpy as np
import pytest

from brelan import cards, games
from brelan.bots import thinker, values
from brelan.bots.levels import Mind, net_of
from brelan.bots.thinker import Thinker, how_of
from brelan.errors import Refusal
from brelan.game import TUNED
from brelan.pieces import size_of

GAME = games.find("companeros")
SEEN = size_of(GAME.observation.PIECES, 3)
HAND = sum(piece.size(3) for piece in GAME.observation.PIECES[:5])
"""Where the viewer's cards stand in an observation."""


def by_hand(game, **changed):
    return replace(Mind(TUNED, tuple(game.policy.START)), **changed)


@pytest.fixture(scope="module")
def mind_reader():
    return Thinker(GAME, compiled=False)


def dealt():
    state, stock, random = GAME.new(3), [0] * GAME.rules.DECK, [5]
    n = GAME.rules.due(state, stock)
    cards.shuffle(stock, 0, n, random)
    GAME.rules.deal(state, stock)
    return state


def net(units=2):
    """Knows nothing, and answers 0."""
    rows = np.zeros((SEEN + values.LAYERS, units), np.int16)
    rows[SEEN + values.LAST, 1] = 1
    return rows


def told(mind_reader, state, seat, rows):
    room = [[0] * (SEEN + 1) for _ in range(values.ROOM)]
    return mind_reader.engine.twins[values.hope](state, seat, rows.tolist(), room)


def test_a_net_adds_columns_holds_the_sums_and_weighs_them(mind_reader):
    state, rows = dealt(), net()
    rows[HAND : HAND + 60, 0] = 100
    rows[HAND : HAND + 60, 1] = -values.ONE
    rows[SEEN + values.BIASES] = 50, values.ONE // 2
    rows[SEEN + values.OUTPUT] = 8, 1000
    rows[SEEN + values.LAST] = 3, 7
    assert told(mind_reader, state, 0, rows) == 7 * (3 * values.ONE + 8 * (50 + 9 * 100)) // values.ONE
    rows[HAND : HAND + 60, 0] = values.ONE
    assert told(mind_reader, state, 0, rows) == 7 * (3 + 8)


def test_a_net_is_blind_to_what_its_seat_may_not_know(mind_reader):
    state, random = dealt(), np.random.default_rng(1)
    rows = random.integers(-500, 500, (SEEN + values.LAYERS, 8)).astype(np.int16)
    for seat in range(3):
        assert told(mind_reader, state, seat, rows) == told(mind_reader, GAME.view.redact(state, seat), seat, rows)


class File:
    """A net's file."""

    def __init__(self, rows):
        out = io.BytesIO()
        np.savez(out, net=rows)
        self.read_bytes = out.getvalue


def test_a_search_that_asks_a_net_plays_by_it(mind_reader, monkeypatch):
    state = dealt()
    own = by_hand(GAME, worlds=2, gate=0, values="g", depth=0)
    usual = mind_reader.move(state, 0, by_hand(GAME), 1)
    hated = max(card for card in range(60) if state.hand[0] >> card & 1 and card != usual)
    rows = net()
    rows[HAND + hated, 0] = -values.ONE
    rows[SEEN + values.BIASES, 0] = values.ONE
    rows[SEEN + values.OUTPUT, 0] = 1000
    file = File(rows)
    monkeypatch.setattr(thinker, "net_of", lambda game, name, players: file if name else None)
    assert mind_reader.move(state, 0, own, 1) == hated


def test_a_net_may_have_more_units_than_a_seat_sees_numbers(mind_reader, monkeypatch):
    file = File(net(units=1000))
    monkeypatch.setattr(thinker, "net_of", lambda game, name, players: file if name else None)
    own = by_hand(GAME, worlds=2, gate=0, values="g", depth=0)
    assert mind_reader.move(dealt(), 0, own, 1) == mind_reader.move(dealt(), 0, by_hand(GAME), 1)


@pytest.mark.parametrize("height", [1, SEEN + values.LAYERS - 1, SEEN + values.LAYERS + 1])
def test_a_net_of_another_table_is_not_asked(height, mind_reader, monkeypatch):
    file = File(np.zeros((height, 2), np.int16))
    refused_net(file, mind_reader, monkeypatch)


def test_a_spoilt_net_is_not_asked(mind_reader, monkeypatch):
    file = File(net())
    whole = file.read_bytes()
    file.read_bytes = lambda: whole[:100]
    refused_net(file, mind_reader, monkeypatch)


def refused_net(file, mind_reader, monkeypatch):
    monkeypatch.setattr(thinker, "net_of", lambda game, name, players: file if name else None)
    with pytest.raises(Refusal) as refused:
        mind_reader.move(dealt(), 0, by_hand(GAME, worlds=2, gate=0, values="g", depth=0), 1)
    assert refused.value.key == "net_other"


def test_a_table_without_a_net_of_its_own_is_played_out():
    assert net_of(GAME, "", 3) is None
    assert net_of(GAME, "no such net", 3) is None
    assert how_of(Mind(depth=5), 0, asks=False).depth == -1
    assert how_of(Mind(depth=5), 0, asks=True).depth == 5
    assert [how_of(Mind(depth=5, hopes=0), 0, asks).hopes for asks in (True, False)] == [1, 0]  # nets know no points


def test_positions_are_taken_as_a_seat_sees_them_and_played_out(mind_reader):
    engine, weights = mind_reader.engine, list(GAME.policy.START)
    starts = [GAME.new(3, seat) for seat in range(3)]

    def gathered(part):
        states, room = engine.rows([starts[0]] * values.STARTS + starts), engine.ints(values.ROOM, SEEN + 1)
        rows = engine.ints(6, SEEN + 1)
        _, stock, random = engine.buffers()
        gatherer = values.Gatherer(states, weights, room, stock, random)
        engine.twins[values.gather](gatherer, 1, part, rows, 2)
        return rows

    rows = gathered(0)
    assert rows == gathered(0) != gathered(1)
    for row in rows:
        assert sum(row[:4]) == 1  # one phase
        assert 0 <= row[-1] <= 2 * (1 << 20)
    assert len({row[-1] for row in rows}) > 1
