"""What people say to each other: the house's own sentences, which everybody hears in their language, or free words."""

from __future__ import annotations

from brelan.play.flow import Flow
from brelan.play.messages import PRESETS, SAYING, Malformed, Say
from brelan.play.seats import Full, clean

OFTEN, SPELL = 5, 10.0  # so many times in so many seconds somebody may speak
SAYINGS = 2000  # at most so many at one table, and of each person that number's share of a seat


class Talking(Flow):
    """A table where people speak."""

    def _on_say(self, person: str, message: Say, now: float) -> None:
        """Say something; it changes nothing else."""
        seat = self._seat(person)
        said = self._said(message)
        spoken = [event for event in self.events if event.kind == "said"]
        recent = [event for event in spoken[-OFTEN * len(self.seats) :] if now - SPELL < event.at <= now]
        if sum(event.person == person for event in recent) >= OFTEN:
            raise Full("table.talks_often")
        own = sum(event.person == person for event in spoken)
        if len(spoken) >= SAYINGS or own >= SAYINGS // len(self.seats):
            raise Full("table.talked")
        self._happen("said", now, person, message.key, seat=seat, **said)

    def _said(self, message: Say) -> dict[str, str]:
        """What was said, as the event holds it."""
        if (message.preset is None) == (message.text is None):
            raise Malformed("table.one_saying")
        if message.preset is not None:
            if message.preset not in PRESETS:
                raise Malformed("table.no_preset", given=message.preset, known=", ".join(PRESETS))
            return {"preset": message.preset}
        if not self.customs.talk:
            raise Full("table.no_talk")
        text = clean(message.text or "", SAYING)
        if not text:
            raise Malformed("table.silent")
        return {"text": text}
