"""The language of who types."""

from __future__ import annotations

import os

from brelan.words import LANGUAGES


def spoken() -> str:
    """The language of the environment, or English."""
    language = (os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "en")[:2]
    return language if language in LANGUAGES else "en"
