"""No compiled rule reaches past the end of a field: interpreted that is an error, compiled it is garbage."""

import os
import subprocess
import sys

from brelan.folders import cache_folder
from brelan.games import GAMES


def test_every_index_of_compiled_play_is_within_its_bounds():
    own = {"NUMBA_BOUNDSCHECK": "1", "BRELAN_CACHE": str(cache_folder() / "bounds")}
    command = [sys.executable, "-m", "tests.fast.bounds"]
    found = subprocess.run(command, env=os.environ | own, capture_output=True, text=True, timeout=600)
    assert found.returncode == 0, found.stderr[-3000:]
    assert found.stdout.split() == [game.id for game in GAMES]
