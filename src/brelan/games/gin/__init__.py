"""Gin Rami."""

from brelan.game import Game
from brelan.games.gin import notation, observation, policy, rules, view
from brelan.options import switch, whole

GAME = Game(
    id="gin",
    title="Gin Rami",
    designer="traditional",
    publisher="Ducale",
    year=None,
    seats=range(2, 3),
    revision=1,
    options=(
        switch("ace_high_runs", True, "G2"),
        whole("ace_value", 1, "G3", least=1),
        switch("upcard_offer", False, "G4"),
        whole("knock_limit", 10, "G6", least=0),
        switch("gin_on_ten", False, "G7"),
        whole("gin_bonus", 25, "G8", least=0),
        whole("big_gin_bonus", 0, "O-G2", least=0),
        whole("undercut_bonus", 10, "G9", least=0),
        whole("stock_end", 2, "G13", least=0, most=30),
        whole("turn_cap", 500, "O-G6", least=0),
        whole("target", 100, "G16", least=1, at_table=1000),
    ),
    rules=rules,
    notation=notation,
    view=view,
    policy=policy,
    observation=observation,
    presets={
        "sheet": {},
        "classic": {
            "ace_high_runs": False,
            "upcard_offer": True,
            "gin_on_ten": True,
            "big_gin_bonus": 31,
            "undercut_bonus": 25,
        },
    },
)
