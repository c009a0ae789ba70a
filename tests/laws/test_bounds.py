"""A law of states from elsewhere: one that is not refused leads no rule and no bot past the end of a list.

Compiled code looks at no index: it would read and write whatever lies there. So here it is interpreted, with lists that
refuse what theirs would not be.
"""

import importlib
import os
import pkgutil

import pytest

from brelan import bots
from brelan.bots.ours import checked
from brelan.cards import below, shuffle
from brelan.fast.twins import is_table
from tests.tables import TABLES, for_every_game, generator, walk

PLIES, MOVES = 60, 300
ROUNDS = int(os.environ.get("BRELAN_MATCHES", "1")) * 3  # through all fields; `make nightly` asks for more
REFUSED = (ValueError, IndexError, AssertionError)  # what `OurBots.answer` says of an ask, and the lists below


class Strict(list):
    """A list without a place -1, that holds what 64 bits hold."""

    def __getitem__(self, place):
        assert place in range(len(self)), f"place {place} of {len(self)}"
        return super().__getitem__(place)

    def __setitem__(self, place, value):
        assert -(2**63) <= value < 2**63
        assert place in range(len(self)), f"place {place} of {len(self)}"
        super().__setitem__(place, value)


def strict(value):
    return Strict(map(strict, value)) if isinstance(value, list) else value


def tables_of_rules(game):
    """Where each table of a game's modules stands."""
    room = importlib.import_module(game.rules.__name__.rpartition(".")[0])
    for found in pkgutil.iter_modules(room.__path__):
        module = importlib.import_module(f"{room.__name__}.{found.name}")
        yield from ((module, name, value) for name, value in vars(module).items() if is_table(value))


def places(value):
    """The way to each number of a field."""
    if not isinstance(value, list):
        return [()]
    return [(i, *rest) for i, row in enumerate(value) for rest in places(row)]


def changed(state, field, place, number):
    """What a stranger says of a state, one of its numbers another."""
    said = state.to_json()
    if not place:
        return said | {field.name: number}
    row = said[field.name]
    for i in place[:-1]:
        row = row[i]
    row[place[-1]] = number
    return said


def think(game, state, seat):
    """All that a mind does with a state: its policies, and a world in which they play the round out."""
    rules, policy, random = game.rules, game.policy, generator(3)
    weights = strict(list(bots.find(game, bots.known(game)[-1]).mind.weights or policy.START))
    out, cards = (strict([0] * (size + 1)) for size in (rules.ACTIONS, rules.DECK))
    for field in state.fields:
        setattr(state, field.name, strict(getattr(state, field.name)))
    moves = [out[i] for i in range(rules.legal(state, seat, out))]
    assert policy.novice(state, seat, random) in moves
    assert policy.tuned(state, seat, weights, random) in moves
    assert policy.shortlist(state, seat, weights, out, random)
    rules.imagine(state, seat, random)
    policy.believe(state, seat, random)
    finished, left = state.finished, MOVES
    while state.finished == finished and left:
        if asked := rules.asked(state):
            mover = state.turn
            assert asked >> mover & 1
            chosen = policy.novice(state, mover, random) if left % 2 else policy.tuned(state, mover, weights, random)
            rules.play(state, mover, chosen)
        else:  # a stock is shuffled anew
            shuffle(cards, 0, rules.due(state, cards), random)
            rules.deal(state, cards)
        left -= 1
    policy.outlook(state, seat)


def asks(game, random):
    """Positions of a match at each table of the sheet, each as a seat that is asked knows it."""
    for table in (table for table in TABLES if table.game is game):
        for match in walk(table, 31, PLIES):
            if not match.over and below(random, PLIES // 5) == 0:
                seat = match.asked()[0]
                yield game.view.redact(match.state, seat), seat


@for_every_game
def test_a_number_that_is_set_wild_is_refused_or_leads_nowhere(game, monkeypatch):
    random = generator(31)
    asked = list(asks(game, random))
    assert all(checked(game, seen, seat) == seen for seen, seat in asked)
    for module, name, value in list(tables_of_rules(game)):
        monkeypatch.setattr(module, name, strict(value))
    for field in game.rules.State.fields * ROUNDS:
        seen, seat = asked[below(random, len(asked))]
        ways = places(getattr(seen, field.name))
        place = ways[below(random, len(ways))]
        most = seen.players - 1 if field.most is None else field.most
        for number in (-1, 64, 10**9, field.least, most, most + 1):
            try:
                state = checked(game, game.rules.State.from_json(changed(seen, field, place, number)), seat)
            except REFUSED:
                continue
            if state != seen:
                think(game, state, seat)


@for_every_game
def test_a_turn_that_is_of_nobody_who_is_asked_is_refused(game):
    """Bots play a world on from the seat whose turn it is, which must have moves."""
    for seen, seat in asks(game, generator(32)):
        for turn in range(seen.players):
            state = seen.copy()
            state.turn = turn
            if not game.rules.asked(state) >> turn & 1:
                with pytest.raises(ValueError, match="do not go together"):
                    checked(game, state, seat)
