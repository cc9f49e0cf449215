"""Routes found a moment ago: to find one costs more than all the rest of a quick question.

A route depends on marker and configuration files, on what is installed and on the environment. What of that lies in the
workspace is watched: when anything but the text of source files changes, all is forgotten. The rest is looked at again
after a few seconds. Of a file's own name nothing matters but what language it tells, so that files of one directory are
taken care of alike. Above: ``pool``. Below: ``routing``.
"""

import time
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path

import msgspec

from groundwire.pool.routing import Route
from groundwire.workspace.changes import ChangeKind, FileChange

_KEPT_S = 5.0
_MOST_KEPT = 1_000

Find = Callable[[Path, frozenset[str]], Route]


class RouteCache:
    """Of one pool. ``is_source`` tells whether a file is code, whose content decides nothing about routes; ``kind_of``
    what else than its directory decides about a file, None where it is like no other.
    """

    def __init__(
        self,
        is_source: Callable[[Path], bool],
        kind_of: Callable[[Path], Hashable | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._is_source = is_source
        self._kind_of = kind_of
        self._clock = clock
        self._found: dict[Hashable, tuple[float, Route]] = {}

    def get(self, path: Path, only: frozenset[str], find: Find) -> Route:
        """As it was found a moment ago, or found now. What is refused is not kept: somebody may be about to mend it."""
        now = self._clock()
        kept = self._found.get((path, only))
        if kept is not None and now < kept[0]:
            return kept[1]
        if len(self._found) >= _MOST_KEPT:
            self._found.clear()
        kept = self._found[path, only] = self._like_others(path, only, find, now)
        return kept[1]

    def _like_others(self, path: Path, only: frozenset[str], find: Find, now: float) -> tuple[float, Route]:
        kind = self._kind_of(path)
        if kind is None:
            return now + _KEPT_S, find(path, only)
        key = (path.parent, kind, only)
        kept = self._found.get(key)
        if kept is None or now >= kept[0]:
            kept = self._found[key] = (now + _KEPT_S, find(path, only))
        return kept[0], msgspec.structs.replace(kept[1], file=path)

    def saw(self, changes: Iterable[FileChange]) -> None:
        """Forget all where something changed that may decide who takes care of a file."""
        if self._found and any(self._may_matter(change) for change in changes):
            self._found.clear()

    def forget(self) -> None:
        """Everything."""
        self._found.clear()

    def _may_matter(self, change: FileChange) -> bool:
        return change.kind != ChangeKind.CHANGED or not self._is_source(Path(change.path))
