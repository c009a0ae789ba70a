"""The proofs about killed houses in short: `make chaos` is the long form."""

import asyncio
import re
from pathlib import Path

import brelan
from brelan.server.settings import Settings
from brelan.server.store.points import CRASH_POINTS
from tests.proofs import chaos


def test_nothing_acknowledged_is_lost_when_the_house_is_killed(tmp_path):
    """At two random moments, then at each point where it hurts most."""
    world = chaos.World(Settings(data=tmp_path), 1, chaos.KINDS[:4])
    for crash in ("", "", *(f"{point}:9" for point in chaos.POINTS)):
        asyncio.run(world.cycle(crash))
    found = world.found()
    assert (found["lost"], found["twice"], found["differing"]) == ([], [], [])
    assert found["acknowledged"] > 30
    assert found["views"] > 30
    assert found["resent"] > 0


def test_a_house_that_tells_before_it_writes_is_found_out():
    assert chaos.caught(kills=3)


def test_the_list_of_crash_points_is_whole():
    sources = "".join(path.read_text("utf-8") for path in Path(brelan.__file__).parent.rglob("*.py"))
    assert set(re.findall(r'crash_point\("(\w+)"\)', sources)) == set(CRASH_POINTS)
