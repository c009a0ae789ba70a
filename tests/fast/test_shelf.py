"""The cache of compiled code: found again, never stale, and never in the way."""

import ast
import importlib
import os
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from types import ModuleType

import pytest

from brelan import games
from brelan.fast import shelf
from brelan.fast.shelf import Shelf, Sources, imports
from brelan.fast.twins import Twins
from brelan.folders import cache_folder

OUTER = """
from fast_inner import TABLE, value

def total(n):
    return value() + n + TABLE[0]
"""

INNER = """
from fast_deep import DEEP

TABLE = [{table}]

def value():
    return {value} + DEEP

def other():
    return 0
"""


@pytest.fixture
def modules(tmp_path, monkeypatch):
    """Writes and imports three modules of which one calls the next, and gives the first."""
    monkeypatch.setenv("BRELAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)

    def written(value=1, table=0, deep=0, age=1000):
        monkeypatch.setattr(shelf, "STARTED", time.time() + age)
        texts = {"fast_deep": f"DEEP = {deep}", "fast_inner": INNER.format(value=value, table=table)}
        for name, text in (texts | {"fast_outer": OUTER}).items():
            (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("fast_outer")

    yield written
    for name in ("fast_outer", "fast_inner", "fast_deep"):
        sys.modules.pop(name, None)


def total(outer):
    """What the compiled function says of 1, and whether it came out of the cache."""
    twin = Twins(games.find("gin"), outer)[outer.total]
    return twin(1), bool(twin.stats.cache_hits)


def test_compiled_code_is_found_again(modules):
    outer = modules()
    assert [total(outer), total(outer), total(outer)] == [(2, False), (2, True), (2, True)]


def test_another_body_under_the_same_name_is_seen(modules, monkeypatch):
    outer = modules()
    assert total(outer) == (2, False)
    other = sys.modules["fast_inner"].other
    other.__qualname__ = "value"
    monkeypatch.setattr(outer, "value", other)
    assert total(outer) == (1, False)


@pytest.mark.parametrize("change", [{"value": 100}, {"table": 50}, {"deep": 7}])
def test_a_change_anywhere_it_reaches_is_seen(modules, change):
    assert total(modules()) == (2, False)
    [added] = change.values()
    assert total(modules(**change)) == (2 + added - ("value" in change), False)
    assert total(modules()) == (2, True)


def test_a_value_changed_in_memory_is_seen(modules, monkeypatch):
    """A test patches a constant and takes that back; a file fills a table."""
    outer = modules()
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules["fast_inner"], "DEEP", 5)
        assert total(outer) == (7, False)
    assert total(outer) == (2, False)
    outer.TABLE[0] = 50
    assert total(outer) == (52, False)
    outer.TABLE[0] = 0
    assert total(outer) == (2, True)


def test_what_is_changed_before_its_twin_is_made_is_not_kept(modules, monkeypatch):
    outer = modules()
    twins = Twins(games.find("gin"), outer)
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules["fast_inner"], "DEEP", 5)
        assert twins[outer.total](1) == 7
    assert total(outer) == (2, False)


def test_two_processes_share_a_folder():
    named = "[twins.Twins(game, playouts, minds).shelf.name for game in games.GAMES]"
    early = "from brelan import games; from brelan.bots import minds; from brelan.fast import playouts, twins"
    script = [sys.executable, "-c", f"{early}; print({named})"]
    one, other = (subprocess.run(script, check=True, capture_output=True, text=True).stdout for _ in range(2))
    assert one == other
    assert all(f"{game.id}-" in one for game in games.GAMES)


def test_what_changed_while_the_process_ran_is_not_kept(modules, tmp_path):
    outer = modules(age=-1000)
    assert [total(outer), total(outer)] == [(2, False), (2, False)]
    assert not (tmp_path / "cache").exists()


def test_a_file_copied_with_its_old_time_while_the_process_ran_is_not_old(modules, tmp_path):
    assert Sources([modules()], {}).old
    outer = modules(age=-1000)
    for path in tmp_path.glob("*.py"):
        os.utime(path, times=(shelf.STARTED - 1000,) * 2)
    assert not Sources([outer], {}).old


def test_a_file_dated_ahead_of_the_clock_is_old(modules, monkeypatch):
    """A small machine does not know the time until its network is up."""
    outer = modules(age=-7200)
    assert not Sources([outer], {}).old
    early = time.time() - 3600
    monkeypatch.setattr(shelf.time, "time", lambda: early)
    assert Sources([outer], {}).old


def test_a_process_begins_before_it_reads_any_rules():
    """The compiler is loaded late: rules may have been changed on the disk since this process has read them."""
    late = "import time, brelan; brelan.match('gin'); read = time.time(); from brelan.fast import shelf"
    subprocess.run([sys.executable, "-c", f"{late}; assert shelf.STARTED < read - 0.01"], check=True)


def test_the_folder_is_named_by_sources_and_options(modules):
    outer = modules()
    digest = Sources([outer], {"a": 1}).digest
    assert Sources([outer], {"a": 1}).digest == digest
    assert Sources([outer], {"a": 2}).digest != digest
    assert Sources([outer], {"a": 1}).said == Sources([outer], {"a": 2}).said != Sources([modules(deep=7)], {}).said
    assert set(Sources([outer], {}).modules) == {"fast_outer", "fast_inner", "fast_deep"}


def test_the_folder_does_not_hang_on_what_else_was_imported():
    named = "[twins.Twins(game, playouts).shelf.name for game in games.GAMES]"
    early = f"from brelan import games; from brelan.fast import playouts, twins; names = {named}"
    script = f"{early}; import brelan.cli, brelan.library, brelan.server.app; assert names == {named}"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_other_way_to_win_has_a_folder_of_its_own():
    """Which points win is compiled in, and stands in no file that rules or policy import."""
    game = games.find("gin")
    assert Twins(game).shelf.name != Twins(replace(game, lowest_wins=not game.lowest_wins)).shelf.name


def test_what_functions_and_type_checkers_import_is_not_reached():
    checked = "if typing.TYPE_CHECKING:\n    import a\nelse:\n    import b\n"
    others = "def f():\n    import c\ntry:\n    import d\nexcept ImportError:\n    import e\n"
    assert [node.names[0].name for node in imports(ast.parse(checked + others))] == ["b", "d", "e"]


@pytest.mark.parametrize(
    ("folder", "installed"),
    [("u/.local/lib/python3.11/site-packages/x", True), ("lib/python3/dist-packages/x", True), ("python3.11/x", False)],
)
def test_an_installed_package_is_not_reached_wherever_it_lies(folder, installed):
    module = ModuleType("x")
    module.__file__ = f"/{folder}/y.py"
    assert shelf.foreign(module) == installed


def test_two_games_share_no_folder():
    names = [Twins(game).shelf.name for game in games.GAMES]
    assert len(set(names)) == len(names)
    assert all(name.startswith(f"{game.id}-") for name, game in zip(names, games.GAMES, strict=True))


@pytest.mark.parametrize(
    "spoil",
    [lambda kept: b"", lambda kept: kept[: len(kept) // 2], lambda kept: bytes(reversed(kept)), lambda kept: kept[32:]]
    + [lambda kept, at=at: kept[:at] + bytes([kept[at] ^ 1]) + kept[at + 1 :] for at in (0, 40, 4000)],
)
def test_what_is_not_whole_is_compiled_anew(modules, tmp_path, spoil):
    outer = modules()
    total(outer)
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(spoil(path.read_bytes()))
    assert total(outer) == (2, False)
    assert total(outer) == (2, True)


@pytest.mark.parametrize("umask", [0o077, 0o002])
def test_what_is_kept_may_be_read_by_everybody_and_written_by_its_owner(umask, modules, tmp_path):
    before = os.umask(umask)
    try:
        total(modules())
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "cache").rglob("*") if path.is_file()} == {0o644}


@pytest.mark.parametrize(
    ("owner", "mode", "believed"),
    [(7, 0o100600, True), (0, 0o100644, True), (7, 0o100664, False), (0, 0o100646, False), (8, 0o100644, False)],
)
def test_what_somebody_else_may_have_written_is_not_run(owner, mode, believed, modules, monkeypatch):
    outer = modules()
    total(outer)
    stat = os.fstat
    monkeypatch.setattr(os, "getuid", lambda: 7)
    monkeypatch.setattr(os, "fstat", lambda file: os.stat_result([mode, *stat(file)[1:4], owner, *stat(file)[5:]]))
    assert total(outer) == (2, believed)


def test_a_folder_that_cannot_be_written_is_done_without(modules, tmp_path):
    outer = modules()
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert [total(outer), total(outer)] == [(2, False), (2, False)]


def test_who_has_no_home_keeps_nothing(modules, tmp_path, monkeypatch):
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    for name in ("HOME", "XDG_CACHE_HOME", "BRELAN_CACHE"):
        monkeypatch.delenv(name, raising=False)
    outer = modules()
    assert [total(outer), total(outer)] == [(2, False), (2, False)]


def test_a_full_disk_leaves_no_half_file(modules, tmp_path, monkeypatch):
    outer = modules()

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(shelf.Path, "replace", full)
    assert total(outer) == (2, False)
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def aged(folder, days):
    """A folder with something in it that was last used so many days ago."""
    folder.mkdir(exist_ok=True)
    (folder / "kept").touch()
    os.utime(folder, times=(time.time() - days * 24 * 3600,) * 2)
    return folder


def test_folders_of_the_game_that_nobody_used_for_a_month_go(modules, tmp_path):
    total(modules())
    days = {"gin-0123456789abcdef": 31, "gin-fedcba9876543210": 29, "mio-0123456789abcdef": 31, "gin-notes": 31}
    old, *others = [aged(tmp_path / "cache" / name, n) for name, n in days.items()]
    assert total(modules(value=5)) == (6, False)
    assert not old.exists()
    assert all((folder / "kept").exists() for folder in others)


def test_a_folder_that_is_read_is_used(modules, tmp_path):
    outer = modules()
    total(outer)
    [folder] = (tmp_path / "cache").iterdir()
    aged(folder, 31)
    assert total(outer) == (2, True)
    total(modules(value=5))
    assert total(modules()) == (2, True)


def test_what_cannot_be_dropped_is_left(modules, tmp_path):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "gin-0123456789abcdef").symlink_to("nowhere")
    outer = modules()
    assert [total(outer), total(outer)] == [(2, False), (2, True)]


def test_the_folder_is_the_users_or_the_one_named(monkeypatch, tmp_path):
    monkeypatch.setenv("BRELAN_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    assert Shelf("gin-1").place("f").cache_path == str(tmp_path / "gin-1")
    monkeypatch.delenv("BRELAN_CACHE")
    assert cache_folder().name == "brelan"
