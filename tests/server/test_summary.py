"""What the index keeps of a table: enough to know, without its events, whom it waits for and when it goes on."""

from brelan.play.customs import Customs
from brelan.play.messages import Again, Back, Consent, Leave, Stand, Undo
from brelan.server.store.index import UP
from brelan.server.tables.summary import summary_of
from tests.server.matches import begin, key, now, played, step, table


def test_a_seat_is_free_where_neither_person_nor_bot_sits():
    made = table("aaaaaa", ["anna", None])
    assert summary_of(made).open_seats == 0
    made.receive("anna", Stand(key()), now())
    assert summary_of(made).open_seats == 1


def test_it_is_dated_by_its_first_and_its_last_event():
    made = table("aaaaaa", ["anna", "bela"])
    found = summary_of(made)
    assert (found.made_at, found.changed_at) == (made.events[0].at, made.events[-1].at)


def test_between_two_rounds_it_waits_for_everybody():
    made = begun(["anna", "bela"])
    while not made.pause:
        step(made, [1])
    assert summary_of(made).asked == 0b11


def test_it_does_not_wait_for_whom_a_bot_keeps_the_seat():
    made = begun(["anna", "bela"])
    made.receive("anna", Leave(key()), now())
    seen = set()
    while len(seen) < 2:
        for seat in made.asked():  # nobody between two rounds
            seen.add(seat)
            assert summary_of(made).asked == (0b10 if seat == 1 else 0)
        step(made, [1])


def test_it_waits_for_who_is_asked_whether_a_move_may_be_taken_back():
    made = begun(["anna", "bela", "cleo"], game="companeros", customs=Customs(pace="days"))
    mover = made.asked()[0]
    step(made, [1])
    other = made.asked()[0]
    step(made, [1])
    made.receive(made.seats[mover].person, Undo(key()), now())
    assert summary_of(made).asked == 0b111 & ~(1 << mover)
    made.receive(made.seats[other].person, Consent(key(), False), now())
    assert summary_of(made).asked == 1 << made.asked()[0]


def test_it_knows_whose_time_is_up():
    made = begun(["anna", "bela"], customs=Customs(pace="days"))
    seat = made.asked()[0]
    made.tick(made.deadline)
    up = 1 << UP + seat
    assert summary_of(made).asked == up
    step(made, [1])
    assert summary_of(made).asked & up
    made.receive(made.seats[seat].person, Back(key()), made.events[-1].at)
    assert not summary_of(made).asked & up


def test_it_goes_on_at_once_where_a_bot_is_to_move_and_persons_sit_there():
    made = begun(["anna", None])
    while not made.bots_asked():
        step(made, [1])
    assert summary_of(made).deadline == made.events[-1].at
    assert summary_of(begun([None, None])).deadline is None


def test_who_is_away_counts_only_where_somebody_waits_for_them():
    made = begun(["anna", "bela"], customs=Customs(pace="live", bank=600))
    made.here(set(), now())
    assert made.deadline < made.wakes_at == summary_of(made).deadline


def test_of_two_matches_the_last_tells_when_it_was_over():
    made = played(table("aaaaaa", ["anna", "bela"]))
    first = summary_of(made)
    assert (first.match, first.over_at) == (made.sealed.match, made.events[-1].at)
    for who in ("anna", "bela"):
        made.receive(who, Again(key()), now())
    assert summary_of(made).over_at is None
    while not made.match:  # nobody gives a nonce
        made.tick(now())
    while made.status != "over":
        step(made, [1])
    assert summary_of(made).over_at == made.events[-1].at > first.over_at


def begun(people, **choices):
    made = table("aaaaaa", people, **choices)
    begin(made)
    return made
