"""What the documents say of the proofs is so: each test that they name is there, and every promise has its row."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", (ROOT / "docs" / "threats.md").read_text("utf-8"))))
PROMISES = 37


@cache
def functions(file):
    return set(re.findall(r"^def (test_\w+)", (ROOT / "tests" / file).read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize(("file", "name"), NAMED, ids=[name for _, name in NAMED])
def test_a_test_that_stands_against_a_threat_is_there(file, name):
    assert name in functions(file)


def test_every_threat_has_its_counter_measure_and_its_test():
    text = (ROOT / "docs" / "threats.md").read_text("utf-8")
    rows = [
        line.split(" | ") for line in text.splitlines() if line.startswith("| ") and not line.startswith("| Attack")
    ]
    assert len(rows) > 40
    assert all(row[1].strip() and ("::" in row[2] or "see below" in row[1]) for row in rows)


def test_every_promise_has_its_command_and_its_figure():
    text = (ROOT / "docs" / "promises.md").read_text("utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    numbered = [row for row in rows if row[0].isdecimal()]
    assert [int(row[0]) for row in numbered] == list(range(1, PROMISES + 1))
    assert all(row[1] and row[2] and row[3] for row in numbered)


def test_the_programs_that_the_documents_name_are_there():
    text = (ROOT / "docs" / "promises.md").read_text("utf-8") + (ROOT / "Makefile").read_text("utf-8")
    programs = set(re.findall(r"tests\.proofs\.(\w+)", text))
    assert programs
    assert all((ROOT / "tests" / "proofs" / f"{name}.py").is_file() for name in programs)
