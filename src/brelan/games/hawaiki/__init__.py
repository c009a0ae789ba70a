"""Hawaiki."""

from brelan.game import Game
from brelan.games.hawaiki import courtesy, notation, observation, policy, rules, view
from brelan.options import switch, whole

GAME = Game(
    id="hawaiki",
    title="Hawaiki",
    designer="Lionel Borg",
    publisher="Ilopeli",
    year=2014,
    seats=range(2, 7),
    revision=1,
    options=(
        whole("tokens", 10, "H24", least=1, at_table=100),
        switch("one_hidden", False, "H25"),
        switch("sacrifice", False, "H26"),
        switch("second_chance", False, "H27"),
    ),
    rules=rules,
    notation=notation,
    view=view,
    policy=policy,
    observation=observation,
    presets={"sheet": {}},
    courtesy=courtesy,
)
