"""The ladder: one number for each bot, on Elo's scale, that agrees best with what the pairs of a cross table say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, log10

from brelan.lab.duels import Z

Found = tuple[float, float, int]
"""The share of wins of one among the others, half the width of its 95 % interval, and deals."""

Said = Mapping[tuple[str, str], tuple[float, float]]
"""Of pairs the gap in points, and how sure it is."""

ROUNDS = 1000
"""In which the points settle."""

WIDEST = 800.0
"""A gap beyond is not told from one that is wider still."""

STYLE = 20.0
"""Points by which two bots may do better or worse against each other than the ladder says, however long they play."""


def ladder(bots: Sequence[str], met: Mapping[tuple[str, str], Found], players: int) -> dict[str, float]:
    """Points of all who met somebody, novice or the last at 0: the means of what their pairs say, by certainty.

    A pair of which one wins all but always says only that the gap is wide: it counts for who cannot be compared with
    the novice, or the first, in another way.
    """
    says = {(a, b): between(met[a, b], met[b, a], players) for a, b in met}
    points = {bot: 0.0 for bot in bots if any(bot in pair for pair in says)}
    near = _near("novice" if "novice" in points else next(iter(points), ""), says)
    heard = {a: _heard(a, says, a not in near) for a in points}
    for _ in range(ROUNDS):
        for a, about in heard.items():
            weight = sum(sure for _, _, sure in about)
            points[a] = sum(sure * (points[b] + wide) for b, wide, sure in about) / weight if about else 0.0
    base = points.get("novice", min(points.values(), default=0.0))
    return {bot: round(found - base) for bot, found in points.items()}


def _near(base: str, says: Said) -> set[str]:
    """Those between whom and the base no gap is too wide to be told, over as many others as need be."""
    near, fresh = {base}, {base}
    while fresh:
        fresh = {b for (a, b), (wide, _) in says.items() if a in fresh and abs(wide) < WIDEST} - near
        near |= fresh
    return near


def _heard(a: str, says: Said, far: bool) -> list[tuple[str, float, float]]:
    """Whom a bot met, the gap to them and its weight; only who is far hears of gaps that are merely wide."""
    return [(b, wide, sure) for (one, b), (wide, sure) in says.items() if one == a and (far or abs(wide) < WIDEST)]


def between(alone: Found, among: Found, players: int) -> tuple[float, float]:
    """The gap of two bots in points, from one alone and the other alone, and how sure that is: 1 / its variance.

    Between two players both are the same matches, which say it twice and no surer.
    """
    gaps = [gap(share, players) for share, _, _ in (alone, among)]
    errors = [min(WIDEST, reach / Z * slope(share)) for share, reach, _ in (alone, among)]
    variance = (errors[0] ** 2 + errors[1] ** 2) / (2 if players == 2 else 4)
    return (gaps[0] - gaps[1]) / 2, 1 / (STYLE**2 + variance)


def inside(share: float) -> float:
    return min(max(share, 0.001), 0.999)


def gap(share: float, players: int) -> float:
    """Elo points between one and the others of a table, by its share of the wins; at most WIDEST."""
    share = inside(share)
    return max(-WIDEST, min(WIDEST, 400 * log10(share * (players - 1) / (1 - share))))


def slope(share: float) -> float:
    """Elo points for a whole share, there."""
    share = inside(share)
    return 400 / log(10) / (share * (1 - share))
