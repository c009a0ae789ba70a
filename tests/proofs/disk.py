"""A disk that forgets: every write, sync and cut of SQLite's files, written down as SQLite asks for them.

The shim lies under SQLite, in its own system calls' place (sqlite3_vfs and sqlite3_io_methods of sqlite3.h). From what
it has written down any power cut can be made: what was synced is there; of what was written since, some sectors are
and some are not.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

SECTOR = 512
"""Bytes that a disk writes as a whole or not at all."""


def names(text: str) -> list[str]:
    return text.split()


_POINTERS = names("""
    xClose xRead xWrite xTruncate xSync xFileSize xLock xUnlock xCheckReservedLock xFileControl xSectorSize
    xDeviceCharacteristics xShmMap xShmLock xShmBarrier xShmUnmap xFetch xUnfetch
""")

_CALLS = names("""
    xOpen xDelete xAccess xFullPathname xDlOpen xDlError xDlSym xDlClose xRandomness xSleep xCurrentTime
    xGetLastError xCurrentTimeInt64 xSetSystemCall xGetSystemCall xNextSystemCall
""")


class Methods(ctypes.Structure):
    _fields_ = [("iVersion", ctypes.c_int), *((name, ctypes.c_void_p) for name in _POINTERS)]


class File(ctypes.Structure):
    _fields_ = [("pMethods", ctypes.POINTER(Methods))]


class Vfs(ctypes.Structure):
    _fields_ = [
        ("iVersion", ctypes.c_int),
        ("szOsFile", ctypes.c_int),
        ("mxPathname", ctypes.c_int),
        ("pNext", ctypes.c_void_p),
        ("zName", ctypes.c_char_p),
        ("pAppData", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in _CALLS),
    ]


FILE = ctypes.POINTER(File)
OPEN = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, FILE, ctypes.c_int, ctypes.POINTER(ctypes.c_int)
)
"""The name is passed on as the place where SQLite has it: the file uses it as long as it is open."""

WRITE = ctypes.CFUNCTYPE(ctypes.c_int, FILE, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, FILE, ctypes.c_int64)
SYNC = ctypes.CFUNCTYPE(ctypes.c_int, FILE, ctypes.c_int)


@dataclass(slots=True)
class Op:
    """One thing done to a file: write `data` at `offset`, or cut it off there, or (neither) sync it."""

    file: str
    offset: int = -1
    data: bytes | None = None


@dataclass
class Journal:
    """All that was done to the files of one folder, in order."""

    folder: Path
    ops: list[Op] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)  # of open files, by their place in memory
    keep: list[Any] = field(default_factory=list)  # what SQLite points to
    patched: dict[int, Any] = field(default_factory=dict)

    def opened(self, place: int, name: bytes | None) -> bool:
        """Whether the file that is open there is one of ours."""
        path = Path(name.decode()) if name else None
        if path is None or path.parent != self.folder:
            return False
        self.names[place] = path.name
        return True

    def methods(self, file: Any) -> Any:
        """The methods of a file, with those that change it written down first."""
        real = file.contents.pMethods
        at = ctypes.addressof(real.contents)
        if at not in self.patched:
            self.patched[at] = self._patched(Methods.from_buffer_copy(real.contents))
        return ctypes.pointer(self.patched[at])

    def _patched(self, methods: Methods) -> Methods:
        write, truncate, sync = WRITE(methods.xWrite), TRUNCATE(methods.xTruncate), SYNC(methods.xSync)

        def on_write(file: Any, data: int, size: int, offset: int) -> int:
            self._note(file, offset, ctypes.string_at(data, size))
            return int(write(file, data, size, offset))

        def on_truncate(file: Any, size: int) -> int:
            self._note(file, size)
            return int(truncate(file, size))

        def on_sync(file: Any, flags: int) -> int:
            done = int(sync(file, flags))
            self._note(file)
            return done

        for name, kind, own in (
            ("xWrite", WRITE, on_write),
            ("xTruncate", TRUNCATE, on_truncate),
            ("xSync", SYNC, on_sync),
        ):
            self.keep.append(callback := kind(own))
            setattr(methods, name, ctypes.cast(callback, ctypes.c_void_p).value)
        return methods

    def _note(self, file: Any, offset: int = -1, data: bytes | None = None) -> None:
        self.ops.append(Op(self.names[ctypes.addressof(file.contents)], offset, data))


@contextmanager
def written_down(folder: Path) -> Iterator[Journal]:
    """SQLite's default file system, writing down what is done in a folder to files opened from now on."""
    library = ctypes.CDLL(ctypes.util.find_library("sqlite3"))
    library.sqlite3_vfs_find.restype = ctypes.POINTER(Vfs)
    usual, journal = library.sqlite3_vfs_find(None), Journal(folder)
    vfs, real_open = Vfs.from_buffer_copy(usual.contents), OPEN(usual.contents.xOpen)

    def on_open(_: int, name: int | None, file: Any, flags: int, out: Any) -> int:
        done = int(real_open(ctypes.addressof(usual.contents), name, file, flags, out))
        if done == 0 and journal.opened(ctypes.addressof(file.contents), name and ctypes.string_at(name)):
            file.contents.pMethods = journal.methods(file)
        return done

    callback = OPEN(on_open)
    vfs.zName, vfs.pNext = b"brelan-journal", None
    vfs.xOpen = ctypes.cast(callback, ctypes.c_void_p).value
    library.sqlite3_vfs_register(ctypes.byref(vfs), 1)
    try:
        yield journal
    finally:
        library.sqlite3_vfs_unregister(ctypes.byref(vfs))
        library.sqlite3_vfs_register(usual, 1)


class Disk:
    """The files as a power cut leaves them."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.synced = {name: bytearray(content) for name, content in files.items()}
        self.pending: dict[str, list[Op]] = {}

    def go_on(self, op: Op) -> None:
        """One thing more is done; a sync makes all that was done to that file before last."""
        if op.offset >= 0:
            self.pending.setdefault(op.file, []).append(op)
            return
        for done in self.pending.pop(op.file, []):
            self.synced[op.file] = apply(self.synced.get(op.file, bytearray()), done)

    def cut(self, random: Random) -> dict[str, bytes]:
        """The power fails now: of what was not synced, each sector is there or not."""
        files = {name: bytearray(content) for name, content in self.synced.items()}
        for name, ops in self.pending.items():
            share = random.choice((0.0, 0.5, 0.9, 1.0))
            for op in ops:
                for part in sectors(op):
                    if random.random() < share:
                        files[name] = apply(files.get(name, bytearray()), part)
        return {name: bytes(content) for name, content in files.items()}


def apply(content: bytearray, op: Op) -> bytearray:
    """A file after one thing was done to it."""
    if op.data is None:
        del content[op.offset :]
        return content
    if len(content) < op.offset:
        content.extend(bytes(op.offset - len(content)))
    content[op.offset : op.offset + len(op.data)] = op.data
    return content


def sectors(op: Op) -> Iterator[Op]:
    """The parts of a write that reach the disk one by one."""
    if op.data is None:
        yield op
        return
    start = 0
    while start < len(op.data):
        end = min(len(op.data), start + SECTOR - (op.offset + start) % SECTOR)
        yield Op(op.file, op.offset + start, op.data[start:end])
        start = end
