"""Our ways to play gin, each a turn for the contests of `speed`: `classic` matches to 100 points."""

from __future__ import annotations

from itertools import count
from random import Random  # noqa: TID251  (no table of ours)
from typing import Any

import numpy as np  # noqa: TID251  (what environments speak)

import brelan
from bench.peers.turns import Play, Turn, loop_of_agents, turn_of
from brelan import cards, games
from brelan.fast import NOVICE, RANDOM, Engine

GIN, PRESET = games.find("gin"), "classic"
RULES = GIN.rules
ROWS = 1024

# ---------------------------------------------------------------- inside compiled code


def compiled_random() -> Turn:
    return compiled(RANDOM)


def compiled_novice() -> Turn:
    return compiled(NOVICE)


def compiled(who: int) -> Turn:
    """Whole matches of `brelan.fast` on one core."""
    engine, runs = Engine(GIN), count(1)

    def play() -> tuple[int, int]:
        batch = engine.matches(next(runs), 20, preset=PRESET, who=(who,))
        return int(batch.decisions.sum()), int(batch.rounds.sum())

    return turn_of(play)


# ---------------------------------------------------------------- from Python


def rules_by_hand() -> Turn:
    """The rules as plain Python, called for each move; any of the legal moves."""
    chance, out = Random(1), [0] * RULES.ACTIONS
    return turn_of(by_hand(lambda s, seat: out[chance.randrange(RULES.legal(s, seat, out))]))


def novice_by_hand() -> Turn:
    """The same with the novice's moves."""
    random = [0]
    cards.seed(random, 1)
    return turn_of(by_hand(lambda s, seat: GIN.policy.novice(s, seat, random)))


def by_hand(choose: Any) -> Play:
    """One match of the interpreted rules."""
    pile, chance, firsts = [0] * RULES.DECK, Random(2), count()

    def play() -> tuple[int, int]:
        s, decisions = GIN.new(2, next(firsts) % 2, PRESET), 0
        while not RULES.over(s):
            if RULES.due(s, pile):
                chance.shuffle(pile)
                RULES.deal(s, pile)
            RULES.play(s, s.turn, choose(s, s.turn))
            decisions += 1
        return decisions, s.finished

    return play


def library() -> Turn:
    """`brelan.match`: texts, the record and the provable shuffle with it."""
    chance, seeds = Random(1), count()

    def play() -> tuple[int, int]:
        match, decisions = brelan.match("gin", seed=next(seeds), preset=PRESET), 0
        while not match.over:
            match.play(chance.choice(match.legal()))
            decisions += 1
        return decisions, match.state.finished

    return turn_of(play)


def adapter() -> Turn:
    """Our adapter for OpenSpiel, played as its own games are; the cards are chance nodes here too."""
    import pyspiel

    import brelan.envs.openspiel  # noqa: F401  (registers the games)

    game, chance = pyspiel.load_game("python_brelan_gin", {"preset": PRESET, "target": 10}), Random(1)

    def play() -> tuple[int, int]:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(chance.choice(state.legal_actions()))
        return decisions, state.ply.state.finished

    return turn_of(play)


def pettingzoo() -> Turn:
    """PettingZoo's loop over agents."""
    from brelan.envs import pettingzoo

    env = pettingzoo.env("gin", preset=PRESET)
    return turn_of(lambda: (loop_of_agents(env), env.unwrapped.matches.state(0).finished))


def gym() -> Turn:
    """Gymnasium's vector environment for both seats; choosing the actions is timed, as it is for the others."""
    from brelan.envs.gym import BrelanVectorEnv

    env, chance = BrelanVectorEnv("gin", ROWS, preset=PRESET, opponents="self", cores=1), np.random.default_rng(1)
    seen: Any = env.reset(seed=1)[0]
    ended = round_at(env.matches.size)

    def play() -> tuple[int, int]:
        nonlocal seen
        before = seen
        actions = (chance.random(before["action_mask"].shape, np.float32) * before["action_mask"]).argmax(1)
        seen = env.step(actions)[0]
        hands = seen["observation"][:, ended] - before["observation"][:, ended]
        return int(before["action_mask"].any(1).sum()), int(np.maximum(hands, 0).sum())

    return turn_of(play)


def round_at(size: int) -> int:
    """Where an observation of gin tells the hands that have ended."""
    return int(brelan.pieces.split(GIN.observation.PIECES, 2, np.arange(size))["round"])
