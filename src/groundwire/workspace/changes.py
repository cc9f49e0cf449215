"""File-system changes as values: what happened to which path, several merged into one, and which a server asked for.

Paths are absolute and written with forward slashes. Bytes of a name that are not UTF-8 travel as lone surrogates, as
``os.fsdecode`` makes them. Above: ``client`` turns what is wanted into ``workspace/didChangeWatchedFiles``, ``pool``
finds the changes. Below: nothing; patterns come from ``protocol.globs`` and are only asked whether they match.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Protocol

import msgspec


class ChangeKind(IntEnum):
    """LSP's ``FileChangeType``."""

    CREATED = 1
    CHANGED = 2
    DELETED = 3


class FileChange(msgspec.Struct, frozen=True):
    """One path, and what has become of it since it was last told of."""

    path: str
    kind: ChangeKind


_MERGED: dict[tuple[ChangeKind | None, ChangeKind], ChangeKind | None] = {
    (ChangeKind.CREATED, ChangeKind.CREATED): ChangeKind.CREATED,
    (ChangeKind.CREATED, ChangeKind.CHANGED): ChangeKind.CREATED,
    (ChangeKind.CREATED, ChangeKind.DELETED): None,
    (ChangeKind.CHANGED, ChangeKind.CREATED): ChangeKind.CHANGED,
    (ChangeKind.CHANGED, ChangeKind.CHANGED): ChangeKind.CHANGED,
    (ChangeKind.CHANGED, ChangeKind.DELETED): ChangeKind.DELETED,
    (ChangeKind.DELETED, ChangeKind.CREATED): ChangeKind.CHANGED,
    (ChangeKind.DELETED, ChangeKind.CHANGED): ChangeKind.CHANGED,
    (ChangeKind.DELETED, ChangeKind.DELETED): ChangeKind.DELETED,
}


def coalesce(changes: Iterable[FileChange]) -> list[FileChange]:
    """One change per path, in the order in which the paths first appeared; what came and went again is left out."""
    kinds: dict[str, ChangeKind | None] = {}
    for change in changes:
        before = kinds.get(change.path)
        kinds[change.path] = _MERGED.get((before, change.kind), change.kind)
    return [FileChange(path, kind) for path, kind in kinds.items() if kind is not None]


_MOST_REMEMBERED = 10_000


class Vanished:
    """Files that were gone a moment ago, to notice when one is there again. The clock is passed in."""

    def __init__(self, seconds: float = 10.0) -> None:
        self._seconds = seconds
        self._gone: dict[str, float] = {}

    def have_returned(self, changes: Iterable[FileChange], now: float) -> bool:
        """Whether any of these is a file that vanished less than so many seconds ago."""
        has_returned = False
        for change in changes:
            if change.kind == ChangeKind.DELETED:
                self._gone[change.path] = now
            elif (since := self._gone.pop(change.path, None)) is not None:
                has_returned = has_returned or now - since < self._seconds
        if len(self._gone) > _MOST_REMEMBERED:
            self._gone = {path: since for path, since in self._gone.items() if now - since < self._seconds}
        return has_returned


class PathPattern(Protocol):
    """A compiled glob: all that is asked of one here."""

    @property
    def directory_names(self) -> frozenset[str]:
        """The directories that it names in full."""
        ...

    @property
    def directories(self) -> frozenset[str]:
        """Where all that it matches lies."""
        ...

    @property
    def files(self) -> frozenset[str]:
        """What it matches and names in full."""
        ...

    def matches(self, path: str, /) -> bool:
        """Whether the absolute path fits."""
        ...


class WatchedFiles:
    """What one server registered to be told of: patterns, each with the kinds of change it is for."""

    def __init__(self) -> None:
        self._registrations: dict[str, tuple[tuple[PathPattern, int], ...]] = {}
        self.directory_names: frozenset[str] = frozenset()
        """Directories named in full by any registration so far: they are to be watched, whatever they are called."""
        self.directories: frozenset[str] = frozenset()
        self.files: frozenset[str] = frozenset()
        """Where what any registration so far asks for lies, and which files it names in full."""
        self.has_new_places = False
        """Whether there are more of them since somebody took this back."""
        self._kinds: dict[str, int] = {}
        """What was found for a path before: files that are edited are edited again and again."""

    def register(self, registration: str, globs: Sequence[tuple[PathPattern, int]]) -> None:
        """Patterns with their kinds (create 1, change 2, delete 4, added up). A repeated id adds to the former one.

        A server may use one id for all it wants; to be told of too much costs little, to miss something is stale.
        """
        self._registrations[registration] = (*self._registrations.get(registration, ()), *globs)
        self.directory_names = self.directory_names.union(*(pattern.directory_names for pattern, _ in globs))
        self.directories = self.directories.union(*(pattern.directories for pattern, _ in globs))
        self.files = self.files.union(*(pattern.files for pattern, _ in globs))
        self.has_new_places = True
        self._kinds.clear()

    @property
    def has_patterns(self) -> bool:
        """Whether the server has said of anything that it wants to be told of it."""
        return bool(self._registrations)

    def unregister(self, registration: str) -> None:
        """Forget one registration. An id that is not known changes nothing."""
        self._registrations.pop(registration, None)
        self._kinds.clear()

    def is_any_wanted(self, changes: Iterable[FileChange]) -> bool:
        """Whether ``wanted`` would find any."""
        return any(map(self._is_wanted, changes))

    def wanted(self, changes: Iterable[FileChange]) -> list[FileChange]:
        """The changes that any registration asks for, each once, in the order given."""
        return [change for change in dict.fromkeys(changes) if self._is_wanted(change)]

    def _is_wanted(self, change: FileChange) -> bool:
        return bool(self._kinds_wanted(change.path) & 1 << (change.kind - 1))

    def _kinds_wanted(self, path: str) -> int:
        found = self._kinds.get(path)
        if found is None:
            if len(self._kinds) >= _MOST_REMEMBERED:
                self._kinds.clear()
            found = 0
            for patterns in self._registrations.values():
                for pattern, kinds in patterns:
                    if kinds & ~found and pattern.matches(path):
                        found |= kinds
            self._kinds[path] = found
        return found
