"""The moves of Hawaiki that are worth a thought, one after the other, and what each is worth by weights."""

from __future__ import annotations

from brelan.cards import lowest
from brelan.games.hawaiki.bags import KINDS
from brelan.games.hawaiki.moves import may_sacrifice
from brelan.games.hawaiki.state import (
    ACTING,
    AGAIN,
    CONTRE,
    DRAW,
    END,
    HIDE,
    HIDING,
    NAME,
    NAMING,
    RETRYING,
    SACRIFICE,
    SHOW,
    State,
)
from brelan.games.hawaiki.tops import PLACES, covered, fitting, made_at, next_place, tops_of
from brelan.games.hawaiki.turns import turn_worth
from brelan.games.hawaiki.weights import HIDE_FIT, RETRY, TOKEN
from brelan.games.hawaiki.worth import CARD, effect, gift


def next_choice(s: State, seat: int, move: int) -> int:
    """The move after this one, from -1 on; -1 behind the last. Not for windows and thanks, where nothing is chosen."""
    if s.phase == ACTING:
        return next_lay(s, seat, move) if move < DRAW else next_sacrifice(s, seat, move)
    if s.phase == NAMING:
        return next_name(s, move)
    if s.phase == RETRYING:
        return next_retry(s, seat, move)
    return next_hiding(s, seat, move)


def next_lay(s: State, seat: int, move: int) -> int:
    """Each card on each pile that takes it, every combination announced (H8); then the draw."""
    tops = tops_of(s)
    place = next_place(s.hand[seat][0], tops, 0 if move < 0 else place_of(move) + 1)
    return place % KINDS * 15 + place // KINDS * 5 + made_at(tops, place) if place < PLACES else DRAW


def place_of(move: int) -> int:
    """Where a lay puts its card, as `tops` counts places."""
    return move // 5 % 3 * KINDS + move // 15


def next_sacrifice(s: State, seat: int, move: int) -> int:
    """Each pile with a card under its top, but never for one's last token (H26)."""
    pile = 0 if move == DRAW else move - SACRIFICE + 1
    if not may_sacrifice(s, seat) or s.purse[seat] == 1:
        return -1
    while pile < 3 and s.height[pile] == 1:
        pile += 1
    return SACRIFICE + pile if pile < 3 else -1


def next_name(s: State, move: int) -> int:
    """Each opponent."""
    other = 0 if move < 0 else move - NAME + 1
    if other == s.actor:
        other += 1
    return NAME + other if other < s.players else -1


def next_retry(s: State, seat: int, move: int) -> int:
    """Another turn, but never for one's last token: the match would end without a win (H21); then the end."""
    if move < 0 and s.purse[seat] > 1:
        return AGAIN
    return END if move != END else -1


def next_hiding(s: State, seat: int, move: int) -> int:
    """Each card; then, where a hidden one was laid, none (H25)."""
    first = 0 if move < 0 else move - HIDE + 1
    rest = s.hand[seat][0] >> first if move != SHOW else 0
    if rest:
        return HIDE + first + lowest(rest)
    return -1 if s.phase == HIDING or move == SHOW else SHOW


def judged(s: State, seat: int, w: list[int], move: int, once: int, twice: int, part: int) -> int:
    """What a move is worth."""
    if DRAW < move < CONTRE:
        return gift(s, seat, w, move - NAME)
    if move >= HIDE:
        return w[HIDE_FIT] if move < SHOW and fitting(tops_of(s)) >> move - HIDE & 1 else 0
    held = s.hand[seat][0]
    double = s.hand[seat][1]
    if move < DRAW:
        held ^= 1 << move // 15 & ~double
        double &= ~(1 << move // 15)
    replay = move % 5 if move < DRAW else 1 if SACRIFICE <= move <= AGAIN else 0
    worth = turn_worth(s, seat, w, held, double, tops_left(s, move), replay, once, twice, part)
    return worth - price(s, seat, w, move)


def tops_left(s: State, move: int) -> int:
    """The tops behind a move."""
    if move < DRAW:
        return covered(tops_of(s), place_of(move))
    if SACRIFICE <= move < AGAIN:
        pile = move - SACRIFICE
        return covered(tops_of(s), pile * KINDS + s.pile[pile][s.height[pile] - 2])
    return tops_of(s)


def price(s: State, seat: int, w: list[int], move: int) -> int:
    """What a move costs at once, below nothing where others must draw."""
    if move < DRAW:
        return -effect(s, seat, w, move % 5)
    if move == DRAW:
        return CARD
    if move == AGAIN:
        return w[RETRY]
    return w[TOKEN] if move < AGAIN else 0
