"""The levels of every game: five names, the same everywhere; what stands behind each is in the game's `levels.toml`.

How strong each is stands beside it in `strengths.json`, which the measurements write (`bench/strength.py`).

A level has versions. A version is never changed: whoever liked it can still choose it, as `strong@1`.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from brelan.errors import Refusal, plain
from brelan.game import BLUR, CARELESS, NOVICE, RANDOM, TUNED, Game

COMMAND = "cmd:"
"""Before a program's command, where it is named among levels; only the arena plays programs."""

NAMES = ("beginner", "casual", "skilled", "strong", "master")
"""The levels that people choose from, the weakest first."""


@dataclass(frozen=True, slots=True)
class Mind:
    """What a bot plays by; `minds.How` is what compiled code knows of it."""

    kind: int = TUNED
    weights: tuple[int, ...] = (0, 0)
    worlds: int = 0  # the most that it looks into; 0: no search
    gate: int = 200  # hundredths of a standard error
    values: str = ""  # the nets that it asks, one for each size of the table
    depth: int = 0  # after so many decisions of a trial
    reads: int = 1  # 0: the others may hold any cards in those worlds, whatever their moves tell (`Policy.believe`)
    patience: int = 8  # the worlds that it looks into before it drops a move; few of them look alike by chance
    hopes: int = 1  # 0: a search counts points, however the match stands
    simple: int = 0  # of eight worlds those in which the others play as the novice does (`minds.EIGHT`)


SEARCH = ("worlds", "gate", "depth", "reads", "patience", "simple")
"""The numbers of a search in every game, as levels are written down with them and changed by the lab. `hopes` is not
among them: only versions from before there were any count points.
"""

BASELINES = {"random": Mind(RANDOM), "novice": Mind(NOVICE)}
"""What levels are measured against."""


@dataclass(frozen=True, slots=True)
class Level:
    """One version of a level in one game, for one preset."""

    name: str
    version: int
    mind: Mind
    changes: tuple[str, ...] = ()  # other numbers of its search, by which the lab names it, as `worlds=8`

    @property
    def id(self) -> str:
        """What names it and no other: `skilled@3`, `skilled@3+worlds=8`."""
        named = f"{self.name}@{self.version}" if self.version else self.name
        return "+".join([named, *self.changes])


@cache
def levels_read(game_id: str) -> dict[str, Any]:
    """A game's `levels.toml`: versions of each level, and the weights that they play by. A new game may have none."""
    file = resources.files(f"brelan.games.{game_id}").joinpath("levels.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


@cache
def measured(game_id: str) -> dict[str, dict[str, dict[str, int]]]:
    """For each preset that was measured, and each size of a table, the strength of versions of levels."""
    file = resources.files(f"brelan.games.{game_id}").joinpath("strengths.json")
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}


def weights(game: Game, name: str) -> tuple[int, ...]:
    """A set of weights by its name; what was added to the game's policy later is 0 in older sets."""
    sets = levels_read(game.id).get("weights", {})
    if name not in sets:
        raise Refusal("weights", given=name, known=", ".join(sets))
    found = _values(sets, name)
    return (*found, *[0] * (len(game.policy.START) - len(found)))


def _values(sets: dict[str, Any], name: str) -> list[int]:
    """A set's own values, behind those of the set that it extends."""
    extended = sets[name].get("extends")
    return [*(_values(sets, extended) if extended else []), *sets[name]["values"]]


def net_of(game: Game, name: str, players: int) -> Traversable | None:
    """The file of a net for so many seats; none where nothing is named, or nothing helped at that table."""
    if not name:
        return None
    file = resources.files(f"brelan.games.{game.id}").joinpath(f"{name}.{players}.npz")
    return file if file.is_file() else None


def nets_of(game: Game) -> list[str]:
    """The names of a game's nets, whatever tables they are for."""
    files = resources.files(f"brelan.games.{game.id}").iterdir()
    return sorted({file.name.split(".")[0] for file in files if file.name.endswith(".npz")})


def versions(game: Game, name: str) -> list[dict[str, Any]]:
    """What is written of a level's versions, the newest last."""
    return levels_read(game.id).get(name, []) if name in NAMES else []


def find(game: Game, level: str, preset: str = "sheet") -> Level:
    """The level of that name, the newest or the one named as `name@version`; the refusal names those there are."""
    level = str(plain(level))  # whatever it is: a list is the name of none
    name, at, version = level.partition("@")
    if level in BASELINES:
        return Level(level, 0, BASELINES[level])
    found = [v for v in versions(game, name) if not at or str(v["version"]) == version]
    if not found:
        key = "level_program" if level.startswith(COMMAND) else "level"
        raise Refusal(key, given=level, known=", ".join(known(game)))
    return _level(game, name, found[-1], preset)


def _level(game: Game, name: str, says: dict[str, Any], preset: str) -> Level:
    """A level as its version says; weights may differ by preset."""
    values = list(weights(game, by_preset(says["weights"], preset)))
    values[BLUR], values[CARELESS] = says.get("blur", 0), says.get("careless", 0)
    net = by_preset(says.get("values", ""), preset)
    numbers = {name: says[name] for name in (*SEARCH, "hopes") if name in says}
    mind = Mind(TUNED, tuple(values), values=net, **numbers)
    return Level(name, says["version"], mind)


def by_preset(given: Any, preset: str) -> Any:
    """What is written once, or for each preset; a preset without its own has the sheet's."""
    return given.get(preset, given.get("sheet")) if isinstance(given, dict) else given


def strengths(game: Game, preset: str, players: int) -> tuple[int, dict[str, int]]:
    """The size nearest to a table's that was measured; and the Elo points above the novice, at such a table, of each
    level that can be chosen and has some: where its newest version has none yet, those of the one before.
    """
    sizes = measured(game.id).get(preset, {})
    size = min(sorted(map(int, sizes)), key=lambda size: abs(size - players), default=players)
    known = {"novice": 0} | sizes.get(str(size), {})
    ids = {name: [f"{name}@{v['version']}" for v in versions(game, name)] or [name] for name in choices(game)}
    found = {name: [known[level] for level in levels if level in known] for name, levels in ids.items()}
    return size, {name: points[-1] for name, points in found.items() if points}


def known(game: Game) -> list[str]:
    """Every level that can be named, the baselines first, older versions by their number."""
    return [*BASELINES, *weighed(game)]


def weighed(game: Game) -> list[str]:
    """Those of them that play by weights: all but the baselines."""
    listed: list[str] = []
    for name in NAMES:
        listed += [f"{name}@{v['version']}" for v in versions(game, name)[:-1]] + [name] * bool(versions(game, name))
    return listed


def newest(game: Game) -> list[str]:
    """The baselines and each level that the game has, the weakest first."""
    return [*BASELINES, *(name for name in NAMES if versions(game, name))]


def choices(game: Game) -> list[str]:
    """What people choose from: the levels, their older versions, the baselines."""
    named = known(game)
    return [*(n for n in NAMES if n in named), *(n for n in named if "@" in n), *reversed(BASELINES)]


def usual(game: Game, level: str) -> str:
    """That level, or the novice in a game that has not got it yet."""
    return level if level in known(game) else "novice"
