"""How files are written: whole or not at all, with nothing left beside them."""

import errno
import fcntl
import os
import select
import sys

import pytest

from brelan.folders import NO_LOCKS, check_places, drafted, private, write


def test_what_fails_leaves_the_file_as_it_was_and_nothing_beside_it(tmp_path):
    file = tmp_path / "report.json"
    write(file, "first")

    def fails():
        with drafted(file) as draft:
            draft.write_text("half of the sec")
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert [path.read_text() for path in tmp_path.iterdir()] == ["first"]
    write(file, "second")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["second"]


def test_what_is_no_file_is_written_and_never_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with drafted(pipe) as draft:
        assert draft == pipe
    assert pipe.is_fifo()
    assert [*tmp_path.iterdir()] == [pipe]


def test_who_reads_a_pipe_waits_for_what_is_written(tmp_path):
    """The look whether it can be written does not open it: its reader would see the end of it."""
    pipe, ended = tmp_path / "pipe", select.poll()
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    ended.register(reader)
    check_places(pipe)
    assert not ended.poll(0)
    os.close(reader)


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_leads_to_what_was_written(tmp_path, there):
    file, link = tmp_path / "real" / "report.json", tmp_path / "link"
    file.parent.mkdir()
    if there:
        file.write_text("first")
    link.symlink_to(file)
    check_places(link)
    assert file.exists() == there
    write(link, "second")
    assert link.is_symlink()
    assert [path.read_text() for path in file.parent.iterdir()] == ["second"]


def test_a_file_beside_which_there_is_no_room_for_a_draft_is_told_of_at_once(tmp_path):
    file = tmp_path / ("n" * 250)
    file.write_text("first")
    with pytest.raises(OSError, match="File name too long") as refused:
        check_places(file)
    assert refused.value.filename == file


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as refused:
        write(tmp_path / "missing" / "report.json", "text")
    assert "missing/report.json" in str(refused.value)


def test_two_that_write_one_private_file_at_once_are_one(tmp_path):
    """Else the first would put the second's unfinished draft in place."""
    file = tmp_path / "backup"
    with private(file) as first:
        first.write(b"first")
        with pytest.raises(BlockingIOError), private(file):
            pass
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"first"]
    (tmp_path / "backup.new").write_bytes(b"what a power cut left of a secret")
    with private(file) as out:
        out.write(b"second")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"second"]


@pytest.mark.parametrize("error", [errno.ENOLCK, errno.ENOTSUP, 102])
def test_where_a_share_has_no_locks_a_file_is_written_all_the_same(tmp_path, monkeypatch, error):
    """102 is EOPNOTSUPP of macOS, where that is not ENOTSUP."""
    monkeypatch.setattr("brelan.folders.NO_LOCKS", {*NO_LOCKS, 102})
    monkeypatch.setattr(fcntl, "flock", refusing(error))
    with private(tmp_path / "backup") as out:
        out.write(b"all")
    assert (tmp_path / "backup").read_bytes() == b"all"


def test_on_macos_the_disk_itself_has_written_before_a_file_is_there(tmp_path, monkeypatch):
    """A sync alone leaves it to the disk when; where the share knows no other, that is all there is."""
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    asked = []
    for answer in (0, OSError(errno.ENOTSUP, "not here")):
        monkeypatch.setattr(fcntl, "fcntl", lambda file, what, answer=answer: told(asked, what, answer))
        monkeypatch.setattr(os, "fsync", lambda number: asked.append("sync"))
        write(tmp_path / "report.json", "text")
    assert asked == [51, 51, "sync"]


def refusing(error):
    def flock(file, how):
        raise OSError(error, os.strerror(error))

    return flock


def told(asked, what, answer):
    asked.append(what)
    if answer:
        raise answer
    return answer
