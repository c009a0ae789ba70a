"""What the database holds, read from outside, and what follows from it: the judge over all that guests were told."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from brelan.play.seats import Event
from brelan.play.shown import scene_for
from brelan.play.table import Table
from brelan.server.settings import Settings
from brelan.words import Words
from tests.proofs.players import Frame, Player

QUERY = "SELECT body FROM events WHERE code = {} ORDER BY number"


@dataclass
class Verdict:
    """What was looked at, and what was wrong."""

    acknowledged: int = 0
    views: int = 0
    lost: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    differing: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not (self.lost or self.twice or self.differing)

    def add(self, other: Verdict) -> None:
        self.acknowledged, self.views = self.acknowledged + other.acknowledged, self.views + other.views
        for name in ("lost", "twice", "differing"):
            getattr(self, name).extend(getattr(other, name))


def events_of(settings: Settings, codes: Iterable[str]) -> dict[str, list[Event]]:
    """The events of tables as the database holds them; the house need not run."""
    if settings.database:
        import psycopg

        with psycopg.connect(settings.database) as server:
            found = {code: server.execute(QUERY.format("%s"), [code]).fetchall() for code in codes}
    else:
        assert settings.data
        file = sqlite3.connect(settings.data / "brelan.db", timeout=10)
        found = {code: file.execute(QUERY.format("?"), [code]).fetchall() for code in codes}
        file.close()
    return {code: [msgspec.json.decode(body, type=Event) for (body,) in rows] for code, rows in found.items()}


def judge(past: dict[str, list[Event]], players: list[Player]) -> Verdict:
    """Every fresh acknowledgement stands at its number, nothing stands twice or is missing, and views say the same."""
    verdict = Verdict()
    for code, events in past.items():
        if [event.number for event in events] != list(range(1, len(events) + 1)):
            verdict.lost.append(f"{code}: its numbers have gaps")
        keys = Counter((event.person, event.key) for event in events if event.key)
        verdict.twice += [f"{code}: {key}" for (_, key), n in keys.items() if n > 1]
    for player in players:
        _judge_keys(past[player.code], player, verdict)
        _judge_view(past[player.code], player, verdict)
    return verdict


def _judge_keys(events: list[Event], player: Player, verdict: Verdict) -> None:
    there = {event.key: event.number for event in events if event.person == player.person and event.key}
    verdict.acknowledged += len(player.fresh)
    verdict.lost += [f"{player.code}: {key} at {n}" for key, n in player.fresh.items() if there.get(key) != n]
    player.fresh = {}


def _judge_view(events: list[Event], player: Player, verdict: Verdict) -> None:
    """The first view after coming back is what the stored events make of the table."""
    if not (view := player.first):
        return
    player.first = None
    verdict.views += 1
    if view["number"] > len(events):
        verdict.lost.append(f"{player.code}: a view of {view['number']} was sent, {len(events)} are stored")
    elif wrong := differing(events, view, player.person):
        verdict.differing.append(f"{player.code}: the view of {view['number']}: {wrong}")


def differing(events: list[Event], view: Frame, person: str) -> dict[str, Any]:
    """Where a view does not show the table as the stored events make it: what it shows, and what it should."""
    table = Table.rebuilt(bytes, events[: view["number"]])
    scene = scene_for(table, table.seat_of(person), Words("en", table.game.id))
    expected: dict[str, Any] = {
        "scene": plain(scene),
        "scores": table.match.scores if table.match else [],
        "match": table.sealed.match if table.sealed else None,
        "commit": table.sealed.commit if table.sealed else None,
    }
    shown = {"scene": view["scene"]} | {name: view["table"][name] for name in ("scores", "match", "commit")}
    return {name: (shown[name], value) for name, value in expected.items() if shown[name] != value}


def plain(thing: Any) -> Any:
    """As JSON holds it."""
    return msgspec.json.decode(msgspec.json.encode(thing))
