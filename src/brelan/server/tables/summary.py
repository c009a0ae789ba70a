"""How a table is now, for those who ask about many tables at once."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection
from tqdm import tqdm

from brelan.play.seats import CLOCK, Event
from brelan.play.table import Table
from brelan.server.ledger import logs
from brelan.server.store import Store, index
from brelan.server.store.relations import matches


def summary_of(table: Table) -> index.Summary:
    """What the index keeps of a table."""
    made, last, sealed = table.events[0], table.events[-1], table.sealed
    persons = [(i, seat) for i, seat in enumerate(table.seats) if seat.kind == "person"]
    return index.Summary(
        code=table.code,
        game=table.game.id,
        preset=table.preset,
        status=table.status,
        listed=bool(made.data.get("customs", {}).get("listed")),
        open_seats=sum(seat.kind == "open" for seat in table.seats),
        players=len(table.seats),
        host=table.host,
        made_at=made.at,
        changed_at=last.at,
        deadline=_wakes_at(table),
        match=sealed.match if sealed else None,
        begun_at=sealed.at if sealed else None,
        over_at=_over_at(table),
        sittings=tuple(index.Sitting(i, seat.person, seat.name) for i, seat in persons),
        asked=_asked(table),
        whatif=table.origin is not None,
    )


def _asked(table: Table) -> int:
    """The seats it waits for, and those whose time is up: nobody comes back to them unless they are told."""
    waits = {seat for seat in {*table.asked(), *table.waits_for(), *table.consents()} if not table.seats[seat].kept}
    up = {index.UP + i for i, seat in enumerate(table.seats) if seat.why == CLOCK}
    return sum(1 << bit for bit in waits | up)


def _wakes_at(table: Table) -> float | None:
    """When it goes on though nobody watches; None for a table of bots only: it stands still until somebody watches."""
    if all(seat.kind == "bot" for seat in table.seats):
        return None
    return table.events[-1].at if table.bots_asked() else table.wakes_at


def _over_at(table: Table) -> float | None:
    if table.status != "over":
        return None
    return next(event.at for event in reversed(table.events) if event.kind == "over")


def read_unknown(store: Store) -> None:
    """Enter the tables of an older version; one that this version cannot read is marked, and stays as it is."""
    with store.read() as connection:
        codes = index.unknown(connection)
    if codes:
        for code in tqdm(codes, unit=" tables", file=sys.stderr, disable=None):
            _read(store, code)


def _read(store: Store, code: str) -> None:
    with store.read() as connection:
        last = index.number(connection, code)
    summary = None
    begun: list[dict[str, Any]] = []
    try:
        known = store.events(code)
        last, begun = known[-1].number, _begun(code, known)
        summary = summary_of(Table.rebuilt(secrets.token_bytes, known))
    except Exception as error:  # a rule that has changed, a game that is gone, a row that is broken: others go on
        logs.trouble("unread", error, code=code)
    store.submit(partial(_enter, code=code, number=last, summary=summary, begun=begun)).result()


def _begun(code: str, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Every match that a table began; needs no rules, as their records need none."""
    rows: list[dict[str, Any]] = []
    whatif = "origin" in events[0].data
    for event in events:
        if event.kind == "started":
            row = {"match": event.data["match"], "code": code, "begun_at": event.at, "over_at": None}
            rows.append(row | {"whatif": whatif})
        elif event.kind == "over":
            rows[-1]["over_at"] = event.at
    return rows


def _enter(
    connection: Connection, code: str, number: int, summary: index.Summary | None, begun: list[dict[str, Any]]
) -> None:
    """Unless another worker has gone on with the table meanwhile, and so entered how it is now."""
    if not index.ends_at(connection, code, number):
        return
    index.put(connection, matches, begun)
    if summary:
        index.written(connection, [summary])
    else:
        index.unreadable(connection, code)
