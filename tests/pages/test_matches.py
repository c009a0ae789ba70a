"""Whole matches in the browser against bots, by mouse, by touch and by keyboard alone; then the record is verified."""

import httpx
import pytest

from brelan.games import GAMES, find
from brelan.play.record import verify
from tests.pages.people import MANNERS

SIZE = {"mouse": "desktop", "touch": "phone", "keyboard": "tablet"}
MATCHES = [  # every game at its fewest and its most seats, in every manner; long ones end a little sooner
    ("gin", 2, "mouse", {}),
    ("gin", 2, "touch", {"target": 50}),
    ("gin", 2, "keyboard", {"target": 50}),
    ("companeros", 3, "mouse", {}),
    ("companeros", 6, "touch", {}),
    ("companeros", 3, "keyboard", {}),
    ("elements", 5, "mouse", {}),
    ("elements", 5, "touch", {}),
    ("elements", 3, "keyboard", {}),
    ("mio", 6, "mouse", {"target": 30}),
    ("mio", 6, "touch", {"target": 60}),
    ("mio", 2, "keyboard", {"target": 30}),
    ("hawaiki", 2, "mouse", {}),
    ("hawaiki", 6, "touch", {}),
    ("hawaiki", 2, "keyboard", {"tokens": 5}),
]


def test_every_game_is_played_in_every_manner_and_at_both_ends_of_its_table():
    for game in GAMES:
        assert {manner for id, _, manner, _ in MATCHES if id == game.id} == set(MANNERS)
        assert {seats for id, seats, _, _ in MATCHES if id == game.id} == {min(game.seats), max(game.seats)}


@pytest.mark.parametrize(("game", "players", "manner", "options"), MATCHES)
def test_a_whole_match(game, players, manner, options, chromium, house):
    person = MANNERS[manner](chromium, house, SIZE[manner]).sit_down(game, players, **options)
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
    assert len(views) > 5
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
