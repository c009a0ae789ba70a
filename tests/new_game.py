"""`make new-game NAME=kuhn`: begin a game from the pattern in tests/newcomer, which plays already.

It writes src/brelan/games/NAME and tests/games/NAME and adds the line in GAMES; then the laws of tests/laws hold for
it from the first minute, and its author changes the rules until they are the game's own.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PATTERN = Path(__file__).parent / "newcomer"

TEST = '''"""{title}'s rules, one test for each decision."""

from brelan.games.{name} import GAME


def test_n1_three_cards_are_dealt_to_each_seat():
    state = GAME.new(4)
    GAME.rules.deal(state, list(range(GAME.rules.DECK)))
    assert [len(GAME.view.zones(state)[f"hand:{{seat}}"]) for seat in range(4)] == [3, 3, 3, 3]
'''


def begin(name: str, root: Path = ROOT) -> list[Path]:
    """Write the new game's files under `root`; what was written. A wrong or taken name is a ValueError."""
    room, tests = root / "src/brelan/games" / name, root / "tests/games" / name
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"new-game: “{name}” is no name for a game; use small letters: make new-game NAME=kuhn")
    if room.exists():
        raise ValueError(f"new-game: there is a game “{name}” already, in {room}")
    room.mkdir(parents=True)
    tests.mkdir(parents=True)
    written = [copied(source, room / source.name, name) for source in sorted(PATTERN.glob("*.*"))]
    (tests / "__init__.py").touch()
    (tests / "test_rules.py").write_text(TEST.format(name=name, title=name.capitalize()), "utf-8")
    register(root / "src/brelan/games/__init__.py", name)
    return [*written, tests / "test_rules.py"]


def copied(source: Path, target: Path, name: str) -> Path:
    text = source.read_text("utf-8").replace("Newcomer", name.capitalize()).replace("newcomer", name)
    if source.suffix == ".py":
        text = re.sub(
            r"from \.(\w*) import", lambda m: f"from brelan.games.{name}{'.' * bool(m[1])}{m[1]} import", text
        )
    target.write_text(text, "utf-8")
    return target


def register(registry: Path, name: str) -> None:
    """Add the game to the imports and to GAMES."""
    text = registry.read_text("utf-8")
    text = re.sub(r"(from brelan\.games import .*)", rf"\1, {name}", text, count=1)
    text = re.sub(r"(GAMES: tuple\[Game, \.\.\.\] = \([^)]*?),?\s*\)", rf"\1, {name}.GAME)", text, count=1)
    registry.write_text(text, "utf-8")


def main() -> int:
    try:
        for path in begin(sys.argv[1] if len(sys.argv) > 1 else ""):
            print(path.relative_to(ROOT))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print("Next: `make fix golden test`, then make the rules its own; CONTRIBUTING.md walks through it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
