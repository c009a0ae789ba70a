"""What a person gives to a program: a token that may do some of what the person may, until it is revoked.

A token is 256 random bits behind `brl_`, shown once; the house keeps its SHA-256, which is enough to know it again
and useless to whoever reads the database. Every question goes to the database, so that a revoked token is dead at once
in every process; a socket that it opened is closed within seconds.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from brelan.errors import Refusal
from brelan.server.store import Store
from brelan.server.store.relations import tokens

Scope = Literal["read", "play", "make"]
"""read: see what the person sees; play: sit, move and speak as the person; make: make tables in the person's name."""

SCOPES: tuple[Scope, ...] = get_args(Scope)
TOKEN_BYTES = 32
MOST = 20
"""Tokens that a person may have at a time."""

_shape = re.compile(r"brl_[\w-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Token:
    """What its owner sees of a token: all but what opens."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    made_at: float  # seconds since 1970
    used_on: str | None  # the last day on which it was used, 2026-11-21


def make(store: Store, person: str, name: str, scopes: Iterable[Scope]) -> tuple[str, Token]:
    """A new token of that person, and the only time that anybody sees its text; refuses one too many."""
    text = f"brl_{secrets.token_urlsafe(TOKEN_BYTES)}"
    chosen = tuple(scope for scope in SCOPES if scope in scopes)
    token = Token(secrets.token_hex(6), name, chosen, time.time(), None)

    def written(connection: Connection) -> None:
        held = connection.scalar(select(func.count()).where(tokens.c.person == person)) or 0
        if held >= MOST:
            raise Refusal("token.most", n=MOST)
        row = {"id": token.id, "hash": _hash(text), "person": person, "name": name}
        connection.execute(insert(tokens).values(**row, scopes=" ".join(chosen), made_at=token.made_at))

    store.submit(written).result()
    return text, token


def of(store: Store, person: str) -> list[Token]:
    """The tokens of a person, the newest first."""
    chosen = select(tokens).where(tokens.c.person == person).order_by(tokens.c.made_at.desc())
    with store.read() as connection:
        return [_token(row) for row in connection.execute(chosen)]


def revoke(store: Store, person: str, token: str) -> None:
    """End a token of that person by its id; refuses one that the person does not have."""

    def gone(connection: Connection) -> int:
        return connection.execute(delete(tokens).where(tokens.c.person == person, tokens.c.id == token)).rowcount

    if not store.submit(gone).result():
        raise Refusal("token.unknown")


def find(store: Store, text: str) -> tuple[str, Token] | None:
    """Whose token that is, and which; None for what is no token of this house, or no longer."""
    if not _shape.fullmatch(text):
        return None
    with store.read() as connection:
        row = connection.execute(select(tokens).where(tokens.c.hash == _hash(text))).first()
    if row is None:
        return None
    if row.used_on != (today := day(time.time())):
        used = update(tokens).where(tokens.c.id == row.id).values(used_on=today)
        store.submit(lambda connection: connection.execute(used))
    return row.person, _token(row)


def _token(row: Row[Any]) -> Token:
    scopes = tuple(scope for scope in SCOPES if scope in row.scopes.split())
    return Token(row.id, row.name, scopes, row.made_at, row.used_on)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def day(at: float) -> str:
    """The day of a time in seconds since 1970, where the house stands: 2026-11-21."""
    return minute(at)[:10]


def minute(at: float) -> str:
    """The day and the minute of such a time: 2026-11-21 21:05."""
    return datetime.fromtimestamp(at, UTC).astimezone().replace(tzinfo=None).isoformat(" ", "minutes")


def moment(at: float) -> str:
    """The same for programs: 2026-11-21T20:05+00:00."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="minutes")


# ---------------------------------------------------------------- who asks


class NoScope(Refusal):
    """What a token may not do."""


class BadToken(Refusal):
    """A token that this house does not know, or no longer."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a person, at a page of the house, or by a program that holds a token."""

    person: str
    name: str
    token: Token | None = None
    is_screen: bool = False  # one on the wall, for everybody: it shows what anybody may see, and says nothing

    def may(self, scope: str) -> bool:
        """Whether that may be done: everything by the person, by a program what its token says."""
        if self.is_screen:
            return scope == "read"
        return self.token is None or scope in self.token.scopes
