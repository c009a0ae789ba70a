"""The API on a real server: what a program sees and does is what its person's page would."""

import json
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest
from msgspec import ValidationError, convert
from sqlalchemy import update
from websockets.exceptions import InvalidStatus

from brelan import bots
from brelan.errors import Refusal
from brelan.games import GAMES, find
from brelan.play.messages import PRESETS, Asking, Nonce
from brelan.play.record import verify
from brelan.server.api.door import STATUS
from brelan.server.api.routes import routes
from brelan.server.api.shapes import Code, Eyes, Label, MatchId, TokenId
from brelan.server.store import index
from brelan.server.store.relations import tables
from brelan.server.tables.connection import ERRORS, OTHER
from brelan.server.tables.standing import LEFT, STALE
from brelan.words import LANGUAGES, Words
from tests.server.clients import choose, moves_of, my_turn, play, turn

# ---------------------------------------------------------------- what a program sees


def test_a_view_is_the_one_that_the_socket_sends(program):
    bot = program()
    code = bot.table(bots="novice")
    view = bot.until(code, my_turn)
    line = bot.line(code)
    for shown in (view, line.view):
        shown["news"], shown["last"] = [], []
        shown["table"].pop("now")
    assert bot.view(code)["scene"] == line.view["scene"]
    assert view | {"table": None} == line.view | {"table": None}
    assert view["table"] == line.view["table"]
    assert view["table"]["link"] is None


def test_a_page_and_a_program_of_one_person_see_the_same_cards(program, anna):
    bot = program()
    code = bot.table(bots="novice")
    view = bot.until(code, my_turn)
    page = anna.line(code)
    assert page.view["scene"] == view["scene"]
    assert page.view["table"]["link"]  # for the person's own eyes
    assert not program(owner=anna).view(code)["table"]["link"]


def test_a_program_is_not_told_the_link_that_its_persons_page_is_told(program, anna):
    """Nor where both are shown the same moment, and lines with the same eyes share a view."""
    bot = program()
    code = bot.table(bots="novice")
    page, line = anna.line(code), bot.line(code)
    play(page, until=lambda view: view["number"] > 20)
    line.viewed(lambda view: view["number"] > 20)
    views = [[json.loads(frame) for frame in one.frames] for one in (page, line)]
    pages, programs = [[view for view in shown if view["type"] == "view"] for shown in views]
    assert all(view["table"]["link"] for view in pages)
    assert not any(view["table"]["link"] for view in programs)
    assert len(programs) > 5


def test_it_waits_for_what_is_new(program):
    bot, other = program(), program()
    code = bot.table()
    view = bot.view(code)
    began = time.monotonic()
    assert bot.view(code, since=view["number"], wait=1)["number"] == view["number"]
    assert 0.9 < time.monotonic() - began < 3
    later = threading.Timer(0.3, lambda: other.say(code, "bot", seat=1, level="novice"))
    later.start()
    began = time.monotonic()
    assert bot.view(code, since=view["number"])["number"] == view["number"] + 1
    assert time.monotonic() - began < 5
    later.join()


def test_a_view_that_is_known_is_not_sent_again(program):
    bot = program()
    code = bot.table()
    first = bot.http.get(f"/api/v1/tables/{code}")
    tag = {"if-none-match": first.headers["etag"]}
    again = bot.http.get(f"/api/v1/tables/{code}", headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    assert bot.http.get(f"/api/v1/tables/{code}?lang=fr", headers=tag).status_code == 200
    bot.say(code, "bot", seat=1, level="novice")
    assert bot.http.get(f"/api/v1/tables/{code}", headers=tag).status_code == 200


def test_no_two_viewers_know_a_view_by_the_same_tag(program, guests, anna):
    """Who sit there, who looks on, a page and a program of one person: a cache keeps them under one address."""
    bot, ben = program(), program(owner=guests())
    code = bot.table()
    ben.say(code, "sit", seat=1, name="Ben")
    viewers = [bot, ben, program(owner=guests()), anna]
    for viewer in viewers:  # whoever comes is seen by those who ask later
        viewer.http.get(f"/api/v1/tables/{code}")
    shown = [viewer.http.get(f"/api/v1/tables/{code}") for viewer in viewers]
    assert {answer.json()["number"] for answer in shown} == {shown[0].json()["number"]}
    assert len({answer.headers["etag"] for answer in shown}) == len(viewers)
    assert {answer.headers["cache-control"] for answer in shown} == {"private, no-cache"}


def test_a_program_is_there_while_it_asks(program, guests):
    bot = program()
    code = bot.table()
    bot.view(code)
    watcher = guests()
    watcher.make()
    assert watcher.line(code).view["table"]["seats"][0]["online"]


def test_a_program_that_may_only_look_brings_nobody_to_a_seat(program, guests):
    """Nor does its visit stand for that of one that may play."""
    code, reader, watcher = program("make").table(), program("read"), guests()
    watcher.make()
    reader.line(code)
    reader.view(code)
    assert not watcher.line(code).view["table"]["seats"][0]["online"]
    program("read", "play").view(code)
    assert watcher.line(code).view["table"]["seats"][0]["online"]


def test_the_games_with_all_that_a_table_can_choose(program, anna):
    shown = {game["id"]: game for game in anna.http.get("/api/v1/games").json()}
    for game in GAMES:
        assert [option["name"] for option in shown[game.id]["options"]] == [option.name for option in game.options]
        assert [preset["name"] for preset in shown[game.id]["presets"]] == list(game.presets)
        defaults = {o["name"]: o["defaults"][-1] for o in shown[game.id]["options"]}
        assert defaults | dict(game.presets["sheet"]) == game.settle(game.seats[-1])
        made = program().http.post("/api/v1/tables", json={"game": game.id, "players": game.seats[-1]})
        assert made.status_code == 201
    french = anna.http.get("/api/v1/games/gin?lang=fr").json()
    assert french["presets"][0]["label"] == Words("fr", "gin")("preset.sheet")
    assert 'id="' in anna.http.get("/api/v1/games/gin/rulebook").json()["html"]


def test_a_table_is_made_as_it_was_wanted(running, program, anna):
    bot = program()
    options, customs = {"target": 50, "ace_high_runs": True}, {"listed": True, "watch": False}
    code = bot.table(preset="classic", options=options, customs=customs)
    made = running.house.store.first(code).data
    assert (made["options"]["target"], made["options"]["ace_high_runs"], made["preset"]) == (50, True, "classic")
    assert made["customs"] | customs == made["customs"]
    assert code in [table["code"] for table in anna.http.get("/api/v1/tables").json()]
    assert code in [table["code"] for table in bot.http.get("/api/v1/me").json()["tables"]]
    hidden = bot.table()
    assert hidden not in [table["code"] for table in anna.http.get("/api/v1/tables").json()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_table_is_kept_by_any_of_the_choices_that_its_game_names(program, game):
    bot = program()
    customs = bot.http.get(f"/api/v1/games/{game.id}").json()["customs"]
    keepers = next(custom["choices"] for custom in customs if custom["name"] == "keeper")
    for keeper in keepers:
        bot.table(game=game.id, players=game.seats[0], customs={"keeper": keeper})


@pytest.mark.parametrize("keeper", ["", "Master!", "strong@", "strong@99", "x" * 33, 1, True])
def test_a_keeper_that_there_is_not_is_refused_with_all_that_there_are(program, keeper):
    wanted = {"game": "gin", "players": 2, "customs": {"keeper": keeper}}
    answer = program().http.post("/api/v1/tables", json=wanted)
    assert answer.status_code == 422
    assert answer.json()["words"] == str(Refusal("level", given=keeper, known=", ".join(bots.known(find("gin")))))


@pytest.mark.parametrize(("pace", "after"), [("none", LEFT), ("days", STALE)])
def test_a_table_that_was_left_is_offered_for_a_while_and_by_turns_for_days(running, program, anna, pace, after):
    code = program().table(customs={"listed": True, "pace": pace})
    for more, offered in ((-60, True), (1, False)):
        at = update(tables).where(tables.c.code == code).values(changed_at=time.time() - after - more)
        running.house.store.submit(lambda connection, at=at: connection.execute(at)).result()
        assert (code in [table["code"] for table in anna.http.get("/api/v1/tables").json()]) is offered


def test_no_key_is_used_up_by_what_the_house_asks_for_its_host(program):
    bot = program()
    code = bot.table()
    assert bot.say(code, "sit", key="sit", seat=1, name="Robin").status_code == 200
    assert bot.view(code)["table"]["seat"] == 1


# ---------------------------------------------------------------- a whole match


def test_a_match_by_requests_alone(running, program, anna):
    bot = program()
    code = bot.table(bots="novice", options={"target": 10})
    view = bot.view(code)
    while view["table"]["status"] != "over":
        if view["table"]["wants_nonce"]:
            assert bot.say(code, "nonce", nonce=secrets.token_hex(16)).status_code == 200
        elif 0 in view["table"]["waits_for"]:
            assert bot.say(code, "next").status_code == 200
        elif my_turn(view):
            answer = bot.say(code, "move", seen=view["number"], move=choose(view))
            assert (answer.status_code, answer.json()["number"] > view["number"]) == (200, True)
        view = bot.view(code, since=view["number"])
    match = view["table"]["match"]
    anybody = httpx.Client(base_url=anna.address)
    shown = anybody.get(f"/api/v1/matches/{match}").json()
    assert shown["rated"] is False, "its target is another"
    assert shown["table"]["scores"] == view["table"]["scores"]
    with running.house.store.read() as connection:
        row = index.match(connection, match)
    assert (shown["began_at"], shown["over_at"]) == (row.begun_at, row.over_at)
    steps = anybody.get(f"/api/v1/matches/{match}/scenes", params={"seat": "0", "from": 0}).json()["steps"]
    assert len(steps) == min(50, shown["steps"])
    told = anybody.get(f"/api/v1/matches/{match}/log", params={"seat": "open", "lang": "fr"}).json()["log"]
    assert len(told) >= shown["steps"] - 1
    record = anybody.get(f"/api/v1/matches/{match}/record")
    (verified,) = verify(record.content, strict=True)
    assert verified.scores == view["table"]["scores"]
    assert anybody.get(f"/api/v1/matches/{match}/scenes?seat=9").status_code == 422
    anybody.close()


def test_every_kind_of_message_is_answered_when_it_is_due(program, guests):
    """Over a whole evening of two programs: a hint by a move that can be played, all others by an acknowledgement."""
    kinds = {message.__struct_config__.tag for message in (Nonce, *Asking.__subclasses__())}
    anna, ben = program(), program(owner=guests())
    short = {"knock_limit": 100, "target": 40}
    code, said = anna.table(options=short, customs={"hints": True, "tempo": "slow"}), {}

    def say(who, kind, **fields):
        answer = who.say(code, kind, **fields)
        assert answer.status_code == 200, (kind, answer.text)
        said[kind] = answer.json()

    for who, kind, fields in [
        (ben, "sit", {"seat": 1, "name": "Ben"}),
        (ben, "stand", {}),
        (anna, "bot", {"seat": 1, "level": "novice"}),
        (anna, "bot", {"seat": 1, "level": None}),
        (ben, "sit", {"seat": 1, "name": "Ben"}),
        (anna, "start", {}),
        (anna, "say", {"preset": "hello"}),
        (anna, "nonce", {"nonce": "0" * 32}),
        (ben, "nonce", {"nonce": "1" * 32}),
        (ben, "leave", {}),
        (ben, "back", {}),
    ]:
        say(who, kind, **fields)
    while said.keys() < kinds:
        for who in (anna, ben):
            for kind, fields in due(who.view(code), said):
                say(who, kind, **fields)
    assert {kind: answer["type"] for kind, answer in said.items()} == dict.fromkeys(kinds, "ack") | {
        "hint": "hint",
        "ask": "ask",
    }


def due(view, said):
    """What a table waits for from its viewer, if anything; once, a hint, an ask and an undo."""
    table, seat = view["table"], view["table"]["seat"]
    if table["wants_nonce"]:
        return [("nonce", {"nonce": secrets.token_hex(16)})]
    if table["status"] == "over":
        return [("again", {})]
    if seat in table["waits_for"]:
        return [("next", {})]
    if seat in table["undo"]["waits_for"]:
        return [("consent", {"agree": False})]
    if "undo" not in said and table["undo"]["may"] and not table["undo"]["free"]:
        return [("undo", {})]
    if not my_turn(view):
        return []
    if "hint" not in said:
        return [("hint", {})]
    if "ask" not in said:
        return [("ask", {})]
    moves = moves_of(view)
    move = "draw" if "draw" in moves else choose(view)  # to draw is no slip that is mended without asking
    return [("move", {"seen": view["number"], "move": move if "move" in said else said["hint"]["move"]})]


def test_the_bot_of_the_documentation_plays_a_match(program, tmp_path):
    """docs/api.md: what is printed there runs."""
    text = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    (bot,) = re.findall(r"```python\n(.*?)```", text, re.S)
    bot = bot.replace('"players": 2', '"players": 2, "options": {"target": 10}')
    (tmp_path / "bot.py").write_text(bot)
    owner = program()
    environment = os.environ | {"BRELAN_HOUSE": owner.address, "BRELAN_TOKEN": owner.token}
    done = subprocess.run(
        [sys.executable, tmp_path / "bot.py"], env=environment, capture_output=True, text=True, timeout=60
    )
    assert "won by seat" in done.stdout, done.stdout + done.stderr
    assert not done.stderr


def test_the_documentation_names_every_error_and_message():
    text = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    for error in {*STATUS, "token", "own", "foreign", "before", "unknown", "method", "long", "media"}:
        assert f"`{error}`" in text, error
    for message in (Nonce, *Asking.__subclasses__()):
        name = message.__struct_config__.tag
        assert f'"type": "{name}"' in text or f"`{name}`" in text, name


# ---------------------------------------------------------------- refusals


def test_a_refusal_has_one_shape_and_the_right_status(program, guests):
    bot, ben = program(), guests()
    other = program(owner=ben)
    code = bot.table(bots="novice")
    view = bot.until(code, my_turn)
    number = view["number"]

    def refused(answer):
        told = answer.json()
        assert set(told) == {"error", "rule", "words"}
        assert told["words"].endswith(".")
        return answer.status_code, told["error"]

    assert refused(bot.say(code, "move", seen=number, move="discard 7h")) == (422, "illegal")
    assert bot.say(code, "move", seen=number, move="discard 7h").json()["rule"] == "O-G1"
    assert refused(bot.say(code, "move", seen=number, move="fly")) == (422, "unreadable")
    assert refused(bot.say(code, "move", seen=0, move="discard 7h")) == (409, "late")
    assert refused(bot.say(code, "fly")) == (422, "malformed")
    assert refused(bot.say(code, "move", seen="x", move="draw")) == (422, "malformed")
    assert refused(other.say(code, "move", seen=number, move="draw")) == (403, "wrong_seat")
    assert refused(other.say(code, "start")) == (403, "not_host")
    assert refused(bot.say(code, "stand")) == (409, "late")
    assert refused(bot.say(bot.table(), "bot", seat=1, level="god")) == (422, "choice")
    assert refused(bot.say("zzzzzz", "stand")) == (404, "unknown")
    assert refused(bot.http.get("/api/v1/tables/zzzzzz")) == (404, "unknown")
    assert refused(bot.http.get("/api/v1/games/whist")) == (404, "unknown")
    assert refused(bot.http.get(f"/api/v1/matches/{view['table']['match']}/record")) == (403, "before")
    assert refused(bot.http.get(f"/api/v1/tables/{code}?since=-1")) == (422, "malformed")
    assert refused(bot.http.get(f"/api/v1/tables/{code}?sense=1")) == (422, "malformed")
    assert refused(bot.http.get(f"/api/v1/tables/{code}?since=1&since=2")) == (422, "malformed")
    assert refused(bot.http.post("/api/v1/tables", json={"game": "gin", "players": 9})) == (422, "choice")
    unread = {"game": "gin", "players": 2, "name": "()", "bots": "novice"}
    assert refused(bot.http.post("/api/v1/tables", json=unread)) == (422, "malformed"), "no bot takes that chair"
    whist = bot.http.post("/api/v1/tables", json={"game": "whist", "players": 2})
    assert refused(whist) == (404, "unknown")
    assert whist.json()["words"].startswith("“whist” is not a game of the house; known: ")
    assert refused(bot.http.post("/api/v1/tables", content="{}")) == (415, "media")
    big = {"content": b" " * 70000, "headers": {"content-type": "application/json"}}
    assert refused(bot.http.post("/api/v1/tables", **big)) == (413, "long")
    deep = {"content": b"[" * 60000, "headers": {"content-type": "application/json"}}
    assert refused(bot.http.post("/api/v1/tables", **deep)) == (422, "malformed")
    endless = deep | {"content": b'{"game": "gin", "players": 2, "more": %b}' % (b"1" * 5000)}
    assert refused(bot.http.post("/api/v1/tables", **endless)) == (422, "malformed")
    assert refused(bot.http.put("/api/v1/tables")) == (405, "method")
    french = bot.http.put("/api/v1/tables", headers={"accept-language": "fr"})
    assert french.headers["allow"] == "GET, HEAD, POST"
    assert french.json()["words"] == Words("fr")("api.denied.method", known="GET, HEAD, POST")


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("sense=1", "there is no parameter “sense” here; known: since, wait."),
        ("since=1&since=2", "“since” is named twice."),
        ("since=x", "since: Expected `int`, got `str`."),
        ("lang=tlh", f"“tlh” is not a language of the house; known: {', '.join(LANGUAGES)}."),
    ],
)
def test_what_is_wrong_with_a_query_is_said(program, query, says):
    bot = program()
    answer = bot.http.get(f"/api/v1/tables/{bot.table()}?{query}")
    assert (answer.status_code, answer.json()["words"]) == (422, f"The request cannot be read: {says}")


@pytest.mark.parametrize(("name", "more"), [("players", '"players": 2'), ("days", '"customs": {"days": 2, "days": 3}')])
def test_of_two_values_of_one_key_none_is_taken(program, name, more):
    wanted = f'{{"game": "gin", "players": 2, {more}}}'
    answer = program().http.post("/api/v1/tables", content=wanted, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["words"] == f"The request cannot be read: the key “{name}” stands twice in one object."


def test_every_error_of_the_socket_has_a_status():
    assert {*ERRORS.values(), OTHER} <= set(STATUS)


def test_a_move_is_done_once_however_often_it_is_sent(program):
    bot = program()
    code = bot.table(bots="novice")
    view = bot.until(code, my_turn)
    answers = [bot.say(code, "move", key="once", seen=view["number"], move="draw").json() for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    line = bot.line(code)
    assert line.ask("move", key="once", seen=view["number"], move="draw")["number"] == answers[0]["number"]


# ---------------------------------------------------------------- the socket


def test_a_socket_with_a_token_needs_no_origin(program, anna):
    bot = program()
    code = bot.table(bots="novice")
    line = bot.line(code)
    turn(line)
    assert line.ask("move", seen=line.view["number"], move="draw")["type"] == "ack"
    with pytest.raises(InvalidStatus):
        bot.line(code, headers={})
    cookies = "; ".join(f"{c.name}={c.value}" for c in anna.http.cookies.jar)
    with pytest.raises(InvalidStatus):
        bot.line(code, headers={"Cookie": cookies})  # without an Origin
    with pytest.raises(InvalidStatus):
        bot.line(code, headers={"Cookie": cookies, "Authorization": "Bearer brl_x"})


# ---------------------------------------------------------------- the document


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_document_speaks_of_every_route_and_parameter(anna, language):
    told = anna.http.get(f"/api/openapi.json?lang={language}").json()
    assert told["openapi"].startswith("3.1")
    operations = [operation for methods in told["paths"].values() for operation in methods.values()]
    assert len(operations) == len(routes.all)
    for operation in operations:
        assert operation["summary"].endswith(".")
        assert {"429", "500", "503"} <= operation["responses"].keys()
        assert all(parameter["description"] for parameter in operation["parameters"])
    assert told["info"]["description"] == Words(language)("api.about")


def test_patterns_of_the_document_are_those_of_json_schema(anna):
    """Where Python's end of a text, `\\Z`, is a letter or an error, and a look-ahead more than Go and Rust can read."""
    assert not re.search(r"\\\\[AZ]|\(\?", anna.http.get("/api/openapi.json").text)


def test_the_document_names_the_few_values_against_which_one_programs(anna):
    shapes = anna.http.get("/api/openapi.json").json()["components"]["schemas"]
    closed = [("TableShown", "status"), ("SeatShown", "kind"), ("News", "kind"), ("Zone", "kind"), ("Card", "state")]
    for shape, name in (*closed, ("OptionShown", "kind"), ("MyTable", "status")):
        assert shapes[shape]["properties"][name]["enum"]
    said, nothing = shapes["Say"]["properties"]["preset"]["anyOf"]
    assert (said["enum"], nothing["type"]) == (list(PRESETS), "null")
    assert shapes["Scene"]["properties"]["seat"]["minimum"] == shapes["Card"]["properties"]["group"]["minimum"] == -1


def test_no_text_is_longer_by_a_line_s_end_than_its_pattern():
    """Python's `$` lets one through."""
    texts = {Code: "abc", MatchId: "abc-0123456789abcdef", TokenId: "0123456789ab", Eyes: "open", Label: "my bot"}
    for kind, text in texts.items():
        assert convert(text, kind) == text
        with pytest.raises(ValidationError):
            convert(f"{text}\n", kind)


def test_the_page_lists_every_route(anna):
    page = anna.http.get("/api").text
    for path in routes.paths():
        assert f'data-path="{path}"' in page
