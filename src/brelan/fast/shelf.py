"""Where compiled twins are kept between two runs: a folder a game, named by a hash of all they were made from.

numba's own cache looks at the one file a function stands in: it serves the old machine code after a change in another
file, and cannot tell two games apart that share a driver. Here the folder's name holds a hash of every source reached,
of the values that stood in memory, of the versions and of the options, so a folder's content is never stale. A file
holds its own hash: whatever is not whole, cannot be read or cannot be written only means that the twin is compiled once
more. Folders that nobody uses any more go when another one of their game is written.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
import pickle
import platform
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable
from importlib.metadata import version
from importlib.util import resolve_name
from itertools import chain
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from numba import config
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.serialize import dumps

from brelan import STARTED
from brelan.errors import Refusal
from brelan.folders import cache_folder

KEPT = 30 * 24 * 3600
"""Seconds for which a folder is kept that nobody uses: its sources have changed, or what compiles them."""

PACKAGES = ("numba", "numpy", "llvmlite", "platformdirs")


def imported(module: ModuleType) -> Iterable[str]:
    """The names of the modules that a module's source may import from."""
    for node in imports(ast.parse(source_of(module))):
        if isinstance(node, ast.ImportFrom):
            name = resolve_name("." * node.level + (node.module or ""), module.__package__)
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)
        else:
            yield from (alias.name for alias in node.names)


def imports(tree: ast.AST) -> Iterable[ast.Import | ast.ImportFrom]:
    """Those that run whenever a module is imported: what functions and type checkers import hangs on who has run."""
    if isinstance(tree, ast.Import | ast.ImportFrom):
        yield tree
    elif isinstance(tree, ast.If) and ast.unparse(tree.test).endswith("TYPE_CHECKING"):
        yield from chain.from_iterable(map(imports, tree.orelse))
    elif not isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from chain.from_iterable(map(imports, ast.iter_child_nodes(tree)))


def source_of(module: ModuleType) -> bytes:
    return Path(module.__file__ or "").read_bytes()


def changed(file: Path) -> float:
    """When a file came to be as it is: one that is copied may bring an older time of its own, but not for its inode."""
    found = file.stat()
    return max(found.st_mtime, found.st_ctime)


def foreign(module: ModuleType) -> bool:
    """Whether it is an installed package, wherever that lies, or no Python source: nothing in it has a twin."""
    file = Path(getattr(module, "__file__", None) or "")
    installed = not {"site-packages", "dist-packages"}.isdisjoint(file.parts)
    return file.suffix != ".py" or installed or Path(sysconfig.get_path("stdlib")) in file.parents


def is_frozen(value: Any) -> bool:
    """Whether a global is a plain value, or a list or tuple of such: compiled code has it as it stood."""
    return isinstance(value, int | float) or (isinstance(value, list | tuple) and all(map(is_frozen, value)))


def functions_of(module: ModuleType) -> list[FunctionType]:
    """Those that a module holds, whoever wrote them."""
    return [value for value in vars(module).values() if isinstance(value, FunctionType)]


def values_of(module: ModuleType, names: set[str]) -> str:
    """What stands in a module under these names, whatever its source says."""
    held = [(name, value) for name, value in sorted(vars(module).items()) if name in names and is_frozen(value)]
    return repr((held, sorted(map(said_of, functions_of(module)))))


def said_of(function: FunctionType) -> str:
    """Which function it is, and what it does."""
    code = function.__code__
    numbers = [value for value in code.co_consts if is_frozen(value)]
    return repr((function.__module__, function.__qualname__, code.co_code, code.co_names, numbers))


class Sources:
    """The modules reached from a few ones by their imports, a hash of what they say, the same on every machine, and one
    of all that decides what they compile to.
    """

    def __init__(self, roots: Iterable[Any], options: dict[str, Any]) -> None:
        self.modules: dict[str, ModuleType] = {}
        roots = list(roots)
        self._own = {"brelan"} | {root.__name__.partition(".")[0] for root in roots}
        for root in roots:
            self._reach(root)
        switches = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)
        versions = [version(package) for package in PACKAGES]
        found = hashlib.sha256()
        for name in sorted(self.modules):
            source = source_of(self.modules[name])
            found.update(f"{name} {len(source)} ".encode() + source)
        self.said = found.hexdigest()[:16]
        self._values = self._held()
        found.update(repr((sys.version, platform.machine(), versions, options, switches, self._values)).encode())
        self.digest = found.hexdigest()[:16]

    def _held(self) -> str:
        """A hash of what functions find in the modules: a table may come from a file, and a test may patch anything."""
        modules = [self.modules[name] for name in sorted(self.modules)]
        names = {name for module in modules for f in functions_of(module) for name in f.__code__.co_names}
        return hashlib.sha256(repr([values_of(module, names) for module in modules]).encode()).hexdigest()

    @property
    def old(self) -> bool:
        """Whether all the files have stood as they are since this process began, and so are what it has in memory, and
        no value there has changed since. A date ahead of the clock is no change: a small machine may not know the time
        yet.
        """
        now = time.time()
        young = any(STARTED <= changed(Path(m.__file__ or "")) <= now for m in self.modules.values())
        return not young and self._values == self._held()

    def _reach(self, module: ModuleType) -> None:
        if module.__name__ in self.modules:
            return
        self.modules[module.__name__] = module
        for name in imported(module):
            found = sys.modules.get(name)
            if found and (name.partition(".")[0] in self._own or not foreign(found)):
                self._reach(found)


def read_own(file: Path) -> bytes:
    """What a file says that this user or root wrote, and nobody else may write to: compiled code is run. Nothing where
    it is another's.
    """
    with file.open("rb") as kept:
        found = os.fstat(kept.fileno())
        foreign = hasattr(os, "getuid") and (found.st_uid not in (os.getuid(), 0) or found.st_mode & 0o022)
        return b"" if foreign else kept.read()


class Shelf:
    """The folder of one game's twins; nothing goes in or out unless it is open."""

    def __init__(self, name: str) -> None:
        self.name, self.is_open = name, True

    def place(self, function: str) -> Place:
        """Where the versions of one function are kept; for a user without a home nowhere."""
        try:
            return Place(cache_folder() / self.name, function, self.is_open)
        except Refusal:
            return Place(Path(os.devnull) / self.name, function, False)


class Place(_Cache):  # type: ignore[misc]
    """What numba asks for kept machine code; it never raises."""

    def __init__(self, folder: Path, function: str, enabled: bool) -> None:
        self.folder, self.function, self.enabled = folder, function, enabled
        self._results = CompileResultCacheImpl

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def path(self, signature: Any, codegen: Any) -> Path:
        """The file of one signature on one kind of processor."""
        key = hashlib.sha256(repr((str(signature), codegen.magic_tuple())).encode()).hexdigest()
        return self.folder / f"{self.function}-{key[:16]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for this signature, or None."""
        target_context.refresh()
        with contextlib.suppress(OSError):
            os.utime(self.folder)  # it is used: see _drop_old
        try:
            kept = read_own(self.path(sig, target_context.codegen()))
            if self.enabled and kept[:32] == hashlib.sha256(kept[32:]).digest():
                return self._results.rebuild(None, target_context, pickle.loads(kept[32:]))  # noqa: S301  (our own)
        except Exception:
            return None
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled version; its file appears whole or not at all."""
        with contextlib.suppress(Exception):
            if self.enabled and self._results.check_cachable(None, data):
                self._write(self.path(sig, data.codegen), dumps(self._results.reduce(None, data)))
                self._drop_old()

    def _write(self, path: Path, kept: bytes) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=self.folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(kept).digest() + kept)
            Path(draft).chmod(0o644)  # a cache may be shared: see read_own
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise

    def _drop_old(self) -> None:
        """Remove the game's folders that nobody has used for long, and nothing that is not named as they are."""
        game = self.folder.name.rpartition("-")[0]
        for folder in self.folder.parent.glob(f"{game}-{'[0-9a-f]' * 16}"):
            if folder.stat().st_mtime < time.time() - KEPT:
                shutil.rmtree(folder, ignore_errors=True)

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def flush(self) -> None:
        """Nothing to forget: another source has another folder."""
