"""A program at a table of a house: it speaks the line protocol, and the house is told by its API (docs/api.md)."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPException
from threading import Event, Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from brelan.bots.program import Program
from brelan.bots.protocol import written
from brelan.errors import Refusal, digits

TABLE = re.compile(r"(https?://[^/?#]+)/(?:t|api/v1/tables)/([0-9A-Za-z]+)/?")
"""The address of a table's page, or that which the API names when it makes one."""

PATIENCE = 60.0
"""Seconds for which a house that does not answer is asked again; then the keeper has the seat anyway."""

KNOCKING = 5.0
"""The same before it has ever answered: its address may be wrong, or nobody at home. Who leaves waits no longer."""

ANSWER = 40.0
"""Seconds until an answer counts as lost: the house lets who waits for news wait for 25."""

AWAKE = 20.0
"""Seconds after which the house is asked for a view while a program thinks: whoever asks nothing for 30 has gone."""

GONE_ON = "late", "kept", "open"
"""Refusals after which the table is looked at again: somebody was faster, the time was up, or somebody got up."""

BUSY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
"""What a house answers that has too much to do, and a proxy before one that begins anew."""


BROKEN = OSError, ValueError, RecursionError, HTTPException
"""What becomes of an answer that does not come, is no JSON, or breaks off."""

FOREIGN = LookupError, TypeError, ValueError, AttributeError, RecursionError
"""What becomes of an answer that does not say what a table of a house does; what a program says is refused before."""


class Refused(Refusal):
    """What the house said no to, in its own words; `error` is its name for it (docs/api.md)."""

    def __init__(self, status: int, said: dict[str, Any]) -> None:
        super().__init__("sit_refused", why=said.get("words", status))
        self.error = said.get("error", "")


class Unmoved(HTTPRedirectHandler):
    """Goes nowhere else by itself: the token was given to this house alone."""

    def redirect_request(self, *_: Any) -> None:
        """No request in place of the one that was made: its answer stands."""


ways = build_opener(Unmoved)


class RemoteTable:
    """A table of a house, as the person of a token comes to it."""

    def __init__(self, table: str, token: str) -> None:
        if not (found := TABLE.fullmatch(table)):
            raise Refusal("sit_table", given=table)
        self.named = table
        self.address = f"{found[1]}/api/v1/tables/{found[2]}"
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.patience = KNOCKING

    def view(self, since: int | None = None) -> dict[str, Any]:
        """The table as it is, or the next news of it."""
        return self._asked("" if since is None else f"?since={since}")

    def say(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Say something to the table, so often until it is heard; its answer."""
        message = {"type": kind, **fields} | ({} if kind == "nonce" else {"key": secrets.token_hex(8)})
        return self._asked("/messages", message)

    def _asked(self, path: str, message: dict[str, Any] | None = None) -> dict[str, Any]:
        until = time.monotonic() + self.patience
        data = json.dumps(message).encode() if message else None
        request = Request(self.address + path, data, self.headers)  # noqa: S310  (http or https, see TABLE)
        while True:
            try:
                with ways.open(request, timeout=ANSWER if self.patience else KNOCKING) as answer:
                    said = told(answer)
                self.patience = PATIENCE
                return said
            except BROKEN as error:
                wait = pause_after(error)
                if time.monotonic() + wait > until:
                    raise Refusal("sit_gone", address=self.named, why=plainly(error)) from None
            time.sleep(wait)


@contextmanager
def like_ours(there: RemoteTable) -> Generator[None]:
    """What is asked here of a table is taken from what it says, as if a house like this one had said it; refused if it
    is not so.
    """
    try:
        yield
    except Refusal:
        raise
    except FOREIGN as error:
        raise Refusal("sit_foreign", address=there.named) from error


def told(answer: Any) -> dict[str, Any]:
    """What an answer says, which is an object of JSON wherever a house speaks."""
    if not isinstance(said := json.load(answer), dict):
        raise ValueError("no object")
    return said


def plainly(error: Exception) -> Any:
    """What kept an answer from coming, without the names of Python's modules."""
    cause = error.reason if type(error) is URLError else error  # an HTTPError says more than its reason
    return getattr(cause, "strerror", None) or cause


def pause_after(error: Exception) -> float:
    """The seconds after which to ask again; a refusal that stays one is raised."""
    if not isinstance(error, HTTPError):
        return 1.0
    with error:
        if error.code in BUSY:
            seconds = digits(error.headers.get("Retry-After", ""))  # or a date, which no house says
            return max(1.0, seconds or 0)  # nobody is asked again without a pause
        if there := error.headers.get("Location"):
            raise Refusal("sit_moved", address=error.url, given=there)
        try:
            said = told(error)
        except BROKEN:  # not the house, but something before it
            said = {}
    raise Refused(error.code, said)


def sit(there: RemoteTable, program: Program, seat: int | None = None) -> dict[str, Any]:
    """Let a program take the seat that is named, or the first that is open; who has one keeps it unless another is
    named. The table as it is then.
    """
    table = there.view()["table"]
    program.hello.check(table["game"])  # which may be the house's alone
    if seat is None and table["seat"] is None:
        seat = next((place["seat"] for place in table["seats"] if place["kind"] == "open"), None)
        if seat is None:
            raise Refusal("sit_full", given=there.named)
    if seat not in (None, table["seat"]):
        there.say("sit", seat=seat, name=program.hello.name)
    return dict(there.view()["table"])


def play(there: RemoteTable, program: Program) -> Generator[str]:
    """Let a program that sits at the table play until the match is over, or where it is, the next one; each move.

    Whatever ends it before leaves the seat to the table's keeper; who comes again with the same token takes it back.
    """
    view = there.view()
    passed = view["table"]["match"] if view["table"]["status"] == "over" else None
    try:
        while view["table"]["status"] != "over" or view["table"]["match"] == passed:
            yield from act(there, view, program)
            view = there.view(view["number"])
    finally:
        if view["table"]["status"] == "playing":
            there.patience = 0.0  # said once: the house may be gone, and somebody waits for our end
            with suppress(Refusal):
                there.say("leave")


@contextmanager
def present(there: RemoteTable) -> Generator[None]:
    """Be at the table all the while."""
    done = Event()

    def look() -> None:
        while not done.wait(AWAKE):
            with suppress(Refusal):
                there.view()

    Thread(target=look, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def act(there: RemoteTable, view: dict[str, Any], program: Program) -> Generator[str]:
    """Do what the table waits for from the seat, if anything; the move, if it was one."""
    table, scene, seen = view["table"], view["scene"], view["number"]
    if (seat := table["seat"]) is None:  # its person got up, or the host gave the seat away
        raise Refusal("sit_lost")
    try:
        if table["wants_nonce"]:
            there.say("nonce", nonce=secrets.token_hex(16))
        elif table["seats"][seat]["kept"]:
            there.say("back")
        elif seat in table["undo"]["waits_for"]:
            there.say("consent", agree=True, seen=seen)
        elif seat in table["waits_for"]:
            there.say("again" if table["status"] == "over" else "next", seen=seen)
        elif scene and seat in scene["turn"]:
            ask = there.say("ask")  # as it is: the house's version may know more than ours, or less
            seconds = min(ask["seconds"], program.seconds) if table["clocks"] else program.seconds
            with present(there):
                move = written(program.chosen(ask | {"seconds": seconds}))
            there.say("move", seen=ask["id"], move=move)
            yield move
    except Refused as refusal:
        if refusal.error not in GONE_ON:
            raise
