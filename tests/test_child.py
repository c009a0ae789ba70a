"""Processes of our own find what this one finds, and nothing that lies where we happen to be."""

import subprocess
import sys
from pathlib import Path

from brelan import child

HERE = """
import subprocess
from brelan.child import running
subprocess.run(running("import colorsys; print(colorsys.__file__, *sys.argv[1:])", "given"), check=True)
"""

ROOT = Path(child.__file__).parents[1]


def test_who_was_begun_in_a_folder_hands_it_on_to_nobody(tmp_path):
    (tmp_path / "colorsys.py").touch()
    (tmp_path / "here.py").write_text(HERE, "utf-8")
    command = [sys.executable, "-m", "here"]
    said = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert said.split() == [str(Path(subprocess.__file__).with_name("colorsys.py")), "given"]


def test_a_process_finds_what_a_launcher_has_added(monkeypatch, tmp_path):
    (tmp_path / "added.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    subprocess.run(child.running("import added, brelan"), check=True)


def test_who_lies_where_we_are_is_found_there_after_all_else(monkeypatch):
    others = [folder for folder in sys.path if folder != str(ROOT)]
    monkeypatch.chdir(ROOT)
    for first in ("", str(ROOT)):
        monkeypatch.setattr(sys, "path", [first, *others])
        assert child.own_path() == [*others, str(ROOT)]
