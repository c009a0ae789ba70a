"""Written deals: matches of Elements whose shuffles are known, played by the texts of the record format."""

from __future__ import annotations

from typing import Any

from brelan.games.elements import GAME, notation
from brelan.play.match import Match
from brelan.scene import members

ROW = "RYGBP"


def deck(hands: tuple[str, ...], stock: str = "") -> list[str]:
    """The shuffle that deals these hands from the first player on, with `stock` on top of the stock.

    Hands may be shorter than eleven cards: the cards named nowhere fill them, from P10 down.
    """
    named = " ".join([*hands, stock]).split()
    assert len(named) == len(set(named)), "a card is written twice"
    free = [card for card in reversed(notation.NUMBERED) if card not in named]
    whole = [hand.split() for hand in hands]
    for hand in whole:
        hand += [free.pop(0) for _ in range(11 - len(hand))]
    return [card for turn in zip(*whole, strict=True) for card in turn] + stock.split() + free


def table(*hands: str, row: str = ROW, stock: str = "", first: int = 0, preset: str = "sheet") -> Match:
    """A match just dealt; `hands` are those of the first player and of the seats clockwise from it."""
    match = Match(GAME, len(hands), first, preset)
    match.shuffle(list(row))
    match.shuffle(deck(hands, stock))
    return match


def say(match: Match, *moves: str) -> Match:
    """Each move is made by the seat that is asked first; `lay G7` may be written `G7`."""
    for text in moves:
        match.move(match.asked()[0], text if text[0].islower() else f"lay {text}")
    return match


def auction(*hands: str, points: str, row: str = ROW) -> Match:
    """A match in its first auction: the seats have placed these point cards, the first one nearest the box."""
    placed = points.split()
    match = table(*[f"{card} {hand}" for card, hand in zip(placed, hands, strict=True)], row=row)
    return say(match, *[f"place {card} {at}" for at, card in enumerate(placed, 1)])


def passed(match: Match) -> Match:
    """Everybody passes until the round is over."""
    rounds = match.state.finished
    while match.state.finished == rounds:
        say(match, "pass")
    return match


def lay_any(match: Match) -> Match:
    """The seat that is asked lays the first card, or the first two, that it may."""
    return say(match, match.legal(match.asked()[0])[1])


def spent(match: Match, auctions: int) -> Match:
    """In so many auctions everybody lays what can be laid."""
    for _ in range(auctions):
        place = match.state.auction
        while match.state.auction == place:
            lay_any(match)
    return match


def all_ready(match: Match) -> Match:
    """Nobody gives anything back."""
    while match.asked():
        say(match, "ready")
    return match


def zone(match: Match, name: str) -> str:
    """The cards of a zone."""
    return " ".join(notation.card_text(card) for card in GAME.view.zones(match.state)[name])


def mask(cards: str) -> int:
    """A set of cards from their texts."""
    return sum(1 << notation.card_of(card) for card in cards.split())


def texts(cards: int) -> list[str]:
    """The texts of a set of cards."""
    return [notation.card_text(card) for card in members(cards)]


def why(match: Match, seat: int, text: str) -> str:
    """The rule that forbids a move."""
    return GAME.view.why_not(match.state, seat, notation.move_of(text))


def with_row(row: str = ROW) -> Any:
    """A state in which only the order of the elements is set."""
    match = Match(GAME, 3)
    match.shuffle(list(row))
    return match.state
