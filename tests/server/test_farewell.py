"""Being forgotten: everything of somebody goes, in every byte, and the others keep what was theirs."""

import asyncio
import gzip
import itertools
import re
import secrets
import time
from contextlib import ExitStack, closing

import pytest
from sqlalchemy import select, text
from websockets.exceptions import ConnectionClosed

from brelan.cli import main
from brelan.play.clocks import DAY
from brelan.play.customs import Customs
from brelan.play.messages import Again, Say, Sit, Stand
from brelan.play.replay import Replay, record_of
from brelan.play.seats import Event, clean_name
from brelan.play.table import Table
from brelan.play.told import news
from brelan.server.ledger import logs
from brelan.server.matches import results
from brelan.server.matches.clerk import Clerk
from brelan.server.matches.results import Finished
from brelan.server.people import people, tokens
from brelan.server.people.identity import signing_key
from brelan.server.settings import Settings
from brelan.server.store import Conflict, Storage, Store
from brelan.server.store.relations import meta
from brelan.server.store.scrub import scrub
from brelan.server.tables import farewell
from brelan.server.tables.summary import summary_of
from brelan.server.upkeep import watch
from brelan.server.upkeep.backup import backup
from brelan.server.upkeep.beat import last_seen
from brelan.server.upkeep.lock import locked
from brelan.words import Words, shown
from tests.server import matches
from tests.server.clients import alert, identity, play, until
from tests.server.conftest import Running
from tests.server.matches import begin, key, now, person, played, step, stored, table


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


def found(store, relation):
    with store.read() as connection:
        return connection.execute(select(meta.tables[relation])).all()


def forget(store, who):
    changed = set()
    farewell.forget(store, [], who, changed.add)
    return changed


@pytest.fixture
def filled(tmp_path):
    """A store whose file and whose log both know Anna; Anna, and the two files."""
    store = Store(tmp_path / "brelan.db")
    anna, _ = crowd(store)
    scrub(store)
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
    signing_key(tmp_path)
    backup(Settings(data=tmp_path), tmp_path / "backup")
    kept = gzip.decompress((tmp_path / "backup").read_bytes())
    assert b"cccccc" in kept
    assert hits(kept, anna) == 0


def test_who_is_forgotten_while_somebody_reads_is_in_no_byte_once_they_have_done(tmp_path, monkeypatch):
    """A backup reads for long, and the log cannot be emptied before: it is tried again by the minute."""
    monkeypatch.setattr(watch, "MINUTE", 0.1)
    monkeypatch.setattr("brelan.server.store.scrub.TRIES", 2)
    with ExitStack() as ends:
        house = Running(tmp_path)
        ends.callback(house.stop)
        store, files = house.house.store, [tmp_path / "brelan.db", tmp_path / "brelan.db-wal"]
        anna, _ = crowd(store)
        with store.read() as connection:
            connection.scalar(text("SELECT count(*) FROM events"))
            forget(store, anna)
            assert hits(files[1].read_bytes(), anna)
        assert until(lambda: not any(hits(file.read_bytes(), anna) for file in files))


def test_who_came_back_with_a_backup_is_forgotten_by_who_keeps_the_house(filled, tmp_path, capsys):
    """Nobody has the key to them any more: they are known by where they sat, and named before anything is done."""
    store, anna, files = filled
    store.close()
    signing_key(tmp_path)
    asked = ["forget", "cccccc", "1", "--data", str(tmp_path)]
    assert main(asked) == 2
    assert "Anna-Zephyrine" in capsys.readouterr().err
    assert hits(files[0].read_bytes(), anna)
    with locked(tmp_path):
        assert main([*asked, "--sure"]) == 2
    assert main(["forget", "cccccc", "7", "--sure", "--data", str(tmp_path)]) == 2
    assert main([*asked, "--sure"]) == 0
    assert hits(files[0].read_bytes(), anna) == 0


def test_the_others_clocks_count_no_time_that_the_house_was_away(tmp_path, monkeypatch):
    """Whoever restores it forgets first, and then opens it."""
    long_ago, anna, bela = int(time.time() - 4.25 * DAY), person(), person()
    monkeypatch.setattr(matches, "_clock", itertools.count(long_ago))
    with closing(Store(tmp_path / "brelan.db")) as store:
        running = table("cccccc", [anna, bela], customs=Customs(pace="days", days=3))
        begin(running)
        (asked,) = stored(store, running).asked()
    signing_key(tmp_path)
    last_seen(tmp_path / "beat", long_ago + 0.25 * DAY, [])
    assert main(["forget", "cccccc", str(1 - asked), "--sure", "--data", str(tmp_path)]) == 0
    with closing(Store(tmp_path / "brelan.db")) as store:
        known = Table.rebuilt(secrets.token_bytes, store.events("cccccc"))
    assert [event.kind for event in known.events[-3:]] == ["resumed", "kept", "forgotten"]
    assert known.seats[asked].kept is None
    assert known.clocks.left[asked] == pytest.approx(2.75 * DAY, abs=60)


def test_who_got_up_and_was_followed_by_another_is_forgotten_by_name(tmp_path, capsys):
    store = Store(tmp_path / "brelan.db")
    bela, troll, cleo = person(), person(), person()
    made = table("k7mx2p", [bela, troll], names=("Béla", "Troll"))
    made.receive(troll, Stand(key()), now())
    made.receive(cleo, Sit(key(), 1, "Cléo"), now())
    stored(store, made)
    store.close()
    signing_key(tmp_path)
    asked = ["forget", "K7M X2P", "1", "--data", str(tmp_path)]
    assert main(asked) == 2
    assert "Troll, Cléo" in capsys.readouterr().err
    assert main([*asked, "--name", "Trudy", "--sure"]) == 2
    assert main([*asked, "--name", "troll", "--sure"]) == 0
    data = (tmp_path / "brelan.db").read_bytes()
    assert [data.count(who.encode()) > 0 for who in (bela, troll, cleo)] == [True, False, True]
    assert main(asked) == 2
    assert "sat “Cléo”" in capsys.readouterr().err, "who is forgotten has no name there"


@pytest.mark.parametrize("name", ["👩‍🚀", "می‌نا", "🫩"])
def test_a_name_is_told_as_it_can_be_asked_for(name):
    assert shown(clean_name(name)) == name


def test_who_keeps_the_house_is_told_where_the_disk_still_holds_somebody(filled, tmp_path, monkeypatch, capsys):
    """They are at the command, and nobody reads a log of it."""
    store, _, _ = filled
    store.close()
    signing_key(tmp_path)

    def full(_):
        raise Storage("storage.full", path="brelan.db", why="disk full")

    monkeypatch.setattr(farewell, "scrub", full)
    assert main(["forget", "cccccc", "1", "--sure", "--data", str(tmp_path)]) == 2
    assert "brelan.db" in capsys.readouterr().err


def test_a_name_is_taken_off_the_ladders_by_who_keeps_the_house(filled, tmp_path, capsys):
    store, anna, _ = filled
    people.remember(store, anna, listed=True)
    store.close()
    signing_key(tmp_path)
    asked = ["unlist", "Аnna-Zephyrine\ufe0f", "--data", str(tmp_path)]  # another A, and a sign that nobody sees
    assert main(["unlist", "Anna", *asked[2:], "--sure"]) == 2
    capsys.readouterr()
    assert main(asked) == 2
    assert "1 person" in capsys.readouterr().err
    with locked(tmp_path):
        assert main([*asked, "--sure"]) == 2
    assert main([*asked, "--sure"]) == 0
    assert main([*asked, "--sure"]) == 2, "nobody is shown by that name any more"
    with closing(Store(tmp_path / "brelan.db")) as again:
        assert (people.profile(again, anna).name, people.profile(again, anna).listed) == ("Anna-Zephyrine", False)


def test_who_never_came_to_a_table_is_forgotten_by_name(filled, tmp_path, capsys):
    store, anna, files = filled
    ada, eve = person(), person()
    people.remember(store, ada, name="Ada", phrase="11ff" * 16)
    tokens.make(store, eve, "Ada", ["read"])
    people.remember(store, anna, name="Ada")  # she sits at tables
    store.close()
    signing_key(tmp_path)
    asked = ["forget", "--name", "ada", "--data", str(tmp_path)]
    assert main(asked) == 2
    assert "2 persons" in capsys.readouterr().err
    assert main([*asked, "--sure"]) == 0
    data = files[0].read_bytes()
    assert [data.count(who.encode()) > 0 for who in (ada, eve, anna)] == [False, False, True]
    assert main([*asked, "--sure"]) == 2
    assert main(["forget", "cccccc", "--data", str(tmp_path)]) == 2


def test_who_goes_by_no_name_is_not_forgotten_by_one_that_nobody_can_read(filled, tmp_path):
    store, _, files = filled
    nameless = person()
    people.remember(store, nameless, phrase="11ff" * 16)
    store.close()
    signing_key(tmp_path)
    assert main(["forget", "--name", " ", "--sure", "--data", str(tmp_path)]) == 2
    assert nameless.encode() in files[0].read_bytes()


def test_a_table_that_can_no_longer_be_read_keeps_nobody_here(filled, monkeypatch):
    store, anna, files = filled

    def rebuilt(*_):
        raise KeyError(anna)

    others = {row.code: row.host for row in found(store, "tables") if row.host != anna}
    monkeypatch.setattr(farewell.Table, "rebuilt", rebuilt)
    assert forget(store, anna) == {"aaaaaa", "bbbbbb", "cccccc", "dddddd"}
    assert [hits(file.read_bytes(), anna) for file in files] == [0, 0]
    assert store.events("bbbbbb")[-1].kind == "forgotten"
    assert {row.code: row.host for row in found(store, "tables") if row.code in others} == others != {}
    ghosts = [row.person for row in found(store, "sittings") if not row.name]
    assert len(set(ghosts)) == len(ghosts) == 4, "at each table another pseudonym"


def test_who_goes_on_all_the_while_is_not_told_to_be_forgotten(filled, monkeypatch):
    store, anna, _ = filled
    monkeypatch.setattr(farewell, "_at_table", lambda *_: None)  # whatever is done there, they are back at once
    with pytest.raises(Conflict, match="not everything is deleted yet"):
        forget(store, anna)
    assert people.profile(store, anna).name == "Anna-Zephyrine"


def overtaken(monkeypatch, store, times):
    """Béla speaks at the running table between each look at it and what is written then, so many times."""
    real, spoken = farewell._left, []

    def left(store, aways, code, *who):
        found = real(store, aways, code, *who)
        if code == "cccccc" and len(spoken) < times:
            spoken.append(len(known := store.events(code)) + 1)
            said = {"seat": 0, "preset": "hello"}
            store.append(code, [Event(spoken[-1], now(), "said", known[1].person, key(), said)]).result()
        return found

    monkeypatch.setattr(farewell, "_left", left)
    monkeypatch.setattr(farewell, "TRIES", 3)


def test_a_table_that_went_on_meanwhile_is_looked_at_again(filled, monkeypatch):
    store, anna, files = filled
    overtaken(monkeypatch, store, 2)
    forget(store, anna)
    assert [event.kind for event in store.events("cccccc")[-4:]] == ["said", "said", "kept", "forgotten"]
    assert [hits(file.read_bytes(), anna) for file in files] == [0, 0]


def test_a_table_that_goes_on_all_the_while_is_not_said_to_have_forgotten(filled, monkeypatch):
    store, anna, _ = filled
    overtaken(monkeypatch, store, 3)
    with pytest.raises(Conflict):
        forget(store, anna)


def test_what_is_not_written_at_a_table_whole_is_not_written_at_all(tmp_path, monkeypatch):
    """Where its last event is refused the person is still there, and is found again."""
    store, (anna, bela), real = Store(tmp_path / "brelan.db"), (person(), person()), Store.append
    waiting = stored(store, table("dddddd", [anna, bela], names=("Anna-Zephyrine", "Béla")))

    def refused(self, code, new, *rest, **choices):
        return real(self, code, [*new, Event(1, now(), "said", "", "", {})], *rest, **choices)

    monkeypatch.setattr(Store, "append", refused)
    with pytest.raises(Conflict):
        forget(store, anna)
    monkeypatch.undo()
    assert {row.person for row in found(store, "sittings")} == {anna, bela}
    moved = waiting.receive(bela, Stand(key()), now()).events  # in a room that has read the table before
    store.append("dddddd", moved, summary_of(waiting)).result()
    forget(store, anna)
    assert hits(rows(store).encode(), anna) == 0
    store.close()


def test_programs_act_no_longer_while_their_owner_is_being_forgotten(filled, monkeypatch):
    store, anna, _ = filled
    held, at_table = [], farewell._at_table

    def look(*at):
        held.append(tokens.of(store, anna))
        at_table(*at)
        if len(held) == 4:
            tokens.make(store, anna, "made meanwhile", ["read"])

    monkeypatch.setattr(farewell, "_at_table", look)
    forget(store, anna)
    assert held == [[]] * 4
    assert tokens.of(store, anna) == []


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


def test_who_is_forgotten_is_so_though_the_database_refuses_to_free_their_rows(postgres, monkeypatch, caplog):
    """As it may, by a time limit of its own: the rest is done, and who keeps the house is told."""
    store = Store(postgres)
    anna, _ = crowd(store)
    monkeypatch.setattr(logs, "_seen", {})
    monkeypatch.setattr("brelan.server.store.scrub.text", lambda said: text(f"{said} nothing_of_ours"))
    forget(store, anna)
    assert hits(rows(store).encode(), anna) == 0
    assert [record.msg for record in caplog.records] == ["storage"]
    store.close()


def test_the_others_keep_their_matches_and_ratings(tmp_path):
    store = Store(tmp_path / "brelan.db")
    anna, bela = crowd(store)
    before = [row for row in found(store, "ratings") if row.person == bela]
    ended = [row.match for row in sorted(found(store, "finished"), key=lambda row: row.number)]
    forget(store, anna)
    assert [row for row in found(store, "ratings") if row.person == bela] == before != []
    seats = found(store, "results")
    ghosts = {seat.person for seat in seats} - {bela, "bot:novice"}
    assert len(ghosts) == 2, "at each table another pseudonym"
    assert {(seat.mu, seat.sigma) for seat in seats} == {(None, None)}, "by them one would follow from the other"
    for code, one in zip(("aaaaaa", "bbbbbb"), ended, strict=True):
        replay = Replay(store.events(code), one)
        assert replay.match.over
        assert record_of(store.events(code), one)
    store.close()


def test_a_match_that_is_still_being_entered_knows_nobody_who_was_forgotten_meanwhile(tmp_path):
    """Its table knew them; the others are rated at once all the same."""
    store, anna, bela = Store(tmp_path / "brelan.db"), person(), person()
    ended = stored(store, played(table("aaaaaa", [anna, bela])))

    async def late():
        clerk = Clerk(store)
        clerk.enter(ended)
        await clerk.close()

    forget(store, anna)
    asyncio.run(late())
    assert hits(rows(store).encode(), anna) == 0
    assert [row.person for row in found(store, "ratings") if row.person == bela] == [bela]
    assert results.missing(store) == []
    store.close()


def test_the_keeper_takes_the_seat_and_the_match_goes_on(tmp_path):
    store = Store(tmp_path / "brelan.db")
    anna, bela = crowd(store)
    forget(store, anna)
    playing = Table.rebuilt(secrets.token_bytes, store.events("cccccc"))
    seat = playing.seats[1]
    assert (seat.kept, seat.why, seat.name) == ("novice", "left", "")
    assert playing.events[-1].kind == "forgotten"
    told = [one.words for one in news(playing, playing.seats[0].person, 0, Words("en", "gin")) if one.kind == "said"]
    assert len(told) == 1, "what the others said stays"
    assert "Hello!" in told[0]
    while playing.status != "over":
        step(playing, [1])
    waiting = Table.rebuilt(secrets.token_bytes, store.events("dddddd"))
    assert [seat.person for seat in waiting.seats] == ["", bela]
    assert waiting.host not in (anna, bela)
    store.close()


@pytest.mark.parametrize("pace", ["none", "days"])
def test_nobody_waits_for_a_ghost_when_they_play_again(tmp_path, pace):
    """The end of the match opens the keeper's seat; an earlier version gave it back, to nobody who will ever come."""
    store = Store(tmp_path / "brelan.db")
    anna, bela = person(), person()
    playing = table("cccccc", [bela, anna], customs=Customs(pace=pace, days=14))
    begin(playing)
    stored(store, playing)
    forget(store, anna)
    playing = Table.rebuilt(secrets.token_bytes, store.events("cccccc"))
    while playing.status != "over":
        step(playing, [1])
    assert playing.seats[1].kind == "open"
    playing = Table.rebuilt(secrets.token_bytes, playing.events[:-1])
    playing.here({bela}, now())
    playing.receive(bela, Again(key()), now())
    while playing.sealed and not playing.match:
        playing.tick(now())
    assert not playing.match.over
    assert playing.seats[1].kept == "novice"
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
    assert re.search(
        '<details open>(?:(?!</details>).)*name="sure"[^>]* aria-describedby="sure-error"', refused.text, re.S
    )
    anna.http.cookies.set("elsewhere", "kept")
    anna.http.post(other.view["table"]["link"])
    anna.http.get("/me?lang=fr")
    gone = anna.http.post("/me/delete", data={"sure": "yes"})
    assert (gone.status_code, gone.headers["clear-site-data"]) == (200, '"storage"')
    assert list(anna.http.cookies) == ["elsewhere"]
    other.viewed(lambda view: view["table"]["seats"][0]["kept"] and view["table"]["seats"][0]["name"] != name)
    with pytest.raises(ConnectionClosed):
        line.until(lambda _: False)
    assert name not in bela.http.get(f"/t/{code}").text
    play(other)
    assert hits_in(running.house.store, own, name) == 0


def test_who_could_not_be_forgotten_reads_why_and_stays_who_they_are(running, anna, monkeypatch):
    anna.http.post("/name", data={"nickname": "Anna"})
    monkeypatch.setattr(farewell, "TRIES", 0)
    refused = anna.http.post("/me/delete", data={"sure": "yes"})
    assert refused.status_code == 409
    assert "not everything is deleted yet" in alert(refused)
    assert identity(running, anna).name == "Anna"


def hits_in(store, *wanted):
    text = rows(store)
    return sum(text.count(one) for one in wanted)
