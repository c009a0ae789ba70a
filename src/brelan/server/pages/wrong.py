"""What is answered where something went wrong: a page that says it in a sentence."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from brelan.errors import Refusal
from brelan.play.replay import NotOver
from brelan.server.ledger import logs, metrics
from brelan.server.pages.asked import Unknown, introduced, page, words_of
from brelan.server.store import Storage, to_visitors
from brelan.server.web.limits import TooMany

SAID = {400: "page.bad_request", 405: "page.method"}
"""What is said of an answer that has no sentence of ours, by its number."""


async def failed(request: Request, error: Exception) -> Response:
    """An answer that is a refusal by its number."""
    assert isinstance(error, HTTPException)
    words, status = words_of(request), error.status_code
    said = error.detail if error.detail in words else SAID.get(status, "page.not_found")
    sentence = words(said, **request.path_params)
    return page(request, "error.html", status=status, sentence=sentence, headers=error.headers)


async def refused(request: Request, error: Exception) -> Response:
    """A refusal that no handler had another use for: what was asked for is not here, or the store does not work."""
    assert isinstance(error, Refusal)
    if isinstance(error, Unknown) and (once_more := introduced(request)):
        return once_more
    refusal = to_visitors(error)
    sentence = words_of(request).refusal(refusal)
    if isinstance(refusal, TooMany):
        return page(request, "error.html", status=429, sentence=sentence, headers={"retry-after": str(refusal.wait)})
    gone = refusal.key == "replay.outdated"  # the record needs no rules
    shut = isinstance(refusal, NotOver | Unknown)
    status = 503 if isinstance(refusal, Storage) else 403 if shut else 410 if gone else 404
    match = request.path_params.get("match") if gone else None
    return page(request, "error.html", status=status, sentence=sentence, match=match)


async def broken(request: Request, error: Exception) -> Response:
    """A fault of ours, which its reader can speak of by its id."""
    words, found = words_of(request), logs.fault(error, route=metrics.template(request.scope))
    return PlainTextResponse(f"{words('page.failed')} {words('ops.fault', id=found)}", 500)
