"""A live table without a network: how tests make one, play on it and look at it."""

import hashlib
import itertools

from brelan.cards import seed
from brelan.play import shown
from brelan.play.messages import Again, Bot, Move, Next, Nonce, Sit, Start, Undo
from brelan.play.seats import bot_name
from brelan.play.table import Table
from brelan.scene import places
from brelan.words import Words

NONCE = "ab" * 16
BOTH = {"anna", "ben"}


def drawing():
    """A generator that draws the same in every test."""
    count = itertools.count()
    return lambda n: hashlib.shake_256(str(next(count)).encode()).digest(n)


def made(game="gin", players=2, **choices):
    return Table.made(drawing(), "abc", game, players, "anna", 0.0, **choices)


def begun(game="gin", players=2, persons=1, now=10.0, **choices):
    """A table whose match has begun; anna sits at 0 and is the host."""
    table = made(game, players, **choices)
    names = ["anna", "ben", "cleo"][:persons]
    for seat, name in enumerate(names):
        table.receive(name, Sit(f"sit {seat}", seat, name.title()), now)
    for seat in range(persons, players):
        table.receive("anna", Bot(f"bot {seat}", seat, "novice"), now)
    table.receive("anna", Start("start"), now)
    for name in names:
        table.receive(name, Nonce(NONCE), now + 1)
    return table


def act(table, chance, now=20.0):
    """The next move of the seat asked first, by the novice; the seat."""
    seat = table.match.asked()[0]
    move = table.game.notation.move_text(table.game.policy.novice(table.seen_by(seat), seat, chance))
    person = bot_name(seat) if table.seats[seat].kept else table.seats[seat].person
    table.receive(person, Move(f"move {table.number}", table.number, move), now)
    return seat


def play_on(table, until=lambda table: table.status == "over", now=20.0):
    """Let novices play for everybody until something holds; persons say next between rounds."""
    chance = [0]
    seed(chance, 1)
    while not until(table):
        if table.pause:
            go_on(table, now)
        else:
            act(table, chance, now)
    return table


def go_on(table, now=20.0):
    """One of those who look at a result has seen it; where only bots sit the pause ends by itself."""
    if table.waits_for():
        seat = table.waits_for()[0]
        table.receive(table.seats[seat].person, Next(f"next {table.number}"), now)
    else:
        table.tick(table.deadline)


def play_again(table, now):
    """Everybody who sits there would like to play again: the last of them begins the match."""
    for seat in table.persons():
        table.receive(table.seats[seat].person, Again(f"again {table.number}"), now)


def viewed(table, person, language="en", before=None, since=0):
    viewer = shown.Viewer(person, Words(language, table.game.id), "/link")
    view, seen = shown.view(table, viewer, {"anna"}, seen_of(before) if before else None, since)
    assert seen == seen_of(view)
    return view


def seen_of(view):
    """What the next view needs of this one."""
    return shown.Seen(view.number, view.table.match, places(view.scene.zones) if view.scene else None)


def two(game="gin", **choices):
    """Anna and Ben play, and are here."""
    table = begun(game, 2, persons=2, **choices)
    table.here(BOTH, 20.0)
    return table


def kept(table, person="ben", now=20.0):
    """That person goes away, and after the grace a bot keeps the seat."""
    table.here(BOTH - {person}, now)
    table.tick(now + table.customs.grace)
    assert table.seats[table.seat_of(person)].kept
    return table


def bot_moves(table, seat, now=200.0, number=None):
    """What the bot of a seat does, thought of at an event's number."""
    chance = [0]
    seed(chance, table.number)
    move = table.game.notation.move_text(table.game.policy.novice(table.seen_by(seat), seat, chance))
    number = table.number if number is None else number
    return table.receive(bot_name(seat), Move(f"bot {table.number}", number, move), now)


def to_seat(table, seat, now=20.0):
    """Play until that seat is asked."""
    return play_on(table, until=lambda table: seat in table.match.asked(), now=now)


def kinds(events):
    return [event.kind for event in events]


def undo(table, person, now=21.0):
    return table.receive(person, Undo(f"undo {person} {table.number}"), now)
