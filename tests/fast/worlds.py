"""Drivers of the tests' own: a match ply by ply; every state of a list imagined anew by each seat in turn; a number
out of a list.
"""

from brelan.fast.playouts import begin, chosen, next_seat
from brelan.fast.twins import UNBOUND, copy_row

rules = UNBOUND

SEAT, MOVE = 0, 1  # the columns of a log of plies


def trace(states, run, match, plies, log, who, moves, cards, random):
    """Play one match of a run until it ends or the log is full; how many plies those are.

    plies[i] is the state before ply i, the one after the last ply follows.
    """
    begin(states, run, match, random)
    s = states[0]
    n = 0
    seat = next_seat(s, cards, random)
    while seat >= 0 and n < len(log):
        copy_row(plies, n, states, 0)
        log[n][SEAT] = seat
        log[n][MOVE] = chosen(s, seat, who[seat], moves, random)
        rules.play(s, seat, log[n][MOVE])
        n += 1
        seat = next_seat(s, cards, random)
    copy_row(plies, n, states, 0)
    return n


def legal_at(states, i, seat, moves):
    return rules.legal(states[i], seat, moves)


def imagine_all(states, random):
    for i in range(len(states)):
        rules.imagine(states[i], i % states[i].players, random)


def number_at(numbers, place):
    return numbers[place]
