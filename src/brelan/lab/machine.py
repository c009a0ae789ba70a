"""What figures are taken on, as every report of the lab says it."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from brelan import __version__
from brelan.build import build_id
from brelan.cores import all_cores

REPORT = 1
"""The form in which reports are written as JSON; it rises when a field means something else, or is gone."""

BUILD = build_id()
"""Asked for before anything is played: later the files may be those of another build."""


def machine() -> dict[str, Any]:
    """What the figures were taken on, by which sources, and on which day (UTC)."""
    return {
        "at": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "cores": all_cores(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "brelan": __version__,
        "build": BUILD,
        **{package: version(package) for package in ("numba", "numpy")},
    }


def loaded() -> dict[str, Any]:
    """The same, and how much else it had to do."""
    return machine() | {"load": load()}


def load() -> float | None:
    """How many threads wanted a core, on the mean of the last minute, where the system counts them."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def processor() -> str:
    """The processor's name where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()
