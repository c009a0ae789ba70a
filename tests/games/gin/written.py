"""Written hands: a match whose shuffle is known, played by the texts of the record format; and hands by chance."""

from __future__ import annotations

import random
from typing import Any

from brelan.games.gin import GAME, notation
from brelan.play.match import Match
from brelan.scene import members

from .oracle import LINE

DECK = notation.CARDS
RULES = [(high, ace) for high in (True, False) for ace in (1, 11)]


def deck(mine: str, theirs: str, up: str, stock: str = "") -> list[str]:
    """The shuffle that deals `mine` to the non-dealer, `theirs` to the dealer, turns `up` and begins the stock so.

    Hands may be shorter than ten cards: the cards named nowhere fill them, and then the stock, from the king of clubs
    down.
    """
    named = f"{mine} {theirs} {up} {stock}".split()
    assert len(named) == len(set(named) & set(DECK)), "a card is written twice, or is none"
    free = [card for card in reversed(DECK) if card not in named]
    hands = [cards.split() for cards in (mine, theirs)]
    for hand in hands:
        while len(hand) < 10:
            hand.append(free.pop(0))
    return [card for pair in zip(*hands, strict=True) for card in pair] + [up, *stock.split(), *free]


def table(mine: str, theirs: str, up: str, stock: str = "", preset: str = "sheet", **options: Any) -> Match:
    """A match just dealt from `deck`: seat 0 is the non-dealer and plays first."""
    match = Match(GAME, 2, preset=preset, options=options)
    match.shuffle(deck(mine, theirs, up, stock))
    return match


def say(match: Match, *moves: str) -> Match:
    """Each move is made by the seat that is asked."""
    for move in moves:
        match.move(match.asked()[0], move)
    return match


def legal(match: Match) -> list[str]:
    """The legal moves of the seat that is asked."""
    return match.legal(match.asked()[0])


def idle(match: Match, turns: int) -> Match:
    """So many turns of drawing a card from the stock and throwing the same."""
    for _ in range(turns):
        drawn = notation.card_text(match.state.stock[match.state.next])
        say(match, "draw", f"discard {drawn}")
    return match


def mask(cards: str) -> int:
    """A set of cards from their texts."""
    return sum(1 << notation.card_of(card) for card in cards.split())


def texts(cards: int) -> list[str]:
    """The texts of a set of cards."""
    return [notation.card_text(card) for card in members(cards)]


def state(**options: int) -> Any:
    """A state with nothing in it but the sheet's options, or these."""
    return GAME.new(2, given=options)


def pools(chance: random.Random) -> list[str]:
    """Cards rich in melds: six neighbouring ranks, the ace perhaps amid them; or two suits; or the whole deck."""
    kind = chance.randrange(5)
    if kind < 2:
        first = chance.randrange(13)
        ranks = (LINE[:13] * 2)[first : first + 6]
        return [card for card in DECK if card[0] in ranks]
    if kind < 4:
        suits = chance.sample("shdc", 2)
        return [card for card in DECK if card[1] in suits]
    return DECK


def hands(seed: int, many: int) -> list[list[str]]:
    chance = random.Random(seed)
    return [chance.sample(pools(chance), 21) for _ in range(many)]
