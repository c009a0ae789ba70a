"""What a hand's best melds leave over, by us and by OpenSpiel and RLCard: all three must agree.

Both play as our preset `classic` does. The sheet's own rules may only differ where G2 says so: an ace beside a king and
a queen of its suit, and never for the worse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random  # noqa: TID251  (no table of ours)
from typing import Any

import pyspiel
from tqdm import tqdm

from bench.peers.gin import RANKS, RLCARD, RLCARD_ALONE, SPIEL
from brelan import games
from brelan.games.gin.melds import deadwood
from brelan.play.match import Match

with RLCARD_ALONE:
    from rlcard.games.gin_rummy.utils.melding import get_best_meld_clusters
    from rlcard.games.gin_rummy.utils.utils import get_card, get_deadwood_count

SEED = 9201
SPIELS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
HIGH_ACES = [{f"{rank}{suit}" for rank in "QKA"} for suit in "shdc"]

Hand = list[str]


def hands(many: int) -> Iterator[Hand]:
    """Ten cards each: of the whole deck; of six neighbouring ranks or of two suits, which are rich in melds."""
    chance = Random(SEED)
    for i in range(many):
        first, suits = chance.randrange(len(RANKS)), chance.sample("shdc", 2)
        near = (RANKS + RANKS)[first : first + 6]
        pools = (SPIEL, [card for card in SPIEL if card[0] in near], [card for card in SPIEL if card[1] in suits])
        yield chance.sample(pools[i % 3], 10)


def ours(preset: str) -> Callable[[Hand], int]:
    """Our deadwood under the rules of a preset."""
    game = games.find("gin")
    s: Any = Match(game, 2, 0, preset, {}).state
    bit = {card: 1 << game.notation.card_of(card) for card in SPIEL}
    return lambda hand: deadwood(s, sum(bit[card] for card in hand))


def openspiels(hand: Hand) -> int:
    """OpenSpiel's deadwood."""
    return int(SPIELS.min_deadwood([SPIEL.index(card) for card in hand]))


def rlcards(hand: Hand) -> int:
    """RLCard's deadwood: the least of the ways to meld that it calls best."""
    cards = [get_card(RLCARD.index(card)) for card in hand]
    ways = get_best_meld_clusters(cards) or [[]]
    return min(int(get_deadwood_count(cards, way)) for way in ways)


def measure(many: int) -> dict[str, Any]:
    """How many hands come to something else, with the first of them."""
    classic, sheet = ours("classic"), ours("sheet")
    found: dict[str, Any] = {"hands": many, "seed": SEED, "OpenSpiel": [], "RLCard": [], "G2": 0, "sheet": []}
    for hand in tqdm(hands(many), total=many, disable=None):
        least, high = classic(hand), sheet(hand)
        for name, theirs in (("OpenSpiel", openspiels), ("RLCard", rlcards)):
            if theirs(hand) != least:
                found[name].append(" ".join(hand))
        found["G2"] += high < least
        if high > least or (high < least and not any(run <= set(hand) for run in HIGH_ACES)):
            found["sheet"].append(" ".join(hand))
    return found


def as_text(found: dict[str, Any]) -> str:
    """The report, with the first hands on which somebody differs."""
    lines = [f"{found['hands']:,} hands of ten cards, seed {found['seed']}"]
    for name, says in (
        ("OpenSpiel", "come to something else in OpenSpiel"),
        ("RLCard", "come to something else in RLCard"),
        ("sheet", "come to something else on the sheet without a high ace"),
    ):
        lines.append(f"{len(found[name]):,} {says}" + "".join(f"\n    {hand}" for hand in found[name][:5]))
    return "\n".join([*lines, f"{found['G2']:,} come to less on the sheet by a high ace (G2)"])
