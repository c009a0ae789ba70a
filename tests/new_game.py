"""`make new-game NAME=kuhn`: begin a game from the pattern in tests/newcomer, which plays already.

It writes src/brelan/games/NAME and tests/games/NAME, adds the line in GAMES and the row of its zones in the bot
protocol; then every test of the house holds for it from the first minute, and its author changes the rules until they
are the game's own.
"""

from __future__ import annotations

import keyword
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PATTERN = Path(__file__).parent / "newcomer"

TEST = '''"""{title}'s rules, one test for each decision."""

from brelan.games.{name} import GAME


def test_n1_five_cards_are_dealt_to_each_seat():
    state = GAME.new(4)
    GAME.rules.deal(state, list(range(GAME.rules.DECK)))
    assert [len(GAME.view.zones(state)[f"hand:{{seat}}"]) for seat in range(4)] == [5, 5, 5, 5]
'''

OPTIONS = """# Values of the options worth trying besides their defaults (see tests/variants.py), by the option's name:
# target = [30, 100]
"""

ZONES = "`stock`, `trick`, `gone`, `hand:i`"


def begin(name: str, root: Path = ROOT) -> list[Path]:
    """Write the new game's files under `root`; what was written. A wrong or taken name is a ValueError."""
    room, tests = root / "src/brelan/games" / name, root / "tests/games" / name
    check(name, room)
    room.mkdir(parents=True)
    tests.mkdir(parents=True)
    written = [copied(source, room / source.name, name) for source in sorted(PATTERN.glob("*.*"))]
    (tests / "__init__.py").touch()
    (tests / "test_rules.py").write_text(TEST.format(name=name, title=name.capitalize()), "utf-8")
    (tests / "options.toml").write_text(OPTIONS, "utf-8")
    registry = root / "src/brelan/games/__init__.py"
    register(registry, name)
    tell_zones(root / "docs/bot-protocol.md", name)
    tidy([room, tests, registry], root)
    return [*written, tests / "options.toml", tests / "test_rules.py"]


def check(name: str, room: Path) -> None:
    """Refuse a name that is none, and one that is taken."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ValueError(f"new-game: “{name}” is no name for a game; use small letters: make new-game NAME=kuhn")
    if keyword.iskeyword(name):
        raise ValueError(f"new-game: “{name}” is a word of Python, which nothing can import; choose another name")
    if room.exists():
        raise ValueError(f"new-game: there is a game “{name}” already, in {room}")


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
    text = re.sub(r"(from brelan\.games import \(?)", rf"\g<1>{name}, ", text, count=1)  # many stand in brackets
    text = re.sub(r"(GAMES: tuple\[Game, \.\.\.\] = \([^)]*?),?\s*\)", rf"\1, {name}.GAME)", text, count=1)
    registry.write_text(text, "utf-8")


def tell_zones(book: Path, name: str) -> None:
    """Add the row of the game's zones below those of the others."""
    text = book.read_text("utf-8")
    head, rows, rest = re.split(r"(### Zones\n\n(?:\|.*\n)+)", text, maxsplit=1)
    book.write_text(f"{head}{rows}| `{name}` | {ZONES} |\n{rest}", "utf-8")


def tidy(paths: list[Path], root: Path) -> None:
    """Set imports in their order, which hangs on the name, and lines in their form."""
    for command in (["check", "--fix", "--select", "I"], ["format"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, "--quiet", *paths], cwd=root, check=True)


def main() -> int:
    try:
        for path in begin(sys.argv[1] if len(sys.argv) > 1 else ""):
            print(path.relative_to(ROOT))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print("Next: `make golden test`, then make the rules its own; CONTRIBUTING.md walks through it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
