"""The page on which a guest sees what the house knows about them, and decides about it. Plain forms: no script."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Row
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from brelan.errors import digits
from brelan.games import GAMES
from brelan.play.seats import clean_name
from brelan.play.told import called, titled
from brelan.server.house import House
from brelan.server.matches import statistics
from brelan.server.matches.results import BOT
from brelan.server.pages.asked import count, guest_of, house_of, known_of, own_form, page, words_of
from brelan.server.people import people, phrases, tokens
from brelan.server.people.identity import Guest
from brelan.server.store import Conflict, Store, index
from brelan.server.tables import farewell
from brelan.server.tables.standing import company
from brelan.server.web.limits import TooMany
from brelan.server.web.origin import LANGUAGE, language_of
from brelan.words import Words

MATCHES = 20
"""So many are listed at once, the last first; the export has all."""


# ---------------------------------------------------------------- what there is


async def me(request: Request) -> Response:
    """All that the house knows about the reader, and what they may do about it."""
    return await _me(request)


async def _me(request: Request, status: int = 200, typed: str = "", ticked: str = "", **said: Any) -> Response:
    """The page; `said` names a form or a box, and what went wrong there. A phrase that was `typed` stays in its field,
    and what was `ticked` stays so.
    """
    identity = house_of(request).identity
    guest = identity.guest(request)
    known = await asyncio.to_thread(_known, request, guest) if guest else {}
    titles = {game.id: game.title for game in GAMES}
    kept: dict[str, Any] = {"said": said, "typed": typed, "ticked": ticked}
    brought = set(identity.all_brought(request).values())
    kept |= {"somebody": bool(guest or brought), "elsewhere": brought - {guest.id if guest else ""}}
    told: dict[str, Any] = {"titles": titles, "titled": titled, "minute": tokens.minute, "moment": tokens.moment}
    told |= {"company": _company, "off_ladder": _off_ladder}
    return page(request, "me.html", status, guest=guest, **told, **kept, **known)


def _known(request: Request, guest: Guest) -> dict[str, Any]:
    store, before = house_of(request).store, digits(request.query_params.get("before", ""))
    profile = people.profile(store, guest.id)
    with store.read() as connection:
        found = statistics.last_matches(connection, guest.id, MATCHES + 1, before)
        known = {
            "own": statistics.of_person(connection, guest.id),
            "ratings": statistics.own_ratings(connection, guest.id),
            "matches": found[:MATCHES],
            "older": found[MATCHES - 1].number if len(found) > MATCHES else None,
            "others": statistics.others(connection, guest.id, [row.match for row in found[:MATCHES]]),
            "tables": len(index.of_person(connection, guest.id)),
            "before": before,
            "filled": f"before={before}" if before else "",
        }
    bound = bool(found or before or known["tables"]) and not profile.phrase
    say = {game.id: words_of(request, game.id) for game in GAMES}
    return known | {"profile": profile, "bound": bound, "tokens": tokens.of(store, guest.id), "say": say}


def _company(others: list[tuple[str, str]], words: Words) -> str:
    """With whom somebody played a match."""
    names = [called(name, words) for person, name in others if not person.startswith(BOT)]
    return company(names, len(others) - len(names), words)


def _off_ladder(match: Row[Any], others: list[tuple[str, str]]) -> bool:
    """Whether people played each other for no ladder, though nobody asked what if."""
    return not match.rated and not match.whatif and any(not person.startswith(BOT) for person, _ in others)


# ---------------------------------------------------------------- name


async def name(request: Request) -> Response:
    """Keep the nickname, and whether ladders may show it."""
    typed = await own_form(request)
    guest = Guest(known_of(request).id, clean_name(typed.get("nickname", "")))
    listed = typed.get("listed") == "yes"
    if listed and not guest.name:
        return await _me(request, 422, ticked="listed", name=words_of(request)("me.no_name"))
    await _remember(request, guest, name=guest.name, listed=listed)
    return _back(request, guest)


# ---------------------------------------------------------------- passphrase


async def draw(request: Request) -> Response:
    """Draw a passphrase, show it this once, and ask for it back: only then it counts."""
    await own_form(request)
    guest = known_of(request)
    phrase = phrases.drawn(language_of(request))
    offer = await asyncio.to_thread(house_of(request).identity.offer, guest, phrase)
    response = page(request, "phrase.html", phrase=phrase.split(), offer=offer, typed="", error="")
    house_of(request).identity.remember(response, guest, request)
    return response


async def keep(request: Request) -> Response:
    """The drawn phrase comes back as it was written down: from now on it opens."""
    typed, guest, identity = await own_form(request), known_of(request), house_of(request).identity
    offer = typed.get("offer", "")
    offered = identity.offered(guest, offer)
    if offered is None:
        return await _me(request, 422, phrase=words_of(request)("me.offer_gone"))
    phrase = typed.get("phrase", "")
    if await asyncio.to_thread(identity.hashed, phrase) != offered:
        error = words_of(request)("me.not_the_phrase")
        return page(request, "phrase.html", 422, phrase=[], offer=offer, typed=phrase, error=error)
    await _remember(request, guest, name=guest.name, phrase=offered)
    return _back(request, guest)


async def drop(request: Request) -> Response:
    """Withdraw the passphrase, where that is ticked: no other leads back. Devices on which it was typed stay who they
    are.
    """
    typed, guest = await own_form(request), known_of(request)
    if typed.get("sure") != "yes":
        return await _me(request, 422, drop=words_of(request)("me.not_sure"))
    await _remember(request, guest, phrase=None)
    return _back(request, guest)


async def come(request: Request) -> Response:
    """Who types a passphrase is its person, on this device as well."""
    typed, house, words = await own_form(request), house_of(request), words_of(request)
    guest, phrase = known_of(request), typed.get("phrase", "")
    ticked = "leave" if typed.get("leave") == "yes" else ""
    try:
        count(request, "login")
    except TooMany as refusal:
        response = await _me(request, 429, phrase, ticked, come=words.refusal(refusal))
        response.headers["retry-after"] = str(refusal.wait)
        return response
    hashed = await asyncio.to_thread(house.identity.hashed, phrase)
    found = await asyncio.to_thread(people.by_phrase, house.store, hashed)
    if found is None:
        return await _me(request, 422, phrase, ticked, come=words("me.no_phrase"))
    known = await asyncio.to_thread(_known, request, guest) if guest.id != found.person else {}
    if known.get("bound") and not ticked:
        return await _me(request, 422, phrase, instead=words("me.tick_leave"))
    return _back(request, Guest(found.person, found.name))


async def leave(request: Request) -> Response:
    """This device is nobody's any more; nothing that the house holds is changed."""
    typed, guest = await own_form(request), house_of(request).identity.guest(request)
    known = await asyncio.to_thread(_known, request, guest) if guest else {}
    if known.get("bound") and typed.get("leave") != "yes":
        return await _me(request, 422, leave=words_of(request)("me.tick_leave"))
    return _gone(request, "left")


# ---------------------------------------------------------------- data


async def export(request: Request) -> Response:
    """Everything that the house holds about the reader, as one file."""
    await own_form(request)
    guest, house = guest_of(request), house_of(request)
    async with house.searching:
        text = await asyncio.to_thread(_exported, house.store, guest)
    headers = {"content-disposition": 'attachment; filename="brelan.json"', "cache-control": "no-store"}
    return Response(text, media_type="application/json", headers=headers)


def _exported(store: Store, guest: Guest) -> bytes:
    """As JSON that can be read by eye; many evenings make some megabytes."""
    data = people.export(store, guest.id)
    return msgspec.json.format(msgspec.json.encode(data | {"name": data["name"] or guest.name}), indent=1)


async def delete(request: Request) -> Response:
    """Forget the reader. It cannot be undone, so it must be ticked."""
    typed, house = await own_form(request), house_of(request)
    guest = house.identity.guest(request)
    if typed.get("sure") != "yes":
        return await _me(request, 422, sure=words_of(request)("me.not_sure"))
    try:
        if guest:
            await _forget(house, guest.id)
    except Conflict:
        return await _me(request, 409, delete=words_of(request)("me.still_playing"))
    response = _gone(request, "gone")
    response.delete_cookie(LANGUAGE)
    return response


async def _forget(house: House, person: str) -> None:
    """Everything of theirs goes; whoever holds one of their tables in memory reads it again."""
    loop = asyncio.get_running_loop()

    def changed(code: str) -> None:
        loop.call_soon_threadsafe(house.rooms.reread, code)

    async with house.searching:
        await asyncio.to_thread(farewell.forget, house.store, house.rooms.beat.aways(), person, changed)
    house.rooms.dismiss(person)


# ---------------------------------------------------------------- help


def _gone(request: Request, said: str) -> Response:
    """The last page on a device, which keeps nothing. Cookies go by their names, since the header would take those of
    every site below the same domain, its mail's too; over http it does nothing, and the page's script does it.
    """
    response = page(request, "gone.html", headers={"clear-site-data": '"storage"'}, said=said)
    house_of(request).identity.leave(response, request)
    return response


async def _remember(request: Request, guest: Guest, **changes: Any) -> None:
    await asyncio.to_thread(partial(people.remember, house_of(request).store, guest.id, **changes))


def _back(request: Request, guest: Guest) -> Response:
    """To the page again, with the guest's cookie."""
    response = RedirectResponse("/me", 303)
    house_of(request).identity.remember(response, guest, request)
    return response


async def again(request: Request) -> Response:
    """Where a form was answered there is no page of its own: to the one that it stands on, in the same language."""
    return RedirectResponse(f"/me?{request.url.query}", 303)


ROUTES = [
    Route("/me", me),
    Route("/me/name", name, methods=["POST"]),
    Route("/me/phrase", draw, methods=["POST"]),
    Route("/me/phrase/keep", keep, methods=["POST"]),
    Route("/me/phrase/drop", drop, methods=["POST"]),
    Route("/me/come", come, methods=["POST"]),
    Route("/me/leave", leave, methods=["POST"]),
    Route("/me/export", export, methods=["POST"]),
    Route("/me/delete", delete, methods=["POST"]),
    Route("/me/{form:path}", again),
]
