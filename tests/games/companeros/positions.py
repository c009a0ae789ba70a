"""Compañeros positions, written in the notation of records."""

from __future__ import annotations

from brelan.game import legal_moves
from brelan.games.companeros import GAME
from brelan.games.companeros.notation import CARDS, card_of, card_text, move_of, move_text
from brelan.games.companeros.rules import SHUFFLE, State, deal, due, play
from brelan.scene import members


def a_set(texts: str) -> int:
    """The set of cards that a text names: `R1 B7`."""
    return sum(1 << card_of(text) for text in texts.split())


def texts(cards: int) -> list[str]:
    """The cards of a set as texts, in the order of the colours."""
    return [card_text(card) for card in members(cards)]


def dealt(pot: str, cards: str, first: int = 0, **options: object) -> State:
    """A match of as many players as `pot` has cards, dealt so that `cards` come first, in the order of dealing."""
    s: State = GAME.new(len(pot.split()), first, given=options)  # type: ignore[assignment]
    return deal_round(s, pot, cards)


def deal_round(s: State, pot: str, cards: str) -> State:
    """Deal the round that is due: `pot`, then `cards`, then the others as they come."""
    out = [0] * 60
    named = [card_of(text) for text in (pot + " " + cards).split()]
    rest = [card for card in out[: due(s, out)] if card not in named] if s.phase == SHUFFLE else []
    deal(s, named + rest)
    return s


def moves(s: State, seat: int) -> list[str]:
    """The texts of a seat's legal moves."""
    return [move_text(move) for move in legal_moves(GAME.rules, s, seat)]


def line(s: State, *texts: str) -> State:
    """Play moves one after the other, each by the seat whose turn it is; a card stands for playing it."""
    for text in texts:
        text = f"play {text}" if text in CARDS else text
        assert text in moves(s, s.turn), (text, moves(s, s.turn))
        play(s, s.turn, move_of(text))
    return s


def played_out(s: State) -> State:
    """The round, to its end: always the first legal move."""
    rounds = s.finished
    while s.finished == rounds:
        line(s, moves(s, s.turn)[0])
    return s
