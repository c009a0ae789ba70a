"""OpenSpiel's IS-MCTS over our games, through our adapter; its rollouts end with the round.

A match has no longest and a random one may take thousands of moves, so that a rollout to its end would tell next to
nothing for a long time: what a leaf is worth are the points that have changed hands when its round is over.
"""

from __future__ import annotations

from typing import Any

import numpy as np  # noqa: TID251  (their language)
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from brelan import cards
from brelan.cards import below, shuffle
from brelan.envs.openspiel import BrelanState, Pile, Ply, points, written
from brelan.game import Game

EXPLORATION = {"gin": 25.0, "mio": 10.0, "hawaiki": 2.0, "companeros": 10.0, "elements": 10.0}
"""UCT's constant: about what a round's points differ by from one play-out to another."""


class RoundsAtRandom(mcts.Evaluator):  # type: ignore[misc]  # OpenSpiel tells no types
    """A leaf's round played out by uniformly random moves."""

    def __init__(self, seed: int) -> None:
        self.random = [0]
        cards.seed(self.random, seed)

    def evaluate(self, state: BrelanState) -> Any:
        """Points of every seat, as `returns` counts them at the end of a match."""
        game, before = state.ply.game, points(state.ply.game, state.start.state)
        world = state.ply.state.copy()
        play_round(game, world, self.random)
        return np.array(points(game, world), float) - before

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Every action alike."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def play_round(game: Game, s: Any, random: list[int]) -> None:
    """Random moves until a round has ended, or the match; of several asked the one in `turn` moves first."""
    rules, out, ended = game.rules, [0] * max(game.rules.ACTIONS, game.rules.DECK), s.finished
    while s.finished == ended and not rules.over(s):
        while count := rules.due(s, out):
            shuffle(out, 0, count, random)
            rules.deal(s, out[:count])
        if rules.asked(s):
            rules.play(s, s.turn, out[below(random, rules.legal(s, s.turn, out))])


def bot_of(game: Any, simulations: int, seed: int) -> Any:
    """OpenSpiel's bot for a game of ours that it has loaded; the seed says its worlds too."""
    chance = np.random.RandomState(seed % 2**32)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=RoundsAtRandom(seed),
        uct_c=EXPLORATION[game.game.id],
        max_simulations=simulations,
        random_state=chance,
    )
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, chance.random_sample))
    return bot


def loaded(game: Game, players: int, preset: str, options: dict[str, Any], first: int = 0) -> Any:
    """OpenSpiel's game of a table of ours."""
    given = {name: written(value) for name, value in options.items()}
    return pyspiel.load_game(
        f"python_brelan_{game.id}", {"players": players, "preset": preset, "first": first, **given}
    )


def standing(spiel: Any, seen: Any) -> BrelanState:
    """OpenSpiel's state of a match as a seat sees it: nobody's hidden cards are in it."""
    state = spiel.new_initial_state()
    state.ply, state.pile = Ply(spiel.game, seen), Pile((), ())
    return state
