"""Sources out of the workspace that a server reads: a package installed from a directory, a module or crate by its
path, a project that is linked, a configuration further up. What it registers to be told of says where they are.

Above: ``watching``. Below: ``registry.roots``, ``links``, ``tree``.
"""

import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from groundwire.pool.links import entries_of
from groundwire.pool.tree import UNSETTLED, fingerprint
from groundwire.registry.roots import is_too_wide
from groundwire.workspace.changes import ChangeKind, FileChange

MOST_DIRECTORIES = 2_000
_PACKAGES = frozenset({"node_modules", "site-packages", "dist-packages", "vendor", "venv", "bower_components"})
"""What is in these is installed, and noticed by that."""
_SYSTEM = re.compile(r"/(?:usr/(?:local/)?)?(?:lib|lib64|share|include)/|/usr/local/go/|.*/lib/python3[^/]*(?:/|\Z)")
_CLOCKS_DIFFER_S = 2.0
_UNKNOWN = UNSETTLED
"""The state of no file, for what a server may have read otherwise."""


def holds_sources(directory: str, watched: Sequence[str], folders: Sequence[str]) -> bool:
    """Whether it may hold sources that somebody edits and nobody watches yet, and is no part of what is around."""
    is_known = any(is_in(directory, each) for each in watched) or any(is_in(each, directory) for each in folders)
    return not (is_known or _is_installed(directory) or is_too_wide(Path(directory))) and os.path.isdir(directory)  # noqa: PTH112


def is_too_large(directory: str) -> bool:
    """Whether it holds far more directories than a project."""
    return sum(1 for _ in islice(_directories(directory), MOST_DIRECTORIES + 1)) > MOST_DIRECTORIES


def is_alone(file: str, watched: Sequence[str]) -> bool:
    """Whether it lies above what is watched, so that its directory cannot be watched with all that is in it."""
    above = os.path.dirname(file)  # noqa: PTH120  a Path costs more
    return not _is_installed(file) and any(is_in(each, above) and each != above for each in watched)


def changed_since(directory: str, since: float) -> list[FileChange]:
    """The files that were written after that time."""
    entries = (entry for above in _directories(directory) for entry in entries_of(above))
    new = (entry.path for entry in entries if entry.is_file() and _is_newer(entry.path, since))
    return [FileChange(path, ChangeKind.CHANGED) for path in new]


class SingleFiles:
    """Files that are looked at one by one, for nothing watches them."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def add(self, files: Iterable[str], since: float) -> None:
        """Look at these too. What was written after that time is among the next changes."""
        for file in files:
            if file not in self._known:
                self._known[file] = _UNKNOWN if _is_newer(file, since) else _state(file)

    def have_changed(self) -> bool:
        """Whether ``changes`` has something to tell."""
        return bool(self._known) and any(_state(file) != state for file, state in self._known.items())

    def changes(self) -> list[FileChange]:
        """What became of them since the last call."""
        found: list[FileChange] = []
        for file, before in self._known.items():
            state = self._known[file] = _state(file)
            if state == before:
                continue
            kind = ChangeKind.DELETED if not state else ChangeKind.CHANGED if before else ChangeKind.CREATED
            found.append(FileChange(file, kind))
        return found


def _state(file: str) -> int:
    """0 where there is none. One that was written so recently that its times may not tell goes by its content."""
    try:
        state = fingerprint(os.stat(file), time.time_ns())  # noqa: PTH116  for every question, and a Path costs more
        return (hash(Path(file).read_bytes()) if state == UNSETTLED else state) or 1
    except OSError:
        return 0


def _is_newer(file: str, since: float) -> bool:
    try:
        return os.stat(file).st_mtime > since - _CLOCKS_DIFFER_S  # noqa: PTH116
    except OSError:
        return False


def is_in(path: str, directory: str) -> bool:
    """Whether it is the directory, or anything below it."""
    return path == directory or path.startswith(f"{directory.rstrip('/')}/")


def _is_installed(path: str) -> bool:
    names = path.split("/")
    is_of_tool = any(name.startswith(".") or name in _PACKAGES for name in names if name)
    return is_of_tool or _SYSTEM.match(f"{path}/") is not None


def _directories(top: str) -> Iterator[str]:
    pending = [top]
    while pending:
        above = pending.pop()
        yield above
        pending += (
            entry.path
            for entry in entries_of(above)
            if entry.is_dir(follow_symlinks=False) and not (entry.name.startswith(".") or entry.name in _PACKAGES)
        )
