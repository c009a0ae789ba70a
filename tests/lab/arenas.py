"""A small arena, played for the tests of what it finds and of what is reported of it."""

from brelan.lab.arena import BLOCK, Plan, Table, run

PLAN = Plan("companeros", ("random", "novice"), 3, deals=3 * BLOCK)


def played(plan=PLAN, engine="here", file=None):
    table = Table(plan)
    for block, came in run(plan, engine, file):
        table.came[block] = came
    return table
