"""Somebody at one table whose house may change: over one worker, over another, over one that came after a kill."""

import json

import psycopg

from tests.server.clients import Guest, act, my_turn


class Player:
    """Somebody at one table, over a house that may change."""

    def __init__(self, address):
        self.guest, self.code = Guest(address), ""
        self.line = None

    def come(self, code, address=None):
        """A line to the table, over another house if one is named."""
        if address:
            cookies = dict(self.guest.http.cookies)
            self.guest.close()
            self.guest = Guest(address, cookies)
        if not self.guest.http.cookies:
            self.guest.http.get(f"/t/{code}")
        self.code, self.line = code, self.guest.line(code)
        return self.line

    @property
    def view(self):
        return self.line.view

    def busy(self):
        return self.view["table"]["seat"] in self.view["table"]["waits_for"] or my_turn(self.view)


def begun(people, first, second, **options):
    """Anna over one house and Ben over another, at a table where both sit and play."""
    anna, ben = people(first), people(second)
    anna.come(anna.guest.make(against="people", **options))
    ben.come(anna.code)
    assert ben.line.ask("sit", seat=1, name="Ben")["type"] == "ack"
    anna.line.viewed(lambda view: view["table"]["seats"][1]["kind"] == "person")
    assert anna.line.ask("start")["type"] == "ack"
    for sign in ("commit", "match"):  # whoever sees the first sends a nonce
        for player in (anna, ben):
            player.line.viewed(lambda view, sign=sign: view["table"][sign])
    for player in (anna, ben):
        player.line.viewed(lambda view: view["scene"])
    return anna, ben


def play_on(players, until):
    """Whoever's turn it is acts, over their own house; then all see it."""
    while True:
        number = max(player.view["number"] for player in players)
        for player in players:
            player.line.viewed(lambda view, number=number: view["number"] >= number)
        if all(until(player.view) for player in players):
            return
        actor = next((player for player in players if player.busy()), players[0])
        before = actor.view["number"]
        if actor.busy():
            act(actor.line)
        actor.line.viewed(lambda view, before=before: view["number"] > before)


def stored(url, code):
    """All events of a table, as the database has them."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT body FROM events WHERE code = %s ORDER BY number", [code]).fetchall()
    events = [json.loads(body) for (body,) in rows]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    return events
