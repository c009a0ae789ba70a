"""What people decide about themselves: a passphrase that brings them along, their data, and being forgotten."""

import json
import re
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from http.cookiejar import DefaultCookiePolicy
from threading import current_thread
from types import SimpleNamespace

import msgspec
import pytest
from sqlalchemy import func, select

from brelan.play.customs import Customs
from brelan.play.messages import Again, Consent, Leave, Sit, Undo
from brelan.server.matches import results
from brelan.server.pages import profiles
from brelan.server.people import people, phrases, tokens
from brelan.server.people.identity import Guest as Known
from brelan.server.people.identity import Identity, mark
from brelan.server.store import Store
from brelan.server.store.relations import meta
from brelan.server.store.relations import people as relation
from brelan.server.store.relations import tokens as tokens_relation
from brelan.words import LANGUAGES, Words
from tests.server.clients import Guest, alert, identity, over, play, turn, until
from tests.server.conftest import Running
from tests.server.matches import begin, key, now, person, played, step, stored, table

POSTS = ["name", "phrase", "phrase/keep", "phrase/drop", "come", "leave", "export", "delete"]


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


@pytest.fixture
def phone(guests):
    return guests()


def test_what_two_workers_remember_at_once_is_remembered_both(postgres, monkeypatch):
    """Of somebody of whom nothing was known, too."""
    one, other, put = Store(postgres), Store(postgres), people.put

    def meanwhile(*asked):
        monkeypatch.undo()
        people.remember(other, "anna", listed=True)
        put(*asked)

    monkeypatch.setattr(people, "put", meanwhile)
    people.remember(one, "anna", name="Anna")
    known = people.profile(one, "anna")
    assert (known.name, known.listed) == ("Anna", True)
    for store in (one, other):
        store.close()


def test_what_a_house_has_signed_it_knows_in_every_version():
    """Else everybody would be a stranger after it, and a restored house would not open."""
    house, zoe = Identity(bytes(32)), Known("0" * 32, "Zoë")
    cookie = ".eJyLVjIgAJR0lKLyD69WigUAu30JpA.4OSoErJZg0Pfbzrtt8Ae3RiDw_U"
    assert house.guest(SimpleNamespace(cookies={"brelan_guest": cookie})) == zoe
    link = ".eJyLVkpMSk5JTVPSUTIgAIBKovIPr1aKBQBBfgxp.V_kddQibZdVMWMC7EMpRMLUQT_U"
    assert house.brought("abcdef", link) == zoe
    assert mark(bytes(32)) == "05a1e5d5f509068d"


# ---------------------------------------------------------------- name


@pytest.mark.parametrize("how", ["/name", "/tables"])
def test_a_name_is_the_same_wherever_it_is_given(running, anna, how):
    anna.http.post("/me/name", data={"nickname": "Ada", "listed": "yes"})
    asked = {"nickname": "Berta", "game": "gin", "against": "bots", "players": "2"}
    assert anna.http.post(how, data=asked).status_code == 303
    own = identity(running, anna)
    known = people.profile(running.house.store, own.id)
    assert (own.name, known.name, known.listed) == ("Berta", "Berta", True)


def test_who_gives_up_their_name_is_on_no_ladder(running, anna):
    anna.http.post("/me/name", data={"nickname": "Ada", "listed": "yes"})
    anna.http.post("/name", data={"nickname": ""})
    known = people.profile(running.house.store, identity(running, anna).id)
    assert (known.name, known.listed) == ("", False)


@pytest.mark.parametrize("listed", [True, False], ids=["remembered", "not remembered"])
def test_a_name_that_is_the_same_costs_no_write(running, anna, listed, monkeypatch):
    anna.http.post("/me/name" if listed else "/name", data={"nickname": "Ada", "listed": "yes"})
    own = identity(running, anna)
    with monkeypatch.context() as patch:
        patch.setattr(Store, "submit", lambda *_: pytest.fail("written"))
        people.rename(running.house.store, own.id, own.name)
    assert people.profile(running.house.store, own.id).listed == listed


def test_of_who_asks_for_nothing_a_name_is_in_their_cookie_only(running, anna):
    anna.http.post("/name", data={"nickname": "Ada"})
    assert people.profile(running.house.store, identity(running, anna).id).since == 0.0


# ---------------------------------------------------------------- passphrase


@pytest.mark.parametrize("language", LANGUAGES)
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
    assert f'value="{" ".join(reversed(words))}"' in wrong.text, "what was typed is mended, not typed anew"
    assert not set(words) & set(re.findall(r"<li>([^<]+)</li>", wrong.text)), "shown once"
    anna.http.post("/me/phrase/keep", data={"offer": offer, "phrase": " ".join(words)})
    assert come(phone, " ".join(words)).status_code == 303


def test_what_keeps_passwords_may_keep_the_phrase(anna):
    """And type it: it is the only secret that there is."""
    for answer, of in ((anna.http.get("/me"), "current"), (anna.http.post("/me/phrase"), "new")):
        assert f'autocomplete="{of}-password"' in re.search('<input name="phrase"[^>]*>', answer.text)[0]


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
    asked = anna.http.post("/me/phrase/drop")
    assert asked.status_code == 422
    assert "tick that you are sure" in alert(asked)
    assert come(phone, " ".join(new)).status_code == 303
    anna.http.post("/me/phrase/drop", data={"sure": "yes"})
    assert come(phone, " ".join(new)).status_code == 422


def test_the_database_holds_a_hash_only(running, anna):
    words = keep(anna)
    profile = people.profile(running.house.store, identity(running, anna).id)
    assert profile.phrase == running.house.identity.hashed(" ".join(words))
    assert re.fullmatch("[0-9a-f]{64}", profile.phrase)
    everything = (running.house.settings.made_folder() / "brelan.db").read_bytes()
    everything += (running.house.settings.made_folder() / "brelan.db-wal").read_bytes()
    assert profile.phrase.encode() in everything
    assert " ".join(words).encode() not in everything
    assert phrases.meant(" ".join(words)).encode() not in everything


def test_who_would_lose_tables_is_asked_first(anna, phone):
    words = keep(anna)
    phone.make()
    answer = come(phone, " ".join(words))
    assert answer.status_code == 422
    assert "leave them behind" in alert(answer)
    assert f'value="{" ".join(words)}"' in answer.text
    assert re.findall(r'name="(\w+)"[^>]* aria-invalid="true"', answer.text) == ["leave"], "the phrase is right"
    assert re.search(r'<details open>(?:(?!</details>).)*id="instead-error"', answer.text, re.S)
    wrong = come(phone, " ".join(words[1:]), leave="yes")
    assert re.search('name="leave" value="yes" checked', wrong.text), "what was ticked stays so"
    assert come(phone, " ".join(words), leave="yes").status_code == 303


def test_who_leaves_a_device_is_nobody_there_and_themselves_elsewhere(running, anna, phone):
    """At the table whose seat was brought there as well; who could never come back is asked first."""
    words, code = keep(phone), anna.make(against="")
    me = identity(running, phone)
    phone.http.post(anna.line(code).view["table"]["link"])
    assert phone.http.post("/me/leave").status_code == 200
    assert not phone.http.cookies
    come(phone, " ".join(words))
    assert identity(running, phone).id == me.id
    assert phone.line(code).view["table"]["seat"] is None
    asked = anna.http.post("/me/leave")
    assert (asked.status_code, "brelan_guest" in anna.http.cookies) == (422, True)
    assert "leave them behind" in alert(asked)
    assert anna.http.post("/me/leave", data={"leave": "yes"}).status_code == 200
    assert not anna.http.cookies


def test_what_is_held_of_whose_seat_was_brought_is_told_where_it_came_from(anna, phone):
    """That device is somebody else there; it is not told that nothing is held."""
    said, code = Words("en"), anna.make(against="")
    assert said("me.nobody") in phone.http.get("/me").text
    phone.http.post(anna.line(code).view["table"]["link"])
    for name in ("", "Berta"):
        page = phone.http.get("/me").text
        assert [said("me.elsewhere") in page, said("me.nobody") in page] == [True, False]
        assert ("/me/delete" in page) == bool(name), "only what is theirs here"
        phone.http.post("/me/name", data={"nickname": "Berta"})
    come(anna, "-".join(keep(phone)), leave="yes")
    assert said("me.elsewhere") not in anna.http.get("/me").text


def test_a_tick_outlasts_a_name_that_was_forgotten(running):
    new = Guest(running.address)
    answer = new.http.post("/me/name", data={"nickname": " ", "listed": "yes"})
    assert answer.status_code == 422
    assert re.search('name="nickname" value="" .*aria-describedby="name-error"', answer.text)
    assert re.search('name="listed" value="yes" checked', answer.text)
    new.close()


@pytest.mark.parametrize(
    ("address", "kept"), [("/ratings/gin?preset=classic", "preset=classic"), ("/join?code=zzzzz2", "code=zzzzz2")]
)
def test_another_language_asks_for_the_same(running, address, kept):
    new = Guest(running.address)
    assert f'href="?lang=fr&amp;{kept}"' in new.http.get(address).text
    new.close()


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
    anna.http.cookies.clear()  # browsers send none with it
    answer = anna.http.post(f"/me/{form}", data=data, headers={"origin": "http://elsewhere.example"})
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def rows(house):
    """How many people are remembered, and tokens."""
    with house.store.read() as connection:
        return [connection.scalar(select(func.count()).select_from(one)) for one in (relation, tokens_relation)]


FORMS = ["/name", *(f"/me/{form}" for form in ("name", "phrase", "phrase/keep", "phrase/drop", "come"))]


@pytest.mark.parametrize("form", FORMS)
def test_who_keeps_no_cookies_is_told_so_and_nothing_is_written_down(running, anna, form):
    anna.http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    before, data = rows(running.house), {"sure": "yes", "phrase": "a", "nickname": "Ada", "listed": "yes"}
    answer = anna.http.post(form, data=data, headers={"accept-language": "en"})
    assert (answer.status_code, alert(answer)) == (403, Words("en")("page.no_cookies"))
    assert rows(running.house) == before


def test_of_who_keeps_no_cookies_no_token_is_made(running, anna):
    anna.http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    before = rows(running.house)
    answer = anna.http.post("/api/v1/tokens?lang=en", json={"name": "mine", "scopes": ["read"]})
    assert (answer.status_code, answer.json()["words"]) == (422, Words("en")("page.no_cookies"))
    assert rows(running.house) == before


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
    assert until(lambda: "bot" in anna.http.get("/ratings/gin").text.lower())
    assert until(lambda: name in anna.http.get("/ratings/gin").text)  # one's own line, always
    tables = re.findall('<div class="wide"([^>]*)><table', anna.http.get("/ratings/gin").text)
    assert {table.rpartition(" ")[0] for table in tables} == {' role="region" tabindex="0"'}, "scrolled by keys"
    assert name not in phone.http.get("/ratings/gin").text
    anna.http.post("/me/name", data={"nickname": name, "listed": "yes"})
    assert name in phone.http.get("/ratings/gin").text
    assert identity(running, anna).id not in phone.http.get("/ratings/gin").text


def test_all_ones_matches_are_found_page_by_page_and_with_whom_they_were(running, anna, monkeypatch):
    monkeypatch.setattr(profiles, "MATCHES", 2)
    anna.http.post("/name", data={"nickname": "Anna"})
    own, store, matches = identity(running, anna).id, running.house.store, []
    for code, other in (("aaaaab", None), ("aaaaac", person()), ("aaaaad", None)):
        made = stored(store, played(table(code, [own, other])))
        results.enter(store, results.Finished.of(made))
        matches.append(made.sealed.match)
    page = anna.http.get("/me").text
    assert [match in page for match in matches] == [False, True, True]
    assert "with Béla" in page
    (older,) = re.findall(r'href="(/me\?before=[0-9]+)#matches"', page)
    page = anna.http.get(older).text
    assert [match in page for match in matches] == [True, False, False]
    assert "with 1 bot" in page
    assert "/me?before" not in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_say_everything_in_both_languages(anna, language):
    for path in ("/me", "/ratings", "/ratings/gin", "/ratings/mio?preset=sheet"):
        answer = anna.http.get(path, headers={"accept-language": language})
        assert answer.status_code == 200
        assert f'<html lang="{language}" dir="ltr">' in answer.text
        assert re.findall(r'<script.*?src="/static/(.*?)"', answer.text) == ["theme.js", "once.js"]
        assert answer.text.count("<script") == 2
    assert anna.http.get("/ratings/nothing").status_code == 404


def test_what_an_earlier_run_could_not_enter_is_there_after_the_start(tmp_path):
    store = Store(tmp_path / "brelan.db")
    stored(store, played(table("aaaaaa", [person(), None])))
    store.close()
    house = Running(tmp_path)
    try:
        assert until(lambda: results.missing(house.house.store) == [])
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
    assert until(lambda: json.loads(anna.http.post("/me/export").text)["matches"])
    (match,) = json.loads(anna.http.post("/me/export").text)["matches"]
    assert anna.http.get(match["address"]).status_code == 200


def test_the_export_is_written_beside_the_tables(running, anna, monkeypatch):
    places, write = [], msgspec.json.format
    monkeypatch.setattr(
        msgspec.json, "format", lambda *given, **how: places.append(current_thread()) or write(*given, **how)
    )
    exported = anna.http.post("/me/export").text
    assert exported.startswith('{\n "brelan": '), "people read it"
    assert places
    assert running.thread not in places


def test_the_export_tells_what_became_of_ones_seat(tmp_path):
    """Which bot kept it, why, and how it moved; how the table was made; nothing of others, nor once one has left."""
    store, anna, bela = Store(tmp_path / "brelan.db"), person(), person()
    made = table("aaaaaa", [anna, bela], customs=Customs(talk=True))
    begin(made)
    for seat in made.seats:
        made.receive(seat.person, Leave(key()), now())
    while made.status != "over":
        step(made, [1])
    made.receive(bela, Sit(key(), 0, "Béla"), now())
    stored(store, made)
    (at_table,) = people.export(store, anna)["tables"]
    told = at_table["events"]
    assert next(event for event in told if event["kind"] == "made")["customs"]["talk"]
    assert [event["why"] for event in told if event["kind"] == "kept"] == ["left"]
    assert {event["by"] for event in told if event["kind"] == "move"} == {"novice"}
    assert {event["seat"] for event in told if "seat" in event} == {0}
    assert told[-1]["kind"] == "stood"
    store.close()


def test_the_export_tells_what_was_taken_back(tmp_path):
    """Else moves look as if they had been played: one's own, and those that went with another's."""
    store, mates = Store(tmp_path / "brelan.db"), [person(), person(), person()]
    made = table("aaaaaa", mates, game="companeros", customs=Customs(pace="days"))
    begin(made)
    movers = []
    while len(movers) < 2:
        movers += made.asked()[:1]
        step(made, [1])
    made.receive(mates[movers[0]], Undo(key()), now())
    for seat in made.consents():
        made.receive(mates[seat], Consent(key(), True), now())
    stored(store, made)
    for seat in movers:
        (at_table,) = people.export(store, mates[seat])["tables"]
        (undone,) = [event for event in at_table["events"] if event["kind"] == "undone"]
        assert (undone["seat"], undone["lines"], undone["free"]) == (movers[0], 2, False)
    store.close()


def test_the_export_tells_which_wish_was_taken_back(tmp_path):
    store, anna = Store(tmp_path / "brelan.db"), person()
    made = played(table("aaaaaa", [anna, person()]))
    for wish in (True, False):
        made.receive(anna, Again(key(), wish), now())
    stored(store, made)
    (at_table,) = people.export(store, anna)["tables"]
    assert [event.get("wish", True) for event in at_table["events"] if event["kind"] == "again"] == [True, False]
    store.close()


def test_whoever_made_a_table_finds_all_its_matches_and_who_only_sits_there_none(running, anna, guests):
    """What was played before they came was not theirs to see."""
    both = [anna, guests()]
    for guest in both:
        guest.http.post("/me/name", data={"nickname": "Anna"})
    made = table("aaaaah", [identity(running, guest).id for guest in both], options={"target": 1})
    found = [stored(running.house.store, played(made)).sealed.match]
    for seat in made.seats:
        made.receive(seat.person, Again(key()), now())
    while not made.match or made.status != "over":
        step(made, [1]) if made.match else made.tick(now())
    found.append(stored(running.house.store, made).sealed.match)
    tables = [guest.http.get("/api/v1/me").json()["tables"] for guest in both]
    assert [of[0]["matches"] for of in tables] == [found, []]


OTHER = {"options": {"target": 30}}


@pytest.mark.parametrize(
    ("code", "others", "choices", "says"),
    [
        ("aaaaae", ["b" * 32], OTHER, True),
        ("aaaaaf", ["b" * 32], {}, False),
        ("aaaaag", [None], OTHER, False),
    ],
)
def test_of_a_match_with_others_that_counts_for_no_ladder_it_is_said(code, others, choices, says, running, anna):
    """And of each when it ended: several of one evening have the same company."""
    anna.http.post("/me/name", data={"nickname": "Anna"})
    made = played(table(code, [identity(running, anna).id, *others], **choices))
    results.enter(running.house.store, results.Finished.of(stored(running.house.store, made)))
    page = anna.http.get("/me").text
    assert (Words("en")("me.off_ladder") in page) == says
    assert f'<time datetime="{tokens.moment(made.events[-1].at)}">' in page


def test_days_are_those_where_the_house_stands(monkeypatch):
    monkeypatch.setenv("TZ", "East-13")
    time.tzset()
    try:
        at = datetime(2026, 11, 21, 22, 5, tzinfo=UTC).timestamp()
        assert (tokens.day(at), tokens.minute(at)) == ("2026-11-22", "2026-11-22 11:05")
    finally:
        monkeypatch.undo()
        time.tzset()


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
