"""A database as it stands on a busy evening: running tables of four persons, and the events of older ones."""

from __future__ import annotations

import sqlite3
from concurrent.futures import Future
from pathlib import Path

from brelan import bots
from brelan.cards import seed
from brelan.games import GAMES
from brelan.play.messages import Move, Next, Nonce, Sit, Start
from brelan.play.shuffle import simulated_secret
from brelan.play.table import Table
from brelan.server.store import Store
from brelan.server.tables.summary import summary_of

SEATS = 4
MOVES = 12
"""Of a running table's match so far."""


def person(place: int, seat: int) -> str:
    """The guest on a seat of the table at that place."""
    return f"{place:016x}{seat:016x}"


def prepared(folder: Path, tables: int, events: int) -> list[str]:
    """Fill a new database; the running tables' codes."""
    store = Store(folder / "brelan.db")
    games = [game for game in GAMES if SEATS in game.seats]
    codes, done = [f"run{place:05}" for place in range(tables)], Future[None]()
    for place, code in enumerate(codes):
        table = begun(code, games[place % len(games)].id, place, MOVES)
        done = store.append(code, table.events, summary_of(table))
    done.result()
    store.close()
    if events:
        _age(folder / "brelan.db", events)
    return codes


def begun(code: str, game: str, place: int, moves: int, seats: int = SEATS) -> Table:
    """A table of persons only after so many moves of its match, all by chance."""
    people, now = [person(place, seat) for seat in range(seats)], 1_700_000_000.0
    drawn = iter(range(10**9))
    table = Table.made(lambda size: simulated_secret(place, next(drawn))[:size], code, game, seats, people[0], now)
    for seat, guest in enumerate(people):
        table.receive(guest, Sit(f"sit{seat}", seat, f"Guest {seat + 1}"), now)
    table.receive(people[0], Start("start"), now)
    for guest in people:
        table.receive(guest, Nonce("00" * 16), now)
    chance = [0]
    seed(chance, place + 1)
    for move in range(moves):
        _step(table, people, chance, f"{move:016}", now + move)  # a key as long as a page's
    return table


def _step(table: Table, people: list[str], chance: list[int], key: str, now: float) -> None:
    if table.pause:
        for seat in table.waits_for():
            table.receive(people[seat], Next(f"{key}n{seat}"), now)
    if not table.match or table.match.over:
        return
    seat = table.match.asked()[0]
    move = bots.at_once(table.game, "random", table.seen_by(seat), seat, chance, table.preset)
    table.receive(people[seat], Move(key, table.number, table.game.notation.move_text(move)), now)


def _age(path: Path, events: int) -> None:
    """Repeat the running tables' events under older codes until there are so many."""
    database = sqlite3.connect(path)
    (there,) = database.execute("SELECT count(*) FROM events").fetchone()
    for age in range(events // there):
        database.execute(
            "INSERT INTO events SELECT 'old' || ? || code, number, body FROM events WHERE code LIKE 'run%'", [age]
        )
    database.commit()
    database.close()
