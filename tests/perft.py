"""Perft: how many lines of play there are from written positions, so that a change of any legal move shows as a number.

`python -m tests.perft` (or `make golden`) counts anew what stands in `tests/games/x/perft.txt`, and begins that file
for a game that has none; of one game only if it is named. Its positions may be changed by hand. The grammar:

    file   = block, then blocks each after an empty line
    block  = header, event*, result*          a position and what was counted from it
    header = the first line of a record       {"brelan": 1, "game": "gin", …}
    event  = a shuffle or a move of a record  {"shuffle": ["7h", …]} or {"seat": 0, "move": "draw"}
    result = "depth" n "nodes" n "views" n*   lines of n moves; how many different views each seat may have behind them
           | "whole" "decisions" n "ends" n   all lines until no move follows: states that lead on, states that end
    "#" begins a comment, which stays before the results of its block

A line of play ends with the match, and where a shuffle is due whose cards are not written. Two orders of moves that
lead to one state count twice, as in chess; of several seats asked each may move.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from brelan.game import Game, legal_moves
from brelan.play.match import Match
from brelan.play.record import Numbered, match_of
from tests.tables import Table, chance_of, chosen

FOLDER = Path(__file__).parent / "games"
LIMIT = 3_000
"""A depth is counted as long as it and those before it hold no more nodes than that."""

DEPTH = re.compile(r"depth (\d+) nodes (\d+) views (\d+(?: \d+)*)")
WHOLE = re.compile(r"whole decisions (\d+) ends (\d+)")


@dataclass
class Block:
    """A position of a file: its lines as they stand, the events, and the results by their text."""

    lines: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    results: list[str] = field(default_factory=list)

    def match(self) -> Match:
        """The position."""
        match = match_of([Numbered(1, self.events[0])])
        for event in self.events[1:]:
            play(match, event)
        return match


def play(match: Match, event: dict[str, Any]) -> None:
    if "shuffle" in event:
        match.shuffle(event["shuffle"])
    else:
        match.move(event["seat"], event["move"])


def parsed(text: str) -> list[Block]:
    """The blocks of a file; a line that the grammar does not know is a ValueError that names it."""
    blocks = []
    for part in text.strip().split("\n\n"):
        block = Block()
        for line in part.splitlines():
            if line.startswith("{") and not block.results:
                block.events.append(json.loads(line))
            elif DEPTH.fullmatch(line) or WHOLE.fullmatch(line):
                block.results.append(line)
                continue
            elif not line.startswith("#"):
                raise ValueError(f"perft: this line is no header, event or result: {line}")
            block.lines.append(line)
        if not block.events:
            raise ValueError(f"perft: a block begins with a header: {part[:40]}")
        blocks.append(block)
    return blocks


# ---------------------------------------------------------------- counting


def moves(game: Game, state: Any) -> Iterator[tuple[int, int]]:
    """Every seat and move that may come next, the seat asked first before the others."""
    for seat in sorted(range(state.players), key=lambda seat: (seat - state.turn) % state.players):
        for move in legal_moves(game.rules, state, seat):
            yield seat, move


def after(game: Game, state: Any) -> Iterator[Any]:
    """The states behind every next move."""
    for seat, move in moves(game, state):
        twin = state.copy()
        game.rules.play(twin, seat, move)
        yield twin


def levels(game: Game, state: Any) -> Iterator[list[Any]]:
    """The states behind all lines of 1, 2, 3 … moves, until there are none."""
    level = [state]
    while level := [twin for one in level for twin in after(game, one)]:
        yield level


def nodes(game: Game, state: Any, depth: int) -> int:
    """The number of lines of so many moves."""
    return 1 if depth == 0 else sum(nodes(game, twin, depth - 1) for twin in after(game, state))


def depth_line(game: Game, level: list[Any], depth: int) -> str:
    """The result of a depth."""
    views = [len({str(game.view.redact(s, seat).key()) for s in level}) for seat in range(level[0].players)]
    return f"depth {depth} nodes {len(level)} views {' '.join(map(str, views))}"


def opening(match: Match) -> list[str]:
    """The results of the depths that stay within the limit, the first in any case."""
    found, total = [], 0
    for depth, level in enumerate(levels(match.game, match.state), 1):
        total += len(level)
        if found and total > LIMIT:
            break
        found.append(depth_line(match.game, level, depth))
    return found


def whole(game: Game, state: Any) -> tuple[int, int]:
    """How many states of all lines lead on, and how many end."""
    decisions = ends = 0
    left = [state]
    while left:
        behind = list(after(game, left.pop()))
        decisions, ends = decisions + bool(behind), ends + (not behind)
        left += behind
    return decisions, ends


def counted(match: Match, result: str) -> str:
    """The same result, counted anew."""
    if found := DEPTH.fullmatch(result):
        reached = [[match.state], *islice(levels(match.game, match.state), int(found[1]))]
        return depth_line(match.game, reached[-1], len(reached) - 1)
    return "whole decisions {} ends {}".format(*whole(match.game, match.state))


def divide(match: Match, result: str) -> str:
    """The result by first move: whoever compares two of them finds the wrong rule."""
    game, rows = match.game, []
    for (seat, move), twin in zip(moves(game, match.state), after(game, match.state), strict=True):
        found = DEPTH.fullmatch(result)
        count = nodes(game, twin, int(found[1]) - 1) if found else sum(whole(game, twin))
        rows.append(f"{seat} {game.notation.move_text(move)}: {count}")
    return "\n".join(rows)


# ---------------------------------------------------------------- files


def path_of(game: Game) -> Path:
    return FOLDER / game.id / "perft.txt"


def begun(game: Game) -> str:
    """A game's first file: the opening of each preset. Endings are written by hand, with a result to be counted."""
    blocks = []
    for preset in game.presets:
        match = Table(game, game.seats[0], preset).match()
        match.deal(chance_of(99, match.players))
        blocks.append("\n".join([f"# The opening, preset {preset}.", *position(match), *opening(match)]))
    return "\n\n".join(blocks) + "\n"


def position(match: Match) -> list[str]:
    return [json.dumps(line, ensure_ascii=False) for line in (match.header(), *match.lines)]


def rewritten(text: str) -> str:
    """The file with every result counted anew; a block without one gets its opening."""
    parts = []
    for block in parsed(text):
        match = block.match()
        results = [counted(match, result) for result in block.results] or opening(match)
        parts.append("\n".join(block.lines + results))
    return "\n\n".join(parts) + "\n"


def rewrite(game: Game) -> None:
    """Write a game's file, or end with a sentence where its positions are none of that game any more."""
    path = path_of(game)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        text = rewritten(path.read_text("utf-8")) if path.exists() else begun(game)
    except ValueError as error:
        unfit = f"perft: {path.relative_to(FOLDER.parents[1])} no longer fits the rules of {game.title} ({error})"
        sys.exit(f"{unfit}; mend it, or delete it to begin anew")
    path.write_text(text, "utf-8")
    print(path.relative_to(FOLDER))


def main() -> None:
    for game in chosen(sys.argv[1:]):
        rewrite(game)


if __name__ == "__main__":
    main()
