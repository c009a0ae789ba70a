"""A refusal is the same wherever it is read: where it was raised, or in a process that waits for what came of work."""

import copy
import pickle
import re

import pytest

from brelan.errors import Illegal, Refusal, WrongSeat
from brelan.games import find

SAID = [
    Refusal("seed", given=-1, most=2),
    Illegal("gin", "G4", "pass"),
    WrongSeat("match_over"),
    Refusal("bot_named", name="cmd:x", why=Illegal("mio", "M4", "draw")),
]


def sent(refusal):
    """As it comes from another process."""
    return pickle.loads(pickle.dumps(refusal))


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, sent])
@pytest.mark.parametrize("refusal", SAID, ids=lambda refusal: refusal.key)
def test_a_refusal_arrives_as_it_was_raised(refusal, twin):
    arrived = twin(refusal)
    assert type(arrived) is type(refusal)
    assert (str(arrived), arrived.args[0], arrived.key) == (str(refusal), refusal.args[0], refusal.key)
    assert arrived.rule == refusal.rule


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        ("hawaiki", {"sacrifice": "true"}, 'may not be “"true"”; allowed: true | false.'),
        ("gin", {"target": "0100"}, 'may not be “"0100"”; allowed: 1 … 10⁹.'),
        ("elements", {"unpaired": "odd"}, "may not be “odd”; allowed: "),
    ],
)
def test_a_text_where_none_is_wanted_is_shown_to_be_one(game, options, says):
    with pytest.raises(Refusal, match=re.escape(says)):
        find(game).settle(find(game).seats[0], "sheet", options)
