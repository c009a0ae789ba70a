"""Commands about tables: play at one, seat a program at one of a house, read the rules, verify what was played."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brelan.cli.asked import (
    MOMENTS,
    game_argument,
    json_option,
    options_of,
    parted,
    players_of,
    table_options,
    writable,
)
from brelan.cli.spoken import spoken
from brelan.errors import Refusal, at_least
from brelan.folders import write
from brelan.words import LANGUAGES, Words, document, held, shown

if TYPE_CHECKING:
    from brelan.game import Game
    from brelan.play.shuffle import Chance


HOLDER = "BRELAN_TOKEN"
"""The variable that holds the token of who acts at a house: on the command line others could read it."""


def play_options(sub: argparse.ArgumentParser, words: Words) -> None:
    table_options(sub, words)
    sub.add_argument("--bots", default="novice", metavar="LEVELS", help=words("cli.bots"))
    sub.add_argument("--lang", choices=LANGUAGES, default=spoken(), help=words("cli.lang"))
    sub.add_argument("--record", type=Path, metavar="FILE", help=words("cli.play_record"))


def play(asked: argparse.Namespace) -> int:
    from brelan import bots, games, terminal
    from brelan.ink import ink_for
    from brelan.play.match import Match
    from brelan.play.record import written

    game, levels, players = games.find(asked.game), parted(asked.bots), players_of(asked)
    for level in levels:
        bots.find(game, level, asked.preset)
    match = Match(game, players, 0, asked.preset, options_of(asked.option))
    at_least(1, players - 1, bots=len(levels))
    writable(asked.record)
    words, chance = Words(asked.lang, game.id), drawn(players)
    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys, where there are such)
    say_game(game, chance, words)
    names = terminal.names(players, words)
    try:
        terminal.play(match, chance, levels, luck(), terminal.Paper(names, words, ink_for(sys.stdout)), print, input)
    except EOFError:
        print(f"\n{words('terminal.left')}", *([words("terminal.unrecorded")] if asked.record else []))
        return 0
    say_over(names, match.scores, match.winners, words)
    if asked.record:
        write(asked.record, written(match, chance))
    return 0


def drawn(players: int) -> Chance:
    """The sealed chance of a match: its secret, and a nonce for every seat."""
    from brelan.play.shuffle import NONCE_BYTES, SECRET_BYTES, Chance

    nonces = tuple(secrets.token_bytes(NONCE_BYTES) for _ in range(players))
    return Chance(secrets.token_bytes(SECRET_BYTES), f"terminal-{secrets.token_hex(8)}", nonces)


def luck() -> list[int]:
    """A generator for the bots, which never draws for the cards."""
    from brelan import cards

    random = [0]
    cards.seed(random, secrets.randbits(60))
    return random


def say_game(game: Game, chance: Chance, words: Words) -> None:
    """What is played, by whom it was made, the promise that holds the shuffles to what they are already, and the way
    out.
    """
    from brelan.ink import wrapped

    print(f"{game.title} ({game.by(words)}, {game.publisher})")
    commit = str(chance.header()["commit"])
    for said in words("terminal.commit", commit=f"{commit[:64]} {commit[64:]}"), words("terminal.leave", game=game.id):
        print(*wrapped("", said.split(" ")), sep="\n")


def sit_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("table", metavar="TABLE", help=words("cli.sit_table"))
    sub.add_argument("command", metavar="CMD", help=words("cli.check_command"))
    sub.add_argument("--seat", type=int, metavar="N", help=words("cli.sit_seat"))
    sub.add_argument("--seconds", type=float, default=10.0, help=words("cli.move_seconds"))
    json_option(sub, words)


def sit(asked: argparse.Namespace) -> int:
    from brelan import guest
    from brelan.bots.program import Program

    at_least(*MOMENTS, seconds=asked.seconds)
    token = os.environ.pop(HOLDER, "").strip()  # a file of it ends with its line; the program has no use for it
    if not token or not token.isascii() or not token.isprintable():  # no header could carry it
        raise Refusal("sit_token", name=HOLDER)
    there = guest.RemoteTable(asked.table, token)
    program = Program(asked.command, asked.seconds)
    with guest.like_ours(there):
        with closing(program), closing(guest.play(there, program)) as moves:
            before = there.view()["table"]["seat"]
            table = guest.sit(there, program, asked.seat)
            say_risen(before, table, asked.words)
            say_waits(table, asked.words)
            for move in moves:
                print(json.dumps({"move": move}) if asked.json else move, flush=True)
        say_end(there.view()["table"], asked)
    return 0


def say_end(table: dict[str, Any], asked: argparse.Namespace) -> None:
    """How the match at a table of a house ended."""
    if asked.json:
        print(json.dumps({"scores": table["scores"], "winners": table["winners"]}))
        return
    names = [seat["player"] or seat["name"] for seat in table["seats"]]
    say_over(names, table["scores"], table["winners"], asked.words)


def say_risen(before: int | None, table: dict[str, Any], words: Words) -> None:
    """Beside the moves, too: that the seat is given up which the token's person had before."""
    if before not in (None, table["seat"]):
        print(words("cli.sit_risen", seat=before), file=sys.stderr, flush=True)


def say_waits(table: dict[str, Any], words: Words) -> None:
    """Beside the moves, on standard error: that none is played yet, and who begins."""
    if table["status"] in ("open", "over") and table["seat"] is not None:  # it may have been taken away at once
        name = table["seats"][table["seat"]]["name"]
        print(shown(words("cli.sit_waits", name=name)), file=sys.stderr, flush=True)


def say_over(names: Sequence[str], scores: Sequence[int], winners: Sequence[int], words: Words) -> None:
    told = ", ".join(f"{name} ({score})" for name, score in zip(names, scores, strict=True))
    print(shown(words("terminal.over", scores=told, winners=words.listed([names[seat] for seat in winners]))))


def rules_options(sub: argparse.ArgumentParser, words: Words) -> None:
    game_argument(sub)
    sub.add_argument("--lang", choices=LANGUAGES, default=spoken(), help=words("cli.lang"))
    json_option(sub, words)


def rules(asked: argparse.Namespace) -> int:
    from brelan import games
    from brelan.ink import book, ink_for

    game = games.find(asked.game).id
    file, language = document("rulebook.{}.md", asked.lang, game)
    text = file.read_text("utf-8")
    if asked.json:
        print(json.dumps({"game": game, "language": language, "markdown": text}))
        return 0
    print(*book(held(text, language), ink_for(sys.stdout)), sep="\n")
    return 0


def verify_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("files", nargs="+", type=Path, metavar="FILE")
    sub.add_argument("--strict", action="store_true", help=words("cli.strict"))
    json_option(sub, words)


def verify(asked: argparse.Namespace) -> int:
    right = True
    for path in asked.files:
        answer = verified(path, asked)
        say_verified(asked, answer)
        right &= answer["right"]
    return 0 if right else 2


def say_verified(asked: argparse.Namespace, answer: dict[str, Any]) -> None:
    told = answer | {"file": shown(answer["file"])}
    say = asked.words("cli.right" if answer["right"] else "cli.wrong", n=answer["records"], **told)
    if answer["right"]:
        doubts = {"unsealed": answer["records"] - answer["sealed"] - answer["whatif"], "whatif": answer["whatif"]}
        say = " ".join([say, *(asked.words(f"cli.{name}", n=n) for name, n in doubts.items() if n)])
    aloud = sys.stdout if asked.json or answer["right"] else sys.stderr
    print(json.dumps(answer) if asked.json else say, file=aloud)


def verified(path: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """How many of a file's records are right, and why the next one is not, if one is not.

    `sealed` are those whose shuffles nobody knew before, `silent` those of them to which not every seat added a number.
    """
    from brelan.play.record import checked

    count, why = {"records": 0, "sealed": 0, "whatif": 0, "silent": 0}, {}
    try:
        for found in checked(content(path), asked.strict):
            count["records"] += 1
            count["whatif"] += found.is_whatif
            if found.chance and not found.is_whatif:
                count["sealed"] += 1
                count["silent"] += not all(found.chance.nonces)
    except Refusal as refusal:
        why = {"why": asked.words.refusal(refusal), **place_of(refusal)}
    except OSError as error:
        why = {"why": asked.words.reason(error)}
    return {"file": str(path), "right": not why, **why, **count}


def place_of(refusal: Refusal) -> dict[str, Any]:
    """Where a record is wrong and why, for programs: the line of its file, and the key of the sentence."""
    if refusal.key != "record_line":
        return {"reason": refusal.key}
    return {"line": refusal.values["line"], "reason": refusal.values["why"].key}


def content(path: Path) -> bytes:
    """What a file holds; a pipe or a device might never end."""
    if path.exists() and not path.is_file():
        raise Refusal("no_file")
    return path.read_bytes()


COMMANDS = {
    "play": (play, play_options),
    "sit": (sit, sit_options),
    "rules": (rules, rules_options),
    "verify": (verify, verify_options),
}
