"""What a hand scores, from the table in scoring.csv."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.games.written import last

from .written import say, table

LINES = Path(__file__).with_name("scoring.csv").read_text("utf-8").splitlines()
EXAMPLES = list(csv.DictReader(line for line in LINES if not line.startswith("#")))

SWITCHES = ("ace_high_runs", "gin_on_ten")


def options(text: str) -> dict[str, int | bool]:
    given = (part.split("=") for part in text.split())
    return {name: bool(int(value)) if name in SWITCHES else int(value) for name, value in given}


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{e['source'][:40]}" for e in EXAMPLES])
def test_a_hand_scores_as_written(example):
    up = "Tc" if "Tc" not in " ".join(example.values()) else "7c"
    match = table(example["mine"], example["theirs"], up, example["drawn"], **options(example["options"]))
    say(match, "draw", example["move"])
    assert last(match) == (example["reason"], [int(n) for n in example["points"].split()])
