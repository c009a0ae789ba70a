"""A house in one file: taken while it is played in, restored elsewhere, and every table stands as it stood."""

import gzip
import json
import os
import re
import secrets
import signal
import stat
import subprocess
import sys
import threading
import time
from argparse import Namespace
from pathlib import Path

import pytest
from sqlalchemy import Boolean, Float, Integer, String, Text, select, text

from brelan.cli import main
from brelan.cli.house import serving
from brelan.errors import Refusal
from brelan.play.messages import Sit
from brelan.play.table import Table
from brelan.server.people.identity import mark, signing_key, write_key
from brelan.server.settings import Settings
from brelan.server.store import Store, index
from brelan.server.store.relations import events, meta, results
from brelan.server.store.upgrade import HEAD
from brelan.server.tables.summary import summary_of
from brelan.server.upkeep.backup import backup, look, restore
from brelan.server.upkeep.beat import Beat
from brelan.server.upkeep.lock import locked
from tests.server.clients import Guest, Process, act, choose, turn
from tests.server.conftest import Running

BASES = [("sqlite", "sqlite"), ("sqlite", "postgres"), ("postgres", "sqlite"), ("postgres", "postgres")]


@pytest.fixture
def at(tmp_path, request):
    """Settings of a house on one database or the other."""

    def settings(name, base):
        server = request.getfixturevalue("postgres_server").fresh() if base == "postgres" else None
        return Settings(data=tmp_path / name, database=server)

    return settings


def numbers(store):
    """How far every table has come."""
    with store.read() as connection:
        return dict(map(tuple, connection.execute(text("SELECT code, max(number) FROM events GROUP BY code"))))


def tables(store):
    """Every table of a quiet house, rebuilt: how far it has come, and the hash of its match; its row says the same."""
    found = {}
    for code in numbers(store):
        table = Table.rebuilt(lambda n: bytes(n), store.events(code))
        with store.read() as connection:
            row = index.table(connection, code)
            assert row._asdict() == summary_of(table).row()
        found[code] = (len(table.events), hash(table.match.state) if table.match else None)
    return found


def tables_of(settings):
    store = Store(settings.place())
    try:
        return tables(store)
    finally:
        store.close()


class Load:
    """Some guests who play on and on, each in a thread."""

    def __init__(self, address):
        self.ended = threading.Event()
        self.guests = [Guest(address) for _ in range(4)]
        self.threads = [threading.Thread(target=self.play, args=(guest,)) for guest in self.guests]
        for thread in self.threads:
            thread.start()

    def play(self, guest):
        line = guest.line(guest.make(**{"option.target": "500"}))
        while not self.ended.is_set():
            act(line)

    def end(self):
        self.ended.set()
        for thread in self.threads:
            thread.join(30)
        for guest in self.guests:
            guest.close()


@pytest.mark.parametrize(("base", "other"), BASES)
def test_a_house_restored_from_a_backup_under_load_has_every_table(at, tmp_path, base, other):
    settings = at("live", base)
    house = Running(settings.data, settings.database)
    load = Load(house.address)
    try:
        while len(early := numbers(house.house.store)) < 4 or min(early.values()) < 20:
            pass
        backup(settings, tmp_path / "early")
        late = numbers(house.house.store)
    finally:
        load.end()
        house.stop()
    backup(settings, tmp_path / "end")
    first, last = at("first", other), at("last", other)
    restore(first, tmp_path / "early")
    restore(last, tmp_path / "end")
    restored = tables_of(first)
    assert restored.keys() == early.keys()
    assert [code for code, (number, _) in restored.items() if not early[code] <= number <= late[code]] == []
    assert tables_of(last) == tables_of(settings)
    for one in (first, last):
        assert (one.data / "key").read_bytes() == (settings.data / "key").read_bytes()


@pytest.mark.parametrize("base", ["sqlite", "postgres"])
def test_what_is_written_meanwhile_is_in_no_relation(at, tmp_path, base, monkeypatch):
    """A backup is of one moment: never events of now beside an index of later."""
    settings, new = at("live", base), at("new", "sqlite")
    signing_key(settings.made_folder())
    table = Table.made(secrets.token_bytes, "abc", "gin", 2, "anna", 1.0)
    store = Store(settings.place())
    store.append("abc", table.events, summary_of(table)).result()
    before = tables(store)

    def meanwhile(_):
        events = table.receive("anna", Sit(secrets.token_hex(8), table.number % 2, "Anna"), 2.0).events
        store.append("abc", events, summary_of(table)).result()

    monkeypatch.setattr("brelan.server.upkeep.backup.crash_point", meanwhile)
    backup(settings, tmp_path / "file")
    assert tables(store) != before
    store.close()
    restore(new, tmp_path / "file")
    assert tables_of(new) == before


def test_who_played_comes_back_to_the_restored_house(at, tmp_path):
    with Process(at("live", "sqlite").data) as house:
        guest = Guest(house.address)
        line = guest.line(guest.make())
        turn(line)
        line.ask("move", seen=line.view["number"], move=choose(line.view))
        view, cookies = line.view, dict(guest.http.cookies)
        backup(at("live", "sqlite"), tmp_path / "file")
        guest.close()
    restore(at("new", "sqlite"), tmp_path / "file")
    with Process(tmp_path / "new") as house:
        guest = Guest(house.address, cookies)
        assert guest.line(view["table"]["code"]).view["table"]["seat"] == 0
        guest.close()


@pytest.mark.parametrize("begun", [False, True], ids=["a new folder", "a house's own"])
def test_the_time_since_the_backup_is_on_nobodys_clock(at, tmp_path, begun):
    settings, new, file = at("live", "sqlite"), at("new", "sqlite"), tmp_path / "file"
    filled(settings)
    backup(settings, file)
    taken = time.time() - 3600
    file.write_bytes(gzip.compress(re.sub(rb'"at":[\d.]+', b'"at":%f' % taken, gzip.decompress(file.read_bytes()))))
    if begun:
        Beat(new.made_folder() / "beat")
    restore(new, file)
    ((since, until),) = Beat(new.data / "beat").aways()
    assert (since, until) == (pytest.approx(taken, abs=0.01), pytest.approx(time.time(), abs=60))


def test_a_backup_is_of_the_moment_before_its_rows_are_counted(at, tmp_path, monkeypatch):
    """Many take long; and who only wants to know whether a house opens counts none."""
    settings, file, counted = at("live", "sqlite"), tmp_path / "file", []
    filled(settings)
    monkeypatch.setattr("brelan.server.upkeep.backup._count", lambda *_: counted.append(time.time()) or 0)
    look(settings)
    assert not counted
    backup(settings, file)
    assert json.loads(gzip.decompress(file.read_bytes()).splitlines()[0])["at"] < counted[0]


@pytest.mark.parametrize("runs", [True, False])
def test_how_long_a_house_was_away_before_its_backup_is_nobodys_time_either(at, tmp_path, runs):
    """Whether it runs at that moment or has stood still since."""
    settings, new = at("live", "sqlite"), at("new", "sqlite")
    filled(settings)
    now = time.time()
    beat = settings.data / "beat"
    beat.write_text(json.dumps([[now - 9000, now - 5400]]))
    os.utime(beat, (now - (0 if runs else 3600),) * 2)
    backup(settings, tmp_path / "file")
    restore(new, tmp_path / "file")
    first, *rest = Beat(new.data / "beat").aways()
    assert first == (now - 9000, now - 5400)
    assert [since for since, _ in rest] == ([] if runs else [now - 3600])


def filled(settings):
    """A house with one row."""
    signing_key(settings.made_folder())
    store = Store(settings.place())
    store.submit(lambda connection: connection.execute(events.insert(), ROW)).result()
    store.close()


ROW = {"code": "abc", "number": 1, "body": "{}"}


def test_a_backup_is_for_its_owner_only_and_there_as_a_whole(at, tmp_path, monkeypatch):
    settings, file = at("live", "sqlite"), tmp_path / "file"
    filled(settings)
    backup(settings, file)
    before = file.read_bytes()
    monkeypatch.setattr("brelan.folders.os.fsync", cut)
    with pytest.raises(Refusal, match="the disk is full"):
        backup(settings, file)
    assert (file.read_bytes(), list(tmp_path.glob("*.new"))) == (before, [])
    monkeypatch.undo()
    backup(settings, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def cut(_):
    raise OSError(28, "No space left on device")


def test_of_two_backups_to_one_file_at_once_the_second_is_refused(at, tmp_path, monkeypatch):
    settings, file = at("live", "sqlite"), tmp_path / "file"
    filled(settings)

    def meanwhile(_):
        monkeypatch.undo()
        with pytest.raises(Refusal, match="Another backup is being written"):
            backup(settings, file)

    monkeypatch.setattr("brelan.server.upkeep.backup.crash_point", meanwhile)
    backup(settings, file)
    restore(at("new", "sqlite"), file)


def test_a_kill_in_the_middle_of_a_backup_leaves_the_house_and_the_one_before(at, tmp_path):
    settings, file = at("live", "sqlite"), tmp_path / "file"
    filled(settings)
    backup(settings, file)
    before = file.read_bytes()
    command = [sys.executable, "-m", "brelan", "backup", str(file), "--data", str(settings.data)]
    environment = os.environ | {"BRELAN_CRASH": "mid_backup", "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run(command, env=environment, timeout=60).returncode == -signal.SIGKILL
    assert file.read_bytes() == before
    backup(settings, file)
    restore(at("new", "sqlite"), file)


@pytest.mark.parametrize("base", ["sqlite", "postgres"])
def test_a_database_with_something_in_it_is_not_written_over(at, tmp_path, base):
    settings, taken = at("live", "sqlite"), at("taken", base)
    for one in (settings, taken):
        filled(one)
    backup(settings, tmp_path / "file")
    with pytest.raises(Refusal, match="empty database only"):
        restore(taken, tmp_path / "file")


def test_no_house_is_restored_where_some_names_have_no_place(at, tmp_path, postgres_server):
    settings, new = at("live", "sqlite"), Settings(data=tmp_path / "new", database=postgres_server.fresh("SQL_ASCII"))
    filled(settings)
    backup(settings, tmp_path / "file")
    with pytest.raises(Refusal, match="keeps texts as SQL_ASCII"):
        restore(new, tmp_path / "file")


HARMS = ["cut", "shorter", "other", "garbage", "key", "row", "deep", "again", "relation"]

NOT_OURS = {"format 0": {"backup": 0}, "moment": {"at": 1e300}} | {
    revision: {"revision": revision} for revision in ("", "-1", "0000", "base")
}

NEWER = {
    "newer": ({"revision": "9999"}, f"database in the backup .* newer version .*9999; this one knows {HEAD}"),
    "newer file": ({"backup": 2}, "The backup .* newer version .*format 2; this one knows 1"),
}


@pytest.mark.parametrize("base", ["sqlite", "postgres"])
@pytest.mark.parametrize("harm", [*HARMS, *NOT_OURS, *NEWER])
def test_a_file_that_is_no_whole_backup_is_refused_and_nothing_is_written(at, tmp_path, harm, base):
    settings, new, file = at("live", "sqlite"), at("new", base), tmp_path / "file"
    filled(settings)
    backup(settings, file)
    content, lines = file.read_bytes(), gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    harmed = {
        "cut": content[:-20],
        "shorter": gzip.compress(b"".join(lines[:-1])),
        "other": gzip.compress(b"{}"),
        "garbage": b"garbage",
        "key": gzip.compress(re.sub(rb'"key":"[^"]*"', b'"key":"abcd"', lines[0]) + b"".join(lines[1:])),
        "row": gzip.compress(b"".join([*lines, b"5\n"])),
        "deep": gzip.compress(b"".join([*lines, b"[" * 5000 + b"]" * 5000 + b"\n"])),
        "again": gzip.compress(b"".join([*lines, *(line for line in lines if line.startswith(b'["events"'))])),
        "relation": gzip.compress(b"".join([*lines, b'["nothing",5]\n'])),
    }
    spoilt = "not packed by gzip" if harm == "garbage" else "no whole backup"
    claims, says = NEWER.get(harm, (NOT_OURS.get(harm, {}), spoilt))
    claimed = json.dumps(json.loads(lines[0]) | claims).encode() + b"\n"
    file.write_bytes(harmed.get(harm, gzip.compress(claimed + b"".join(lines[1:]))))
    with pytest.raises(Refusal, match=says):
        restore(new, file)
    assert not (new.data / "key").exists()
    file.write_bytes(content)
    restore(new, file)
    store = Store(new.place())
    with store.read() as connection:
        assert connection.execute(events.select()).one()._asdict() == ROW
    store.close()


def test_an_older_backup_is_brought_up_to_date(at, tmp_path):
    """Of the first revision: its table is read at the next start."""
    header = {"brelan": "0.1.0", "backup": 1, "revision": "0001", "at": 1.0, "key": ""}
    relations = {
        "house": {"columns": ["format"], "rows": 1},
        "events": {"columns": ["code", "number", "body"], "rows": 1},
    }
    lines = [header | {"relations": relations}, ["house", 1], ["events", *ROW.values()]]
    file = tmp_path / "file"
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    settings = at("new", "sqlite")
    assert restore(settings, file) == 2
    store = Store(settings.place())
    with store.read() as connection:
        assert list(index.unknown(connection)) == ["abc"]
    store.close()


def test_a_score_of_more_than_32_bits_is_kept(at, tmp_path):
    """By a target of a thousand million. SQLite of 0007 took it, PostgreSQL did not."""
    settings, new = at("live", "sqlite"), at("new", "postgres")
    filled(settings)
    row = {"match": "abc-1", "seat": 0, "person": "anna", "score": 3 * 10**9, "place": 1, "won": True}
    store = Store(settings.place())
    for line, rows in ((results.insert(), row), (text("UPDATE alembic_version SET version_num = '0007'"), {})):
        store.submit(lambda connection, line=line, rows=rows: connection.execute(line, rows)).result()
    store.close()
    backup(settings, tmp_path / "file")
    restore(new, tmp_path / "file")
    store = Store(new.place())
    with store.read() as connection:
        assert connection.scalar(select(results.c.score)) == row["score"]
    store.close()


def test_another_key_is_put_aside_never_lost(at, tmp_path):
    settings, new = at("live", "sqlite"), at("new", "sqlite")
    for one, key in ((settings, b"a" * 32), (new, b"b" * 32)):
        (one.made_folder() / "key").write_bytes(key)
    filled(settings)
    backup(settings, tmp_path / "file")
    restore(new, tmp_path / "file")
    assert [(new.data / name).read_bytes()[:1] for name in ("key", "key.old")] == [b"a", b"b"]


def test_what_root_restores_is_the_houses_own(at, tmp_path, monkeypatch):
    """Whoever restores as root did that for the user that the house runs as, and it must open there."""
    settings, new = at("live", "sqlite"), at("new", "sqlite")
    filled(settings)
    backup(settings, tmp_path / "file")
    if os.geteuid() == 0:
        os.chown(new.made_folder(), 4711, 4712)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    given = {}
    monkeypatch.setattr(os, "chown", lambda path, *ids, **_: given.update({path.name: ids}))
    restore(new, tmp_path / "file")
    owner = new.data.stat()
    assert given == {path.name: (owner.st_uid, owner.st_gid) for path in new.data.iterdir()}


@pytest.mark.parametrize("base", ["sqlite", "postgres"])
@pytest.mark.parametrize("written", [False, True])
def test_a_restore_that_ends_at_the_key_is_begun_again(at, tmp_path, monkeypatch, base, written):
    settings, new = at("live", "sqlite"), at("new", base)
    filled(settings)
    backup(settings, tmp_path / "file")

    def ends(path, key):
        if written:
            write_key(path, key)
        cut(path)

    monkeypatch.setattr("brelan.server.upkeep.backup.write_key", ends)
    with pytest.raises(OSError, match="No space"):
        restore(new, tmp_path / "file")
    monkeypatch.undo()
    assert restore(new, tmp_path / "file") > 0
    assert (new.data / "key").read_bytes() == (settings.data / "key").read_bytes()
    assert not (new.data / "key.old").exists()


def test_a_backup_into_a_pipe_is_refused_and_waits_for_nothing_out_of_it(at, tmp_path):
    settings = at("live", "sqlite")
    filled(settings)
    os.mkfifo(tmp_path / "pipe")
    line = [sys.executable, "-m", "brelan", "backup", tmp_path / "pipe", "--data", settings.data]
    done = subprocess.run(line, env=os.environ | {"LANG": "en"}, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "is no backup" in done.stderr) == (2, True)


@pytest.mark.parametrize("name", ["brelan.db", "brelan.db-wal", "key", "lock", "."])
def test_a_backup_is_never_written_over_the_house_itself(at, name):
    settings = at("live", "sqlite")
    filled(settings)
    store, lock = Store(settings.place()), locked(settings.data)
    before = {path.name: path.read_bytes() for path in settings.data.iterdir()}
    with pytest.raises(Refusal, match="is no backup"):
        backup(settings, settings.data / name)
    assert {path.name: path.read_bytes() for path in settings.data.iterdir()} == before
    store.close()
    lock.close()


@pytest.mark.parametrize("base", ["sqlite", "postgres"])
def test_a_backup_without_the_houses_key_is_refused(at, tmp_path, base):
    settings = at("live", base)
    filled(settings)
    (settings.data / "key").unlink()
    with pytest.raises(Refusal, match="no key in the folder"):
        backup(settings, tmp_path / "file")
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize("base", ["sqlite", "postgres"])
def test_a_backup_with_the_key_of_another_house_is_refused(at, tmp_path, base):
    settings = at("live", base)
    filled(settings)
    store = Store(settings.place())
    store.claim(mark(signing_key(settings.made_folder())))
    store.close()
    backup(settings, tmp_path / "file")
    other = Settings(data=tmp_path / "other", database=settings.place())
    signing_key(other.made_folder())
    with pytest.raises(Refusal, match="belongs to a house whose key is not in the folder"):
        backup(other, tmp_path / "mixed")
    assert not (tmp_path / "mixed").exists()


def test_a_folder_that_is_misspelt_is_not_made(tmp_path):
    with pytest.raises(Refusal, match="no house"):
        backup(Settings(data=tmp_path / "tpyo"), tmp_path / "file")
    assert not (tmp_path / "tpyo").exists()


def test_a_key_that_is_right_already_is_left_alone(at, tmp_path):
    """Whoever restores need not be whom the house runs as."""
    settings = at("live", "sqlite")
    filled(settings)
    backup(settings, tmp_path / "file")
    (settings.data / "brelan.db").unlink()
    before = (settings.data / "key").stat()
    restore(settings, tmp_path / "file")
    assert (settings.data / "key").stat() == before


def test_the_house_is_opened_as_it_was_named_and_no_password_is_shown():
    def opened(data=None, database=None):
        return serving(Namespace(data=data and Path(data), database=database))

    assert opened() == "brelan serve"
    assert opened("d 2") == "brelan serve --data 'd 2'"
    assert (
        opened("d", "postgresql://anna@host/house") == "brelan serve --data d --database postgresql://anna@host/house"
    )
    assert opened(None, "sqlite:////d/brelan.db") == "brelan serve --database sqlite:////d/brelan.db"
    for secret in ("postgresql://anna:secret@host/house", "postgresql://anna@host/house?password=secret"):
        assert "secret" not in opened("d", secret)


def test_the_commands(at, tmp_path, capsys):
    filled(at("live", "sqlite"))
    file, missing = str(tmp_path / "file"), str(tmp_path / "nowhere")
    assert main(["backup", file, "--data", str(tmp_path / "live")]) == 0
    assert main(["restore", file, "--data", str(tmp_path / "the new")]) == 0
    (tmp_path / "the new").rename(tmp_path / "new")
    _, said = capsys.readouterr().out.splitlines()
    assert said.endswith(f" rows restored; start the house with brelan serve --data '{tmp_path}/the new'.")
    assert main(["backup", file, "--json", "--data", str(tmp_path / "new")]) == 0
    assert main(["restore", file, "--json", "--data", str(tmp_path / "newer")]) == 0
    kept, restored = map(json.loads, capsys.readouterr().out.splitlines())
    assert kept == restored == {"file": file, "rows": kept["rows"]}
    assert main(["backup", file, "--data", missing]) == 2
    assert main(["restore", missing, "--data", str(tmp_path / "empty")]) == 2
    with locked(tmp_path / "new"):
        assert main(["restore", file, "--data", str(tmp_path / "new")]) == 2
    assert capsys.readouterr().err.count("\n") == 3


def test_every_column_is_of_a_kind_that_a_backup_can_carry():
    """And none counts by itself: a restored database would begin again at 1."""
    columns = [column for relation in meta.sorted_tables for column in relation.columns]
    assert {type(column.type) for column in columns} <= {String, Text, Integer, Float, Boolean}
    assert [column for column in columns if column is column.table.autoincrement_column] == []
