"""What the documents show as code runs: Python whole, commands line by line, shortened; what does not run says why."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import brelan
from brelan.cli import parser
from brelan.words import Words
from tests.docs.blocks import ROOT, cells, named, shown

CODE = shown()
PYTHON = [code for code in CODE if code.language == "python"]
SHELL = [code for code in CODE if code.language == "sh"]
FEWER = {"--matches": "20", "--deals": "2", "--shuffles": "2000"}
FRAMEWORKS = ("gymnasium", "pettingzoo", "pyspiel", "matplotlib")
NOTEBOOK = {"ROUNDS": 2, "MATCHES": 100}
"""What the notebook's own sizes become here."""


@pytest.mark.parametrize("code", PYTHON, ids=lambda code: code.place)
def test_python_runs(code, capsys):
    skip_where(code)
    for package in FRAMEWORKS:
        if package in code.text:
            pytest.importorskip(package)
    exec(compile(code.text, code.place, "exec"), {})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where commands are run: beside the documents' examples, and a finished match."""
    made = tmp_path_factory.mktemp("reader")
    (made / "docs").symlink_to(ROOT / "docs")
    run("brelan simulate gin --matches 1 --seed 1 --records match.jsonl", made)
    return made


@pytest.mark.parametrize("code", SHELL, ids=lambda code: code.place)
def test_a_command_runs(code, folder):
    skip_where(code)
    if code.text.startswith("make"):
        return run(f"make --dry-run --directory {shlex.quote(str(ROOT))} {code.text[4:]}", folder)
    return run(shortened(code.text), folder)


def skip_where(code):
    """Leave out what says that it is run elsewhere, or why it is not run at all."""
    if code.why:
        if where := re.match(r"run by (tests/[\w/]+\.py): .", code.why):
            assert (ROOT / where[1]).is_file(), where[1]
        else:
            assert re.match("not run: .", code.why), f"{code.place}: {code.why!r} says neither where nor why"
        pytest.skip(code.why)


def shortened(command):
    for size, few in FEWER.items():
        command = re.sub(rf"{size} \d+", f"{size} {few}", command)
    return re.sub(r"brelan balance (?!.*--matches)", f"brelan balance --matches {FEWER['--matches']} ", command)


def run(command, folder):
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "LANG": "C.UTF-8"}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize(("place", "command"), named(), ids=[place for place, _ in named()])
def test_a_command_of_ours_is_one_that_there_is(place, command, capsys):
    words = shlex.split(re.sub(r"\$\(.*?\)", "…", command))
    try:
        parser(Words("en")).parse_args(words[1:])
    except SystemExit:
        pytest.fail(f"{place}: {command}\n{capsys.readouterr().err}")


def test_the_version_to_cite_is_the_packages():
    assert f"version: {brelan.__version__}" in (ROOT / "CITATION.cff").read_text("utf-8").splitlines()


def test_the_cells_of_the_notebook_run(monkeypatch, capsys):
    for package in FRAMEWORKS:
        pytest.importorskip(package) if package != "pettingzoo" else None
    import matplotlib as mpl

    mpl.use("agg")
    monkeypatch.chdir(ROOT / "docs" / "examples")
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "examples"))
    names = {"display": print}
    for number, cell in enumerate(cells()):
        exec(compile(cell, f"cell {number}", "exec"), names)
        names |= {name: few for name, few in NOTEBOOK.items() if name in names}
    assert names.keys() >= NOTEBOOK.keys()
