"""The home page with its lists, the form of a new table, and the code that is read aloud."""

import json
import re
import time
from contextlib import closing
from html import unescape

import pytest
from sqlalchemy import select, update

from brelan.games import GAMES, find
from brelan.play.customs import Customs
from brelan.play.told import choice_words, differences
from brelan.server.pages.lobby import code_meant
from brelan.server.store.relations import events
from brelan.server.tables.standing import DAY
from brelan.words import LANGUAGES, Words
from tests.server.clients import Guest, my_turn, over, play, until
from tests.server.conftest import Running
from tests.tables import OF_THE_SHEETS

FILLED = re.compile(r'name="([^"]+)" value="([^"]*)"( checked)?|<option value="([^"]*)" selected')


def own(page, code):
    """The row of a table among one's own on the home page."""
    (row,) = re.findall(rf'<li data-code="{code}".*?</li>', page, re.S)
    return " ".join(re.sub("<[^>]*>", " ", row).split())


# ---------------------------------------------------------------- the home page


def test_every_game_is_offered_with_what_it_is(anna):
    page = anna.http.get("/").text
    for game in GAMES:
        assert f'value="{game.id}"' in page
        assert f'href="/new/{game.id}"' in page
        assert Words("en", game.id)("about.line") in page


def test_one_tap_plays_against_bots_with_as_many_as_were_chosen(running, anna):
    data = {"against": "bots", "nickname": "Anna", "game": "hawaiki", "players.hawaiki": "4", "players.mio": "6"}
    code = anna.http.post("/tables", data=data).headers["location"].rpartition("/")[2]
    table = anna.line(code).view["table"]
    assert [seat["kind"] for seat in table["seats"]] == ["person", "bot", "bot", "bot"]
    assert table["status"] == "playing"


def test_a_nickname_is_asked_once(anna):
    assert anna.http.post("/name", data={"nickname": " Zoë  B. "}).status_code == 303
    assert 'value="Zoë B."' in anna.http.get("/").text
    answer = anna.http.post("/tables", data={"game": "gin", "against": "bots"})
    code = answer.headers["location"].rpartition("/")[2]
    assert anna.line(code).view["table"]["seats"][0]["name"] == "Zoë B."
    form = anna.http.get("/new/mio").text
    assert form.index("<details") < form.index('name="nickname" value="Zoë B."')  # at hand, but not asked again
    assert anna.http.post("/name", data={"nickname": "x"}, headers={"origin": "http://x.example"}).status_code == 403


def test_designers_of_old_games_are_named_in_the_readers_language(anna):
    assert "jeu traditionnel" in anna.http.get("/?lang=fr").text


def test_search_engines_show_nobody_who_sits_at_an_open_table(anna, ben):
    code = anna.make("gin", against="", nickname="Zoë", listed="true")
    anna.line(code)
    assert until(lambda: "Zoë" in ben.http.get("/").text)
    page = ben.http.get("/").text
    assert "Zoë" not in re.sub(r"<section [^>]*data-nosnippet>.*?</section>", "", page, flags=re.S)


# ---------------------------------------------------------------- a code read aloud


def test_a_form_has_chosen_what_a_table_usually_has(anna, monkeypatch):
    other = Customs(pace="days", tempo="slow", watch=False, listed=True, talk=True, hints=True)
    for usual in (Customs(), other):
        monkeypatch.setattr("brelan.server.pages.lobby.Customs", lambda usual=usual: usual)
        chosen = dict(re.findall(r'type="radio" name="(\w+)" value="(\w+)" checked', anna.http.get("/new/gin").text))
        said = {name: str(value).lower() for name, value in usual.to_json().items() if name in chosen}
        assert chosen | said == chosen
        assert len(said) == 6


@pytest.mark.parametrize(("card", "signs"), [("R", ["R"] * 2), ("R*", ["star", "R", "star"]), ("J", ["joker"] * 2)])
def test_a_cover_draws_the_cards_that_have_no_number(card, signs, anna, monkeypatch):
    monkeypatch.setattr("brelan.server.pages.rulebooks.faces", lambda name: [card])
    cover = anna.http.get("/rules/mio").text
    assert re.findall(r"cards\.svg#(\w+)", cover) == signs
    assert not re.search(r"<text[^>]*>\W", cover)


@pytest.mark.parametrize(
    "typed",
    [
        "abc def",
        "ABC-DEF",
        " a b c d e f ",
        "https://h.example/t/abcdef",
        "x/t/abcdef/",
        "https://h.example/t/abcdef?lang=en",
        "h.example/t/abcdef#log",
        "HTTPS://H.EXAMPLE/T/ABCDEF",
        "ａｂｃ ＤＥＦ",
    ],
)
def test_a_code_is_read_as_people_write_it(typed):
    assert code_meant(typed) == "abcdef"


@pytest.mark.parametrize("typed", ["", "abc", "abcdefg", "ab1def", "../../x", "/t/"])
def test_what_is_no_code_is_none(typed):
    assert code_meant(typed) == ""


def test_a_code_leads_to_its_table(anna, ben):
    code = anna.make(against="")
    answer = ben.http.get("/join", params={"code": f" {code[:3].upper()} {code[3:]}"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{code}")


@pytest.mark.parametrize("typed", ["{}.", "({})", "{}/", "<{}>", "{}%E2%80%A6"])
def test_an_address_that_is_typed_or_ends_a_sentence_leads_to_its_table(anna, ben, typed):
    code = anna.make(against="")
    given = typed.format(code.upper())
    answer = ben.http.get(f"/t/{given}", params={"lang": "fr"}, follow_redirects=True)
    assert (answer.status_code, answer.url.path, answer.url.query) == (200, f"/t/{code}", b"lang=fr")


@pytest.mark.parametrize("typed", ["ZZZ", "ABCDEFG", "%2F%2Fx.example", "ABC1EF"])
def test_an_address_that_means_no_table_leads_nowhere(anna, typed):
    assert anna.http.get(f"/t/{typed}").status_code == 404


@pytest.mark.parametrize(("typed", "status"), [("zzz zzz", 404), ("1", 422), ("", 422), ("<b>", 422)])
def test_a_code_without_a_table_is_said_beside_the_field(anna, typed, status):
    answer = anna.http.get("/join", params={"code": typed})
    assert answer.status_code == status
    assert 'role="alert"' in answer.text
    assert "<b>" not in answer.text
    assert typed in answer.text or typed == "<b>"


# ---------------------------------------------------------------- the form


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_asks_for_every_option_in_words(anna, game, language):
    page = anna.http.get(f"/new/{game.id}?lang={language}").text
    words = Words(language, game.id)
    for option in game.options:
        assert f'name="option.{option.name}"' in page
        assert words(f"option.{option.name}") in page
    shown = re.sub("<[^>]*>", " ", page)
    assert not re.search(r"\b(True|None)\b|\[1, 2|RYG", shown)
    assert game.id not in OF_THE_SHEETS or not re.search(r"\baside\b", shown.replace("set aside", ""))
    for choice in (choice for option in game.options for choice in option.choices):
        said = choice_words(choice, words)
        assert said != choice, f"no word value.{choice}"
        assert choice in said or not re.search(rf"\b{choice}\b", shown)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"option.target": "0"}, "Points that win the match: “0” is not possible; allowed: 1 to 1000."),
        ({"option.target": "many"}, "many"),
        ({"players": "5"}, "not 5"),
        ({"players": "x"}, "players"),
        ({"preset": "house"}, "house"),
        ({"option.gin_on_ten": "maybe"}, "maybe"),
        ({"option.target": "1001"}, "Points that win the match: “1001” is not possible; allowed: 1 to 1000."),
        ({"pace": "live", "bank": "500"}, "“500” is not possible; allowed: 1 to 120"),
        ({"pace": "days", "days": "soon"}, "Days for each move"),
        ({"pace": "slow"}, "slow"),
        ({"tempo": "prestissimo"}, "How fast bots play"),
        ({"keeper": "Deep Blue"}, "Deep Blue"),
        ({"seat.1": "genius"}, "genius"),
        ({"manner": "claim"}, "What must be said aloud"),
    ],
)
def test_a_wrong_field_is_one_sentence_on_the_form_and_nothing_is_lost(anna, fields, sentence):
    data = {"game": "gin", "nickname": "Zoë", "players": "2", "option.knock_limit": "7", "listed": "true"} | fields
    answer = anna.http.post("/tables", data=data)
    assert answer.status_code == 422
    (error,) = re.findall(r'role="alert"[^>]*>([^<]*)<', answer.text)
    assert sentence in error
    assert 'name="option.knock_limit" value="7"' in answer.text
    assert 'value="Zoë"' in answer.text
    assert 'name="listed" value="true" checked' in answer.text
    assert "<details open>" in answer.text
    (french,) = re.findall(r'href="([^"]*lang=fr[^"]*)"', answer.text)
    again = anna.http.get(unescape(french))
    assert '<html lang="fr"' in again.text
    assert FILLED.findall(again.text) == FILLED.findall(answer.text)


def test_the_field_that_is_wrong_is_marked(anna):
    page = anna.http.post("/tables", data={"game": "gin", "nickname": "Zoë", "option.target": "0"}).text
    assert re.findall(r'name="([^"]*)"[^>]*aria-invalid="true"', page) == ["option.target"]


@pytest.mark.parametrize("field", ["seat.2", "keeper"])
def test_of_several_bots_the_one_that_there_is_not_is_marked(anna, field):
    bots = {"seat.1": "novice", "seat.2": "", "keeper": "novice"} | {field: "genius"}
    page = anna.http.post("/tables", data={"game": "mio", "nickname": "Zoë", "players": "4"} | bots).text
    assert re.findall(r'name="([^"]*)"[^>]*aria-invalid="true"', page) == [field]


def test_a_form_sets_preset_options_and_customs(running, anna):
    asked = {"preset": "classic", "option.target": " 50 ", "option.ace_high_runs": "true", "watch": "false"}
    code = anna.make(
        against="", pace="live", bank="20", increment="5", talk="true", tempo="slow", listed="true", **asked
    )
    made = running.house.store.first(code).data
    options = made["options"]
    assert (options["target"], options["ace_high_runs"], options["undercut_bonus"]) == (50, True, 25)
    chosen = {
        "pace": "live",
        "bank": 1200,
        "increment": 5,
        "talk": True,
        "listed": True,
        "watch": False,
        "tempo": "slow",
    }
    assert made["customs"] == Customs.of(chosen).to_json()


def test_several_ticks_and_rows_of_numbers_are_one_value(running, anna):
    colours = {"option.colours": ["O", "R", "B"]}
    code = anna.make("companeros", against="", players="3", **colours)
    assert running.house.store.first(code).data["options"]["colours"] == "ORB"
    code = anna.make("mio", against="", **{"option.deck": "1, 2 2;2,2 1"})
    assert running.house.store.first(code).data["options"]["deck"] == [1, 2, 2, 2, 2, 1]


def test_each_seat_goes_to_whom_the_form_names(anna):
    seats = {"seat.0": "me", "seat.1": "", "seat.2": "random", "seat.3": "novice", "seat.4": "novice"}
    table = anna.line(anna.make("mio", against="", players="4", **seats)).view["table"]
    assert [(seat["kind"], seat["level"]) for seat in table["seats"]] == [
        ("person", None),
        ("open", None),
        ("bot", "random"),
        ("bot", "novice"),
    ]
    assert table["status"] == "open"


def test_whoever_makes_a_table_may_leave_every_chair_free(anna):
    """As for a table on a wall."""
    seats = {"seat.0": "free", "seat.1": "novice", "seat.2": "free"}
    table = anna.line(anna.make("mio", against="", players="3", **seats)).view["table"]
    assert [seat["kind"] for seat in table["seats"]] == ["open", "bot", "open"]
    assert (table["seat"], table["host"], table["status"]) == (None, True, "open")
    assert '<option value="free">' in anna.http.get("/new/mio").text.partition('id="seat-1"')[0]


def test_no_key_is_used_up_by_what_the_form_asks_for_its_host(anna):
    line = anna.line(anna.make("gin", against="friends"))
    assert line.ask("sit", key="sit", seat=1, name="Anna")["type"] == "ack"
    assert line.viewed(lambda view: view["table"]["seat"] == 1)


def test_with_nobody_to_wait_for_the_cards_are_dealt_at_once(anna):
    table = anna.line(anna.make("gin", against="", **{"seat.1": "novice"})).view["table"]
    assert table["status"] == "playing"
    watched = anna.line(anna.make("gin", against="", **{"seat.0": "random", "seat.1": "random"})).view["table"]
    assert (watched["seat"], watched["host"]) == (None, True)


def test_options_are_told_as_words():
    told = differences(find("elements"), 3, {"unpaired": "stock"}, Words("fr", "elements"))
    assert told == ["Éléments sans carte\u00a0: complétés par la pioche"]
    told = differences(find("companeros"), 3, {"rounds": 1, "colours": "BOR"}, Words("en", "companeros"))
    assert told == ["Colours in play, one for each player: blue, orange, red"]


# ---------------------------------------------------------------- one's own tables


def test_ones_own_tables_stand_on_the_home_page_the_next_to_play_first(anna, ben, guests):
    waiting = anna.make("mio", against="")
    playing = anna.make("gin", against="", option_target="1")
    ben.line(playing).ask("sit", seat=1, name="Ben")
    line = anna.line(playing)
    line.ask("start")
    line.viewed(lambda view: view["scene"])
    bens = ben.line(playing)
    bens.viewed(lambda view: view["scene"])
    awaited, other = (anna, ben) if my_turn(line.viewed(lambda view: view["scene"]["turn"])) else (ben, anna)
    assert "Your turn" in own(awaited.http.get("/").text, playing)
    name = "Anna" if awaited is anna else "Ben"
    assert f"{name} to play" in own(other.http.get("/").text, playing)
    page = anna.http.get("/").text
    assert page.index(playing) < page.index(waiting)
    assert "with Ben" in own(page, playing)
    assert "1 seat free" in own(page, waiting)
    assert own(ben.http.get("/?lang=fr").text, playing).endswith(f"avec Anna · {playing}")
    assert playing not in guests().http.get("/").text


def test_the_time_that_is_left_does_not_count_the_houses_own(running, anna, monkeypatch):
    """The table is told of it only when somebody comes there."""
    code = anna.make(pace="days", days="3")
    line = anna.line(code)
    line.viewed(lambda view: view["scene"] and my_turn(view))
    assert "2 days left" in own(anna.http.get("/").text, code)
    before = mine(anna, code)["deadline"]
    now = time.time()
    monkeypatch.setattr(running.house.rooms.beat, "aways", lambda: [(now, now + 2 * DAY)])
    assert "4 days left" in own(anna.http.get("/").text, code)
    assert mine(anna, code)["deadline"] == pytest.approx(before + 2 * DAY, abs=0.01)


def mine(guest, code):
    return next(table for table in guest.http.get("/api/v1/me").json()["tables"] if table["code"] == code)


def test_a_finished_table_is_shown_and_old_ones_are_not(anna):
    codes = [anna.make("gin", **{"option.target": "1"}) for _ in range(4)]
    for code in codes:
        play(anna.line(code), until=over)
    page = anna.http.get("/").text
    assert [code in page for code in codes] == [False, True, True, True]
    assert "Finished" in own(page, codes[-1])


# ---------------------------------------------------------------- open tables


@pytest.mark.parametrize(("custom", "shown"), [({"spectators": True}, True), ({"pace": "hours"}, False)])
def test_a_table_of_another_version_keeps_nobody_from_the_others(tmp_path, custom, shown):
    """What that version says more is left out; a table that cannot be put in words is not shown."""
    house = Running(tmp_path)
    with closing(Guest(house.address)) as host, closing(Guest(house.address)) as stranger:
        odd, usual = (host.make(against="friends", listed="true") for _ in range(2))
        house.house.store.submit(lambda store: another_version(store, odd, custom)).result()
        page = stranger.http.get("/")
        assert (page.status_code, usual in page.text, odd in page.text) == (200, True, shown)
        assert usual in host.http.get("/").text
    house.stop()


def another_version(store, code, custom):
    """Let a table's first event say of its customs what this version does not know."""
    first = (events.c.code == code) & (events.c.number == 1)
    body = json.loads(store.scalar(select(events.c.body).where(first)))
    body["data"]["customs"] |= custom
    store.execute(update(events).where(first).values(body=json.dumps(body)))


# ---------------------------------------------------------------- a second device


def test_a_table_whose_seat_was_brought_stands_on_that_devices_home_page_too(anna, ben, guests):
    code, other, phone = anna.make(against=""), anna.make(), guests()
    ben.line(code).ask("sit", seat=1, name="Ben")
    line = anna.line(code)
    phone.http.post(line.view["table"]["link"])
    phone.make()
    line.ask("start")
    bens = ben.line(code)
    bens.viewed(lambda view: view["scene"])
    awaited = my_turn(line.viewed(lambda view: view["scene"] and view["scene"]["turn"]))
    row = own(phone.http.get("/").text, code)
    assert ("Your turn" if awaited else "Ben to play") in row
    assert "with Ben" in row
    assert other not in phone.http.get("/").text, "only the one that was brought"


def test_the_own_seat_comes_as_a_picture_to_its_owner(anna, guests):
    code = anna.make()
    picture = anna.http.get(f"/t/{code}/seat.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.headers["cache-control"] == "no-store"
    assert picture.content != anna.http.get(f"/t/{code}/qr.svg").content
    assert guests().http.get(f"/t/{code}/seat.svg").status_code == 403
