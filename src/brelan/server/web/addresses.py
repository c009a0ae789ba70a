"""The names in addresses, as the house writes them: no database is asked for what cannot be one."""

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
