"""Who asks: a guest with a signed cookie and a nickname. No account, no e-mail, nothing to remember.

The cookie is signed with a key that lies in the data folder, readable by its owner only. A seat's own link carries a
guest to another device; there it counts for that one table, and the device keeps its own guest elsewhere.
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from brelan.errors import Refusal
from brelan.folders import private
from brelan.play.seats import clean_name
from brelan.server.people import phrases

GUEST = "brelan_guest"
SEAT = "brelan_seat_"
"""With the table's code behind it; sent everywhere, since a finished match is not shown below its table's address."""

SEATS = 20
"""A device keeps so many of the seats that were brought to it, 4 KB: of cookies in all, proxies take 8 KB."""

YEAR = 365 * 24 * 3600
KEY_BYTES = 32
OFFER = 3600  # seconds in which a drawn passphrase must be confirmed
PERSON = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Guest:
    """A person as the cookie tells; `id` is known to the server and its owner's browser only."""

    id: str
    name: str


class Identity:
    """Signs and reads what the house gave to its guests."""

    def __init__(self, key: bytes) -> None:
        self._guests = URLSafeSerializer(key, salt="guest")  # neither can stand for the other
        self._seats = URLSafeSerializer(key, salt="seat")
        self._offers = URLSafeTimedSerializer(key, salt="passphrase")
        self._key = key

    def guest(self, asked: HTTPConnection, code: str | None = None) -> Guest | None:
        """The guest who asks; at a table, the one whose seat was brought to this device."""
        token = asked.cookies.get(_seat_cookie(code)) if code else None
        cookie = asked.cookies.get(GUEST)  # a missing one is not read: the exception would leave a reference cycle
        return (self.brought(str(code), token) if token else None) or (self._read(cookie) if cookie else None)

    def new(self) -> Guest:
        return Guest(secrets.token_hex(16), "")

    def remember(self, response: Response, guest: Guest, asked: HTTPConnection) -> None:
        """Give the guest's cookie to the browser."""
        _cookie(response, GUEST, self.cookie(guest), asked)

    def cookie(self, guest: Guest) -> str:
        """What the guest's browser keeps, and shows whenever it asks."""
        return str(self._guests.dumps([guest.id, guest.name]))

    def seat_token(self, code: str, guest: Guest) -> str:
        """What brings this guest's seat at one table to another device; for its owner's eyes only."""
        return str(self._seats.dumps([code, guest.id, guest.name]))

    def seat_link(self, code: str, guest: Guest) -> str:
        """The address of a guest's own seat, below the house's."""
        return f"/t/{code}/seat/{self.seat_token(code, guest)}"

    def brought(self, code: str, token: str) -> Guest | None:
        """Whose seat a token brings to that table; None if it is not ours or for another table."""
        try:
            for_code, person, name = self._seats.loads(token)
        except (BadSignature, ValueError, TypeError):
            return None
        return _guest(person, name) if for_code == code else None

    def all_brought(self, asked: HTTPConnection) -> dict[str, str]:
        """The tables whose seats were brought to this device, each with as whom it acts there."""
        tokens = {name.removeprefix(SEAT): token for name, token in asked.cookies.items() if name.startswith(SEAT)}
        guests = {code: self.brought(code, token) for code, token in tokens.items()}
        return {code: guest.id for code, guest in guests.items() if guest}

    def bring(self, response: Response, code: str, token: str, asked: HTTPConnection) -> None:
        """Let this device act as the token's guest at that table, or refuse."""
        if not self.brought(code, token):
            raise Refusal("page.seat_link")
        others = [name for name in asked.cookies if name.startswith(SEAT) and name != _seat_cookie(code)]
        for oldest in others[: 1 - SEATS]:  # browsers send them in the order in which they came
            response.delete_cookie(oldest)
        _cookie(response, _seat_cookie(code), token, asked)

    def renew(self, response: Response, code: str, asked: HTTPConnection) -> None:
        """A seat that was brought to this device lasts a year from now on."""
        token = asked.cookies.get(_seat_cookie(code))
        if token and self.brought(code, token):
            _cookie(response, _seat_cookie(code), token, asked)

    def part(self, response: Response, code: str) -> None:
        """Let this device be its own guest's again at that table."""
        response.delete_cookie(_seat_cookie(code))

    def leave(self, response: Response, asked: HTTPConnection) -> None:
        """Let this device be nobody's, at no table either."""
        for name in asked.cookies:
            if name == GUEST or name.startswith(SEAT):
                response.delete_cookie(name)

    # ------------------------------------------------------------ passphrases

    def hashed(self, phrase: str) -> str:
        """By what this house knows a passphrase, however it was typed. It takes a while, on purpose."""
        return phrases.hashed(phrase, self._key)

    def offer(self, guest: Guest, phrase: str) -> str:
        """What shows later that this house drew that phrase for that guest; it does not hold the phrase."""
        return str(self._offers.dumps([guest.id, self.hashed(phrase)]))

    def offered(self, guest: Guest, offer: str) -> str | None:
        """The hash of the phrase that was drawn for the guest; None if none was, or too long ago."""
        try:
            person, hashed = self._offers.loads(offer, max_age=OFFER)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(hashed) if person == guest.id else None

    # ------------------------------------------------------------ help

    def _read(self, cookie: str) -> Guest | None:
        try:
            person, name = self._guests.loads(cookie)
        except (BadSignature, ValueError, TypeError):
            return None
        return _guest(person, name)


def _guest(person: Any, name: Any) -> Guest | None:
    """A guest as `new` names one; nobody goes by another name, a bot's least of all."""
    return Guest(str(person), clean_name(str(name))) if PERSON.fullmatch(str(person)) else None


def _seat_cookie(code: str) -> str:
    return f"{SEAT}{code}"


def _cookie(response: Response, name: str, value: str, asked: HTTPConnection) -> None:
    secure = asked.url.scheme in ("https", "wss")
    response.set_cookie(name, value, max_age=YEAR, httponly=True, samesite="lax", secure=secure)


def signing_key(folder: Path) -> bytes:
    """The key of this house, drawn once, readable by its owner only; one that is not whole is refused, never used.

    Whoever asks holds the folder's lock, so nobody else draws one meanwhile.
    """
    path = folder / "key"
    try:
        if not path.exists():
            write_key(path, secrets.token_bytes(KEY_BYTES))
        key = path.read_bytes()
    except OSError as error:
        raise Refusal("storage.unreadable", path=path, why=error) from error
    if len(key) != KEY_BYTES:
        raise Refusal("storage.key", path=path, given=len(key), known=KEY_BYTES)
    return key


def mark(key: bytes) -> str:
    """By what a key is known again, and cannot be found: it may lie in a database."""
    return hmac.digest(key, b"brelan house", "sha256").hex()[:16]


def write_key(path: Path, key: bytes) -> None:
    """Keep a key, there as a whole or not at all, even if the power fails."""
    with private(path) as out:
        out.write(key)
