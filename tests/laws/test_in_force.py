"""At every moment a paragraph of the rulebook is in force, the same for all who look, and it is there to be read."""

from brelan.words import LANGUAGES, Words
from tests.laws.rulebooks import anchors
from tests.tables import Table, for_every_game, viewers, walk


@for_every_game
def test_a_paragraph_of_the_rulebook_is_always_in_force(game):
    table, words = Table(game, game.seats[-1]), Words("en", game.id)
    books = [set(anchors(game, language)) for language in LANGUAGES]
    seen = set()
    for match in walk(table, seed=3, most=300, undealt=True):
        rules = {
            game.view.scene(game.view.redact(match.state, viewer), viewer, words).rule for viewer in viewers(match)
        }
        assert len(rules) == 1
        seen |= rules
    assert len(seen) > 1
    assert all(seen <= book for book in books)
