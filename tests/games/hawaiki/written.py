"""Written rounds: a match whose cards are known, played by the texts of the record format."""

from __future__ import annotations

from typing import Any

from brelan.games.hawaiki import GAME, notation
from brelan.games.hawaiki.bags import drop, empty, put
from brelan.games.hawaiki.memory import SUNK
from brelan.play.match import Match
from tests.games.written import without

DECK = notation.CARDS * 2


def deck(*hands: str, tops: str, stock: str = "") -> list[str]:
    """The shuffle that deals these hands from the seat that starts, these three tops, and begins the stock so.

    Hands may be shorter than six cards: the cards named nowhere fill them, and then the stock.
    """
    dealt = [hand.split() for hand in hands]
    named = [card for hand in dealt for card in hand] + tops.split() + stock.split()
    free = without(DECK, named)
    for hand in dealt:
        while len(hand) < 6:
            hand.append(free.pop())
    return [card for cards in zip(*dealt, strict=True) for card in cards] + tops.split() + stock.split() + free


def dealt(*hands: str, tops: str, stock: str = "", first: int = 0, **options: Any) -> Match:
    """A match just dealt from `deck`: seat `first` starts and has the first hand."""
    match = Match(GAME, len(hands), first, options=options)
    match.shuffle(deck(*hands, tops=tops, stock=stock))
    return match


def table(*hands: str, piles: str, stock: str = "", rest: str = "stock", **options: Any) -> Match:
    """A match in the middle of its first round, seat 0 to play; piles are parted by `|`, their tops last.

    The cards named nowhere lie at the end of the stock, or under the first pile, or in the last seat's hand.
    """
    match = Match(GAME, len(hands), options=options)
    match.shuffle(sorted(DECK))
    held = [hand.split() for hand in hands]
    lying = [pile.split() for pile in piles.split("|")]
    free = without(DECK, [c for row in (*held, *lying, stock.split()) for c in row])
    place = {"stock": stock.split() + free, "pile": stock.split(), "hand": stock.split()}[rest]
    if rest == "pile":
        lying[0] = free + lying[0]
    if rest == "hand":
        held[-1] += free
    set_up(match.state, held, lying, place)
    return match


def set_up(s: Any, held: list[list[str]], lying: list[list[str]], stock: list[str]) -> None:
    """Write the cards into a state, as if they had all just been dealt so."""
    empty(s.seen)
    empty(s.heap)
    for card in DECK:
        put(s.heap, notation.card_of(card))
    for pile, texts in enumerate(lying):
        s.height[pile] = len(texts)
        for place, text in enumerate(texts):
            s.pile[pile][place] = card = notation.card_of(text)
            put(s.seen, card)
            drop(s.heap, card)
    for seat, texts in enumerate(held):
        empty(s.hand[seat])
        empty(s.mine[seat])
        s.count[seat] = s.drawn[seat] = len(texts)
        for text in texts:
            put(s.hand[seat], notation.card_of(text))
            put(s.mine[seat], notation.card_of(text))
    s.next = SUNK - len(stock)
    s.stock[s.next : SUNK] = [notation.card_of(text) for text in stock]


def say(match: Match, *moves: str) -> Match:
    """Each move is made by the seat that is asked first."""
    for move in moves:
        match.move(match.state.turn, move)
    return match


def legal(match: Match, seat: int | None = None) -> set[str]:
    """The legal moves of the seat that is asked first, or of another one."""
    return set(match.legal(match.state.turn if seat is None else seat))


def why(match: Match, move: str, seat: int | None = None) -> str:
    """The rule that refuses a move to that seat."""
    seat = match.state.turn if seat is None else seat
    assert move not in match.legal(seat)
    return GAME.view.why_not(match.state, seat, notation.move_of(move))


def cards(match: Match, zone: str, seat: int | None = None) -> str:
    """The cards of a zone, as they are or as a seat may know them."""
    state = match.state if seat is None else GAME.view.redact(match.state, seat)
    return " ".join(map(notation.card_text, GAME.view.zones(state)[zone]))


def counts(match: Match) -> list[int]:
    """How many cards each seat holds."""
    return match.state.count[: match.players]
