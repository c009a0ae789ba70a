"""Telling moments of a match, found by playing it: the same seed finds the same ones.

A moment is kept as the views that the page at seat 0 would be sent, one a language, so that a page can be drawn
from it without a house that plays.
"""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass, field

import msgspec

from brelan.cards import seed
from brelan.play.messages import Bot, Move, Next, Nonce, Sit, Start
from brelan.play.seats import bot_name
from brelan.play.shown import View, Viewer, view
from brelan.play.table import Table
from brelan.words import LANGUAGES, Words

ANNA, PERSONS = "anna", ("Anna", "Béla", "Cléo")
TOLD = 12  # events before a moment that its page has heard of
STATES = ("hand", "choice", "round", "end")
NONCE = "ab" * 16


@dataclass
class Moment:
    """A state of a table as seat 0 and a spectator are shown it, by language, and the cards that are picked in it."""

    views: dict[str, View]
    public: dict[str, View]
    picked: list[str] = field(default_factory=list)


def drawing(name):
    """Bytes that look random and are the same for the same name."""
    count = itertools.count()
    return lambda n: hashlib.shake_256(f"{name} {next(count)}".encode()).digest(n)


def laid(game, players, code, sitting=None, **options):
    """A table of the game: Anna at seat 0, two more persons where there is room, and bots; or only some `sitting`."""
    table = Table.made(drawing(code), code, game, players, ANNA, 0.0, **options)
    for seat in range(sitting or players):
        if seat % 2 == 0:
            table.receive(person(seat), Sit(f"sit {seat}", seat, PERSONS[seat // 2]), 1.0)
        else:
            table.receive(ANNA, Bot(f"bot {seat}", seat, "novice"), 1.0)
    return table


def person(seat):
    return ANNA if seat == 0 else f"person {seat}"


def begun(table):
    table.receive(ANNA, Start("start"), 2.0)
    for seat in range(0, len(table.seats), 2):
        table.receive(person(seat), Nonce(NONCE), 3.0)
    table.tick(10.0)
    return table


def step(table, chance, wish=""):
    """That move where it may be made, else one of a novice, whoever sits there; between two rounds all go on."""
    if table.pause:
        for seat in table.waits_for():
            table.receive(person(seat), Next(f"next {table.number}"), 20.0)
        return
    seat = table.match.asked()[0]
    move = table.game.notation.move_text(table.game.policy.novice(table.seen_by(seat), seat, chance))
    move = wish if wish in table.match.legal(seat) else move
    mover = bot_name(seat) if table.seats[seat].by else person(seat)
    table.receive(mover, Move(f"move {table.number}", table.number, move), 20.0)


def moments(game, players, code="gallery"):
    """The fullest table with a move to make, the widest choice, the end of a round, the end of the match."""
    table, chance, best = begun(laid(game, players, code)), [0], {}
    seed(chance, 1)
    while True:
        shown = seen(table, ANNA, "en").scene
        for state, worth in worths(table, shown):
            if worth >= best.get(state, (0,))[0]:
                best[state] = worth, moment(table, shown if state == "choice" else None)
        if table.status == "over":
            return table, {state: best[state][1] for state in STATES if state in best}
        step(table, chance)


def worths(table, scene):
    """How much there is to see, by the state that this is."""
    if table.status == "over":
        yield "end", 1
    elif scene.between:
        yield "round", 1
    elif scene.choices and scene.seat in scene.turn:
        hand = sum(zone.count for zone in scene.zones if zone.owner == scene.seat and zone.kind == "fan")
        open_choices = [choice for choice in scene.choices if not choice.why]
        yield "hand", 4 * hand + sum(len(zone.cards) for zone in scene.zones if zone.kind != "fan")
        yield "choice", 10 * buttons(open_choices) + len(open_choices)


def buttons(choices):
    """How many buttons the bar would show at most."""
    bare = sum(not choice.cards and not choice.target for choice in choices)
    by_card = {}
    for choice in choices:
        by_card.setdefault(tuple(choice.cards), []).append(choice)
    return max([bare, *map(len, by_card.values())])


def moment(table, scene):
    """The table now, for both languages; where there is a choice, with the cards picked that leave most of it."""
    by_card = {}
    for choice in scene.choices if scene else ():
        if not choice.why:
            by_card.setdefault(tuple(choice.cards), []).append(choice)
    picked = list(max(by_card, key=lambda cards: (len(by_card[cards]), len(cards)))) if by_card else []
    by_language = {person: {word: seen(table, person, word) for word in LANGUAGES} for person in (ANNA, "nobody")}
    return Moment(by_language[ANNA], by_language["nobody"], picked)


def seen(table, who, language):
    online = {seat.person for seat in table.seats}
    viewer = Viewer(who, Words(language, table.game.id))
    return view(table, viewer, online, None, max(0, table.number - TOLD))[0]


def frame(shown):
    """A view as its socket would send it."""
    return msgspec.json.encode(shown).decode()
