"""Where the house keeps what it can make again, and how files are written. Nothing is compiled by importing this."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EAGAIN, ENOLCK, ENOTDIR, ENOTSUP, EOPNOTSUPP
from pathlib import Path
from typing import BinaryIO

from brelan.errors import Refusal

NO_LOCKS = (ENOLCK, ENOTSUP, EOPNOTSUPP)
"""What is answered where there are none, as on some shares of a network; the last two are one but on macOS."""


def cache_folder() -> Path:
    """$BRELAN_CACHE, or the user's cache folder."""
    from platformdirs import user_cache_dir  # only here: whoever lacks a library is told so by a command

    return Path(os.environ.get("BRELAN_CACHE") or at_home(user_cache_dir, "BRELAN_CACHE"))


def at_home(find: Callable[[str], str], instead: str) -> Path:
    """A user's own folder. Whoever has no home, as some of a system's users, is told by what to name one instead."""
    try:
        return Path(find("brelan"))
    except RuntimeError as error:
        raise Refusal("no_home", name=instead) from error


@contextmanager
def writing(file: Path) -> Iterator[None]:
    """A file is written here: what fails says which one, as a full disk by itself does not."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or file
        raise


def places(file: Path) -> tuple[Path, Path]:
    """Where a file is drafted, and where it stands then: at the end of its links. A device or a pipe has no draft."""
    if file.exists() and not file.is_file():
        return file, file
    end = Path(os.path.realpath(file))
    return end.with_name(f"{end.name}.{os.getpid()}.draft"), end


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make it and those above it, where they are not there; it alone is of that mode."""
    try:
        folder.mkdir(mode, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), error.filename) from None


def check_places(file: Path) -> None:
    """Fail now where `drafted` would fail later."""
    draft, end = places(file)
    if end.is_fifo():
        return  # its reader would take this for the end of what is written
    try:
        draft.open("ab").close()
    except OSError as error:
        error.filename = file
        raise
    if draft != end:
        draft.unlink()


@contextmanager
def drafted(file: Path) -> Iterator[Path]:
    """A draft to be written here, beside the file that it then becomes: that one is changed whole or not at all, even
    where the power fails. A device or a pipe is written as it is, and never replaced; nor is a link.
    """
    draft, end = places(file)
    with writing(draft):
        if draft == end:
            yield draft
            return
        try:
            yield draft
            with draft.open("rb+") as whole:  # to be written to: Windows syncs nothing else
                synced(whole)
            draft.replace(end)
        finally:
            draft.unlink(missing_ok=True)


def synced(file: BinaryIO) -> None:
    """Wait until it is on the disk: on macOS a sync alone leaves it to the disk when it writes."""
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):  # as on shares of a network
            fcntl.fcntl(file, fcntl.F_FULLFSYNC)
            return
    os.fsync(file.fileno())


def write(file: Path, text: str) -> None:
    """Write a text down, whole or not at all."""
    with drafted(file) as draft:
        draft.write_text(text, "utf-8")


@contextmanager
def private(file: Path) -> Iterator[BinaryIO]:
    """What is written here becomes a file for its owner only, there as a whole or not at all, even where the power
    fails. Its draft has one name, so that what a power cut left of a secret goes with the next; while somebody else
    writes it, BlockingIOError.
    """
    draft = file.with_name(f"{file.name}.new")
    with _held(draft) as out:
        try:
            yield out
            out.flush()
            synced(out)
            draft.replace(file)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def _held(draft: Path) -> BinaryIO:
    """A new file, locked while it is open, in place of one that nobody holds any more. A draft's name is taken away by
    whoever has it locked, and by nobody else.
    """
    with suppress(FileNotFoundError), os.fdopen(os.open(draft, os.O_RDWR | os.O_NOFOLLOW), "rb") as left:
        _lock(left, draft)
        draft.unlink()
    out = os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    _lock(out, draft)
    return out


def _lock(file: BinaryIO, path: Path) -> None:
    """Refuse one that another process has locked, or has taken away meanwhile. Where there are no locks, as on some
    shares of a network, all are let in.
    """
    import fcntl  # simulations run where there is none, too

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    if not os.path.samestat(os.fstat(file.fileno()), path.lstat()):
        raise BlockingIOError(EAGAIN, os.strerror(EAGAIN), path)
