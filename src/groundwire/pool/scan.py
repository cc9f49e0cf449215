"""The portable way to find changes: look at everything, every time.

It sees what finished before the call, as far as size, times and inode tell; a file so fresh that its times might not
tell is reported as changed once more by the next look. Above: ``watcher``. Below: ``tree``.
"""

import time
from collections.abc import Callable, Collection

from groundwire.pool.tree import Directory, OpenGate, Tree
from groundwire.workspace.changes import FileChange

SLOWER = "every question looks at the whole tree for changes first, which is slower"


class ScanWatcher:
    """Finds changes by walking the tree. ``reason`` says why it has to, for people to read."""

    is_proof = False

    def __init__(
        self, root: str, skip: frozenset[str], *, reason: str = "", clock: Callable[[], int] = time.time_ns
    ) -> None:
        self.note = f"{reason}: {SLOWER}" if reason else SLOWER
        self._tree = Tree(root, skip, OpenGate(), clock=clock)
        self.drain()

    def drain(self) -> list[FileChange]:
        """What has changed since the last call."""
        self._tree.compare(self._tree.root)
        return self._tree.take()

    def has_news_beside(self, paths: Collection[str]) -> bool:  # noqa: ARG002  only a walk would tell
        """Nobody knows."""
        return True

    @property
    def odd_names(self) -> Collection[str]:
        """Files whose names are no UTF-8, as of the last ``drain``."""
        return self._tree.odd_names

    @property
    def links(self) -> tuple[int, Collection[str]]:
        """The symbolic links, as of the last ``drain``; the number changes when one may lead elsewhere."""
        return self._tree.link_changes, self._tree.links

    @property
    def seen(self) -> Directory:
        """The root, as of the last ``drain``."""
        return self._tree.root

    def include(self, names: frozenset[str]) -> None:
        """Look into directories of these names too."""
        self._tree.include(names)

    def collect(self) -> None:
        """Nothing is queued anywhere."""

    def fileno(self) -> int | None:
        """Nothing to wait on."""
        return None

    def close(self) -> None:
        """Nothing to let go."""
