"""What can go wrong beneath a house: refused with a clear sentence, nothing spoilt, and play goes on when it is over.

`python -m tests.proofs.troubles` tries a full disk, a folder that may not be written, a database file that is taken
away, a clock that jumps by a day, and a database of the first format. The first two need a file system of one's own
(`unshare` of Linux); where there is none they are said to be skipped.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

from brelan.server.people.identity import GUEST, Identity, signing_key
from brelan.server.settings import Settings
from tests.proofs.books import events_of
from tests.proofs.chaos import World
from tests.proofs.houses import Running
from tests.proofs.live import NAMES
from tests.proofs.players import Player
from tests.proofs.program import Counts, Progress, report

KINDS = (("gin", 2, 2), ("mio", 3, 3))

WAIT = 30.0
"""Seconds in which something must happen."""

OLD = Path(__file__).parent / "data" / "format1.sql"
"""A database as the first version of the house wrote it, with matches that go on and one that is over."""

DAY = 86400.0

JUMPING = """
import time
real_time, jump = time.time, Path(sys.argv[1]) / "jump"
time.time = lambda: real_time() + (float(jump.read_text() or 0) if jump.exists() else 0.0)
"""
"""A house whose clock is set by the file `jump`, in seconds."""

SPACE = "6m"
"""The size of the disk that becomes full."""


class Evening(World):
    """A house in which something goes wrong while guests play."""

    async def during(self, trouble: Callable[[Running], Awaitable[Counts]], fault: str = "") -> Counts:
        await asyncio.to_thread(self.furnish)
        house = await asyncio.to_thread(Running, self.settings, "", fault)
        tasks = [asyncio.create_task(self._play(player, house)) for player in self.players]
        try:
            await self.goes_on()
            found = await trouble(house)
            await self.goes_on()
        finally:
            house.kill()
            await asyncio.gather(*tasks)
        self.judge()
        counts = self.found()
        counts["spoilt"] = [] if self.is_whole() else ["the file"]
        return found | {name: len(counts[name]) for name in ("lost", "twice", "differing", "spoilt")}

    def is_whole(self) -> bool:
        """Whether the database's file is sound."""
        assert self.settings.data
        with closing(sqlite3.connect(self.settings.data / "brelan.db")) as file:
            return bool(file.execute("PRAGMA integrity_check").fetchall() == [("ok",)])

    async def goes_on(self, more: int = 20) -> None:
        """Until so much more was acknowledged, at every table something."""
        before = {player.code: 0 for player in self.players}
        for player in self.players:
            before[player.code] += len(player.acknowledged)
        start, end = sum(before.values()), time.monotonic() + WAIT
        while self.acknowledged() < start + more or any(self._at(code) == n for code, n in before.items()):
            if time.monotonic() > end:
                raise AssertionError("play does not go on")
            for player in self.players:
                await self._again(player)
            await asyncio.sleep(0.02)

    async def _again(self, player: Player) -> None:
        """Whoever was refused by the storage asks once more: a new line shows the table as it is."""
        if player.refused.pop("storage", 0) and player.socket:
            with suppress(Exception):
                await player.socket.close()

    def _at(self, code: str) -> int:
        return sum(len(player.acknowledged) for player in self.players if player.code == code)

    async def refused(self) -> None:
        """Until somebody's move is refused by the storage."""
        end = time.monotonic() + WAIT
        while not any(player.refused.get("storage") for player in self.players):
            if time.monotonic() > end:
                raise AssertionError("nobody was refused")
            await asyncio.sleep(0.02)

    def sentences(self) -> list[str]:
        """What those were told who were refused."""
        return sorted({player.sentence for player in self.players if player.sentence})


def evening(folder: Path, seed: int = 0) -> Evening:
    return Evening(Settings(data=folder), seed, KINDS)


# ---------------------------------------------------------------- the troubles


def file_taken_away(folder: Path) -> Counts:
    """The database's file is moved away, and comes back."""
    world, file = evening(folder), folder / "brelan.db"

    async def trouble(_: Running) -> Counts:
        file.rename(folder / "elsewhere.db")
        await world.refused()
        (folder / "elsewhere.db").rename(file)
        return {"said": world.sentences()}

    return asyncio.run(world.during(trouble))


def clock_jumps(folder: Path) -> Counts:
    """The clock goes a day forward, then two back."""
    world = evening(folder)

    async def trouble(_: Running) -> Counts:
        for seconds in (DAY, -DAY):
            (folder / "jump.new").write_text(str(seconds))
            (folder / "jump.new").rename(folder / "jump")
            await world.goes_on()
        return {}

    found = asyncio.run(world.during(trouble, JUMPING))
    past = events_of(world.settings, {player.code for player in world.players})
    return found | {"kept": sum(event.kind == "kept" for events in past.values() for event in events)}


def older_database(folder: Path) -> Counts:
    """A house opens a database of the first format; its tables are there to the letter, and go on."""
    with closing(sqlite3.connect(folder / "brelan.db")) as old:
        old.executescript(OLD.read_text("utf-8"))
        codes = [code for (code,) in old.execute("SELECT DISTINCT code FROM events")]
    world = evening(folder)
    before, identity = events_of(world.settings, codes), Identity(signing_key(folder))
    for seat, letter in enumerate("ab"):  # as the fixture names who sits at its table of mio
        person = letter * 32
        cookie = f"{GUEST}={identity._guests.dumps([person, NAMES[seat]])}"
        world.players.append(Player("oldmio", person, cookie, Random(seat)))
    world.kinds = KINDS[:1]

    async def trouble(_: Running) -> Counts:
        return {"tables": len(codes)}

    found = asyncio.run(world.during(trouble))
    after = events_of(world.settings, codes)
    changed = [code for code in codes if after[code][: len(before[code])] != before[code]]
    return found | {"changed": changed, "went_on": len(after["oldmio"]) - len(before["oldmio"])}


def disk_full(folder: Path) -> Counts:
    """The disk has no room left, and then some again; `folder` is a file system of its own."""
    world = evening(folder)

    async def trouble(_: Running) -> Counts:
        filler = folder / "filler"
        with filler.open("wb", buffering=0) as out:
            for size in (65536, 4096, 512, 1):
                with suppress(OSError):
                    while out.write(bytes(size)):
                        pass
            await world.refused()
        filler.unlink()
        return {"said": world.sentences()}

    return asyncio.run(world.during(trouble))


def may_not_be_written(folder: Path) -> Counts:
    """A house on a folder that may only be read does not open, and says why; later it does."""
    world = evening(folder)
    world.furnish()
    mount("-o", "remount,ro", str(folder))
    said = ""
    try:
        Running(world.settings).kill()
    except RuntimeError as refusal:
        said = str(refusal).splitlines()[-1]
    mount("-o", "remount,rw", str(folder))

    async def nothing(_: Running) -> Counts:
        return {"said": [said]}

    return asyncio.run(world.during(nothing))


ANYWHERE = (file_taken_away, clock_jumps, older_database)
INSIDE = (disk_full, may_not_be_written)
"""Those that need a file system of their own."""


# ---------------------------------------------------------------- a file system of one's own


def mount(*asked: str) -> None:
    subprocess.run(["mount", *asked], check=True, capture_output=True)


def inside(name: str) -> Counts:
    """Try one trouble in a name space and on a small disk of its own; says so where there is none."""
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        return {"skipped": "no name spaces here"}
    command = ["unshare", "-rm", sys.executable, "-m", "tests.proofs.troubles", "--inside", name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10 * WAIT, env=os.environ)
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1:]}
    found: Counts = json.loads(done.stdout)
    return found


def on_small_disk(name: str) -> Counts:
    with tempfile.TemporaryDirectory() as folder:
        mount("-t", "tmpfs", "-o", f"size={SPACE}", "tmpfs", folder)
        try:
            return {trouble.__name__: trouble for trouble in INSIDE}[name](Path(folder))
        finally:
            subprocess.run(["umount", "-l", folder], capture_output=True)


def sound(found: Counts) -> bool:
    """Whether nothing was lost, done twice or otherwise wrong."""
    bad = ("lost", "twice", "differing", "spoilt", "failed", "changed", "kept")
    silent = "said" in found and not all(found["said"] or [""])
    return not any(found.get(name) for name in bad) and not silent


def tried(name: str) -> Counts:
    """One trouble, wherever it can be had."""
    for trouble in ANYWHERE:
        if trouble.__name__ == name:
            with tempfile.TemporaryDirectory() as folder:
                return trouble(Path(folder))
    return inside(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        print(json.dumps(on_small_disk(asked.inside)))
        return 0
    names = [trouble.__name__ for trouble in (*ANYWHERE, *INSIDE)]
    began, progress, found = time.monotonic(), Progress("troubles", len(names)), dict[str, Any]()
    for name in names:
        found[name] = tried(name)
        progress.add()
    progress.close()
    return report("troubles", began, all(map(sound, found.values())), troubles=found)


if __name__ == "__main__":
    raise SystemExit(main())
