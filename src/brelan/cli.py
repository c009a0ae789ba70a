"""The command `brelan`. Each subcommand is one function; errors are one clear sentence and exit code 2."""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from importlib import resources
from pathlib import Path
from typing import Any

from brelan import __version__
from brelan.errors import Refusal
from brelan.words import LANGUAGES, Words


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    words = Words(spoken())
    try:
        asked = parser(words).parse_args(arguments)
        asked.words = words
        command: Callable[[argparse.Namespace], int] = asked.run
        return command(asked)
    except Refusal as refusal:
        print(f"brelan: {words.refusal(refusal)}", file=sys.stderr)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # who read our output has had enough
    except OSError as error:
        print(f"brelan: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
    except KeyboardInterrupt:
        print(f"brelan: {words('cli.interrupted')}", file=sys.stderr)
        return 130
    return 2


def spoken() -> str:
    """The language of the environment, or English."""
    language = (os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "en")[:2]
    return language if language in LANGUAGES else "en"


# ---------------------------------------------------------------- the words typed after `brelan`


def parser(words: Words) -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser("brelan", description=words("cli.about"))
    top.add_argument("--version", action=Version, nargs=0, help=words("cli.show_version"))
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], game: bool = False) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=words(f"cli.{name}"), description=words(f"cli.{name}"))
        sub.set_defaults(run=run)
        if game:
            sub.add_argument("game", metavar="GAME")
        return sub

    serve_options(command("serve", serve), words)
    for name, run in (("backup", backup), ("restore", restore)):
        sub = command(name, run)
        sub.add_argument("file", type=Path, metavar="FILE")
        data_options(sub, words)
    play_options(command("play", play, game=True), words)
    command("rules", rules, game=True).add_argument("--lang", choices=LANGUAGES, default=spoken())
    simulate_options(command("simulate", simulate, game=True), words)
    verify_options(command("verify", verify), words)
    audit_options(command("audit", audit), words)
    for name, run in (("bench", bench), ("doctor", doctor)):
        command(name, run).add_argument("--json", action="store_true", help=words("cli.json"))
    return top


class Version(argparse.Action):
    """Say the version, and exactly which sources run."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from brelan.server.build import build_id

        print(f"brelan {__version__} ({build_id()})")
        parser.exit()


def serve_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("--host", default="127.0.0.1", help=words("cli.host"))
    sub.add_argument("--port", type=int, default=8000, help=words("cli.port"))
    sub.add_argument("--workers", type=int, default=1, metavar="N", help=words("cli.workers"))
    sub.add_argument("--log", choices=("text", "json"), help=words("cli.log"))
    sub.add_argument("--metrics", type=int, metavar="PORT", help=words("cli.metrics"))
    sub.add_argument("--proxy", metavar="ADDRESSES", help=words("cli.proxy"))
    data_options(sub, words)


def data_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("--data", type=Path, metavar="DIR", help=words("cli.data"))
    sub.add_argument("--database", metavar="URL", help=words("cli.database"))


def table_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("--players", type=int, help=words("cli.players"))
    sub.add_argument("--preset", default="sheet", help=words("cli.preset"))
    sub.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=words("cli.option"))


def play_options(sub: argparse.ArgumentParser, words: Words) -> None:
    table_options(sub, words)
    sub.add_argument("--bots", default="novice", metavar="LEVELS", help=words("cli.bots"))
    sub.add_argument("--lang", choices=LANGUAGES, default=spoken())
    sub.add_argument("--record", type=Path, metavar="FILE", help=words("cli.play_record"))


def simulate_options(sub: argparse.ArgumentParser, words: Words) -> None:
    table_options(sub, words)
    sub.add_argument("--matches", type=int, default=100, help=words("cli.matches"))
    sub.add_argument("--seed", type=int, default=0, help=words("cli.seed"))
    sub.add_argument("--bots", default="novice", metavar="LEVELS", help=words("cli.bots"))
    sub.add_argument("--records", type=Path, metavar="FILE", help=words("cli.records"))
    sub.add_argument("--legal", action="store_true", help=words("cli.legal"))
    sub.add_argument("--engine", choices=("here", "cores"), default="cores", help=words("cli.engine"))
    sub.add_argument("--json", action="store_true", help=words("cli.json"))


def verify_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("files", nargs="+", type=Path, metavar="FILE")
    sub.add_argument("--strict", action="store_true", help=words("cli.strict"))
    sub.add_argument("--json", action="store_true", help=words("cli.json"))


def audit_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("--shuffles", type=int, default=100_000, help=words("cli.shuffles"))
    sub.add_argument("--seed", type=int, help=words("cli.audit_seed"))
    sub.add_argument("--mutants", action="store_true", help=words("cli.mutants"))
    sub.add_argument("--engine", choices=("here", "cores"), default="cores", help=words("cli.engine"))
    sub.add_argument("--save", type=Path, metavar="FILE", help=words("cli.audit_save"))
    sub.add_argument("--json", action="store_true", help=words("cli.json"))


def options_of(texts: Sequence[str]) -> dict[str, Any]:
    """`name=value` texts as options; a value is JSON where it can be read so (true, 10, [1,2]), else a word."""
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refusal("option_text", given=text)
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    return options


# ---------------------------------------------------------------- the commands


def serve(asked: argparse.Namespace) -> int:
    import segno

    from brelan.server.app import Settings, serve  # the web's libraries: only who serves waits for them

    def announce(address: str) -> None:
        print(asked.words("cli.open", address=address), flush=True)
        if sys.stdout.isatty():
            segno.make(address, error="l").terminal(compact=True)

    named = ("host", "port", "data", "database", "workers", "log", "metrics", "proxy")
    choices = {name: getattr(asked, name) for name in named}
    return serve(Settings(**choices), announce)


def backup(asked: argparse.Namespace) -> int:
    from brelan.server.backup import backup
    from brelan.server.settings import Settings

    rows = backup(Settings(data=asked.data, database=asked.database), asked.file)
    print(asked.words("cli.backup_done", n=rows, file=asked.file))
    return 0


def restore(asked: argparse.Namespace) -> int:
    from brelan.server.backup import restore
    from brelan.server.settings import Settings

    rows = restore(Settings(data=asked.data, database=asked.database), asked.file)
    print(asked.words("cli.restore_done", n=rows))
    return 0


def play(asked: argparse.Namespace) -> int:
    from brelan import bots, cards, games, terminal
    from brelan.play.match import Match
    from brelan.play.record import written
    from brelan.play.shuffle import NONCE_BYTES, SECRET_BYTES, Chance

    game = games.find(asked.game)
    words = Words(asked.lang, game.id)
    players = game.seats[0] if asked.players is None else asked.players
    levels = asked.bots.split(",")
    for level in levels:
        bots.find(level)
    match = Match(game, players, 0, asked.preset, options_of(asked.option))
    nonces = tuple(secrets.token_bytes(NONCE_BYTES) for _ in range(players))
    chance = Chance(secrets.token_bytes(SECRET_BYTES), f"terminal-{secrets.token_hex(8)}", nonces)
    random = [0]
    cards.seed(random, secrets.randbits(60))
    print(f"{game.title} ({game.designer}, {game.publisher})")
    print(words("terminal.commit", commit=chance.header()["commit"]))
    try:
        terminal.play(match, chance, levels, random, words, print, input)
    except EOFError:
        print(f"\n{words('terminal.left')}")
        return 0
    names = terminal.names(players, words)
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, match.scores, strict=True))
    print(words("terminal.over", scores=scores, winners=", ".join(names[seat] for seat in match.winners)))
    if asked.record:
        asked.record.write_text(written(match, chance), "utf-8")
    return 0


def rules(asked: argparse.Namespace) -> int:
    from brelan import games

    room = resources.files(f"brelan.games.{games.find(asked.game).id}")
    text = room.joinpath(f"rulebook.{asked.lang}.md").read_text("utf-8")
    print(re.sub(r'<a id=".+?"></a>', "", text), end="")  # anchors are for pages
    return 0


def simulate(asked: argparse.Namespace) -> int:
    from tqdm import tqdm

    from brelan import games
    from brelan.lab.simulate import Plan, Summary, simulate

    if asked.matches < 1:
        raise Refusal("matches", given=asked.matches)
    players = games.find(asked.game).seats[0] if asked.players is None else asked.players
    bots = tuple(asked.bots.split(","))
    plan = Plan(asked.game, players, asked.seed, asked.preset, options_of(asked.option), bots, asked.legal)
    plan.check()
    summary = Summary()
    file = asked.records.open("w", encoding="utf-8") if asked.records else nullcontext()
    with file as out:
        results = simulate(plan, asked.matches, bool(out), asked.engine)
        for result in tqdm(results, total=asked.matches, unit=" matches", file=sys.stderr, disable=None):
            summary.add(result)
            if out:
                out.write(result.record)
    say_summary(asked, plan.players, summary.to_json(plan.players))
    return 0


def say_summary(asked: argparse.Namespace, players: int, summary: dict[str, Any]) -> None:
    if asked.json:
        table = {"game": asked.game, "preset": asked.preset, "players": players, "seed": asked.seed}
        print(json.dumps(table | summary))
        return
    print(asked.words("cli.summary", game=asked.game, **{k: summary[k] for k in ("matches", "moves", "rounds")}))
    for seat, (wins, score) in enumerate(zip(summary["wins"], summary["scores"], strict=True)):
        print(asked.words("cli.summary_seat", seat=seat, wins=100 * wins, score=score))


def verify(asked: argparse.Namespace) -> int:
    from brelan.play.record import verify

    wrong = 0
    for path in asked.files:
        count = 0
        answer: dict[str, Any] = {"file": str(path), "right": True}
        try:
            for _ in verify(content(path), asked.strict):
                count += 1
        except Refusal as refusal:
            wrong += 1
            answer |= {"right": False, "why": asked.words.refusal(refusal)}
        answer["records"] = count
        say = asked.words("cli.right" if answer["right"] else "cli.wrong", why=answer.get("why"), file=path, n=count)
        aloud = sys.stdout if asked.json or answer["right"] else sys.stderr
        print(json.dumps(answer) if asked.json else say, file=aloud)
    return 2 if wrong else 0


def content(path: Path) -> bytes:
    """What a file holds; a pipe or a device might never end."""
    if path.exists() and not path.is_file():
        raise Refusal("no_file")
    return path.read_bytes()


def audit(asked: argparse.Namespace) -> int:
    from tqdm import tqdm

    from brelan.lab.audit import MUTANTS, Plan, decks

    if asked.shuffles < 1:
        raise Refusal("shuffles", given=asked.shuffles)
    seed = secrets.randbits(48) if asked.seed is None else asked.seed
    plans = [Plan(asked.shuffles, seed, asked.engine, mutant) for mutant in ("", *(MUTANTS if asked.mutants else ()))]
    total = sum(plan.blocks for plan in plans) * len(decks())
    with tqdm(total=total, unit=" blocks", file=sys.stderr, disable=None) as bar:
        found = [plan.to_json(plan.run(decks(), bar.update)) for plan in plans]
    for result in found:
        say_audit(asked, result)
    if asked.save:
        asked.save.write_text(json.dumps(found[0], indent=1) + "\n", "utf-8")
    return 0 if all(result["fair"] is not bool(result["mutant"]) for result in found) else 2


def say_audit(asked: argparse.Namespace, result: dict[str, Any]) -> None:
    if asked.json:
        print(json.dumps(result))
        return
    decks, names = result["decks"], ("places", "pairs", "hands", "orders")
    print(asked.words("cli.audit_of", name=result["mutant"] or "brelan", n=decks[0]["shuffles"], seed=result["seed"]))
    print(f"  {'':14}" + "".join(f"{asked.words(f'cli.audit_{name}'):>10}" for name in names))
    for deck in decks:
        z = "".join(f"{deck['z'][name]:>+10.2f}" if name in deck["z"] else f"{'':10}" for name in names)
        print(f"  {deck['game']:11}{deck['cards']:3}{z}  {'✓' if deck['fair'] else '✗'}")
    unfair = sum(not deck["fair"] for deck in decks)
    print(asked.words("cli.audit_unfair" if unfair else "cli.audit_fair", limit=result["limit"], n=unfair))


def bench(asked: argparse.Namespace) -> int:
    from brelan.lab.bench import main
    from brelan.server.figures import figures

    return main(asked.json, figures())


def doctor(asked: argparse.Namespace) -> int:
    from brelan.doctor import checks

    found = checks()
    if asked.json:
        print(json.dumps([{"name": c.name, "good": c.good, "says": c.says} for c in found]))
    else:
        for check in found:
            print(f"{'✓' if check.good else '✗'} {check.name}: {check.says}")
    return 0 if all(check.good for check in found) else 2
