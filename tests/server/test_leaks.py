"""A whole match of gin on the wire: no frame names a card that its reader has no right to know."""

import json

from tests.server.clients import over, play
from tests.server.faces import DECK, named


class Memory:
    """What a seat of gin, or a spectator (None), has a right to know: reckoned from the events, without our rules."""

    def __init__(self, seat):
        self.seat, self.known, self.dealer = seat, set(), None

    def hear(self, kind, data):
        """Go on by one event."""
        if kind == "header":
            self.dealer = 1 - data["first"]
        elif kind == "shuffle":
            self.deal(data["shuffle"])
        elif kind == "move":
            self.move(data["seat"], *data["move"].split())
        elif kind == "over":
            self.known = DECK

    def deal(self, cards):
        self.hands = [set(cards[self.dealer == 0 : 20 : 2]), set(cards[self.dealer == 1 : 20 : 2])]
        self.discards, self.stock = [cards[20]], cards[21:]
        self.known = {cards[20]} | (self.hands[self.seat] if self.seat is not None else set())
        self.dealer = 1 - self.dealer

    def move(self, seat, verb, card=None):
        if verb == "draw":
            drawn = self.stock.pop(0)
            self.hands[seat].add(drawn)
            self.known |= {drawn} if seat == self.seat else set()
        elif verb == "take":
            self.hands[seat].add(self.discards.pop())
        elif card:
            self.hands[seat].remove(card)
            self.discards.append(card)
            self.known |= {card} if verb == "discard" or seat == self.seat else set()
        if verb in ("knock", "gin"):
            self.known |= self.hands[0] | self.hands[1]


def known_after(events, seat):
    """What the seat knows after each event; place 0 is before the first."""
    memory, known = Memory(seat), [set()]
    for event in events:
        memory.hear(event.kind, json.loads(json.dumps(event.data)))
        known.append(set(memory.known))
    return known


def test_hidden_cards_are_never_in_the_bytes(running, guests):
    anna, ben = guests(), guests()
    ben.make()
    code = anna.make(**{"option.target": "200"})
    lines = {0: anna.line(code), None: ben.line(code)}
    play(lines[0])
    lines[None].viewed(over)
    events = running.house.store.events(code)
    for seat, line in lines.items():
        known, before = known_after(events, seat), 0
        frames = [json.loads(frame) for frame in line.frames]
        for frame in frames:
            if frame["type"] != "view":
                assert not named(frame) - known[before]
                continue
            frame["table"].pop("link")  # a signature may read like anything
            number, news = frame["number"], frame.pop("news")
            assert named(frame) <= known[number], number
            assert named(news) <= set().union(*known[before : number + 1]), number
            before = number
        assert len(frames) > 20
        assert max(map(len, (named(frame) for frame in frames))) > 20


def test_the_reckoning_finds_a_leak():
    """The check can fail: a view with one card too many is caught."""
    cards = sorted(DECK)
    memory = Memory(0)
    memory.hear("header", {"first": 0})
    memory.hear("shuffle", {"shuffle": cards})
    assert named({"face": cards[0], "alt": "whatever"}) <= memory.known
    assert not named({"face": cards[1]}) <= memory.known
    assert not named({"words": "10 of clubs"}) <= memory.known
