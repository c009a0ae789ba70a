"""Prove that nobody is sent what they may not know: `python -m tests.proofs.leaks --pairs 100000`.

For each game, pairs of worlds that differ only in what a viewer may not know; the bytes it is sent must be equal. Then
houses that leak: each must be found out, or the proof is worth nothing.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterator
from itertools import count, cycle, islice
from typing import Any

from brelan.games import find
from tests.proofs import sent
from tests.proofs.leaky import mutants_of
from tests.proofs.live import lives
from tests.proofs.pairs import Leak, Pairs, Tally
from tests.proofs.program import Counts, Progress, asked_for, report, shared
from tests.proofs.worlds import sealed_alike

PAST = 5
"""Every so many pairs one comes from another past."""

PIECE = 2000
"""So many pairs are one piece of work."""

LENGTHS = (40, 150, 400)
"""So many moments of a match are looked at, of one after the other: beginnings of many, and ends of some."""

PATIENCE = 20_000
"""A leak must be found within so many pairs."""


def pairs(game: str, seed: int, tally: Tally, web: sent.Addresses | None) -> Iterator[None]:
    """Pairs of both kinds without end, from matches of a game; a Leak if one differs."""
    imagined, pasts = (_of_kind(kind, game, seed, tally, web) for kind in ("imagined", "pasts"))
    with sealed_alike():
        for number in count():
            next(imagined if number % PAST else pasts)
            yield


def _of_kind(kind: str, game: str, seed: int, tally: Tally, web: sent.Addresses | None) -> Iterator[None]:
    for live, length in zip(lives(game, seed), cycle(LENGTHS), strict=False):
        yield from getattr(Pairs(live, tally, web), kind)(length)


def piece(asked: tuple[str, int, int]) -> Counts:
    """One piece of work: its counts, and what leaked."""
    game, seed, wanted = asked
    tally, leak = Tally(), None
    with sent.addresses() as web:
        try:
            for _ in islice(pairs(game, seed, tally, web), wanted):
                pass
        except Leak as found:
            leak = str(found)
    return {"game": game, "tally": tally, "leak": leak}


def caught_after(game: str, name: str) -> int | None:
    """After how many pairs a leaky house is found out; None if it is not."""
    tally = Tally()
    with sent.addresses() as web, mutants_of(game)[name](find(game)):
        try:
            for _ in islice(pairs(game, 1, tally, web), PATIENCE):
                pass
        except Leak:
            return tally.total + 1
    return None


def caught(game: str) -> Counts:
    """Every leaky house of a game, with the pairs after which it was found out."""
    return {"game": game, "mutants": {name: caught_after(game, name) for name in mutants_of(game)}}


def main() -> int:
    asked = asked_for(__doc__, pairs=(100_000, "pairs for each game"))
    counts, leaks = _all_pairs(asked)
    found = _all_mutants(asked)
    missed = [f"{game}: {name}" for game, names in found.items() for name, after in names.items() if after is None]
    return report(
        "leaks",
        asked.began,
        not leaks and not missed,
        games=counts,
        differences=len(leaks),
        leaks=leaks[:3],
        mutants=sum(map(len, found.values())),
        missed=missed,
        slowest_catch=max(after or 0 for names in found.values() for after in names.values()),
    )


def _all_pairs(asked: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    parts, size = -(-asked.pairs // PIECE), min(PIECE, asked.pairs)
    work = [(game, asked.seed + 1000 * part, size) for part in range(parts) for game in asked.games]
    progress, leaks, found = Progress("pairs", size * len(work)), [], {game: Counter[str]() for game in asked.games}
    for done in shared(work, piece, asked):
        tally: Tally = done["tally"]
        found[done["game"]].update(pairs=tally.total, past=tally.pairs["past"], megabytes=tally.bytes // 10**6)
        found[done["game"]].update(refusals=tally.refusals, answers=tally.answers)
        found[done["game"]].update({f"phase {phase}": n for phase, n in tally.phases.items()})
        leaks += [done["leak"]] if done["leak"] else []
        progress.add(tally.total)
    progress.close()
    return {game: dict(count) for game, count in found.items()}, leaks


def _all_mutants(asked: argparse.Namespace) -> dict[str, dict[str, int | None]]:
    progress, found = Progress("games with leaky houses", len(asked.games)), {}
    for done in shared(asked.games, caught, argparse.Namespace(**vars(asked) | {"minutes": math.inf})):
        found[done["game"]] = done["mutants"]
        progress.add()
    progress.close()
    return found


if __name__ == "__main__":
    raise SystemExit(main())
