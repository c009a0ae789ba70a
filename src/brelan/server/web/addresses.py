"""The names and numbers in addresses, as the house writes them: no database is asked for what cannot be one."""

from __future__ import annotations

import re

CODE = "[a-z0-9]{1,16}"
MATCH = f"{CODE}-[0-9a-f]{{16}}"


def is_code(given: str) -> bool:
    """Whether it could be the code of a table."""
    return re.fullmatch(CODE, given) is not None


def is_match(given: str) -> bool:
    """Whether it could be the id of a match."""
    return re.fullmatch(MATCH, given) is not None


def digits(given: str) -> int | None:
    """The number that a few digits stand for; None for anything else."""
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 10 else None
