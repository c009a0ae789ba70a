"""Minds to try: those of the levels, made quick."""

from dataclasses import replace

from brelan import bots

WORLDS = 3  # enough to play in, and to drop moves after


def minds(game, preset):
    """Those of the newest levels that play by weights, with fewer worlds."""
    found = [bots.find(game, name, preset).mind for name in bots.NAMES if name in bots.known(game)]
    return [replace(mind, worlds=min(mind.worlds, WORLDS), patience=2) for mind in found]
