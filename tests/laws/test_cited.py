"""Rules that are named: every reason to refuse is met in play, and what names a rule names one of the rulebook.

All tables are played a few times by bots, while every seat attempts moves drawn from all there are, at any time: on its
turn or not, before the cards are dealt and after the end.
"""

import random as chance

from brelan.cards import SPECTATOR
from brelan.game import legal_moves
from brelan.words import Words, catalogue
from tests.laws.rulebooks import anchors
from tests.tables import TABLES, VARIANTS, for_every_game, walk

PLIES = 150
WALKS = 10  # along each table
ATTEMPTS = 6  # of each seat at every ply


def matches(game, walks):
    """Matches at every table of a game, ply by ply."""
    for number in range(walks):
        for table in TABLES + VARIANTS:
            if table.game is game:
                yield from walk(table, 100 * number + 7, PLIES, undealt=True)


@for_every_game
def test_every_reason_to_refuse_is_met_and_tells_nothing_hidden(game):
    """A reason of the words that never refuses is a dead one."""
    picks, met = chance.Random(1), set()
    for match in matches(game, WALKS):
        for seat in range(match.players):
            seen = game.view.redact(match.state, seat)
            legal = set(legal_moves(game.rules, match.state, seat))
            for move in set(picks.choices(range(game.rules.ACTIONS), k=ATTEMPTS)) - legal:
                rule = game.view.why_not(match.state, seat, move)
                assert game.view.why_not(seen, seat, move) == rule, game.notation.move_text(move)
                met.add(rule)
    assert met == {key.removeprefix("why.") for key in catalogue("en", game.id) if key.startswith("why.")}


@for_every_game
def test_rules_named_by_what_is_shown_stand_in_the_rulebook(game):
    """Shut choices, dim cards, notes, and how rounds ended."""
    words, named = Words("en", game.id), set()
    for ply, match in enumerate(matches(game, 1)):
        if ply % 5 == 0 or match.over:
            for seat in [*match.asked()[:1], SPECTATOR]:
                named |= set(shown(match, seat, words))
    assert named - {None, ""}
    assert named - {None, ""} <= set(anchors(game, "en"))


def shown(match, seat, words):
    """The rules that a scene names."""
    scene = match.game.view.scene(match.game.view.redact(match.state, seat), seat, words)
    cards = [card for zone in scene.zones for card in zone.cards]
    return [thing.rule for thing in (*scene.choices, *scene.notes, *cards, *match.tallies)]
