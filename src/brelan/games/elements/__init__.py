"""Elements."""

from brelan.game import Game
from brelan.games.elements import notation, observation, policy, rules, view
from brelan.options import choice

GAME = Game(
    id="elements",
    title="Elements",
    designer="Marcel-André Casasola Merkle",
    publisher="Adlung-Spiele",
    year=1997,
    seats=range(3, 6),
    revision=1,
    options=(choice("unpaired", "aside", "E2", "aside", "stock"),),
    rules=rules,
    notation=notation,
    view=view,
    policy=policy,
    observation=observation,
    presets={"sheet": {}, "adlung": {"unpaired": "stock"}},
)
