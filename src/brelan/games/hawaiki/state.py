"""Hawaiki's state, and the numbers of its moves.

A card is 7 * colour + value - 1, colours P G O Y B, its two copies alike. A move is a number:

    card * 15 + pile * 5 + a    lay a card on pile 0, 1 or 2, announcing combination a (0: nothing)
    NAME + seat, HIDE + card, SACRIFICE + pile, and the single moves below
"""

from __future__ import annotations

from brelan.schema import Plain, cards, ints

DRAW, NAME, CONTRE, LET, ANNOUNCE = 525, 526, 532, 533, 534
THANKS, THANKS_MUCH, SILENT, SACRIFICE, AGAIN, END, HIDE, SHOW, ACTIONS = 535, 536, 537, 538, 541, 542, 543, 578, 579
DECK = 70
HAND = 6

SHUFFLE, REBUILD, HIDING, ACTING, WINDOW, NAMING, ANSWERING, REHIDING, RETRYING, OVER = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Phases: the round's shuffle is due, or the rebuilt stock's; every seat hides a card; the turn's action; a combination
was not announced; somebody is named to draw; thanks; another card may be hidden; `again` or `end`."""


class State(Plain):
    players: int
    first: int
    turn: int  # the seat asked first
    phase: int
    finished: int  # rounds ended
    tokens: int
    one_hidden: int
    sacrifice: int
    second_chance: int
    starter: int  # who starts the round, or will start the next
    actor: int  # whose turn it is
    ender: int  # who ended the last round, -1 in a deadlock
    made: int  # the combination that the last card made
    out: int  # 1 once the actor has laid the last card: the round ends with this action (H18, H19)
    bared: int  # 1 while the actor, who laid the hidden card, has not been asked for another one
    replay: int  # 1 if a combination gave the actor another turn
    naming: int  # names still to be said
    voices: int  # the seats that may still speak in the window, or hide their first card
    drawer: int
    drawing: int  # cards the drawer has yet to draw
    step: int  # what follows the drawing
    idle: int  # 1 if the turn's last action was a draw that found no card
    passes: int  # turns in a row that ended so (H17)
    sacrificed: int  # the seats that used each variant in this round
    retried: int
    next: int  # stock[next:last] is the stock, top first
    last: int
    height: list[int] = ints(3)  # cards on each pile
    purse: list[int] = ints(6)  # tokens
    paid: list[int] = ints(6)  # tokens paid at the end of the last round
    count: list[int] = ints(6)  # cards in each hand
    owing: list[int] = ints(6)  # cards a seat must draw with thanks
    hidden: list[int] = ints(6)  # the hidden card, or NONE
    drawn: list[int] = ints(6)  # unseen cards each drew since the last shuffle
    hand: list[list[int]] = ints(6, 2)  # bags
    known: list[list[int]] = ints(6, 2)  # what everybody knows of each hand
    mine: list[list[int]] = ints(6, 2)  # what each drew unseen since the last shuffle, and alone remembers
    laid: list[list[int]] = ints(6, 2)  # what each laid since, that could be of those
    heap: list[int] = ints(2)  # what was shuffled last, less what everybody saw being drawn of it
    seen: list[int] = ints(2)  # on the piles, known in hands, or sacrificed
    stock: list[int] = cards(76)  # shuffled cards end at SUNK; up to six sacrificed ones follow
    pile: list[list[int]] = cards(3, 70)  # from the bottom


def top_of(s: State, pile: int) -> int:
    """The card on top of a pile; no pile is ever empty."""
    return s.pile[pile][s.height[pile] - 1]


def left_of(s: State, seat: int) -> int:
    """The seat to the left (H28)."""
    return seat + 1 if seat + 1 < s.players else 0
