"""Commands about the house itself: serve it, keep its data, look whether all is well."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path

from brelan.cli.asked import json_option
from brelan.errors import Refusal
from brelan.words import LANGUAGES, Words


def serve_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("--host", default="127.0.0.1", help=words("cli.host"))
    sub.add_argument("--port", type=int, default=8000, help=words("cli.port"))
    sub.add_argument("--workers", type=int, default=1, metavar="N", help=words("cli.workers"))
    sub.add_argument("--log", choices=("text", "json"), help=words("cli.log"))
    sub.add_argument("--metrics", type=int, metavar="PORT", help=words("cli.metrics"))
    sub.add_argument("--proxy", metavar="ADDRESSES", help=words("cli.proxy"))
    sub.add_argument("--notice", metavar="URL", help=words("cli.notice"))
    sub.add_argument("--language", choices=LANGUAGES, default=LANGUAGES[0], help=words("cli.language"))
    sub.add_argument("--new-key", action="store_true", help=words("cli.new_key"))
    json_option(sub, words)
    data_options(sub, words)


def data_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("--data", type=folder, metavar="DIR", help=words("cli.data"))
    sub.add_argument("--database", metavar="URL", help=words("cli.database"))


def folder(given: str) -> Path:
    """A folder that was named; a variable that is not set would name the one where we happen to be."""
    if not given:
        raise ValueError("no name")
    return Path(given)


def file_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("file", type=Path, metavar="FILE")
    json_option(sub, words)
    data_options(sub, words)


def forget_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("code", nargs="?", default="", metavar="CODE", help=words("cli.forget_code"))
    sub.add_argument("seat", nargs="?", type=int, metavar="SEAT", help=words("cli.forget_seat"))
    sub.add_argument("--name", default="", metavar="NAME", help=words("cli.forget_name"))
    sub.add_argument("--sure", action="store_true", help=words("cli.forget_sure"))
    data_options(sub, words)


def seat_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("code", metavar="CODE", help=words("cli.seat_code"))
    sub.add_argument("seat", type=int, metavar="SEAT", help=words("cli.seat_seat"))
    data_options(sub, words)


def unlist_options(sub: argparse.ArgumentParser, words: Words) -> None:
    sub.add_argument("name", metavar="NAME", help=words("cli.unlist_name"))
    sub.add_argument("--sure", action="store_true", help=words("cli.unlist_sure"))
    data_options(sub, words)


def doctor_options(sub: argparse.ArgumentParser, words: Words) -> None:
    json_option(sub, words)
    data_options(sub, words)


def serve(asked: argparse.Namespace) -> int:
    from urllib.parse import urlsplit

    from brelan.server.app import EVERYWHERE, Settings, serve  # the web's libraries: only who serves waits for them
    from brelan.server.web.limits import is_own_machine

    def announce(address: str) -> None:
        said = json.dumps({"address": address}) if asked.json else asked.words("cli.open", address=address)
        print(said, flush=True)
        if not sys.stdout.isatty() or asked.json:
            return
        if not is_own_machine(urlsplit(address).hostname or ""):  # it would lead a phone to itself
            draw(address)
        elif asked.host not in EVERYWHERE:
            print(asked.words("cli.open_here"), flush=True)

    named = ("host", "port", "data", "database", "workers", "log", "metrics", "proxy", "notice", "language", "new_key")
    choices = {name: getattr(asked, name) for name in named}
    return serve(Settings(**choices), announce)


def draw(address: str) -> None:
    """An address as a QR code, for a phone that looks at the terminal."""
    import segno

    segno.make(address, error="l").terminal(compact=True)


def backup(asked: argparse.Namespace) -> int:
    from brelan.server.settings import Settings
    from brelan.server.upkeep.backup import backup

    rows = backup(Settings(data=asked.data, database=asked.database), asked.file)
    say_kept(asked, "cli.backup_done", rows)
    return 0


def restore(asked: argparse.Namespace) -> int:
    from brelan.server.settings import Settings
    from brelan.server.upkeep.backup import restore

    rows = restore(Settings(data=asked.data, database=asked.database), asked.file)
    say_kept(asked, "cli.restore_done", rows)
    return 0


def say_kept(asked: argparse.Namespace, done: str, rows: int) -> None:
    """How many rows a file holds now, or a house."""
    kept = {"file": str(asked.file), "rows": rows}
    print(json.dumps(kept) if asked.json else asked.words(done, n=rows, file=asked.file, command=serving(asked)))


def serving(asked: argparse.Namespace) -> str:
    """The command that opens the house which was named, by what it was named by; a password is not shown."""
    from brelan.server.store.engine import Place

    data = ("--data", str(asked.data)) if asked.data else ()
    if not asked.database:
        return shlex.join(("brelan", "serve", *data))
    place = Place.of(asked.database)
    secret = place.url.password or "password" in place.url.query
    return shlex.join(("brelan", "serve", *data, "--database", place.shown if secret else asked.database))


def meant(typed: str) -> str:
    """The code that somebody means, or what they typed where it can be none: it is told them."""
    from brelan.server.pages.lobby import code_meant

    return code_meant(typed) or typed


def forget(asked: argparse.Namespace) -> int:
    from brelan.server.settings import Settings
    from brelan.server.tables import farewell

    settings, code = Settings(data=asked.data, database=asked.database), meant(asked.code)
    if asked.name and not code:
        farewell.forget_name(settings, asked.name, asked.sure)
    elif asked.seat is None:
        raise Refusal("storage.forget_whom")
    else:
        farewell.forget_seat(settings, code, asked.seat, asked.sure, asked.name)
    print(asked.words("cli.forget_done"))
    return 0


def seat(asked: argparse.Namespace) -> int:
    from brelan.server.settings import Settings
    from brelan.server.tables.way_back import way_back

    link = way_back(Settings(data=asked.data, database=asked.database), meant(asked.code), asked.seat)
    house = asked.code[: max(asked.code.lower().find("/t/"), 0)]
    print(house + link)
    if house and sys.stdout.isatty():
        draw(house + link)
    return 0


def unlist(asked: argparse.Namespace) -> int:
    from brelan.server.settings import Settings
    from brelan.server.tables import farewell

    farewell.unlist(Settings(data=asked.data, database=asked.database), asked.name, asked.sure)
    print(asked.words("cli.unlist_done"))
    return 0


def doctor(asked: argparse.Namespace) -> int:
    from brelan.doctor import checks
    from brelan.ink import has

    found = checks(asked.words, asked.data, asked.database)
    if asked.json:
        print(json.dumps([{"name": c.name, "good": c.good, "says": c.says} for c in found]))
    else:
        bad, good = ("✗", "✓") if has(sys.stdout, "✗✓") else ("!!", "ok")
        for check in found:
            said = asked.words("terminal.labelled", label=check.called(asked.words), text=check.says)
            print(f"{good if check.good else bad} {said}")
    return 0 if all(check.good for check in found) else 2


COMMANDS = {
    "serve": (serve, serve_options),
    "backup": (backup, file_options),
    "restore": (restore, file_options),
    "forget": (forget, forget_options),
    "seat": (seat, seat_options),
    "unlist": (unlist, unlist_options),
    "doctor": (doctor, doctor_options),
}
