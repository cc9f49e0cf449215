"""A directory with a watcher on it, which can be any of those we have."""

import time
from collections.abc import Callable
from pathlib import Path

from groundwire.pool.inotify import InotifyWatcher
from groundwire.pool.inotify_queue import KernelQueue
from groundwire.pool.scan import ScanWatcher
from groundwire.pool.watcher import DEFAULT_SKIP, Watcher
from groundwire.workspace.changes import ChangeKind
from tests.fakes.watch_queues import LimitedQueue

Opener = Callable[[Path], Watcher]


def an_hour_ahead() -> int:
    """A clock by which no file is so fresh that it has to be reported twice."""
    return time.time_ns() + 3_600_000_000_000


def by_inotify(root: Path) -> Watcher:
    return InotifyWatcher(str(root), DEFAULT_SKIP, KernelQueue(), clock=an_hour_ahead)


def by_scan(root: Path) -> Watcher:
    return ScanWatcher(str(root), DEFAULT_SKIP, clock=an_hour_ahead)


def out_of_watches(root: Path) -> Watcher:
    return InotifyWatcher(str(root), DEFAULT_SKIP, LimitedQueue(0), clock=an_hour_ahead)


class Watched:
    """A root with a watcher on it, opened when the test has laid out its files."""

    def __init__(self, root: Path, opener: Opener) -> None:
        self.root = root
        self._opener = opener
        self._watcher: Watcher | None = None

    @property
    def watcher(self) -> Watcher:
        self._watcher = self._watcher or self._opener(self.root)
        return self._watcher

    def lay_out(self, *files: str) -> None:
        for file in files:
            write(self.root / file, "before")
        assert self.watcher.drain() == []

    def changes(self) -> dict[str, ChangeKind]:
        found = self.watcher.drain()
        assert len({change.path for change in found}) == len(found)
        return {change.path.removeprefix(f"{self.root}/"): change.kind for change in found}

    def close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()


def write(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
