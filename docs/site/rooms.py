"""The pages of a game: what it declares about itself, in tables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from brelan.bots import levels
from brelan.game import Game
from brelan.options import Option, as_given
from brelan.play.match import Match
from brelan.words import LANGUAGES, Words, document


def room(game: Game, tables: Iterable[Path], balanced: bool) -> str:
    """The first page of a game; `tables` are the files of its bots' tables, `balanced` whether it has been weighed."""
    words = Words("en", game.id)
    parts = [f"# {game.title}", words("about.line"), credits_of(game, words)]
    books = [f"[{Words(language)('lobby.rules')}]({rules_page(language)})" for language in written_in(game)]
    parts.append(", ".join(books) + ", [Balance](balance.md)" * balanced)
    parts += ["## Options", options(game, words), "## Presets", presets(game, words)]
    parts += ["## Cards and moves", cards(game), moves(game)]
    parts += ["## Bots", bots(game), "Against each other:\n\n" + "\n".join(map(table_link, tables))]
    return "\n\n".join(parts) + "\n"


def written_in(game: Game) -> list[str]:
    """The languages of its rulebook: one that is only begun may lack it."""
    return [language for language in LANGUAGES if document("rulebook.{}.md", language, game.id)[1] == language]


def rules_page(language: str) -> str:
    """The name of the page of its rulebook in that language."""
    return "rules.md" if language == LANGUAGES[0] else f"rules-{language}.md"


def credits_of(game: Game, words: Words) -> str:
    """Who made it, for how many, and the version of its rules."""
    by = ", ".join(str(part) for part in (game.by(words), game.publisher, game.year) if part)
    seats = f"{game.seats[0]}" if len(game.seats) == 1 else f"{game.seats[0]} to {game.seats[-1]}"
    return f"{by[:1].upper()}{by[1:]}. For {seats} players; `{game.id}`, revision {game.revision} of the rules."


def options(game: Game, words: Words) -> str:
    rows = [option(game, one, words) for one in game.options]
    return table(("option", "what it says", "default", "may be", "rule"), rows)


def option(game: Game, one: Option, words: Words) -> tuple[str, ...]:
    """Its row: what it may be is what its own check answers to a value that is none."""
    fewest, most = game.seats[0], game.seats[-1]
    default = said(one.default_for(fewest))
    if one.default_for(most) != one.default_for(fewest):
        default = f"{default} with {fewest}, {said(one.default_for(most))} with {most} seats"
    allowed = one.check(None, fewest) or ""
    return f"`{one.name}`", words(f"option.{one.name}"), default, allowed, f"[{one.rule}](rules.md#{one.rule})"


def said(value: object) -> str:
    """A value as code."""
    return f"`{as_given(value)}`"


def presets(game: Game, words: Words) -> str:
    rows = []
    for name, changes in game.presets.items():
        changed = ", ".join(f"`{key}={as_given(value)}`" for key, value in changes.items())
        rows.append((f"`{name}`", words(f"preset.{name}"), changed or "nothing"))
    return table(("preset", "", "changes"), rows)


def cards(game: Game) -> str:
    """The texts of the cards of the largest shuffle."""
    due = dict.fromkeys(Match(game, game.seats[-1]).due())
    return f"{len(due)} different cards in the first shuffle with {game.seats[-1]} seats: `{' '.join(due)}`."


def moves(game: Game) -> str:
    """Moves by their first word, with an example and how many there are."""
    kinds: dict[str, list[str]] = {}
    for number in range(game.rules.ACTIONS):
        text = game.notation.move_text(number)
        kinds.setdefault(text.split()[0], []).append(text)
    rows = [(f"`{kind}`", f"`{texts[len(texts) // 2]}`", str(len(texts))) for kind, texts in kinds.items()]
    return table(("move", "for example", "how many"), rows)


def bots(game: Game) -> str:
    rows, (_, points) = [], levels.strengths(game, "sheet", game.seats[0])
    for name in levels.choices(game):
        level = levels.find(game, name)
        search = (
            f"{level.mind.worlds} worlds at most, gate {level.mind.gate / 100:g}" if level.mind.worlds else "no search"
        )
        rows.append((f"`{name}`", search, f"{points[name]:+d}" if name in points else ""))
    return table(("level", "how it thinks", "Elo above the novice, at the smallest table"), rows)


def table_link(file: Path) -> str:
    _, preset, seats = file.stem.rsplit("-", 2)
    return f"- [`{preset}`, {seats} seats](../../bots/{file.name})"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Rows of cells as Markdown; a bar within a cell is no border."""
    head = list(head)
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
