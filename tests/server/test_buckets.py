"""Buckets with a clock of the test's own."""

import asyncio

import pytest

from brelan.server.upkeep.beat import Beat
from brelan.server.upkeep.watch import Watch
from brelan.server.web.limits import (
    BUCKETS,
    CROWD,
    FULL,
    LINES,
    PROXY,
    RATES,
    Limits,
    TooMany,
    is_own_machine,
    near,
)
from tests.server.clients import repeat
from tests.server.houses import Clock

ADDRESS = "203.0.113.7"


@pytest.fixture
def clock():
    return Clock()


def taken(limits, kind, most=10_000, **who):
    """How many may be had at once, and how long to wait for the next."""
    for count in range(most):
        try:
            limits.take(kind, **who)
        except TooMany as refusal:
            return count, refusal.wait
    return most, 0


@pytest.mark.parametrize("kind", RATES)
def test_a_bucket_holds_its_burst_and_fills_steadily(clock, kind):
    limits, rate = Limits(clock), RATES[kind]
    count, wait = taken(limits, kind, person="anna")
    assert count == rate.burst
    assert wait - 1 < rate.every <= wait
    clock.now += rate.every * 3
    assert taken(limits, kind, person="anna")[0] == 3
    clock.now += 10 * FULL
    assert taken(limits, kind, person="anna")[0] == rate.burst


def test_persons_kinds_and_addresses_have_buckets_of_their_own(clock):
    limits = Limits(clock)
    most = RATES["make"].burst
    assert taken(limits, "make", person="anna", address=ADDRESS)[0] == most
    assert taken(limits, "make", person="ben", address=ADDRESS)[0] == most
    assert taken(limits, "form", person="anna", address=ADDRESS)[0] == RATES["form"].burst
    for n in range(CROWD - 2):
        assert taken(limits, "make", person=f"p{n}", address=ADDRESS)[0] == most
    assert taken(limits, "make", person="new", address=ADDRESS)[0] == 0
    assert taken(limits, "make", person="new", address="203.0.113.8")[0] == most


def test_a_class_behind_one_address_talks_as_thirty_persons_do(clock):
    """Each table keeps its own speakers from speaking without end."""
    limits, rate = Limits(clock), RATES["say"]
    assert [taken(limits, "say", person=f"p{n}", address=ADDRESS)[0] for n in range(30)] == [rate.burst] * 30
    crowd = sum(taken(limits, "say", person=f"q{n}", address=ADDRESS)[0] for n in range(100))
    assert 30 * rate.burst + crowd == rate.share * rate.burst


def test_what_is_refused_costs_nothing(clock):
    limits = Limits(clock)
    taken(limits, "login", person="anna", address=ADDRESS)
    for _ in range(1000):
        with pytest.raises(TooMany):
            limits.take("login", person="anna", address=ADDRESS)
    assert taken(limits, "login", person="ben", address=ADDRESS)[0] == RATES["login"].burst


def test_a_network_of_one_household_counts_as_one_address(clock):
    assert near("2001:db8:1:2::9") == near("2001:db8:1:2:ffff::1") != near("2001:db8:1:3::9")
    assert near("::ffff:203.0.113.7") == ADDRESS
    assert is_own_machine("::ffff:127.0.0.1")
    assert not is_own_machine("::ffff:203.0.113.7")
    limits = Limits(clock)
    counts = [taken(limits, "login", address=f"2001:db8::{n:x}")[0] for n in range(100)]
    assert sum(counts) == RATES["login"].burst * CROWD


def test_this_machine_itself_may_be_everybody_behind_a_proxy(clock):
    limits = Limits(clock)
    assert taken(limits, "login", address="127.0.0.1")[0] == RATES["login"].burst * PROXY
    assert taken(limits, "login", address="::1")[0] == RATES["login"].burst * PROXY


def test_lines_are_counted_while_they_are_open(clock):
    limits = Limits(clock)
    for n in range(LINES * CROWD):
        limits.enter(f"2001:db8::{n:x}")
    with pytest.raises(TooMany, match="1000 connections from your address are open"):
        limits.enter("2001:db8::ffff")
    limits.enter(ADDRESS)
    limits.leave("2001:db8::1")
    limits.enter("2001:db8::ffff")
    repeat(LINES * PROXY, lambda: limits.enter("127.0.0.1"))
    with pytest.raises(TooMany):
        limits.enter("127.0.0.1")


def test_nothing_is_kept_of_an_address_whose_lines_have_closed(clock):
    limits = Limits(clock)
    limits.enter(ADDRESS)
    limits.leave(ADDRESS)
    assert not limits._lines


def test_the_memory_is_bounded(clock):
    limits = Limits(clock, most=1000)
    for n in range(5000):
        limits.take("form", person=f"p{n}", address=f"198.51.{n // 250}.{n % 250}")
    assert len(limits) == 1000
    clock.now += FULL
    limits.take("form", person="anna")
    assert len(limits) == 1
    assert BUCKETS >= 1000


def test_an_open_house_forgets_full_buckets_though_nobody_new_comes(clock, tmp_path, monkeypatch):
    monkeypatch.setattr("brelan.server.upkeep.watch.MINUTE", 0.01)
    limits, watch, left = Limits(clock), Watch(None, Beat(tmp_path / "beat")), []
    limits.take("form", address=ADDRESS)

    async def a_while():
        watch.begin(limits.forget)
        for later in (0.0, FULL):
            clock.now += later
            await asyncio.sleep(0.1)
            left.append(len(limits))
        await watch.close()

    asyncio.run(a_while())
    assert left == [1, 0]


def test_a_bucket_in_use_is_not_forgotten_for_new_ones(clock):
    limits = Limits(clock, most=100)
    taken(limits, "login", person="eve")
    for n in range(1000):
        limits.take("form", person=f"p{n}")
        if n % 50 == 0:
            with pytest.raises(TooMany):
                limits.take("login", person="eve")
