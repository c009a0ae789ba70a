"""Levels with other numbers may be named where they are measured, and nowhere else."""

import pytest

from brelan import bots, games
from brelan.errors import Refusal
from brelan.lab.arena import Block, Plan
from brelan.lab.players import level_of

GAME = games.find("companeros")
NAMED = "skilled+worlds=8+gate=150"


def test_a_level_is_named_with_other_numbers():
    skilled, changed = bots.find(GAME, "skilled"), level_of(GAME, NAMED, "sheet")
    assert (changed.mind.worlds, changed.mind.gate, changed.mind.weights) == (8, 150, skilled.mind.weights)
    assert level_of(GAME, "master+values=g1+depth=6", "sheet").mind.depth == 6
    assert level_of(GAME, "strong+worlds=0", "sheet").mind.worlds == 0
    assert level_of(GAME, "skilled", "sheet") == skilled


def test_what_is_written_down_names_the_version_and_the_numbers():
    plan = Plan("companeros", (NAMED, "novice"), 3)
    plan.check()
    named = plan.decides(Block(NAMED, "novice", 0, 10))["a"]
    assert named == "skilled@1+worlds=8+gate=150"
    assert level_of(GAME, named, "sheet") == plan.level(NAMED)


@pytest.mark.parametrize(
    "named",
    [
        "skilled+blur=3",
        "skilled+worlds=many",
        "skilled+worlds",
        "skilled+worlds=-1",
        "+",
        "novice+worlds=64",
        "random+gate=1",
        "skilled+values=nonsense",
        "skilled+values=",
        "skilled+worlds=99999999999999999999",
        "skilled+gate=100",
        "skilled+worlds=0+gate=100",
        "strong+worlds=0+patience=64",
        "skilled+worlds=8+worlds=64",
        "skilled+worlds=8+depth=6",
    ],
)
def test_what_is_no_such_number_is_refused(named):
    with pytest.raises(Refusal):
        level_of(GAME, named, "sheet")


def test_nobody_at_a_table_can_ask_for_one():
    with pytest.raises(Refusal):
        bots.find(GAME, NAMED)
