"""Compañeros."""

from brelan.game import Game
from brelan.games.companeros import notation, observation, policy, rules, view
from brelan.games.companeros.notation import COLOURS, check_colours, colour_set
from brelan.options import Option, whole

GAME = Game(
    id="companeros",
    title="Compañeros",
    designer="Steffen Brückner",
    publisher="HUCH! & friends",
    year=2011,
    seats=range(3, 7),
    revision=1,
    options=(
        whole("rounds", 1, "C14", least=1, at_table=100),
        Option("colours", lambda n: COLOURS[:n], "C11", check_colours, colour_set, "several", tuple(COLOURS)),
    ),
    rules=rules,
    notation=notation,
    view=view,
    policy=policy,
    observation=observation,
    presets={"sheet": {}},
)
