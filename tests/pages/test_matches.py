"""Whole matches in the browser against bots, by mouse, by touch and by keyboard alone; then the record is verified."""

import httpx
import pytest

from brelan.games import find
from brelan.play.record import verify
from tests.pages.people import MANNERS

MATCHES = [("gin", 2), ("companeros", 3), ("companeros", 6)]
SIZE = {"mouse": "desktop", "touch": "phone", "keyboard": "tablet"}


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize(("game", "players"), MATCHES)
def test_a_whole_match(manner, game, players, chromium, house):
    person = MANNERS[manner](chromium, house, SIZE[manner]).sit_down(game, players)
    view = person.play()
    assert view["table"]["status"] == "over"
    assert person.page.locator(".result").is_visible()
    record = httpx.get(house + view["table"]["record"]).content
    (match,) = verify(record, strict=True)
    assert match.players == players
    assert match.scores == view["table"]["scores"]
    assert not person.errors
    assert all(url.startswith((house, house.replace("http", "ws"))) for url in person.requests)
    check_nothing_hidden_came(person, match)
    person.context.close()


def check_nothing_hidden_came(person, match):
    """Every face in every frame before the end is one that the rules let this seat see at that point of the record."""
    views = [frame for frame in person.frames if '"type":"view"' in frame]
    assert len(views) > 20
    seen = faces_by_line(match, 0)
    for frame in views:
        faces = faces_in(frame)
        if faces and '"status":"over"' not in frame:
            assert any(faces <= known for known in seen), faces


def faces_by_line(match, seat):
    """After each line of the record, the faces that the seat may see anywhere."""
    from brelan.play.match import Match

    game = find(match.game.id)
    again = Match(game, match.players, match.first, match.preset, match.options)
    seen = []
    for line in match.lines:
        if "shuffle" in line:
            again.shuffle(line["shuffle"])
        else:
            again.move(line["seat"], line["move"])
        view = game.view.redact(again.state, seat)
        cards = game.view.table(view) if hasattr(game.view, "table") else game.view.zones(view)
        seen.append({game.notation.card_text(card) for zone in cards.values() for card in zone} - {"?"})
    return seen


def faces_in(frame):
    import json

    scene = json.loads(frame)["scene"]
    return {card["face"] for zone in scene["zones"] for card in zone["cards"] if card["face"]} if scene else set()
