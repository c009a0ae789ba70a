"""Gather the pages of the site under build/docs, for `make docs`: `python -m docs.site.gather`.

Nothing is written twice: a page is a file of the repository with its links turned, or made from what the code declares.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Set
from functools import partial
from pathlib import Path, PurePosixPath

from brelan.game import Game
from brelan.games import GAMES
from brelan.words import LANGUAGES, Words
from docs.site import notebooks, rooms, spoken
from docs.site.links import linked

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "docs"
BALANCE = "docs/balance.md"
SHEETS = "# The five sheets"
CODE = {"py": "python", "mjs": "javascript", "conf.sample": "nginx", "service.sample": "ini"}


def gather(folder: Path = BUILD) -> int:
    """Write every page, picture and the configuration anew; how many pages."""
    shutil.rmtree(folder / "pages", ignore_errors=True)
    where = places()
    written, made = dict(gathered(where)), dict(generated(where))
    for target, text in (written | made).items():
        put(folder / "pages" / target, text.encode())
    for source, target in where.items():
        if not target.endswith(".md"):
            put(folder / "pages" / target, (ROOT / source).read_bytes())
    for target, picture in drawn(where):
        put(folder / "pages" / target, picture)
    put(folder / "zensical.toml", configuration(made.keys() | written.keys()).encode())
    return len(written | made)


def places() -> dict[str, str]:
    """What became of each file of the repository that the site shows: its page, or itself."""
    found = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
    found |= {"bench/README.md": "bench.md", "docs/site/look.css": "look.css"}
    found |= {"src/brelan/server/static/icon.svg": "icon.svg"}
    for game in GAMES:
        for language in rooms.written_in(game):
            source = f"src/brelan/games/{game.id}/rulebook.{language}.md"
            found[source] = f"games/{game.id}/{rooms.rules_page(language)}"
    for file in sorted((ROOT / "docs").rglob("*.*")):
        path = file.relative_to(ROOT).as_posix()
        inside = PurePosixPath(path).relative_to("docs")
        if inside.parts[0] == "images" or file.suffix == ".md":
            found[path] = str(inside)
        elif file.suffix == ".sample":
            found[path] = f"{inside.stem}.md"
        elif file.suffix == ".ipynb":
            found[path] = str(inside.with_suffix(".md"))
        elif inside.parts[0] == "examples" and file.is_file():
            found[path] = f"{inside}.md"
    return found


def gathered(where: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The pages that are files of the repository: their places on the site, their texts."""
    for source, target in where.items():
        if target.endswith(".md"):
            text = (ROOT / source).read_text("utf-8")
            if source.endswith(".ipynb"):
                yield target, notebooks.page(text, partial(linked, source=source, target=target, pages=where))
            else:
                yield target, linked(as_page(source, text), source, target, where)


def generated(where: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The pages that are made from what the code declares, and the parts of the page on balance."""
    yield "library.md", spoken.library_page()
    yield "commands.md", spoken.commands_page()
    general, reports = balance((ROOT / BALANCE).read_text("utf-8"))
    yield "balance.md", linked(general, BALANCE, "balance.md", where)
    for game in GAMES:
        tables = sorted((ROOT / "docs" / "bots").glob(f"{game.id}-*.md"))
        yield f"games/{game.id}/index.md", rooms.room(game, tables, game.title in reports)
        if game.title in reports:
            target = f"games/{game.id}/balance.md"
            yield target, linked(reports[game.title], BALANCE, target, where)


def as_page(source: str, text: str) -> str:
    """The text of a file as that of a page: Markdown as it is, in another language than English as
    such, bots' tables with a heading, any other file as code.
    """
    name = PurePosixPath(source).name
    if source.startswith("docs/bots/"):
        game, preset, seats = PurePosixPath(source).stem.rsplit("-", 2)
        title = next((one.title for one in GAMES if one.id == game), game)
        return f"# {title}, preset {preset}, {seats} seats\n\nHow to read it: [the bots](../bots.md).\n\n{text}"
    if (told := PurePosixPath(name).suffixes[0].removeprefix(".")) in LANGUAGES and told != LANGUAGES[0]:
        return f'<div lang="{told}" markdown="1">\n\n{text}\n</div>\n'
    if name.endswith(".md"):
        return text
    language = next(value for end, value in CODE.items() if name.endswith(f".{end}"))
    return f"# {name}\n\n`{source}`\n\n```{language}\n{text.rstrip()}\n```\n"


def drawn(where: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """The pictures in notebooks, at the places where their pages look for them."""
    for source, target in where.items():
        if source.endswith(".ipynb"):
            for name, picture in notebooks.pictures((ROOT / source).read_text("utf-8")):
                yield str(PurePosixPath(target).parent / name), picture


def balance(text: str) -> tuple[str, dict[str, str]]:
    """How a rule is weighed and the report of each game by its title."""
    general, _, rest = text.partition(SHEETS)
    intro, *reports = re.split(r"^## ", rest.strip(), flags=re.MULTILINE)
    found = {}
    for report in reports:
        title, _, body = report.partition("\n")
        found[title] = f"# {title}: balance\n\n{intro.strip()} What the figures mean: `{BALANCE}`.\n{body}"
    return f"{general}## The five sheets\n\n{intro.strip()} Each game has a page of its own about it.\n", found


def configuration(pages: Set[str]) -> str:
    """The site's configuration, with the rooms of the games that there are."""
    text = (ROOT / "docs" / "site" / "zensical.toml").read_text("utf-8")
    rooms = ", ".join(way_to(game, pages) for game in GAMES)
    return text.replace('{ "The games" = [] }', f'{{ "The games" = [{rooms}] }}')


def way_to(game: Game, pages: Set[str]) -> str:
    """The pages of a game's room, as `nav` holds them."""
    ways = [f'"games/{game.id}/index.md"']
    books = [(Words(language)("lobby.rules"), rooms.rules_page(language)) for language in LANGUAGES]
    for name, file in (*books, ("Balance", "balance.md")):
        if f"games/{game.id}/{file}" in pages:
            ways.append(f'{{ "{name}" = "games/{game.id}/{file}" }}')
    return f'{{ "{game.title}" = [{", ".join(ways)}] }}'


def put(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


if __name__ == "__main__":
    gather()
