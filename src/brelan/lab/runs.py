"""Long work in blocks that any engine may play, each written down as it is done.

What a block comes to hangs on what its line in the file says, not on the engine, the cores or interruptions: a run that
was broken off goes on with the blocks that its file does not hold yet. Whoever changes a rule, a policy or what is
counted in between plays all of them again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from importlib import resources
from os import SEEK_END
from pathlib import Path
from typing import Any, Protocol, TypeVar

from brelan.errors import Refusal
from brelan.folders import writing
from brelan.lab import engines

Block = TypeVar("Block")
Came = TypeVar("Came")

BEGINNING = '{"of":'
"""Of every line in a file."""


class Plan(Protocol[Block]):
    """What is to be done in a game, cut into blocks."""

    @property
    def game(self) -> str: ...

    def blocks(self) -> Sequence[Block]:
        """All there is to do, in order."""
        ...

    def decides(self, block: Block) -> dict[str, Any]:
        """All that the block's result hangs on, as its line says it: nothing of the run's length."""
        ...


def run(
    plan: Plan[Block],
    play: Callable[[Any, Block], Came],
    made: Callable[..., Came],
    engine: str = "here",
    file: Path | None = None,
    lasts: Callable[[Block], bool] = lambda block: True,
) -> Iterator[tuple[Block, Came]]:
    """Every block with what it came to: first those that the file holds, then the others as they are played.

    `play(plan, block)` answers a dataclass, which `made` makes again of its fields. What does not last, since more has
    a say in it than its line tells, stands in no file.
    """
    lines = {block: of_block(plan, block) for block in plan.blocks()}
    came_of = kept(file)
    with of_a_run(file):
        held = {block: made(**came_of[line]) for block, line in lines.items() if line in came_of and lasts(block)}
    yield from held.items()
    for block, came in engines.done(engine, play, plan, [block for block in lines if block not in held]):
        if file and lasts(block):
            note(file, lines[block], came)
        yield block, came


def of_block(plan: Plan[Block], block: Block) -> str:
    """What a block's line says that it hangs on: of what another edition of its game came to nothing is taken."""
    return told(plan.decides(block) | {"edition": edition(plan.game)})


@cache
def edition(game: str) -> str:
    """A hash of all by which bots play a game in this process and their matches are counted: the sources that it had
    compiled, those of the lab that say what a share and a fact are, levels and nets.
    """
    from brelan import bots, games  # late: the doctor runs where none of the libraries is there
    from brelan.fast.shelf import source_of
    from brelan.lab import course, courses, duels

    found = sha256(bots.thinker_of(games.find(game)).engine.twins.sources.said.encode())
    room = sorted(resources.files(f"brelan.games.{game}").iterdir(), key=lambda file: file.name)
    held = [file.read_bytes() for file in room if file.name == "levels.toml" or file.name.endswith(".npz")]
    for said in [*map(source_of, (course, courses, duels)), *held]:
        found.update(said)
    return found.hexdigest()[:16]


@contextmanager
def of_a_run(file: Path | None) -> Iterator[None]:
    """What a file holds is read here; one that no run of ours wrote is named, and stays as it is."""
    try:
        yield
    except (OSError, MemoryError):
        raise
    except Exception:  # a spoilt archive fails in any of its layers, each with errors of its own
        raise Refusal("run_other", file=file) from None


def check_report(file: Path, plan: dict[str, Any], length: str) -> None:
    """Refuse to write over the report of another plan, or of more than this one asks for; `length` names how much."""
    if not file.exists():
        return
    with of_a_run(file):
        held, asked = json.loads(file.read_text("utf-8"))["plan"], json.loads(told(plan))
        if held | {length: 0} != asked | {length: 0} or held[length] > asked[length]:
            raise Refusal("run_other", file=file)


def note(file: Path, line: str, came: Any) -> None:
    """Write a block down, at once, and not behind what an interruption left of the last one."""
    with writing(file), file.open("ab+") as out:
        if out.tell():
            out.seek(-1, SEEK_END)
            torn = out.read(1) != b"\n"
            out.write(b"\n" * torn)
        out.write(entry(line, came).encode())


def entry(line: str, came: Any) -> str:
    """A block's line in a file, and what it came to."""
    return f'{BEGINNING}{line},"came":{told(asdict(came))}}}\n'


def kept(file: Path | None) -> dict[str, Any]:
    """What a file holds: to each block's line what it came to."""
    return {told(of): came for of, came in entries(file)}


def entries(file: Path | None) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each entry of a file; a line that an interruption cut is left out."""
    if file and file.exists():
        with of_a_run(file):
            yield from filter(None, map(_entry, file.read_text("utf-8").splitlines()))


def _entry(line: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """What a line says; None where an interruption cut it."""
    try:
        found = json.loads(line)
    except json.JSONDecodeError:
        begun = line.partition("\0")[0]  # zeros stand where the power went before all was on the disk
        if begun.startswith(BEGINNING[: len(begun)]):
            return None
        raise
    return found["of"], found["came"]


def told(values: dict[str, Any]) -> str:
    """As a line of the file says it."""
    return json.dumps(values, separators=(",", ":"))
