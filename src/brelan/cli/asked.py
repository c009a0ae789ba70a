"""What several commands ask for in the same way, and how each reads what it was given."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from brelan.errors import Refusal
from brelan.folders import check_places, make_folder, places
from brelan.words import Words

MOMENTS = 0.01, 86_400
"""The seconds that a move may take or be given: up to a day."""


def game_argument(sub: argparse.ArgumentParser) -> None:
    """Which game, of those that have a room; to import them would take longer than most commands do."""
    rooms = Path(__file__).parents[1].glob("games/*/__init__.py")
    sub.add_argument("game", metavar="GAME", help=", ".join(sorted(room.parent.name for room in rooms)))


def table_options(sub: argparse.ArgumentParser, words: Words) -> None:
    """At which table: the options of every command that plays at one."""
    game_argument(sub)
    sub.add_argument("--players", type=int, help=words("cli.players"))
    rules_options(sub, words)


def rules_options(sub: argparse.ArgumentParser, words: Words) -> None:
    """By which rules: a preset, and what is to differ from it."""
    sub.add_argument("--preset", default="sheet", help=words("cli.preset"))
    sub.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=words("cli.option"))


def json_option(sub: argparse.ArgumentParser, words: Words) -> None:
    """For programs: what is said to people, as JSON."""
    sub.add_argument("--json", action="store_true", help=words("cli.json"))


def players_of(asked: argparse.Namespace) -> int:
    """How many sit there: as many as were asked for, or the fewest that may."""
    from brelan import games

    fewest: int = games.find(asked.game).seats[0]
    return fewest if asked.players is None else int(asked.players)


def options_of(texts: Sequence[str]) -> dict[str, Any]:
    """`name=value` texts as options; a value is JSON where it can be read so (true, 10, [1,2]), else a word."""
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refusal("option_text", given=text)
        if name in options:  # only one of its values could be played by
            raise Refusal("named_twice", given=name)
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    return options


def parted(given: str) -> tuple[str, ...]:
    """What was given with commas between, and perhaps blanks."""
    return tuple(part.strip() for part in given.split(","))


def is_output(file: Path) -> bool:
    """Whether that is where a command prints: `-`, or what its standard output is, by any name."""
    return str(file) == "-" or (file.exists() and os.path.samestat(file.stat(), os.fstat(1)))


def writable(*files: Path | None) -> None:
    """Fail now, and not after hours of work, where a file cannot be written, or would be written over by another, or
    by what is printed. A folder that is not there is made.
    """
    given = [file for file in files if file]
    if printed := [file for file in given if is_output(file)]:
        raise Refusal("printed_there", given=printed[0])
    ends = [places(file)[1] for file in given]
    if twice := [file for file, end in zip(given, ends, strict=True) if ends.count(end) > 1]:
        raise Refusal("named_twice", given=twice[0])
    for file in given:
        make_folder(file.parent)
        check_places(file)


def progress(total: int, unit: str, done: int = 0) -> Any:
    """A bar that tells how far long work has come, `done` of it earlier; shown only where somebody looks."""
    from tqdm import tqdm

    return tqdm(total=total, initial=done, unit=f" {unit}", file=sys.stderr, disable=None)
