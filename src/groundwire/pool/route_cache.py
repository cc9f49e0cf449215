"""Routes found a moment ago: to find one costs more than all the rest of a quick question.

A route depends on marker and configuration files, on what is installed and on the environment. What of that lies in the
workspace is watched: when anything but the text of source files changes, all is forgotten. The rest is looked at again
after a few seconds. Above: ``pool``. Below: ``routing``.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from groundwire.pool.routing import Route
from groundwire.workspace.changes import ChangeKind, FileChange

_KEPT_S = 5.0
_MOST_KEPT = 1_000

Key = tuple[Path, frozenset[str]]


class RouteCache:
    """Of one pool. ``is_source`` tells whether a file is code, whose content decides nothing about routes."""

    def __init__(self, is_source: Callable[[Path], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self._is_source = is_source
        self._clock = clock
        self._found: dict[Key, tuple[float, Route]] = {}

    def get(self, path: Path, only: frozenset[str], find: Callable[[Path, frozenset[str]], Route]) -> Route:
        """As it was found a moment ago, or found now. What is refused is not kept: somebody may be about to mend it."""
        now, key = self._clock(), (path, only)
        kept = self._found.get(key)
        if kept is not None and now < kept[0]:
            return kept[1]
        if len(self._found) >= _MOST_KEPT:
            self._found.clear()
        route = find(path, only)
        self._found[key] = (now + _KEPT_S, route)
        return route

    def saw(self, changes: Iterable[FileChange]) -> None:
        """Forget all where something changed that may decide who takes care of a file."""
        if self._found and any(self._may_matter(change) for change in changes):
            self._found.clear()

    def forget(self) -> None:
        """Everything."""
        self._found.clear()

    def _may_matter(self, change: FileChange) -> bool:
        return change.kind != ChangeKind.CHANGED or not self._is_source(Path(change.path))
