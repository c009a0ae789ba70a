"""What the programs share: how long they may go on, what they show meanwhile, and the line of figures at their end."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from multiprocessing import get_context
from typing import Any, TypeVar

from brelan.games import GAMES

Part = TypeVar("Part")
Counts = dict[str, Any]

NARROW = 20.0
"""Seconds between two lines of progress where nobody looks at a terminal."""


class Progress:
    """How far a program is, on one line of the terminal; in a log, a line now and then."""

    def __init__(self, what: str, of: int) -> None:
        self.what, self.of, self.done = what, max(of, 1), 0
        self.began = self.told = time.monotonic()
        self.live = sys.stderr.isatty()

    def add(self, n: int = 1) -> None:
        self.done += n
        now = time.monotonic()
        if now - self.told >= (0.2 if self.live else NARROW):
            self.told = now
            self.tell("\r" if self.live else "")

    def tell(self, start: str = "", end: str = "") -> None:
        seconds = time.monotonic() - self.began
        line = f"{start}{self.what}: {self.done:,} of {self.of:,}, {seconds:.0f} s"
        print(line, end=end or ("" if start else "\n"), file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.live:
            self.tell("\r", "\n")


def report(proof: str, began: float, passed: bool, **figures: Any) -> int:
    """Print a program's figures as one line of JSON, with the machine's load beside them; its exit status."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    line = {"proof": proof, "passed": passed, **figures, "seconds": round(time.monotonic() - began, 1)}
    line |= {"cores": os.cpu_count(), "load": load and round(load, 1), "python": platform.python_version()}
    print(json.dumps(line | {"at": datetime.now(UTC).strftime("%Y-%m-%d")}), flush=True)
    return 0 if passed else 1


def asked_for(about: str | None, **amounts: tuple[int, str]) -> argparse.Namespace:
    """What the command asks for: an amount each by name, with its default and what is counted, and the bounds."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, (default, said) in amounts.items():
        parser.add_argument(f"--{name}", type=int, default=default, help=f"{said} ({default})")
    parser.add_argument("--cores", type=int, default=1, help="processes at a time, where a program can use several")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin nothing more after so many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", default=",".join(game.id for game in GAMES))
    asked = parser.parse_args()
    asked.began, asked.games = time.monotonic(), asked.games.split(",")
    return asked


def has_time(asked: argparse.Namespace) -> bool:
    return time.monotonic() - float(asked.began) < 60 * float(asked.minutes)


def shared(parts: Iterable[Part], work: Callable[[Part], Counts], asked: argparse.Namespace) -> Iterator[Counts]:
    """What `work` says of each part, as the parts end, until the time is over; on several cores if asked."""
    if asked.cores == 1:
        for part in parts:
            if has_time(asked):
                yield work(part)
        return
    with ProcessPoolExecutor(asked.cores, get_context("spawn")) as pool:
        for done in as_completed([pool.submit(work, part) for part in parts]):
            if done.cancelled():
                continue
            yield done.result()
            if not has_time(asked):
                pool.shutdown(wait=False, cancel_futures=True)
