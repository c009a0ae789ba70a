"""Hawaiki's state, and the numbers of its moves.

A card is 7 * colour + value - 1, colours P G O Y B, its two copies alike. A move is a number:

    card * 15 + pile * 5 + a    lay a card on pile 0, 1 or 2, announcing combination a (0: nothing)
    NAME + seat, HIDE + card, SACRIFICE + pile, and the single moves below
"""

from __future__ import annotations

from brelan.schema import Plain, cards, ints, one_seat, within

DRAW, NAME, CONTRE, LET, ANNOUNCE = 525, 526, 532, 533, 534
THANKS, THANKS_MUCH, SILENT, SACRIFICE, AGAIN, END, HIDE, SHOW, ACTIONS = 535, 536, 537, 538, 541, 542, 543, 578, 579
DECK = 70
HAND = 6
BAG = (1 << 35) - 1  # the most that one of the two sets of a bag can be

SHUFFLE, REBUILD, HIDING, ACTING, WINDOW, NAMING, ANSWERING, REHIDING, RETRYING, OVER = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Phases: the round's shuffle is due, or the rebuilt stock's; every seat hides a card; the turn's action; a combination
was not announced; somebody is named to draw; thanks; another card may be hidden; `again` or `end`."""


class State(Plain):
    players: int
    first: int = one_seat()
    turn: int = one_seat()  # the seat asked first
    phase: int = within(0, OVER)
    finished: int  # rounds ended
    tokens: int
    one_hidden: int = within(0, 1)
    sacrifice: int = within(0, 1)
    second_chance: int = within(0, 1)
    starter: int = one_seat()  # who starts the round, or will start the next
    actor: int = one_seat()  # whose turn it is
    ender: int = one_seat(-1)  # who ended the last round, -1 in a deadlock
    made: int = within(0, 4)  # the combination that the last card made
    out: int = within(0, 1)  # 1 once the actor has laid the last card: the round ends with this action (H18, H19)
    bared: int = within(0, 1)  # 1 while the actor, who laid the hidden card, has not been asked for another one
    replay: int = within(0, 1)  # 1 if a combination gave the actor another turn
    naming: int = within(0, 2)  # names still to be said
    voices: int = within(0, 63)  # the seats that may still speak in the window, or hide their first card
    drawer: int = one_seat()
    drawing: int = within(0, 3)  # cards the drawer has yet to draw
    step: int = within(0, 6)  # what follows the drawing
    idle: int = within(0, 1)  # 1 if the turn's last action was a draw that found no card
    passes: int = within(0, 6)  # turns in a row that ended so (H17)
    sacrificed: int = within(0, 63)  # the seats that used each variant in this round
    retried: int = within(0, 63)
    next: int = within(0, 76)  # stock[next:last] is the stock, top first
    last: int = within(0, 76)
    height: list[int] = ints(3, most=DECK)  # cards on each pile
    purse: list[int] = ints(6)  # tokens
    paid: list[int] = ints(6)  # tokens paid at the end of the last round
    count: list[int] = ints(6, most=DECK)  # cards in each hand
    owing: list[int] = ints(6, most=2)  # cards a seat must draw with thanks
    hidden: list[int] = ints(6, least=-2, most=34)  # the hidden card, or NONE
    drawn: list[int] = ints(6, most=DECK)  # unseen cards each drew since the last shuffle
    hand: list[list[int]] = ints(6, 2, most=BAG)  # bags
    known: list[list[int]] = ints(6, 2, most=BAG)  # what everybody knows of each hand
    mine: list[list[int]] = ints(6, 2, most=BAG)  # what each drew unseen since the last shuffle, and alone remembers
    laid: list[list[int]] = ints(6, 2, most=BAG)  # what each laid since, that could be of those
    heap: list[int] = ints(2, most=BAG)  # what was shuffled last, less what everybody saw being drawn of it
    seen: list[int] = ints(2, most=BAG)  # on the piles, known in hands, or sacrificed
    stock: list[int] = cards(76, most=34)  # shuffled cards end at SUNK; up to six sacrificed ones follow
    pile: list[list[int]] = cards(3, 70, least=0, most=34)  # from the bottom


def top_of(s: State, pile: int) -> int:
    """The card on top of a pile; no pile is ever empty."""
    return s.pile[pile][s.height[pile] - 1]


def left_of(s: State, seat: int) -> int:
    """The seat to the left (H28)."""
    return seat + 1 if seat + 1 < s.players else 0
