"""What has changed on disk since a session last asked, by whomever: a number for every change, the latest of each file.

Above: ``handler``. Below: the pool's watcher, through ``Pool.seen``.
"""

from collections.abc import Sequence

from groundwire.workspace.changes import ChangeKind, FileChange

MOST_FILES = 10_000


class Journal:
    """Bounded: of more files than it holds, those that changed longest ago are forgotten."""

    def __init__(self, most_files: int = MOST_FILES) -> None:
        self._most = most_files
        self._numbers: dict[str, int] = {}
        """By path; the latest change last."""
        self._new: set[str] = set()
        self.position = 0
        """The number of the latest change."""

    def saw(self, changes: Sequence[FileChange]) -> None:
        """Write them down."""
        for change in changes:
            self.position += 1
            is_first = self._numbers.pop(change.path, None) is None
            self._numbers[change.path] = self.position
            if is_first and change.kind is ChangeKind.CREATED:
                self._new.add(change.path)
        while len(self._numbers) > self._most:
            forgotten = next(iter(self._numbers))
            del self._numbers[forgotten]
            self._new.discard(forgotten)

    def is_new(self, path: str) -> bool:
        """Whether the file was not there before the first change that is known of it."""
        return path in self._new

    def since(self, position: int) -> list[str]:
        """The files that changed after that, the latest first."""
        found: list[str] = []
        for path, number in reversed(self._numbers.items()):
            if number <= position:
                break
            found.append(path)
        return found
