"""What the house remembers about a guest who asks for it: a name, a passphrase, whether ladders may show the name.

Of a guest who asks for nothing there is no row here; all that the house knows of them is in their cookie and at their
tables. Functions that write wait for the disk.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, Row, select, update

from brelan import __version__
from brelan.play.seats import Event
from brelan.server.people import tokens
from brelan.server.store import Store
from brelan.server.store.index import decoded, put
from brelan.server.store.relations import events, finished, people, ratings, results

FORMAT = 1
"""Of the export; rises when something in it changes its meaning."""

MADE = {"game", "players", "preset", "options", "manner", "customs"}
OWN = MADE | {"seat", "name", "text", "move", "by", "agree", "level", "why", "match", "lines", "free", "wish"}
"""What an export repeats of a person's own events. Never a match's secret, which stands in the event that began it."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A guest as the house remembers them."""

    person: str
    name: str = ""
    phrase: str | None = None  # the hash of their passphrase
    listed: bool = False
    since: float = 0.0  # seconds since 1970


def profile(store: Store, person: str) -> Profile:
    """What is remembered about a person; the usual where that is nothing."""
    with store.read() as connection:
        row = connection.execute(select(people).where(people.c.person == person)).first()
    return Profile(*row) if row else Profile(person)


def by_phrase(store: Store, phrase: str) -> Profile | None:
    """The person whose passphrase has this hash."""
    with store.read() as connection:
        row = connection.execute(select(people).where(people.c.phrase == phrase)).first()
    return Profile(*row) if row else None


def remember(store: Store, person: str, **changes: Any) -> None:
    """Change what is remembered about a person; the rest stays, whatever another worker makes of it meanwhile."""
    new = asdict(Profile(person, since=time.time(), **changes))
    store.submit(lambda connection: put(connection, people, [new], *changes)).result()


def rename(store: Store, person: str, name: str) -> None:
    """Another name for a person, if one is remembered at all; no ladder shows who gave theirs up."""
    with store.read() as connection:
        before = connection.scalar(select(people.c.name).where(people.c.person == person))
    if before in (None, name):
        return  # whoever makes a table says their name with it, and it is rarely another
    changes = {"name": name} if name else {"name": "", "listed": False}
    known = update(people).where(people.c.person == person)
    store.submit(lambda connection: connection.execute(known.values(changes))).result()


def codes(connection: Connection, person: str) -> Sequence[str]:
    """Every table at which somebody ever did something. All events are looked through: it is rarely asked."""
    return connection.scalars(select(events.c.code).distinct().where(events.c.body.contains(person))).all()


# ---------------------------------------------------------------- everything the house holds


def export(store: Store, person: str) -> dict[str, Any]:
    """Everything that the house holds about a person, as they may keep it; times are seconds since 1970."""
    known, own = profile(store, person), tokens.of(store, person)
    with store.read() as connection:
        rated = connection.execute(select(ratings).where(ratings.c.person == person))
        return {
            "brelan": __version__,
            "export": FORMAT,
            "at": time.time(),
            "person": person,
            "name": known.name,
            "passphrase": known.phrase is not None,
            "listed": known.listed,
            "since": known.since or None,
            "tokens": [asdict(token) for token in own],
            "ratings": [_without(row, "person") for row in rated],
            "matches": list(_matches(connection, person)),
            "tables": [_table(connection, code, person) for code in codes(connection, person)],
        }


def _matches(connection: Connection, person: str) -> Iterator[dict[str, Any]]:
    both = select(finished, results).join(results, results.c.match == finished.c.match)
    for row in connection.execute(both.where(results.c.person == person).order_by(finished.c.number)):
        yield {"address": f"/m/{row.match}"} | _without(row, "person", "number", "match_1")


def _table(connection: Connection, code: str, person: str) -> dict[str, Any]:
    """What somebody did at a table, and what happened to their seat."""
    chosen = select(events.c.body).where(events.c.code == code).order_by(events.c.number)
    found = [decoded(body) for body in connection.scalars(chosen)]
    own = [_own(event) for event in _about(found, person)]
    return {"code": code, "address": f"/t/{code}", "host": found[0].person == person, "events": own}


def _about(found: list[Event], person: str) -> Iterator[Event]:
    """The events of a person, and while they sit somewhere, those at that seat: a bot keeps it, and moves; and what was
    taken back, by whomever: moves of that seat may go with it.
    """
    mine = None
    for event in found:
        seat = event.data.get("seat")
        if event.person == person and event.kind == "sat":
            mine = seat
        if event.person == person or (mine is not None and (seat == mine or event.kind == "undone")):
            yield event
        if event.kind in ("stood", "bot") and seat == mine:
            mine = None


def _own(event: Event) -> dict[str, Any]:
    data = {name: value for name, value in event.data.items() if name in OWN}
    return {"number": event.number, "at": event.at, "kind": event.kind} | data


def _without(row: Row[Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row._mapping.items() if name not in names}
