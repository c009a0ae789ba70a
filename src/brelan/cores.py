"""The processor's cores: what long work is spread over. Nothing is compiled by importing this."""

from __future__ import annotations

import os


def all_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
