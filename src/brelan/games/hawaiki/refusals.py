"""Why a move of Hawaiki may not be played: the id of the rule that forbids it."""

from __future__ import annotations

from brelan.game import legal_moves
from brelan.games.hawaiki import rules
from brelan.games.hawaiki.moves import asked
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
    WINDOW,
    State,
)


def why_not(s: State, seat: int, move: int) -> str:
    """The id of the rule that forbids a move which is not legal for `seat`."""
    if s.phase in (SHUFFLE, REBUILD):
        return "O-A5"
    if s.phase == OVER:
        return "H21"
    if not asked(s) >> seat & 1:
        return "O-H4" if s.phase == WINDOW else "O-H8" if s.phase == HIDING else "H28"
    reasons = {
        HIDING: why_not_hide,
        ACTING: why_not_act,
        WINDOW: why_not_speak,
        NAMING: why_not_name,
        ANSWERING: why_not_answer,
        RETRYING: why_not_end,
        REHIDING: why_not_hide,
    }
    return reasons[s.phase](s, move)


def why_not_hide(s: State, move: int) -> str:
    """When a card is to be hidden."""
    if HIDE <= move < SHOW:
        return "H25"
    return "O-H8" if s.phase == HIDING else "O-H10"


def why_not_act(s: State, move: int) -> str:
    """When a card is to be laid or drawn. Any move but a lay belongs to another moment, which its rule names."""
    if move < DRAW:
        plain = move - move % 5
        return "H10" if plain != move and plain in legal_moves(rules, s, s.turn) else "H23"
    if move < CONTRE:
        return "O-H1"
    if move in (CONTRE, LET, ANNOUNCE):
        return "O-H4"
    if THANKS <= move <= SILENT:
        return "O-H2"
    if SACRIFICE <= move < AGAIN:
        return "H26"
    return "H27" if move in (AGAIN, END) else "O-H10"


def why_not_speak(s: State, move: int) -> str:
    """In the window: the others object, the player may still announce."""
    return "H9" if move in (ANNOUNCE, CONTRE) else "O-H4"


def why_not_name(s: State, move: int) -> str:
    """When somebody must be named to draw."""
    return "H13" if move == NAME + s.actor else "O-H1"


def why_not_answer(s: State, move: int) -> str:
    """When thanks are due."""
    return "O-H2"


def why_not_end(s: State, move: int) -> str:
    """When another turn may be bought."""
    if SACRIFICE <= move < AGAIN:
        return "O-H11" if s.sacrifice else "H26"
    return "O-H12"
