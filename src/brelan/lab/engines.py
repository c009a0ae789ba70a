"""Where the lab's work is done: piece by piece, on all cores, or on a cluster by Ray. The results are the same."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from multiprocessing import active_children, parent_process
from threading import Thread
from typing import Any, TypeVar

from brelan.cores import all_cores
from brelan.errors import Refusal

ENGINES = ("here", "cores", "ray")

Work = TypeVar("Work")
Came = TypeVar("Came")


def check_engine(name: str) -> None:
    """Refuse an engine that there is not, naming those there are."""
    if name not in ENGINES:
        raise Refusal("argument", name="engine", given=name, allowed=" | ".join(ENGINES))


def done(
    engine: str, play: Callable[[Any, Work], Came], plan: Any, works: Iterable[Work]
) -> Iterator[tuple[Work, Came]]:
    """Each piece of work with what `play(plan, work)` came to, in the order in which they are finished.

    Pieces are taken when there is somebody to do them (by Ray all at once): what is begun is also told.
    """
    check_engine(engine)
    if engine == "ray":
        return _by_ray(play, plan, works)
    return _in_threads(play, plan, works, 1) if engine == "here" else _on_cores(play, plan, works)


def in_processes(engine: str, chunk: int, play: Callable[..., Came], *works: Iterable[Any]) -> Iterator[Came]:
    """`map(play, *works)` of what is not compiled: here, or by processes that take so many at a time, on all cores or
    by Ray.
    """
    check_engine(engine)
    if engine == "ray":
        yield from _in_order_by_ray(chunk, play, zip(*works, strict=False))
        return
    workers = all_cores()
    if engine == "here" or workers == 1:
        yield from map(play, *works)
        return
    with ProcessPoolExecutor(workers, initializer=one_of_many) as pool:
        try:
            yield from pool.map(play, *works, chunksize=chunk)
        except BrokenProcessPool:
            for left in active_children():
                left.kill()  # the pool tells them to end, which they leave to us, and waits for ever
            raise Refusal("process_gone") from None


def shared(engine: str) -> AbstractContextManager[Any]:
    """What several runs by an engine have in common: one cluster, where each would begin and end its own."""
    return _cluster() if engine == "ray" else nullcontext()


def one_of_many() -> None:
    """One process of many leaves signals to the first, and ends when that one is gone: nobody else would end it."""
    leave_signals()
    if first := parent_process():
        Thread(target=end_behind, args=(first,), daemon=True).start()


def leave_signals() -> None:
    """One process of many leaves it to the first to end them all: `timeout` and Ctrl-C tell each of them, and one that
    is interrupted while it takes or hands over its work would keep a lock for which the others wait for ever.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def end_behind(first: Any) -> None:
    """End when another process has ended, whatever is being done here."""
    first.join()
    os._exit(1)


def _on_cores(play: Callable[[Any, Work], Came], plan: Any, works: Iterable[Work]) -> Iterator[tuple[Work, Came]]:
    """Compiled code lets go of Python. The first piece is played alone, since it compiles."""
    todo = iter(works)
    yield from _in_threads(play, plan, islice(todo, 1), 1)
    yield from _in_threads(play, plan, todo, all_cores())


def _in_threads(
    play: Callable[[Any, Work], Came], plan: Any, works: Iterable[Work], most: int
) -> Iterator[tuple[Work, Came]]:
    """So many pieces at a time. Compiled code cannot be stopped: whoever interrupts does not wait for it."""
    todo = iter(works)
    playing = {_begun(play, plan, work): work for work in islice(todo, most)}
    try:
        while playing:
            for came in wait(playing, return_when=FIRST_COMPLETED).done:
                yield playing.pop(came), came.result()
                playing |= {_begun(play, plan, work): work for work in islice(todo, 1)}
    except KeyboardInterrupt:
        raise
    except BaseException:
        wait(playing)
        raise


def _begun(play: Callable[[Any, Work], Came], plan: Any, work: Work) -> Future[Came]:
    """A piece that is played in a thread of its own, with which we may end."""
    came: Future[Came] = Future()

    def thread() -> None:
        try:
            came.set_result(play(plan, work))
        except BaseException as error:
            came.set_exception(error)

    Thread(target=thread, daemon=True).start()
    return came


def _by_ray(play: Callable[[Any, Work], Came], plan: Any, works: Iterable[Work]) -> Iterator[tuple[Work, Came]]:
    """All pieces at once."""
    if not (todo := list(works)):
        return
    with _cluster() as ray:
        far = ray.remote(play)
        plan = ray.put(plan)
        waiting = {far.remote(plan, work): work for work in todo}
        while waiting:
            (came,), _ = ray.wait(list(waiting), num_returns=1)
            yield waiting.pop(came), ray.get(came)


def _in_order_by_ray(chunk: int, play: Callable[..., Came], works: Iterator[tuple[Any, ...]]) -> Iterator[Came]:
    """So many pieces to a task, and no more tasks begun than keep everybody busy: what comes of them waits here."""
    with _cluster() as ray:
        far = ray.remote(_played)
        most = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        tasks = (far.remote(play, piece) for piece in iter(lambda: list(islice(works, chunk)), []))
        begun = deque(islice(tasks, most))
        while begun:
            yield from ray.get(begun.popleft())
            begun.extend(islice(tasks, 1))


def _played(play: Callable[..., Came], piece: list[tuple[Any, ...]]) -> list[Came]:
    return [play(*work) for work in piece]


@contextmanager
def _cluster() -> Iterator[Any]:
    """Ray, on the cluster that $RAY_ADDRESS names, or on one that is started here for as long as it is needed."""
    try:
        import ray
    except ImportError:
        raise Refusal("ray_missing") from None
    ours = not ray.is_initialized()
    if ours:
        ray.init(address=os.environ.get("RAY_ADDRESS"), include_dashboard=False, log_to_driver=False)
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()
