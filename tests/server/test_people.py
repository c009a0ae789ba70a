"""What people decide about themselves: a passphrase that brings them along, their data, and being forgotten."""

import gzip
import html
import json
import re
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from sqlalchemy import select
from websockets.exceptions import ConnectionClosed

from brelan.play.customs import Customs
from brelan.play.messages import Say
from brelan.play.replay import Replay, record_of
from brelan.play.table import Table
from brelan.play.told import news
from brelan.server.matches import results
from brelan.server.matches.results import Finished
from brelan.server.people import farewell, people, phrases, tokens
from brelan.server.settings import Settings
from brelan.server.store import Store
from brelan.server.store.relations import meta
from brelan.server.store.scrub import scrub
from brelan.server.upkeep.backup import backup
from brelan.words import Words
from tests.server.clients import Guest, over, play, turn
from tests.server.conftest import Running
from tests.server.matches import begin, key, now, person, played, step, stored, table

POSTS = ["name", "phrase", "phrase/keep", "phrase/drop", "come", "export", "delete"]


def alert(answer):
    """The one sentence that says what was wrong."""
    (sentence,) = re.findall(r'role="alert"[^>]*>([^<]*)<', answer.text)
    return html.unescape(sentence)


def drawn(guest):
    """The words and the offer of a page that draws."""
    page = guest.http.post("/me/phrase").text
    words = re.findall(r"<li>([^<]+)</li>", page)
    return words, re.search(r'name="offer" value="([^"]+)"', page)[1]


def keep(guest):
    """A passphrase, drawn and confirmed."""
    words, offer = drawn(guest)
    answer = guest.http.post("/me/phrase/keep", data={"offer": offer, "phrase": " ".join(words)})
    assert answer.status_code == 303
    return words


def come(guest, phrase, **fields):
    return guest.http.post("/me/come", data={"phrase": phrase} | fields)


def identity(running, guest):
    return running.house.identity.guest(SimpleNamespace(cookies=dict(guest.http.cookies)))


@pytest.fixture
def anna(guests):
    return guests()


@pytest.fixture
def phone(guests):
    return guests()


# ---------------------------------------------------------------- passphrase


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_passphrase_brings_the_same_person_to_another_device(running, anna, phone, language):
    anna.http.get(f"/?lang={language}")
    anna.http.post("/me/name", data={"nickname": "Anna"})
    words = keep(anna)
    assert set(words) <= set(phrases.words(language))
    phone.make()  # a guest of its own, with a table
    assert come(phone, "-".join(words).upper(), leave="yes").status_code == 303
    assert identity(running, phone) == identity(running, anna)
    assert identity(running, phone).name == "Anna"


def test_a_phrase_counts_once_it_is_confirmed(anna, phone):
    words, offer = drawn(anna)
    assert come(phone, " ".join(words)).status_code == 422
    wrong = anna.http.post("/me/phrase/keep", data={"offer": offer, "phrase": " ".join(reversed(words))})
    assert wrong.status_code == 422
    assert not set(words) & set(re.findall(r"<li>([^<]+)</li>", wrong.text)), "shown once"
    anna.http.post("/me/phrase/keep", data={"offer": offer, "phrase": " ".join(words)})
    assert come(phone, " ".join(words)).status_code == 303


def test_nobody_chooses_a_phrase_of_their_own(anna, phone):
    """Neither without an offer, nor with one drawn for somebody else."""
    words, offer = drawn(phone)
    anna.http.post("/me/name", data={"nickname": "Anna"})
    for forged in ("", "forged", offer):
        answer = anna.http.post("/me/phrase/keep", data={"offer": forged, "phrase": " ".join(words)})
        assert answer.status_code == 422
    assert come(phone, " ".join(words)).status_code == 422


def test_a_new_phrase_takes_the_place_of_the_old_and_may_be_withdrawn(anna, phone):
    old = keep(anna)
    new = keep(anna)
    assert come(phone, " ".join(old)).status_code == 422
    anna.http.post("/me/phrase/drop")
    assert come(phone, " ".join(new)).status_code == 422


def test_the_database_holds_a_hash_only(running, anna):
    words = keep(anna)
    profile = people.profile(running.house.store, identity(running, anna).id)
    assert profile.phrase == running.house.identity.hashed(" ".join(words))
    assert re.fullmatch("[0-9a-f]{64}", profile.phrase)
    everything = (running.house.settings.folder() / "brelan.db").read_bytes()
    everything += (running.house.settings.folder() / "brelan.db-wal").read_bytes()
    assert profile.phrase.encode() in everything
    assert " ".join(words).encode() not in everything
    assert phrases.meant(" ".join(words)).encode() not in everything


def test_who_would_lose_tables_is_asked_first(anna, phone):
    words = keep(anna)
    phone.make()
    answer = come(phone, " ".join(words))
    assert answer.status_code == 422
    assert "leave them behind" in alert(answer)
    assert come(phone, " ".join(words), leave="yes").status_code == 303


def test_guessing_is_throttled(tmp_path):
    house = Running(tmp_path)
    try:
        guest = Guest(house.address)
        guest.make()
        answers = [come(guest, "acorn actor adobe agent album alder alley", leave="yes") for _ in range(8)]
        guest.close()
    finally:
        house.stop()
    assert [answer.status_code for answer in answers[:5]] == [422] * 5
    assert {answer.status_code for answer in answers[5:]} == {429}
    assert int(answers[-1].headers["retry-after"]) > 0


# ---------------------------------------------------------------- forms


@pytest.mark.parametrize("form", POSTS)
def test_a_form_of_another_site_changes_nothing(running, anna, form):
    words = keep(anna)
    before = people.profile(running.house.store, identity(running, anna).id)
    data = {"sure": "yes", "phrase": " ".join(words), "nickname": "Eve", "listed": "yes"}
    for origin in ("http://elsewhere.example", "null", ""):
        answer = anna.http.post(f"/me/{form}", data=data, headers={"origin": origin})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
    assert people.profile(running.house.store, before.person) == before


@pytest.mark.parametrize("form", POSTS)
def test_nothing_is_changed_by_following_a_link(running, anna, form):
    keep(anna)
    before = people.profile(running.house.store, identity(running, anna).id)
    assert anna.http.get(f"/me/{form}?sure=yes&listed=yes").status_code == 303
    assert people.profile(running.house.store, before.person) == before


def test_a_ladder_names_only_who_asked_for_it(running, anna, phone):
    assert anna.http.post("/me/name", data={"listed": "yes"}).status_code == 422, "a name is needed"
    name = f"Anna {secrets.token_hex(4)}"
    anna.http.post("/me/name", data={"nickname": name})
    code = anna.make(nickname=name)
    play(anna.line(code))
    wait_for(lambda: "bot" in anna.http.get("/ratings/gin").text.lower())
    wait_for(lambda: name in anna.http.get("/ratings/gin").text)  # one's own line, always
    assert name not in phone.http.get("/ratings/gin").text
    anna.http.post("/me/name", data={"nickname": name, "listed": "yes"})
    assert name in phone.http.get("/ratings/gin").text
    assert identity(running, anna).id not in phone.http.get("/ratings/gin").text


def wait_for(so, seconds=10.0):
    end = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_pages_say_everything_in_both_languages(anna, language):
    for path in ("/me", "/ratings", "/ratings/gin", "/ratings/mio?preset=sheet"):
        answer = anna.http.get(path, headers={"accept-language": language})
        assert answer.status_code == 200
        assert f'<html lang="{language}">' in answer.text
        assert "<script" not in answer.text.replace('<script src="/static/theme.js">', "")
    assert anna.http.get("/ratings/nothing").status_code == 404


def test_what_an_earlier_run_could_not_enter_is_there_after_the_start(tmp_path):
    store = Store(tmp_path / "brelan.db")
    stored(store, played(table("aaaaaa", [person(), None])))
    store.close()
    house = Running(tmp_path)
    try:
        wait_for(lambda: results.missing(house.house.store) == [])
        with house.house.store.read() as connection:
            assert len(connection.execute(select(meta.tables["finished"])).all()) == 1
    finally:
        house.stop()


# ---------------------------------------------------------------- the data


def test_the_export_holds_what_somebody_did_and_no_secret(running, anna):
    keep(anna)
    code = anna.make(nickname="Anna")
    line = anna.line(code)
    turn(line)
    own = identity(running, anna).id
    tokens.make(running.house.store, own, "my program", ["read"])
    answer = anna.http.post("/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    data = json.loads(answer.text)
    (at_table,) = [one for one in data["tables"] if one["code"] == code]
    assert (data["person"], data["name"], data["passphrase"]) == (own, "Anna", True)
    assert [token["name"] for token in data["tokens"]] == ["my program"]
    assert {"sat", "made"} <= {event["kind"] for event in at_table["events"]}
    (started,) = [event for event in running.house.store.events(code) if event.kind == "started"]
    assert started.data["secret"] not in answer.text
    play(line, over)
    wait_for(lambda: json.loads(anna.http.post("/me/export").text)["matches"])
    (match,) = json.loads(anna.http.post("/me/export").text)["matches"]
    assert anna.http.get(match["address"]).status_code == 200


# ---------------------------------------------------------------- being forgotten


def crowd(store):
    """Anna, who played everywhere and with everybody, and the others."""
    anna, bela = person(), person()
    names = ("Anna-Zephyrine", "Béla")
    first = stored(store, played(table("aaaaaa", [anna, bela], names=names)))
    results.enter(store, Finished.of(first))
    second = stored(store, played(table("bbbbbb", [anna, None], names=names)))
    results.enter(store, Finished.of(second))
    running = table("cccccc", [bela, anna], names=("Béla", "Anna-Zephyrine"), customs=Customs(talk=True))
    begin(running)
    running.receive(anna, Say(key(), text="Zephyrine is my name"), now())
    running.receive(bela, Say(key(), text="Hello!"), now())
    for _ in range(3):
        step(running, [1])
    stored(store, running)
    stored(store, table("dddddd", [anna, bela], names=names))
    people.remember(store, anna, name="Anna-Zephyrine", phrase="00ff" * 16, listed=True)
    people.remember(store, bela, name="Béla", listed=True)
    tokens.make(store, anna, "token of Anna-Zephyrine", ["read"])
    for relation in meta.sorted_tables:  # whoever adds one says here what becomes of it
        assert "person" not in relation.c or anna in {row.person for row in found(store, relation.name)}
    return anna, bela


def hits(data, anna):
    return data.count(anna.encode()) + data.count(b"Zephyrine") + data.count(b"00ff" * 16)


def rows(store):
    """Everything in the database, as text."""
    return "\n".join(str(tuple(row)) for relation in meta.sorted_tables for row in found(store, relation.name))


def test_whatever_looks_through_all_events_does_so_one_at_a_time(running, guests, monkeypatch):
    """Else a few of them would hold every thread that reads, and the tables would wait."""
    busy, most = [], []

    def export(store, person):
        busy.append(person)
        most.append(len(busy))
        time.sleep(0.1)
        busy.remove(person)
        return {"name": ""}

    monkeypatch.setattr(people, "export", export)
    people_there = [guests() for _ in range(4)]
    with ThreadPoolExecutor() as asking:
        answers = asking.map(lambda guest: guest.http.post("/me/export").status_code, people_there)
    assert list(answers) == [200] * 4
    assert most == [1] * 4


def found(store, relation):
    with store.read() as connection:
        return connection.execute(select(meta.tables[relation])).all()


def forget(store, who):
    changed = set()
    farewell.forget(store, who, changed.add)
    return changed


@pytest.fixture
def filled(tmp_path):
    """A store whose file and whose log both know Anna; Anna, and the two files."""
    store = Store(tmp_path / "brelan.db")
    anna, _ = crowd(store)
    scrub(store.engine)
    people.remember(store, anna, listed=False)
    files = [tmp_path / "brelan.db", tmp_path / "brelan.db-wal"]
    assert all(hits(file.read_bytes(), anna) for file in files), "the search finds what is there"
    yield store, anna, files
    store.close()


def test_who_is_forgotten_is_in_no_byte_of_the_database_its_log_or_a_backup(filled, tmp_path):
    store, anna, files = filled
    assert forget(store, anna) == {"aaaaaa", "bbbbbb", "cccccc", "dddddd"}
    assert [hits(file.read_bytes(), anna) for file in files] == [0, 0]
    store.close()
    assert hits(files[0].read_bytes(), anna) == 0
    backup(Settings(data=tmp_path), tmp_path / "backup")
    kept = gzip.decompress((tmp_path / "backup").read_bytes())
    assert b"cccccc" in kept
    assert hits(kept, anna) == 0


def test_a_table_that_can_no_longer_be_read_keeps_nobody_here(filled, monkeypatch):
    store, anna, files = filled

    def rebuilt(*_):
        raise KeyError(anna)

    monkeypatch.setattr(farewell.Table, "rebuilt", rebuilt)
    assert forget(store, anna) == {"aaaaaa", "bbbbbb", "cccccc", "dddddd"}
    assert [hits(file.read_bytes(), anna) for file in files] == [0, 0]
    assert store.events("bbbbbb")[-1].kind == "forgotten"


def test_the_log_would_remember(filled, monkeypatch):
    """Where nobody empties it, the search finds what the database no longer says."""
    store, anna, files = filled
    monkeypatch.setattr(farewell, "scrub", lambda _: None)
    forget(store, anna)
    assert hits(rows(store).encode(), anna) == 0
    assert hits(files[1].read_bytes(), anna)


def test_on_postgresql_no_row_remembers(postgres):
    store = Store(postgres)
    anna, bela = crowd(store)
    assert hits(rows(store).encode(), anna)
    forget(store, anna)
    assert hits(rows(store).encode(), anna) == 0
    assert bela in rows(store)
    store.close()


def test_the_others_keep_their_matches_and_ratings(tmp_path):
    store = Store(tmp_path / "brelan.db")
    anna, bela = crowd(store)
    before = [row for row in found(store, "ratings") if row.person == bela]
    matches = [row.match for row in sorted(found(store, "finished"), key=lambda row: row.number)]
    forget(store, anna)
    assert [row for row in found(store, "ratings") if row.person == bela] == before != []
    seats = found(store, "results")
    ghosts = {seat.person for seat in seats} - {bela, "bot:novice"}
    assert len(ghosts) == 2, "at each table another pseudonym"
    for code, one in zip(("aaaaaa", "bbbbbb"), matches, strict=True):
        replay = Replay(store.events(code), one)
        assert replay.match.over
        assert record_of(store.events(code), one)
    store.close()


def test_the_keeper_takes_the_seat_and_the_match_goes_on(tmp_path):
    store = Store(tmp_path / "brelan.db")
    anna, bela = crowd(store)
    forget(store, anna)
    playing = Table.rebuilt(secrets.token_bytes, store.events("cccccc"))
    seat = playing.seats[1]
    assert (seat.kept, seat.why, seat.name) == ("novice", "left", "")
    assert playing.events[-1].kind == "forgotten"
    told = [one.words for one in news(playing, 0, 0, Words("en", "gin")) if one.kind == "said"]
    assert len(told) == 1, "what the others said stays"
    assert "Hello!" in told[0]
    while playing.status != "over":
        step(playing, [1])
    waiting = Table.rebuilt(secrets.token_bytes, store.events("dddddd"))
    assert [seat.person for seat in waiting.seats] == ["", bela]
    assert waiting.host not in (anna, bela)
    store.close()


def test_by_the_button_at_a_running_table(running, guests):
    """Who watches sees the keeper and no name; browser and lines are nobody's; nothing is done without the tick."""
    anna, bela = guests(), guests()
    name = f"Anna {secrets.token_hex(5)}"
    code = anna.make(against="", nickname=name)
    bela.http.post("/name", data={"nickname": "Béla"})
    line, other = anna.line(code), bela.line(code)
    other.ask("sit", seat=1, name="Béla")
    line.ask("start")
    line.viewed(lambda view: view["table"]["wants_nonce"])
    other.viewed(lambda view: view["scene"])
    own = identity(running, anna).id
    refused = anna.http.post("/me/delete")
    assert refused.status_code == 422
    assert "Nothing was deleted" in alert(refused)
    assert anna.http.post("/me/delete", data={"sure": "yes"}).status_code == 200
    assert "brelan_guest" not in anna.http.cookies
    other.viewed(lambda view: view["table"]["seats"][0]["kept"] and view["table"]["seats"][0]["name"] != name)
    with pytest.raises(ConnectionClosed):
        line.until(lambda _: False)
    assert name not in bela.http.get(f"/t/{code}").text
    play(other)
    assert hits_in(running.house.store, own, name) == 0


def hits_in(store, *wanted):
    text = rows(store)
    return sum(text.count(one) for one in wanted)
