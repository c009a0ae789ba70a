"""The pages over HTTP: languages, the table's shell, rulebooks, records, and who is kept out."""

import json
import re
import socket
import stat
from dataclasses import replace
from html import unescape
from importlib import resources
from unittest.mock import Mock

import httpx
import pytest

from brelan.errors import Refusal
from brelan.games import GAMES
from brelan.server.app import HEADERS, Settings, create_app, listening, serve
from brelan.server.pages.rulebooks import rulebook
from brelan.server.web.templates import _templates, render
from brelan.words import LANGUAGES, Words, held
from brelan.words.tongues import TONGUES
from tests.server.clients import turn
from tests.server.conftest import Running, visited


def test_the_pages_speak_the_readers_language(anna):
    """The most wished of those that the house speaks, whatever its region."""
    wishes = dict.fromkeys(("xx, fr;q=0.8", "en;q=0.3, fr-CA; q=0.9"), "fr")
    wishes |= dict.fromkeys(("xx", "*", "fr;q=0, en;q=0.1", "fr;q=x", ""), "en")
    for wish, language in wishes.items():
        assert f'<html lang="{language}" dir="ltr">' in anna.http.get("/", headers={"accept-language": wish}).text
    assert '<html lang="fr" dir="ltr">' in anna.http.get("/?lang=fr-CA").text
    assert '<html lang="fr" dir="ltr">' in anna.http.get("/").text  # remembered
    assert '<html lang="fr" dir="ltr">' in anna.http.get("/?lang=xx").text


def test_a_keeper_chooses_the_language_of_who_names_none(tmp_path):
    """Robots that look for a preview, mostly; on the page that is kept for a time without a line it stands first."""
    with visited(tmp_path, language="fr") as (_, anna, _):
        code = anna.make("gin")
        for path in ("", "rules/gin", f"t/{code}", "nothing", "offline"):
            for wish, language in ((None, "fr"), ("xx", "fr"), ("en", "en")):
                headers = {"accept-language": wish} if wish else {}
                assert f'<html lang="{language}"' in anna.http.get(f"/{path}", headers=headers).text
        assert Words("fr", "gin")("about.line") in preview(anna.http.get(f"/t/{code}").text)["description"]


def test_no_page_is_broken_by_a_language_that_is_only_begun(tmp_path, monkeypatch):
    monkeypatch.setitem(TONGUES, "pl", replace(TONGUES["en"], name="polski"))
    monkeypatch.setattr("brelan.server.tables.board.LANGUAGES", tuple(TONGUES))
    with visited(tmp_path) as (_, anna, _):
        paths = ("", "me", "fair", "api", "ratings", "new/gin", "rules/gin", "learn/gin", f"t/{anna.make()}", "offline")
        assert {path: anna.http.get(f"/{path}?lang=pl").status_code for path in paths} == dict.fromkeys(paths, 200)
        assert "did not work" in anna.http.get("/nothing?lang=pl").text
        rules = anna.http.get("/rules/gin?lang=pl").text
        assert '<div class="text" lang="en">' in rules
        assert Words("en")("page.no_rulebook", game="Gin Rami") in rules
        assert anna.http.get("/api/v1/games/gin/rulebook?lang=pl").json()["language"] == "en"


def test_french_holds_a_space_before_a_colon_in_titles_as_well(anna):
    for path, title in (("/rules/gin", "Livret de règles"), ("/ratings/gin", "Classement")):
        assert f"<title>{title}\u00a0: " in anna.http.get(f"{path}?lang=fr").text


def test_a_house_shows_the_pages_that_it_began_with(monkeypatch):
    """Whatever is installed under it meanwhile."""
    before = render("offline.html", Words("en"), tongues=[Words("fr")])
    monkeypatch.setattr("builtins.open", Mock(side_effect=OSError))
    _templates.cache.clear()
    assert render("offline.html", Words("en"), tongues=[Words("fr")]) == before


def test_every_page_is_named_in_the_title_but_the_first(anna):
    titles = {path: re.search("<title>(.*?)</title>", anna.http.get(path).text)[1] for path in ("/nothing", "/offline")}
    assert titles == {"/nothing": "That did not work · Brelan", "/offline": "No connection to the house · Brelan"}
    assert "<title>Goodbye · Brelan</title>" in anna.http.post("/me/delete", data={"sure": "yes"}).text


def test_every_page_leads_to_the_notice_of_whoever_keeps_the_house(tmp_path, anna):
    """Where there is one; once more where the house says what it holds."""
    house, said = Running(tmp_path, notice="/notice.html?a&b"), Words("fr")("page.notice")
    for path, times in (("/?lang=fr", 1), ("/nothing?lang=fr", 1), ("/me?lang=fr", 2)):
        page = httpx.get(house.address + path[1:]).text
        assert page.count(f'<a href="/notice.html?a&amp;b">{said}</a>') == times, path
        assert said not in anna.http.get(path).text
    house.stop()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_says_that_publishers_have_no_part_in_the_house(anna, language):
    for path in ("/", "/rules/gin", "/nothing"):
        assert Words(language)("page.titles") in unescape(anna.http.get(f"{path}?lang={language}").text), path


@pytest.mark.parametrize("notice", ["example.org/notice", "javascript:x", "//example.org", "/\\x", "https://", "/", ""])
def test_a_notice_to_which_no_link_can_lead_is_refused(notice):
    with pytest.raises(Refusal, match="is no notice's address"):
        Settings(notice=notice)
    assert Settings(notice="https://example.org/notice").notice


def test_every_answer_keeps_other_sites_and_scripts_out(anna):
    code, policy = anna.make(), HEADERS["content-security-policy"].split("; ")
    assert {"default-src 'self'", "form-action 'self'"} < set(policy)
    assert {f"{name} 'none'" for name in ("base-uri", "frame-ancestors", "object-src")} < set(policy)
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert (HEADERS["x-content-type-options"], HEADERS["referrer-policy"]) == ("nosniff", "same-origin")
    for path in ("/", f"/t/{code}", "/rules/gin", "/nothing", "/health", f"/t/{code}/qr.svg"):
        assert HEADERS.items() <= dict(anna.http.get(path).headers).items(), path
    for path in ("/", f"/t/{code}", "/rules/gin"):
        page = anna.http.get(path).text
        assert not re.search(r"<style|\sstyle=|\son\w+=", page)
        assert not re.search(r"<script(?![^>]*(src=|application/json))", page)
        assert not re.search(r'(src|href)="(https?:)?//', page)


def test_the_guests_cookie_is_signed_and_out_of_scripts_reach(anna):
    answer = anna.http.post("/tables", data={"game": "gin", "against": "bots"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_the_key_is_readable_by_its_owner_only(running):
    folder = running.house.settings.made_folder()
    assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600


def test_the_tables_shell_holds_the_clients_words(anna):
    page = anna.http.get(f"/t/{anna.make()}?lang=fr").text
    (words,) = re.findall(r'<script type="application/json" id="words">(.*?)</script>', page, re.S)
    assert json.loads(words)["your_turn"] == Words("fr")("client.your_turn")
    assert 'data-game="gin"' in page
    assert 'data-language="fr"' in page


@pytest.mark.parametrize("path", ["/nothing", "/t/zzzzzz", "/t/zzzzzz/record", "/rules/nothing"])
def test_what_is_not_there_is_said_in_one_sentence(anna, path):
    answer = anna.http.get(path)
    assert answer.status_code == 404
    assert 'role="alert"' in answer.text


@pytest.mark.parametrize(
    ("method", "path", "allowed"), [("DELETE", "/me", "GET"), ("PUT", "/", "GET"), ("GET", "/tables", "POST")]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_asked_so_is_said_in_one_sentence(anna, language, method, path, allowed):
    answer = anna.http.request(method, path, headers={"accept-language": language})
    assert (answer.status_code, said(answer)) == (405, Words(language)("page.method"))
    assert allowed in answer.headers["allow"]


def test_a_form_that_cannot_be_read_is_said_in_one_sentence(anna):
    answer = anna.http.post("/tables", content=b"x", headers={"content-type": "multipart/form-data"})
    assert (answer.status_code, said(answer)) == (400, Words("en")("page.bad_request"))


def said(answer):
    (sentence,) = re.findall(r'role="alert">([^<]*)<', answer.text)
    return sentence


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", [game.id for game in GAMES])
def test_a_rulebook_has_its_anchors(anna, game, language):
    page = anna.http.get(f"/rules/{game}?lang={language}").text
    assert len(re.findall(r'<a id="[A-Z]', page)) > 5
    chapters = re.findall(r'<h2 id="([^"]+)">(.*)</h2>', page)
    text = resources.files(f"brelan.games.{game}").joinpath(f"rulebook.{language}.md").read_text("utf-8")
    titles = [re.sub(r"\*(.*?)\*", r"<em>\1</em>", title) for title in re.findall("^## (.*)$", text, re.MULTILINE)]
    assert chapters == [(f"chapter-{n}", held(title, language)) for n, title in enumerate(titles, 1)] != []
    assert re.findall(r'<li><a href="#([^"]+)">(.*)</a></li>', page) == chapters
    assert page.count("<h1>") == 1


def preview(page):
    """What a shared link shows of itself, and a search engine."""
    return {name: unescape(said) for name, said in re.findall(r'<meta.*? property="og:(.*?)" content="(.*?)">', page)}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    "path", ["/", "/rules/gin", "/ratings/gin", "/new/gin", "/learn/gin"], ids=lambda path: path[1:4] or "home"
)
def test_a_link_to_a_public_page_says_what_it_leads_to(anna, language, path):
    page, words = anna.http.get(path, params={"lang": language}).text, Words(language, "gin")
    (title,) = re.findall("<title>(.*?)</title>", page)
    assert preview(page) == {
        "title": unescape(title),
        "description": words("page.tagline" if path == "/" else "about.line"),
        "url": f"{anna.address}{path}?lang={language}",
        "image": f"{anna.address}/static/icon-maskable.png",
    }
    assert preview(anna.http.get(path).text)["url"] == anna.address + path  # which each reads in their own language
    assert anna.http.get(preview(page)["image"]).status_code == 200
    assert "noindex" not in page


def test_a_robot_that_looks_at_a_shared_table_reads_its_game_and_is_nobody(anna, guests):
    code = anna.make("gin", against="", nickname='Anna "> <b>')
    seats = anna.line(code).view["table"]["seats"]
    robot, words = guests(), Words("en", "gin")
    page, link = robot.http.get(f"/t/{code}").text, anna.line(code).view["table"]["link"]
    assert preview(page)["title"] == "Gin Rami · Brelan"
    assert preview(page)["description"] == f"{words('about.line')} {words('page.invited')}"
    assert "Anna" not in page
    assert anna.line(code).view["table"]["seats"] == seats
    for private in (page, robot.http.get(link).text, anna.http.get("/me").text):
        assert '<meta name="robots" content="noindex">' in private


@pytest.mark.parametrize("host", ["[", '"><b>'])
def test_a_host_that_is_none_breaks_no_page(anna, host):
    answer = anna.http.get("/", headers={"host": host})
    assert answer.status_code == 200
    assert "<b>" not in answer.text


@pytest.mark.parametrize("path", ["/rules/mio", "/ratings/mio"])
def test_who_comes_to_a_page_of_a_game_plays_it_at_one_tap(anna, path):
    form = re.search(r'<form method="post" action="(.*?)">(.*?)</form>', anna.http.get(path).text, re.S)
    asked = dict(re.findall(r'name="(.*?)" value="(.*?)"', form[2]))
    code = anna.http.post(form[1], data=asked).headers["location"].rpartition("/")[2]
    table = anna.line(code).view["table"]
    assert (table["game"], table["status"]) == ("mio", "playing")


def test_a_rulebook_leads_to_its_game_among_the_others(anna):
    (card,) = re.findall(r'href="/#(.*?)"', anna.http.get("/rules/mio").text)
    assert f'id="{card}" data-game="mio"' in anna.http.get("/").text


def test_a_rulebook_comes_packed(anna):
    answer = anna.http.get("/rules/mio")
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(answer.content) / 2


def test_a_rulebook_that_is_not_written_yet_is_none(monkeypatch):
    monkeypatch.setattr("brelan.words.LANGUAGES", ("la",))
    assert rulebook("gin", "la") is None


def test_the_record_is_shut_before_the_end(anna):
    answer = anna.http.get(f"/t/{anna.make()}/record")
    assert answer.status_code == 403
    assert "once the match is over" in answer.text


def test_a_seat_comes_along_to_another_device(anna, guests):
    code = anna.make()
    line = anna.line(code)
    phone = guests()
    other = phone.make()  # a guest of its own elsewhere
    asked = phone.http.get(line.view["table"]["link"])
    assert (asked.status_code, "set-cookie" in asked.headers) == (200, False)
    assert Words("en")("page.take_seat_shared") in asked.text
    assert phone.http.post(line.view["table"]["link"]).headers["location"] == f"/t/{code}"
    assert phone.line(code).view["table"]["seat"] == 0
    assert phone.line(other).view["table"]["host"]
    turn(line)
    refused = phone.http.get(f"/t/{other}/seat/{line.view['table']['link'].rpartition('/')[2]}")
    assert refused.status_code == 403
    assert phone.http.get(f"/t/{code}/seat/forged").status_code == 403


@pytest.fixture
def pair(anna, guests):
    """Anna and Ben, who sit at one table, with its code and the link of Ben's seat."""
    ben, code = guests(), anna.make(against="friends")
    ben.http.post("/name", data={"nickname": "Ben"})
    line = ben.line(code)
    line.ask("sit", seat=1, name="Ben")
    return anna, ben, code, line.viewed(lambda view: view["table"]["link"])["table"]["link"]


def seat(guest, code):
    return guest.line(code).view["table"]["seat"]


def test_a_link_takes_nobody_to_a_seat_unasked(pair, guests):
    anna, ben, code, link = pair
    asked = anna.http.get(link)
    assert (asked.status_code, "set-cookie" in asked.headers) == (200, False)
    assert Words("en")("page.take_seat", name="Ben") in asked.text
    assert "Ben" not in re.search("<title>(.*?)</title>", asked.text)[1], "a browser's history keeps it"
    assert Words("en")("page.take_seat_what", name="Anna") in asked.text
    assert seat(anna, code) == 0
    assert anna.http.post(link, headers={"origin": "http://elsewhere.example"}).status_code == 403
    assert seat(anna, code) == 0
    taken = anna.http.post(link)
    assert (taken.status_code, taken.headers["location"]) == (303, f"/t/{code}")
    assert seat(anna, code) == 1
    assert ben.http.get(link).status_code == 303  # one's own
    invited = guests().http.get(link)  # by somebody who said: scan to join
    assert Words("en")("page.take_seat_none") in invited.text
    assert "set-cookie" not in invited.headers


def test_who_only_follows_links_stays_who_they_are(pair, guests):
    """The cookie lasts a year from the last table on, not from the first; a seat that was brought is nobody's guest."""
    anna, ben, code, link = pair
    for guest in (ben, anna):
        known = guest.http.cookies["brelan_guest"]
        kept = guest.http.get(f"/t/{code}").headers["set-cookie"]
        assert f"brelan_guest={known};" in kept
        assert "Max-Age=31536000" in kept
        anna.http.post(link)
    phone = guests()
    phone.http.post(link)
    ((name, value),) = phone.http.cookies.items()
    kept = phone.http.get(f"/t/{code}").headers["set-cookie"]
    assert kept.startswith(f"{name}={value};")
    assert "Max-Age=31536000" in kept
    assert "brelan_guest" not in kept


def test_the_link_of_somebody_who_does_not_sit_leads_to_the_table_and_no_further(pair, guests):
    """Whoever opened it would sit down as the one who made it, and show them the cards."""
    _, ben, code, link = pair
    ben.line(code).ask("stand")
    led = guests().http.get(link)
    assert (led.status_code, led.headers["location"], "set-cookie" in led.headers) == (303, f"/t/{code}", False)


def test_a_shared_device_is_its_own_guests_again_once_a_seat_that_was_brought_is_left(pair):
    """Whoever sat down there would sit as the one who got up, and show them the cards on their own device."""
    anna, ben, code, link = pair
    anna.line(code).ask("stand")
    anna.http.post(link)
    assert 'data-name="Ben"' in anna.http.get(f"/t/{code}").text
    ben.line(code).ask("stand")
    page = anna.http.get(f"/t/{code}")
    assert 'data-name="Anna"' in page.text
    assert f"brelan_seat_{code}" not in anna.http.cookies
    line = anna.line(code)
    assert line.view["table"]["host"]
    line.ask("sit", seat=0, name="Anna")
    assert [seat(anna, code), seat(ben, code)] == [0, None]


def test_who_made_a_table_and_does_not_sit_is_asked_as_well(pair):
    anna, _, code, link = pair
    anna.line(code).ask("stand")
    assert anna.http.get(link).status_code == 200
    assert anna.line(code).view["table"]["host"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_forged_link_takes_no_seat(pair, method):
    anna, _, code, link = pair
    assert anna.http.request(method, f"{link}x").status_code == 403
    assert seat(anna, code) == 0


def test_health(anna):
    assert anna.http.get("/health").json()["status"] == "ok"


# ---------------------------------------------------------------- starting


def test_a_port_in_use_is_one_sentence(tmp_path):
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Refusal, match=f"127.0.0.1:{port} is in use"):
            serve(Settings(data=tmp_path, port=port))
    with pytest.raises(Refusal, match="cannot be listened on"):
        listening("no-such-host.invalid", 0)


def test_several_workers_are_refused(tmp_path):
    with pytest.raises(Refusal, match="one process"):
        serve(Settings(data=tmp_path, workers=2))


def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Refusal, match="cannot be made"):
        create_app(Settings(data=tmp_path / "file" / "data"))


def test_nothing_heavy_is_imported_to_serve():
    """The first page must not wait for compilers and arrays."""
    import subprocess
    import sys

    heavy = {"numba", "numpy", "segno", "markdown_it"}
    code = f"import sys, brelan.server.app, uvicorn; print({heavy} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"


def test_an_address_is_this_machines_own():
    from brelan.server.app import address

    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address(listener))
