"""RLCard's rule agent for gin rummy at our table: `python -m bench.peers.rlcard_bot`.

It goes out as soon as it can, throws what leaves least deadwood, and draws by chance from the stock or the discards.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np  # noqa: TID251  (their language)

from bench.peers import gin
from bench.peers.gin import RLCARD, RLCARD_ALONE, Sight
from bench.peers.seat import Choose, sit

with RLCARD_ALONE:
    from rlcard.games.gin_rummy.judge import get_going_out_cards
    from rlcard.games.gin_rummy.utils.utils import decode_cards, get_card_id
    from rlcard.models.gin_rummy_rule_models import GinRummyNoviceRuleAgent

KNOCK_LIMIT = 10


def knocks(held: Any) -> list[str]:
    """The cards with which RLCard's own judge lets a hand of eleven knock."""
    return [RLCARD[get_card_id(card)] for card in get_going_out_cards(decode_cards(held), KNOCK_LIMIT)[0]]


def choose(ask: dict[str, Any]) -> str:
    """The agent's move; it looks at its hand and at what it may do, and at nothing else."""
    sight = Sight.of(ask)
    held = np.array([card in sight.hand for card in RLCARD], int)
    actions = gin.to_rlcard(sight, knocks(held) if sight.throws else ())
    np.random.seed(ask["seed"] % 2**32)
    seen = {"obs": [held], "legal_actions": OrderedDict.fromkeys(actions)}
    return gin.from_rlcard(int(GinRummyNoviceRuleAgent.step(seen)), sight.legal)


def chooser(_: Sequence[str]) -> Choose:
    """Who chooses; there is nothing to set."""
    return choose


if __name__ == "__main__":
    sit("RLCard gin rummy novice rule agent", version("rlcard"), ["gin"], choose)
