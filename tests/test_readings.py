"""The house plays every game as its second reading does, written from the rule sheet alone (`tests/readings`).

A game that has no reading, as one that has just begun, is not compared.
"""

import os
import re
from collections import defaultdict
from importlib import import_module
from math import prod
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from brelan.games import GAMES
from tests import readings
from tests.nightly import table_of
from tests.tables import OF_THE_SHEETS, TABLES, VARIANTS

SHORT = 60
MATCHES = int(os.environ.get("BRELAN_READINGS", SHORT))
"""A game, besides one at each table; `make nightly` asks for more."""

LONG = 400  # shuffles and moves, after which a match is broken off
FOLDER = Path(readings.__file__).parent
READ = [game.id for game in GAMES if (FOLDER / f"{game.id}.py").exists()]
AT_TABLES = [table for table in TABLES + VARIANTS if table.game.id in READ]
SIGNS = re.compile("[a-z]+|[^ ]")
"""What a move is made of: its words, and of a card the colour and the number."""


def heaped(cards, players, random):
    """An order in which something happens: what is alike lies together, more or less, and often goes to one seat."""
    mark = random.choice([lambda card: card, lambda card: card[0], lambda card: card[-1]])
    place, noise = defaultdict(random.random), random.choice([0, 0.1, 0.5])
    heap = sorted(random.sample(cards, len(cards)), key=lambda card: place[mark(card)] + noise * random.random())
    apart = random.choice([1, len(cards) // players])
    return [card for begin in range(apart) for card in heap[begin::apart]]


def tastes(players, random):
    """How much each seat likes a sign; at times nobody wants anything but to draw, until no card is left."""
    all_draw = {"draw": 1e9} if random.random() < 0.1 else {}
    return [defaultdict(lambda: random.choice([0.1, 0.5, 1, 1, 2, 10]), all_draw) for _ in range(players)]


def chosen(legal, likes, random):
    return random.choices(legal, [prod(likes[sign] for sign in SIGNS.findall(text)) for text in legal])[0]


def compare(match, reading):
    """The cards due, the seats asked, what each may do, the scores, and how it ended."""
    assert match.due() == reading.due()
    assert match.asked() == reading.asked()
    for seat in range(match.players):
        assert set(match.legal(seat)) == set(reading.legal(seat))
    assert (match.over, match.scores) == (reading.over, reading.scores)
    if match.over:
        assert match.footer() == {"scores": reading.scores, "winners": reading.winners}


def play(table, number, kind=None):
    """A match of the house and one of the reading, side by side; its number repeats it."""
    random = Random(number)
    match = table.match(random.randrange(table.players))
    kind = kind or import_module(f"tests.readings.{table.game.id}").Reading
    reading = kind(match.players, match.first, table.preset, table.options)
    assert match.options == reading.options
    for _ in range(LONG):
        compare(match, reading)
        if match.over:
            break
        if due := reading.due():
            cards = heaped(due, match.players, random)
            match.shuffle(cards)
            reading.shuffle(cards)
            likes = tastes(match.players, random)
        else:
            seat = random.choice(reading.asked())
            text = chosen(sorted(reading.legal(seat)), likes[seat], random)
            match.move(seat, text)
            reading.move(seat, text)


def play_many(game_id, matches, kind=None):
    """Seats and every option by chance."""
    for number in range(matches):
        play(table_of(game_id, number), number, kind)


def test_a_reading_knows_nothing_of_the_house():
    for path in FOLDER.glob("*.py"):
        assert not re.findall(r"^ *(?:from|import) +(?:brelan|tests)\b", path.read_text("utf-8"), re.MULTILINE)


def test_every_game_of_the_sheets_has_its_reading():
    assert set(READ) >= OF_THE_SHEETS


@pytest.mark.parametrize("table", AT_TABLES, ids=str)
def test_house_and_reading_agree_at_every_table(table):
    play(table, 1)


@pytest.mark.parametrize("game_id", READ)
def test_house_and_reading_agree_with_options_at_random(game_id):
    play_many(game_id, MATCHES)


MUTANTS = {
    "a tie at the top stops nothing": ("companeros", "            break\n", "            continue\n"),
    "the lowest of a colour takes first": ("companeros", "-value(self.trick[seat])", "value(self.trick[seat])"),
    "equals do not stay as they lay": ("elements", "-value(pair[1])", "(-value(pair[1]), pair[0])"),
    "the next leads after an unsold card": (
        "elements",
        "self.stock.append(card)  #",
        "self.stock.append(card); self.leader = (self.leader + 1) % self.players  #",
    ),
    "a colour's lowest card decides": ("elements", "strengths[0], max(values)", "strengths[0], min(values)"),
    "equals are no undercut": ("gin", "if defender <= knocker", "if defender < knocker"),
    "what was taken is thrown back": ("gin", "in hand - {self.taken}", "in hand"),
    "nothing is laid off": ("gin", "if meld | {card} in all_melds(high)", "if False"),
    "only one card is laid off": ("gin", "laid_off(longer, ", "laid_off(frozenset(), "),
    "calls go the other way round": ("hawaiki", "[*self.others(seat), seat]", "[*self.others(seat)[::-1], seat]"),
    "thanks go the other way round": ("hawaiki", "in self.others(self.turn) if", "in self.others(self.turn)[::-1] if"),
    "a round without cards goes on": ("hawaiki", "self.passes += not self.drew", "self.passes = 0"),
    "a star wants a star of its colour": ("mio", 'return card[-1] == "*" or', "return"),
    "a last star counts double": ("mio", 'if card == "J" else 1', 'if card[-1] in "*J" else 1'),
    "one may pass and keep what fits": ("mio", 'found or ["pass"]', '[*found, "pass"]'),
}


@pytest.mark.parametrize(("game_id", "right", "wrong"), MUTANTS.values(), ids=MUTANTS)
def test_a_wrong_reading_is_found_out(game_id, right, wrong):
    """One line of it changed; the short run is enough."""
    source = (FOLDER / f"{game_id}.py").read_text("utf-8")
    assert source.count(right) == 1
    mutant = ModuleType("mutant")
    exec(source.replace(right, wrong), vars(mutant))
    with pytest.raises(AssertionError):
        play_many(game_id, SHORT, mutant.Reading)
