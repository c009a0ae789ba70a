"""A first lesson: a few written deals, played step by step on a real table by one learner and a script.

A game's room holds its lesson as data (`lesson.toml`) and its sentences in the catalogues (`lesson.en.toml`). A deal of
it is played on a table that plays on from written lines, as one that asks what if does; so every move goes through the
rules, and what the learner sees is made as at any table: redact first, then render.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec.structs import replace

from brelan.game import Game
from brelan.games import find
from brelan.play.match import Match
from brelan.play.messages import Move, Next, Sit, Start
from brelan.play.present import zeros
from brelan.play.shown import Seen, TableShown, UndoShown, View, Viewer, view
from brelan.play.shuffle import SECRET_BYTES
from brelan.play.table import Table
from brelan.play.told import differences
from brelan.play.whatif import Origin
from brelan.scene import still
from brelan.words import Words

LEARNER = 0
"""The learner's seat."""

READ = ""
"""The move of a step that is only read."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that the learner is asked to do, and what the others answer.

    Its sentences are `lesson.<deal>.<step>.say` and, if there is a move to make, `.other`: why this one is meant.
    """

    name: str
    rule: str  # the id of the paragraph that it teaches
    move: str = READ
    replies: tuple[str, ...] = ()  # "1 draw": a seat and its move


@dataclass(frozen=True, slots=True)
class Deal:
    """A written deal: its table, the cards on top of each shuffle (the others follow in order), and what was played."""

    name: str
    players: int
    decks: tuple[str, ...]
    steps: tuple[Step, ...]
    first: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    manner: str | None = None
    before: tuple[str, ...] = ()


@dataclass(slots=True)
class StepShown:
    """A step as a page walks through it: what is seen on the way to it, last of all what the learner is asked at."""

    say: str
    other: str
    rule: str
    move: str
    views: list[View]


@dataclass(slots=True)
class DealShown:
    title: str
    steps: list[StepShown]


def has_lesson(game: Game) -> bool:
    """Whether the room of a game holds a lesson."""
    return _file(game).is_file()


@cache
def lesson(game_id: str) -> list[Deal]:
    """The deals of a game's lesson, as it stands when it is first asked for."""
    deals: list[Deal] = msgspec.convert(tomllib.loads(_file(find(game_id)).read_text("utf-8"))["deals"], list[Deal])
    return deals


def lesson_shown(game: Game, words: Words, learner: str) -> list[DealShown]:
    """The whole lesson as its learner sees it, in the language of `words`, which hold those of the game."""
    names = [learner or words("lesson.learner"), *words("lesson.others").split(", ")]
    return [
        DealShown(words(f"lesson.{deal.name}.title"), list(steps_shown(game, deal, names, words)))
        for deal in lesson(game.id)
    ]


def steps_shown(game: Game, deal: Deal, names: list[str], words: Words) -> Iterator[StepShown]:
    """Each step with the views that lead to it; every move of the script is made on the table, or refused by it."""
    table = begun(game, deal, names)
    seen: Seen | None = None
    views: list[View] = []

    def look() -> None:
        nonlocal seen
        since = seen.number if seen else table.number
        shown, seen = view(table, Viewer(person(LEARNER), words), everybody(table), seen, since)
        views.append(as_lesson(shown, game, words))

    look()
    for step in deal.steps:
        if step.move == READ:
            scene = views[-1].scene
            views[-1].scene = replace(still(scene), prompt=words("lesson.read")) if scene else None
        key = f"lesson.{deal.name}.{step.name}"
        other = words(f"{key}.other") if step.move else words("lesson.read")
        yield StepShown(words(f"{key}.say"), other, step.rule, step.move, views)
        views = []
        for seat, move in [(LEARNER, step.move), *map(seat_and_move, step.replies)] if step.move else []:
            act(table, seat, move)
            look()
        if not views:
            look()


def begun(game: Game, deal: Deal, names: list[str]) -> Table:
    """The table of a deal when its learner is asked for the first time."""
    match = opening(game, deal)
    header = {**match.header(), "match": "lesson", "nonces": [""] * deal.players}
    origin = Origin("lesson", len(match.lines), header, match.lines, bytes(SECRET_BYTES).hex())
    host, options = person(LEARNER), match.options
    table = Table.made(
        zeros, "lesson", game.id, deal.players, host, 0.0, options=options, manner=deal.manner, origin=origin
    )
    for seat, name in enumerate(names[: deal.players]):
        table.receive(person(seat), Sit(f"sit {seat}", seat, name), 0.0)
    table.receive(host, Start("start"), 0.0)
    return table


def opening(game: Game, deal: Deal) -> Match:
    """The match as it was written down: dealt, and played up to the first step."""
    match = Match(game, deal.players, deal.first, options=deal.options)
    for deck in deal.decks:
        match.shuffle(whole(deck.split(), match.due()))
    for line in deal.before:
        match.move(*seat_and_move(line))
    return match


def whole(top: list[str], due: Iterable[str]) -> list[str]:
    """The written cards on top of a pile, the others under them in order."""
    rest = list(due)
    for card in top:
        rest.remove(card)
    return top + rest


def act(table: Table, seat: int, move: str) -> None:
    """A seat's move as its message; a claim that waits for earlier ones is decided, and what is left before the next
    deal begins at once.
    """
    table.receive(person(seat), Move(f"move {table.number}", table.number, move), 0.0)
    if table.claims and table.deadline is not None:
        table.tick(table.deadline)
    for other in table.waits_for() if table.match and not table.match.due() else []:
        table.receive(person(other), Next(f"next {other}"), 0.0)


def person(seat: int) -> str:
    """By what name somebody in a lesson speaks to its table."""
    return f"lesson {seat}"


def everybody(table: Table) -> set[str]:
    return {seat.person for seat in table.seats}


def seat_and_move(line: str) -> tuple[int, str]:
    """What a line of a script says: "1 discard Kh"."""
    seat, _, move = line.partition(" ")
    return int(seat), move


def as_lesson(shown: View, game: Game, words: Words) -> View:
    """A view without what a lesson has not: a chance to prove, moves to take back, time that runs."""
    table: TableShown = replace(
        shown.table,
        title=words("lesson.title", game=game.title),
        differs=differences(game, len(shown.table.seats), shown.table.options, words),
        origin=None,
        match=None,
        commit=None,
        root=None,
        shuffles=0,
        undo=UndoShown(False, False, None, []),
        waits_for=[],
        deadline=None,
    )
    return replace(shown, table=table)


def _file(game: Game) -> Traversable:
    return resources.files(f"brelan.games.{game.id}").joinpath("lesson.toml")
