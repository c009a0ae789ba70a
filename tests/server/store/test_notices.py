"""What the houses on one PostgreSQL tell one another."""

import json
import secrets
from queue import Queue

from psycopg import OperationalError
from sqlalchemy import func, select

from brelan.server.store import Store, notices
from brelan.server.store.notices import PAYLOAD, Notice, payloads
from brelan.server.tables.others import GONE, Others

WAIT = 30.0  # seconds for a loaded machine


def test_a_server_that_vanishes_is_noticed_over_every_line(postgres):
    """Of what it has not acknowledged the system alone would say so after a quarter of an hour."""
    store = Store(postgres)
    store.listen(lambda told: None)
    pools = [engine.raw_connection() for engine in (store.engine, store._writer.engine)]
    try:
        with store.notices._connected() as told:
            for line in (told, *(pooled.dbapi_connection for pooled in pools)):
                said = line.info.get_parameters()
                assert (said["tcp_user_timeout"], said["keepalives_idle"]) == ("10000", "10")
    finally:
        [pooled.close() for pooled in pools]
        store.close()


def test_what_is_no_notice_of_ours_is_passed_over(postgres):
    store, heard = Store(postgres), Queue()
    store.listen(heard.put)
    try:
        assert heard.get(timeout=WAIT) is None  # from now on it listens
        with store.engine.begin() as connection:
            for payload in ("hello", "{}", '{"worker": "other", "went": {"abc": 7}}'):
                connection.execute(select(func.pg_notify("brelan", payload)))
        assert heard.get(timeout=WAIT) == Notice("other", {"abc": 7})
    finally:
        store.close()


def test_what_could_not_be_sent_is_sent_before_what_came_since(postgres, monkeypatch):
    """Else the others would hold for the newest what is long over: that somebody is at a table, who has gone."""
    here, gone = Notice("", here={"abc": {"anna": 0.1}}), Notice("", here={"abc": None})
    store, other, heard = Store(postgres), Store(postgres), Queue()

    def breaks(worker, batch):
        monkeypatch.setattr(notices, "payloads", payloads)
        store.notices.tell(here=gone.here)
        raise OperationalError("the line is cut")

    monkeypatch.setattr(notices, "payloads", breaks)
    try:
        other.listen(heard.put)
        assert heard.get(timeout=WAIT) is None  # from now on it listens
        store.listen(lambda told: None)
        store.notices.tell(here=here.here)
        assert [heard.get(timeout=WAIT).here for _ in range(2)] == [here.here, gone.here]
    finally:
        store.close()
        other.close()


def test_notices_are_short_enough_and_lose_nothing():
    went = {f"code{i}": i for i in range(2000)}
    here = {f"code{i}": {secrets.token_hex(16): 0.1} for i in range(300)}
    batch = [Notice("me", went={code: n}) for code, n in went.items()] + [
        Notice("me", here=here, whole=True, asks=True)
    ]
    texts = payloads("me", batch)
    assert max(map(len, texts)) <= PAYLOAD
    told = [json.loads(text) for text in texts]
    assert {code: n for one in told for code, n in one.get("went", {}).items()} == went
    assert {code: people for one in told for code, people in one.get("here", {}).items()} == here
    assert next(one.get("whole") for one in told if "here" in one)
    assert sum(one.get("whole", False) for one in told) == sum(one.get("asks", False) for one in told) == 1


def test_of_equal_notices_the_last_is_told():
    """PostgreSQL keeps the first of a transaction: what came between would be taken for the newest."""
    here, gone = Notice("me", here={"abc": {"anna": 0.1}}), Notice("me", here={"abc": None})
    assert payloads("me", [here, gone, here]) == payloads("me", [gone, here])


def test_a_silent_worker_is_forgotten_with_all_its_people():
    others = Others("b")
    assert others.hear(Notice("a", here={"abc": {"anna": 0.2}}), 0.0) == {"abc"}
    assert (others.people("abc"), others.holds("abc"), others.rank("abc")) == ({"anna": 0.2}, True, 1)
    assert others.hear(Notice("c", here={"abc": {}}), 1.0) == {"abc"}
    assert others.rank("abc") == 1  # c comes after b
    assert others.hear(Notice("a", here={"xyz": {}}, whole=True), 2.0) == {"abc", "xyz"}
    assert others.people("abc") == {}
    others.hear(Notice("c"), GONE)
    assert others.bury(2.0 + GONE + 0.1)
    assert not others.bury(2.0 + GONE + 0.1)
    assert (others.holds("xyz"), others.holds("abc")) == (False, True)
    assert others.hear(Notice("c", ends=True), GONE) == {"abc"}
    assert not others.holds("abc")
