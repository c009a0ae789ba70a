"""When somebody wants to be forgotten: everything of theirs goes, and the others' matches stay what they were.

At each table the person becomes a pseudonym of its own that leads nowhere, so that not even two tables can be seen to
have had the same guest; so the ratings after their matches go too, since each follows from the one before it. The name
and what they wrote go; the moves stay, since the others made theirs in answer. Then what the database only marked as
free is overwritten, so that nothing stays in the file or its log either. A backup that was made before still holds
what it held.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, union, update

from brelan.errors import Refusal
from brelan.play.messages import Leave, Stand
from brelan.play.seats import Event, alike
from brelan.play.table import Table
from brelan.server.ledger import logs
from brelan.server.people import people
from brelan.server.settings import Settings
from brelan.server.store import Conflict, Storage, Store
from brelan.server.store.engine import Place
from brelan.server.store.index import Summary, decoded
from brelan.server.store.relations import events, matches, ratings, results, sittings, tables, tokens
from brelan.server.store.relations import people as people_relation
from brelan.server.store.scrub import scrub
from brelan.server.tables.summary import summary_of
from brelan.server.upkeep.backup import look
from brelan.server.upkeep.beat import Away, aways_until
from brelan.server.upkeep.lock import database_locked, locked

TRIES = 20
"""So often a table is looked at again because it went on meanwhile."""


def forget(store: Store, aways: list[Away], person: str, changed: Callable[[str], None]) -> None:
    """Forget a person, on their own word; `changed` is told each table that whoever holds it in memory must read again.
    Each is told when the house was away. Refuses, with that much done, if they act at tables all the while.

    Once nobody can read of them any more they are told so, though the database may refuse to overwrite what it freed:
    that is for whoever keeps the house, and in its log.
    """
    take_out(store, aways, person, changed)
    try:
        scrub(store)
    except Storage as refusal:
        logs.trouble("storage", refusal)


def take_out(store: Store, aways: list[Away], person: str, changed: Callable[[str], None]) -> None:
    """All that the house can read of a person."""
    own = delete(tokens).where(tokens.c.person == person)
    store.submit(lambda connection: connection.execute(own)).result()  # first: their programs would go on
    for _ in range(TRIES):
        with store.read() as connection:
            codes = people.codes(connection, person)
        if not codes:
            break
        for code in codes:
            _at_table(store, aways, code, person)
            changed(code)
    else:
        raise Conflict("me.still_playing")
    store.submit(lambda connection: _without_table(connection, person)).result()


def forget_seat(settings: Settings, code: str, seat: int, sure: bool, name: str = "") -> None:
    """Forget whoever sat there last, or last by that name, for the keeper of a house that is not open; refuses until
    they are sure.
    """
    with _closed(settings) as store:
        known = [event for event in store.events(code) if event.kind == "sat" and event.data["seat"] == seat]
        sat = [event for event in known if event.data["name"]]  # the others are forgotten
        if not sat:
            raise Refusal("storage.nobody_sat", code=code, seat=seat)
        names = {event.person: event.data["name"] for event in sat}
        said = {"code": code, "seat": seat, "n": len(names), "names": ", ".join(names.values())}
        meant = [event for event in sat if not name or alike(event.data["name"]) == alike(name)]
        if not meant:
            raise Refusal("storage.nobody_called", name=name, **said)
        if not sure:
            raise Refusal("storage.not_sure", name=meant[-1].data["name"], **said)
        aways = aways_until(settings.data_folder() / "beat", time.time())
        take_out(store, aways, meant[-1].person, lambda _: None)
        scrub(store)


def forget_name(settings: Settings, name: str, sure: bool) -> None:
    """Forget who goes by that name, or has a token of that name, and never came to a table, for the keeper of a house
    that is not open; refuses until they are sure.
    """
    meant, known = alike(name), people_relation.c
    with _closed(settings) as store:
        with store.read() as connection:
            named = connection.execute(union(select(known.person, known.name), select(tokens.c.person, tokens.c.name)))
            those = {row.person for row in named if meant and alike(row.name) == meant}
            those = {person for person in those if not people.codes(connection, person)}
        if not those:
            raise Refusal("storage.nobody_apart", name=name)
        if not sure:
            raise Refusal("storage.not_sure_apart", name=name, n=len(those))
        for person in those:
            take_out(store, [], person, lambda _: None)
        scrub(store)


def unlist(settings: Settings, name: str, sure: bool) -> None:
    """Take a name off the ladders, whoever bears it or one that looks like it, for the keeper of a house that is not
    open; refuses until they are sure.
    """
    known, meant = people_relation.c, alike(name)
    with _closed(settings) as store:
        with store.read() as connection:
            listed = connection.execute(select(known.person, known.name).where(known.listed))
            those = [row.person for row in listed if alike(row.name) == meant]
        if not those:
            raise Refusal("storage.nobody_listed", name=name)
        if not sure:
            raise Refusal("storage.not_sure_unlisted", name=name, n=len(those))
        changed = update(people_relation).where(known.person.in_(those)).values(listed=False)
        store.submit(lambda connection: connection.execute(changed)).result()


@contextmanager
def _closed(settings: Settings) -> Iterator[Store]:
    """The store of a house that is not open, and does not open meanwhile."""
    look(settings)
    with locked(settings.data_folder()), database_locked(Place.of(settings.place())):
        store = Store(settings.place())
        try:
            yield store
        finally:
            store.close()


def _without_table(connection: Connection, person: str) -> None:
    """What is remembered about a person beside the tables."""
    connection.execute(delete(people_relation).where(people_relation.c.person == person))
    connection.execute(delete(tokens).where(tokens.c.person == person))  # made meanwhile
    connection.execute(delete(ratings).where(ratings.c.person == person))


# ---------------------------------------------------------------- at one table


def _at_table(store: Store, aways: list[Away], code: str, person: str) -> None:
    """Put a pseudonym in the person's place, which gets up, or lets the keeper play on: all of it or nothing. Else
    whoever holds the table in memory would write the person down again, and nobody find them here a second time.
    """
    alias = secrets.token_hex(16)
    renamed = partial(_renamed, code=code, person=person, alias=alias)
    for left in reversed(range(TRIES)):
        new, summary = _left(store, aways, code, person, alias)
        try:
            store.append(code, new, summary, before=renamed).result()
            return
        except Conflict:
            if not left:
                raise


def _renamed(connection: Connection, code: str, person: str, alias: str) -> None:
    here = (events.c.code == code) & events.c.body.contains(person)
    rows = [
        {"at": row.number, "new": _anonymous(decoded(row.body), person, alias)}
        for row in connection.execute(select(events.c.number, events.c.body).where(here))
    ]
    if rows:
        changed = update(events).where(events.c.code == code, events.c.number == bindparam("at"))
        connection.execute(changed.values(body=bindparam("new")), rows)
    played = select(matches.c.match).where(matches.c.code == code)
    with_them = select(results.c.match).where(results.c.person == person, results.c.match.in_(played))
    connection.execute(update(results).where(results.c.match.in_(with_them)).values(mu=None, sigma=None))
    mine = (results.c.person == person) & results.c.match.in_(played)
    connection.execute(update(results).where(mine).values(person=alias))
    mine = (sittings.c.person == person) & (sittings.c.code == code)
    connection.execute(update(sittings).where(mine).values(person=alias, name=""))
    connection.execute(update(tables).where(tables.c.host == person, tables.c.code == code).values(host=alias))


def _anonymous(event: Event, person: str, alias: str) -> str:
    """An event without the person, as it is stored: a pseudonym did it, and said nothing."""
    if event.person == person:
        event.data.update({name: "" for name in ("name", "text") if name in event.data})
    return msgspec.json.encode(event).decode().replace(person, alias)


def _left(store: Store, aways: list[Away], code: str, person: str, alias: str) -> tuple[list[Event], Summary | None]:
    """What follows at the table without the person, and how that leaves it: at the end whoever holds it in memory
    learns that its past has changed. First it hears when the house was away, or the others' clocks would count that. A
    table that this version cannot play on has nothing to go on with.
    """
    known = [decoded(_anonymous(event, person, alias)) for event in store.events(code)]
    now = time.time()
    new: list[Event] = []
    summary = None
    try:
        table = Table.rebuilt(secrets.token_bytes, known)
        new, summary = table.resumed(aways, now) + _up(table, alias, now), summary_of(table)
    except Exception as error:  # a rule that has changed, a game that is gone: that keeps nobody here
        logs.trouble("unread", error, code=code)
    return [*new, Event(len(known) + len(new) + 1, now, "forgotten", "", "", {})], summary


def _up(table: Table, alias: str, now: float) -> list[Event]:
    """They get up; during a match the keeper plays on, if it does not already."""
    key = secrets.token_hex(8)
    with suppress(Refusal):
        return table.receive(alias, Leave(key) if table.status == "playing" else Stand(key), now).events
    return []
