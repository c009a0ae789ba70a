"""What one viewer is shown of a table, in the viewer's language: made of the redacted state and public facts only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from brelan.cards import SPECTATOR
from brelan.game import Courtesy, Game
from brelan.options import Value
from brelan.play.customs import Customs
from brelan.play.match import Match
from brelan.play.seats import Sitter, Status, bot_name
from brelan.play.table import Table
from brelan.play.told import (
    Made,
    News,
    called,
    differences,
    ended_by,
    move_heard,
    name_of,
    names_of,
    news,
    reason,
    titled,
)
from brelan.scene import Choice, Moved, Places, Scene, Tally, moved, paused, places
from brelan.words import Words


class SeatShown(Struct, gc=False):
    seat: int
    name: str
    player: str  # who plays the match from there, or played the one that is over, with the bot that kept it at the end
    kind: Sitter
    level: str | None
    online: bool
    score: int
    kept: str | None  # the level of the bot that keeps the seat for its person
    since: float | None  # when it began to, in seconds since 1970
    who: int  # a number by which its person is the same at this table under any name; 0 for a bot, or nobody


class RoundShown(Struct, gc=False):
    round: int  # from 1
    points: list[int]
    reason: str
    rule: str | None
    best: list[int]  # the seats that did best in it, none where all did alike


class ClockShown(Struct, gc=False):
    """A seat's time, as it is now."""

    left: float  # seconds
    runs: bool


class UndoShown(Struct, gc=False):
    """What the viewer may take back, and who has asked for it."""

    may: bool  # the viewer may take back a move, or ask for it
    free: bool  # and nobody needs to agree
    asked: int | None  # the seat that has asked
    waits_for: list[int]  # the seats that have still to agree
    move: str | None = None  # what would be taken back, as the viewer heard it
    after: int = 0  # so many moves that came after it would be, too


class WonShown(Struct, gc=False):
    """Somebody who won matches at a table, and how many."""

    name: str
    won: int


class Whence(Struct, gc=False):
    """The step of a finished match from which another is played on."""

    match: str
    line: int  # so many lines are the same


class TableShown(Struct, gc=False):
    code: str
    game: str
    title: str
    preset: str
    options: dict[str, Value]
    manner: str | None  # how things are said aloud, where the game has any
    customs: Customs
    differs: list[str]  # from the printed sheet, a sentence each
    status: Status
    host: bool  # whether the viewer is, or may do what the host may
    seat: int | None  # the viewer's
    seats: list[SeatShown]
    commit: str | None
    first: int | None  # the seat that begins, from which cards are dealt: settled with the commitment
    match: str | None
    wants_nonce: bool
    nonces: list[str | None]  # the seats' parts in the chance: bots' with the commitment, the viewer's once it is taken
    waits_for: list[int]  # who has still to say "next", or "again" once somebody has
    held: bool  # whether a bot waits until somebody who plays says "next"
    wishes: list[int]  # who would like to play again, and waits for the others
    wish: bool  # whether the viewer would; a host may without a seat
    deadline: float | None  # when a pause or the time to speak ends by itself, in seconds since 1970
    now: float  # the same moment as the clocks'
    clocks: list[ClockShown] | None  # of each seat, in a match at a pace
    undo: UndoShown
    hints: bool  # whether people may ask what a strong bot would do
    hidden: bool  # whether only those who hold a seat see the match, and the viewer does not
    sheet: list[RoundShown]
    scores: list[int]
    winners: list[int]
    evening: list[WonShown]  # after a match that was not the table's first: whoever has won there, most first
    shuffles: int  # of the match, until now
    root: str | None  # of the last one's leaves: it holds the house to each card at its place (docs/records.md)
    secret: str | None  # opened by the end of the match
    record: str | None
    origin: Whence | None  # where it plays on from: then it asks what if, and is never rated
    link: str | None  # brings the viewer's seat to another device; shown to its owner only


class View(Struct, gc=False):
    """A whole frame to a client."""

    number: int
    table: TableShown
    scene: Scene | None
    last: list[Moved]
    news: list[News]
    type: str = "view"


@dataclass(frozen=True, slots=True)
class Seen:
    """What the next view needs of the one that was shown before."""

    number: int
    match: str | None
    places: Places | None


Sight = tuple[View, Seen]
"""A view and what is kept of it: lines that look with the same eyes share both."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a person, in a language, with what only the server knows about it."""

    person: str
    words: Words  # with those of the table's game
    link: str | None = None
    is_here: bool = True  # and not a program of theirs that only looks


def view(
    table: Table,
    viewer: Viewer,
    online: set[str],
    before: Seen | None,
    since: int,
    now: float | None = None,
    made: Made | None = None,
) -> Sight:
    """What the viewer sees now, and what is to be kept of it. `before` is what it saw last, `since` the number of the
    last event it has seen; `made` keeps what several viewers of this moment share.
    """
    seat = table.player_of(viewer.person)
    scene = None if table.hides_from(seat) else scene_for(table, seat, viewer.words)
    was = before.places if before and table.sealed and before.match == table.sealed.match else None
    lie = places(scene.zones) if scene else None
    shown = View(
        number=table.number,
        table=table_shown(table, viewer, online, now, made),
        scene=scene,
        last=moved(was, lie) if was and lie else [],
        news=list(news(table, viewer.person, since, viewer.words, made)),
    )
    return shown, Seen(shown.number, shown.table.match, lie)


def scene_for(table: Table, seat: int, words: Words) -> Scene | None:
    """The cards: redact first, then render; what the table says for its viewer is not left to choose."""
    if not table.match:
        return None
    state = table.seen_by(seat)
    scene = table.game.view.scene(state, seat, words)
    if table.pause:
        return paused(scene, words("table.between"))
    if seat != SPECTATOR and table.seats[seat].kept:
        return looked_on(scene, table, words)
    if scene.choices and (courtesy := table.courtesy_of(seat)):
        scene.choices = [c for c in scene.choices if is_left(c, courtesy, table.game, state, seat)]
    return scene


def looked_on(scene: Scene, table: Table, words: Words) -> Scene:
    """The scene of who lets a bot play: their cards, but nothing waits for them."""
    scene.choices, scene.turn = [], [seat for seat in scene.turn if seat != scene.seat]
    scene.prompt = table.game.view.scene(table.seen_by(SPECTATOR), SPECTATOR, words).prompt
    return scene


def is_left(choice: Choice, courtesy: Courtesy, game: Game, state: Any, seat: int) -> bool:
    """Whether a choice is left to a courteous seat: one that is shut and says why, or a move as it would say it."""
    if choice.why:
        return not choice.blind
    move = game.notation.move_of(choice.move)
    return courtesy.said(state, seat, move) == move


def table_shown(
    table: Table, viewer: Viewer, online: set[str], now: float | None = None, made: Made | None = None
) -> TableShown:
    """All but the cards; nothing in it depends on hidden ones before the match is over."""
    made, seat = {} if made is None else made, table.seat_of(viewer.person)
    hidden = table.hides_from(seat)
    if (key := (viewer.words, hidden)) not in made:
        made[key] = everybodys(table, viewer.words, online, table.events[-1].at if now is None else now, hidden)
    common: TableShown = made[key]
    return replace(
        common,
        host=table.leads(viewer.person),
        seat=None if seat == SPECTATOR else seat,
        wants_nonce=table.wants_nonce(seat),
        nonces=nonces_shown(table, seat),
        wish=viewer.person in table.encore.said,
        undo=undo_shown(table, seat, viewer.words),
        link=None if seat == SPECTATOR else viewer.link,
    )


def nonces_shown(table: Table, viewer: int) -> list[str | None]:
    """Whoever sees a bot's nonce before giving an own one knows that the house cannot choose it afterwards."""
    given = table.sealed.nonces if table.sealed else []
    return [nonce if seat == viewer or table.seats[seat].level else None for seat, nonce in enumerate(given)]


def everybodys(table: Table, words: Words, online: set[str], now: float, hidden: bool) -> TableShown:
    """What is the same for all who read that language; `table_shown` puts in what is each viewer's own."""
    match, over = None if hidden else table.match, table.status == "over"
    return TableShown(
        code=table.code,
        game=table.game.id,
        title=titled(table.game.title, bool(table.origin), words),
        preset=table.preset,
        options=table.options,
        manner=table.manner,
        customs=table.customs,
        differs=differs(table, words),
        status=table.status,
        host=False,
        seat=None,
        seats=[seat_shown(table, i, online, words, match) for i in range(len(table.seats))],
        commit=table.sealed.commit if table.sealed else None,
        first=table.sealed.first if table.sealed else None,
        match=table.sealed.match if table.sealed else None,
        wants_nonce=False,
        nonces=[],
        waits_for=table.waits_for(),
        held=table.held,
        wishes=[i for i, seat in enumerate(table.seats) if seat.person in table.encore.said],
        wish=False,
        deadline=table.until,
        now=now,
        clocks=clocks_shown(table, now),
        undo=UndoShown(False, False, None, []),
        hints=table.hints,
        hidden=hidden,
        sheet=[round_shown(table, i, tally, words) for i, tally in enumerate(match.tallies)] if match else [],
        scores=match.scores if match else [],
        winners=match.winners if match and over else [],
        evening=evening(table, words) if over and len(table.victors) > 1 else [],
        shuffles=match.shuffles if match else 0,
        root=table.root,
        secret=table.sealed.secret.hex() if table.sealed and over else None,
        record=f"/t/{table.code}/record" if over else None,
        origin=Whence(table.origin.match, table.origin.line) if table.origin else None,
        link=None,
    )


def seat_shown(table: Table, i: int, online: set[str], words: Words, match: Match | None) -> SeatShown:
    seat = table.seats[i]
    score = match.scores[i] if match else 0
    is_here = seat.kind == "bot" or seat.person in online
    since = seat.since if seat.kept else None
    name, played = name_of(seat, i, words), ended_by if table.status == "over" else name_of
    player, who = played(table.match_seats[i], i, words), table.who.get(seat.person, 0)
    return SeatShown(i, name, player, seat.kind, seat.level, is_here, score, seat.kept, since, who)


def evening(table: Table, words: Words) -> list[WonShown]:
    """How many matches each has won at the table, most first: bots by their seats, people by their last name there."""
    names = {bot_name(i): words("table.bot_name", n=i + 1) for i in range(len(table.seats))}
    names |= {person: called(name, words) for person, name in table.names().items()}
    won = Counter(person for victors in table.victors for person in victors)
    return [WonShown(names[person], n) for person, n in won.most_common()]


def clocks_shown(table: Table, now: float) -> list[ClockShown] | None:
    """The time of each seat, None where nobody counts it."""
    if not (clocks := table.clocks):
        return None
    return [ClockShown(clocks.left_at(i, now), i in clocks.running) for i in range(len(table.seats))]


def undo_shown(table: Table, seat: int, words: Words) -> UndoShown:
    """What of the last moves may be taken back; made of nothing that the viewer may not know."""
    may = seat != SPECTATOR and table.may_undo(seat)
    free, request = may and table.seems_free(seat), table.slips.request
    if not request:
        return UndoShown(may, free, None, [])
    first = None if table.hides_from(seat) else move_heard(table, table.steps[-request.lines], seat, words)
    return UndoShown(may, free, request.seat, table.consents(), first, request.lines - 1)


def differs(table: Table, words: Words) -> list[str]:
    """How this table's options differ from the printed sheet, and that it asks what if."""
    whatif = [words("whatif.said", match=table.origin.match, line=table.origin.line)] if table.origin else []
    return whatif + differences(table.game, len(table.seats), table.options, words)


def round_shown(table: Table, number: int, tally: Tally, words: Words) -> RoundShown:
    why = reason(names_of(table, words), tally, words)
    return RoundShown(number + 1, tally.points, why, tally.rule, best(table.game, tally.points))


def best(game: Game, points: list[int]) -> list[int]:
    """The seats that did best in a round, none where all did alike."""
    worth = [game.better * won for won in points]
    return [seat for seat, won in enumerate(worth) if won == max(worth)] if len(set(points)) > 1 else []
