"""What one viewer is shown of a table, in the viewer's language: made of the redacted state and public facts only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from brelan.cards import SPECTATOR
from brelan.errors import Refusal, Unreadable
from brelan.game import Courtesy, Game, Option, Value
from brelan.play.claims import Faster
from brelan.play.customs import Customs
from brelan.play.match import Match
from brelan.play.seats import Event, Seat
from brelan.play.table import Table
from brelan.scene import Choice, Moved, Places, Scene, Tally, moved, places
from brelan.words import Words

NEWS = 200
"""At most so many sentences tell what happened; what is older is in the record."""


@dataclass(slots=True)
class SeatShown:
    seat: int
    name: str
    kind: str  # open, person or bot
    level: str | None
    online: bool
    score: int
    kept: str | None  # the level of the bot that keeps the seat for its person


@dataclass(slots=True)
class RoundShown:
    round: int  # from 1
    points: list[int]
    reason: str
    rule: str | None
    best: list[int]  # the seats that did best in it, none where all did alike


@dataclass(slots=True)
class News:
    """Something that happened, as a sentence its viewer may hear."""

    seat: int | None
    words: str
    rule: str | None = None
    kind: str = "table"  # move, round, said, or table for all else
    text: str | None = None  # of what was said: nothing but that


@dataclass(slots=True)
class ClockShown:
    """A seat's time, as it is now."""

    left: float  # seconds
    runs: bool


@dataclass(slots=True)
class UndoShown:
    """What the viewer may take back, and who has asked for it."""

    may: bool  # the viewer may take back a move, or ask for it
    free: bool  # and nobody needs to agree
    asked: int | None  # the seat that has asked
    waits_for: list[int]  # the seats that have still to agree


@dataclass(slots=True)
class Whence:
    """The step of a finished match from which another is played on."""

    match: str
    line: int  # so many lines are the same


@dataclass(slots=True)
class TableShown:
    code: str
    game: str
    title: str
    preset: str
    options: dict[str, Value]
    manner: str | None  # how things are said aloud, where the game has any
    customs: Customs
    differs: list[str]  # from the printed sheet, a sentence each
    status: str
    host: bool  # whether the viewer is
    seat: int | None  # the viewer's
    seats: list[SeatShown]
    commit: str | None
    match: str | None
    wants_nonce: bool
    waits_for: list[int]
    deadline: float | None  # when a pause or the time to speak ends by itself, in seconds since 1970
    now: float  # the same moment as the clocks'
    clocks: list[ClockShown] | None  # of each seat, in a match at a pace
    undo: UndoShown
    hidden: bool  # whether only those who hold a seat see the match, and the viewer does not
    sheet: list[RoundShown]
    scores: list[int]
    winners: list[int]
    shuffles: int  # of the match, until now
    root: str | None  # of the last one's leaves: it holds the house to each card at its place (docs/records.md)
    secret: str | None  # opened by the end of the match
    record: str | None
    origin: Whence | None  # where it plays on from: then it asks what if, and is never rated
    link: str | None  # brings the viewer's seat to another device; shown to its owner only


@dataclass(slots=True)
class View:
    """A whole frame to a client."""

    number: int
    table: TableShown
    scene: Scene | None
    last: list[Moved]
    news: list[News]
    type: str = field(default="view")

    def seen(self) -> Seen:
        """What is kept of it."""
        return Seen(self.number, self.table.match, places(self.scene.zones) if self.scene else None)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the next view needs of the one that was shown before."""

    number: int
    match: str | None
    places: Places | None


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a person, in a language, with what only the server knows about it."""

    person: str
    words: Words  # with those of the table's game
    link: str | None = None


def view(
    table: Table, viewer: Viewer, online: set[str], before: Seen | None, since: int, now: float | None = None
) -> View:
    """What the viewer sees now. `before` is what it saw last, `since` the number of the last event it has seen."""
    seat = table.seat_of(viewer.person)
    scene = None if is_hidden(table, seat) else scene_for(table, seat, viewer.words)
    was = before.places if before and table.sealed and before.match == table.sealed.match else None
    return View(
        number=table.number,
        table=table_shown(table, viewer, online, now),
        scene=scene,
        last=moved(was, scene.zones) if was and scene else [],
        news=list(news(table, seat, since, viewer.words)),
    )


def is_hidden(table: Table, seat: int) -> bool:
    """Whether the match is nobody's business but theirs who play it, and this viewer does not."""
    return seat == SPECTATOR and not table.customs.watch and table.status == "playing"


def scene_for(table: Table, seat: int, words: Words) -> Scene | None:
    """The cards: redact first, then render; what the table says for its viewer is not left to choose."""
    if not table.match:
        return None
    state = table.seen_by(seat)
    scene = table.game.view.scene(state, seat, words)
    if seat != SPECTATOR and table.seats[seat].kept:
        scene.choices = []
    if scene.choices and (courtesy := table.courtesy_of(seat)):
        scene.choices = [c for c in scene.choices if is_left(c, courtesy, table.game, state, seat)]
    return scene


def is_left(choice: Choice, courtesy: Courtesy, game: Game, state: Any, seat: int) -> bool:
    """Whether a choice is left to a courteous seat: one that is shut and says why, or a move as it would say it."""
    if choice.why:
        return not choice.blind
    move = game.notation.move_of(choice.move)
    return courtesy.said(state, seat, move) == move


def table_shown(table: Table, viewer: Viewer, online: set[str], now: float | None = None) -> TableShown:
    """All but the cards; nothing in it depends on hidden ones before the match is over."""
    seat, words, over = table.seat_of(viewer.person), viewer.words, table.status == "over"
    match = None if is_hidden(table, seat) else table.match
    now = table.events[-1].at if now is None else now
    return TableShown(
        code=table.code,
        game=table.game.id,
        title=title(table, words),
        preset=table.preset,
        options=table.options,
        manner=table.manner,
        customs=table.customs,
        differs=differs(table, words),
        status=table.status,
        host=viewer.person == table.host,
        seat=None if seat == SPECTATOR else seat,
        seats=[seat_shown(table, i, online, words, match) for i in range(len(table.seats))],
        commit=table.sealed.commit if table.sealed else None,
        match=table.sealed.match if table.sealed else None,
        wants_nonce=table.wants_nonce(seat),
        waits_for=table.waits_for(),
        deadline=table.until,
        now=now,
        clocks=clocks_shown(table, now),
        undo=undo_shown(table, seat),
        hidden=is_hidden(table, seat),
        sheet=[round_shown(table, i, tally, words) for i, tally in enumerate(match.tallies)] if match else [],
        scores=match.scores if match else [],
        winners=match.winners if match and over else [],
        shuffles=match.shuffles if match else 0,
        root=table.root,
        secret=table.sealed.secret.hex() if table.sealed and over else None,
        record=f"/t/{table.code}/record" if over else None,
        origin=Whence(table.origin.match, table.origin.line) if table.origin else None,
        link=None if seat == SPECTATOR else viewer.link,
    )


def seat_shown(table: Table, i: int, online: set[str], words: Words, match: Match | None) -> SeatShown:
    seat = table.seats[i]
    score = match.scores[i] if match else 0
    is_here = seat.kind == "bot" or seat.person in online
    return SeatShown(i, name_of(seat, i, words), seat.kind, seat.level, is_here, score, seat.kept)


def clocks_shown(table: Table, now: float) -> list[ClockShown] | None:
    """The time of each seat, None where nobody counts it."""
    if not (clocks := table.clocks):
        return None
    return [ClockShown(clocks.left_at(i, now), i in clocks.running) for i in range(len(table.seats))]


def undo_shown(table: Table, seat: int) -> UndoShown:
    """What of the last moves may be taken back; made of nothing that the viewer may not know."""
    may = seat != SPECTATOR and table.may_undo(seat)
    asked = table.request.seat if table.request else None
    return UndoShown(may, may and table.seems_free(seat), asked, table.consents())


def name_of(seat: Seat, i: int, words: Words) -> str:
    """A person's nickname, none if they wanted to be forgotten; a bot is always called one."""
    if seat.level:
        return words("table.bot_name", n=i + 1)
    return words("table.somebody") if seat.person and not seat.name else seat.name


def title(table: Table, words: Words) -> str:
    """The name of the game; a table that plays on from a finished match is always called so."""
    return words("whatif.title", game=table.game.title) if table.origin else table.game.title


def differs(table: Table, words: Words) -> list[str]:
    """How this table's options differ from the printed sheet, and that it asks what if."""
    whatif = [words("whatif.said", match=table.origin.match, line=table.origin.line)] if table.origin else []
    return whatif + differences(table.game, len(table.seats), table.options, words)


def differences(game: Game, players: int, options: Mapping[str, Value], words: Words) -> list[str]:
    """How options differ from the printed sheet, each difference as a sentence."""
    sheet = game.settle(players)
    return [
        words("table.differs", option=words(f"option.{o.name}"), value=value_words(o, options[o.name], words))
        for o in game.options
        if options.get(o.name, sheet[o.name]) != sheet[o.name]
    ]


def value_words(option: Option, value: Value, words: Words) -> str:
    """An option's value as people say it."""
    if isinstance(value, bool):
        return words("table.yes" if value else "table.no")
    if option.choices:
        chosen = value if option.kind == "several" and isinstance(value, str) else [value]
        return ", ".join(choice_words(str(choice), words) for choice in chosen)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def choice_words(choice: str, words: Words) -> str:
    """One of an option's choices: by a word of its own, or the colour's that it names."""
    return next((words(key) for key in (f"value.{choice}", f"colour.{choice}") if key in words), choice)


# ---------------------------------------------------------------- sentences


def round_shown(table: Table, number: int, tally: Tally, words: Words) -> RoundShown:
    return RoundShown(number + 1, tally.points, reason(table, tally, words), tally.rule, best(table.game, tally.points))


def best(game: Game, points: list[int]) -> list[int]:
    """The seats that did best in a round, none where all did alike."""
    most = min(points) if game.lowest_wins else max(points)
    return [seat for seat, won in enumerate(points) if won == most] if len(set(points)) > 1 else []


def reason(table: Table, tally: Tally, words: Words) -> str:
    """Why a round ended as it did, with the names of the seats it speaks of."""
    names = [name_of(seat, i, words) for i, seat in enumerate(table.seats)]
    values: dict[str, Any] = dict(tally.values)
    for key in ("ender", "other"):
        if key in values:
            values[key] = names[values[key]]
    if "seats" in values:
        values["n"] = len(values["seats"])
        values["seats"] = ", ".join(names[i] for i in values["seats"])
    return words(f"result.{tally.reason}", **values)


def news(table: Table, viewer: int, since: int, words: Words) -> Iterator[News]:
    """What has happened after event `since`, as that seat or spectator may hear it."""
    hidden = is_hidden(table, viewer)
    for event in table.events[max(since, len(table.events) - NEWS, 0) :]:
        if hidden and event.kind == "move":
            continue
        told = sentence(table, event, viewer, words)
        if told:
            yield told
        if event.number in table.tallied and table.match:
            tally = table.match.tallies[table.tallied[event.number]]
            yield News(None, reason(table, tally, words), tally.rule, "round")


def sentence(table: Table, event: Event, viewer: int, words: Words) -> News | None:
    """One event as a sentence, None for those that are nobody's news."""
    seat: Any = event.data.get("seat")
    name = event.data.get("name") or (name_of(table.seats[seat], seat, words) if seat is not None else "")
    match event.kind:
        case "sat" | "stood" | "bot":
            return News(seat, words(f"table.told.{event.kind}", name=name or words("table.somebody"), seat=seat + 1))
        case "started" | "shuffle" | "resumed":
            return News(None, words(f"table.told.{event.kind}"))
        case "back" | "undo_asked":
            return News(seat, words(f"table.told.{event.kind}", name=name))
        case "kept":
            return News(seat, words(f"table.told.kept_{event.data['why']}", name=name))
        case "consented":
            return News(seat, words("table.told.agreed" if event.data["agree"] else "table.told.refused", name=name))
        case "undone":
            return News(seat, words("table.told.undone", name=name, n=event.data["lines"]))
        case "said" if event.data.get("text") != "":  # else whoever said it wanted to be forgotten
            text = event.data.get("text") or words(f"chat.{event.data['preset']}")
            return News(seat, words("table.told.said", name=name, text=text), None, "said", text)
        case "move":
            mover = words("table.kept_name", name=name) if event.data.get("by") else name
            return News(seat, move_told(table, event, viewer, mover, words), None, "move")
        case "over":
            winners = [name_of(table.seats[i], i, words) for i in event.data["winners"]]
            return News(None, words("table.told.over", n=len(winners), names=", ".join(winners)))
    return None


def move_told(table: Table, event: Event, viewer: int, name: str, words: Words) -> str:
    """A move as the viewer hears it: `told.<verb>_<how many words follow it>` of the game's catalogue.

    The words that follow are its values a, b and c; one that is a seat's number is seat_a, seat_b or seat_c by name.
    """
    notation, seat = table.game.notation, event.data["seat"]
    heard = table.game.view.heard(notation.move_of(event.data["move"]), seat, viewer)
    verb, *rest = heard.split()
    parts = [part_words(table, part, words) for part in rest]
    key = f"told.{verb}_{len(parts)}" if parts else f"told.{verb}"
    if key in words:
        seats = {f"seat_{letter}": seat_words(table, part, words) for letter, part in zip("abc", rest, strict=False)}
        return words(key, name=name, **dict(zip("abc", parts, strict=False)), **seats)
    return words("table.told.move", name=name, move=" ".join([verb, *parts]))


def seat_words(table: Table, part: str, words: Words) -> str:
    """The name of the seat whose number a part of a move's text may be: the sentence knows whether it is one."""
    is_seat = part.isdecimal() and int(part) < len(table.seats)
    return name_of(table.seats[int(part)], int(part), words) if is_seat else part


def refusal_words(table: Table, refusal: Refusal, viewer: int, words: Words) -> str:
    """What a refusal says; where somebody else was faster, also what was said."""
    if isinstance(refusal, Faster) and (told := sentence(table, refusal.event, viewer, words)):
        return words("table.faster", told=told.words)
    return words.refusal(refusal)


def part_words(table: Table, part: str, words: Words) -> str:
    """A part of a move's text in words: a card, a colour, something said, or as it stands."""
    if part == "?":
        return words("card.hidden")
    try:
        return table.game.view.card_words(table.game.notation.card_of(part), words)
    except Unreadable:
        return next((words(key) for key in (f"colour.{part}", f"said.{part}") if key in words), part)
