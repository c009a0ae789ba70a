"""The line protocol: how a program in any language takes a seat (docs/bot-protocol.md is the specification).

One JSON object a line, over standard input and output. This module makes and reads the lines; `program` and the server
carry them.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from brelan.cards import HIDDEN
from brelan.errors import Refusal, Unreadable
from brelan.game import Game

Said = Mapping[str, Any]
"""What a line says."""

PROTOCOL = 1
LONGEST = 1 << 20
"""Bytes of the longest line."""

MOMENT = 0.5
"""Seconds that a program may take to end once its output has: only then is it known how it ended."""

SOME = 5
"""Legal moves that are named, at most, to whoever makes another one."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a seat is asked, whole: a program that keeps nothing in mind between two lines can answer it."""

    id: int
    game: Game
    preset: str
    options: Mapping[str, Any]
    seat: int
    state: Any  # redacted for the seat
    legal: Sequence[str]
    match: str = ""
    heard: Sequence[Mapping[str, Any]] = ()  # the moves since the seat was asked last, as it heard them
    seconds: float = 10.0
    seed: int = 0
    level: str = ""

    def to_json(self) -> dict[str, Any]:
        """The line's object; its keys are those of the specification."""
        zones = self.game.view.zones(self.state)
        text = self.game.notation.card_text
        return {
            "type": "ask",
            "id": self.id,
            "match": self.match,
            "game": self.game.id,
            "preset": self.preset,
            "options": dict(self.options),
            "players": self.state.players,
            "first": self.state.first,
            "seat": self.seat,
            "heard": list(self.heard),
            "legal": list(self.legal),
            "scores": [self.game.rules.score(self.state, seat) for seat in range(self.state.players)],
            "zones": {name: ["?" if c == HIDDEN else text(c) for c in held] for name, held in zones.items()},
            "state": self.state.to_json(),
            "seconds": self.seconds,
            "seed": self.seed,
            "level": self.level,
        }


@dataclass(frozen=True, slots=True)
class Why:
    """What a program may add to its move: the worlds it looked into, and the moves that did about as well there."""

    worlds: int
    close: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hello:
    """Who a program says it is."""

    name: str
    version: str = ""
    games: tuple[str, ...] = ()  # those it plays; none named: all

    def plays(self, game: str) -> bool:
        return not self.games or game in self.games

    def check(self, game: str) -> None:
        """Refuse a game, by its id, that the program does not play."""
        if not self.plays(game):
            raise Refusal("bot_plays", known=", ".join(self.games), game=game)


def line(said: Said) -> bytes:
    """One line."""
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def heard(given: bytes) -> Said:
    """What a program's line says, or a refusal that names what is wrong with it."""
    if len(given) > LONGEST:
        raise Refusal("bot_long", most=LONGEST)
    if not given.endswith(b"\n"):
        raise Refusal("bot_gone")
    try:
        said = json.loads(given)
        line(said)  # JSON can spell half a letter, with which nobody could be answered
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("type"), str):
        raise Refusal("bot_line", given=quoted(given))
    return said


def quoted(given: bytes | bytearray) -> str:
    """The beginning of what a program wrote, as a refusal quotes it."""
    return given[:60].decode(errors="replace").strip()


def gone(status: int | None) -> Refusal:
    """That a program is there no longer, and how it ended where that is known: its status, or less than 0 a signal."""
    if status is None:
        return Refusal("bot_gone")
    if status < 0:
        names = {number.value: number.name for number in signal.Signals}
        return Refusal("bot_killed", signal=names.get(-status, -status))
    return Refusal("bot_ended", status=status)


def is_unknown(said: Said) -> bool:
    """Whether a program's line is of a kind that the host does not know: it is passed over."""
    return said["type"] not in ("hello", "move", "wrong")


def check_willing(said: Said) -> None:
    """Refuse for a program what it refuses itself, in its own words."""
    if said["type"] == "wrong":
        raise Refusal("bot_wrong", why=written(said.get("why", "")))


def hello(said: Said) -> Hello:
    """The first line of a program."""
    check_willing(said)
    if said["type"] != "hello":
        raise Refusal("bot_hello", given=said["type"])
    name, version, games = said.get("name"), said.get("version", ""), said.get("games", [])
    if not isinstance(name, str) or not name:
        raise Refusal("bot_name", given=json.dumps(name))
    if not isinstance(version, str):
        raise Refusal("record_text", name="version", given=json.dumps(version))
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        raise Refusal("bot_games", given=json.dumps(games))
    return Hello(name[:60], version[:60], tuple(games))


def move(said: Said, ask: Ask) -> str:
    """The move with which a program answers, one of the legal ones; or a refusal that names what is wrong."""
    return meant(chosen(said, ask.id), ask)


def chosen(said: Said, number: int) -> Any:
    """What a program names as its move, if it answers the ask of that number."""
    check_willing(said)
    if said["type"] != "move" or said.get("id") != number:
        raise Refusal("bot_answer", given=f"{said['type']} {json.dumps(said.get('id'))}", id=number)
    return said.get("move")


def why(said: Said, ask: Ask) -> Why | None:
    """What a program adds to its move, as far as it can be understood; nobody has to."""
    why = said.get("why")
    if not isinstance(why, dict) or not isinstance(why.get("worlds"), int) or not isinstance(why.get("close"), list):
        return None
    return Why(why["worlds"], tuple(move for move in why["close"] if move in ask.legal))


def written(said: Any) -> str:
    """What a program said, as it wrote it."""
    return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)


def meant(text: Any, ask: Ask) -> str:
    """The legal move that a program names, as the list of legal ones spells it (O-A3)."""
    notation, spelled = ask.game.notation, text
    if isinstance(text, str):
        with suppress(Unreadable):
            spelled = notation.move_text(notation.meant(ask.state, ask.seat, notation.move_of(text)))
    if spelled not in ask.legal:
        some = [*ask.legal[:SOME], *["…"] * (len(ask.legal) > SOME)]
        raise Refusal("bot_move", given=written(text), legal=", ".join(some))
    return str(spelled)
