"""Names that files have beside their own because symbolic links lead to them, or to a directory above them.

A server that came to a file through a link knows it by that name, and heeds no news of any other.
Above: ``pool``, ``installed``. Below: nothing.
"""

import os
from collections.abc import Iterable, Sequence

from groundwire.workspace.changes import FileChange

_MOST_LINKS_IN_A_ROW = 3


class Links:
    """Where links lead to, as it was when they were looked at."""

    def __init__(self, links: Iterable[str]) -> None:
        self._by_target: dict[str, list[str]] = {}
        for link in links:
            target = os.path.realpath(link)
            # One that leads to what it lies in makes names without end, which nobody follows.
            if target != link and not link.startswith(f"{target}/"):
                self._by_target.setdefault(target, []).append(link)

    @property
    def targets(self) -> list[str]:
        """What they lead to."""
        return list(self._by_target)

    def other_names(self, path: str) -> list[str]:
        """What a file, which need not be there any more, is called by those who come through links."""
        found: dict[str, None] = {}
        fresh = [path]
        for _ in range(_MOST_LINKS_IN_A_ROW if self._by_target else 0):
            fresh = [name for each in fresh for name in self._through_one(each) if name not in found]
            found.update(dict.fromkeys(fresh))
        return list(found)

    def _through_one(self, path: str) -> Iterable[str]:
        end = len(path)
        while end > 0:
            yield from (link + path[end:] for link in self._by_target.get(path[:end], ()))
            end = path.rfind("/", 0, end)

    def seen_through(self, changes: Sequence[FileChange]) -> list[FileChange]:
        """The same changes, by those names."""
        if not self._by_target:
            return []
        return [FileChange(name, change.kind) for change in changes for name in self.other_names(change.path)]


def entries_of(directory: str) -> list[os.DirEntry[str]]:
    """What is in it; nothing where it cannot be listed."""
    try:
        with os.scandir(directory) as entries:
            return list(entries)
    except OSError:
        return []
