"""The language of who types."""

from __future__ import annotations

import os

from brelan.words import LANGUAGES
from brelan.words.tongues import tongue_of


def spoken() -> str:
    """The language of the environment, or English."""
    language = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return tongue_of(language) or LANGUAGES[0]
