"""Changes below a root, proven by the kernel: what ``drain`` does not report had not finished when it was called.

Nothing runs in between: the kernel keeps the queue, and it is read when somebody asks. An event only says where to look
(``tree`` finds out what has happened), so their order does not matter and a full queue costs time, never truth.
No event tells of a file system that is mounted below the root later on.
Above: ``watcher``. Below: ``tree``, ``inotify_queue``.
"""

import errno
import os
import time
from collections.abc import Callable, Collection
from pathlib import Path

from groundwire.edits.staging import TEMPORARY_PREFIX
from groundwire.pool.inotify_queue import IN_IGNORED, IN_Q_OVERFLOW, Event, EventQueue
from groundwire.pool.scan import SLOWER
from groundwire.pool.tree import Directory, OpenGate, Tree
from groundwire.workspace.changes import FileChange

OUT_OF_WATCHES = frozenset({errno.ENOSPC, errno.ENOMEM})


class _Watches:
    """The directories that are watched, and the names in them that have to be looked at."""

    def __init__(self, queue: EventQueue) -> None:
        self.must_look_everywhere = False
        self._queue = queue
        self._directories: dict[int, Directory] = {}
        self._names: dict[Directory, dict[str, None]] = {}

    def enter(self, directory: Directory, /) -> bool:
        """Watch it before it is listed: what comes after the watch is queued, what came before is in the listing."""
        try:
            watch = self._queue.watch(directory.path, follow=directory.parent is None)
        except OSError as error:
            if error.errno in OUT_OF_WATCHES:
                raise
            return False  # gone, no directory any more, or not readable: for the servers neither
        if watch == directory.watch:
            return True
        holder = self._directories.get(watch)
        if holder is not None and not self._has_moved(holder, directory):
            return False
        self.leave(directory)
        self._directories[watch] = directory
        directory.watch = watch
        return True

    def leave(self, directory: Directory, /) -> None:
        """Give its watch back."""
        if self._directories.pop(directory.watch, None) is not None:
            self._queue.unwatch(directory.watch)
        directory.watch = -1

    def absorb(self, events: list[Event]) -> None:
        """Remember where to look."""
        for event in events:
            if event.mask & IN_Q_OVERFLOW:
                self.must_look_everywhere = True
                continue
            directory = self._directories.get(event.watch)
            if directory is None:  # given back in the meantime
                continue
            if event.mask & IN_IGNORED:  # the kernel has dropped it: removed, or its file system unmounted
                self._lose(directory)
            elif event.name.startswith(TEMPORARY_PREFIX):
                continue
            elif event.name:
                self._names.setdefault(directory, {})[event.name] = None
            elif directory.parent is None:  # the root's own; those of the others come with a name from their parents
                self.must_look_everywhere = True

    def has_names(self) -> bool:
        """Whether there is anything to look at."""
        return bool(self._names)

    def has_names_beside(self, paths: Collection[str]) -> bool:
        """Whether there is anything to look at but these files."""
        for directory, names in self._names.items():  # no generators: this is before every answer
            for name in names:
                if f"{directory.path}/{name}" not in paths:
                    return True
        return False

    def take_names(self) -> dict[Directory, dict[str, None]]:
        """Where to look."""
        names, self._names = self._names, {}
        return names

    def give_back(self) -> None:
        """Every watch."""
        for directory in list(self._directories.values()):
            self.leave(directory)
        self._names.clear()

    def _has_moved(self, holder: Directory, directory: Directory) -> bool:
        """Two places share one watch: a directory that has moved, or one mounted twice, which stays where it was."""
        if not _leads_through_a_link(holder) and _is_one_directory(holder.path, directory.path):
            return False
        self._lose(holder)
        return True

    def _lose(self, directory: Directory) -> None:
        self._directories.pop(directory.watch, None)
        directory.watch = -1
        if directory.parent is None:
            self.must_look_everywhere = True
        else:
            self._names.setdefault(directory.parent, {})[directory.name] = None


def _leads_through_a_link(directory: Directory) -> bool:
    while directory.parent is not None:
        if Path(directory.path).is_symlink():
            return True
        directory = directory.parent
    return False


def _is_one_directory(one: str, other: str) -> bool:
    try:
        return Path(one).samefile(other)
    except OSError:  # one of them has just gone, and its event is on its way
        return False


class InotifyWatcher:
    """Watches every directory below a root that is not skipped. Without enough watches it looks at everything."""

    def __init__(
        self,
        root: str,
        skip: frozenset[str],
        queue: EventQueue,
        *,
        caveat: str = "",
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._queue = queue
        self._watches = _Watches(queue)
        self._tree = Tree(root, skip, self._watches, clock=clock)
        self._caveat = caveat
        self._is_watching = True
        self._was_interrupted = False
        self._identity: tuple[int, int] | None = None
        self.drain()

    @property
    def note(self) -> str:
        """Why this watcher is weaker than it should be; empty when it is not."""
        if self._identity is None:
            return f"{self._tree.root.path} is gone"
        return self._caveat

    @property
    def is_proof(self) -> bool:
        """Whether what is not reported has not happened."""
        return not self._caveat

    def collect(self) -> None:
        """Empty the kernel's queue before it is full, and keep what it says for the next ``drain``."""
        if events := self._queue.read():
            self._watches.absorb(events)

    def drain(self) -> list[FileChange]:
        """Every change that finished before the call and has not been reported yet."""
        self.collect()
        self._check_root()
        if self._must_look_everywhere() or self._watches.has_names():
            self._look()
        return self._tree.take()

    def has_news_beside(self, paths: Collection[str]) -> bool:
        """Whether anything but these files may have changed before the call."""
        self.collect()
        return self._must_look_everywhere() or self._watches.has_names_beside(paths)

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
        """Watch directories of these names too."""
        try:
            self._tree.include(names)
        except OSError as error:
            if error.errno not in OUT_OF_WATCHES:
                raise
            self._stop_watching()  # from now on every ``drain`` looks everywhere, in these too

    def fileno(self) -> int:
        """For an event loop: when it is readable, ``collect``."""
        return self._queue.fileno()

    def close(self) -> None:
        """Give the descriptor and its watches back."""
        self._queue.close()

    def _check_root(self) -> None:
        """No event tells that a directory above the root was renamed, or that the root was replaced while in use."""
        try:
            found = os.stat(self._tree.root.path)  # noqa: PTH116 - paid by every question, and three times as fast
            identity = (found.st_dev, found.st_ino)
        except OSError:
            identity = None
        if identity != self._identity:
            self._identity = identity
            self._watches.must_look_everywhere = True

    def _must_look_everywhere(self) -> bool:
        return self._watches.must_look_everywhere or self._was_interrupted or not self._is_watching

    def _look(self) -> None:
        try:
            self._look_where_needed()
        except OSError as error:
            if error.errno not in OUT_OF_WATCHES:
                raise
            self._stop_watching()
            self._look_where_needed()

    def _look_where_needed(self) -> None:
        must_look_everywhere = self._must_look_everywhere()
        self._watches.must_look_everywhere = False
        self._was_interrupted = True
        if must_look_everywhere:
            self._watches.take_names()
            self._tree.compare(self._tree.root)
        while self._watches.has_names():
            for directory, names in self._watches.take_names().items():
                for name in names if directory.is_known else ():
                    self._tree.examine(directory, name)
        self._was_interrupted = False

    def _stop_watching(self) -> None:
        self._caveat = (
            "the limit of inotify watches is used up (raise the sysctl fs.inotify.max_user_watches, then restart): "
            + SLOWER
        )
        self._is_watching = False
        self._watches.give_back()
        self._tree.gate = OpenGate()
