"""A match that is over, seen again: step by step, with any seat's eyes or with all hands open.

A step is a line of the record: a shuffle or a move. What a viewer sees of it is made as at the table: redact first,
then render. Only who asks for all hands gets a scene of the whole state, and only because the match is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from brelan.cards import SPECTATOR
from brelan.errors import Refusal
from brelan.play.match import Line, Match
from brelan.play.present import zeros
from brelan.play.record import as_text
from brelan.play.seats import Event
from brelan.play.spans import leading_to
from brelan.play.table import Table
from brelan.play.told import names_of, reason, sentence
from brelan.play.whatif import Origin
from brelan.scene import Moved, Places, Scene, moved, paused, places, still
from brelan.words import Words

OPEN = -2
"""The viewer before whom all hands lie open."""

LINES = ("header", "shuffle", "move", "over")
"""The events that are lines of the record, as they stand, unless their moves are taken back."""

ASIDE = ("kept", "back")
"""The events that are no lines, and yet tell who played."""


class NotOver(Refusal):
    """The match is still played; whoever saw it again would see what is hidden."""


@dataclass(slots=True)
class Step:
    """The table after a step, and which cards moved there with it."""

    scene: Scene
    last: list[Moved]


@dataclass(slots=True)
class Round:
    """A round, from the step that deals it to the step that ends it."""

    begin: int
    end: int


@dataclass(slots=True)
class Told:
    """What happened with a step, as a sentence its viewer may hear."""

    step: int
    seat: int | None
    words: str
    rule: str | None


def record_of(events: Iterable[Event], match: str) -> str:
    """The record of one match of a table, as text; needs no rules, so that it outlives their revisions."""
    lines: list[Line] = []
    for event in own_events(events, match):
        if event.kind == "undone":
            del lines[-event.data["lines"] :]
        elif event.kind in LINES:
            lines.append(event.data)
    return as_text(lines)


def own_events(events: Iterable[Event], match: str) -> list[Event]:
    """The events of one match of a table, from its commitment to its end; refuses one that is unknown or not over."""
    found: list[Event] = []
    for event in events:
        if found or (event.kind == "started" and event.data["match"] == match):
            found.append(event)
        if found and event.kind == "over":
            return found
    raise NotOver("replay.before") if found else Refusal("replay.unknown", match=match)


class Replay:
    """One match of a table, from its stored events. Steps are numbered from 0, the first deal."""

    def __init__(self, events: list[Event], match: str) -> None:
        own = own_events(events, match)
        self.table = Table.rebuilt(zeros, [*leading_to(events, own[0].number), *own])
        assert self.table.match
        self.match: Match = self.table.match
        self.events, self.steps, self.end = own, self.table.steps, own[-1]

    def rounds(self) -> list[Round]:
        """The rounds in order; between two of them the seats may still have something to do."""
        rounds, begin = [], 0
        for step, event in enumerate(self.steps):
            if event.number in self.table.tallied:
                rounds.append(Round(begin, step))
                begin = len(self.steps)
            elif event.kind == "shuffle":
                begin = min(begin, step)
        return rounds

    def scenes(self, viewer: int, words: Words, first: int, count: int) -> Iterator[Step]:
        """What a seat, SPECTATOR or OPEN sees after each of `count` steps from `first` on."""
        before: Places | None = None
        for step, match in enumerate(self._again()):
            if step >= first - 1:
                scene = self._scene(step, match, viewer, words)
                after = places(scene.zones)
                if step >= first:
                    yield Step(scene, moved(before, after) if before else [])
                before = after
            if step == first + count - 1:
                return

    def _scene(self, step: int, match: Match, viewer: int, words: Words) -> Scene:
        scene = seen(match, viewer, words)
        ended = self.steps[step].number in self.table.tallied and not match.over
        return paused(scene, words("table.between")) if ended else scene

    def told(self, viewer: int, words: Words) -> Iterator[Told]:
        """All that happened, as that viewer may hear it; before OPEN nothing is left out."""
        steps = {event.number: step for step, event in enumerate(self.steps)}
        step = 0
        for event in self.events:
            step = steps.get(event.number, step)
            if event.number not in steps and event.kind not in ASIDE:
                continue
            hears = event.data.get("seat", SPECTATOR) if viewer == OPEN else viewer
            yield from self._sentence(step, event, hears, words)
            if event.number in self.table.tallied:
                tally = self.match.tallies[self.table.tallied[event.number]]
                yield Told(step, None, reason(names_of(self.table, words), tally, words), tally.rule)
        yield from self._sentence(len(self.steps) - 1, self.end, viewer, words)

    def _sentence(self, step: int, event: Event, hears: int, words: Words) -> Iterator[Told]:
        if news := sentence(self.table, event, hears, words):
            yield Told(step, news.seat, news.words, news.rule)

    def _again(self) -> Iterator[Match]:
        """The match after each of its steps: one match that goes on."""
        match = Match(self.match.game, self.match.players, self.match.first, self.match.preset, self.match.options)
        for event in self.steps:
            match.follow(event.data)
            yield match


def origin_at(replay: Replay, step: int) -> Origin:
    """Where a table begins that plays on after a step of a match, or the refusal of a step that is not there."""
    if step not in range(len(replay.steps)):
        raise Refusal("whatif.no_step")
    if all(event.kind == "shuffle" for event in replay.steps[step + 1 :]):  # nobody decides on those
        raise Refusal("whatif.over")
    header = next(event.data for event in reversed(replay.table.events) if event.kind == "header")
    plain = {key: value for key, value in header.items() if key != "whatif"}
    lines = [event.data for event in replay.steps[: step + 1]]
    assert replay.table.sealed
    return Origin(replay.table.sealed.match, step + 1, plain, lines, replay.end.data["secret"])


def seen(match: Match, viewer: int, words: Words) -> Scene:
    """The table as the viewer sees it, with nothing to choose."""
    view = match.game.view
    if viewer == OPEN:
        return still(view.scene(match.state, SPECTATOR, words))
    return still(view.scene(view.redact(match.state, viewer), viewer, words))
