"""What the house writes down about itself: events with their fields, one a line, as text or as JSON.

No line holds a card, a secret, what somebody typed, a name or an address. What an exception says may hold any of
these, so of a fault there are only the places it came through and the names of its kinds; with the build's id that is
enough to find it.
"""

from __future__ import annotations

import errno
import json
import logging
import re
import secrets
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brelan.errors import Refusal
from brelan.play.seats import Event

if TYPE_CHECKING:
    from brelan.server.store.index import Summary

PLAIN = re.compile(r"[\w.:/+-]+")
"""Values that stand in a line of text as they are; others are quoted."""

PACKAGES = Path(__file__).parents[2]
"""Where the package lies: places are told from there."""

log = logging.getLogger("brelan")


@contextmanager
def written(form: str | None) -> Iterator[None]:
    """Meanwhile lines go to stderr, at the end what would wait for its minute; without a form only what went wrong."""
    handler, level = logging.StreamHandler(), log.level
    handler.setFormatter(Lines(form or "text"))
    handler.addFilter(is_fit)
    logging.getLogger().addHandler(handler)
    log.setLevel(logging.INFO if form else logging.WARNING)
    try:
        yield
    finally:
        minute()
        log.setLevel(level)
        logging.getLogger().removeHandler(handler)


def tell(event: str, level: int = logging.INFO, **fields: Any) -> None:
    """Write down that something happened."""
    log.log(level, event, extra={"fields": fields})


# ---------------------------------------------------------------- what happens at tables


def entered(events: Sequence[Event], summary: Summary) -> None:
    """Tell of tables made, matches begun and matches over, once they are on disk."""
    for event in events:
        if event.kind == "made":
            tell("made", code=summary.code, game=summary.game, players=summary.players)
        elif event.kind == "header":
            tell("started", code=summary.code, match=summary.match, game=summary.game)
        elif event.kind == "over":
            seconds = round(event.at - (summary.begun_at or event.at), 1)
            tell("over", code=summary.code, match=summary.match, game=summary.game, seconds=seconds)


# ---------------------------------------------------------------- what happens too often to tell of each


_seen: dict[tuple[str, str], tuple[int, int, dict[str, Any]]] = {}
"""What was told of lately, how often it has happened since, how grave it is, and what there was to say of it last."""


def often(event: str, kind: str, level: int = logging.WARNING, **fields: Any) -> None:
    """Tell of something that may happen a thousand times a second: at once when it begins, then once a minute."""
    more = _seen.get((event, kind), (-1,))[0] + 1  # one read: `minute` may delete the key between a test and a read
    _seen[event, kind] = more, level, fields
    if not more:
        tell(event, level, kind=kind, **fields)


def trouble(event: str, error: Exception, **fields: Any) -> None:
    """Tell of what may go wrong again and again: a refusal by its key, a fault of ours by its kind and its places."""
    if isinstance(error, Refusal):
        often(event, error.key, why=why(error), **fields)
    else:
        often(event, why(error), trace=places(error), **fields)


def minute() -> None:
    """A minute is over: tell how often what has begun went on, and of its last time all; what did not is new again when
    it comes back.
    """
    for (event, kind), (times, level, fields) in list(_seen.items()):
        if times:
            _seen[event, kind] = 0, level, {}
            tell(event, level, kind=kind, more=times, **fields)
        else:
            _seen.pop((event, kind), None)  # at a hard end two threads come here


# ---------------------------------------------------------------- what went wrong


def fault(error: BaseException, **fields: Any) -> str:
    """Write down a fault of ours; the id by which whoever met it can speak of it."""
    known = getattr(error, "brelan_fault", None)
    if known:
        return str(known)
    error.brelan_fault = found = secrets.token_hex(4)  # type: ignore[attr-defined]
    tell("fault", logging.ERROR, id=found, **fields, kinds=kinds(error), trace=places(error))
    return found


def why(error: Exception) -> str:
    """What a line may say of an error: the sentence of a database, of other refusals the key, else the kind."""
    if isinstance(error, Refusal):
        return str(error) if error.key.startswith("storage.") else error.key
    return _kind(error)


def kinds(error: BaseException) -> list[str]:
    """The names of an error's kind and of those that led to it, the first cause last."""
    cause = _cause(error)
    return [_kind(error), *(kinds(cause) if cause else ())]


def _kind(error: BaseException) -> str:
    """The name of an error's kind; of one of the system's also which it is, and never of which file."""
    name = type(error).__name__
    if isinstance(error, OSError) and error.errno is not None:
        return f"{name} {errno.errorcode.get(error.errno, error.errno)}"
    return name


def places(error: BaseException) -> list[str]:
    """Where an error came through, as `file:line function`, where it happened last; the same of its causes, before."""
    cause = _cause(error)
    own = [
        f"{_near(frame.f_code.co_filename)}:{line} {frame.f_code.co_name}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    return [*(places(cause) if cause else ()), *own]


def _cause(error: BaseException) -> BaseException | None:
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _near(file: str) -> str:
    """A file's path from our own packages, or from those of others."""
    path = Path(file)
    if path.is_relative_to(PACKAGES):
        return path.relative_to(PACKAGES).as_posix()
    return "/".join(path.parts[-2:])


# ---------------------------------------------------------------- lines


def is_fit(record: logging.LogRecord) -> bool:
    """Whether a line may be written: ours, and others' faults, each only once. What else they call a warning or an
    error, some at each request of a stranger, is told by the minute, by where it is said: the words may differ.
    """
    if is_own(record):
        return True
    if record.exc_info:
        return record.levelno >= logging.WARNING and not hasattr(record.exc_info[1], "brelan_fault")
    if record.levelno >= logging.WARNING:
        often("library", f"{_near(record.pathname)}:{record.lineno}", record.levelno, **told(record)[1])
    return False


def is_own(record: logging.LogRecord) -> bool:
    """Whether we wrote it, with its fields."""
    return record.name == log.name and hasattr(record, "fields")


class Lines(logging.Formatter):
    """One line for each record, in one of the forms."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self.form = form

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        event, fields = told(record)
        head = {"at": at.replace("+00:00", "Z"), "level": record.levelname.lower(), "pid": record.process}
        if self.form == "json":
            return json.dumps(head | {"event": event} | fields)
        return " ".join([*map(str, head.values()), event, *(f"{name}={_text(fields[name])}" for name in fields)])


def told(record: logging.LogRecord) -> tuple[str, dict[str, Any]]:
    """A record's event and fields. A library says its first line: the others may show what it worked on."""
    if is_own(record):
        return record.msg, getattr(record, "fields", {})
    fields: dict[str, Any] = {"library": record.name, "says": (record.getMessage().splitlines() or [""])[0]}
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return "library", fields
    return "fault", {"id": secrets.token_hex(4), **fields, "kinds": kinds(error), "trace": places(error)}


def _text(value: Any) -> str:
    """A value in a line of text."""
    if isinstance(value, list):
        return " ← ".join(map(str, reversed(value)))
    text = "-" if value is None else str(value)
    return text if PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
