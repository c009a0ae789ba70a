"""Whole matches at a table without a server: what the tests of results, people and deletion begin with."""

import itertools
import secrets

from brelan import bots
from brelan.cards import seed
from brelan.play.messages import Bot, Move, Next, Sit, Start
from brelan.play.seats import bot_name
from brelan.play.table import Table
from brelan.server.matches.ratings import after
from brelan.server.tables.summary import summary_of

_clock = itertools.count(1_700_000_000)


def person():
    return secrets.token_hex(16)


def now():
    return float(next(_clock))


def key():
    return secrets.token_hex(4)


def table(code, people, game="gin", names=("Anna", "Béla", "Cléo", "Dora"), **choices):
    """A table at which these persons sit, and a novice where None stands."""
    made = Table.made(secrets.token_bytes, code, game, len(people), people[0] or person(), now(), **choices)
    for seat, who in enumerate(people):
        if who:
            made.receive(who, Sit(key(), seat, names[seat]), now())
        else:
            made.receive(made.host, Bot(key(), seat, "novice"), now())
    return made


def begin(made):
    made.receive(made.host, Start(key()), now())
    while made.sealed and not made.match:
        made.tick(now())


def step(made, chance):
    """One move by the novice's choice, for persons too; between rounds everybody goes on."""
    for seat in made.waits_for():
        made.receive(made.seats[seat].person, Next(key()), now())
    if made.pause:  # only bots sit there
        made.tick(made.deadline)
    for seat in made.match.asked()[:1]:
        move = bots.at_once(made.game, "novice", made.seen_by(seat), seat, chance, made.preset)
        text = made.game.notation.move_text(move)
        mover = bot_name(seat) if made.seats[seat].by else made.seats[seat].person
        made.receive(mover, Move(key(), made.number, text), now())


def played(made, number=1):
    """The table after a match."""
    chance = [0]
    seed(chance, number)
    begin(made)
    while made.status != "over":
        step(made, chance)
    return made


def stored(store, made):
    """The same, with its events in the store."""
    known = len(store.events(made.code))
    store.append(made.code, made.events[known:], summary_of(made)).result()
    return made


def after_all(matches):
    """The ratings that these matches lead to, in their order: all that a ladder is."""
    known = {}
    for placing in matches:
        known |= after(placing, known)
    return known
