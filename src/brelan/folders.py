"""Where the house keeps what it can make again. Nothing is compiled by importing this."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_dir


def cache_folder() -> Path:
    """$BRELAN_CACHE, or the user's cache folder."""
    return Path(os.environ.get("BRELAN_CACHE") or user_cache_dir("brelan"))
