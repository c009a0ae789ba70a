"""Written hands: a match whose cards are known, played by the texts of the record format."""

from __future__ import annotations

from typing import Any

from brelan.games.mio import GAME, discards, notation, rules
from brelan.play.match import Match
from tests.games.written import without


def full_deck(counts: list[int]) -> list[str]:
    """The deck of the option `deck`, as texts."""
    return [c + k for c in "RYBGS" for k, n in zip("12345*", counts, strict=True) for _ in range(n)] + ["J"] * 5


def deck(*hands: str, up: str, stock: str = "") -> list[str]:
    """The shuffle that deals these hands from the seat that starts, turns `up` and begins the stock so.

    Hands may be shorter than five cards: the cards named nowhere fill them, and then the stock.
    """
    dealt = [hand.split() for hand in hands]
    named = [card for hand in dealt for card in hand] + [up, *stock.split()]
    free = without(full_deck([1, 2, 2, 2, 2, 1]), named)
    for hand in dealt:
        while len(hand) < 5:
            hand.append(free.pop())
    return [card for cards in zip(*dealt, strict=True) for card in cards] + [up, *stock.split(), *free]


def dealt(*hands: str, up: str, stock: str = "", first: int = 0) -> Match:
    """A match just dealt from `deck`: seat `first` starts and has the first hand."""
    match = Match(GAME, len(hands), first)
    match.shuffle(deck(*hands, up=up, stock=stock))
    return match


def table(*hands: str, top: str, stock: str = "", **options: Any) -> Match:
    """A match in the middle of a round, seat 0 to play: `top` (`R3`, `J B`) lies on all the cards named nowhere."""
    match = Match(GAME, len(hands), options=options)
    match.shuffle(match.due())
    s, pile = match.state, stock.split()
    for seat, hand in enumerate(hands):
        rules.empty(s, seat)
        for card in hand.split():
            rules.add(s, seat, notation.card_of(card))
    named = [card for hand in hands for card in hand.split()] + [top.split()[0], *pile]
    under = without(full_deck(match.options["deck"]), named)
    discards.clear(s)
    for lying in [notation.card_of(card) for card in under] + [notation.move_of(f"play {top}")]:
        discards.lie(s, lying)
    s.next = 55 - len(pile)
    s.stock[s.next :] = [notation.card_of(card) for card in pile]
    return match


def say(match: Match, *moves: str) -> Match:
    """Each move is made by the seat that is asked, in its canonical spelling."""
    for move in moves:
        assert match.move(match.asked()[0], move) == move
    return match


def legal(match: Match) -> set[str]:
    """The legal moves of the seat that is asked."""
    return set(match.legal(match.asked()[0]))


def why(match: Match, move: str) -> str:
    """The rule that refuses a move to the seat that is asked."""
    return GAME.view.why_not(match.state, match.asked()[0], notation.move_of(move))


def cards(match: Match, zone: str) -> str:
    """The cards of a zone."""
    return " ".join(map(notation.card_text, GAME.view.zones(match.state)[zone]))


def jokers(mio: bool = False) -> set[str]:
    """A joker with each colour; with and without MIO where it is due."""
    plain = {f"play J {colour}" for colour in "RYBGS"}
    return plain | {f"{move} mio" for move in plain} if mio else plain
