"""Finished matches over HTTP: an address that stays, its data as each viewer may ask, and nothing before the end."""

import asyncio
import json
import re
import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest

from brelan import games
from brelan.errors import Refusal
from brelan.play.customs import Customs
from brelan.play.messages import Consent, Nonce, Say
from brelan.play.record import verify
from brelan.play.replay import OPEN, Replay, record_of
from brelan.server.matches import shown
from brelan.server.matches.shown import STEPS
from brelan.server.store import Store, index
from brelan.server.store.store import BEGUN, OVER
from brelan.words import LANGUAGES, Words, catalogue
from tests.play.scripts import NONCE, begun, play_again, play_on, undo
from tests.server.clients import fail, over, play
from tests.server.faces import named


@pytest.fixture
def anna(guests):
    return guests()


@pytest.fixture(scope="module")
def match(running):
    """A match of gin that is over, as its player's last view of it."""
    from tests.server.clients import Guest

    anna = Guest(running.address)
    line = anna.line(anna.make(**{"option.target": "60"}))
    play(line)
    line.viewed(over)
    yield {"guest": anna, "line": line, "table": line.view["table"]}
    anna.close()


def addresses(match):
    return [f"/m/{match}", f"/m/{match}/scenes?seat=open&from=0", f"/m/{match}/log?seat=open", f"/m/{match}/record"]


def test_before_the_end_every_address_is_shut_and_tells_no_card(anna, guests):
    line = anna.line(anna.make())
    match = line.viewed(lambda view: view["scene"])["table"]["match"]
    for guest in (anna, guests()):
        for address in addresses(match):
            answer = guest.http.get(address)
            assert answer.status_code == 403, address
            assert "once the match is over" in answer.text
            assert not named(re.sub(r"<head>.*</head>", "", answer.text, flags=re.S))


def test_a_link_to_a_match_says_who_played_and_does_not_give_away_who_won(match, guests):
    table, words = match["table"], Words("en")
    page = guests().http.get(f"/m/{table['match']}").text
    players = words.listed([seat["player"] for seat in table["seats"]])
    assert f'property="og:description" content="{players}."' in page
    assert '<meta name="robots" content="noindex">' in page


def test_nothing_of_a_match_or_a_table_is_to_be_listed_by_search_engines(match, guests):
    """Whatever it is made of, and however it ends; what a house says of its games is."""
    table, robot = match["table"], guests()
    shut = [f"/t/{table['code']}{part}" for part in ("", "/record", "/qr.svg", "/nothing")]
    shut += [*addresses(table["match"]), *addresses("nothing"), f"/api/v1/matches/{table['match']}/record"]
    free = ["/", "/rules/gin", "/ratings/gin"]
    told = {path: robot.http.get(path).headers.get("x-robots-tag") for path in shut + free}
    assert told == dict.fromkeys(shut, "noindex") | dict.fromkeys(free)


@pytest.mark.parametrize("match", ["nothing", "zzzzzz-0011223344556677", "-", "a-b-c"])
def test_an_unknown_match_is_said_in_one_sentence(anna, match):
    for address in addresses(match):
        answer = anna.http.get(address)
        assert answer.status_code == 404
        assert match in re.findall(r'role="alert">([^<]*)<', answer.text)[0]


def test_a_match_of_other_rules_is_shown_no_more_and_leads_to_its_record(anna, match, monkeypatch):
    table = match["table"]
    others = tuple(replace(game, revision=99) for game in games.GAMES)
    monkeypatch.setattr(games, "GAMES", others)
    answer = anna.http.get(f"/m/{table['match']}")
    assert answer.status_code == 410
    assert "revision 99" in re.findall(r'role="alert">([^<]*)<', answer.text)[0]
    (link,) = re.findall(r'href="(/m/[^"]*)"', answer.text)
    assert '"secret"' in anna.http.get(link).text.splitlines()[-1]


def test_who_reads_long_matches_keeps_nobody_else_from_reading(monkeypatch):
    read = threading.Event()
    monkeypatch.setattr(shown, "finished_events", lambda *_: read.wait(20) and fail())

    async def happen():
        matches = [asyncio.create_task(shown.of_match(None, "abc", None)) for _ in range(100)]
        await asyncio.sleep(0)
        try:
            await asyncio.wait_for(asyncio.to_thread(time.time), 5)
        finally:
            read.set()
            await asyncio.gather(*matches, return_exceptions=True)

    asyncio.run(happen())


def test_matches_are_played_again_one_after_the_other(monkeypatch):
    """Side by side they kept every table's next commit waiting, and were hardly sooner done."""
    here, most = [], []

    def played(*_):
        here.append(1)
        time.sleep(0.01)
        most.append(len(here))
        return here.pop()

    async def happen():
        await asyncio.gather(*(shown.of_match(None, "abc", played) for _ in range(8)))

    monkeypatch.setattr(shown, "finished_events", played)
    monkeypatch.setattr(shown, "Replay", played)
    asyncio.run(happen())
    assert set(most) == {1}


def test_another_match_of_the_same_table_is_unknown(anna, match):
    table = match["table"]
    assert anna.http.get(f"/m/{table['code']}-0011223344556677").status_code == 404


def test_anybody_may_see_it_and_the_pages_are_kept_to_ourselves(guests, match):
    for address in addresses(match["table"]["match"]):
        answer = guests().http.get(address)
        assert answer.status_code == 200
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
    page = guests().http.get(f"/m/{match['table']['match']}").text
    assert not re.search(r"<style|\sstyle=|\son\w+=", page)
    assert not re.search(r"<script(?![^>]*(src=|application/json))", page)
    assert not re.search(r'(src|href)="(https?:)?//', page)


def shell(guest, match):
    page = guest.http.get(f"/m/{match}?lang=en").text
    (data,) = re.findall(r'<script type="application/json" id="match">(.*?)</script>', page, re.S)
    return json.loads(data)


def test_the_shell_knows_whose_seat_it_was_and_gives_away_no_link(guests, match):
    own, other = shell(match["guest"], match["table"]["match"]), shell(guests(), match["table"]["match"])
    assert (own["table"]["seat"], other["table"]["seat"]) == (0, None)
    assert own["table"]["link"] is other["table"]["link"] is None
    assert own["table"]["scores"] == match["table"]["scores"]
    assert own["table"]["secret"] == match["table"]["secret"]
    assert len(own["rounds"]) == len(own["table"]["sheet"])


def test_a_seat_that_was_brought_to_another_device_is_its_own_there_too(guests, match):
    """By the cookies that a browser would send: whose seat it was, and a table of the device's own that plays on."""
    phone, table = guests(), match["table"]
    assert phone.http.post(table["link"]).status_code == 303
    assert shell(phone, table["match"])["table"]["seat"] == 0
    form = {"step": "3", "seat": "1", "against": "bots"}
    on = phone.http.post(f"/m/{table['match']}/whatif", data=form).headers["location"]
    known = phone.http.cookies["brelan_guest"]
    phone.http.get(on)
    assert phone.http.cookies["brelan_guest"] == known
    assert phone.line(on.rpartition("/")[2]).view["table"]["seat"] == 1


def test_every_view_that_came_over_the_socket_comes_again(match):
    """What this seat was sent while it played, byte for byte but for what could be chosen then."""
    guest, code = match["guest"], match["table"]["match"]
    count, steps = shell(guest, code)["steps"], []
    while len(steps) < count:
        answer = guest.http.get(f"/m/{code}/scenes?seat=0&from={len(steps)}").json()["steps"]
        assert 0 < len(answer) <= STEPS
        steps += answer
    again = [step["scene"] for step in steps]
    views = [json.loads(frame) for frame in match["line"].frames if '"type":"view"' in frame]
    live = [calm(view["scene"]) for view in views if view["scene"]]
    assert len(live) > count / 3
    assert all(scene in again for scene in live)
    assert again[-1] == live[-1]


def calm(scene):
    """A scene of the table with nothing to choose, as a replay shows it."""
    for card in (card for zone in scene["zones"] for card in zone["cards"]):
        card["state"] = "marked" if card["state"] == "marked" else ""
        card["why"] = card["rule"] = None
    return scene | {"choices": [], "call": None}


def test_answers_are_packed_and_speak_the_language_asked_for(guests, match):
    code, guest = match["table"]["match"], guests()
    answer = guest.http.get(f"/m/{code}/scenes?seat=open&from=0&lang=fr")
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < 20_000
    assert "Pioche" in answer.text
    told = guest.http.get(f"/m/{code}/log?seat=spectator&lang=fr").json()["log"]
    lines = map(json.loads, guest.http.get(f"/m/{code}/record").text.splitlines())
    turns = sum(line.get("move") in ("draw", "take") for line in lines)
    assert sum(one["words"].endswith(" pioche.") or " prend " in one["words"] for one in told) == turns > 0
    assert told[-1]["step"] == shell(guest, code)["steps"] - 1


@pytest.mark.parametrize(
    "query",
    ["", "seat=2&from=0", "seat=-1&from=0", "seat=all&from=0", "seat=0&from=-1", "seat=0&from=x", "seat=²&from=0"],
)
def test_a_view_that_is_not_there_is_said_in_one_sentence(anna, match, query):
    answer = anna.http.get(f"/m/{match['table']['match']}/scenes?{query}")
    assert answer.status_code == 404
    assert "not seen from there" in answer.text


def test_behind_the_last_step_there_is_nothing(anna, match):
    assert anna.http.get(f"/m/{match['table']['match']}/scenes?seat=0&from=999999999").json() == {"steps": []}


def test_the_record_is_the_tables_last_and_stays_after_another_match(anna, match):
    code, table = match["table"]["match"], match["table"]
    record = anna.http.get(f"/m/{code}/record")
    assert record.headers["content-disposition"] == f'attachment; filename="{code}.jsonl"'
    last = anna.http.get(table["record"])
    assert last.content == record.content
    assert last.headers["content-disposition"] == record.headers["content-disposition"]
    assert len(verify(record.content, strict=True)) == 1
    match["line"].ask("again")
    match["line"].viewed(lambda view: view["table"]["status"] == "playing" and view["scene"])
    assert anna.http.get(table["record"]).status_code == 403
    assert anna.http.get(f"/m/{code}/record").content == record.content
    assert shell(anna, code)["table"]["scores"] == table["scores"]
    assert anna.http.get(f"/m/{match['line'].view['table']['match']}").status_code == 403


def three_matches():
    """A table of three matches, by their ids: in each a move is taken back, and before it what stands in the books is
    said aloud.
    """
    table, ids = begun(persons=2, customs=Customs(talk=True), options={"target": 30}), []
    while len(ids) < 3:
        play_on(table, until=lambda table: table.may_undo(0))
        undo(table, "anna")
        if table.slips.request:
            table.receive("ben", Consent(f"consent {table.number}", True), 22.0)
        play_on(table)
        ids.append(table.sealed.match)
        table.receive("ben", Say(f"say {table.number}", text=f"{OVER},{BEGUN} \\{ids[0]}"), 100.0 * len(ids))
        play_again(table, 100.0 * len(ids))
        for name in ("anna", "ben"):
            table.receive(name, Nonce(NONCE), 100.0 * len(ids))
    return table, ids


def test_other_matches_of_the_same_table_are_passed_over_as_they_lie(tmp_path, monkeypatch):
    (table, ids), read, words = three_matches(), [], Words("en", "gin")
    monkeypatch.setattr(index, "decoded", lambda body, decoded=index.decoded: read.append(body) or decoded(body))
    with closing(Store(tmp_path / "brelan.db")) as store:
        store.append(table.code, table.events).result()
        for match in ids:
            read.clear()
            events = store.events_of(table.code, match)
            few, all_of_them = Replay(events, match), Replay(table.events, match)
            assert few.table.events == all_of_them.table.events == events
            assert record_of(events, match) == record_of(table.events, match)
            assert list(few.scenes(0, words, 0, 500)) == list(all_of_them.scenes(0, words, 0, 500))
            assert list(few.told(OPEN, words)) == list(all_of_them.told(OPEN, words))
            assert {"undone", "move"} < {event.kind for event in few.events}
            assert len(read) == len(events) < table.number / 2
        assert [event.kind for event in events].count("said") == 2
        for unknown in ("abc-00", ids[0][:-1], ids[0] + '"'):
            with pytest.raises(Refusal, match="There is no match"):
                Replay(store.events_of(table.code, unknown), unknown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_the_replay_hides_one_of_the_table(language):
    names = [key.partition(".")[2] for key in catalogue(language) if key.startswith(("client.", "replay."))]
    assert len(names) == len(set(names))
