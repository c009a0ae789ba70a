"""Whatever is told aloud at a table has its words: moves as each viewer hears them, what they led to, ends of rounds.

It is said by the functions that tables and the terminal use, so a word that is missing fails here, by its name, and not
in the middle of a match.
"""

from itertools import count, islice

import pytest

from brelan.play.match import outcomes, told
from brelan.play.told import key_of, move_told, outcome_told, part_words, reason
from brelan.words import LANGUAGES, Words
from tests.tables import act, chance_of, for_every_game, generator, tables_of, viewers

PLIES = 200
LEVELS = ("random", "novice")
NAMES = ("Anna", "Ben", "Cleo", "Dana", "Emil", "Fanny")


def played(table, seed):
    """The match after each of its moves, before the next shuffle, and what tells of the move."""
    match, chance, random = table.match(), chance_of(seed, table.players), generator(seed)
    for ply in count():
        match.deal(chance)
        if match.over:
            break
        was, rounds = match.state.copy(), len(match.tallies)
        act(match, LEVELS[ply // 7 % 2], random)
        more = told(match.game, was, match.game.notation.move_of(match.lines[-1]["move"]))
        yield match, more, outcomes(match.game, was, match.state), match.tallies[rounds:]


def heard_by_all(match):
    """The last move as each viewer hears it."""
    seat, move = match.lines[-1]["seat"], match.game.notation.move_of(match.lines[-1]["move"])
    return {match.game.view.heard(move, seat, viewer) for viewer in viewers(match)}


def unsaid(game, heard, more, words):
    """The words that a move lacks: its sentence, or one for a part told in it that is neither a card nor a number."""
    if (key := key_of(heard)) not in words:
        yield key
        return
    for letter, part in zip("abc", heard.split()[1:], strict=False):
        if f"{{{letter}}}" in words(key) and part_words(game, part, words) == part and not part.isdecimal():
            yield f"colour.{part} or said.{part}"
    move_told(game, NAMES, heard, NAMES[0], words, more)


def check_named(sentence, named, told):
    """Every seat that a sentence speaks of is called by its name in what is told."""
    spoken_of = [seat for value, seats in named.items() if f"{{{value}}}" in sentence for seat in seats]
    assert all(NAMES[seat] in told for seat in spoken_of)
    assert told


@pytest.mark.parametrize("language", LANGUAGES)
@for_every_game
def test_everything_that_happens_is_told_in_words(game, language):
    words, missing, ends = Words(language, game.id), set(), 0
    for seed, table in enumerate(tables_of(game)):
        for match, more, led, tallies in islice(played(table, seed), PLIES):
            for heard in heard_by_all(match):
                missing |= set(unsaid(game, heard, more, words))
            for outcome in led:
                named = {"name": [outcome.seat], "seats": outcome.values.get("seats", [])}
                check_named(words(f"outcome.{outcome.reason}"), named, outcome_told(NAMES, outcome, words))
            for tally in tallies:
                named = {"ender": [tally.values.get("ender")], "other": [tally.values.get("other")]}
                named["seats"] = tally.values.get("seats", [])
                check_named(words(f"result.{tally.reason}"), named, reason(NAMES, tally, words))
            ends += len(tallies)
    assert not missing
    assert ends, "no round ended"
