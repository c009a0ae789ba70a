"""Fitting nets: it learns what can be learnt, comes to the same whenever it is run, and says so in whole numbers."""

import io
from pathlib import Path

import numpy as np
import pytest

from brelan.bots import values
from brelan.errors import Refusal
from brelan.lab import train
from brelan.lab.train import Plan, Training, told

INPUTS = 12


@pytest.fixture
def training(monkeypatch):
    """Positions of which it is known what they come to: two cards together are worth more than each alone."""
    monkeypatch.setattr(train, "size_of", lambda pieces, players: INPUTS)
    monkeypatch.setattr(train, "BLOCK", 1024)
    monkeypatch.setattr(train, "RATE", 0.02)

    def positions(self, block):
        random = np.random.default_rng([self.plan.seed, block])
        seen = random.integers(0, 2, (train.BLOCK, INPUTS)).astype(np.float32)
        seen[:, 5] *= 40
        return seen, (1000 + 300 * seen[:, 0] * seen[:, 1] + 4 * seen[:, 5]).astype(np.float32)

    monkeypatch.setattr(Training, "positions", positions)
    return lambda plan, file=None: Training(plan, file)


def said(net, seen):
    """What `values.hope` makes of it, in arrays."""
    biases, output, last = net[INPUTS:].astype(np.int64)
    hidden = np.clip(seen.astype(np.int64) @ net[:INPUTS].astype(np.int64) + biases, 0, values.ONE)
    return (hidden @ output + values.ONE * last[0]) * last[1] // values.ONE


def test_what_can_be_learnt_is_and_stands_in_whole_numbers(training):
    run = training(Plan("companeros", 3, blocks=40, units=16))
    *_, last = run.run()
    assert last.unexplained < 0.02
    seen, came = run.positions(99)
    assert np.mean((said(run.net(), seen) - came) ** 2) < 0.03 * came.var()
    lineage = told(run.plan, last, Path("build/g2.3.npz"))
    assert "unexplained of their variance" in lineage["figures"]
    assert lineage["command"] == (
        "brelan train companeros --players 3 --level skilled@1 --blocks 40 --units 16 --net g2.3.npz"
    )


def test_a_run_that_was_broken_off_comes_to_the_same(training, tmp_path):
    file, plan = tmp_path / "run.npz", Plan("companeros", 3, blocks=4, units=8)
    whole = training(plan)
    assert [standing.block for standing in whole.run()] == [1, 2, 3, 4]
    parts = training(plan, file).run()
    for _ in range(2):
        next(parts)
    again = training(plan, file)
    assert again.standing.block == 2
    assert [standing.block for standing in again.run()] == [3, 4]
    assert (again.net() == whole.net()).all()
    with pytest.raises(Refusal):
        training(Plan("companeros", 3, blocks=5, units=8), file)
    other = training(Plan("companeros", 3, seed=2, blocks=4, units=8))
    list(other.run())
    assert (other.net() != whole.net()).any()


def test_a_net_bears_the_name_that_it_was_given(training, tmp_path):
    """Also one that does not end as numpy would have it."""
    run = training(Plan("companeros", 3, blocks=1, units=8))
    run.keep(tmp_path / "g9.3.net")
    assert [*tmp_path.iterdir()] == [tmp_path / "g9.3.net"]
    with np.load(tmp_path / "g9.3.net") as kept:
        assert (kept["net"] == run.net()).all()


def test_a_net_is_written_whole_or_not_at_all(training, tmp_path, monkeypatch):
    run, file = training(Plan("companeros", 3, blocks=1, units=8)), tmp_path / "g9.3.npz"
    run.keep(file)
    before = file.read_bytes()
    monkeypatch.setattr(np, "savez_compressed", lambda out, **_: out.write(b"half") and 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run.keep(file)
    assert file.read_bytes() == before


def saved(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


WHOLE = saved(net=np.zeros(3))
ARRAY = io.BytesIO()
np.save(ARRAY, np.zeros(3))
PACKED = io.BytesIO()
np.savez_compressed(PACKED, plan=np.zeros(3))
SPOILT = PACKED.getvalue()[:60] + b"\xff" * 20 + PACKED.getvalue()[80:]
"""What unpacks it meets a code that there is not."""


@pytest.mark.parametrize(
    "content", [b"", b"notes", WHOLE, WHOLE[:-30], ARRAY.getvalue(), saved(plan=np.array("{")), SPOILT], ids=range(7)
)
def test_a_file_that_is_no_runs_is_refused(content, training, tmp_path):
    file = tmp_path / "run.npz"
    file.write_bytes(content)
    with pytest.raises(Refusal) as refused:
        training(Plan("companeros", 3), file)
    assert refused.value.key == "run_other"
