"""The other workers on the same database, as far as they told: which tables they hold open, and who is there.

Alone on SQLite there are none, and nothing here ever says anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from brelan.server.store.notices import Notice

ALIVE = 5.0  # seconds between two signs of life
GONE = 16.0  # seconds after which a silent worker is dead

Here = dict[str, float]
"""The host and the seated persons who are at a table, with their round trips in seconds."""


@dataclass(slots=True)
class Other:
    """One other worker."""

    seen: float  # when it spoke last
    here: dict[str, Here] = field(default_factory=dict)  # by table


class Others:
    """All of them."""

    def __init__(self, worker: str = "") -> None:
        self.worker = worker
        self.known: dict[str, Other] = {}

    def people(self, code: str) -> Here:
        """Who is at a table over another worker."""
        return {person: trip for other in self.known.values() for person, trip in other.here.get(code, {}).items()}

    def holds(self, code: str) -> bool:
        """Whether another worker holds the table open."""
        return any(code in other.here for other in self.known.values())

    def attended(self) -> set[str]:
        """The tables where somebody is over another worker."""
        return {code for other in self.known.values() for code, people in other.here.items() if people}

    def rank(self, code: str) -> int:
        """How many others come first where the table must do something by itself."""
        return sum(name < self.worker and code in other.here for name, other in self.known.items())

    def hear(self, told: Notice, now: float) -> set[str]:
        """Take in what another worker told; the tables where other people may be now."""
        if told.ends:
            gone = self.known.pop(told.worker, None)
            return set(gone.here) if gone else set()
        other = self.known.setdefault(told.worker, Other(now))
        other.seen, changed = now, set(told.here)
        if told.whole:
            changed |= set(other.here)
            other.here = {}
        for code, people in told.here.items():
            if people is None:
                other.here.pop(code, None)
            else:
                other.here[code] = people
        return changed

    def bury(self, now: float) -> bool:
        """Forget workers that have been silent for long; whether there were any."""
        before = len(self.known)
        self.known = {name: other for name, other in self.known.items() if now <= other.seen + GONE}
        return len(self.known) < before
