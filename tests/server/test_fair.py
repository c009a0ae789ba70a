"""The proofs of one's own cards over HTTP, what if, and the page about fairness with its figures."""

import json
import re
from threading import Event, current_thread

import pytest

from brelan.lab.audit import LIMIT, decks
from brelan.play import dealt
from brelan.play.dealt import open_to
from brelan.play.leaves import Proof, Tree
from brelan.play.record import verify
from brelan.play.whatif import Origin
from brelan.server.matches import shown
from brelan.server.matches.statistics import Promises, promises
from brelan.server.pages import fair
from brelan.server.pages.fair import AUDIT
from brelan.server.store import Store, index
from brelan.server.tables.wire import STEP
from brelan.server.web.limits import RATES, Rate
from brelan.words import LANGUAGES, Words
from tests.server.clients import Guest, over, play, turn, until
from tests.tables import bare


@pytest.fixture(scope="module")
def played(running):
    """A match of gin that is over: who played it, and the last view."""
    anna = Guest(running.address)
    line = anna.line(anna.make(**{"option.target": "60"}))
    play(line)
    line.viewed(over)
    yield anna, line.view["table"]
    anna.close()


def record_of(guest, match):
    return bare(guest.http.get(f"/m/{match}/record").text)


# ---------------------------------------------------------------- proofs


def test_a_seat_is_given_the_proofs_of_its_own_cards_at_once(guests):
    anna = guests()
    code = anna.make()
    table = turn(anna.line(code))
    answer = anna.http.get(f"/t/{code}/proofs")
    assert answer.headers["cache-control"] == "no-store"
    assert len(answer.content) % STEP == 0, "its length says nothing of the cards"
    found = answer.json()
    assert (found["match"], found["shuffles"]) == (table["table"]["match"], table["table"]["shuffles"])
    assert found["roots"][-1] == table["table"]["root"]
    cards = {card["key"] for zone in table["scene"]["zones"] if zone["id"] == "hand:0" for card in zone["cards"]}
    dealt = [proof for proof in found["proofs"] if proof["shuffle"] == found["shuffles"] - 1]
    own = [Proof(**proof) for proof in dealt if proof["zone"] == "hand:0"]
    assert {proof.card for proof in own} <= cards
    assert len(own) == 10
    assert {proof["zone"] for proof in dealt} == {"hand:0", "discards"}
    for proof in found["proofs"]:
        assert Proof(**proof).holds(found["roots"][proof["shuffle"]])
    since = anna.http.get(f"/t/{code}/proofs?since={found['shuffles']}").json()
    assert since["roots"] == since["proofs"] == []
    for wrong in ("x", "-1", "²", "1" * 20):
        assert anna.http.get(f"/t/{code}/proofs?since={wrong}").status_code == 400


def test_a_table_that_nobody_watches_proves_the_same(running, guests):
    """From memory while somebody is there, from the store else; the answer does not tell."""
    anna = guests()
    code = anna.make()
    line = anna.line(code)
    turn(line)
    held = anna.http.get(f"/t/{code}/proofs").json()
    line.close()
    number, rooms = line.view["number"], running.house.rooms
    assert rooms.held(code, number)
    assert not rooms.held(code, number + 1)
    assert until(lambda: not rooms.held(code, number))
    assert anna.http.get(f"/t/{code}/proofs").json() == held


def test_one_answer_proves_so_many_shuffles(guests, monkeypatch):
    """Whoever has many to check asks on from there: no page of another table waits for all of them."""
    anna = guests()
    line = anna.line(code := anna.make("companeros", players="3", **{"option.rounds": "3"}))
    play(line, until=lambda view: view["table"]["shuffles"] == 3)
    whole = anna.http.get(f"/t/{code}/proofs").json()
    assert len(whole["roots"]) == whole["shuffles"] == 3
    monkeypatch.setattr(fair, "SHUFFLES", 2)
    parts = [anna.http.get(f"/t/{code}/proofs?since={since}").json() for since in (0, 2)]
    assert [len(part["roots"]) for part in parts] == [2, 1]
    assert {part["shuffles"] for part in parts} == {3}
    assert [proof for part in parts for proof in part["proofs"]] == whole["proofs"]


def test_proofs_wait_for_no_replay(running, guests):
    """A page that has them not after ten seconds says that its cards are unproven."""
    anna, end = guests(), Event()
    turn(anna.line(code := anna.make()))
    shown.READER.submit(end.wait, 20)
    try:
        assert anna.http.get(f"/t/{code}/proofs", timeout=10).status_code == 200
    finally:
        end.set()


def test_proofs_are_counted_and_made_beside_the_tables(running, guests, monkeypatch):
    """A table in memory is no cheaper to ask: each answer makes all trees anew, and the first looks at every deal."""
    anna, places, walks = guests(), [], []
    code = anna.make()
    turn(anna.line(code))
    monkeypatch.setitem(RATES, "replay", Rate(3, 3600.0))
    monkeypatch.setattr(dealt, "Tree", lambda *given: places.append(current_thread()) or Tree(*given))
    monkeypatch.setattr(dealt, "open_to", lambda *given: walks.append(current_thread()) or open_to(*given))
    answers = [anna.http.get(f"/t/{code}/proofs").status_code for _ in range(4)]
    assert answers == [200] * 3 + [429]
    assert places
    assert walks
    assert {thread.name for thread in places + walks} == {"proofs_0"}, "whose work it is"


def test_nobody_else_is_given_any(guests):
    anna, bob = guests(), guests()
    code = anna.make(against="friends")
    assert anna.http.get(f"/t/{code}/proofs").status_code == 403
    code = anna.make()
    anna.line(code).viewed(lambda view: view["scene"])
    answer = bob.http.get(f"/t/{code}/proofs")
    assert answer.status_code == 403
    assert "salt" not in answer.text
    assert bob.http.get("/t/zzzzzz/proofs").status_code == 404


def test_the_roots_stand_in_the_record(played):
    anna, table = played
    roots = [line["root"] for line in record_of(anna, table["match"]) if "shuffle" in line]
    found = anna.http.get(f"/t/{table['code']}/proofs").json()
    assert found["roots"] == roots
    assert (len(roots), roots[-1]) == (table["shuffles"], table["root"])


# ---------------------------------------------------------------- what if


def ask(guest, match, **typed):
    return guest.http.post(f"/m/{match}/whatif", data={"step": "5", "seat": "0", "against": "bots"} | typed)


def test_anybody_may_play_on_against_bots(played, guests):
    _, table = played
    bob = guests()
    answer = ask(bob, table["match"])
    assert answer.status_code == 303
    code = answer.headers["location"].rpartition("/")[2]
    line = bob.line(code)
    shown = line.view["table"]
    assert shown["origin"] == {"match": table["match"], "line": 6}
    assert "What if?" in shown["title"]
    assert shown["secret"] is None
    assert bob.http.get(f"/m/{shown['match']}/record").status_code == 403
    play(line)
    end = line.viewed(over)["table"]
    text = bob.http.get(f"/m/{end['match']}/record").text
    (match,) = verify(text.encode(), strict=True)
    old, new = record_of(bob, table["match"]), record_of(bob, end["match"])
    assert new[1:7] == old[1:7]
    assert new[0].pop("whatif")["of"] == table["match"]
    assert new[0] == old[0]
    assert end["secret"] == table["secret"]
    assert "What if? Gin Rami" in bob.http.get("/").text
    assert until(lambda: "What if? Gin Rami" in bob.http.get("/me").text)
    page = bob.http.get(f"/m/{end['match']}").text
    assert "What if?" in page
    assert match.scores == end["scores"]


def test_what_was_played_before_is_played_again_beside_the_tables(running, played, guests, monkeypatch):
    places, mark = [], Origin.mark
    monkeypatch.setattr(Origin, "mark", lambda *given: places.append(current_thread()) or mark(*given))
    assert ask(guests(), played[1]["match"]).status_code == 303
    assert places
    assert running.thread not in places


def test_with_friends_the_others_chairs_are_free(played, guests):
    anna, table = played
    code = ask(anna, table["match"], against="friends", seat="1").headers["location"].rpartition("/")[2]
    view = anna.line(code).view["table"]
    assert [seat["kind"] for seat in view["seats"]] == ["open", "person"]
    assert view["status"] == "open"
    assert table["match"] in view["differs"][0]
    bob = guests()
    bob.http.get(f"/t/{code}")
    line = bob.line(code)
    assert line.ask("sit", seat=0, name="Bob")["type"] == "ack"


@pytest.mark.parametrize(
    "typed", [{"step": "99999"}, {"step": "-1"}, {"step": ""}, {"seat": "2"}, {"seat": "open"}], ids=str
)
def test_a_step_or_seat_that_is_not_there_is_refused(played, typed):
    anna, table = played
    assert ask(anna, table["match"], **typed).status_code == 404


def test_after_the_last_step_there_is_no_what_if(played):
    anna, table = played
    last = len(record_of(anna, table["match"])) - 3
    answer = ask(anna, table["match"], step=str(last))
    assert answer.status_code == 404
    assert "Nothing is left" in answer.text
    assert ask(anna, table["match"], step=str(last - 1)).status_code == 303


def test_a_match_that_is_played_has_no_what_if_and_other_sites_may_not_ask(guests, played):
    anna = guests()
    line = anna.line(anna.make())
    match = line.viewed(lambda view: view["scene"])["table"]["match"]
    assert ask(anna, match).status_code == 403
    anna.http.headers["origin"] = "https://elsewhere.example"
    assert ask(anna, played[1]["match"]).status_code == 403


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_all_in_both_languages(guests, language):
    answer = guests().http.get(f"/fair?lang={language}")
    assert answer.status_code == 200
    assert not re.search(r"<style|\sstyle=|\son\w+=", answer.text)
    assert '<a href="/fair">' in guests().http.get("/").text
    words = Words(language)
    for deck in json.loads(AUDIT.read_text())["decks"]:
        assert f"<td>{words.signed(deck['z']['places'], 2)}</td>" in answer.text
        assert "<p>" + words.written(f"{deck['shuffles']:,} ") in answer.text


def test_the_figures_are_of_an_audit_of_every_deck():
    audit = json.loads(AUDIT.read_text())
    assert audit["mutant"] is None
    assert [(deck["game"], deck["cards"], deck["hand"], deck["kind"]) for deck in audit["decks"]] == [
        (deck.game, deck.size, len(deck.hand), deck.kind) for deck in decks()
    ]
    for deck in audit["decks"]:
        assert deck["shuffles"] >= 1_000_000
        assert all(abs(z) < LIMIT for z in deck["z"].values())


def begun(code, names=("Hanna", "Ida"), over=None, deadline=None, whatif=False):
    """A table as the index keeps it, with its match."""
    here = tuple(index.Sitting(seat, name, name) for seat, name in enumerate(names))
    table = (code, "gin", "sheet", "over" if over else "playing", False, 0, 2, "Hanna", 0.0, 400.0, deadline)
    return index.Summary(*table, f"{code}-1", 100.0, over, here, whatif=whatif)


def test_promises_are_counted(tmp_path):
    """One match is over; another stands still, and counts as never opened after a day; one by turns still has time; one
    of somebody alone with bots is counted apart. What asks what if has an open secret from its start: it is no promise.
    """
    day, store = 86400.0, Store(tmp_path / "brelan.db")
    summaries = [begun("a", over=200.0), begun("b"), begun("c", deadline=9 * day), begun("d", ["Hanna"])]
    summaries += [begun("e", whatif=True), begun("f", ["Hanna"], whatif=True), begun("g", over=200.0, whatif=True)]
    store.submit(lambda connection: index.written(connection, summaries)).result()
    counted = [promises(store, 400.0 + days * day) for days in (0, 2, 12)]
    assert counted == [Promises(4, 3, 0, 0), Promises(4, 1, 1, 1), Promises(4, 0, 1, 2)]
    store.close()
