"""What the API takes and gives, as types: its schema is made of them, and whatever comes in is read by them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, Union

from msgspec import Meta, Struct

from brelan.bots.protocol import Why
from brelan.games import GAMES
from brelan.options import OptionKind, Value
from brelan.play.messages import END, Asking, Nonce
from brelan.play.replay import Step, Told
from brelan.play.seats import Status
from brelan.server.people.tokens import SCOPES, Scope, Token
from brelan.server.tables.standing import Standing
from brelan.server.tables.visits import WAIT
from brelan.server.web.addresses import CODE, MATCH

GameId = Annotated[str, Meta(extra_json_schema={"enum": [game.id for game in GAMES]})]  # `find` names them to others
Code = Annotated[str, Meta(pattern=f"^{CODE}{END}")]
MatchId = Annotated[str, Meta(pattern=f"^{MATCH}{END}")]
TokenId = Annotated[str, Meta(pattern=f"^[0-9a-f]{{12}}{END}")]
Number = Annotated[int, Meta(ge=0, le=2**53)]
Seconds = Annotated[int, Meta(ge=0, le=int(WAIT))]
Eyes = Annotated[str, Meta(pattern=f"^(spectator|open|[0-9]){END}")]
Name = Annotated[str, Meta(max_length=200)]
Label = Annotated[str, Meta(min_length=1, max_length=60, pattern=rf"^[^\x00-\x1f\x7f-\x9f]+{END}")]
Scopes = Annotated[list[Scope], Meta(min_length=1, max_length=len(SCOPES))]

MOVE = {"type": "move", "key": "9f1c2ab07e55d3c4", "seen": 7, "move": "draw"}
Said: Any = Annotated[Union[(Nonce, *Asking.__subclasses__())], Meta(examples=[MOVE])]
"""What may be said to a table: the messages of its socket, but for those that only keep a line."""


class OptionShown(Struct):
    """One choice of a rule sheet; `defaults` in the order of the game's `seats`."""

    name: str
    label: str
    kind: OptionKind
    choices: list[str]
    defaults: list[Value]
    rule: str


class PresetShown(Struct):
    """A set of options under one name: what it changes from their defaults."""

    name: str
    label: str
    changes: dict[str, Value]


class CustomShown(Struct):
    """How a table may be kept besides the rules: what is usual, and what is allowed."""

    name: str
    default: Value
    choices: list[str]
    least: int | None = None
    most: int | None = None


class GameShown(Struct):
    """A game, and all that a table of it can choose."""

    id: str
    title: str
    designer: str
    publisher: str
    year: int | None
    revision: int
    seats: list[int]
    lowest_wins: bool
    presets: list[PresetShown]
    options: list[OptionShown]
    manners: list[str]
    customs: list[CustomShown]
    bots: list[str]


class Rulebook(Struct):
    """What stands below a rulebook's title, as HTML; every rule id is an anchor in it."""

    game: str
    language: str
    html: str | None


class OpenTable(Struct):
    """A table with open seats that everybody is told of."""

    code: str
    game: str
    preset: str
    players: int
    open_seats: int
    made_at: float

    @classmethod
    def of(cls, table: Standing) -> Self:
        return cls(table.code, table.game.id, table.preset, table.players, table.free, table.made_at)


class Wanted(Struct, forbid_unknown_fields=True):
    """A table to be made: the game and whatever shall be other than usual.

    `name`: under which its host sits down at seat 0; without it the host only makes it. `bots`: a level; bots then take
    all other seats, and the match begins at once.
    """

    game: GameId
    players: int
    preset: str = "sheet"
    options: dict[str, Value] = {}
    manner: str | None = None
    customs: dict[str, bool | int | str] = {}
    name: Name = ""
    bots: str | None = None


TABLE = {"game": "gin", "players": 2, "name": "Robin", "bots": "novice"}
"""An example."""


class Made(Struct):
    """A new table: the page to send to friends, and where programs find it."""

    code: str
    page: str
    table: str
    socket: str


class Ack(Struct, tag_field="type", tag="ack"):
    """What was asked is done and on disk; `number` is that of its event, none where none was needed."""

    key: str
    number: int | None


class HintShown(Struct, tag_field="type", tag="hint"):
    """What a strong bot would do, and why where it has searched; a match won with a hint is not rated."""

    key: str
    move: str
    why: Why | None = None


class Heard(Struct):
    """A move, as a seat heard it."""

    seat: int
    move: str


class AskShown(Struct, tag_field="type", tag="ask"):
    """What one's seat is asked, with all that it may know; docs/bot-protocol.md says what each key is."""

    key: str
    id: int
    match: str
    game: str
    preset: str
    options: dict[str, Value]
    players: int
    first: int
    seat: int
    heard: list[Heard]
    legal: list[str]
    scores: list[int]
    zones: dict[str, list[str]]
    state: dict[str, Any]
    seconds: float
    seed: int
    level: str


class Scenes(Struct):
    """Some steps of a match, as one viewer sees them."""

    steps: list[Step]


class Log(Struct):
    """All that happened in a match, as one viewer heard it."""

    log: list[Told]


class MyTable(Struct):
    """A table where one sits, or that one made; this version may not know how it stands, or be unable to read it.
    `matches`: of one that one made, those that are over, the first first.
    """

    code: str
    game: str
    status: Literal[Status, "unknown", "unreadable"]
    players: int
    open_seats: int
    deadline: float | None
    match: str | None
    matches: list[str]


class Me(Struct):
    """Who asks, as the house knows them."""

    name: str
    token: Token | None
    tables: list[MyTable]


class TokenWanted(Struct, forbid_unknown_fields=True):
    """A token to be made: what it is for, and what it may do."""

    name: Label
    scopes: Scopes


TOKEN = {"name": "my bot", "scopes": ["read", "play"]}
"""An example."""


class TokenMade(Struct):
    """A new token. Its text is shown this once: the house keeps only a hash of it."""

    text: str
    token: Token
