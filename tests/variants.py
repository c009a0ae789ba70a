"""Tables at which every two values of two options meet, the number of seats being one more option.

What is tried of an option: its default, both ways of a switch, every word of a choice, the least of a whole number, and
what `tests/games/x/options.toml` adds; a value that does not fit the number of seats is left out there.
"""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

from brelan.game import Game
from brelan.options import Option, Value

FOLDER = Path(__file__).parent / "games"

Pair = tuple[tuple[int, int], tuple[int, int]]


def added(game: Game) -> dict[str, list[Value]]:
    """The further values of a game's options that are worth trying."""
    path = FOLDER / game.id / "options.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def values(option: Option, players: int, more: list[Value]) -> list[Value]:
    """The values of an option that are tried with so many seats, its default first."""
    found = [option.default_for(players), *(word for word in option.choices if option.check(word, players) is None)]
    if option.kind == "switch":
        found += [False, True]
    if option.kind == "whole":
        found.append(next(n for n in range(1000) if option.check(n, players) is None))
    found += [value for value in more if option.check(value, players) is None]
    return [value for place, value in enumerate(found) if value not in found[:place]]


def tried(game: Game, players: int) -> dict[str, list[Value]]:
    """All values that are tried, by option."""
    more = added(game)
    return {option.name: values(option, players, more.get(option.name, [])) for option in game.options}


def variants(game: Game) -> list[tuple[int, dict[str, Value]]]:
    """Numbers of seats with options, in which every two values of two of them meet at least once."""
    found = []
    by_seats = [tried(game, players) for players in game.seats]
    most = [max(len(at[option.name]) for at in by_seats) for option in game.options]
    for seats, *levels in pairwise([len(game.seats), *most]):
        named = by_seats[seats].items()
        found.append(
            (game.seats[seats], {name: v[level % len(v)] for (name, v), level in zip(named, levels, strict=True)})
        )
    return found


def pairwise(sizes: list[int]) -> list[list[int]]:
    """Rows of one level a factor, in which every two levels of two factors meet; `sizes` are the numbers of levels.

    Greedy: a row begins with a pair that has not met, and takes from each other factor what meets most that is new.
    """
    factors = range(len(sizes))
    missing = {((a, i), (b, j)) for a, b in combinations(factors, 2) for i in range(sizes[a]) for j in range(sizes[b])}
    rows: list[list[int]] = []
    while missing:
        row = dict(min(missing))
        for factor in factors:
            if factor not in row:
                levels = [(level + len(rows)) % sizes[factor] for level in range(sizes[factor])]
                row[factor] = max(levels, key=lambda level: len(met(row | {factor: level}) & missing))
        missing -= met(row)
        rows.append([row[factor] for factor in factors])
    return rows


def met(row: dict[int, int]) -> set[Pair]:
    """The pairs that stand in a row."""
    return set(combinations(sorted(row.items()), 2))
