"""A command that is told to end: it does so as by Ctrl-C, and what it has started ends with it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

TOLD = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""By `kill` or `timeout`, and by a terminal that is closed; who is to outlive that (nohup) hears it no more here."""


@contextmanager
def stoppable() -> Iterator[None]:
    """These signals interrupt what runs here; by themselves they would end us and leave it alone."""
    if threading.current_thread() is not threading.main_thread():  # no other gets signals
        yield
        return
    for number in TOLD:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, stop)
    try:
        yield
    finally:
        for number in TOLD:
            if signal.getsignal(number) is stop:
                signal.signal(number, signal.SIG_DFL)


def stop(number: int, _: Any) -> None:
    """Interrupt, once: `timeout` tells it twice, and the second time would fall among what is being ended."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt(number)
