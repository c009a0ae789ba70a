"""The refusals of the house: each is one clear sentence, in the reader's language, and nothing was changed by it."""

from __future__ import annotations

import copyreg
import re
from contextlib import suppress
from operator import index
from typing import Any

MOST = 10**9
"""What is counted here is never more."""


class Refusal(ValueError):
    """Something asked of the house that it will not do; `key` and `values` name a sentence of the catalogue.

    `rule` is the id of the rule that forbids it, where one does.
    """

    rule: str | None = None

    def __init__(self, key: str, **values: Any) -> None:
        self.key, self.values = key, values
        super().__init__(key, values)

    def __reduce__(self) -> tuple[Any, ...]:
        """Of an error Python keeps what was given to its beginning, which no kind of refusal takes in that form: it
        would not arrive from another process.
        """
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]

    def __str__(self) -> str:
        from brelan.words import Words  # only for a refusal that somebody reads

        return Words("en").refusal(self)


def at_least(least: float, most: float = MOST, **given: float) -> None:
    """Refuse numbers with which nothing can be done; they are named as they were asked for."""
    for name, number in given.items():
        if not number >= least:  # no number at all (nan) is not less
            raise Refusal("at_least", name=name, least=least, given=number)
        if number > most:
            raise Refusal("at_most", name=name, most=most, given=number)


def digits(given: str) -> int | None:
    """The number from 0 to MOST that is written in the digits 0 to 9, and nothing else; None for anything else."""
    number = int(given) if re.fullmatch("[0-9]{1,10}", given) else None
    return None if number is None or number > MOST else number


def whole(name: str, given: str) -> int:
    """The same, or the refusal that says what is wrong with it; `name` is what it was asked for as."""
    if (number := digits(given)) is not None:
        return number
    if not re.fullmatch("-?[0-9]+", given):
        raise Refusal("record_whole", name=name, given=given or '""')
    if given.startswith("-"):
        raise Refusal("at_least", name=name, least=0, given=given)
    raise Refusal("at_most", name=name, most=MOST, given=given)


def integer(name: str, given: Any) -> int:
    """A whole number of whatever kind, such as numpy's, as Python's own, or the refusal of what is none."""
    if not isinstance(given, bool):
        with suppress(TypeError):
            return index(given)
    raise Refusal("record_whole", name=name, given=repr(given))


def plain(given: Any) -> Any:
    """A value as Python's own where numpy or an enum of texts brings it, alone, in a list or as an array; any other as
    it is.
    """
    if isinstance(given, list):
        return [plain(value) for value in given]
    if isinstance(given, str):
        return given[:]
    return given.tolist() if hasattr(given, "tolist") else given


def at_table(seat: Any, players: int, least: int = 0) -> int:
    """The seat, or the refusal of one not at the table; with SPECTATOR as the least whoever looks on is welcome."""
    if (found := integer("seat", seat)) not in range(least, players):
        raise WrongSeat("no_seat", given=found, most=players - 1)
    return found


class Unreadable(Refusal):
    """It cannot be read: not a card, not a move, not a record."""


class Illegal(Refusal):
    """A move that may not be played now: its `rule` forbids it."""

    rule: str

    def __init__(self, game: str, rule: str, move: str) -> None:
        self.rule = rule
        super().__init__("illegal", game=game, rule=rule, move=move)


class WrongSeat(Refusal):
    """The move of a seat that is not asked."""
