"""A move taken back at once leaves no trace, in every game; and what showed somebody a card is never free.

`BRELAN_UNDOS=100000 python -m pytest tests/play/test_slips.py` takes that many moves back, in every game.
"""

import os
from copy import copy

from brelan.cards import below
from brelan.games import find
from brelan.play.match import Match
from brelan.play.seats import Event
from brelan.play.undo import Before, is_free
from brelan.words import Words
from tests.play.scripts import act, begun, kinds, undo
from tests.tables import Table, at_every_preset, for_every_game, generator, viewers, walk

MOVES = int(os.environ.get("BRELAN_UNDOS", "500"))  # that are taken back, in all games


@for_every_game
def test_an_undo_at_once_brings_back_what_everybody_saw(game):
    """Never across a reveal, a shuffle or another's act; then every viewer sees what they saw before."""
    share, taken, seed = MOVES // 5, 0, 0
    while taken < share:
        seed += 1
        taken += slips(game, seed, share - taken)


def slips(game, number, most):
    """Play a match, and take back whatever may be taken back at once; how much that was."""
    random = generator(number)
    players = game.seats[below(random, len(game.seats))]
    table = begun(game.id, players, persons=min(players, 3))
    taken = 0
    while table.status == "playing" and taken < most:
        if table.pause:
            table.tick(table.deadline)
            continue
        seat = table.match.asked()[0]
        before, seen, lines = table.match.state.copy(), views(table), list(table.match.lines)
        table.slips.undos = [0] * players  # as many as there are here
        since = table.number
        act(table, random)
        person = table.seats[seat].person
        if table.seats[seat].level or not table.is_free(seat):
            continue
        assert kinds(table.events[since:]) == ["move"]
        assert learned(game, before, table.match, seat, random) == set()
        undo(table, person)
        taken += 1
        assert table.match.state == before
        assert table.match.lines == lines
        assert views(table) == seen
        act(table, random)
    return taken


def views(table):
    """What every seat and a spectator see of the cards."""
    words = Words("en", table.game.id)
    match = table.match
    return [match.game.view.scene(match.game.view.redact(match.state, v), v, words) for v in viewers(match)]


def learned(game, before, match, seat, random):
    """What, of many other worlds, the seat can now rule out: a fresh look, with other worlds than the table tried."""
    after = game.view.redact(match.state, seat)
    move = game.notation.move_of(match.lines[-1]["move"])
    found = set()
    for number in range(4):
        world = game.view.redact(before, seat)
        game.rules.imagine(world, seat, random)
        game.rules.play(world, seat, move)
        if game.view.redact(world, seat) != after:
            found.add(number)
    return found


@at_every_preset
def test_what_shows_a_card_is_never_free(table):
    """A move after which the seat knows a card that it did not know, or that touches the stock, is no slip."""
    last = None
    for match in walk(table, 3, 60):
        if last and match.lines[:-1] == last[1] and "move" in match.lines[-1]:
            line = match.lines[-1]
            event = Event(len(match.lines), 0.0, "move", "", "", line)
            stock = [match.game.view.zones(state).get("stock") for state in (last[0], match.state)]
            if stock[0] != stock[1] or match.state.finished > last[0].finished:
                assert not is_free(match.game, Before(last[0], event), match.state)
        last = match.state.copy(), list(match.lines)


@at_every_preset
def test_what_stays_is_as_if_nothing_else_had_been_played(table):
    """From the last shuffle on or across it; and once more, so that nothing of what was kept has been played on."""
    random = generator(7)
    for match in walk(table, 7, 60, undealt=True):
        lines, taken = below(random, min(5, len(match.lines)) + 1), copy(match)
        stays = len(match.lines) - lines
        for _ in range(2):
            taken.back(lines)
            assert vars(taken) == vars(played(table.match(match.first), match.lines[:stays]))
            played(taken, match.lines[stays:])
        assert vars(taken) == vars(match)


def played(match, lines):
    for line in lines:
        if "shuffle" in line:
            match.shuffle(line["shuffle"])
        else:
            match.move(line["seat"], line["move"])
    return match


def test_what_lies_before_the_last_shuffle_is_not_played_again(monkeypatch):
    """It may be a hundred rounds, and all other tables wait meanwhile."""
    *_, match = walk(Table(find("hawaiki"), 2), 7, 60)
    assert match.shuffles > 1
    assert "move" in match.lines[-1]
    monkeypatch.setattr(Match, "shuffle", None)
    match.back(1)


def test_a_reveal_that_leaves_the_stock_alone_is_found():
    """Elements: whoever places last turns all placed cards up."""
    table = begun("elements", 3, persons=3)
    found, chance = [], generator(1)
    while table.match.legal(table.match.asked()[0])[0].startswith("place"):
        seat = act(table, chance)
        found.append(table.is_free(seat))
    assert found == [True, True, False]
