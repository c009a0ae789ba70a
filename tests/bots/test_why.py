"""Why a bot moves so: what its search could not tell from its move."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from brelan import bots, games
from brelan.bots import minds, protocol
from brelan.bots.thinker import Thinker
from tests.tables import Table, generator, walk

GIN = games.find("gin")


def positions(most):
    """Who is asked, in the first moves of a match of gin."""
    for match in walk(Table(GIN, 2), 3, most):
        yield match.state, match.asked()[0]


def test_what_a_search_found_is_its_move_and_what_it_could_not_tell_from_it():
    thinker, close = Thinker(GIN, compiled=False), []
    mind = replace(bots.find(GIN, "strong", "sheet").mind, worlds=4, patience=2)
    for state, seat in positions(16):
        found, listed = thinker.found(state, seat, mind, 1), [0] * GIN.rules.ACTIONS
        GIN.policy.shortlist(state, seat, list(mind.weights), listed, generator(1))
        assert found.move == thinker.move(state, seat, mind, 1)
        assert found.worlds in range(2, 5)
        assert found.move not in found.close
        assert set(found.close) <= set(listed)
        close.append(bool(found.close))
    assert {*close} == {False, True}


@pytest.mark.parametrize(("ahead", "third", "close"), [(20, 19, [8, 6]), (200, 199, [8]), (200, 20, [])])
def test_a_move_is_close_only_where_it_lies_hardly_behind(ahead, third, close):
    """The search that overrules the policy's own keeps it to the end all the same, for all gains are told over it; and
    what fell behind after it dropped moves for the last time is dropped at its end.
    """
    thinker = Thinker(GIN, compiled=False)

    def look(desk, *_):
        desk.left[minds.LOOKS] = 100
        for row, numbers in zip(desk.scales, ([6, 7, 8], [0, ahead, third], [0, 900, 900]), strict=True):
            row[:3] = numbers

    think = thinker.engine.twins[minds.think]
    think.__globals__.update(look=look, policy=SimpleNamespace(shortlist=lambda *_: 3))
    state, seat = next(positions(1))
    mind = replace(bots.find(GIN, "strong", "sheet").mind, worlds=100, gate=0)
    assert thinker.found(state, seat, mind, 1) == (7, 100, close)


def test_where_there_is_nothing_to_try_no_world_is_looked_into():
    match = next(walk(Table(GIN, 2, "classic"), 3, 1))
    for _ in range(2):
        match.move(match.asked()[0], "pass")  # then the first must draw
    state, seat = match.state, match.asked()[0]
    for level in ("strong", "skilled"):
        found = Thinker(GIN, compiled=False).found(state, seat, bots.find(GIN, level, "classic").mind, 1)
        assert found == (GIN.rules.DRAW, 0, [])


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ({"worlds": 64, "close": ["pass", "win"]}, protocol.Why(64, ("pass",))),
        ({"worlds": 0, "close": []}, protocol.Why(0, ())),
        ({"worlds": "many", "close": []}, None),
        ({"worlds": 64, "close": "pass"}, None),
        ({"worlds": 64}, None),
        ("I felt like it", None),
        (None, None),
    ],
)
def test_why_is_heard_as_far_as_it_can_be_understood(said, heard):
    match = next(walk(Table(GIN, 2), 3, 1))
    ask = protocol.Ask(1, GIN, "sheet", {}, match.asked()[0], match.state, ["take", "pass"])
    answer = {"type": "move", "id": 1, "move": "take", "why": said}
    assert (protocol.move(answer, ask), protocol.why(answer, ask)) == ("take", heard)
