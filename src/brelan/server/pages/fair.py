"""What shows that the house deals fairly: the proofs of one's own cards, and the page that tells about all of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from brelan.build import build_id
from brelan.cards import SPECTATOR
from brelan.errors import digits
from brelan.games import find
from brelan.play.dealt import proofs_of
from brelan.play.leaves import Proof
from brelan.play.present import zeros
from brelan.play.table import Table
from brelan.server.matches.shown import PROVER, aside
from brelan.server.matches.statistics import promises
from brelan.server.pages.asked import at_table, code_of, count, house_of, page
from brelan.server.pages.spoken import client_words
from brelan.server.store import Store, index
from brelan.server.tables.wire import STEP
from brelan.server.web.origin import language_of

AUDIT = Path(__file__).with_name("audit.json")
"""What `brelan audit --save` wrote."""


# ---------------------------------------------------------------- one's own cards

SHUFFLES = 50
"""Shuffles that one answer proves, half a megabyte: others wait for it a tenth of a second, and who asks on is behind
them.
"""


@dataclass(slots=True)
class Proofs:
    """What a seat may check now."""

    match: str
    shuffles: int  # until now
    roots: list[str | None]  # of those proven here; none in matches begun before there were any
    proofs: list[Proof]


async def proofs(request: Request) -> Response:
    """The proofs of the cards that were dealt to the reader's seat or turned up for all, by so many shuffles from
    `?since=` on.

    Never of another's card, not even of one that has been played since: where cards are kept from round to round, its
    place would tell how long it was in the hand.
    """
    house, code = house_of(request), code_of(request)
    guest, since = house.identity.guest(request, code), digits(request.query_params.get("since", "0"))
    if since is None:
        raise HTTPException(400, "page.bad_request")
    count(request, "replay")
    number = await at_table(request, partial(_number, house.store))
    table = house.rooms.held(code, number)
    if table is None:
        table = await aside(lambda: Table.rebuilt(zeros, house.store.events(code)), PROVER)
    ask = _asked(table, guest.id if guest else "", since)
    if ask is None:
        raise HTTPException(403, "fair.no_cards")
    body = await aside(lambda: msgspec.json.encode(ask()), PROVER)
    body += b" " * (-len(body) % STEP)  # a name may be longer than another's
    return Response(body, media_type="application/json", headers={"cache-control": "no-store"})


def _number(store: Store, code: str) -> int:
    with store.read() as connection:
        return index.number(connection, code)


def _asked(table: Table, person: str, since: int) -> Callable[[], Proofs] | None:
    """What makes the proofs, away from the table, which may go on meanwhile; None for who has no seat in a match."""
    seat = table.player_of(person)
    if seat == SPECTATOR or not table.match or not table.chance or not table.sealed:
        return None
    roots = [event.data.get("root") for event in table.steps if event.kind == "shuffle"]
    end = min(since + SHUFFLES, len(roots))
    match, chance, deals = table.sealed.match, table.chance, table.dealt.until(end)
    return lambda: Proofs(match, len(roots), roots[since:end], proofs_of(deals()[since:], chance, seat, since))


# ---------------------------------------------------------------- the page


@cache
def audited() -> dict[str, Any]:
    """The figures of the last audit, each deck with the title of its game."""
    audit: dict[str, Any] = json.loads(AUDIT.read_text("utf-8"))
    for deck in audit["decks"]:
        deck["title"] = find(deck["game"]).title
    return audit


async def fair(request: Request) -> Response:
    """What the house promises, how to check it, and what it does not prove."""
    counted = await asyncio.to_thread(promises, house_of(request).store, time.time())
    audit, language = await asyncio.to_thread(audited), language_of(request)
    spoken = client_words(language, "streaks")
    return page(request, "fair.html", promises=counted, audit=audit, client_words=spoken, build=build_id())


ROUTES = [Route("/fair", fair), Route("/t/{code}/proofs", proofs)]
