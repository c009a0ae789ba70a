"""Which of a table's events still matter to how it is now, and which belong to matches that are long over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brelan.play.seats import Event

NEWS = 200
"""At most so many sentences tell what happened; what is older is in the record. `witness.js` counts on this number."""


def leading_to(events: Iterable[Event], first: int) -> Iterator[Event]:
    """What had happened at a table before event number `first`, without the matches played until then."""
    playing = False
    for event in events:
        if event.number == first:
            return
        playing = playing or event.kind == "started"
        if not playing:
            yield event
        playing = playing and event.kind != "over"


def past_matches(events: Sequence[Event]) -> set[int]:
    """The numbers of the events of matches that are over and no longer told of: nothing that is so now is theirs."""
    told = events[-1].number - NEWS if events else 0
    first = max((event.number for event in events if event.kind == "started" and event.number <= told), default=0)
    earlier = {event.number for event in events if event.number < first}
    return earlier.difference(event.number for event in leading_to(events, first))
