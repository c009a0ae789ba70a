"""Mio."""

from typing import Any

from brelan.game import Game
from brelan.games.mio import notation, observation, policy, rules, view
from brelan.options import Option, whole
from brelan.schema import of_shape


def _check_deck(value: Any, players: int) -> str | None:
    """Six counts whose sum is ten: with the five jokers, 55 cards (M1)."""
    fits = of_shape(value, 6) and min(value) >= 0 and sum(value) == 10
    return None if fits else "[n₁, n₂, n₃, n₄, n₅, n★], n ≥ 0, Σ n = 10"


GAME = Game(
    id="mio",
    title="Mio",
    designer="Reiner Knizia",
    publisher="Piatnik",
    year=2004,
    seats=range(2, 7),
    revision=1,
    options=(
        Option("deck", lambda players: [1, 2, 2, 2, 2, 1], "M1", _check_deck, list, kind="numbers"),
        whole("target", 100, "M23", least=1, at_table=1000),
    ),
    rules=rules,
    notation=notation,
    view=view,
    policy=policy,
    observation=observation,
    presets={"sheet": {}},
    lowest_wins=True,
)
