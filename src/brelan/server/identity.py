"""Who asks: a guest with a signed cookie and a nickname. No account, no e-mail, nothing to remember.

The cookie is signed with a key that lies in the data folder, readable by its owner only. A seat's own link carries a
guest to another device; there it counts for that one table, and the device keeps its own guest elsewhere.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from brelan.errors import Refusal
from brelan.play.seats import clean_name
from brelan.words import LANGUAGES

GUEST = "brelan_guest"
LANGUAGE = "brelan_language"
YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Guest:
    """A person as the cookie tells; `id` is known to the server and its owner's browser only."""

    id: str
    name: str


class Identity:
    """Signs and reads what the house gave to its guests."""

    def __init__(self, key: bytes) -> None:
        self._guests = URLSafeSerializer(key, salt="guest")
        self._seats = URLSafeSerializer(key, salt="seat")

    def guest(self, asked: HTTPConnection, code: str | None = None) -> Guest | None:
        """The guest who asks; at a table, the one whose seat was brought to this device."""
        brought = asked.cookies.get(_seat_cookie(code)) if code else None
        return self._read(brought) or self._read(asked.cookies.get(GUEST))

    def new(self) -> Guest:
        return Guest(secrets.token_hex(16), "")

    def remember(self, response: Response, guest: Guest, asked: HTTPConnection) -> None:
        """Give the guest's cookie to the browser."""
        value = self._guests.dumps([guest.id, guest.name])
        _cookie(response, GUEST, str(value), asked, "/")

    def seat_token(self, code: str, guest: Guest) -> str:
        """What brings this guest's seat at one table to another device; for its owner's eyes only."""
        return str(self._seats.dumps([code, guest.id, guest.name]))

    def bring(self, response: Response, code: str, token: str, asked: HTTPConnection) -> None:
        """Let this device act as the token's guest at that table, or refuse."""
        try:
            for_code, person, name = self._seats.loads(token)
        except (BadSignature, ValueError, TypeError):
            for_code, person, name = "", "", ""
        if not person or for_code != code:
            raise Refusal("page.seat_link")
        value = self._guests.dumps([person, name])
        _cookie(response, _seat_cookie(code), str(value), asked, f"/t/{code}")

    def _read(self, cookie: str | None) -> Guest | None:
        if not cookie:
            return None
        try:
            person, name = self._guests.loads(cookie)
        except (BadSignature, ValueError, TypeError):
            return None
        return Guest(str(person), clean_name(str(name)))


def _seat_cookie(code: str | None) -> str:
    return f"brelan_seat_{code}"


def _cookie(response: Response, name: str, value: str, asked: HTTPConnection, path: str) -> None:
    secure = asked.url.scheme in ("https", "wss")
    response.set_cookie(name, value, max_age=YEAR, path=path, httponly=True, samesite="lax", secure=secure)


def signing_key(folder: Path) -> bytes:
    """The key of this house, drawn once, readable by its owner only."""
    path = folder / "key"
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes()
    key = secrets.token_bytes(32)
    with os.fdopen(file, "wb") as out:
        out.write(key)
    return key


def language_of(asked: HTTPConnection) -> str:
    """`?lang=`, else the cookie of an earlier one, else the first of the browser's languages that the house speaks."""
    accepted = asked.headers.get("accept-language", "")
    wanted = [asked.query_params.get("lang"), asked.cookies.get(LANGUAGE)]
    wanted += [part.partition(";")[0].strip()[:2].lower() for part in accepted.split(",")]
    return next((language for language in wanted if language in LANGUAGES), LANGUAGES[0])


def is_own(asked: HTTPConnection) -> bool:
    """Whether a page of this very house asks: browsers name the origin of every form and every socket."""
    origin: Any = urlsplit(asked.headers.get("origin", ""))
    return bool(origin.netloc) and origin.netloc == asked.headers.get("host")
