"""Where the lab's work is done: in this thread, on all cores, or on a cluster by Ray. The results are the same."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, TypeVar

from brelan.cores import all_cores
from brelan.errors import Refusal

ENGINES = ("here", "cores", "ray")

Work = TypeVar("Work")
Came = TypeVar("Came")


def done(
    engine: str, play: Callable[[Any, Work], Came], plan: Any, works: Sequence[Work]
) -> Iterator[tuple[Work, Came]]:
    """Each piece of work with what `play(plan, work)` came to, in the order in which they are finished."""
    if engine == "here" or not works:
        return ((work, play(plan, work)) for work in works)
    return _by_ray(play, plan, works) if engine == "ray" else _on_cores(play, plan, works)


def _on_cores(play: Callable[[Any, Work], Came], plan: Any, works: Sequence[Work]) -> Iterator[tuple[Work, Came]]:
    """Threads: compiled code lets go of Python. The first piece is played alone, since it compiles."""
    yield works[0], play(plan, works[0])
    with ThreadPoolExecutor(all_cores()) as pool:
        waiting = {pool.submit(play, plan, work): work for work in works[1:]}
        try:
            for came in as_completed(waiting):
                yield waiting[came], came.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _by_ray(play: Callable[[Any, Work], Came], plan: Any, works: Sequence[Work]) -> Iterator[tuple[Work, Came]]:
    """On the cluster that $RAY_ADDRESS names, or on one that is started here for as long as it is needed."""
    try:
        import ray
    except ImportError:
        raise Refusal("ray_missing") from None
    ours = not ray.is_initialized()
    if ours:
        ray.init(address=os.environ.get("RAY_ADDRESS"), include_dashboard=False, log_to_driver=False)
    try:
        far = ray.remote(play)
        plan = ray.put(plan)
        waiting = {far.remote(plan, work): work for work in works}
        while waiting:
            (came,), _ = ray.wait(list(waiting), num_returns=1)
            yield waiting.pop(came), ray.get(came)
    finally:
        if ours:
            ray.shutdown()
