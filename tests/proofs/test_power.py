"""The proof about power cuts in short: `make chaos` is the long form."""

from tests.proofs import power


def test_no_power_cut_loses_what_was_told_or_spoils_the_file():
    wrong, written = power.tried(3, 150, 60)
    assert wrong == []
    assert len(written.told) == 150
    assert (
        sum(op.offset < 0 and op.file == power.NAME for op in written.journal.ops) > 2
    )  # checkpoints were cut as well


def test_a_house_that_does_not_sync_each_commit_is_found_out():
    wrong, _ = power.tried(3, 60, power.MUTANT_CUTS, synchronous="NORMAL")
    assert any("was told" in found for found in wrong)
