"""The lessons over HTTP: in both languages, called by the learner's name, and found where people begin."""

import html
import json
import re

import pytest

from brelan.games import GAMES
from brelan.words import LANGUAGES, Words


def parts_of(page):
    (parts,) = re.findall(r'<script type="application/json" id="lesson">(.*?)</script>', page, re.S)
    return json.loads(parts)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_game_is_taught(game, language, guests):
    answer = guests().http.get(f"/learn/{game.id}?lang={language}")
    assert answer.status_code == 200
    assert f'<html lang="{language}" dir="ltr">' in answer.text
    first = parts_of(answer.text)[0]
    words = Words(language, game.id)
    assert words("lesson.title", game=game.title) in html.unescape(answer.text)
    scene = first["steps"][0]["views"][-1]["scene"]
    assert scene["game"] == game.id
    assert scene["zones"][0]["caption"]


def test_learners_are_called_by_their_names(guests):
    """Two who learn at the same time do not share one."""
    for name in ("Anna", "Bob"):
        guest = guests()
        guest.http.post("/name", data={"nickname": name})
        page = guest.http.get("/learn/gin").text
        assert {
            view["table"]["seats"][0]["name"] for part in parts_of(page) for s in part["steps"] for view in s["views"]
        } == {name}


def test_a_lesson_is_found_where_people_begin_and_playing_comes_first(guests):
    http = guests().http
    home, rules = http.get("/").text, http.get("/rules/mio").text
    assert 'href="/learn/mio"' in rules
    for game in GAMES:
        card = home[home.index(f'id="{game.id}"') :]
        assert card.index("button-primary") < card.index(f'href="/learn/{game.id}"')


def test_what_is_no_game_is_taught_to_nobody(guests):
    assert guests().http.get("/learn/chess").status_code == 404
