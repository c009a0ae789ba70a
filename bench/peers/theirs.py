"""Their ways to play gin, each a turn for the contests of `speed`: a hand at a time, as all of them do."""

from __future__ import annotations

from itertools import count
from random import Random  # noqa: TID251  (no table of ours)
from typing import Any

import pyspiel

from bench.peers.turns import Play, Turn, loop_of_agents, turn_of

CARDS = 52

# ---------------------------------------------------------------- OpenSpiel


def openspiel() -> Turn:
    """Whole hands from the first card, dealing included."""
    game, chance = pyspiel.load_game("gin_rummy"), Random(1)
    return turn_of(lambda: (played(game.new_initial_state(), chance), 1))


def openspiel_cloned() -> Turn:
    """Hands from the first decision: neither making a state nor dealing its 21 cards is counted."""
    starts, chance = Starts(), Random(1)
    return turn_of(lambda: (played(starts.next(), chance), 1))


def openspiel_observed() -> Turn:
    """The same, with the tensor of an observation and a mask for each decision."""
    starts, chance = Starts(), Random(1)
    return turn_of(lambda: (played(starts.next(), chance, observed=True), 1))


def played(state: Any, chance: Random, observed: bool = False) -> int:
    """Any legal action until the hand is over; the players' decisions."""
    decisions = 0
    while not state.is_terminal():
        if not state.is_chance_node():
            decisions += 1
            if observed:
                state.observation_tensor(state.current_player())
                state.legal_actions_mask()
        state.apply_action(chance.choice(state.legal_actions()))
    return decisions


class Starts:
    """Hands dealt beforehand, cloned one after the other."""

    def __init__(self) -> None:
        game, chance = pyspiel.load_game("gin_rummy"), Random(2)
        self.dealt = [game.new_initial_state() for _ in range(200)]
        self.number = count()
        for state in self.dealt:
            while state.is_chance_node():
                state.apply_action(chance.choice(state.legal_actions()))

    def next(self) -> Any:
        return self.dealt[next(self.number) % len(self.dealt)].clone()


def evaluate_random() -> Turn:
    """A call for a whole hand in C++, by two bots that make any legal move."""
    return turn_of(evaluated([pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(2)]))


def evaluate_simple() -> Turn:
    """The same by two of OpenSpiel's simple bots."""
    parameters = pyspiel.load_game("gin_rummy").get_parameters()
    return turn_of(evaluated([pyspiel.make_simple_gin_rummy_bot(parameters, seat) for seat in range(2)]))


def evaluated(bots: list[Any]) -> Play:
    """Clones of a state that has dealt nothing: making one anew would cost more than to play the hand."""
    start, seeds = pyspiel.load_game("gin_rummy").new_initial_state(), count(1)

    def play() -> tuple[int, int]:
        state = start.clone()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return state.move_number() - (CARDS - state.stock_size()), 1  # each card that has left the stock was chance's

    return play


# ---------------------------------------------------------------- RLCard, and PettingZoo over it


def rlcard() -> Turn:
    """Any legal action; every step makes an observation, and there is no way without."""
    env, chance = made(), Random(1)

    def play() -> tuple[int, int]:
        seen, _ = env.reset()
        decisions = 0
        while not env.is_over():
            seen, _ = env.step(chance.choice(list(seen["legal_actions"])))
            decisions += 1
        return decisions, 1

    return turn_of(play)


def rlcard_rules() -> Turn:
    """Two of its rule agents."""
    from rlcard.models.gin_rummy_rule_models import GinRummyNoviceRuleAgent

    env = made()
    env.set_agents([GinRummyNoviceRuleAgent(), GinRummyNoviceRuleAgent()])

    def play() -> tuple[int, int]:
        before = env.timestep
        env.run()
        return env.timestep - before, 1

    return turn_of(play)


def made() -> Any:
    import rlcard

    return rlcard.make("gin-rummy", config={"seed": 1})


def pettingzoo() -> Turn:
    """PettingZoo's loop over agents."""
    from pettingzoo.classic import gin_rummy_v4

    env = gin_rummy_v4.env()
    return turn_of(lambda: (loop_of_agents(env), 1))
