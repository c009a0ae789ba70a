"""OpenSpiel's IS-MCTS in every seat of whole matches of every game, through our adapter and its resampling.

It is about going through without an error, not about strength: a handful of simulations a move. A match is as long as
the sheet's, but where a random player would hardly ever end one: there it is a shorter one, by the options named.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from random import Random  # noqa: TID251  (no table of ours)
from typing import Any

from bench.peers.ismcts import bot_of, loaded
from brelan import games

SHORTER: dict[str, dict[str, Any]] = {"gin": {"knock_limit": 60}}
"""A weak search hardly ever comes to 10 points of deadwood: with 60 its hands end, and matches to 100 with them."""


@dataclass(slots=True)
class Played:
    """What came of the matches of one table."""

    game: str
    players: int
    options: dict[str, Any]
    matches: int = 0
    decisions: int = 0
    rounds: int = 0
    seconds: float = 0.0
    points: list[list[float]] = field(default_factory=list)


def measure(matches: int, simulations: int) -> dict[str, Any]:
    """So many matches of each game, with the fewest seats and with the most; whatever fails raises."""
    tables = [(game, players) for game in games.GAMES for players in sorted({game.seats[0], game.seats[-1]})]
    rows = [several(game, players, matches, simulations) for game, players in tables]
    return {"simulations": simulations, "rows": [{k: getattr(row, k) for k in Played.__slots__} for row in rows]}


def several(game: Any, players: int, matches: int, simulations: int) -> Played:
    """Matches of one table, one after the other."""
    options = SHORTER.get(game.id, {})
    spiel = loaded(game, players, "sheet", options)
    found = Played(game.id, players, options)
    for seed in range(matches):
        began = time.monotonic()
        state, decisions = to_the_end(spiel, simulations, seed)
        found.matches += 1
        found.decisions += decisions
        found.rounds += state.ply.state.finished
        found.seconds += time.monotonic() - began
        found.points.append(state.returns())
    return found


def to_the_end(spiel: Any, simulations: int, seed: int) -> tuple[Any, int]:
    """One match from its first shuffle to its last point; the state and the decisions."""
    chance, bot = Random(seed), bot_of(spiel, simulations, seed)
    state, decisions = spiel.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            cards, odds = zip(*state.chance_outcomes(), strict=True)  # equal cards are one outcome
            state.apply_action(chance.choices(cards, odds)[0])
        else:
            state.apply_action(int(bot.step(state)))
            decisions += 1
    return state, decisions


def as_text(report: dict[str, Any]) -> str:
    """The report in Markdown."""
    lines = [
        f"IS-MCTS in every seat, {report['simulations']} simulations a move",
        "",
        "| game | seats | options | matches | rounds | decisions | s |",
        "|---|---:|---|---:|---:|---:|---:|",
    ]
    for row in report["rows"]:
        options = " ".join(f"{name}={value}" for name, value in row["options"].items()) or "sheet"
        counts = f"{row['matches']} | {row['rounds']} | {row['decisions']:,} | {row['seconds']:.0f}"
        lines.append(f"| {row['game']} | {row['players']} | {options} | {counts} |")
    return "\n".join(lines)
