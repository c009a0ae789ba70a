"""What may be done now in Hawaiki: who is asked, and the legal moves (H7-H14, H23, H26, H27)."""

from __future__ import annotations

from brelan.cards import lowest
from brelan.games.hawaiki.combinations import FITS, combination
from brelan.games.hawaiki.state import (
    ACTING,
    AGAIN,
    ANNOUNCE,
    ANSWERING,
    CONTRE,
    DRAW,
    END,
    HIDE,
    HIDING,
    LET,
    NAME,
    NAMING,
    OVER,
    REBUILD,
    REHIDING,
    RETRYING,
    SACRIFICE,
    SHOW,
    SHUFFLE,
    SILENT,
    THANKS,
    THANKS_MUCH,
    WINDOW,
    State,
    top_of,
)


def asked(s: State) -> int:
    """The seats that may act; several while a window is open or first cards are hidden (O-A4)."""
    if s.phase == WINDOW or s.phase == HIDING:
        return s.voices
    return 0 if s.phase == SHUFFLE or s.phase == REBUILD or s.phase == OVER else 1 << s.turn


def legal(s: State, seat: int, out: list[int]) -> int:
    """What `seat` may do now, written to out; how many there are."""
    if not asked(s) >> seat & 1:
        return 0
    if s.phase == ACTING:
        return legal_actions(s, seat, out)
    if s.phase == WINDOW:
        out[0] = ANNOUNCE if seat == s.actor else CONTRE
        out[1] = LET
        return 2
    if s.phase == NAMING:
        return legal_names(s, out)
    if s.phase == ANSWERING:
        out[0] = THANKS
        out[1] = THANKS_MUCH
        out[2] = SILENT
        return 3
    if s.phase == RETRYING:
        out[0] = AGAIN
        out[1] = END
        return 2
    return legal_hidings(s, seat, out)


def legal_actions(s: State, seat: int, out: list[int]) -> int:
    """Draw; lay a card that fits, its combination announced or not; sacrifice a top (H7, H8, H10, H23, H26)."""
    out[0] = DRAW
    n = 1
    for pile in range(3):
        top = top_of(s, pile)
        left = top_of(s, (pile + 1) % 3)
        right = top_of(s, (pile + 2) % 3)
        fits = s.hand[seat][0] & FITS[top]
        while fits:
            card = lowest(fits)
            fits &= fits - 1
            out[n] = card * 15 + pile * 5
            n += 1
            made = combination(card, top, left, right)
            if made:
                out[n] = out[n - 1] + made
                n += 1
    if may_sacrifice(s, seat):
        for pile in range(3):
            if s.height[pile] > 1:
                out[n] = SACRIFICE + pile
                n += 1
    return n


def legal_names(s: State, out: list[int]) -> int:
    """Any opponent; the same one twice, too (H13, O-H1)."""
    n = 0
    for seat in range(s.players):
        if seat != s.actor:
            out[n] = NAME + seat
            n += 1
    return n


def legal_hidings(s: State, seat: int, out: list[int]) -> int:
    """Any card of the hand; `show` only when another card may be hidden, not must (O-H8, O-H10)."""
    rest = s.hand[seat][0]
    n = 0
    while rest:
        out[n] = HIDE + lowest(rest)
        rest &= rest - 1
        n += 1
    if s.phase == REHIDING:
        out[n] = SHOW
        n += 1
    return n


def may_sacrifice(s: State, seat: int) -> bool:
    """Once a round, with a token to pay, not with a single card (H26)."""
    return s.sacrifice == 1 and not s.sacrificed >> seat & 1 and s.purse[seat] > 0 and s.count[seat] > 1


def may_retry(s: State, seat: int) -> bool:
    """Once a round, with a token to pay, not to play a last card (H27, O-H12)."""
    return s.second_chance == 1 and not s.retried >> seat & 1 and s.purse[seat] > 0 and s.count[seat] > 1
