"""Newcomer: a game small enough to read in a minute, and the pattern that `make new-game` copies.

Each seat gets three of twenty cards; in each of three tricks the highest card wins a point; most points win.
"""

from brelan.game import Game

from . import notation, observation, policy, rules, view

GAME = Game(
    id="newcomer",
    title="Newcomer",
    designer="you",
    publisher="–",
    year=None,
    seats=range(2, 7),
    revision=1,
    options=(),
    rules=rules,
    notation=notation,
    view=view,
    policy=policy,
    observation=observation,
    presets={"sheet": {}},
)
