"""How a table stands, in the words of the lobby: made of what the index keeps, whoever reads."""

import time
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest

from brelan.games import find
from brelan.play.customs import Customs
from brelan.play.messages import Again
from brelan.play.seats import Event
from brelan.server.store import Store
from brelan.server.store.index import UP, Sitting, Summary
from brelan.server.tables import standing
from brelan.server.tables.board import own
from brelan.server.tables.standing import DAY, HOUR, Standing, open_tables, tables_of
from brelan.words import Words
from tests.server import matches

WORDS = Words("en", "gin")

PLAYING = Standing(
    code="abc234",
    game=find("gin"),
    preset="sheet",
    status="playing",
    players=2,
    free=0,
    asked=0b01,
    sittings=(Sitting(0, "anna", "Anna"), Sitting(1, "bela", "Béla")),
    deadline=None,
    options=find("gin").settle(2, "sheet", None),
    manner=None,
    customs=Customs(),
    origin=False,
    made_at=0.0,
    changed_at=0.0,
)


@pytest.mark.parametrize(
    ("status", "asked", "group", "said"),
    [
        ("playing", 0b01, "mine", "Your turn"),
        ("playing", 0b10, "playing", "Béla to play"),
        ("playing", 0b11, "mine", "Your turn"),
        ("playing", 0b10 | 1 << UP, "mine", "A bot plays for you: take your seat back"),
        ("playing", 1 << UP + 1, "playing", "Being played"),
        ("over", 0b01, "over", "Finished"),  # asked, too, whether to play again, and there to hear it
    ],
)
def test_it_says_who_is_waited_for(status, asked, group, said):
    table = replace(PLAYING, status=status, asked=asked)
    assert (table.group("anna"), table.state(WORDS, "anna")) == (group, said)


def test_nobody_is_waited_for_while_bots_play():
    assert replace(PLAYING, asked=0).state(WORDS, "anna") == WORDS("lobby.playing")


def test_a_table_that_asks_what_if_is_called_so():
    assert (PLAYING.title(WORDS), replace(PLAYING, origin=True).title(WORDS)) == ("Gin Rami", "What if? Gin Rami")


def test_company_is_names_without_ones_own_and_how_many_bots():
    three = replace(PLAYING, players=4, free=1)
    assert three.company(WORDS, "anna") == WORDS.listed(["Béla", WORDS("lobby.with_bots", n=1)])
    assert PLAYING.company(WORDS, "bela") == "Anna"


def test_who_wanted_to_be_forgotten_is_somebody():
    table = replace(PLAYING, sittings=(PLAYING.sittings[0], Sitting(1, "ghost", "")), asked=0b10)
    assert (table.company(WORDS, "anna"), table.state(WORDS, "anna")) == ("Somebody", "Somebody to play")


BY_TURNS = replace(PLAYING, customs=Customs(pace="days", days=3))


@pytest.mark.parametrize(
    ("asked", "free", "group", "said"),
    [
        (0b01, 0, "mine", "You are asked to play again"),
        (0b10, 0, "over", "Finished"),
        (0b01, 1, "over", "Finished"),  # nobody can say so before somebody sits there
    ],
)
def test_by_turns_who_is_asked_to_play_again_is_called(asked, free, group, said):
    table = replace(BY_TURNS, status="over", asked=asked, free=free)
    assert (table.group("anna"), table.state(WORDS, "anna")) == (group, said)


BEAT = SimpleNamespace(put_off=lambda deadline, _: deadline)


def test_by_turns_no_later_match_hides_who_is_asked_to_play_again(tmp_path):
    codes = ["waits1", "ended2", "ended3", "ended4", "ended5"]
    with closing(Store(tmp_path / "brelan.db")) as store:
        for code in codes:
            table = matches.table(code, ["anna", "bela"], options={"target": 1}, customs=Customs(pace="days"))
            made = matches.played(table)
            if code == codes[0]:
                made.receive("bela", Again("again"), made.events[-1].at)
            matches.stored(store, made)
        assert [table.code for table, _ in tables_of(store, BEAT, "anna", {})] == [codes[0], *codes[:1:-1]]
        assert [table.code for table, _ in tables_of(store, BEAT, "bela", {})] == codes[:1:-1]


def test_whoever_hosts_an_evening_finds_all_its_tables_and_of_those_with_bots_and_of_older_ones_the_last(
    tmp_path, monkeypatch
):
    alone, together = [f"alone{n}" for n in range(2, 7)], [f"group{n}" for n in range(2, 7)]
    with closing(Store(tmp_path / "brelan.db")) as store:
        for code in together + alone:
            people = ["anna", "bela" if code in together else None]
            matches.stored(store, matches.played(matches.table(code, people, options={"target": 1})))

        def shown(days):
            monkeypatch.setattr(standing, "time", SimpleNamespace(time=lambda: matches.now() + days * DAY))
            return {table.code for table, _ in tables_of(store, BEAT, "anna", {})}

        assert shown(0) == {*together, *alone[2:]}
        assert shown(2) == {*alone[2:]}


def keep(store, code, status, made_at, changed_at):
    """Keep a table as the index has it: each has another host, and Bela sits there."""
    shown = {"code": code, "game": "gin", "preset": "sheet", "status": status, "listed": True, "open_seats": 1}
    times = {"made_at": made_at, "changed_at": changed_at, "deadline": None, "begun_at": None, "over_at": None}
    rest = {"players": 2, "host": code, "match": None, "asked": 0, "sittings": (Sitting(0, "bela", "Bela"),)}
    made = Event(1, made_at, "made", code, "", {"options": PLAYING.options})
    store.append(code, [made], Summary(**shown, **times, **rest)).result()


def test_ones_own_tables_keep_their_places_while_they_go_on_and_of_finished_ones_the_last_comes_first(tmp_path):
    now = time.time()
    with closing(Store(tmp_path / "brelan.db")) as store:
        for i, status in enumerate(["playing", "playing", "open", "open", "over", "over"]):
            keep(store, f"{status}{i}", status, now - 100 + i, now - i)
        shown = [table.code for table, _ in tables_of(store, BEAT, "bela", {})]
    assert shown == ["playing1", "playing0", "open3", "open2", "over4", "over5"]


def test_open_tables_keep_their_places_though_others_sit_down_and_a_new_one_comes_on_top(tmp_path):
    now = time.time()
    with closing(Store(tmp_path / "brelan.db")) as store:
        for i in range(4):
            keep(store, f"open{i}", "open", now - 100 + i, now - i)
        shown = [[row.code for row in open_tables(store, BEAT, *asked)] for asked in (((), 9), ({"open1"}, 3))]
    assert shown == [["open3", "open2", "open1", "open0"], ["open1", "open2", "open0"]]


def test_a_line_says_the_code_and_that_one_sits_alone_where_one_does():
    alone = replace(PLAYING, status="open", free=1, sittings=PLAYING.sittings[:1])
    assert ">You sit alone · abc234<" in own([(alone, "anna")], "en")
    assert ">abc234<" in own([(replace(alone, free=2, sittings=()), "anna")], "en")


@pytest.mark.parametrize(
    ("seconds", "unit", "n"),
    [(2 * DAY - 1, "days", 1), (DAY, "days", 1), (DAY - 1, "hours", 23), (HOUR - 1, "minutes", 59), (-5, "minutes", 0)],
)
def test_by_turns_it_says_how_long_is_left_in_whole_units(seconds, unit, n):
    assert replace(BY_TURNS, deadline=seconds).left(WORDS, 0.0) == WORDS(f"lobby.left_{unit}", n=n)


@pytest.mark.parametrize(
    "table",
    [BY_TURNS, replace(BY_TURNS, deadline=DAY, status="over"), replace(PLAYING, deadline=DAY)],
    ids=["no time", "over", "another pace"],
)
def test_of_no_other_table_it_is_said(table):
    assert table.left(WORDS, 0.0) == ""


def test_the_pace_is_said_as_in_the_waiting_room():
    live = replace(PLAYING, customs=Customs(pace="live", bank=600, increment=5))
    assert live.pace(WORDS) == WORDS("client.customs_live", bank="10\xa0min", increment=5)
    assert BY_TURNS.pace(WORDS) == WORDS("client.customs_days", n=3)
    assert PLAYING.pace(WORDS) == ""
