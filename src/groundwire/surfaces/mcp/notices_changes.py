"""Sources that have changed on disk, for those who were told of references before: since when, how many, which.

It listens from the first time that somebody asks, and keeps no more than a few hundred names.
Above: ``resources``, ``notices``. Below: ``pool``.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from groundwire.pool.pool import Pool
from groundwire.workspace.changes import FileChange

_MOST_NAMED = 200


class ChangedSources:
    """Of one pool; ``ChangedSources.of`` gives the one there is."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._since = datetime.now(UTC)
        self._last: dict[str, tuple[int, datetime]] = {}
        """By path, the latest last: which change it was, and when."""
        self.count = 0
        """Changes so far: it moves with each, also of a file that had changed before."""
        self.files = 0
        """Files so far; one that is not named any more, because others were since, counts again."""
        pool.seen.append(self._saw)

    @staticmethod
    def of(pool: Pool) -> "ChangedSources":
        """The one of the pool, which begins to listen when it is first asked for."""
        return pool.kept.get(ChangedSources, lambda: ChangedSources(pool))

    def shown(self) -> Mapping[str, object]:
        """All that is known, the latest first."""
        named = [
            {"file": self._shown_path(path), "changed": when.isoformat(timespec="milliseconds")}
            for path, (_, when) in reversed(self._last.items())
        ]
        more = max(self.files - len(named), 0)
        return {
            "since": self._since.isoformat(timespec="milliseconds"),
            "files_changed": self.files,
            "files": named,
            "more": more,
            "message": _message(self.files),
        }

    def files_since(self, count: int) -> int:
        """How many files changed after that many changes; those that are not named any more are not counted."""
        return sum(number > count for number, _ in self._last.values())

    def _saw(self, changes: Sequence[FileChange]) -> None:
        for change in changes:
            path = Path(change.path)
            if self._pool.folders.terms_at(path).catalog.language_of(path) is not None:
                self._note(change.path)

    def _note(self, path: str) -> None:
        self.count += 1
        self.files += self._last.pop(path, None) is None
        self._last[path] = (self.count, datetime.now(UTC))
        if len(self._last) > _MOST_NAMED:
            del self._last[next(iter(self._last))]

    def _shown_path(self, path: str) -> str:
        return path.removeprefix(f"{self._pool.workspace.as_posix()}/")


def _message(files: int) -> str:
    if not files:
        return "No source has changed on disk: references that were found since are still right."
    return "References found before the latest of these changes may be stale: ask again."
