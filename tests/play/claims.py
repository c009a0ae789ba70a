"""Scripts in which something may be said aloud: a table of Hawaiki, and a combination laid in silence."""

from brelan.games.hawaiki.state import WINDOW
from brelan.play.messages import Move
from tests.play.scripts import begun, play_on

COMBINATIONS = ("pair", "run", "colour", "three")
NOON = 1000.0  # when a window opens in these scripts


def claiming(persons=3, players=3, trips=None, manner="claim", **choices):
    """A table of Hawaiki whose people sit at those distances: anna, ben and cleo, then bots."""
    far = {"anna": 0.0, "ben": 0.0, "cleo": 0.0} | (trips or {})
    return begun("hawaiki", players, persons, options={"tokens": 60}, manner=manner, trip=far.get, **choices)


def to_a_chance(table, kinds=COMBINATIONS, persons_only=True):
    """Play until a seat may lay one of these combinations: the seat and the announced move."""

    def chances(table):
        if table.pause:
            return []
        seat = table.match.asked()[0]
        if persons_only and table.seats[seat].level:
            return []
        return [(seat, text) for text in table.match.legal(seat) if text.split()[-1] in kinds]

    play_on(table, until=chances)
    return chances(table)[0]


def say(table, seat, text, at, seen=None, key=None):
    seen = table.number if seen is None else seen
    return table.receive(table.seats[seat].person, Move(key or f"{table.number} {seat} {text} {at}", seen, text), at)


def window(table, kinds=COMBINATIONS):
    """A combination is laid in silence at noon; the seat that did."""
    seat, announced = to_a_chance(table, kinds)
    say(table, seat, announced.rpartition(" ")[0], NOON)
    assert table.match.state.phase == WINDOW
    return seat


def others(table, actor):
    """The other seats, clockwise from the left neighbour."""
    return [(actor + step) % len(table.seats) for step in range(1, len(table.seats))]


def spoken(table, since):
    return [(e.data["seat"], e.data["move"]) for e in table.events[since:] if e.kind == "move"]
