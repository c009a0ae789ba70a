"""Finished matches are entered once with their ratings, whatever dies or races; and what is told about them is true."""

import asyncio
import itertools
import random
import secrets
import threading
from contextlib import closing
from dataclasses import asdict, replace

import pytest
from sqlalchemy import select

from brelan.cards import seed
from brelan.errors import Refusal
from brelan.games import find
from brelan.play.customs import Customs
from brelan.play.messages import Again, Back, Consent, Hint, Leave, Nonce, Stand, Undo
from brelan.play.replay import Replay, origin_at
from brelan.play.table import Table
from brelan.server.matches import results, statistics
from brelan.server.matches.ratings import Rating, after
from brelan.server.matches.results import Finished, places
from brelan.server.matches.statistics import Chair
from brelan.server.people.people import Profile, remember
from brelan.server.store import Store, index
from brelan.server.store.relations import finished, people, ratings
from brelan.server.store.relations import results as seats
from tests.server.clients import Guest, Process, play, until
from tests.server.matches import after_all, begin, key, now, played, step, stored, table

ANNA, BELA, CLEO = (letter * 32 for letter in "abc")


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "brelan.db")
    yield store
    store.close()


def match_of(store, code="aaaaaa", people=(ANNA, BELA), **choices):
    return Finished.of(stored(store, played(table(code, list(people), **choices))))


def ratings_of(store):
    with store.read() as connection:
        rungs = statistics.ladder(connection, "gin", "sheet", ANNA).rungs
    return {rung.person: rung.rating for rung in rungs}


# ---------------------------------------------------------------- one match


@pytest.mark.parametrize(
    ("game", "scores", "winners", "expected"),
    [
        ("gin", [100, 40], {0}, [1, 2]),
        ("companeros", [5, 9, 9, 2], {1, 2}, [3, 1, 1, 4]),
        ("companeros", [5, 9, 5, 2], {1}, [2, 1, 2, 4]),
        ("mio", [120, 30, 80], {1}, [3, 1, 2]),  # few points are good
        ("mio", [30, 30, 30], {0, 1, 2}, [1, 1, 1]),
        ("gin", [100, 120], {0, 1}, [1, 1]),  # who win together stand together, whatever their points
    ],
)
def test_places(game, scores, winners, expected):
    assert places(find(game), scores, winners) == expected


def test_a_match_tells_who_played_how_it_ended_and_how_long_it_was():
    made = played(table("aaaaaa", [ANNA, None]))
    done = Finished.of(made)
    assert (done.match, done.code, done.game, done.preset) == (made.sealed.match, "aaaaaa", "gin", "sheet")
    assert [seat.person for seat in done.seats] == [ANNA, "bot:novice"]
    assert [seat.score for seat in done.seats] == made.match.scores
    assert [seat.won for seat in done.seats] == [seat in made.match.winners for seat in (0, 1)]
    assert done.moves == sum(event.kind == "move" for event in made.events)
    assert done.rounds == len(made.match.tallies)
    assert done.began_at < done.over_at


def is_rated(**choices):
    return Finished.of(played(table("aaaaaa", [ANNA, BELA], **choices))).rated


def test_a_match_counts_for_a_ladder_only_as_its_preset_says():
    assert is_rated()
    assert is_rated(preset="classic")
    assert not is_rated(options={"target": 30})
    assert is_rated(options={"target": 100}), "said, and as usual"


def keep_bela(made):
    while not made.seats[1].kept:
        made.tick(made.deadline)


def finish(made):
    while made.status != "over":
        step(made, [1])
    return Finished.of(made).rated


@pytest.mark.parametrize("once_more", [False, True])
def test_nobody_is_rated_by_a_match_that_others_began_while_they_were_gone(once_more):
    made = played(table("aaaaaa", [ANNA, BELA])) if once_more else table("aaaaaa", [ANNA, BELA])
    made.here({ANNA}, now())
    if once_more:
        made.receive(ANNA, Again(key()), now())
        made.tick(made.deadline)
    else:
        begin(made)
    keep_bela(made)
    made.here({ANNA, BELA}, now())
    assert not made.seats[1].kept, "a page that finds its line again is back by itself"
    made.here({ANNA}, now())
    keep_bela(made)
    assert not finish(made)


def test_who_came_is_rated_though_they_never_move():
    """Else whoever dislikes the deal could void the match, alone."""
    made = table("aaaaaa", [ANNA, BELA])
    begin(made)
    made.receive(BELA, Leave(key()), now())
    assert finish(made)


def test_by_turns_whoever_sat_down_has_come():
    """Though they never do anything."""
    made = table("aaaaaa", [ANNA, BELA], customs=Customs(pace="days", days=1))
    begin(made)
    while made.status != "over":
        idle = (made.asked() == [1] and not made.seats[1].kept) or made.waits_for() == [1]
        made.tick(made.deadline) if idle else step(made, [1])
    assert BELA not in {event.person for event in made.events[made.begun - 1 :]}
    assert Finished.of(made).rated


@pytest.mark.parametrize("asks", [True, False], ids=["asked for it", "did not"])
@pytest.mark.parametrize("does", ["plays", "leaves", "lies open"])
def test_nobody_is_rated_because_their_page_lay_open_when_another_played_again(asks, does):
    """And whoever did not ask for it cannot choose at the end, by doing something once they are ahead."""
    made = played(table("aaaaaa", [ANNA, BELA], customs=Customs(pace="live", bank=60)))
    made.here({ANNA, BELA}, now())
    for person in (ANNA, BELA) if asks else (ANNA,):
        made.receive(person, Again(key()), now())
    if not asks:
        made.tick(made.deadline)
    for person in (ANNA, BELA):
        made.receive(person, Nonce("ab" * 16), made.events[-1].at)
    if does == "leaves":
        made.receive(BELA, Leave(key()), made.events[-1].at)
    while does == "lies open" and not made.seats[1].kept:
        made.tick(made.deadline) if made.asked() == [1] else step(made, [1])
    assert finish(made) == asks
    assert Finished.of(Replay(made.events, made.sealed.match).table).rated == asks


def rated_if_won(help_, people=(ANNA, BELA)):
    """The same match several times, until the helped seat has both won and lost: whether each was rated, by that."""
    found, numbers = {}, itertools.count(1)
    while len(found) < 2:
        made, chance = table("aaaaaa", people, customs=Customs(hints=True)), [0]
        seed(chance, next(numbers))
        begin(made)
        seat = help_(made, chance)
        while made.status != "over":
            step(made, chance)
        again = Table.rebuilt(secrets.token_bytes, made.events)
        found[seat in made.match.winners] = rated = Finished.of(again).rated
        assert Finished.of(made).rated == rated
    return found


def favour(made, chance):
    """Take back a move after the other's, by their consent."""
    while not any(made.undo_lines(seat) > 1 for seat in (0, 1)):
        step(made, chance)
    asking = 0 if made.undo_lines(0) > 1 else 1
    made.receive(made.seats[asking].person, Undo(key()), now())
    assert made.slips.request, "the other has moved since: it needs consent"
    made.receive(made.seats[1 - asking].person, Consent(key(), True), now())
    return asking


def hinted(made, chance):
    while 0 not in made.asked():
        step(made, chance)
    made.receive(ANNA, Hint(key()), now())
    return 0


@pytest.mark.parametrize(("help_", "people"), [(favour, (ANNA, BELA)), (hinted, (ANNA, None))])
def test_help_does_not_win_and_does_not_void_a_loss_either(help_, people):
    assert rated_if_won(help_, people) == {True: False, False: True}


def test_leaving_is_never_better_than_losing():
    """The seat's result is that of the person who left, whoever played it to the end."""
    made = table("aaaaaa", [ANNA, BELA])
    begin(made)
    step(made, [1])
    made.receive(ANNA, Leave(key()), now())
    while made.status != "over":
        step(made, [1])
    done = Finished.of(made)
    assert (done.seats[0].person, done.seats[0].kept) == (ANNA, "novice")
    assert done.seats[1].kept is None
    assert done.rated


@pytest.mark.parametrize(
    ("people", "leave", "counts"),
    [
        ([ANNA, BELA], [ANNA, BELA], False),
        ([ANNA, BELA, None], [BELA, ANNA], False),
        ([ANNA, BELA], [BELA], True),
        ([ANNA, None], [ANNA], True),
    ],
)
def test_all_who_play_call_a_match_off_by_leaving_it_and_nobody_does_alone(people, leave, counts):
    """Else whoever is losing would; against bots, too."""
    made = table("aaaaaa", people, game="gin" if len(people) == 2 else "mio")
    begin(made)
    for person in leave:
        made.receive(person, Leave(key()), now())
    assert finish(made) == counts
    assert Finished.of(Replay(made.events, made.sealed.match).table).rated == counts


def test_who_left_and_came_back_has_not_called_it_off():
    made = table("aaaaaa", [ANNA, BELA])
    begin(made)
    for person, message in ((ANNA, Leave), (BELA, Leave), (ANNA, Back)):
        made.receive(person, message(key()), now())
    assert finish(made)


def test_who_came_back_played_to_the_end():
    made = table("aaaaaa", [ANNA, BELA])
    begin(made)
    for message in (Leave(key()), Back(key())):
        made.receive(ANNA, message, now())
    while made.status != "over":
        step(made, [1])
    assert [seat.kept for seat in Finished.of(made).seats] == [None, None]


def test_what_plays_on_from_a_match_that_was_over_is_entered_as_that():
    past = played(table("aaaaaa", [ANNA, None]))
    origin = origin_at(Replay(past.events, past.sealed.match), 3)
    done = Finished.of(played(table("bbbbbb", [ANNA, None], origin=origin)))
    assert (done.whatif, done.rated, Finished.of(past).whatif) == (True, False, False)


# ---------------------------------------------------------------- entered once


def test_a_match_is_entered_once(store):
    done = match_of(store)
    assert results.enter(store, done)
    before = ratings_of(store)
    assert not results.enter(store, done)
    assert ratings_of(store) == before
    assert before["a" * 32].matches == 1


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_two_processes_that_finish_the_same_match_enter_it_once(request, tmp_path, database):
    """Two stores on one database, as two workers have them; each enters all matches at the same time."""
    place = request.getfixturevalue("postgres") if database == "postgres" else tmp_path / "brelan.db"
    stores = [Store(place) for _ in range(2)]
    matches = [match_of(stores[0], f"table{i}", (ANNA, BELA, CLEO)[i % 2 :][:2]) for i in range(12)]
    entered = [[], []]

    def work(i):
        for done in matches if i else reversed(matches):
            entered[i].append(results.enter(stores[i], done))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    with stores[0].read() as connection:
        rows = connection.execute(select(finished).order_by(finished.c.number)).all()
        seated = connection.execute(select(seats)).all()
    assert sum(map(sum, entered)) == len(rows) == 12
    assert [row.number for row in rows] == list(range(1, 13))
    assert len(seated) == 24
    by_id = {done.match: done.placing() for done in matches}
    rated = after_all(by_id[row.match] for row in rows)
    with stores[1].read() as connection:
        for who in (ANNA, BELA, CLEO):
            assert statistics.own_ratings(connection, who) == {("gin", "sheet"): rated[who]}
    for store in stores:
        store.close()


def test_all_or_nothing(store, monkeypatch):
    """Dying between the match and its ratings leaves neither."""
    monkeypatch.setattr(results, "_skill", lambda _: 1 / 0)
    with pytest.raises(Refusal):
        results.enter(store, match_of(store))
    monkeypatch.undo()
    with store.read() as connection:
        assert connection.execute(select(finished)).all() == []
        assert statistics.own_ratings(connection, ANNA) == {}


def test_what_an_earlier_run_did_not_enter_is_entered_later(store):
    first = stored(store, played(table("aaaaaa", [ANNA, None])))
    stored(store, played(table("bbbbbb", [ANNA, BELA])))
    unfinished = table("cccccc", [ANNA, BELA])
    begin(unfinished)
    stored(store, unfinished)
    assert results.enter(store, Finished.of(first))
    ((code, match),) = results.missing(store)
    assert code == "bbbbbb"
    assert results.enter_past(store, code, match)
    assert results.missing(store) == []


def test_the_same_is_entered_at_once_and_later(store):
    """What is read back from the events is what was known at the table."""
    made = stored(store, played(table("aaaaaa", [ANNA, BELA])))
    assert Finished.of(Replay(store.events("aaaaaa"), made.sealed.match).table) == Finished.of(made)


def test_a_house_that_dies_after_the_last_move_enters_the_match_when_it_stands_again(tmp_path):
    with Process(tmp_path) as house, closing(Guest(house.address)) as guest:
        play(guest.line(guest.make()))
        house.kill()
    with Process(tmp_path) as house, closing(Guest(house.address)) as guest:
        assert until(lambda: '<td class="figure">1</td>' in guest.http.get("/ratings/gin").text)
    store = Store(tmp_path / "brelan.db")
    assert results.missing(store) == []
    with store.read() as connection:
        assert len(connection.execute(select(finished)).all()) == 1
    store.close()


# ---------------------------------------------------------------- statistics


def test_a_games_statistics(store):
    matches = [match_of(store, f"table{i}") for i in range(6)] + [match_of(store, "other", (ANNA, None), game="mio")]
    for done in matches:
        results.enter(store, done)
    gin = matches[:6]
    with store.read() as connection:
        assert statistics.counts(connection) == {"gin": 6, "mio": 1}
        told = statistics.played(connection, "gin")
        chairs = statistics.chairs(connection, "gin")
        nothing = statistics.played(connection, "elements")
    assert (told.matches, nothing.matches, nothing.longest) == (6, 0, 0)
    assert told.moves == pytest.approx(sum(done.moves for done in gin) / 6)
    assert told.longest == max(done.moves for done in gin)
    began = sum(done.seats[done.first].won for done in gin)
    assert chairs == [Chair(2, 0, 6, began), Chair(2, 1, 6, 6 - began)]


def test_seats_are_compared_at_tables_of_one_size_only(store):
    """Else the third would seem to lose by their seat what they lose by sitting among four."""
    for done in (match_of(store, f"table{n}", (ANNA, *[None] * (n - 1)), game="mio") for n in (2, 4)):
        results.enter(store, done)
    with store.read() as connection:
        chairs = statistics.chairs(connection, "mio")
    sizes = [(2, 0), (2, 1), (4, 0), (4, 1), (4, 2), (4, 3)]
    assert [(chair.players, chair.behind) for chair in chairs] == sizes
    assert {chair.matches for chair in chairs} == {1}


def test_a_games_figures_are_kept_for_a_multiple_of_what_they_cost(store, monkeypatch):
    """However many look at once."""
    at, added_up = [0.0], statistics.played
    figures = statistics.Figures(store, lambda: at[0])

    def slowly(*asked):
        at[0] += 1.0
        return added_up(*asked)

    async def told():
        return {played.matches for played, _ in await asyncio.gather(*[figures.of("gin") for _ in range(5)])}

    async def look():
        results.enter(store, match_of(store))
        assert (await told(), at) == ({1}, [1.0])
        results.enter(store, match_of(store, "bbbbbb"))
        at[0] += statistics.KEPT - 0.1
        assert await told() == {1}
        at[0] += 0.1
        assert await told() == {2}

    monkeypatch.setattr(statistics, "played", slowly)
    asyncio.run(look())


def test_a_persons_statistics(store):
    matches = [match_of(store, f"table{i}") for i in range(5)]
    for done in matches:
        results.enter(store, done)
    with store.read() as connection:
        (own,) = statistics.of_person(connection, ANNA)
        last = statistics.last_matches(connection, ANNA, 3)
    assert (own.game, own.matches) == ("gin", 5)
    assert own.wins == sum(done.seats[0].won for done in matches)
    assert own.place == pytest.approx(sum(done.seats[0].place for done in matches) / 5)
    assert [row.match for row in last] == [done.match for done in reversed(matches)][:3]


def test_older_matches_and_with_whom_they_were(store):
    people = [(ANNA, BELA), (ANNA, None), (BELA, CLEO), (ANNA, CLEO)]
    tables = [stored(store, played(table(f"table{i}", list(who)))) for i, who in enumerate(people)]
    for made in tables:
        results.enter(store, Finished.of(made))
    tables[3].receive(CLEO, Stand(key()), now())
    stored(store, tables[3])
    with store.read() as connection:
        (last,) = statistics.last_matches(connection, ANNA, 1)
        older = statistics.last_matches(connection, ANNA, 9, last.number)
        others = statistics.others(connection, ANNA, [row.match for row in (last, *older)])
    assert [row.code for row in (last, *older)] == ["table3", "table1", "table0"]
    assert list(others.values()) == [[(CLEO, "")], [("bot:novice", "")], [(BELA, "Béla")]]


def test_what_asks_what_if_is_listed_as_that_and_counts_as_nothing(store):
    """Whoever asked may have known every card."""
    fresh, asked = match_of(store), replace(match_of(store, "bbbbbb"), whatif=True, rated=False, moves=999)
    for done in (fresh, asked):
        results.enter(store, done)
    with store.read() as connection:
        last = [(row.match, row.whatif) for row in statistics.last_matches(connection, ANNA, 3)]
        assert last == [(asked.match, True), (fresh.match, False)]
        assert statistics.counts(connection) == {"gin": 1}
        assert [own.matches for own in statistics.of_person(connection, ANNA)] == [1]
        assert statistics.played(connection, "gin").longest == fresh.moves
        assert [chair.matches for chair in statistics.chairs(connection, "gin")] == [1, 1]


def test_a_ladder_shows_bots_the_reader_and_who_chose_to_be_shown(store):
    results.enter(store, match_of(store, "table1", (ANNA, BELA)))
    results.enter(store, match_of(store, "table2", (CLEO, None)))
    remember(store, CLEO, name="Cléo", listed=True)
    remember(store, BELA, name="Béla")
    with store.read() as connection:
        seen = statistics.ladder(connection, "gin", "sheet", ANNA)
        others = statistics.ladder(connection, "gin", "sheet")
    assert {line.person for line in seen.rungs} == {ANNA, CLEO, "bot:novice"}
    assert seen.unlisted == 1
    assert {line.person for line in others.rungs} == {CLEO, "bot:novice"}
    assert {line.level for line in others.rungs} == {None, "novice"}
    least = [line.rating.least for line in seen.rungs]
    assert least == sorted(least, reverse=True)
    assert all(isinstance(line.rating, Rating) for line in seen.rungs)


def test_each_game_and_preset_has_a_ladder_of_its_own(store):
    for code, choices in (("aaaaaa", {}), ("bbbbbb", {"preset": "classic"}), ("cccccc", {"game": "mio"})):
        done = match_of(store, code, **choices)
        assert results.enter(store, done)
        with store.read() as connection:
            own = statistics.own_ratings(connection, ANNA)[done.game, done.preset]
            rungs = statistics.ladder(connection, done.game, done.preset, ANNA).rungs
        assert own == after(done.placing(), {})[ANNA], "as after a first match"
        assert [rung.rating for rung in rungs] == [own]


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
@pytest.mark.parametrize("most", [5, 500])
def test_a_ladder_is_what_sorting_everybody_would_give(request, tmp_path, monkeypatch, database, most):
    """And no more of them are read than are shown."""
    place = request.getfixturevalue("postgres") if database == "postgres" else tmp_path / "brelan.db"
    with closing(Store(place)) as store:
        rated, listed = crowd(store)
        made, order = [], lambda who: (-rated[who].least, who)
        monkeypatch.setattr(statistics, "Rating", lambda *fields: made.append(fields) or Rating(*fields))
        for reader in ("", *list(rated)[::40]):
            shown = sorted((who for who in rated if who in listed or who == reader or who[:4] == "bot:"), key=order)
            with store.read() as connection:
                ladder = statistics.ladder(connection, "gin", "sheet", reader, most)
            told = [(line.place, line.person, line.rating) for line in ladder.rungs]
            wanted = [(n, who, rated[who]) for n, who in enumerate(shown, 1) if n <= most or who == reader]
            assert (told, ladder.unlisted) == (wanted, len(rated) - len(shown))
            assert len(made) == len(told)
            made.clear()


def crowd(store):
    """Persons and bots with ratings, many of them equal, by who they are; and who of them chose to be shown."""
    chance, levels = random.Random(1), ("novice", "casual", "casual@1")
    who = [f"{chance.getrandbits(128):032x}" for _ in range(200)] + [f"bot:{level}" for level in levels]
    rated = {one: Rating(chance.choice([20.0, 25.0, 31.7]), chance.choice([1.0, 25 / 3]), 3) for one in who}
    known = {one: chance.random() < 0.5 for one in who[:150]}  # of the others nothing is remembered

    def written(connection):
        rows = [{"game": "gin", "preset": "sheet", "person": one, **asdict(of)} for one, of in rated.items()]
        index.put(connection, ratings, rows)
        index.put(connection, people, [asdict(Profile(one, "Anna", listed=shown)) for one, shown in known.items()])

    store.submit(written).result()
    return rated, {one for one, shown in known.items() if shown}
