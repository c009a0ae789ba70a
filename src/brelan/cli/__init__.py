"""The command `brelan`. Each subcommand is one function; errors are one clear sentence and exit code 2. What interrupts
it, a closed pipe too, is told by the code of its signal.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from brelan import __version__
from brelan.cli import house, lab, tables
from brelan.cli.spoken import spoken
from brelan.cli.stop import stoppable
from brelan.errors import Refusal
from brelan.words import Words


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    open_what_is_closed()
    show_what_can_be()
    words = Words(spoken())
    try:
        asked = parser(words).parse_args(arguments)
        asked.words = words
        command: Callable[[argparse.Namespace], int] = asked.run
        with nullcontext() if command is house.serve else stoppable():  # the house has an end of its own
            code = command(asked)
        sys.stdout.flush()  # what fails only at the very end is not told in a sentence
        return code
    except Refusal as refusal:
        print(f"brelan: {words.refusal(refusal)}", file=sys.stderr)
    except BrokenPipeError:  # who read our output has had enough
        drop_unsaid()
        return 128 + getattr(signal, "SIGPIPE", 13)
    except OSError as error:
        drop_unsaid()
        where = f"{error.filename}: " if error.filename else ""
        print(f"brelan: {where}{words.reason(error)}", file=sys.stderr)
    except KeyboardInterrupt as told:
        print(f"brelan: {words('cli.interrupted')}", file=sys.stderr)
        return 128 + next(iter(told.args), signal.SIGINT)
    return 2


def open_what_is_closed() -> None:
    """Where we were started without an input or an output (`<&-`), nothing comes from there, and nothing goes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  (as long as we run)


def show_what_can_be() -> None:
    """What the terminal has no letters for becomes a question mark, and no error; so does what is typed and is none."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def drop_unsaid() -> None:
    """Output that cannot be written would fail once more at the very end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser(words: Words) -> Parser:
    """All commands and their options."""
    vars(argparse)["_"] = partial(said, words)  # it would ask gettext, and find what is installed for the whole machine
    top = Parser("brelan", description=words("cli.about"))
    top.add_argument("--version", action=Version, nargs=0, help=words("cli.show_version"))
    top.set_defaults(run=partial(shown, top))
    commands = top.add_subparsers(metavar="COMMAND")
    for room in (house, tables, lab):
        for name, (run, options) in room.COMMANDS.items():
            sub = commands.add_parser(name, help=words(f"cli.{name}"), description=words(f"cli.{name}"))
            sub.set_defaults(run=run)
            options(sub, words)
    return top


def shown(top: Parser, _: argparse.Namespace) -> int:
    """What can be asked, to who asked for nothing."""
    top.print_help(sys.stderr)
    return 2


def said(words: Words, text: str) -> str:
    """What argparse says, by what it says in English."""
    key = f"argparse.{text}"
    return words(key) if key in words else text


class Parser(argparse.ArgumentParser):
    """Says in one sentence what it does not understand, as everything else is refused."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        for kind in (int, float):
            self.register("type", kind, partial(number, kind))

    def error(self, message: str) -> NoReturn:
        raise Refusal("usage", why=message, command=self.prog)

    def parse_known_args(self, *given: Any, **named: Any) -> Any:
        """What a command does not know is refused by it: by itself it would be handed up to the first of all."""
        asked, left = super().parse_known_args(*given, **named)
        if left:
            self.error(vars(argparse)["_"]("unrecognized arguments: %s") % " ".join(left))
        return asked, left

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """What is no text is refused before a store or a page stumbles over it, unless it names a file. All that can
        be chosen is told, as many commands as there may be.
        """
        if isinstance(value, str) and value != value.encode(errors="ignore").decode():
            raise Refusal("no_text", given=value)
        if action.choices is not None and value not in action.choices:
            name = action.metavar or action.option_strings[0]
            raise Refusal("argument", name=name, given=value, allowed=" | ".join(action.choices))


def number(kind: type[float], given: str) -> float:
    """A number in the digits 0 to 9, as everywhere in the house: Python by itself reads others, and blanks and
    underscores between them.
    """
    if not re.fullmatch("[-.0-9a-z]+", given):  # nan and inf are refused by their bounds
        raise ValueError(given)
    return kind(given)


class Version(argparse.Action):
    """Say the version, and exactly which sources run."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from brelan.build import build_id

        print(f"brelan {__version__} ({build_id()})")
        parser.exit()
