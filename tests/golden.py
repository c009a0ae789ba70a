"""Golden matches, one per game and preset, written out in full so that a change of the rules shows as a diff; and what
every published version of every level answers at some positions, since a version is never changed.

`python -m tests.golden` (or `make golden`) writes them anew, of one game if it is named, and takes away those that
nothing writes any more. A line is `seat move | what each seat knows after it`, the knowledge as the first hex digits of
a hash of that seat's view; a line that begins a round shows the views in full.
A line of `levels.txt` is `preset-players level@version: move; move; …`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from brelan import bots
from brelan.bots.levels import NAMES, find, versions
from brelan.game import Game
from brelan.games import GAMES
from brelan.play.match import Match
from tests.tables import Table, chance_of, chosen, generator, viewers, walk

FOLDER = Path(__file__).parent / "games"
MOST = 400

ANSWERS, APART = 24, 3
"""How many answers are kept of a version at a table, and how many decisions lie between two of them."""


def cases() -> list[tuple[Table, Path]]:
    """Each game's presets at its fewest and most seats, and the files they are kept in."""
    return [
        (Table(game, players, preset), FOLDER / game.id / "golden" / f"{preset}-{players}.txt")
        for game in GAMES
        for preset in game.presets
        for players in sorted({game.seats[0], game.seats[-1]})
    ]


def written(table: Table) -> str:
    """The golden text of a table: novices, with a uniform move now and then."""
    match, chance, random = table.match(), chance_of(99, table.players), generator(99)
    lines = [json.dumps(match.header())]
    for ply in range(MOST):
        if match.due():
            before = len(match.lines)
            match.deal(chance)
            lines += [json.dumps(line) for line in match.lines[before:]] + full(match)
        if match.over:
            break
        seat = match.asked()[0]
        bot = "random" if ply % 11 == 10 else "novice"
        move = bots.at_once(table.game, bot, table.game.view.redact(match.state, seat), seat, random, match.preset)
        text = match.move(seat, table.game.notation.move_text(move))
        lines.append(f"{seat} {text} | {' '.join(knowledge(match))}")
    if match.over:
        lines.append(json.dumps(match.footer()))
    return "\n".join(lines) + "\n"


def seen(match: Match, seat: int) -> str:
    """What a seat knows, as text: the zones with `?` for hidden cards."""
    game: Game = match.game
    zones = game.view.zones(game.view.redact(match.state, seat))
    return "; ".join(f"{zone}: {' '.join(map(game.notation.card_text, cards))}" for zone, cards in zones.items())


def full(match: Match) -> list[str]:
    return [f"  {seat}: {seen(match, seat)}" for seat in viewers(match)]


def knowledge(match: Match) -> list[str]:
    return [hashlib.sha256(seen(match, seat).encode()).hexdigest()[:6] for seat in viewers(match)]


def answers(game: Game) -> str:
    """What every version of a game's levels answers, at the tables of its golden matches."""
    published = [f"{name}@{version['version']}" for name in NAMES for version in versions(game, name)]
    tables = [table for table, _ in cases() if table.game is game]
    lines = [
        f"{table.preset}-{table.players} {level}: {'; '.join(answered(table, level))}"
        for table in tables
        for level in published
    ]
    return "".join(f"{line}\n" for line in lines)


def answered(table: Table, level: str) -> list[str]:
    """What a level answers at some positions between novices and chance, who are never changed either."""
    game, mind = table.game, find(table.game, level, table.preset).mind
    thinker = bots.thinker_of(game)
    moves = [thinker.move(state, seat, mind, seed) for seed, (state, seat) in enumerate(islice(asked(table), ANSWERS))]
    return [game.notation.move_text(move) for move in moves]


def asked(table: Table) -> Iterator[tuple[Any, int]]:
    """Positions that leave a choice, as the seat that is asked sees them."""
    choices = (m for m in walk(table, 98, MOST) if not m.over and len(m.legal(m.asked()[0])) > 1)
    for match in islice(choices, None, None, APART):
        seat = match.asked()[0]
        yield table.game.view.redact(match.state, seat), seat


def levels_of(game: Game) -> Path:
    """The file of a game's answers; a game without levels has none."""
    return FOLDER / game.id / "golden" / "levels.txt"


def files(game: Game) -> dict[Path, str]:
    """All golden files of a game, as they should stand."""
    found = {path: written(table) for table, path in cases() if table.game is game}
    return found | ({levels_of(game): text} if (text := answers(game)) else {})


def rewrite(game: Game) -> None:
    """Write a game's golden files, and take away those that nothing writes any more."""
    folder, kept = FOLDER / game.id / "golden", files(game)
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in kept.items():
        path.write_text(text, "utf-8")
        print(path.relative_to(FOLDER))
    for path in sorted(set(folder.glob("*.txt")) - kept.keys()):
        path.unlink()
        print(f"{path.relative_to(FOLDER)}: taken away")


def main() -> None:
    for game in chosen(sys.argv[1:]):
        rewrite(game)


if __name__ == "__main__":
    main()
