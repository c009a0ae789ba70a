"""A driver of the tests' own: every state of a list imagined anew by each seat in turn."""

from brelan.fast.twins import UNBOUND

rules = UNBOUND


def imagine_all(states, random):
    for i in range(len(states)):
        rules.imagine(states[i], i % states[i].players, random)
