"""OpenSpiel's IS-MCTS at our tables, in any game: `python -m bench.peers.ismcts_bot --simulations 30`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

from bench.peers.ismcts import bot_of, loaded, standing
from bench.peers.seat import Choose, sit
from brelan import cards, games
from brelan.game import Game


def choose(simulations: int, ask: dict[str, Any]) -> str:
    """The move that the search visits most."""
    game = games.find(ask["game"])
    spiel = loaded(game, ask["players"], ask["preset"], ask["options"], ask["first"])
    seen = game.rules.State.from_json(ask["state"])
    state = standing(spiel, others_first(game, seen, ask["seat"], ask["seed"]))
    return game.notation.move_text(int(bot_of(spiel, simulations, ask["seed"]).step(state)))


def others_first(game: Game, seen: Any, seat: int, seed: int) -> Any:
    """Of several seats asked at once OpenSpiel asks one after the other: those before ours move as the novice would.

    They do so in a world that our seat imagines, for it sees none of their cards.
    """
    random = [0]
    cards.seed(random, seed)
    if seen.turn != seat:
        game.rules.imagine(seen, seat, random)
    while seen.turn != seat:
        game.rules.play(seen, seen.turn, game.policy.novice(seen, seen.turn, random))
    return seen


def chooser(settings: Sequence[str]) -> Choose:
    """Who chooses, by the command's settings."""
    parser = argparse.ArgumentParser("python -m bench.peers.ismcts_bot")
    parser.add_argument("--simulations", type=int, default=30)
    return partial(choose, parser.parse_args(settings).simulations)


if __name__ == "__main__":
    sit("OpenSpiel IS-MCTS", version("open-spiel"), [], chooser(sys.argv[1:]))
