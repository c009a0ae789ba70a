"""Work on all cores: threads, each in compiled code that has let go of Python.

Threads, and not numba's own parallel loops: those leave a process that cannot be forked (GNU's OpenMP) or that two
threads may not call at once (workqueue), and they compile for seconds longer at the same speed. The work is cut into
blocks which write to rows of their own, so the results are the same whatever the number of cores.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed

from brelan.cores import all_cores
from brelan.errors import at_least, integer

BLOCKS = 16
"""Blocks for each core, so that none waits long for the last one."""


def cores_of(asked: int | None) -> int:
    """How many cores to work on: so many, or all where None."""
    cores = all_cores() if asked is None else integer("cores", asked)
    at_least(1, cores=cores)
    return cores


def in_blocks(work: Callable[[int, int], None], count: int, cores: int | None, most: int | None = None) -> None:
    """Call work(first, last) for blocks that cover range(count), each of `most` at most; it must be safe to call from
    several threads.
    """
    cores = cores_of(cores)
    size = max(1, min(-(-count // (cores * BLOCKS)), most or count))
    with ThreadPoolExecutor(cores) as pool:
        blocks = [pool.submit(work, i, min(i + size, count)) for i in range(0, count, size)]
        try:
            for block in as_completed(blocks):
                block.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
