"""Drivers of the tests' own: every state of a list imagined anew by each seat in turn; a number out of a list."""

from brelan.fast.twins import UNBOUND

rules = UNBOUND


def imagine_all(states, random):
    for i in range(len(states)):
        rules.imagine(states[i], i % states[i].players, random)


def number_at(numbers, place):
    return numbers[place]
