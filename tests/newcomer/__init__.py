"""Newcomer: a game small enough to read in a minute, and the pattern that `make new-game` copies.

In each of three rounds a seat gets five of thirty cards; the highest card of a trick wins a point; most points win.
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
