"""What a person's client may say to a table, and how it is read: strictly, or refused as malformed."""

from __future__ import annotations

from typing import Annotated, Union

import msgspec

from brelan.errors import Refusal
from brelan.words import LANGUAGES, catalogue

Key = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
"""Drawn by the client for each thing it asks: asked again with the same key, it is done once and acknowledged twice."""

END = r"(?!\n)$"
"""The end of a text in a pattern, for Python and JavaScript alike: Python's `$` alone lets a line's end through."""

NO_KEY = ""
"""Of what the house asks in somebody's name. No client can send it, so nothing of theirs is taken for done already."""

ViewNumber = int | None
"""The number of the view that is answered: what has come since is not meant. None answers whatever there is."""

SAYING = 200
"""Letters of what somebody says, at most."""

PRESETS = tuple(key.removeprefix("chat.") for key in catalogue(LANGUAGES[0]) if key.startswith("chat."))
"""The house's own sentences, by name."""

# Any name of so many letters can be read, so that the table may say which ones it knows.
Preset = Annotated[str, msgspec.Meta(max_length=32, extra_json_schema={"enum": list(PRESETS)})]


class Malformed(Refusal):
    """A message that is not one of these."""


class Message(msgspec.Struct, tag_field="type", tag=str.lower):
    """One frame of a client. What else stands in it is passed over, as the `noise` by which a page fills it up."""


class Hello(Message):
    since: int | None = None  # the number of the last event that the client has seen


class Ping(Message):
    pass


class Echo(Message):
    """A probe comes back, at once: so the house measures the line."""

    at: float


class Nonce(Message):
    nonce: Annotated[str, msgspec.Meta(pattern=f"^[0-9a-f]{{32}}{END}")]


class Asking(Message):
    """A message that is acknowledged."""

    key: Key


class Move(Asking):
    seen: int
    move: Annotated[str, msgspec.Meta(max_length=64)]


class Next(Asking):
    seen: ViewNumber = None


class Sit(Asking):
    seat: int
    name: Annotated[str, msgspec.Meta(max_length=200)]


class Stand(Asking):
    pass


class Bot(Asking):
    seat: int
    level: str | None = None  # None sends the bot away


class Start(Asking):
    pass


class Again(Asking):
    wish: bool = True  # who thinks better of it says False


class Undo(Asking):
    """Take one's last move back: at once where nobody learned anything by it, else if everybody agrees."""

    seen: ViewNumber = None


class Consent(Asking):
    """The answer to somebody who asks to take a move back; who asked may withdraw it."""

    agree: bool
    seen: ViewNumber = None


class Hint(Asking):
    """What would a strong bot do here? It is answered and never written down."""


class Ask(Asking):
    """What is one's seat asked? It is answered as the line protocol asks programs, and never written down."""


class Leave(Asking):
    """Let the keeper play on, until `back`."""


class Back(Asking):
    """Take one's own seat back from the keeper."""


class Say(Asking):
    """Something to the others: one of the house's own sentences by name, or one's own words."""

    preset: Preset | None = None
    text: Annotated[str, msgspec.Meta(max_length=SAYING)] | None = None


_decoder = msgspec.json.Decoder(Union[(Hello, Ping, Echo, Nonce, *Asking.__subclasses__())])


class _Keyed(msgspec.Struct):
    key: Key = ""


def read(frame: str | bytes) -> Message:
    """The message of a frame, or Malformed."""
    try:
        message: Message = _decoder.decode(frame)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Malformed("table.unreadable", why=error) from error
    return message


def last_seen(message: Message) -> int:
    """The number of the last event that its sender has seen for certain."""
    if isinstance(message, Hello):
        return message.since or 0
    return (message.seen or 0) if isinstance(message, Move | Next | Undo | Consent) else 0


def is_older(seen: ViewNumber, number: int) -> bool:
    """Whether somebody answers what was there before that event."""
    return seen is not None and seen < number


def key_of(frame: str | bytes) -> str:
    """The key of a frame that cannot be read otherwise, so that its client knows which one is meant."""
    try:
        return msgspec.json.decode(frame, type=_Keyed).key
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return ""
