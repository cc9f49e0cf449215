"""Which files below a root have changed since somebody last asked: the interface, and the best way to it on a machine.

A question to a language server is preceded by ``drain``. Above: ``pool``. Below: ``inotify`` (Linux, proof), ``scan``
(anywhere, slower), ``mounts``.
"""

import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Protocol

from groundwire.errors import FileNotFound, Internal
from groundwire.pool.inotify import InotifyWatcher
from groundwire.pool.inotify_queue import EventQueue, KernelQueue
from groundwire.pool.mounts import Mount, mount_of, read_mounts, shared_mounts_below
from groundwire.pool.scan import ScanWatcher
from groundwire.pool.tree import EVERY_DOT_DIRECTORY, Directory
from groundwire.workspace.changes import FileChange

DEFAULT_SKIP = frozenset({
    EVERY_DOT_DIRECTORY,
    "__pycache__",
    "bower_components",
    "node_modules",
    "vendor",
    "venv",
})  # fmt: skip
"""Directories of tools, with many files that people do not edit; what builds make is told by ``outputs``. Files are
never skipped, whatever their name."""


class Watcher(Protocol):
    """Finds the changes below a root. Not for several threads."""

    @property
    def note(self) -> str:
        """Why this watcher is weaker than the best, for people to read; empty when it is not."""
        ...

    @property
    def is_proof(self) -> bool:
        """Whether a change that finished before ``drain`` was called is certain to be in its result."""
        ...

    @property
    def odd_names(self) -> Collection[str]:
        """The paths of files whose names are no UTF-8, as of the last ``drain``."""
        ...

    @property
    def links(self) -> tuple[int, Collection[str]]:
        """The symbolic links, as of the last ``drain``; the number changes when one may lead elsewhere."""
        ...

    @property
    def seen(self) -> Directory:
        """The root and all that is below it, as of the last ``drain``."""
        ...

    def drain(self) -> list[FileChange]:
        """What has changed since the last call, one change per path."""
        ...

    def has_news_beside(self, paths: Collection[str]) -> bool:
        """Whether ``drain`` may have more to tell than of these files; far cheaper, and True where it cannot tell."""
        ...

    def include(self, names: frozenset[str]) -> None:
        """Watch directories of these names too, though they are on the skip list: a server wants to hear of them."""
        ...

    def collect(self) -> None:
        """Keep what the system has queued for the next ``drain``; cheap, for an event loop that waits on ``fileno``."""
        ...

    def fileno(self) -> int | None:
        """Readable when ``collect`` has something to do; None when there is nothing to wait on."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...


def open_watcher(
    root: Path,
    *,
    skip: frozenset[str] = DEFAULT_SKIP,
    open_queue: Callable[[], EventQueue] | None = None,
    mounts: list[Mount] | None = None,
) -> Watcher:
    """Watch everything below a root, except in directories with a name in ``skip``."""
    if not root.is_dir():
        raise FileNotFound(f"{root} is not a directory")
    path = root.absolute().as_posix()
    if open_queue is None:
        if sys.platform != "linux":
            return ScanWatcher(path, skip)
        open_queue = KernelQueue
    known_mounts = _present_mounts() if mounts is None else mounts
    own = mount_of(root.resolve().as_posix(), known_mounts)
    if own is not None and own.is_shared:
        return ScanWatcher(path, skip, reason=f"{own.kind} does not tell of changes made elsewhere")
    try:
        queue = open_queue()
    except OSError as error:
        return ScanWatcher(path, skip, reason=f"inotify cannot be used ({error.strerror})")
    try:
        return InotifyWatcher(path, skip, queue, caveat=_caveat(root, known_mounts))
    except (Internal, OSError):
        queue.close()
        raise


def _caveat(root: Path, mounts: list[Mount]) -> str:
    below = shared_mounts_below(root.resolve().as_posix(), mounts)
    if not below:
        return ""
    return f"changes made elsewhere to {below[0].path} ({below[0].kind}) are not noticed"


def _present_mounts() -> list[Mount]:
    try:
        return read_mounts(Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape"))
    except FileNotFoundError:  # without /proc nothing is known, and a local disk is by far the likeliest
        return []
