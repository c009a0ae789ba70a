"""What follows a move of Hawaiki: drawing, thanks, the next turn, the end of a round."""

from __future__ import annotations

from brelan.games.hawaiki.bags import put
from brelan.games.hawaiki.memory import remember_draw
from brelan.games.hawaiki.moves import may_retry
from brelan.games.hawaiki.state import ACTING, ANSWERING, OVER, REBUILD, REHIDING, RETRYING, SHUFFLE, State, left_of

WAIT, DRAW_ON, THANK, SETTLE, GO_ON, PASS_ON, END_ROUND = 0, 1, 2, 3, 4, 5, 6
"""The steps that follow a move, each only ever followed by a later one."""


def follow(s: State, step: int) -> None:
    """Go on until somebody must act, or a shuffle is due."""
    if step == DRAW_ON:
        step = draw_on(s)
    if step == THANK:
        step = next_answer(s)
    if step == SETTLE:
        step = settle(s)
    if step == GO_ON:
        step = go_on(s)
    if step == PASS_ON:
        step = pass_on(s)
    if step == END_ROUND:
        end_round(s)


def draw_on(s: State) -> int:
    """Draw what is to be drawn; wait for a new stock where one can be made, else leave the rest (H16, O-H3, O-H6)."""
    while s.drawing and s.next < s.last:
        take(s, s.drawer)
        s.drawing -= 1
    if s.drawing and s.height[0] + s.height[1] + s.height[2] > 3:
        s.phase = REBUILD
        return WAIT
    s.drawing = 0
    return s.step


def take(s: State, seat: int) -> None:
    """The stock's top goes into a hand."""
    card = s.stock[s.next]
    remember_draw(s, seat, card, s.next)
    put(s.hand[seat], card)
    s.count[seat] += 1
    s.next += 1
    s.idle = s.passes = 0


def next_answer(s: State) -> int:
    """Who must draw is asked for thanks, clockwise from the actor; when all have, the action is done (H15, O-H2)."""
    seat = left_of(s, s.actor)
    while seat != s.actor and s.owing[seat] == 0:
        seat = left_of(s, seat)
    if seat == s.actor:
        return SETTLE
    s.turn = seat
    s.phase = ANSWERING
    return WAIT


def settle(s: State) -> int:
    """An action is done, with all that came of it (H18, H19, O-H10)."""
    s.turn = s.actor
    if s.out:
        s.ender = s.starter = s.actor
        return END_ROUND
    if s.bared:
        s.phase = REHIDING
        return WAIT
    return GO_ON


def go_on(s: State) -> int:
    """Another turn of the same seat, the question for one, or the next seat's turn (H6, O-H12)."""
    if not s.replay and not may_retry(s, s.actor):
        return PASS_ON
    s.phase = ACTING if s.replay else RETRYING
    s.replay = 0
    return WAIT


def pass_on(s: State) -> int:
    """The seat to the left, unless a full circle of turns has found no card (H17, O-H7)."""
    s.passes += s.idle
    s.idle = 0
    if s.passes == s.players:
        s.ender = -1
        return END_ROUND
    s.actor = s.turn = left_of(s, s.actor)
    s.phase = ACTING
    return WAIT


def end_round(s: State) -> None:
    """A token for each card left; who ended the round starts the next (H1, H17, H20, H21, O-H13, O-H14)."""
    s.out = s.bared = s.replay = 0
    s.finished += 1
    s.phase = SHUFFLE
    for seat in range(s.players):
        s.paid[seat] = min(s.purse[seat], s.count[seat])
        s.purse[seat] -= s.paid[seat]
        if s.purse[seat] == 0:
            s.phase = OVER
